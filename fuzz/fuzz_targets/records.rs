//! Any bytes as a file of game records, and as one game behind a right checksum: faults that say what is wrong, or games
//! of legal moves that are written and read back unchanged.

#![no_main]

use std::path::Path;

use chess::Game;
use lab::records::{self, GameRecord, RecordError, Replay, Shard};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let file = Shard::parse(Path::new("file.games"), bytes.to_vec());
    let read = read(&file);
    assert!(bytes.is_empty() || !file.faults.is_empty() || file.header.is_some());
    // The checksum is no secret: games behind it must be as harmless as those in front of it.
    let alone = Replay::new(bytes).and_then(Replay::record);
    let shard = Shard::parse(Path::new("one.games"), block(bytes));
    match alone {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(game) => {
            check(&game);
            // Longer games are refused when they are written.
            assert!(bytes.len() > 0x7fff || self::read(&shard).contains(&game));
        }
    }
    read.iter().for_each(check);
});

/// The games of a file; what is wrong with it can be told.
fn read(shard: &Shard) -> Vec<GameRecord> {
    shard.faults.iter().for_each(|fault| assert!(!fault.to_string().is_empty()));
    shard.blocks.iter().filter_map(|block| shard.replay(block).and_then(Replay::record).ok()).collect()
}

/// A block without a file around it, as a reader finds it behind a damaged header.
fn block(game: &[u8]) -> Vec<u8> {
    let length = (game.len() as u16).to_le_bytes();
    let sum = engine::crc32(&[&length, game].concat());
    [&[0xB6, 0x67][..], &length, &sum.to_le_bytes(), game].concat()
}

/// A game that was read: legal throughout, and the same when it is written and read again.
fn check(game: &GameRecord) {
    let mut played = Game::new(game.info.start.clone());
    for ply in &game.plies {
        records::game_ply(played.board());
        assert!(played.board().is_legal(ply.mv) && played.play(ply.mv));
    }
    records::is_plausible(&game.info, &played);
    let mut again = Vec::new();
    records::encode(&mut again, game);
    assert_eq!(Replay::new(&again).and_then(Replay::record).as_ref(), Ok(game));
    again.push(0);
    assert_eq!(Replay::new(&again).and_then(Replay::record), Err(RecordError::Long));
}
