//! Runs are the same whatever the threads, and go on after any kind of stop.

use std::path::Path;

use super::*;
use crate::data::{Keeper, check};
use crate::records::{End, FLAG_SIDE_LINES, Shard, folder, shards};

fn settings() -> Settings {
    Settings {
        seed: 9,
        nodes: 60,
        hard: 480,
        hash: 1,
        dfrc_share: 0.4,
        random_plies: 8,
        win_score: 1000,
        play_on: 0.25,
        spare: 0.5,
        side_lines: 0.3,
        adjudicate_draws: true,
        net: 0,
        version: "test".to_string(),
        builds: vec!["one".to_string()],
    }
}

/// A run of the bootstrap evaluation.
fn run(settings: &Settings, goal: Goal, threads: usize) -> Run<'_> {
    Run { settings, source: &Source::Bootstrap, goal, threads, deadline: deadline(goal, None) }
}

/// Plays until the folder holds so many games.
fn generate_games(path: &Path, games: u64, threads: usize) -> Result<Tally> {
    let settings = settings();
    let goal = Goal::Games(games);
    let mut folder = Folder::open(path, &settings, threads, false)?;
    let mut progress = Progress::new(goal, folder.tally.clone());
    generate(&run(&settings, goal, threads), &mut folder, &mut progress)?;
    folder.close()?;
    Ok(folder.tally.clone())
}

/// All games of a folder, as bytes.
fn games_of(path: &Path) -> Vec<Vec<u8>> {
    let mut games = Vec::new();
    for path in shards(&[path.to_path_buf()]).expect("listed") {
        let shard = Shard::open(&path).expect("read");
        assert_eq!(check(&shard).faults, []);
        games.extend(shard.blocks.iter().map(|block| shard.game(block).to_vec()));
    }
    games
}

#[test]
fn a_run_is_the_same_whatever_the_threads_and_the_stops() {
    let path = folder("datagen");
    let (one, many) = (path.join("one"), path.join("many"));
    let tally = generate_games(&one, 12, 1).expect("played");
    let games = games_of(&one);
    assert_eq!((games.len(), tally.games), (12, 12));

    // Stopped after five, killed within the sixth, then with nothing but a header written.
    generate_games(&many, 5, 3).expect("played");
    let shard = &shards(std::slice::from_ref(&many)).expect("listed")[0];
    let mut bytes = std::fs::read(shard).expect("read");
    let header = bytes[..32].to_vec();
    bytes.extend_from_within(32..60);
    std::fs::write(shard, &bytes).expect("written");
    generate_games(&many, 8, 2).expect("goes on");
    std::fs::write(many.join("seed9-00007.games"), &header[..20]).expect("written");
    let again = generate_games(&many, 12, 4).expect("goes on");
    assert_eq!(games_of(&many), games);
    assert_eq!(again, tally, "what is counted again is what was counted first");
    std::fs::remove_dir_all(path).expect("cleaned up");
}

#[test]
fn other_settings_and_damage_are_not_mixed_in() {
    let path = folder("settings");
    generate_games(&path, 2, 1).expect("played");
    let other = Settings { nodes: 61, seed: 10, ..settings() };
    let message = Folder::open(&path, &other, 1, false).err().map(|failure| failure.to_string()).unwrap_or_default();
    assert!(message.contains("nodes was 60, now 61") && message.contains("seed was 9, now 10"), "{message}");

    let held = Folder::open(&path, &settings(), 1, false).expect("opened");
    assert!(
        Folder::open(&path, &settings(), 1, false)
            .is_err_and(|failure| failure.to_string().contains("another datagen"))
    );
    drop(held);

    let shard = &shards(std::slice::from_ref(&path)).expect("listed")[0];
    let mut bytes = std::fs::read(shard).expect("read");
    bytes[50] ^= 1;
    std::fs::write(shard, &bytes).expect("written");
    assert!(Folder::open(&path, &settings(), 1, false).is_err_and(|failure| failure.to_string().contains("byte 32")));
    std::fs::remove_dir_all(path).expect("cleaned up");
}

