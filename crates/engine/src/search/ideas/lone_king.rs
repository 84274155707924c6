//! Lone king: what is left to do against a bare king, where the network, which has hardly seen such games, has no plan.
//!
//! With mating material the position is won, above anything that a network says and below what is proven; within that
//! the bare king is driven to the edge and the other king brought near, two bishops with it. Bishop and knight mate only
//! in the corners that the bishop can reach, so there the way to those corners counts: how far the king is from the
//! diagonal that joins the other two. Two knights alone cannot force mate and are a draw; so is a bare king that has no
//! move and is not in check, which quiescence would not notice. Pawns without a mating piece are left to the network.

use chess::{Bitboard, Board, Color, PieceKind, SEE_VALUES, Score, Square, Value};

use crate::base::idea;

idea! {
    /// Knows how to mate a bare king, which the network does not.
    LoneKing "UseLoneKing" {
        /// What a won ending is worth before anything else.
        win_base = 10000 in 6000..=15000 step 500;
        /// For each step of the bare king from the middle towards the edges, along files and along ranks.
        edge_factor = 100 in 1..=200 step 10;
        /// With bishop and knight, for each step towards a corner of the bishop's colour.
        corner_factor = 200 in 1..=400 step 20;
        /// For each step that the kings are nearer.
        near_factor = 50 in 1..=100 step 5;
        /// The same, but of a king that cannot go aslant: that tells the squares apart from which a corner is guarded.
        walk_factor = 40 in 0..=100 step 5;
        /// With bishop and knight, for each step that the knight is nearer to the bare king.
        knight_factor = 15 in 0..=100 step 5;
        /// With two bishops, for each step that one of them is nearer to its own king.
        bishop_factor = 15 in 0..=100 step 5;
        /// For each step of a pawn.
        pawn_factor = 5 in 0..=50 step 2;
    }
}

/// The value of a position with a bare king, if it is one of those that are known.
#[inline(always)]
pub fn score(p: &LoneKing, board: &Board) -> Option<Score> {
    let [white, black] = Color::ALL.map(|color| board.color(color).more_than_one());
    if white && black { None } else { bare(p, board) }
}

/// The same, once a king is known to be bare. Out of line: few searches ever come here.
#[cold]
#[inline(never)]
fn bare(p: &LoneKing, board: &Board) -> Option<Score> {
    if !p.enabled {
        return None;
    }
    let strong = if board.color(Color::White).more_than_one() { Color::White } else { Color::Black };
    let [pawns, knights, bishops, rooks, queens, _] = PieceKind::ALL.map(|kind| board.pieces(strong, kind));
    let heavy = (queens | rooks).any();
    let both_colours = bishops.intersects(Bitboard::LIGHT) && !Bitboard::LIGHT.contains_all(bishops);
    if !heavy && !both_colours && (bishops.is_empty() || knights.is_empty()) {
        let two_knights = (pawns | bishops).is_empty() && knights.len() == 2;
        return two_knights.then_some(Score::DRAW);
    }
    if board.side_to_move() != strong && !board.in_check() && !board.has_legal_moves() {
        return Some(Score::DRAW);
    }
    let (king, hunter) = (board.king(!strong), board.king(strong));
    let mut value = p.win_base
        + material(board, strong)
        + p.edge_factor * (from_middle(king.file()) + from_middle(king.rank()))
        + p.near_factor * (7 - distance(king, hunter))
        + p.walk_factor * (14 - walk(king, hunter))
        + p.pawn_factor * pawns.into_iter().map(|pawn| Value::from(pawn.relative_rank(strong))).sum::<Value>();
    if let (false, false, Some(knight)) = (heavy, both_colours, knights.first()) {
        value += p.corner_factor * to_corner(king, bishops.intersects(Bitboard::LIGHT))
            + p.knight_factor * (7 - distance(king, knight));
    }
    if !heavy && both_colours {
        value += p.bishop_factor * bishops.into_iter().map(|bishop| 7 - distance(bishop, hunter)).sum::<Value>();
    }
    Some(Score(if board.side_to_move() == strong { value } else { -value }))
}

/// Whether the side to move plays against a bare king. There no quiet move is pruned: what looks late or futile may be
/// the only way to mate, and nothing else is left to win.
#[inline(always)]
pub fn is_hunted(p: &LoneKing, board: &Board) -> bool {
    p.enabled && !board.color(!board.side_to_move()).more_than_one()
}

