//! The ends of thousands of games, compared with those that shakmaty sees.

use std::collections::HashMap;
use std::time::Duration;

use chess::{Board, Color, Game, Setup, uci};
use shakmaty::fen::{Epd, Fen};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

use super::{Conditions, Reason, play};
use crate::player::{Fault, Go, Heard, Limit, Player, Thought};
use crate::pool::Stop;
use crate::records::GameResult;
use crate::rng::Rng;

/// Plays any legal move, with a liking for captures and for going back, so that all kinds of ends occur.
struct Whim(Rng);

impl Player for Whim {
    fn new_game(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn search(&mut self, game: &Game, _: &Go, _: &mut dyn FnMut(Heard)) -> Result<Thought, Fault> {
        let moves = game.board().legal_moves();
        let captures: Vec<_> = moves.iter().filter(|mv| mv.is_capture()).collect();
        let back = game.moves().len().checked_sub(2).map(|index| game.moves()[index]);
        let back = back.and_then(|mv| moves.iter().find(|other| other.from() == mv.to() && other.to() == mv.from()));
        let mv = match (self.0.below(4), back) {
            (0, Some(&mv)) => mv,
            (1, _) if !captures.is_empty() => *captures[self.0.below(captures.len())],
            _ => moves[self.0.below(moves.len())],
        };
        Ok(Thought { mv, score: None, depth: 0, nodes: 0, time: Duration::ZERO, clock: None })
    }
}

/// Why the game is over in shakmaty's eyes, and who has won.
fn judged(position: &Chess, seen: &HashMap<String, u32>) -> Option<(GameResult, Reason)> {
    let key = Epd::from_position(position, EnPassantMode::Legal).to_string();
    if position.is_checkmate() {
        let winner = if position.turn().is_white() { Color::Black } else { Color::White };
        Some((GameResult::won_by(winner), Reason::Checkmate))
    } else if position.is_stalemate() {
        Some((GameResult::Draw, Reason::Stalemate))
    } else if position.is_insufficient_material() {
        Some((GameResult::Draw, Reason::InsufficientMaterial))
    } else if seen.get(&key).is_some_and(|&times| times >= 3) {
        Some((GameResult::Draw, Reason::Threefold))
    } else if position.halfmoves() >= 100 {
        Some((GameResult::Draw, Reason::FiftyMoves))
    } else {
        None
    }
}

#[test]
fn games_end_where_shakmaty_ends_them() {
    let conditions = Conditions {
        jitter: None,
        limit: Limit::Nodes(1),
        margin: Duration::ZERO,
        adjudication: None,
        max_plies: 2000,
        tables: None,
    };
    let mut reasons: HashMap<String, u32> = HashMap::new();
    for index in 0..3000 {
        let mut rng = Rng::new(41, index);
        let start = match index % 3 {
            0 => Setup::chess960(rng.below(960) as u16).validate().expect("a start position"),
            // Few men, for the rarer ends.
            1 => Board::from_fen("4k3/pp6/8/8/8/8/6PP/1N2K2n w - - 0 1").expect("a position"),
            _ => Board::start(),
        };
        let (mut white, mut black) = (Whim(Rng::new(42, index)), Whim(Rng::new(43, index)));
        let fen = start.shredder_fen();
        let record = play(Game::new(start), [&mut white, &mut black], &conditions, &Stop::new());
        let record = record.expect("it is played").expect("nobody stops it");
        let fen: Fen = fen.parse().expect("a FEN");
        let mut position: Chess = fen.into_position(CastlingMode::Chess960).expect("a position");
        let mut seen = HashMap::new();
        let mut see = |position: &Chess| {
            *seen.entry(Epd::from_position(position, EnPassantMode::Legal).to_string()).or_insert(0) += 1;
            judged(position, &seen)
        };
        let mut end = see(&position);
        for &mv in record.game.moves() {
            assert_eq!(end, None, "game {index} should have ended");
            let mv: UciMove = uci(mv, true).to_string().parse().expect("a move");
            let mv = mv.to_move(&position).expect("a legal move");
            position.play_unchecked(mv);
            end = see(&position);
        }
        *reasons.entry(record.reason.to_string()).or_insert(0) += 1;
        assert_eq!(end, Some((record.winner, record.reason)), "game {index}");
    }
    println!("{reasons:?}");
    assert_eq!(reasons.len(), 5, "some end never occurred: {reasons:?}");
}
