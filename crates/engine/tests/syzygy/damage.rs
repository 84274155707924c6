//! Damaged tables: whatever is wrong with a file, the engine says so or answers right, and plays on.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use super::*;
use engine::syzygy::Tables;

/// What a damaged table did.
#[derive(Default)]
struct Tally {
    outcomes: BTreeMap<&'static str, usize>,
    slowest: Duration,
}

/// What is known of a position: who wins, and how far it is.
type Known = (Board, [Option<i32>; 2]);

/// Opens the tables, checking those of up to so many bytes, and asks them everything; what came of it.
fn try_out(tally: &mut Tally, folder: &std::path::Path, checked: u64, damaged: &str, boards: &[Known]) {
    let (tables, notices) = Tables::open_checking(&folder.display().to_string(), checked);
    let tables = tables.expect("the others are there");
    let mut told = notices.iter().any(|notice| matches!(notice, Notice::Fault(text) if text.contains(damaged)));
    let refused = told;
    let (mut unknown, mut wrong) = (false, false);
    for (board, expected) in boards {
        let start = Instant::now();
        let found = [tables.wdl(board).map(i32::from), tables.distance(board).map(|distance| distance.plies)];
        tally.slowest = tally.slowest.max(start.elapsed());
        for (found, expected) in found.iter().zip(expected) {
            unknown |= found.is_none();
            wrong |= found.is_some() && found != expected;
        }
    }
    let faults = tables.take_faults();
    let broke = faults.iter().any(|fault| fault.to_string().contains("broke down"));
    told |= faults.iter().any(|fault| fault.to_string().contains(damaged)) || broke;
    assert!(told || !unknown && (!wrong || checked == 0), "nothing was said about {damaged}: {faults:?}");
    assert!(faults.len() <= 2, "said too often: {faults:?}");
    let outcome = match (refused, broke, unknown, wrong) {
        (true, ..) => "refused when opened",
        (_, true, ..) => "broke down, switched off",
        (_, _, true, false) => "seen, answers missing",
        (_, _, true, true) => "seen, some answers wrong",
        (_, _, false, true) => "not seen, some answers wrong",
        _ => "no effect on these positions",
    };
    *tally.outcomes.entry(outcome).or_default() += 1;
}

#[test]
fn truncated_and_changed_tables_do_no_harm() {
    let Some(folder) = folder() else { return };
    let copies = std::env::temp_dir().join(format!("gannet-damaged-{}", std::process::id()));
    fs::create_dir_all(&copies).expect("a folder");
    for name in ["KQvKR", "KQvK", "KRvK", "KRvKP", "KQvKB", "KBvK", "KNvK", "KPvK", "KQvKN", "KRvKR", "KRvKB", "KRvKN"]
    {
        for kind in ["rtbw", "rtbz"] {
            let file = format!("{name}.{kind}");
            fs::copy(folder.join(&file), copies.join(&file)).expect("copied");
        }
    }
    let good = Tables::open(&folder.display().to_string()).0.expect("tables");
    let mut random = Random(4711);
    let (mut cut, mut flipped, mut unchecked) = (Tally::default(), Tally::default(), Tally::default());
    for name in ["KRvK", "KQvKR", "KRvKP"] {
        let boards: Vec<_> = (0..40)
            .map(|_| {
                let board = random.position(name);
                let known = [good.wdl(&board).map(i32::from), good.distance(&board).map(|distance| distance.plies)];
                (board, known)
            })
            .collect();
        for kind in ["rtbw", "rtbz"] {
            let file = format!("{name}.{kind}");
            let path = copies.join(&file);
            let content = fs::read(&path).expect("a table");
            for trial in 0..17 * factor() {
                // Any length is soon refused; one that a table may have has to be read to be found out.
                let length = random.below(content.len());
                let length = if trial % 2 == 0 { length } else { (length / 64 * 64 + 16).min(content.len() - 64) };
                fs::write(&path, &content[..length]).expect("written");
                try_out(&mut cut, &copies, Tables::CHECKED, &file, &boards);
                try_out(&mut unchecked, &copies, 0, &file, &boards);
            }
            for trial in 0..17 * factor() {
                // Half of them in the head, where they do most.
                let mut changed = content.clone();
                let byte = random.below(if trial % 2 == 0 { content.len() } else { content.len().min(200) });
                changed[byte] ^= 1 << random.below(8);
                fs::write(&path, &changed).expect("written");
                try_out(&mut flipped, &copies, Tables::CHECKED, &file, &boards);
                try_out(&mut unchecked, &copies, 0, &file, &boards);
            }
            fs::write(&path, &content).expect("written");
        }
    }
    for (what, tally) in
        [("truncated", cut), ("one bit flipped", flipped), ("the same as if too large to be checked", unchecked)]
    {
        let trials: usize = tally.outcomes.values().sum();
        eprintln!("{what}: {trials} tables, slowest probe {:?}, {:#?}", tally.slowest, tally.outcomes);
    }
    let _ = fs::remove_dir_all(copies);
}

#[test]
fn a_search_tells_of_a_damaged_table_once_and_goes_on() {
    let Some(folder) = folder() else { return };
    let copies = std::env::temp_dir().join(format!("gannet-damaged-search-{}", std::process::id()));
    fs::create_dir_all(&copies).expect("a folder");
    let content = fs::read(folder.join("KRvK.rtbw")).expect("a table");
    fs::write(copies.join("KRvK.rtbw"), &content[..80]).expect("written");
    fs::copy(folder.join("KQvK.rtbw"), copies.join("KQvK.rtbw")).expect("copied");
    let mut engine = Engine::new(4).expect("memory");
    engine.syzygy_mut().set_path(&copies.display().to_string());
    engine.syzygy_mut().take_notices();
    engine.set_threads(2);
    for (round, expected) in [1, 0].into_iter().enumerate() {
        let game = Game::new(Board::from_fen("8/8/8/3k4/8/8/4R3/K7 w - - 0 1").expect("legal"));
        let (outcome, listener) = search(&mut engine, &game, &nodes(5_000));
        assert!(outcome.best.is_some());
        assert_eq!(listener.notices.len(), expected, "round {round}: {:?}", listener.notices);
        assert!(listener.notices.iter().all(|notice| notice.to_string().contains("KRvK.rtbw: it is damaged")));
    }
    let _ = fs::remove_dir_all(copies);
}
