//! Where an evaluation is wrong: its difference from deep scores, by phase, king safety, material and clock.
//!
//! The difference is one of expected points, because a hundred centipawns mean nothing where the game is won. A slice with a
//! large error and many positions is where learning would gain most; one with a bias is seen wrongly as a whole.

use std::path::PathBuf;

use chess::{Bitboard, Board, Color, PieceKind, attacks};
use clap::Args;
use engine::Source;
use engine::evaluation::{Evaluation, Evaluator};
use serde::Serialize;

use super::{Mark, error, read};
use crate::data::targets::expected_points;
use crate::failure::{Failure, Result};
use crate::files;

const EXAMPLES: &str = "\
Examples:
  gannet-lab data yardstick residual yardstick.txt
  gannet-lab data yardstick residual yardstick.txt --net new.gnet --net old.gnet --json residual.json

share    how many of the positions
error    mean square of the difference in expected points, times 10 000
of all   how much of the whole error
bias     how much too far ahead the side that is ahead is thought to be: percent of a point, and centipawns";

/// Show where networks differ from the deep scores: by phase, king safety, material and clock
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The yardstick
    file: PathBuf,
    /// Networks: files, or <bootstrap> [default: the network of this build]
    #[arg(long, value_name = "FILE")]
    net: Vec<String>,
    /// List so many positions with the largest differences
    #[arg(long, default_value_t = 0, value_name = "N")]
    worst: usize,
    /// Write the figures to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let marks = read(&arguments.file)?;
    let default = [String::new()];
    let mut all = Vec::new();
    for name in if arguments.net.is_empty() { &default[..] } else { &arguments.net } {
        let source = Source::load(name).map_err(|error| Failure::new(error.to_string()))?;
        let residual = Residual::of(&source, &marks);
        let figures = residual.figures(&source.to_string());
        println!("{}", figures.table());
        for line in residual.worst(arguments.worst) {
            println!("{line}");
        }
        all.push(figures);
    }
    arguments.json.as_deref().map_or(Ok(()), |path| files::write_json(path, &all))
}

/// One evaluation on the yardstick.
pub struct Residual<'a> {
    marks: &'a [Mark],
    /// The evaluations, for the side to move.
    values: Vec<i16>,
}

/// A way to sort positions: a name, and for each position the name of its drawer.
type Chest = (&'static str, fn(&Board) -> &'static str);

const CHESTS: [Chest; 8] = [
    ("phase, by the pieces of both sides", phase),
    ("queens", |board| match board.kind(PieceKind::Queen).len() {
        0 => "0",
        1 => "1",
        _ => "2 or more",
    }),
    ("pieces that attack around a king", |board| {
        match Color::ALL.map(|color| attackers(board, color)).into_iter().max().unwrap_or(0) {
            0 => "0",
            1 => "1",
            2 => "2",
            _ => "3 or more",
        }
    }),
    ("pawns before a king, with enemy queen", |board| {
        let shields = Color::ALL.into_iter().filter(|&color| !board.pieces(!color, PieceKind::Queen).is_empty());
        match shields.map(|color| shield(board, color)).min() {
            None => "no queen",
            Some(0) => "0",
            Some(1) => "1",
            Some(2) => "2",
            Some(_) => "3 or more",
        }
    }),
    ("material ahead, in pawns", |board| match Color::ALL.map(|color| material(board, color)) {
        [white, black] if white == black => "0",
        [white, black] => match white.abs_diff(black) {
            1 => "1",
            2 => "2",
            3 | 4 => "3 or 4",
            _ => "5 or more",
        },
    }),
    ("which pieces", pieces),
    ("pairs of pawns that block each other", |board| {
        let [white, black] = Color::ALL.map(|color| board.pieces(color, PieceKind::Pawn));
        match (Bitboard(white.0 << 8) & black).len() {
            0 => "0",
            1 | 2 => "1 or 2",
            3 | 4 => "3 or 4",
            _ => "5 or more",
        }
    }),
    ("fifty-move clock", |board| match board.halfmove_clock() {
        0..=9 => "0 to 9",
        10..=29 => "10 to 29",
        30..=59 => "30 to 59",
        _ => "60 and more",
    }),
];

