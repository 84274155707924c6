//! That the engine reads from the tables what shakmaty-syzygy by itself does.

use super::*;
use engine::syzygy::{Distance, Tables};

#[test]
fn every_probe_is_that_of_the_library() {
    let Some(folder) = folder() else { return };
    let (tables, notices) = Tables::open(&folder.display().to_string());
    let (tables, oracle) = (tables.expect("tables"), oracle(&folder));
    assert_eq!(notices, [Notice::Found("35 WDL and 35 DTZ tables found, up to 4 men".to_string())]);
    assert_eq!(tables.men(), 4);
    let mut random = Random(7);
    let (count, mut en_passant) = (5_000 * factor(), 0);
    for _ in 0..count {
        let board = random.any_position();
        en_passant += usize::from(board.en_passant().is_some());
        let position = position(&board);
        let wdl = oracle.probe_wdl_after_zeroing(&position).expect("complete tables");
        let dtz = oracle.probe_dtz(&position).expect("complete tables");
        let distance = Distance { plies: dtz.ignore_rounding().0, rounded: dtz.precise().is_none() };
        assert_eq!((tables.wdl(&board), tables.distance(&board)), (Some(wdl), Some(distance)), "{}", board.fen());
    }
    assert_eq!(tables.take_faults(), []);
    eprintln!("{count} positions, {en_passant} of them with en passant: all as the library says");
}

#[test]
fn what_the_tables_cannot_know_is_not_asked() {
    let Some(folder) = folder() else { return };
    let tables = Tables::open(&folder.display().to_string()).0.expect("tables");
    for fen in ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "4k3/8/8/8/8/8/8/1QQQK3 w - - 0 1"] {
        let board = Board::from_fen(fen).expect(fen);
        assert_eq!((tables.wdl(&board), tables.distance(&board)), (None, None));
    }
    // Nobody can give this check, but it can be set up.
    let between = Board::from_fen("7Q/8/3K4/8/8/2k5/1Q6/8 b - - 0 1").expect("let through");
    assert!(tables.wdl(&between).is_some());
    assert_eq!(tables.take_faults(), []);
}

#[test]
fn bad_paths_are_named() {
    let here = env!("CARGO_MANIFEST_DIR");
    for (folders, named) in [("/no/such folder", "/no/such folder"), (here, here)] {
        let (tables, notices) = Tables::open(folders);
        assert!(tables.is_none());
        let texts: Vec<_> = notices.iter().map(Notice::to_string).collect();
        assert!(texts.iter().any(|text| text.starts_with("error: ") && text.contains(named)), "{texts:?}");
    }
    let Some(folder) = folder() else { return };
    let list = std::env::join_paths([PathBuf::from("/no/such folder"), folder]).expect("a path list");
    let (tables, notices) = Tables::open(&list.to_string_lossy());
    assert_eq!((tables.map(|tables| tables.men()), notices.len()), (Some(4), 2), "{notices:?}");
}

/// How long a probe takes: the engine's way, and the library with its own way to read files.
#[test]
#[ignore = "measures; prints a report"]
fn probes_are_fast() {
    let Some(folder) = folder() else { return };
    let (tables, oracle) = (Tables::open(&folder.display().to_string()).0.expect("tables"), oracle(&folder));
    let mut random = Random(11);
    let boards: Vec<_> = (0..20_000).map(|_| random.any_position()).collect();
    let positions: Vec<_> = boards.iter().map(position).collect();
    let mut best = [std::time::Duration::MAX; 4];
    for _ in 0..12 {
        let mut time = |index: usize, work: &dyn Fn()| {
            let start = std::time::Instant::now();
            work();
            best[index] = best[index].min(start.elapsed() / boards.len() as u32);
        };
        time(0, &|| assert!(boards.iter().all(|board| tables.wdl(board).is_some())));
        time(1, &|| assert!(positions.iter().all(|position| oracle.probe_wdl_after_zeroing(position).is_ok())));
        time(2, &|| assert!(boards.iter().all(|board| tables.distance(board).is_some())));
        time(3, &|| assert!(positions.iter().all(|position| oracle.probe_dtz(position).is_ok())));
    }
    let [wdl, plain_wdl, dtz, plain_dtz] = best;
    eprintln!("WDL {wdl:?} (library by itself {plain_wdl:?}), DTZ {dtz:?} ({plain_dtz:?}), best of 12 rounds");
}
