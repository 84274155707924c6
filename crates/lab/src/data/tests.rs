//! The commands on files of random games, against other ways to get the same.

use std::path::{Path, PathBuf};

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _, Role, Square};

use super::position::{NO_RESULT, Position, SIZE, read};
use super::scatter::{Order, Output};
use super::{export, merge, verify};
use crate::records::{
    End, GameRecord, GameResult, Header, RecordError, Replay, Shard, ShardWriter, What, encode, folder, random_game,
    shards,
};
use crate::rng::Rng;

/// Writes games as one shard.
fn write_shard(folder: &Path, games: &[GameRecord]) -> PathBuf {
    let path = folder.join("0.games");
    let inside = path.clone();
    let mut writer = ShardWriter::new(0, Header::default(), move |_| inside.clone());
    for game in games {
        let mut bytes = Vec::new();
        encode(&mut bytes, game);
        writer.write(&bytes).expect("written");
    }
    writer.close().expect("closed");
    path
}

fn games(seed: u64, count: usize) -> Vec<GameRecord> {
    let mut rng = Rng::new(seed, 0);
    (0..count).map(|_| random_game(&mut rng)).collect()
}

fn positions(path: &Path) -> Vec<Position> {
    let mut all = Vec::new();
    read(path, |part| {
        all.extend_from_slice(part);
        Ok(())
    })
    .expect("positions");
    all
}

