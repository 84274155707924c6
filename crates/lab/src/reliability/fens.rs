//! Positions that are slightly or entirely wrong, in process: the rules must agree with shakmaty on which are legal and
//! on every legal move, and nothing may panic.

use chess::{Board, Setup};
use shakmaty::{CastlingMode, Chess, Position};

use super::Context;
use super::trials::{self, Tally, Verdict};
use super::wrong_positions::{
    self, Opinion, disturbed_position, disturbed_text, king_is_between_two_checkers, opinion,
};
use crate::book::random_opening;
use crate::pool;
use crate::rng::Rng;

pub const WHAT: &str = "FENs and positions with one to four changes, in process: no panic, and agreement with shakmaty on \
    what is legal and on every legal move, except that a king between two checkers on one line is accepted, and a missing \
    side to move, a castling right named twice, a counter beyond its maximum and a ninth rank are refused";

/// Trials that share a generator and a base position.
const BATCH: u64 = 100;

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    let batches = Tally::new("", 0).from(tally.first() / BATCH);
    let work = |_: &mut (), batch: u64| {
        let mut rng = Rng::new(context.seed, batch);
        for turn in 0..BATCH {
            let board = base(&mut rng);
            let below = &mut |bound| rng.below(bound);
            let fen = if turn % 2 == 0 { disturbed_text(&board, below) } else { disturbed_position(&board, below) };
            let verdict = std::panic::catch_unwind(|| compare(&fen)).unwrap_or_else(|_| Err("panicked".to_string()));
            tally.add(verdict.map_err(|fault| format!("{fen}: {fault}")));
        }
        Ok(())
    };
    trials::run(&batches, trials.div_ceil(BATCH), pool::default_threads(), || Ok(()), work);
}

fn compare(fen: &str) -> Verdict {
    match (Board::from_fen(fen), opinion(fen)) {
        (Ok(board), Opinion::ImpossibleCheck(_)) if !king_is_between_two_checkers(&board) => {
            Err("accepted with impossible checks".to_string())
        }
        (Ok(board), Opinion::Legal(position) | Opinion::ImpossibleCheck(position)) => {
            same_moves(&board, &position)?;
            same_text(&board)
        }
        (Ok(_), Opinion::Illegal) => Err("accepted; shakmaty refuses it".to_string()),
        (Err(error), Opinion::Legal(_)) if !wrong_positions::refused_on_purpose(fen, &error) => {
            Err(format!("refused ({error}); shakmaty accepts it"))
        }
        (Err(_), _) => Ok(()),
    }
}

fn same_moves(board: &Board, position: &Chess) -> Verdict {
    let mut ours: Vec<String> = board.legal_moves().iter().map(|&mv| chess::uci(mv, true).to_string()).collect();
    let mut theirs: Vec<String> =
        position.legal_moves().iter().map(|mv| mv.to_uci(CastlingMode::Chess960).to_string()).collect();
    ours.sort();
    theirs.sort();
    if ours == theirs { Ok(()) } else { Err(format!("moves {ours:?}, shakmaty has {theirs:?}")) }
}

/// A board and its two texts are the same thing, and every move leads to a legal position.
fn same_text(board: &Board) -> Verdict {
    for text in [board.fen(), board.shredder_fen()] {
        if Board::from_fen(&text).as_ref() != Ok(board) {
            return Err(format!("reads back differently from {text}"));
        }
    }
    for &mv in &board.legal_moves() {
        let next = board.after(mv);
        if !board.is_legal(mv) || Setup::of(&next).validate().as_ref() != Ok(&next) {
            return Err(format!("{} leads to an unsound board", chess::uci(mv, true)));
        }
    }
    Ok(())
}

fn base(rng: &mut Rng) -> Board {
    let (plies, chess960) = (rng.below(80) as u32, rng.below(3) == 0);
    random_opening(rng, plies, chess960).board().clone()
}
