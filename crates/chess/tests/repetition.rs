//! Repetition and the repetition that is about to come, against brute force on shuffling games.
//!
//! The engine recognises an upcoming repetition by key arithmetic. Brute force makes every legal move and compares
//! whole positions. What is asked for, at a node `ply` plies below the root of the search:
//! - The side to move has a move to a position that has occurred strictly after the root; or an earlier
//!   position strictly after the root has a move that leads straight here, with nothing irreversible since, so that
//!   the opponent has gone a roundabout way for nothing.
//! - Or it has a move to a position that has occurred twice already, wherever.

mod common;

use chess::{Board, Game, KeyHistory, Move, Setup};
use common::{Random, in_parallel, random_start};

/// A position without its counters.
fn position(board: &Board) -> Setup {
    let mut setup = Setup::of(board);
    (setup.halfmove_clock, setup.fullmove_number) = (0, 1);
    setup
}

/// A game as brute force sees it: every board so far, the current one last.
struct Record {
    boards: Vec<Board>,
    positions: Vec<Setup>,
    keys: KeyHistory,
}

impl Record {
    fn new(start: Board) -> Record {
        Record { positions: vec![position(&start)], boards: vec![start], keys: KeyHistory::new() }
    }

    fn current(&self) -> &Board {
        &self.boards[self.boards.len() - 1]
    }

    fn play(&mut self, mv: Move) {
        self.keys.push(self.current().key());
        let next = self.current().after(mv);
        self.positions.push(position(&next));
        self.boards.push(next);
    }

    fn take_back(&mut self) {
        self.boards.pop();
        self.positions.pop();
        self.keys.pop();
    }

    /// How many plies ago this position occurred, for each time that it did. The current one is 0 plies ago.
    fn distances(&self, wanted: &Setup) -> Vec<usize> {
        let now = self.positions.len() - 1;
        (0..=now).filter(|&distance| self.positions[now - distance] == *wanted).collect()
    }

    fn is_draw(&self, ply: usize) -> bool {
        let before = self.distances(&self.positions[self.positions.len() - 1]);
        // The first of them is the current position itself.
        before[1..].iter().any(|&distance| distance < ply) || before.len() > 2
    }

    fn has_upcoming(&self, ply: usize) -> bool {
        let leads_back = self.current().legal_moves().iter().any(|&mv| {
            let earlier = self.distances(&position(&self.current().after(mv)));
            earlier.len() >= 2 || earlier.iter().any(|&distance| distance < ply)
        });
        leads_back || self.is_reached_directly(ply)
    }

    /// Whether a position strictly after the root, three plies ago or more, has a move that leads straight here.
    fn is_reached_directly(&self, ply: usize) -> bool {
        let now = self.boards.len() - 1;
        (3..ply.min(now + 1)).step_by(2).any(|distance| {
            let earlier = &self.boards[now - distance];
            let reversible = distance <= usize::from(self.current().halfmove_clock());
            if !reversible || earlier.castling() != self.current().castling() {
                return false;
            }
            let mut moves = earlier.legal_moves().to_vec();
            // Cheap first: the key of most moves is far off.
            moves.retain(|&mv| earlier.after(mv).key() == self.current().key());
            moves.iter().any(|&mv| position(&earlier.after(mv)) == self.positions[now])
        })
    }

    fn check(&self) {
        let now = self.boards.len() - 1;
        let fen = self.current().fen();
        let repetitions = self.distances(&self.positions[now]).len() - 1;
        assert_eq!(self.keys.repetitions(self.current()), repetitions, "{fen}");
        for ply in (0..=now.min(9)).chain([now / 2, now]).filter(|&ply| ply <= now) {
            let draw = self.keys.is_draw_by_repetition(self.current(), ply);
            assert_eq!(draw, self.is_draw(ply), "draw at ply {ply}: {fen}");
            let upcoming = self.keys.has_upcoming_repetition(self.current(), ply);
            assert_eq!(upcoming, self.has_upcoming(ply), "upcoming at ply {ply}: {fen}\n{:?}", self.boards);
        }
    }
}

