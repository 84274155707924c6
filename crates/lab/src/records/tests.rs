//! Properties of the records: what is written is read, and damage costs only what it hits.

use std::path::{Path, PathBuf};

use chess::{Game, MoveKind, Setup};

use super::shard::MAX_SHARD;
use super::*;
use crate::rng::Rng;
use engine::crc32;

/// Rounds of a test; a few of them under Miri, which takes a second for what takes a millisecond.
fn rounds(full: usize) -> usize {
    if cfg!(miri) { 4 } else { full }
}

/// A random game, as a record; every sixteenth has a wild score now and then.
pub(crate) fn random_game(rng: &mut Rng) -> GameRecord {
    let chess960 = rng.below(3) == 0;
    let [white, black] = if chess960 { [rng.below(960), rng.below(960)] } else { [518; 2] };
    let mut start = Setup::double_chess960(white as u16, black as u16).validate().expect("a start position");
    for _ in 0..rng.below(12) {
        let moves = start.legal_moves();
        if !moves.is_empty() {
            start.make(moves[rng.below(moves.len())]);
        }
    }
    let mut game = Game::new(start.clone());
    let (mut plies, mut sides, mut score) = (Vec::new(), Vec::new(), 0i32);
    let length = rng.below(160);
    let beside = rng.below(2) == 0;
    while plies.len() < length {
        let moves = game.board().legal_moves();
        if moves.is_empty() {
            break;
        }
        score = match rng.below(16) {
            0 => rng.below(64_001) as i32 - 32_000,
            _ => (score + rng.below(61) as i32 - 30).clamp(-32_000, 32_000),
        };
        if beside && rng.below(4) == 0 {
            sides.extend(random_side(rng, game.board(), plies.len() as u32));
        }
        let mv = moves[rng.below(moves.len())];
        plies.push(Ply { mv, score: score as i16 });
        game.play(mv);
    }
    let info = GameInfo {
        start,
        result: GameResult::from_bits(rng.below(3) as u8).expect("one of three"),
        end: End::ALL[rng.below(End::ALL.len())],
        flags: if chess960 { FLAG_CHESS960 } else { 0 } | if beside { FLAG_SIDE_LINES } else { 0 },
        net: rng.next() as u32,
        nodes: rng.below(1 << 20) as u32,
    };
    GameRecord { info, plies, sides }
}

/// A line of one to three plies after a move; none where the game is over then.
fn random_side(rng: &mut Rng, board: &Board, ply: u32) -> Option<SideLine> {
    let mut board = board.clone();
    let moves = board.legal_moves();
    let mv = moves[rng.below(moves.len())];
    board.make(mv);
    let mut plies = Vec::new();
    for _ in 0..1 + rng.below(3) {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let next = moves[rng.below(moves.len())];
        plies.push(Ply { mv: next, score: rng.below(2001) as i16 - 1000 });
        board.make(next);
    }
    (!plies.is_empty()).then_some(SideLine { ply, mv, plies })
}

pub(crate) fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("gannet-lab-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder to write to");
    path
}

fn write(writer: &mut ShardWriter, game: &GameRecord) -> crate::failure::Result<u64> {
    let mut bytes = Vec::new();
    encode(&mut bytes, game);
    writer.write(&bytes)
}

/// Writes games into one shard and returns its bytes.
fn shard_of(games: &[GameRecord], name: &str) -> Vec<u8> {
    let folder = folder(name);
    let inside = folder.clone();
    let mut writer = ShardWriter::new(0, Header { seed: 5, first: 7 }, move |n| inside.join(format!("{n}.games")));
    for game in games {
        write(&mut writer, game).expect("written");
    }
    writer.close().expect("closed");
    let bytes = std::fs::read(folder.join("0.games")).expect("read");
    std::fs::remove_dir_all(folder).expect("cleaned up");
    bytes
}

