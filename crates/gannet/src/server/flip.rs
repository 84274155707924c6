//! `flip`: a position seen from the other side.

use chess::{Game, Setup, Square};

/// The same position with colours changed, seen from the other side. The moves before it are forgotten.
pub fn flip(game: &Game) -> Option<Game> {
    let setup = Setup::of(game.board());
    let mirror = |square: Square| Square::at(square.file(), 7 - square.rank());
    let mut flipped = Setup { pieces: [None; 64], side_to_move: !setup.side_to_move, ..setup.clone() };
    flipped.castling.revoke(setup.castling.all_rooks());
    for (square, place) in Square::all().zip(&mut flipped.pieces) {
        *place = game.board().piece_on(mirror(square)).map(|piece| chess::Piece::new(!piece.color, piece.kind));
    }
    for rook in setup.castling.all_rooks() {
        flipped.castling.grant(mirror(rook));
    }
    flipped.en_passant = setup.en_passant.map(mirror);
    flipped.validate().ok().map(Game::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    #[test]
    fn flipping_twice_gives_the_position_back() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b Gb - 5 7",
        ] {
            let game = Game::new(Board::from_fen(fen).expect(fen));
            let flipped = flip(&game).expect(fen);
            assert_ne!(flipped.board().side_to_move(), game.board().side_to_move());
            assert_eq!(flip(&flipped).expect(fen).board().fen(), game.board().fen());
        }
    }
}
