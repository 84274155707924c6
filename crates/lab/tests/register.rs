//! Every run leaves its line in the register, and `results` finds it.

mod common;

use std::path::Path;
use std::process::Output;

use common::{errors, program, read, scratch};

/// Runs the laboratory with a register of its own.
fn lab(register: &Path, arguments: &[&str]) -> Output {
    let output = program().env("GANNET_LAB_REGISTER", register).args(arguments).output().expect("the laboratory runs");
    assert!(output.status.success(), "{arguments:?}: {}", errors(&output));
    output
}

#[test]
fn runs_are_registered_and_found() {
    let register = scratch("register.jsonl");
    let file = |name: &str| scratch(name).to_string_lossy().into_owned();
    let play = ["--nodes", "50", "--max-plies", "40"];
    let run = |arguments: &[&str]| lab(&register, &[arguments, &play[..]].concat());
    run(&["sprt", "--a", "UseQuiescence=false", "--games", "4", "--json", &file("registered-sprt.json")]);
    let engines = ["--engine", "name=One", "--engine", "name=Two opt=UseKillers=false"];
    run(&[&["match", "--games", "4", "--json", &file("registered-match.json")], &engines[..]].concat());
    run(&["spsa", "--tune", "NullMove", "--pairs", "2", "--state", &file("registered-spsa.json")]);
    run(&["ablate", "--only", "UseKillers,UseRazoring", "--games", "2", "--out", &file("registered.md")]);
    run(&["ablate", "--factorial", &file("factorial.md"), "--only", "UseKillers", "--share", "0.5", "--games", "8"]);
    let lines: Vec<serde_json::Value> =
        read(&register).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |name: &str| lines.iter().map(|line| line[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("command"), ["sprt", "match", "spsa", "ablate", "ablate", "ablate"]);
    assert_eq!(of("games"), [4, 4, 4, 2, 2, 8]);
    assert!(of("machine").iter().all(|cpu| cpu.as_str().is_some_and(|cpu| !cpu.is_empty())));
    assert_eq!(lines[0]["engines"][0]["options"], "UseQuiescence=false");
    assert_eq!(lines[0]["distinct_games"], 4);
    assert_eq!(lines[1]["found"]["standings"].as_array().map(Vec::len), Some(2));
    // The register by its name, because the repository has one, too.
    let path = register.to_string_lossy();
    let shown = |arguments: &[&str]| {
        String::from_utf8_lossy(&lab(&register, &[&["results", &path], arguments].concat()).stdout).into_owned()
    };
    let table = shown(&[]);
    assert_eq!(table.lines().count(), 7, "{table}");
    assert!(table.contains("UseQuiescence=false against defaults") && table.contains("One, Two"), "{table}");
    assert!(shown(&["--find", "killers"]).ends_with("\n3 of 6 runs\n"));
    let named = shown(&["--command", "spsa"]);
    assert!(named.contains("NullMove_") && named.ends_with("\n1 of 6 runs\n"), "{named}");
}

#[test]
fn a_test_that_goes_on_counts_once() {
    let register = scratch("resumed-register.jsonl");
    let json = scratch("resumed-registered.json").to_string_lossy().into_owned();
    let run = |games: &str, more: &[&str]| {
        let play = ["sprt", "--a", "UseQuiescence=false", "--fixed", "--nodes", "50", "--max-plies", "40"];
        lab(&register, &[&play[..], &["--games", games, "--json", &json], more].concat());
    };
    run("2", &[]);
    run("6", &["--resume"]);
    assert_eq!(read(&register).lines().count(), 2);
    let table = String::from_utf8_lossy(&lab(&register, &["results", &register.to_string_lossy()]).stdout).into_owned();
    assert_eq!(table.lines().count(), 2, "{table}");
    assert!(table.contains(" 6 "), "{table}");
}

#[test]
fn nothing_is_registered_where_nothing_shall_be() {
    let folder = scratch("no-register");
    std::fs::create_dir_all(&folder).expect("a folder");
    let output = program()
        .current_dir(&folder)
        .env("XDG_DATA_HOME", &folder)
        .args(["sprt", "--a", "UseQuiescence=false", "--games", "2", "--nodes", "20"])
        .output()
        .expect("the laboratory runs");
    assert!(output.status.success() && !folder.join("gannet-lab").exists());
    let told = program().env_remove("GANNET_LAB_REGISTER").env("XDG_DATA_HOME", &folder).arg("results").output();
    let told = told.expect("the laboratory runs");
    if cfg!(target_os = "linux") && told.status.code() == Some(1) {
        assert!(errors(&told).contains("nothing is registered yet"), "{}", errors(&told));
    }
    let _ = std::fs::remove_dir_all(&folder);
}
