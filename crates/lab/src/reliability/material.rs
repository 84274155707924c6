//! Random positions with few men, named as endgame tables are: KQvKR.

use chess::{Board, Color, Piece, PieceKind, Setup, Square};

use crate::rng::Rng;

/// The letters of the kinds, in their order.
const LETTERS: &str = "PNBRQK";

/// A legal position with these men, either side to move.
pub fn position(rng: &mut Rng, name: &str) -> Board {
    loop {
        let mut setup = Setup::empty();
        for (side, color) in name.split('v').zip(Color::ALL) {
            for kind in side.chars().filter_map(|letter| LETTERS.find(letter)).map(|index| PieceKind::ALL[index]) {
                setup.pieces[rng.below(64)] = Some(Piece::new(color, kind));
            }
        }
        // Two on one square are one.
        let men = setup.pieces.iter().flatten().count();
        setup.side_to_move = Color::ALL[rng.below(2)];
        if let Ok(board) = setup.validate()
            && men + 1 == name.len()
        {
            return board;
        }
    }
}

/// A legal position with three to so many men; one in fifty, if they may be four, with a capture en passant.
pub fn any_position(rng: &mut Rng, men: usize) -> Board {
    if men >= 4 && rng.below(50) == 0 {
        return en_passant(rng);
    }
    let mut sides = ["K".to_string(), "K".to_string()];
    // Most tables are of the most men.
    let most = men.saturating_sub(2).max(1);
    let others = if rng.below(5) == 0 { 1 + rng.below(most) } else { most };
    for _ in 0..others {
        let side = rng.below(2);
        sides[side].extend(["Q", "R", "B", "N", "P"].get(rng.below(5)).copied());
    }
    position(rng, &sides.join("v"))
}

/// A legal position of two kings and two pawns, one of which can take the other en passant.
fn en_passant(rng: &mut Rng) -> Board {
    loop {
        let mut setup = Setup::empty();
        setup.side_to_move = Color::ALL[rng.below(2)];
        let (us, file) = (setup.side_to_move, rng.below(7) as u8);
        for (color, file) in [(us, file), (!us, file + 1)] {
            let square = Square::at(file, 4).relative_to(us);
            setup.pieces[square.index()] = Some(Piece::new(color, PieceKind::Pawn));
            setup.pieces[rng.below(64)] = Some(Piece::new(color, PieceKind::King));
        }
        setup.en_passant = Some(Square::at(file + 1, 5).relative_to(us));
        if let Ok(board) = setup.validate()
            && board.en_passant().is_some()
            && board.occupied().len() == 4
        {
            return board;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_have_the_men_they_are_asked_for() {
        let mut rng = Rng::new(1, 0);
        for _ in 0..200 {
            let board = position(&mut rng, "KQvKR");
            let counts = LETTERS.bytes().zip(PieceKind::ALL).map(|(_, kind)| board.kind(kind).len());
            assert_eq!(counts.collect::<Vec<_>>(), [0, 0, 0, 1, 1, 2], "{}", board.fen());
            assert!((3..=4).contains(&any_position(&mut rng, 4).occupied().len()));
            assert!(en_passant(&mut rng).en_passant().is_some());
        }
    }
}
