//! What a score is worth: chances to win, draw and lose, and centipawns that mean the same from network to network.
//!
//! A score s wins with probability 1 / (1 + exp((a − s) / b)), loses with that of −s, and draws otherwise: a is the
//! score that wins every second game, b says how fast chances change around it. Both depend on the material left.
//! The search knows nothing of this. It is for whoever shows scores or ends games by them.

use std::ops::RangeInclusive;

use chess::{Board, PieceKind, Score};

use crate::evaluation::Source;

/// The model of the network in this binary: maximum likelihood by `gannet-lab wdl` over games that the network played
/// against itself, every position after the first 16 plies whose score is not proven. To be repeated after each network.
///
/// Network 1ef0e007, 400 nodes a move, 3360 games played to their ends, 415575 positions: log loss 0.564, against 0.620 for
/// the best constants and 0.832 for the same shares in all positions.
pub const FITTED: Model = Model { a: [178.9, -15.59, 72.99, -138.13], b: [190.49, 136.77, -17.32, -116.11] };

/// The same for the bootstrap evaluation, whose scores mean something else.
///
/// 400 nodes a move, 27979 games, 3325902 positions: log loss 0.690, against 0.766 for the best constants and 0.892 for
/// the same shares in all positions.
pub const BOOTSTRAP: Model = Model { a: [87.48, 6.47, 174.18, -216.43], b: [148.33, 86.01, 46.81, -123.08] };

/// Material beyond this range counts as its end. With less than this, what counts is which pieces are left; more than
/// at the start is rare.
pub const MATERIAL: RangeInclusive<i32> = 8..=78;

/// The two numbers of the model as cubic polynomials, lowest power first. Their argument is the material, shifted and
/// scaled so that [`MATERIAL`] becomes −1 to 1: the first coefficient is the value in the middle, and none is far
/// larger than the others.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The score that wins every second game.
    pub a: [f64; 4],
    /// How many centipawns change the odds by a factor of e.
    pub b: [f64; 4],
}

/// The model at some material.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// The score that wins every second game.
    pub a: f64,
    /// How many centipawns change the odds by a factor of e.
    pub b: f64,
}

impl Model {
    /// The model for scores from this source. A network other than the one in this binary is shown by the same numbers.
    pub fn of(source: &Source) -> &'static Model {
        match source {
            Source::Bootstrap => &BOOTSTRAP,
            Source::Network(_) => &FITTED,
        }
    }

    /// What holds for this material.
    pub fn at(&self, material: i32) -> Chances {
        let x = scaled(material);
        let polynomial = |c: &[f64; 4]| ((c[3] * x + c[2]) * x + c[1]) * x + c[0];
        Chances { a: polynomial(&self.a), b: polynomial(&self.b) }
    }

    /// Whether both numbers are positive everywhere, so that no probability is negative.
    pub fn is_sound(&self) -> bool {
        MATERIAL.map(|material| self.at(material)).all(|chances| chances.a > 0.0 && chances.b > 0.0)
    }

    /// Wins, draws and losses of the side that the score is for, in per mille; together they are 1000.
    pub fn wdl(&self, score: Score, board: &Board) -> [u16; 3] {
        if score.is_decisive() {
            return if score > Score::DRAW { [1000, 0, 0] } else { [0, 0, 1000] };
        }
        let chances = self.at(material(board));
        let permille = |score: i32| (1000.0 * chances.win(f64::from(score))).round() as u16;
        let (win, loss) = (permille(score.0), permille(-score.0));
        [win, 1000_u16.saturating_sub(win + loss), loss]
    }

    /// The same where endgame tables may know the result: then nothing is left to chance.
    pub fn wdl_known(&self, score: Score, known: bool, board: &Board) -> [u16; 3] {
        if known && !score.is_decisive() { [0, 1000, 0] } else { self.wdl(score, board) }
    }

    /// The score in centipawns such that +100 wins every second game, whatever the material. Proven scores stay as
    /// they are, and no other becomes one. Only the four basic operations are used, so every machine finds the same
    /// number.
    pub fn normalise(&self, score: Score, board: &Board) -> Score {
        if score.is_decisive() {
            return score;
        }
        let Chances { a, .. } = self.at(material(board));
        let bound = Score::WIN_BOUND.0 - 1;
        Score(((100.0 * f64::from(score.0) / a).round() as i32).clamp(-bound, bound))
    }
}

impl Chances {
    /// The probability that a score wins.
    pub fn win(&self, score: f64) -> f64 {
        1.0 / (1.0 + ((self.a - score) / self.b).exp())
    }
}