/// A move for shuffling: often one that goes back where the piece came from, seldom one that cannot be undone.
fn shuffling_move(random: &mut Random, record: &Record) -> Option<Move> {
    let board = record.current();
    let moves = board.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let known = |mv: &Move| record.boards.iter().any(|earlier| earlier.key() == board.after(*mv).key());
    let is_quiet_step = |mv: &Move| board.after(*mv).halfmove_clock() > 0;
    let back: Vec<Move> = moves.iter().copied().filter(|mv| random.one_in(2) && known(mv)).collect();
    let quiet: Vec<Move> = moves.iter().copied().filter(is_quiet_step).collect();
    let pool = match random.below(20) {
        0 => &moves[..],
        1..=8 if !back.is_empty() => &back[..],
        _ if !quiet.is_empty() => &quiet[..],
        _ => &moves[..],
    };
    Some(*random.pick(pool))
}

/// Positions where pieces can shuffle for long: few men, blocked pawns, castling rights to lose.
const STARTS: [&str; 10] = [
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "1r1k1r2/8/8/8/8/8/8/1R1K1R2 w FBfb - 0 1",
    "8/8/4k3/8/8/3QK3/8/8 w - - 0 1",
    "8/k1n5/8/1b6/6B1/8/5N1K/8 b - - 0 1",
    "8/8/1p1k1p2/1P1p1P2/3P4/3K4/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1",
    "k7/8/1P6/8/8/8/6p1/7K w - - 30 60",
    "r1bqk2r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 4 5",
    "8/8/8/1R6/1k6/8/5r2/2K5 b - - 90 99",
];

#[test]
fn shuffling_games_agree_with_brute_force() {
    in_parallel(400, |game| {
        let mut random = Random::new(50_000 + game as u64);
        let start = match STARTS.get(game % (STARTS.len() + 2)) {
            Some(fen) => Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}")),
            None => random_start(&mut random, game),
        };
        let mut record = Record::new(start);
        for _ in 0..60 {
            record.check();
            let Some(mv) = shuffling_move(&mut random, &record) else { break };
            record.play(mv);
            // As in a search: forward and back again leaves no trace.
            if random.one_in(10) {
                record.take_back();
            }
        }
    });
}

/// Both halves of the question do come up in these games, and both answers.
#[test]
fn the_games_are_worth_checking() {
    let (mut upcoming, mut direct_only, mut quiet) = (0, 0, 0);
    for game in 0..100 {
        let mut random = Random::new(50_000 + game);
        let mut record = Record::new(Board::from_fen(STARTS[game as usize % STARTS.len()]).expect("legal"));
        for _ in 0..60 {
            let ply = record.boards.len() - 1;
            match (record.has_upcoming(ply), record.has_upcoming(0), record.is_reached_directly(ply)) {
                (true, false, true) => direct_only += 1,
                (true, ..) => upcoming += 1,
                (false, ..) => quiet += 1,
            }
            let Some(mv) = shuffling_move(&mut random, &record) else { break };
            record.play(mv);
        }
    }
    println!("{upcoming} by a move, {direct_only} by a shorter way, {quiet} not");
    assert!(upcoming > 100 && direct_only > 20 && quiet > 100);
}

/// Nothing before a pass can be repeated after it.
#[test]
fn a_pass_cuts_the_history_off() {
    let mut game = Game::default();
    for text in ["g1f3", "g8f6", "f3g1"] {
        let mv = chess::parse_uci(game.board(), text).expect(text);
        assert!(game.play(mv));
    }
    let mut keys = game.history().clone();
    assert!(keys.has_upcoming_repetition(game.board(), 4));
    keys.push(game.board().key());
    let passed = game.board().after_null();
    assert!(!keys.has_upcoming_repetition(&passed, 5));
    assert_eq!(keys.repetitions(&passed), 0);
}

#[test]
fn threefold_and_fifty_moves() {
    let play = |game: &mut Game, text: &str| {
        let mv = chess::parse_uci(game.board(), text).expect(text);
        assert!(game.play(mv), "{text}");
    };
    let mut game = Game::default();
    for round in 0..25 {
        assert_eq!(game.is_threefold(), round >= 2, "round {round}");
        assert!(!game.is_fifty_moves());
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            play(&mut game, text);
        }
    }
    assert!(game.is_fifty_moves());
    play(&mut game, "e2e4");
    assert!(!game.is_fifty_moves() && !game.is_threefold());
    let before = game.board().clone();
    let illegal = chess::parse_uci(&Board::start(), "d2d4").expect("legal at the start");
    assert!(!game.play(illegal), "it is Black's move");
    assert_eq!(*game.board(), before);
    // Mate on the hundredth ply is mate.
    let mated = Board::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80").expect("legal");
    assert!(mated.is_checkmate() && !Game::new(mated).is_fifty_moves());
}
