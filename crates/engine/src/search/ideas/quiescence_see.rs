//! Losing captures in quiescence (SEE): a capture that loses material in the exchange on its square is not followed. What it could win
//! elsewhere is left to the main search.

use chess::Value;

use crate::base::idea;

idea! {
    /// Skips captures in quiescence that lose material in the exchange.
    QuiescenceSee "UseQuiescenceSee" (SEE, QS9) {
        /// Captures that lose more than this are skipped (published 0).
        margin = -59 in -200..=300 step 20;
    }
}

/// More than any exchange can lose.
const ANYTHING: Value = 30_000;

/// How much a capture may lose in the exchange and still be followed.
#[inline(always)]
pub(in crate::search) fn margin(p: &QuiescenceSee) -> Value {
    if p.enabled { p.margin } else { ANYTHING }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    #[test]
    fn every_capture_is_followed_without_it() {
        // A queen for a defended pawn.
        let board = Board::from_fen("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1").expect("legal");
        let mv = chess::parse_uci(&board, "d2d6").expect("legal");
        let follows = |p: &QuiescenceSee| board.see_at_least(mv, -margin(p));
        assert!(!follows(&QuiescenceSee { margin: 0, ..QuiescenceSee::default() }));
        assert!(follows(&QuiescenceSee { enabled: false, ..QuiescenceSee::default() }));
    }
}