/// The material of both sides: a pawn is 1, a knight or bishop 3, a rook 5, a queen 9; 78 at the start.
pub fn material(board: &Board) -> i32 {
    let values = [
        (PieceKind::Pawn, 1),
        (PieceKind::Knight, 3),
        (PieceKind::Bishop, 3),
        (PieceKind::Rook, 5),
        (PieceKind::Queen, 9),
    ];
    values.iter().map(|&(kind, value)| value * board.kind(kind).len() as i32).sum()
}

/// The argument of the polynomials, from −1 to 1.
pub fn scaled(material: i32) -> f64 {
    let (least, most) = (*MATERIAL.start(), *MATERIAL.end());
    f64::from(2 * material.clamp(least, most) - least - most) / f64::from(most - least)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards with ever less material, down to bare kings.
    fn boards() -> Vec<Board> {
        [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bqkb1r/pppp1ppp/2n2n2/8/8/2N2N2/PPPP1PPP/R1BQKB1R b KQkq - 0 5",
            "2r2rk1/pp3ppp/2n1b3/8/8/2N1B3/PP3PPP/2R2RK1 w - - 0 20",
            "8/5pk1/4p1p1/3r4/8/4P1P1/5PK1/3R4 b - - 0 40",
            "8/8/4k3/8/8/3KP3/8/8 w - - 0 60",
            "8/8/4k3/8/8/3K4/8/8 w - - 0 70",
        ]
        .map(|fen| Board::from_fen(fen).expect(fen))
        .to_vec()
    }

    /// Both models on each of them.
    fn cases() -> impl Iterator<Item = (&'static Model, Board)> {
        [&FITTED, &BOOTSTRAP].into_iter().flat_map(|model| boards().into_iter().map(move |board| (model, board)))
    }

    /// Every score that is not proven.
    fn scores() -> impl Iterator<Item = Score> {
        (1 - Score::WIN_BOUND.0..Score::WIN_BOUND.0).map(Score)
    }

    #[test]
    fn material_counts_both_sides() {
        let counts: Vec<_> = boards().iter().map(material).collect();
        assert_eq!(counts, [78, 76, 42, 16, 1, 0]);
        assert_eq!((scaled(8), scaled(43), scaled(78)), (-1.0, 0.0, 1.0));
        assert_eq!((scaled(0), scaled(144)), (-1.0, 1.0));
    }

    #[test]
    fn the_models_are_sound() {
        assert!(FITTED.is_sound() && BOOTSTRAP.is_sound());
        assert!(!Model { a: [1.0, 2.0, 0.0, 0.0], ..FITTED }.is_sound());
    }

    #[test]
    fn each_evaluation_has_its_model() {
        assert_eq!((Model::of(&Source::Bootstrap), Model::of(&Source::default())), (&BOOTSTRAP, &FITTED));
    }

    #[test]
    fn chances_sum_up_are_monotone_and_symmetric() {
        for (model, board) in cases() {
            let mut last = [0, 0, 1000];
            for score in scores() {
                let [win, draw, loss] = model.wdl(score, &board);
                assert_eq!(win + draw + loss, 1000, "{score}");
                assert!(win >= last[0] && loss <= last[2], "{score}");
                assert_eq!(model.wdl(-score, &board), [loss, draw, win], "{score}");
                last = [win, draw, loss];
            }
            // A draw is likeliest where nobody is ahead, but for rounding.
            let [_, level, _] = model.wdl(Score::DRAW, &board);
            assert!(scores().step_by(7).all(|score| model.wdl(score, &board)[1] <= level + 1));
        }
    }

    #[test]
    fn proven_scores_are_certain_and_stay() {
        for (model, board) in cases() {
            for score in [Score::mate_in(1), Score::mate_in(400), Score::TABLEBASE_WIN, Score::WIN_BOUND] {
                assert_eq!((model.wdl(score, &board), model.wdl(-score, &board)), ([1000, 0, 0], [0, 0, 1000]));
                assert_eq!((model.normalise(score, &board), model.normalise(-score, &board)), (score, -score));
            }
        }
    }

    #[test]
    fn a_hundred_centipawns_win_every_second_game() {
        for (model, board) in cases() {
            let mut last = -Score::WIN_BOUND;
            for score in scores() {
                let shown = model.normalise(score, &board);
                assert!(shown >= last && !shown.is_decisive(), "{score}");
                assert_eq!(model.normalise(-score, &board), -shown);
                if shown == Score(100) {
                    let [win, ..] = model.wdl(score, &board);
                    assert!((490..=510).contains(&win), "{score} wins {win}");
                }
                last = shown;
            }
            assert_eq!(model.normalise(Score::DRAW, &board), Score::DRAW);
        }
    }
}
