//! Portable Game Notation (PGN): games as other programs read and write them.

mod annotated;
mod games;
mod read;

use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use chess::{Board, Color, Score, san};

use crate::player::{Limit, Thought};
use crate::runner::Record;
pub use annotated::{Annotated, Texts};
pub use games::{Games, Mark};
pub use read::read_openings;

/// Who played whom, and under what conditions.
pub struct Header<'a> {
    /// White's name.
    pub white: &'a str,
    /// Black's name.
    pub black: &'a str,
    /// The number of the game in the match.
    pub round: String,
    /// How long they could think.
    pub limit: Limit,
    /// Whether castling is that of Chess960, whatever the position they began from.
    pub chess960: bool,
}

/// A game as PGN, with each move's score, depth, time and nodes as a comment.
pub fn write(record: &Record, header: &Header<'_>) -> String {
    let mut pgn = String::new();
    let standard = record.game.start().fen() == Board::start().fen();
    // What an engine calls itself or a move may be anything; a quote or a brace would end a tag or a comment.
    let clean =
        |text: &str| text.replace(|letter: char| letter.is_control() || ['"', '\\', '{', '}'].contains(&letter), "'");
    for (name, value) in [
        ("Event", format!("gannet-lab match, {}", header.limit).as_str()),
        ("Site", "?"),
        ("Date", &today()),
        ("Round", &header.round),
        ("White", &clean(header.white)),
        ("Black", &clean(header.black)),
        ("Result", record.winner.pgn()),
        ("TimeControl", &time_control(header.limit)),
        ("Termination", &clean(&record.reason.to_string())),
        ("PlyCount", &record.game.moves().len().to_string()),
    ] {
        let _ = writeln!(pgn, "[{name} \"{value}\"]");
    }
    if header.chess960 {
        let _ = writeln!(pgn, "[Variant \"Chess960\"]");
    }
    // Without a position a reader may take any for the start of a Chess960 game.
    if !standard || header.chess960 {
        let _ = writeln!(pgn, "[SetUp \"1\"]\n[FEN \"{}\"]", record.game.start().fen());
    }
    pgn.push('\n');
    let mut column = 0;
    let mut put = |pgn: &mut String, token: &str| {
        if column > 0 && column + token.chars().count() >= 100 {
            pgn.push('\n');
            column = 0;
        } else if column > 0 {
            pgn.push(' ');
            column += 1;
        }
        pgn.push_str(token);
        column += token.chars().count();
    };
    let mut board = record.game.start().clone();
    for (index, &mv) in record.game.moves().iter().enumerate() {
        if board.side_to_move() == Color::White {
            put(&mut pgn, &format!("{}.", board.fullmove_number()));
        } else if index == 0 {
            put(&mut pgn, &format!("{}...", board.fullmove_number()));
        }
        put(&mut pgn, &san(&board, mv));
        match index.checked_sub(record.opening_plies).and_then(|index| record.thoughts.get(index)) {
            Some(thought) => put(&mut pgn, &comment(thought)),
            None => put(&mut pgn, "{book}"),
        }
        board.make(mv);
    }
    put(&mut pgn, &format!("{{{}}}", clean(&record.reason.to_string())));
    put(&mut pgn, record.winner.pgn());
    pgn + "\n\n"
}

/// The limit as PGN writes it: a clock in seconds, or a dash where there is none, as for a number of nodes.
fn time_control(limit: Limit) -> String {
    match limit {
        Limit::Clock(control) => control.played(),
        _ => "-".to_string(),
    }
}

fn comment(thought: &Thought) -> String {
    let score = match thought.score {
        None => "?".to_string(),
        Some(score) => match score.mate_moves() {
            Some(moves) if moves > 0 => format!("+M{moves}"),
            Some(moves) => format!("-M{}", -moves),
            None => {
                let Score(centipawns) = score;
                format!("{:+.2}", f64::from(centipawns) / 100.0)
            }
        },
    };
    let clock = match thought.clock {
        Some(left) => format!(" [%clk {}]", clock_text(left.as_secs_f64())),
        None => String::new(),
    };
    format!("{{{score}/{} {:.3}s {}n{clock}}}", thought.depth, thought.time.as_secs_f64(), thought.nodes)
}