#[test]
fn shuffling_keeps_every_position_in_memory_and_on_disk() {
    let folder = folder("shuffle");
    let count = 60_000u32;
    let numbered: Vec<Position> = (0..count)
        .map(|number| {
            let mut position = [0; SIZE];
            position[..4].copy_from_slice(&number.to_le_bytes());
            position
        })
        .collect();
    let shuffled = |seed, memory, expected| {
        let path = folder.join("out.bin32");
        let mut output = Output::create(&path, Some(Order { seed, memory, expected })).expect("created");
        for part in numbered.chunks(999) {
            output.push(part).expect("taken");
        }
        assert_eq!(output.finish().expect("finished"), u64::from(count));
        positions(&path)
    };
    for (memory, expected) in [(u64::MAX, 1), (u64::MAX, 10 << 20), (1 << 18, u64::from(count))] {
        let one = shuffled(1, memory, expected);
        assert_ne!(one, numbered);
        assert_eq!(one, shuffled(1, memory, expected), "the seed decides");
        assert_ne!(one, shuffled(2, memory, expected));
        let mut sorted = one.clone();
        sorted.sort_by_key(|position| u32::from_le_bytes([position[0], position[1], position[2], position[3]]));
        assert_eq!(sorted, numbered);
        // Neighbours come from everywhere: on average a third of the whole apart.
        let number = |position: &Position| u32::from_le_bytes([position[0], position[1], position[2], position[3]]);
        let apart: f64 = one.windows(2).map(|pair| f64::from(number(&pair[0]).abs_diff(number(&pair[1])))).sum();
        let mean = apart / f64::from(count) / f64::from(count);
        assert!((0.32..0.35).contains(&mean), "{mean}");
    }
    assert_eq!(std::fs::read_dir(&folder).expect("listed").count(), 1, "no part is left behind");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn expanding_gives_the_kept_positions_whatever_the_threads() {
    let folder = folder("expand");
    let all = games(11, 240);
    let places: Vec<PathBuf> = (0..3)
        .map(|part| {
            let inside = folder.join(part.to_string());
            std::fs::create_dir_all(&inside).expect("a folder");
            write_shard(&inside, &all[part * 80..part * 80 + 80]);
            inside
        })
        .collect();
    let choice = |targets| super::expand::Choice { filter: super::Filter::default(), targets };
    let (filter, targets) = (super::Filter::default(), super::targets::Targets { lambda: 0.7, horizon: 8 });
    let mut expected = Vec::new();
    for (number, game) in all.iter().enumerate() {
        let mut board = game.info.start.clone();
        let (mut keeper, mut beside) = (super::Keeper::new(&filter), Vec::new());
        for (number_of_ply, &ply) in game.plies.iter().enumerate() {
            if keeper.keeps(&board, ply) {
                let scores: Vec<i16> = game.plies[number_of_ply..].iter().map(|ply| ply.score).collect();
                let ply = crate::records::game_ply(&board);
                let labels = super::position::labels(targets.of(&scores), game.info.result, ply, number as u32);
                expected.push(super::position::pack(&board, labels));
            }
            for side in game.sides.iter().filter(|side| side.ply as usize == number_of_ply) {
                let mut board = board.clone();
                board.make(side.mv);
                for (index, &ply) in side.plies.iter().enumerate() {
                    if filter.allows(&board, ply) {
                        let scores: Vec<i16> = side.plies[index..].iter().map(|ply| ply.score).collect();
                        let (score, ply) = (targets.of(&scores), crate::records::game_ply(&board));
                        let labels =
                            super::position::Labels { score, half_points: NO_RESULT, ply, game: number as u32 };
                        beside.push(super::position::pack(&board, labels));
                    }
                    board.make(ply.mv);
                }
            }
            board.make(ply.mv);
        }
        assert!(beside.iter().all(|position| position[26] == NO_RESULT));
        expected.append(&mut beside);
    }
    assert!(expected.len() > 1000);
    for threads in [1, 2, 5] {
        let out = folder.join("out.bin32");
        super::expand::expand_places(&places, threads, &choice(targets), &out, None).expect("expanded");
        assert_eq!(positions(&out), expected);
    }
    // Without later plies the score is the position's own.
    let out = folder.join("own.bin32");
    super::expand::expand_places(&places, 1, &choice(super::targets::Targets::OWN), &out, None).expect("expanded");
    let own = positions(&out);
    assert_eq!(own.len(), expected.len());
    let scores = |all: &[Position]| all.iter().map(|position| position[24..26].to_vec()).collect::<Vec<_>>();
    assert_ne!(scores(&own), scores(&expected));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn verifying_finds_wrong_results_and_moves_after_the_end() {
    let folder = folder("verify");
    let mate = |result, end| {
        let mut rng = Rng::new(1, 0);
        let mut game = random_game(&mut rng);
        game.info.start = chess::Board::start();
        (game.info.result, game.info.end, game.info.flags) = (result, end, 0);
        game.plies.clear();
        let mut board = game.info.start.clone();
        for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            let mv = chess::parse_uci(&board, text).expect(text);
            game.plies.push(crate::records::Ply { mv, score: 0 });
            board.make(mv);
        }
        game
    };
    let good = mate(GameResult::BlackWin, End::Checkmate);
    let mut unfinished = good.clone();
    unfinished.plies.pop();
    let mut drawn = mate(GameResult::Draw, End::InsufficientMaterial);
    drawn.info.start = chess::Board::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("legal");
    let mv = chess::parse_uci(&drawn.info.start, "e1e2").expect("legal");
    drawn.plies = vec![crate::records::Ply { mv, score: 0 }];
    let wrong =
        [mate(GameResult::WhiteWin, End::Checkmate), mate(GameResult::BlackWin, End::AdjudicatedWin), unfinished];
    let path = write_shard(&folder, &[&[good], wrong.as_slice(), &[drawn]].concat());
    let checked = verify::check(&Shard::open(&path).expect("read"));
    assert_eq!((checked.games, checked.plies), (1, 4));
    let whats: Vec<What> = checked.faults.iter().map(|fault| fault.what).collect();
    assert_eq!(whats, [What::Ending, What::Ending, What::Ending, What::AfterEnd(0)]);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn merging_drops_games_that_come_twice() {
    let folder = folder("merge");
    let (a, b, out) = (folder.join("a"), folder.join("b"), folder.join("out"));
    for path in [&a, &b, &out] {
        std::fs::create_dir_all(path).expect("a folder");
    }
    let all = games(12, 30);
    let paths = [write_shard(&a, &all[..20]), write_shard(&b, &all[10..])];
    let merged = merge::merge(&paths, out.clone(), |_| {}).expect("merged");
    assert_eq!(merged, merge::Merged { games: 30, twice: 10, faults: 0 });
    let mut found = Vec::new();
    for path in shards(&[out]).expect("listed") {
        let shard = Shard::open(&path).expect("read");
        found.extend(shard.blocks.iter().map(|block| shard.replay(block).and_then(Replay::record).expect("a game")));
    }
    assert_eq!(found, all);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn merging_leaves_out_games_that_cannot_be_replayed() {
    let folder = folder("merge-bad");
    let out = folder.join("out");
    std::fs::create_dir_all(&out).expect("a folder");
    let all = games(14, 3);
    let path = folder.join("bad.games");
    let name = path.clone();
    let mut writer = ShardWriter::new(0, Header::default(), move |_| name.clone());
    for (number, game) in all.iter().enumerate() {
        let mut bytes = Vec::new();
        encode(&mut bytes, game);
        // The second game ends in the middle, under a right checksum.
        bytes.truncate(bytes.len() - usize::from(number == 1));
        writer.write(&bytes).expect("written");
    }
    writer.close().expect("closed");
    let mut faults = Vec::new();
    let merged = merge::merge(std::slice::from_ref(&path), out.clone(), |found| faults.extend_from_slice(found));
    assert_eq!(merged, Ok(merge::Merged { games: 2, twice: 0, faults: 1 }));
    assert!(faults[0].to_string().contains("bad.games, byte "), "{}", faults[0]);
    assert!(matches!(faults[0].what, What::Game(RecordError::Short)), "{:?}", faults[0]);
    // What is not there is passed over, and what never ends is not begun.
    let source = |places: &[&PathBuf]| super::Source {
        places: places.iter().map(|&path| path.clone()).collect(),
        threads: None,
    };
    let missing = folder.join("missing.games");
    let zero = PathBuf::from("/dev/zero");
    let (paths, unreadable) = source(&[&path, &missing, &zero]).readable_shards().expect("one is there");
    assert_eq!((paths, unreadable), (vec![path], 2));
    assert!(source(&[&missing]).readable_shards().is_err());
    assert!(Shard::open(&zero).is_err_and(|failure| failure.to_string().contains("/dev/zero")));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Reads a game as the public description of the format says, with another library's board and moves. Returns the
/// bytes after it, the FENs of all positions, the scores and the result.
fn read_viriformat(bytes: &[u8]) -> (&[u8], Vec<String>, Vec<i16>, u8) {
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let occupied = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"));
    let (mut men, mut rooks) = (std::collections::BTreeMap::new(), Vec::new());
    for square in (0..64u32).filter(|square| occupied >> square & 1 == 1) {
        let index = men.len();
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        if code & 7 == 6 {
            rooks.push((square, code >= 8));
        }
        let letter = b"pnbrqkr"[usize::from(code & 7)];
        men.insert(square, if code < 8 { letter.to_ascii_uppercase() } else { letter } as char);
    }
    let rows = (0..8u32).rev().map(|rank| {
        (0..8u32).map(|file| men.get(&(rank * 8 + file)).map_or("1".to_string(), char::to_string)).collect::<String>()
    });
    let rows = rows.collect::<Vec<_>>().join("/");
    let side = if bytes[24] & 128 == 0 { 'w' } else { 'b' };
    let file = |square: u32, black: bool| (if black { b'a' } else { b'A' } + (square % 8) as u8) as char;
    let rights: String = rooks.iter().map(|&(square, black)| file(square, black)).collect();
    let rights = if rights.is_empty() { "-".to_string() } else { rights };
    let en_passant = match bytes[24] & 127 {
        64 => "-".to_string(),
        square => Square::new(square.into()).to_string(),
    };
    let fen = format!("{rows} {side} {rights} {en_passant} {} {}", bytes[25], word(26));
    let fen: Fen = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut board: Chess = fen.into_position(CastlingMode::Chess960).expect("a legal position");
    let text = |board: &Chess| Fen::from_position(board, shakmaty::EnPassantMode::Legal).to_string();
    let (mut fens, mut scores, mut at) = (vec![text(&board)], Vec::new(), 32);
    while bytes[at..at + 4] != [0; 4] {
        let bits = word(at);
        let (from, to) = (Square::new(u32::from(bits & 63)), Square::new(u32::from(bits >> 6 & 63)));
        let piece = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen][usize::from(bits >> 12 & 3)];
        let promotion = (bits >> 14 == 3).then_some(piece);
        let uci = shakmaty::uci::UciMove::Normal { from, to, promotion };
        let mv = uci.to_move(&board).expect("a legal move");
        assert_eq!(mv.is_castle(), bits >> 14 == 2);
        assert_eq!(mv.is_en_passant(), bits >> 14 == 1);
        board.play_unchecked(mv);
        fens.push(text(&board));
        scores.push(word(at + 2) as i16);
        at += 4;
    }
    (&bytes[at + 4..], fens, scores, bytes[30])
}

#[test]
fn another_reader_understands_what_is_exported() {
    let all = games(13, 200);
    let mut bytes = Vec::new();
    for game in &all {
        export::put_game(&mut bytes, game);
    }
    let mut rest = bytes.as_slice();
    for game in &all {
        let (after, fens, scores, result) = read_viriformat(rest);
        rest = after;
        let mut board = game.info.start.clone();
        for (ply, fen) in game.plies.iter().zip(&fens) {
            assert_eq!(canonical(&board.shredder_fen()), canonical(fen));
            board.make(ply.mv);
        }
        assert_eq!(fens.len(), game.plies.len() + 1);
        assert_eq!(scores, game.plies.iter().map(|ply| ply.score).collect::<Vec<_>>());
        assert_eq!(result, game.info.result as u8);
    }
    assert!(rest.is_empty());
}

/// A FEN whose castling rights are the files of the rooks, sorted.
fn canonical(fen: &str) -> String {
    let board = chess::Board::from_fen(fen).expect(fen);
    board.shredder_fen()
}

/// The example of the public description, byte for byte.
#[test]
fn the_published_example_is_met() {
    let start = chess::Board::start();
    let mut board = start.clone();
    let mut game = games(1, 1).remove(0);
    game.info.start = start;
    game.info.result = GameResult::WhiteWin;
    game.plies.clear();
    for (text, score) in [("e2e4", 10), ("e7e5", 20), ("d1h5", -30), ("e8e7", 32767), ("h5e5", 32767)] {
        let mv = chess::parse_uci(&board, text).expect(text);
        game.plies.push(crate::records::Ply { mv, score });
        board.make(mv);
    }
    let mut bytes = Vec::new();
    export::put_game(&mut bytes, &game);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let board = "ffff00000000ffff1642256100000000888888889ecaade94000010000000200";
    assert_eq!(hex, format!("{board}0c070a0034091400c309e2ff3c0dff7f2709ff7f00000000"));
}
