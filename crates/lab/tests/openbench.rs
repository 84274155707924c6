//! What the engine tells OpenBench about itself is what a server takes: it ends when one field of one engine is not known to it.

use serde_json::{Map, Value};

/// Fields of every kind of work.
const COMMON: &[&str] =
    &["book_name", "upload_pgns", "priority", "throughput", "syzygy_wdl", "syzygy_adj", "win_adj", "draw_adj"];
/// What is asked of each side, or of both.
const SIDE: &[&str] = &["branch", "bench", "network", "options", "time_control"];
const TEST: &[&str] = &["test_bounds", "test_confidence", "test_max_games", "workload_size"];
const TUNE: &[&str] = &[
    "spsa_reporting_type",
    "spsa_distribution_type",
    "spsa_alpha",
    "spsa_gamma",
    "spsa_A_ratio",
    "spsa_iterations",
    "spsa_pairs_per",
];
const DATAGEN: &[&str] = &["datagen_custom_genfens", "datagen_play_reverses", "datagen_max_games", "workload_size"];

fn object<'a>(value: &'a Value, name: &str) -> &'a Map<String, Value> {
    value[name].as_object().unwrap_or_else(|| panic!("{name} is no object"))
}

#[test]
fn every_field_is_one_that_a_server_knows() {
    let text = include_str!("../../../openbench/Gannet.json");
    let about: Value = serde_json::from_str(text).expect("JSON");
    assert!(
        about["private"] == false && about["nps"].as_u64().is_some_and(|nps| nps > 0) && about["source"].is_string()
    );
    let build = object(&about, "build");
    assert!(
        ["compilers", "cpuflags", "systems"].iter().all(|name| build[*name].is_array()) && build["path"].is_string()
    );
    for (kind, sides, own) in [
        ("test_presets", &["both", "dev", "base"][..], TEST),
        ("tune_presets", &["dev"], TUNE),
        ("datagen_presets", &["both", "dev", "base"], DATAGEN),
    ] {
        let presets = object(&about, kind);
        assert!(presets.contains_key("default"), "{kind}");
        for (name, preset) in presets {
            for (field, value) in preset.as_object().expect("an object") {
                let of_side = |(side, rest): (&str, &str)| sides.contains(&side) && SIDE.contains(&rest);
                let known = COMMON.contains(&field.as_str()) || own.contains(&field.as_str());
                assert!(known || field.split_once('_').is_some_and(of_side), "{kind}, {name}: {field}");
                assert!(value.is_string() || value.is_u64(), "{kind}, {name}: {field}");
            }
        }
    }
    // The other way round half of the games would be copies.
    assert_eq!(about["datagen_presets"]["default"]["datagen_play_reverses"], "NO");
}
