//! The bootstrap evaluation: material and squares, tapered from middlegame to endgame. It exists so that learning
//! can start from nothing, and be repeated.
//!
//! The square values are not a table of numbers but a few plain rules (centre, advance, king shelter), so
//! there is nothing in them that was learned elsewhere.

use chess::{Board, Color, Observer, Piece, PieceKind, Square, Value};

use super::Evaluator;
use crate::base::MAX_PLY;

/// Middlegame and endgame value side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pair {
    middle: i32,
    end: i32,
}

/// What a piece is worth by itself, pawn to king.
const MATERIAL: [Pair; 6] = [
    Pair { middle: 85, end: 110 },
    Pair { middle: 330, end: 300 },
    Pair { middle: 345, end: 320 },
    Pair { middle: 480, end: 540 },
    Pair { middle: 980, end: 980 },
    Pair { middle: 0, end: 0 },
];

/// How much each kind of piece counts towards the middlegame.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

/// For the side that is to move.
const TEMPO: i32 = 12;
/// For owning both bishops.
const BISHOP_PAIR: Pair = Pair { middle: 25, end: 45 };

/// 0 on the edge … 3 in the middle of a row of eight.
const fn centrality(coordinate: i32) -> i32 {
    let distance = if coordinate < 4 { 3 - coordinate } else { coordinate - 4 };
    3 - distance
}

/// The rule for a piece on a square, seen from its own side.
const fn square_value(kind: usize, square: Square) -> Pair {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    let (cf, cr) = (centrality(file), centrality(rank));
    let centre = cf + cr;
    match kind {
        // Pawns: take the centre, and in the endgame run.
        0 => Pair {
            middle: if rank >= 3 { cf * 5 + (rank - 3) * 6 } else { cf * 3 - 4 }
                + if rank == 3 && cf == 3 { 10 } else { 0 },
            end: (rank - 1) * (rank - 1) * 4 - 6,
        },
        // Knights: to the middle, a little forward.
        1 => Pair { middle: centre * 9 - 32 + if rank >= 3 && rank <= 5 { 8 } else { 0 }, end: centre * 7 - 24 },
        // Bishops: off the edge and the back rank.
        2 => Pair { middle: centre * 4 - 10 - if rank == 0 { 12 } else { 0 }, end: centre * 4 - 12 },
        // Rooks: the seventh rank and the middle files.
        3 => Pair { middle: cf * 4 - 6 + if rank == 6 { 20 } else { 0 }, end: if rank == 6 { 14 } else { rank } },
        // Queens: not too early in the middlegame, central in the endgame.
        4 => Pair { middle: centre * 2 - 4 - if rank > 1 && rank < 4 { 2 } else { 0 }, end: centre * 8 - 24 },
        // The king: behind its pawns in a corner, in the endgame in the middle.
        _ => {
            Pair { middle: 20 - rank * 22 - cf * 12 + if rank == 0 && cf == 1 { 12 } else { 0 }, end: centre * 12 - 36 }
        }
    }
}

/// Material and square value of every kind on every square, from its own side.
static VALUES: [[Pair; 64]; 6] = {
    let mut table = [[Pair { middle: 0, end: 0 }; 64]; 6];
    let mut kind = 0;
    while kind < 6 {
        let mut index = 0;
        while index < 64 {
            let by_square = square_value(kind, Square::new(index as u8));
            table[kind][index] =
                Pair { middle: MATERIAL[kind].middle + by_square.middle, end: MATERIAL[kind].end + by_square.end };
            index += 1;
        }
        kind += 1;
    }
    table
};

/// The running sums of a position, White's minus Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    pair: Pair,
    phase: i32,
}

/// Material and squares, kept up to date move by move.
#[derive(Clone)]
pub struct Bootstrap {
    stack: Box<[Sums]>,
    top: usize,
}

impl Bootstrap {
    /// An evaluation of the empty board.
    pub fn new() -> Bootstrap {
        Bootstrap { stack: vec![Sums::default(); MAX_PLY + 8].into(), top: 0 }
    }

    #[inline(always)]
    fn change(&mut self, piece: Piece, square: Square, sign: i32) {
        let sums = &mut self.stack[self.top];
        let value = VALUES[piece.kind.index()][square.relative_to(piece.color).index()];
        let signed = if piece.color == Color::White { sign } else { -sign };
        sums.pair.middle += signed * value.middle;
        sums.pair.end += signed * value.end;
        sums.phase += sign * PHASE[piece.kind.index()];
    }
}

impl Default for Bootstrap {
    fn default() -> Bootstrap {
        Bootstrap::new()
    }
}

impl Observer for Bootstrap {
    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, 1);
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.change(piece, square, -1);
    }
}

impl Evaluator for Bootstrap {
    fn reset(&mut self, board: &Board) {
        self.top = 0;
        self.stack[0] = Sums::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                self.add(piece, square);
            }
        }
    }

    #[inline(always)]
    fn begin(&mut self) {
        self.stack[self.top + 1] = self.stack[self.top];
        self.top += 1;
    }

    #[inline(always)]
    fn undo(&mut self) {
        self.top -= 1;
    }

    #[inline(always)]
    fn evaluate(&mut self, board: &Board) -> Value {
        let sums = self.stack[self.top];
        let mut pair = sums.pair;
        for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
            if board.pieces(color, PieceKind::Bishop).more_than_one() {
                pair.middle += sign * BISHOP_PAIR.middle;
                pair.end += sign * BISHOP_PAIR.end;
            }
        }
        let phase = sums.phase.clamp(0, FULL_PHASE);
        let value = (pair.middle * phase + pair.end * (FULL_PHASE - phase)) / FULL_PHASE;
        let own = if board.side_to_move() == Color::White { value } else { -value };
        own + TEMPO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Move;

    fn fresh(board: &Board) -> Bootstrap {
        let mut evaluation = Bootstrap::new();
        evaluation.reset(board);
        evaluation
    }

    #[test]
    fn kept_up_to_date_equals_from_scratch() {
        let mut state = 7u64;
        for start in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let mut board = Board::from_fen(start).expect("legal");
            let mut evaluation = fresh(&board);
            for _ in 0..100 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let mv: Move = moves[(state >> 33) as usize % moves.len()];
                evaluation.begin();
                board.make_observed(mv, &mut evaluation);
                assert_eq!(evaluation.evaluate(&board), fresh(&board).evaluate(&board));
            }
        }
    }

    #[test]
    fn colours_are_treated_alike() {
        let white =
            Board::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1").expect("legal");
        let black =
            Board::from_fen("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1").expect("legal");
        assert_eq!(fresh(&white).evaluate(&white), fresh(&black).evaluate(&black));
        assert_eq!(fresh(&Board::start()).evaluate(&Board::start()), TEMPO);
    }
}