fn games_of(shard: &Shard) -> Vec<GameRecord> {
    shard.blocks.iter().filter_map(|block| shard.replay(block).and_then(Replay::record).ok()).collect()
}

fn parse(bytes: &[u8]) -> Shard {
    Shard::parse(Path::new("x.games"), bytes.to_vec())
}

#[test]
fn what_is_written_is_read() {
    let mut rng = Rng::new(1, 0);
    let mut bytes = Vec::new();
    let mut castled = 0;
    for _ in 0..rounds(10_000) {
        let game = random_game(&mut rng);
        castled += game.plies.iter().filter(|ply| ply.mv.kind() == Some(MoveKind::Castle)).count();
        bytes.clear();
        encode(&mut bytes, &game);
        assert_eq!(Replay::new(&bytes).and_then(Replay::record), Ok(game));
    }
    assert!(cfg!(miri) || castled > 100, "{castled}");
}

#[test]
#[cfg_attr(miri, ignore = "hours")]
fn shards_are_closed_at_their_size_and_count_on() {
    let folder = folder("sizes");
    let inside = folder.clone();
    let mut writer = ShardWriter::new(3, Header { seed: 5, first: 100 }, move |n| inside.join(format!("{n}.games")));
    let mut rng = Rng::new(2, 0);
    let games: Vec<_> = (0..50).map(|_| random_game(&mut rng)).collect();
    let mut written = Vec::new();
    let mut total = 0;
    while total < 20 << 20 {
        let game = &games[written.len() % games.len()];
        total += write(&mut writer, game).expect("written");
        written.push(written.len() % games.len());
    }
    writer.close().expect("closed");
    let paths = shards(std::slice::from_ref(&folder)).expect("listed");
    assert_eq!(paths.len(), 2);
    let mut next = 100;
    for path in &paths {
        let shard = Shard::open(path).expect("read");
        assert!(shard.size() <= MAX_SHARD && shard.faults.is_empty());
        assert_eq!(shard.header, Some(Header { seed: 5, first: next }));
        next += shard.blocks.len() as u64;
    }
    assert_eq!(next, 100 + written.len() as u64);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
#[cfg_attr(miri, ignore = "hours")]
fn a_file_cut_anywhere_loses_only_what_is_cut() {
    let mut rng = Rng::new(3, 0);
    let games: Vec<_> = (0..8).map(|_| random_game(&mut rng)).collect();
    let bytes = shard_of(&games, "cut");
    let ends: Vec<usize> = parse(&bytes).blocks.iter().skip(1).map(|block| block.offset).chain([bytes.len()]).collect();
    for cut in 0..bytes.len() {
        let shard = parse(&bytes[..cut]);
        let whole = ends.iter().filter(|&&end| end <= cut).count();
        assert_eq!(games_of(&shard), games[..whole], "cut at {cut}");
        let clean = cut == 32 || ends.contains(&cut);
        assert_eq!(shard.faults.is_empty(), clean, "cut at {cut}: {:?}", shard.faults);
    }
}

#[test]
#[cfg_attr(miri, ignore = "hours")]
fn flipped_bits_cost_only_the_game_they_hit() {
    let mut rng = Rng::new(4, 0);
    let games: Vec<_> = (0..4).map(|_| random_game(&mut rng)).collect();
    let bytes = shard_of(&games, "flip");
    let clean = parse(&bytes);
    for bit in (0..bytes.len() * 8).step_by(5) {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let shard = parse(&bytes);
        assert_eq!(shard.faults.len(), 1, "bit {bit}: {:?}", shard.faults);
        let hit = clean.blocks.iter().rposition(|block| block.offset <= bit / 8);
        let mut rest = games.clone();
        if let Some(hit) = hit {
            rest.remove(hit);
        }
        assert_eq!(games_of(&shard), rest, "bit {bit}");
    }
    // Many at once: whatever is read was written.
    for _ in 0..300 {
        let mut bytes = bytes.clone();
        for _ in 0..1 + rng.below(20) {
            let bit = rng.below(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert!(games_of(&parse(&bytes)).iter().all(|game| games.contains(game)));
    }
}

#[test]
#[cfg_attr(miri, ignore = "hours")]
fn foreign_files_are_told() {
    let mut rng = Rng::new(5, 0);
    let noise: Vec<u8> = (0..200_000).map(|_| rng.next() as u8).collect();
    let marks = [0xB6, 0x67].repeat(100_000);
    for bytes in [noise.as_slice(), &marks, b"[Event \"?\"]\n", &[0; 100_000], b"PK\x03\x04"] {
        let shard = parse(bytes);
        assert!(shard.blocks.is_empty());
        let [fault] = shard.faults.as_slice() else { panic!("{:?}", shard.faults) };
        assert_eq!((fault.offset, fault.what), (0, What::Foreign));
        assert!(fault.to_string().starts_with("x.games, byte 0: "));
    }
    let mut later = shard_of(&[random_game(&mut rng)], "later");
    later[8] = 2;
    let sum = crc32(&later[..28]);
    later[28..32].copy_from_slice(&sum.to_le_bytes());
    assert_eq!(parse(&later).faults[0].what, What::Version(2));
}

#[test]
fn wrong_games_behind_right_checksums_are_told() {
    let mut rng = Rng::new(6, 0);
    let mut bytes = Vec::new();
    for _ in 0..rounds(2000) {
        bytes.clear();
        encode(&mut bytes, &random_game(&mut rng));
        let at = rng.below(bytes.len());
        match rng.below(3) {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << rng.below(8),
            _ => bytes.push(0),
        }
        // No panic; what is read is a game that can be written, and a shorter or longer one is none.
        if let Ok(game) = Replay::new(&bytes).and_then(Replay::record) {
            let mut again = Vec::new();
            encode(&mut again, &game);
            assert_eq!(Replay::new(&again).and_then(Replay::record), Ok(game));
        }
    }
    bytes.clear();
    encode(&mut bytes, &random_game(&mut rng));
    bytes.push(0);
    assert_eq!(Replay::new(&bytes).and_then(Replay::record), Err(RecordError::Long));
}

#[test]
fn no_move_number_is_too_large() {
    for (fen, ply) in
        [("w - - 0 1", 0), ("b - - 0 3", 5), ("b - - 0 2147483648", u32::MAX), ("b - - 0 4294967295", u32::MAX)]
    {
        let board = Board::from_fen(&format!("4k3/8/8/8/8/8/8/4K2R {fen}")).expect(fen);
        assert_eq!(game_ply(&board), ply, "{fen}");
        let info = GameInfo { start: board, ..random_game(&mut Rng::new(7, 0)).info };
        let mut bytes = Vec::new();
        encode(&mut bytes, &GameRecord { info: info.clone(), plies: Vec::new(), sides: Vec::new() });
        assert_eq!(Replay::new(&bytes).and_then(Replay::record).map(|game| game.info), Ok(info));
    }
}

/// The order of the moves is part of the format: this fails if it changes.
#[test]
fn the_bytes_are_what_they_were() {
    let start = Board::start();
    let mut board = start.clone();
    let mut plies = Vec::new();
    for (text, score) in [("e2e4", 30), ("d7d5", -10), ("e4d5", 100), ("g8f6", 90)] {
        let mv = chess::parse_uci(&board, text).expect(text);
        plies.push(Ply { mv, score });
        board.make(mv);
    }
    let info = GameInfo {
        start,
        result: GameResult::WhiteWin,
        end: End::AdjudicatedWin,
        flags: 0,
        net: 0x0403_0201,
        nodes: 600,
    };
    let mut bytes = Vec::new();
    encode(&mut bytes, &GameRecord { info, plies, sides: Vec::new() });
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, GOLDEN);
}

const GOLDEN: &str = "ffff00000000ffff1642256100000000888888889ecaade9400001520001020304d80404103c0f4f1edc010c13";