/// A side's pieces and pawns, by exchange values: nothing is given away on the way to mate.
fn material(board: &Board, color: Color) -> Value {
    PieceKind::ALL.into_iter().map(|kind| SEE_VALUES[kind.index()] * board.pieces(color, kind).len() as Value).sum()
}

/// Steps from the middle of a row of eight: 0 to 3.
fn from_middle(coordinate: u8) -> Value {
    Value::from(if coordinate < 4 { 3 - coordinate } else { coordinate - 4 })
}

/// Steps from the diagonal between the corners of the other colour: 7 in a corner of this colour.
fn to_corner(square: Square, light: bool) -> Value {
    // Mirrored, light squares are dark ones, so that a1 and h8 are the corners to go to.
    let square = if light { square.flip_file() } else { square };
    (Value::from(square.file()) + Value::from(square.rank()) - 7).abs()
}

/// Steps along files and ranks from one square to another.
fn walk(a: Square, b: Square) -> Value {
    Value::from(a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank()))
}

/// Moves of a king from one square to another.
fn distance(a: Square, b: Square) -> Value {
    Value::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> Option<Value> {
        score(&LoneKing::default(), &Board::from_fen(fen).expect(fen)).map(|Score(value)| value)
    }

    #[test]
    fn what_is_known_and_what_is_not() {
        for won in ["KQ", "KR", "KBN", "KRP", "KBNP", "KQQ"] {
            let place = |side: &str| format!("8/8/3k4/8/8/8/{won}{}/8 {side} - - 0 1", 8 - won.len());
            let (strong, weak) = (of(&place("w")).expect(won), of(&place("b")).expect(won));
            assert!(strong > 10_000 && strong < Score::WIN_BOUND.0 && weak == -strong, "{won} {strong} {weak}");
        }
        assert!(of("8/8/3k4/8/8/8/KBB5/8 w - - 0 1").is_some_and(|value| value > 10_000));
        assert_eq!(of("8/8/3k4/8/8/8/KNN5/8 w - - 0 1"), Some(0));
        // One minor piece, bishops of one colour, pawns only, knights and a pawn, pieces on both sides, kings only.
        for unknown in ["KB6", "KB1B4", "KP6", "KNNP4", "KR1n4", "K7"] {
            assert_eq!(of(&format!("8/8/3k4/8/8/8/{unknown}/8 w - - 0 1")), None, "{unknown}");
        }
        let off = LoneKing { enabled: false, ..LoneKing::default() };
        assert_eq!(score(&off, &Board::from_fen("8/8/3k4/8/8/8/KQ6/8 w - - 0 1").expect("legal")), None);
    }

    #[test]
    fn stalemate_is_a_draw_and_mate_is_not() {
        for stalemate in ["k7/2Q5/2K5/8/8/8/8/8", "7k/8/6K1/6B1/2B5/8/8/8", "k7/1R6/1K6/8/8/8/8/8"] {
            let fen = format!("{stalemate} b - - 0 1");
            assert_eq!(of(&fen), Some(0), "{fen}");
            assert!(of(&format!("{stalemate} w - - 0 1")) > Some(10_000), "{fen}");
        }
        assert!(of("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1") < Some(-10_000));
    }

    #[test]
    fn the_king_is_driven_to_the_edge_and_to_the_right_corner() {
        assert!(of("8/8/8/7k/8/8/2K5/R7 w - - 0 1") > of("8/8/8/4k3/8/8/2K5/R7 w - - 0 1"));
        assert!(of("7k/8/6K1/8/8/8/8/R7 w - - 0 1") > of("7k/8/8/8/2K5/8/8/R7 w - - 0 1"));
        // A bishop on dark squares mates on a1 and h8, one on light squares on a8 and h1.
        let with = |king: &str, bishop: &str| of(&format!("{king}/8/8/3K4/8/8/{bishop}/5N2 w - - 0 1"));
        assert!(with("7k", "B7") < with("k7", "B7") && with("7k", "3B4") > with("k7", "3B4"));
    }

    #[test]
    fn colours_are_treated_alike() {
        let white = of("8/8/2k5/8/8/3K4/8/B5N1 w - - 0 1");
        assert_eq!(white, of("b5n1/8/3k4/8/8/2K5/8/8 b - - 0 1"));
        assert_eq!(white, of("8/8/5k2/8/8/4K3/8/1N5B w - - 0 1"));
    }
}
