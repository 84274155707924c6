//! The score sheet of a game that the laboratory has played: its tags, and what each side thought, as comments.

mod games;

use chess::{Board, Score};
use pgn::record::Line;

use crate::machine::today;

use crate::player::{Limit, Thought};
use crate::runner::Record;
pub use games::{Games, Mark};

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
    let start = record.game.start();
    // What an engine calls itself or a move may be anything; not every reader knows quotes in tags.
    let clean =
        |text: &str| text.replace(|letter: char| letter.is_control() || ['"', '\\', '{', '}'].contains(&letter), "'");
    let reason = clean(&record.reason.to_string());
    let mut tags = vec![
        ("Event", format!("gannet-lab match, {}", header.limit)),
        ("Date", today()),
        ("Round", header.round.clone()),
        ("White", clean(header.white)),
        ("Black", clean(header.black)),
        ("TimeControl", time_control(header.limit)),
        ("Termination", reason.clone()),
        ("PlyCount", record.game.moves().len().to_string()),
    ];
    if header.chess960 {
        tags.push(("Variant", "Chess960".to_string()));
    }
    // Without a position a reader may take any for the start of a Chess960 game.
    if header.chess960 || start.fen() != Board::start().fen() {
        tags.extend([("SetUp", "1".to_string()), ("FEN", start.fen())]);
    }
    let mut main = Line::bare(record.game.moves());
    for (index, ply) in main.plies.iter_mut().enumerate() {
        let thought = index.checked_sub(record.opening_plies).and_then(|index| record.thoughts.get(index));
        ply.comments.push(thought.map_or_else(|| "book".to_string(), comment));
    }
    let sheet = pgn::record::Record {
        number: 1,
        tags: tags.into_iter().map(|(name, value)| (name.to_string(), value)).collect(),
        start: start.clone(),
        main,
        closing: vec![reason],
        result: record.winner.pgn().to_string(),
        faults: Vec::new(),
        broken: None,
        unclosed: false,
    };
    pgn::write(&sheet, None)
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
    format!("{score}/{} {:.3}s {}n{clock}", thought.depth, thought.time.as_secs_f64(), thought.nodes)
}

/// Hours, minutes and seconds.
fn clock_text(seconds: f64) -> String {
    let whole = seconds as u64;
    format!("{}:{:02}:{:06.3}", whole / 3600, whole / 60 % 60, seconds - (whole / 60 * 60) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Fault;
    use crate::records::GameResult;
    use crate::runner::Reason;
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
            winner: GameResult::Draw,
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
        let flat = text.replace('\n', " ");
        assert!(
            flat.contains("1. e4 {book}") && flat.contains("Nf3 {-0.31/9 0.012s 5000n [%clk 0:01:01.500]}"),
            "{text}"
        );
        assert!(text.contains("[TimeControl \"40/8+0.08\"]"), "{text}");
        assert!(!text.contains("Variant") && !text.contains("FEN"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() < 110));
        assert!(flat.contains("{illegal move a']'b'''} 1/2"), "{text}");
        let read = |text: &str| pgn::Reader::new(text.as_bytes(), 0).collect::<Vec<_>>();
        let games = read(&text);
        assert_eq!(games.len(), 2);
        for game in games {
            assert_eq!((game.result.as_str(), game.faults.len()), ("1/2-1/2", 0), "{game:?}");
            assert_eq!(game.game_at(100).moves(), played.moves());
        }
        let shuffled = write(&record, &Header { chess960: true, ..header });
        let tags = "\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4";
        assert!(shuffled.contains(tags), "{shuffled}");
        assert_eq!(read(&shuffled).len(), 1);
    }
}
