//! Escape routes: out of check, a king move is tried the earlier the more squares the king could go to from there. A king that
//! steps into a corner is soon in check again.

use chess::{Bitboard, Move, PieceKind, attacks};

use super::Context;
use crate::base::idea;

idea! {
    /// Tries king moves out of check the earlier the more free squares they lead to.
    EscapeRoutes "UseEscapeRoutes" (_, RP5) off {
        /// What each free square is worth in ordering.
        square_bonus = 1500 in 0..=8000 step 250;
    }
}

/// The squares that a king in check could ever step on.
pub(super) struct Routes {
    free: Bitboard,
    bonus: i32,
}

impl Routes {
    /// Looks at the board once for all evasions.
    #[inline(always)]
    pub(super) fn new(context: &Context<'_>) -> Routes {
        let p = &context.params.escape_routes;
        if p.enabled { Routes::of(context, p.square_bonus) } else { Routes { free: Bitboard::EMPTY, bonus: 0 } }
    }

    #[cold]
    fn of(context: &Context<'_>, bonus: i32) -> Routes {
        let (board, us) = (context.board, context.board.side_to_move());
        // The king hides nothing from the piece that checks him.
        let occupied = board.occupied() - board.pieces(us, PieceKind::King);
        let blocked = board.color(us) & occupied;
        Routes { free: !(blocked | board.attacks_by(!us, occupied)), bonus }
    }

    /// What an evasion is worth for where it leads the king.
    #[inline(always)]
    pub(super) fn score(&self, context: &Context<'_>, mv: Move) -> i32 {
        if self.bonus == 0 || context.board.kind_on(mv.from()) != Some(PieceKind::King) {
            return 0;
        }
        (attacks::king(mv.to()) & self.free).len() as i32 * self.bonus
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Histories, HistoryParams, PieceTo, Threats};
    use crate::movepick::{KillerPair, OrderingParams, Ordinary, PickerCounts};
    use chess::{Board, parse_uci};

    #[test]
    fn the_way_into_the_open_comes_first() {
        // The rook checks along the first rank; b2 is in the open, a2 at the edge.
        let board = Board::from_fen("4k3/8/8/8/8/8/8/K6r w - - 0 1").expect("legal");
        let (histories, history) = (Histories::new(), HistoryParams::default());
        let first = |enabled| {
            let mut params = OrderingParams::default();
            params.escape_routes.enabled = enabled;
            let context = Context {
                board: &board,
                params: &params,
                history: &history,
                histories: &histories,
                threats: Threats::default(),
                previous: &[PieceTo::NONE; 3],
                killers: KillerPair::NONE,
                countermove: None,
                depth: 5,
            };
            Ordinary::all(&context, None).next(&context, &mut PickerCounts::default())
        };
        assert_eq!(first(true), parse_uci(&board, "a1b2").ok());
        // Without it the two are as good as each other, and the tie is broken by the encoding.
        let encoding = |text: &str| parse_uci(&board, text).expect(text).bits();
        assert_eq!(first(false).map(|mv| mv.bits()), Some(encoding("a1a2").max(encoding("a1b2"))));
    }
}
