//! A game with its comments, marks and variations as the page reads it: every move with the position after it and all that
//! the rules say there. The page knows no rules; whatever it shows or allows is from here.

use chess::{Game, Move, san, uci};

use super::game;
use crate::json;
use pgn::record::{Line, Ply, Record};

/// No more moves are read of a game, with all its variations.
const MAX_MOVES: usize = 20_000;

/// Where games begin, and how their moves are written.
struct Scribe {
    /// Castling is written as the king taking its rook.
    chess960: bool,
}

/// A game, whole.
pub fn describe(record: &Record) -> Result<String, String> {
    if count(&record.main) > MAX_MOVES {
        return Err(format!("the game has more than {MAX_MOVES} moves with its variations"));
    }
    let chess960 = game::is_chess960(&record.start);
    let start = Game::new(record.start.clone());
    let scribe = Scribe { chess960 };
    let tags = record.tags.iter().map(|(name, value)| json::list([json::text(name), json::text(value)]));
    let faults = record.faults.iter().map(|fault| json::text(without_name(record, fault)));
    Ok(json::object([
        ("tags", json::list(tags)),
        ("result", json::text(&record.result)),
        ("chess960", chess960.to_string()),
        ("faults", json::list(faults)),
        ("root", json::object(scribe.position(&start))),
        ("main", scribe.line(start, &record.main)),
    ]))
}

/// The last move of a game, or its start if there is none.
pub fn describe_last(game: &Game) -> String {
    let scribe = Scribe { chess960: game::is_chess960(game.start()) };
    let Some((&last, earlier)) = game.moves().split_last() else { return json::object(scribe.position(game)) };
    let mut before = Game::new(game.start().clone());
    for &mv in earlier {
        before.play(mv);
    }
    json::object(scribe.step(&before, last, game))
}

/// What was wrong with a game, told where it is the only one.
pub fn without_name<'a>(record: &Record, fault: &'a str) -> &'a str {
    let rest = fault.strip_prefix(&format!("game {}", record.number)).unwrap_or(fault);
    rest.trim_start_matches([':', ',', ' '])
}

fn count(line: &Line) -> usize {
    line.plies.iter().map(|ply| 1 + ply.variations.iter().map(count).sum::<usize>()).sum()
}

impl Scribe {
    /// The moves of a line that begins after this game.
    fn line(&self, mut game: Game, line: &Line) -> String {
        let mut plies = Vec::with_capacity(line.plies.len());
        for ply in &line.plies {
            let before = game.clone();
            game.play(ply.mv);
            plies.push(self.ply(&before, ply, &game));
        }
        json::object([("opening", texts(&line.opening)), ("plies", json::list(plies))])
    }

    fn ply(&self, before: &Game, ply: &Ply, after: &Game) -> String {
        let [uci, san, fen, check, legal, end] = self.step(before, ply.mv, after);
        json::object([
            uci,
            san,
            fen,
            check,
            legal,
            end,
            ("marks", json::list(ply.marks.iter().map(u16::to_string))),
            ("comments", texts(&ply.comments)),
            ("variations", json::list(ply.variations.iter().map(|line| self.line(before.clone(), line)))),
        ])
    }

    /// A move, and the position after it.
    fn step(&self, before: &Game, mv: Move, after: &Game) -> [(&'static str, String); 6] {
        let [fen, check, legal, end] = self.position(after);
        let uci = ("uci", json::text(&uci(mv, self.chess960).to_string()));
        [uci, ("san", json::text(&san(before.board(), mv))), fen, check, legal, end]
    }

    fn position(&self, game: &Game) -> [(&'static str, String); 4] {
        let board = game.board();
        let check = if board.in_check() { board.king(board.side_to_move()).to_string() } else { String::new() };
        let legal = board.legal_moves();
        let legal = legal.iter().map(|&mv| json::text(&uci(mv, self.chess960).to_string()));
        let end = game::end(game).map_or("null".to_string(), |end| {
            json::object([("result", json::text(end.result)), ("reason", json::text(end.reason))])
        });
        [("fen", json::text(&board.fen())), ("check", json::text(&check)), ("legal", json::list(legal)), ("end", end)]
    }
}

fn texts(texts: &[String]) -> String {
    json::list(texts.iter().map(|text| json::text(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgn::Reader;

    fn tree(text: &str) -> Result<String, String> {
        describe(&Reader::new(text.as_bytes(), 0).verbatim().next().expect("a game"))
    }

    #[test]
    fn nothing_of_a_game_is_lost() {
        let text = "[White \"A\"]\n{first} 1. e4! {best [%eval 0.3]} ({or} 1. d4 d5) e5 2. Ke2 1-0";
        let json = tree(text).expect("a game");
        for part in [
            r#""tags":[["White","A"]],"result":"1-0","chess960":false,"faults":[]"#,
            r#""main":{"opening":["first"],"plies":[{"uci":"e2e4","san":"e4","fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1""#,
            r#""marks":[1],"comments":["best [%eval 0.3]"],"variations":[{"opening":["or"],"plies":[{"uci":"d2d4""#,
            r#""san":"Ke2""#,
        ] {
            assert!(json.contains(part), "{part}: {json}");
        }
        assert!(json.find("\"san\":\"d5\"").is_some_and(|place| json[..place].ends_with(r#"{"uci":"d7d5","#)));
    }

    #[test]
    fn a_broken_end_is_named_and_the_rest_kept() {
        let json = tree("1. e4 e5 2. Rhe8 *").expect("a game");
        assert!(json.contains(r#""faults":["2.Rhe8 is not a legal move here; the rest is left out"]"#), "{json}");
        let json = tree("1. e4 (1. e5) e5 {never closed").expect("a game");
        assert!(
            json.contains(r#"["1.e5 in a variation is not a legal move here; the variation ends there","at 2.: the"#),
            "{json}"
        );
        let many = format!("1. e4 {} *", "(1. d4 d5) ".repeat(MAX_MOVES / 2));
        assert!(tree(&many).is_err_and(|error| error.contains("20000 moves")));
    }

    #[test]
    fn the_last_move_comes_with_its_position() {
        let told = |start, moves| describe_last(&game::read(start, moves).expect("legal"));
        assert!(told("", "").starts_with(r#"{"fen":"rnbqkbnr/"#));
        let mate = told("", "f2f3 e7e5 g2g4 d8h4");
        assert!(mate.starts_with(r##"{"uci":"d8h4","san":"Qh4#""##), "{mate}");
        assert!(mate.ends_with(r#""check":"e1","legal":[],"end":{"result":"0-1","reason":"checkmate"}}"#), "{mate}");
        let castles = told("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "e1b1");
        assert!(castles.starts_with(r#"{"uci":"e1b1","san":"O-O-O""#), "{castles}");
    }
}