#[test]
fn another_build_goes_on_only_when_told_to() {
    let path = folder("builds");
    generate_games(&path, 1, 1).expect("played");
    let other = Settings { builds: vec!["two".to_string()], ..settings() };
    let refused = Folder::open(&path, &other, 1, false).err().map(|failure| failure.to_string()).unwrap_or_default();
    assert!(refused.contains("checksum one, now two") && refused.contains("--other-build"), "{refused}");
    assert_eq!(Folder::open(&path, &other, 1, true).expect("opened").tally.games, 1);
    // From then on the folder names both, and both may go on.
    for builds in [other, settings()] {
        assert!(Folder::open(&path, &builds, 1, false).is_ok());
    }
    // A folder from before builds were written down is continued.
    let file = path.join("datagen.json");
    let text = std::fs::read_to_string(&file).expect("read");
    assert!(text.contains("\"one\"") && text.contains("\"two\""), "{text}");
    let mut old: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    old.as_object_mut().expect("an object").remove("builds");
    std::fs::write(&file, old.to_string()).expect("written");
    assert!(Folder::open(&path, &settings(), 1, false).is_ok());
    std::fs::remove_dir_all(path).expect("cleaned up");
}

#[test]
fn goals_are_reached_and_not_passed_by_much() {
    let path = folder("goals");
    let settings = settings();
    for goal in [Goal::Positions(300), Goal::Positions(300), Goal::Games(0), Goal::Time(Duration::ZERO)] {
        let mut folder = Folder::open(&path, &settings, 2, false).expect("opened");
        let mut progress = Progress::new(goal, folder.tally.clone());
        generate(&run(&settings, goal, 2), &mut folder, &mut progress).expect("played");
        folder.close().expect("closed");
        assert!((300..700).contains(&folder.tally.kept), "{:?}", folder.tally);
    }
    std::fs::remove_dir_all(path).expect("cleaned up");
}

#[test]
fn games_that_are_played_on_are_not_adjudicated() {
    let ends = |play_on: f64| {
        let settings = Settings { play_on, ..settings() };
        let mut player = SelfPlayer::new(&settings, &engine::Source::Bootstrap).expect("made");
        let mut end = |number| player.play(&settings, number, || false).map(|(game, _)| game.info.end);
        (0..8).filter_map(&mut end).filter(|end| matches!(end, End::AdjudicatedWin | End::AdjudicatedDraw)).count()
    };
    assert!(ends(0.0) > 4);
    assert_eq!(ends(1.0), 0);
}

#[test]
fn side_lines_are_sound_and_change_nothing_in_the_format_of_plain_games() {
    let play = |side_lines: f64| {
        let settings = Settings { side_lines, ..settings() };
        let mut player = SelfPlayer::new(&settings, &engine::Source::Bootstrap).expect("made");
        player.play(&settings, 3, || false).expect("played")
    };
    let (plain, _) = play(0.0);
    assert!(plain.sides.is_empty() && plain.info.flags & FLAG_SIDE_LINES == 0);
    let (game, kept) = play(1.0);
    assert!(game.sides.len() > game.plies.len() / 2, "{} of {}", game.sides.len(), game.plies.len());
    let (mut board, mut sides) = (game.info.start.clone(), game.sides.iter().peekable());
    let filter = crate::data::Filter::default();
    let (mut keeper, mut counted) = (Keeper::new(&filter), 0);
    for (number, ply) in (0..).zip(&game.plies) {
        counted += u64::from(keeper.keeps(&board, *ply));
        if let Some(side) = sides.next_if(|side| side.ply == number) {
            assert!(side.mv != ply.mv && board.is_legal(side.mv) && board.see_at_least(side.mv, 0));
            counted += filter.kept_beside(&board, side);
        }
        board.make(ply.mv);
    }
    assert_eq!((sides.next(), counted), (None, kept));
}

#[test]
fn a_folder_from_before_wins_could_be_set_says_what_was_meant() {
    let json = r#"{ "seed": 1, "nodes": 400, "hard": 3200, "hash": 8, "dfrc_share": 0.2, "random_plies": 8,
        "adjudicate_draws": false, "net": 7, "version": "0.1.0" }"#;
    let old: Settings = serde_json::from_str(json).expect("settings");
    assert_eq!((old.win_score, old.play_on, old.spare, old.side_lines), (2000, 0.0, 1.0, 0.0));
}
