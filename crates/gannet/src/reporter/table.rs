//! Lines of analysis for people: a row each, moves as in books, scores in pawns, big numbers short. Scores are White's, as
//! people write them, as `eval` shows them and as `gannet analyse` does: whoever moves, + is good for White.

use std::time::Duration;

use chess::{Board, Color, Move, Score, san};
use engine::{Bound, Line};

use super::per_second;

/// Goes above the rows.
pub const HEADING: &str = "depth    score     time    nodes      nps  line   (score in pawns, + is good for White)";

/// Where the line begins.
const COLUMN: usize = 43;

/// Rows longer than this are cut at a move.
const WIDTH: usize = 100;

/// One row.
pub fn row(line: &Line<'_>, board: &Board, pv: &[Move]) -> String {
    let depth = format!("{}/{}", line.depth, line.seldepth);
    let white = board.side_to_move() == Color::White;
    let bound = match line.bound {
        Bound::Exact | Bound::None => " ",
        bound if white == (bound == Bound::Lower) => "+",
        _ => "-",
    };
    let mut text = format!(
        "{depth:<7} {:>6}{bound} {:>7} {:>8} {:>8}  ",
        score(line.score, white),
        duration(line.time),
        short(line.nodes),
        short(per_second(line.nodes, line.time)),
    );
    text.push_str(&moves(board, pv, WIDTH - COLUMN));
    text
}

/// Moves with their numbers, as many as fit.
fn moves(board: &Board, pv: &[Move], room: usize) -> String {
    let mut board = board.clone();
    let mut text = String::new();
    for (index, &mv) in pv.iter().enumerate() {
        let number = match (board.side_to_move(), index) {
            (Color::White, _) => format!("{}. ", board.fullmove_number()),
            (Color::Black, 0) => format!("{}... ", board.fullmove_number()),
            (Color::Black, _) => String::new(),
        };
        let word = format!("{number}{} ", san(&board, mv));
        if text.len() + word.len() > room && index > 0 {
            text.push('…');
            break;
        }
        text.push_str(&word);
        board.make(mv);
    }
    text.trim_end().to_string()
}

/// A score as White sees it, told by the side that moves: in pawns, `+0.35`, or moves to mate, `#3` and `#-3`.
fn score(score: Score, white: bool) -> String {
    let sign = if white { 1 } else { -1 };
    match score.mate_moves() {
        Some(moves) => format!("#{}", sign * moves),
        None => format!("{:+.2}", f64::from(sign * score.centipawns()) / 100.0),
    }
}

fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.2}s", time.as_secs_f64()),
        60..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

/// Three or four digits and a letter.
fn short(number: u64) -> String {
    let value = number as f64;
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{:.0}k", value / 1e3),
        10_000_000..10_000_000_000 => format!("{:.0}M", value / 1e6),
        _ => format!("{:.0}G", value / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::parse_san;

    #[test]
    fn scores_are_whites() {
        let line = |score, bound| Line {
            depth: 3,
            seldepth: 5,
            multipv: 1,
            score,
            known: false,
            bound,
            nodes: 3000,
            time: Duration::from_millis(1500),
            hashfull: 7,
            tbhits: 2,
            pv: &[],
        };
        let white = Board::start();
        let black = white.after(parse_san(&white, "e4").expect("legal"));
        let shown = |board: &Board, score, bound| row(&line(score, bound), board, &[])[8..15].trim().to_string();
        assert_eq!(shown(&white, Score(35), Bound::Exact), "+0.35");
        assert_eq!(shown(&black, Score(35), Bound::Exact), "-0.35");
        assert_eq!(shown(&black, Score::mate_in(5), Bound::Exact), "#-3");
        assert_eq!(shown(&white, Score(35), Bound::Lower), "+0.35+");
        assert_eq!(shown(&black, Score(35), Bound::Lower), "-0.35-");
        assert_eq!(shown(&black, Score(-35), Bound::Upper), "+0.35+");
        assert!(HEADING[COLUMN..].starts_with("line"), "the line stands below its name");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([short(0), short(9999), short(12_345), short(87_654_321)], ["0", "9999", "12k", "88M"]);
        assert_eq!(duration(Duration::from_millis(1234)), "1.23s");
        assert_eq!(duration(Duration::from_secs(3725)), "1:02:05");
        assert_eq!(
            [score(Score(35), true), score(Score(-120), true), score(Score(0), false)],
            ["+0.35", "-1.20", "+0.00"]
        );
        assert_eq!([score(Score::mate_in(5), true), score(Score::mated_in(4), true)], ["#3", "#-2"]);
    }

    #[test]
    fn moves_are_numbered_and_cut() {
        let start = Board::start();
        let mut board = start.clone();
        let mut pv = Vec::new();
        for text in ["e4", "e5", "Nf3"] {
            let mv = parse_san(&board, text).expect(text);
            board.make(mv);
            pv.push(mv);
        }
        assert_eq!(moves(&start, &pv, 100), "1. e4 e5 2. Nf3");
        assert_eq!(moves(&start.after(pv[0]), &pv[1..], 100), "1... e5 2. Nf3");
        assert_eq!(moves(&start, &pv, 12), "1. e4 e5 …");
    }
}