/// Pieces in the usual units, pawns not counted.
fn weight(board: &Board, color: Color) -> u32 {
    use PieceKind::{Bishop, Knight, Queen, Rook};
    let units = [(Knight, 3), (Bishop, 3), (Rook, 5), (Queen, 9)];
    units.iter().map(|&(kind, unit)| unit * board.pieces(color, kind).len()).sum()
}

fn material(board: &Board, color: Color) -> u32 {
    weight(board, color) + board.pieces(color, PieceKind::Pawn).len()
}

fn phase(board: &Board) -> &'static str {
    match Color::ALL.map(|color| weight(board, color)).iter().sum() {
        48u32.. => "48 to 62: opening",
        26..=47 => "26 to 47: middle game",
        12..=25 => "12 to 25: early ending",
        1..=11 => "1 to 11: late ending",
        0 => "0: pawns alone",
    }
}

/// How many pieces of the other side attack a square beside this king, or on it.
fn attackers(board: &Board, color: Color) -> u32 {
    let king = board.king(color);
    let zone = attacks::king(king) | king.bitboard();
    let others = board.color(!color) & !board.kind(PieceKind::Pawn) & !board.kind(PieceKind::King);
    let occupied = board.occupied();
    let sees = zone.into_iter().fold(Bitboard::EMPTY, |sees, square| sees | board.attackers_to(square, occupied));
    (sees & others).len()
}

/// How many own pawns stand on the two ranks before this king, on its file and those beside it.
fn shield(board: &Board, color: Color) -> u32 {
    let king = board.king(color).bitboard();
    let near = (king | king.left() | king.right()).forward(color);
    ((near | near.forward(color)) & board.pieces(color, PieceKind::Pawn)).len()
}

/// Whether both sides have the same pieces, or which ones one has for others.
fn pieces(board: &Board) -> &'static str {
    use PieceKind::{Bishop, Knight, Queen, Rook};
    let count = |color, kind| board.pieces(color, kind).len() as i32;
    let more = |kind| count(Color::White, kind) - count(Color::Black, kind);
    let [minors, rooks, queens] = [more(Knight) + more(Bishop), more(Rook), more(Queen)];
    match [minors, rooks, queens] {
        [0, 0, 0] if is_opposite(board) => "the same, bishops of other colours",
        [0, 0, 0] => "the same",
        [minors, rooks, 0] if rooks * minors == -1 => "a rook for a minor piece",
        [minors, rooks, 0] if rooks * minors < 0 => "rooks for minor pieces",
        [minors, rooks, queens] if queens != 0 && (minors * queens < 0 || rooks * queens < 0) => "a queen for others",
        _ => "one side has more",
    }
}

/// Whether each side has one bishop, on squares of different colours, and no other piece but rooks.
fn is_opposite(board: &Board) -> bool {
    const DARK: u64 = 0xAA55_AA55_AA55_AA55;
    let [white, black] = Color::ALL.map(|color| board.pieces(color, PieceKind::Bishop));
    let others = board.kind(PieceKind::Knight) | board.kind(PieceKind::Queen);
    white.len() == 1 && black.len() == 1 && others.is_empty() && (white.0 & DARK != 0) != (black.0 & DARK != 0)
}

/// What there is to say about an evaluation.
#[derive(Serialize)]
pub struct Figures {
    network: String,
    positions: usize,
    error: f64,
    mean_evaluation: f64,
    mean_deep_score: f64,
    chests: Vec<Drawers>,
}

/// The positions, sorted in one way.
#[derive(Serialize)]
struct Drawers {
    by: &'static str,
    slices: Vec<Slice>,
}

/// Some of the positions.
#[derive(Serialize)]
struct Slice {
    name: &'static str,
    positions: usize,
    error: f64,
    share_of_error: f64,
    bias_percent: f64,
    bias_centipawns: f64,
}