/// Hours, minutes and seconds.
fn clock_text(seconds: f64) -> String {
    let whole = seconds as u64;
    format!("{}:{:02}:{:06.3}", whole / 3600, whole / 60 % 60, seconds - (whole / 60 * 60) as f64)
}

/// Today's date (UTC), by Howard Hinnant's algorithm for the civil calendar.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    civil((seconds / 86_400) as i64)
}

fn civil(days_since_1970: i64) -> String {
    let z = days_since_1970 + 719_468;
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    format!("{}.{month:02}.{day:02}", year + era * 400 + i64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Fault;
    use crate::runner::{Reason, Winner};
    use chess::{Game, parse_san};
    use std::time::Duration;

    fn game(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            assert!(game.play(parse_san(game.board(), text).expect(text)));
        }
        game
    }

    #[test]
    fn what_is_written_can_be_read() {
        let played = game("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O");
        let thought = |mv| Thought {
            mv,
            score: Some(Score(-31)),
            depth: 9,
            nodes: 5000,
            time: Duration::from_millis(12),
            clock: Some(Duration::from_millis(61_500)),
        };
        let record = Record {
            opening_plies: 2,
            thoughts: played.moves()[2..].iter().map(|&mv| thought(mv)).collect(),
            game: played.clone(),
            late: Vec::new(),
            winner: Winner::Draw,
            reason: Reason::Fault(Fault::Illegal("a\"]{b}\\\0".to_string())),
        };
        let header = Header {
            white: "A \"x\"",
            black: "B",
            round: "1.1".to_string(),
            limit: Limit::Clock("40/8+0.08".parse().expect("a clock")),
            chess960: false,
        };
        let text = write(&record, &header).repeat(2);
        assert!(
            text.contains("1. e4 {book}") && text.contains("Nf3 {-0.31/9 0.012s 5000n [%clk 0:01:01.500]}"),
            "{text}"
        );
        assert!(text.contains("[TimeControl \"40/8+0.08\"]"), "{text}");
        assert!(!text.contains("Variant") && !text.contains("FEN"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 110));
        assert!(text.contains("{illegal move a']'b'''} 1/2"), "{text}");
        let games = read_openings(&text, 100).expect("it is good");
        assert_eq!(games.len(), 2);
        assert!(games.iter().all(|game| game.moves() == played.moves()));
        let shuffled = write(&record, &Header { chess960: true, ..header });
        let tags = "\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4";
        assert!(shuffled.contains(tags), "{shuffled}");
        assert_eq!(read_openings(&shuffled, 100).expect("it is good").len(), 1);
        assert!(read_openings(&text, 4).expect("it is good").iter().all(|game| game.moves().len() == 4));
    }

    #[test]
    fn sloppy_files_are_read_and_bad_ones_named() {
        let moves = |text: &str| read_openings(text, 99).map(|games| games.iter().map(|g| g.moves().len()).collect());
        assert_eq!(moves("1.e4 e5 2.Nf3 (2. d4 exd4 {x}) 2... Nc6 $1 !? ; rest\n3. Bb5 1-0 1. d4 *"), Ok(vec![5, 1]));
        assert_eq!(moves("[FEN \"7k/8/8/8/8/8/8/R6K b - - 0 1\"]\n1... Kg7 2. Ra7+"), Ok(vec![2]));
        assert_eq!(moves(""), Ok(vec![]));
        assert!(moves("1. e4 e5 * 1. e5").is_err_and(|text| text.contains("game 2, ply 1")));
        assert!(moves("1. e4 *\n1. d4 {x d5 *\n1. c4 *").is_err_and(|text| text == "line 2: a comment is not closed"));
        assert!(moves("1. e4 (1. d4\n(1. c4) *").is_err_and(|text| text == "line 1: a variation is not closed"));
        for text in ["{", "[", "]", ")", "}", "1. e4 {", "[x", "[FEN \"8\"]", "é", "[é\"", "…"] {
            let _ = moves(text);
        }
    }

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), "1970.01.01");
        assert_eq!(civil(19_782), "2024.02.29");
        assert_eq!(civil(20_454), "2026.01.01");
    }
}