impl Residual<'_> {
    /// Evaluates the positions.
    pub fn of<'a>(source: &Source, marks: &'a [Mark]) -> Residual<'a> {
        let mut evaluation = Evaluation::new(source);
        let value = |mark: &Mark| {
            evaluation.reset(&mark.board);
            evaluation.evaluate(&mark.board) as i16
        };
        Residual { marks, values: marks.iter().map(value).collect() }
    }

    /// Of the side to move: evaluated, and searched.
    fn pairs(&self) -> impl Iterator<Item = (&Board, i16, i16)> {
        self.marks.iter().zip(&self.values).map(|(mark, &value)| {
            let deep = if mark.board.side_to_move() == Color::White { mark.deep } else { -mark.deep };
            (&mark.board, value, deep)
        })
    }

    /// All figures.
    pub fn figures(&self, name: &str) -> Figures {
        let size = |pick: fn(i16, i16) -> i16| {
            let sum: f64 = self.pairs().map(|(_, value, deep)| f64::from(capped(pick(value, deep)).abs())).sum();
            sum / self.marks.len().max(1) as f64
        };
        let chests = CHESTS.into_iter().map(|(by, drawer)| Drawers { by, slices: self.slices(drawer) });
        Figures {
            network: name.to_string(),
            positions: self.marks.len(),
            error: error(self.pairs().map(|(_, value, deep)| difference(value, deep))),
            mean_evaluation: size(|value, _| value),
            mean_deep_score: size(|_, deep| deep),
            chests: chests.collect(),
        }
    }

    /// The drawers of a chest in the order of their names.
    fn slices(&self, drawer: fn(&Board) -> &'static str) -> Vec<Slice> {
        let mut names: Vec<&str> = self.marks.iter().map(|mark| drawer(&mark.board)).collect();
        names.sort_unstable();
        names.dedup();
        let square = |value, deep| difference(value, deep).powi(2);
        let whole: f64 = self.pairs().map(|(_, value, deep)| square(value, deep)).sum();
        let slice = |name| {
            let inside: Vec<(i16, i16)> = (self.pairs())
                .filter(|(board, ..)| drawer(board) == name)
                .map(|(_, value, deep)| (value, deep))
                .collect();
            let mean = |of: &dyn Fn(i16, i16) -> f64| {
                inside.iter().map(|&(value, deep)| of(value, deep)).sum::<f64>() / inside.len() as f64
            };
            Slice {
                name,
                positions: inside.len(),
                error: error(inside.iter().map(|&(value, deep)| difference(value, deep))),
                share_of_error: 100.0 * inside.iter().map(|&(value, deep)| square(value, deep)).sum::<f64>()
                    / whole.max(1e-12),
                bias_percent: 100.0 * mean(&|value, deep| difference(value, deep) * f64::from(deep.signum())),
                bias_centipawns: mean(&|value, deep| {
                    f64::from((i32::from(capped(value)) - i32::from(capped(deep))) * i32::from(deep.signum()))
                }),
            }
        };
        names.into_iter().map(slice).collect()
    }

    /// The positions that are furthest off, a line each.
    fn worst(&self, count: usize) -> Vec<String> {
        let mut all: Vec<(f64, &Board, i16, i16)> =
            self.pairs().map(|(board, value, deep)| (difference(value, deep).abs(), board, value, deep)).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let line = |(_, board, value, deep): (f64, &Board, i16, i16)| {
            format!("{value:6} evaluated {deep:6} searched  {}", board.fen())
        };
        all.into_iter().take(count).map(line).collect()
    }
}

/// A score without the size of mates.
fn capped(score: i16) -> i16 {
    score.clamp(-2000, 2000)
}

/// In expected points.
fn difference(value: i16, deep: i16) -> f64 {
    expected_points(value) - expected_points(deep)
}

impl Figures {
    /// A line about all of it.
    pub fn line(&self) -> String {
        format!(
            "{}: error {:.2}; mean |evaluation| {:.1}, mean |deep score| {:.1}",
            self.network, self.error, self.mean_evaluation, self.mean_deep_score
        )
    }

    fn table(&self) -> String {
        let mut text = self.line() + "\n";
        for Drawers { by, slices } in &self.chests {
            text += &format!("\n  {by:<40} share   error  of all    bias\n");
            for slice in slices {
                text += &format!(
                    "    {:<36} {:5.1} % {:7.2} {:5.1} % {:+6.2} % {:+5.0} cp\n",
                    slice.name,
                    100.0 * slice.positions as f64 / self.positions as f64,
                    slice.error,
                    slice.share_of_error,
                    slice.bias_percent,
                    slice.bias_centipawns
                );
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(fen: &str, deep: i16) -> Mark {
        Mark { board: Board::from_fen(fen).expect(fen), deep, result: 1, scores: vec![40] }
    }

    const ENDING: &str = "4k3/8/8/8/8/8/8/4K2R w - - 12 40";
    const MIDDLE: &str = "r3k2r/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/R3K2R b KQkq - 3 9";

    #[test]
    fn tables_show_every_drawer_once_and_shares_add_up() {
        let marks = [mark(ENDING, 50), mark(MIDDLE, 50)];
        let figures = Residual::of(&Source::Bootstrap, &marks).figures("bootstrap");
        let table = figures.table();
        for expected in ["late ending", "early ending", "1 or 2", "one side has more", "10 to 29", "0 to 9"] {
            assert_eq!(table.matches(expected).count(), 1, "{expected} in\n{table}");
        }
        for chest in &figures.chests {
            let sum: f64 = chest.slices.iter().map(|slice| slice.share_of_error).sum();
            assert!((sum - 100.0).abs() < 1e-6, "{}: {sum}", chest.by);
            assert_eq!(chest.slices.iter().map(|slice| slice.positions).sum::<usize>(), 2);
        }
    }

    /// An evaluation that is the deep score has no error, and one that is twice it is too far ahead by as much.
    #[test]
    fn bias_is_how_much_too_far_ahead() {
        let marks = [mark(MIDDLE, 300), mark(&MIDDLE.replace(" b ", " w "), 300)];
        let right = Residual { marks: &marks, values: vec![-300, 300] }.figures("");
        assert_eq!((right.error, right.chests[0].slices[0].bias_centipawns), (0.0, 0.0));
        let eager = Residual { marks: &marks, values: vec![-400, 400] }.figures("");
        assert!((eager.chests[0].slices[0].bias_centipawns - 100.0).abs() < 1e-9);
        assert!(eager.chests[0].slices[0].bias_percent > 0.0);
        let timid = Residual { marks: &marks, values: vec![0, 0] };
        assert!(timid.figures("").chests[0].slices[0].bias_percent < 0.0);
        assert!(timid.worst(1)[0].contains("0 evaluated   -300 searched"), "{:?}", timid.worst(1));
    }

    #[test]
    fn kings_are_seen() {
        let board = |fen: &str| Board::from_fen(fen).expect(fen);
        let castled = board("6k1/5ppp/8/4N3/8/7Q/5PPP/6K1 w - - 0 1");
        assert_eq!(Color::ALL.map(|color| shield(&castled, color)), [3, 3]);
        assert_eq!(attackers(&castled, Color::Black), 2, "the queen sees h7, the knight f7");
        assert_eq!(attackers(&castled, Color::White), 0);
        assert_eq!(shield(&board("7k/8/8/8/8/8/6P1/7K w - - 0 1"), Color::White), 1, "no pawn comes round the edge");
        // The same for both colours.
        let flipped = board("6k1/5ppp/7q/8/4n3/8/5PPP/6K1 b - - 0 1");
        for (_, drawer) in CHESTS {
            assert_eq!(drawer(&castled), drawer(&flipped));
        }
    }

    #[test]
    fn pieces_are_named() {
        for (fen, name) in [
            ("r3k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "a rook for a minor piece"),
            ("3qk3/8/8/8/8/8/8/R3K2R w - - 0 1", "a queen for others"),
            ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "the same, bishops of other colours"),
            ("3bk3/8/8/8/8/8/8/2B1K3 w - - 0 1", "the same"),
            ("r3k3/8/8/8/8/8/8/2B1KN2 w - - 0 1", "rooks for minor pieces"),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "one side has more"),
        ] {
            assert_eq!(pieces(&Board::from_fen(fen).expect(fen)), name, "{fen}");
        }
    }
}
