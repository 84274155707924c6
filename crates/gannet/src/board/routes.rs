//! What the server has: the files of the page, and what it may ask.
//!
//! | | | answers |
//! |---|---|---|
//! | `GET /status` | | who this is, and how much it has to do |
//! | `POST /game` | `start`, `moves` | the game, and all that the rules say about it |
//! | `POST /move` | `start`, `moves` | the last of these moves and the position after it |
//! | `POST /import`, `/import/2` | any text with a position or games | the first game or that of this number |
//! | `POST /search` | `page`, `start`, `moves`, `aim`, `time` or `clock` and `increment`, `elo`, `lines` | how far the search is |
//! | `POST /review` | `page`, `nodes`, an empty line, a game as PGN | how far its review is, and what was found |
//! | `POST /keep` | `key`, an empty line, a game as PGN | nothing; the game is kept |
//! | `POST /kept` | `key` | that game |
//! | `POST /forget` | `key` | nothing; it is thrown away |
//! | `POST /games` | `search`, `from` | the games that are kept |
//! | `GET /games.pgn` | | all of them as PGN |
//!
//! Questions are lines of a name and a value, answers are JSON. A question that is not understood is answered with a
//! reason, as plain text.

use std::str::FromStr;
use std::time::Duration;

use chess::Game;
use engine::TimeLimit;
use engine::strength::Strength;

use super::http::{Method, Reply, Request};
use super::lobby::{Aim, Lobby, Task};
use super::shelf::Shelf;
use super::{game, import, lobby, tree};
use crate::json;

/// The files of the page: path, type, text.
const FILES: [(&str, &str, &str); 15] = [
    ("/", "text/html; charset=utf-8", include_str!("page/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("page/style.css")),
    ("/icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
    ("/app.js", "text/javascript; charset=utf-8", include_str!("page/app.js")),
    ("/board.js", "text/javascript; charset=utf-8", include_str!("page/board.js")),
    ("/analysis.js", "text/javascript; charset=utf-8", include_str!("page/analysis.js")),
    ("/clock.js", "text/javascript; charset=utf-8", include_str!("page/clock.js")),
    ("/editor.js", "text/javascript; charset=utf-8", include_str!("page/editor.js")),
    ("/games.js", "text/javascript; charset=utf-8", include_str!("page/games.js")),
    ("/memory.js", "text/javascript; charset=utf-8", include_str!("page/memory.js")),
    ("/moves.js", "text/javascript; charset=utf-8", include_str!("page/moves.js")),
    ("/sound.js", "text/javascript; charset=utf-8", include_str!("page/sound.js")),
    ("/tree.js", "text/javascript; charset=utf-8", include_str!("page/tree.js")),
    ("/review.js", "text/javascript; charset=utf-8", include_str!("page/review.js")),
    ("/server.js", "text/javascript; charset=utf-8", include_str!("page/server.js")),
];

/// The most lines of analysis that can be asked for.
const MAX_LINES: usize = 5;
/// A move takes between these, in milliseconds.
const MOVE_TIME: std::ops::RangeInclusive<u64> = 50..=60_000;
/// A clock shows between these, and gains so much with each move.
const CLOCK: std::ops::RangeInclusive<u64> = 1..=36_000_000;
const INCREMENT: std::ops::RangeInclusive<u64> = 0..=600_000;
/// A review looks at each position for between so many nodes.
const REVIEW_NODES: std::ops::RangeInclusive<u64> = 1000..=10_000_000;
/// The name that a page gives itself or a game is no longer than this.
const MAX_NAME: usize = 40;

/// How much a request may bring along, in bytes: a game with a page of settings, or a file that somebody opens.
pub fn longest(path: &str) -> usize {
    if path.starts_with("/import") || matches!(path, "/review" | "/keep") { 4 << 20 } else { 64 << 10 }
}

/// The answer to a request.
pub fn answer(request: &Request, lobby: &Lobby) -> Reply {
    let path = request.path.as_str();
    let import =
        path.strip_prefix("/import").and_then(|rest| if rest.is_empty() { Some("1") } else { rest.strip_prefix('/') });
    let asks = import.is_some()
        || matches!(path, "/game" | "/move" | "/review" | "/search" | "/keep" | "/kept" | "/forget" | "/games");
    if asks && request.method != Method::Post {
        return Reply::refusal("405 Method Not Allowed", format!("{path} is asked with POST"));
    }
    if let Some(number) = import {
        let number = number.parse().map_err(|_| format!("'{}' is no number of a game", shortened(number)));
        return reply(number.and_then(|number| import::read(&request.body, number)?.describe()));
    }
    match path {
        "/game" => reply(played(&request.body).and_then(|game| tree::describe(&game::record(&game)))),
        "/move" => reply(played(&request.body).map(|game| tree::describe_last(&game))),
        "/review" => review(&request.body, lobby),
        "/search" => search(&request.body, lobby),
        "/keep" | "/kept" | "/forget" | "/games" => reply(kept(path, &request.body, &lobby.shelf)),
        "/games.pgn" => match lobby.shelf.export() {
            Ok(games) => {
                Reply { status: "200 OK", content_type: "application/x-chess-pgn; charset=utf-8", body: games.into() }
            }
            Err(reason) => Reply::bad_request(reason),
        },
        "/status" => Reply::json(status(lobby)),
        path => match FILES.iter().find(|file| file.0 == path) {
            Some(_) if request.method == Method::Post => {
                Reply::refusal("405 Method Not Allowed", format!("{path} is read with GET"))
            }
            Some(&(_, content_type, text)) => Reply { status: "200 OK", content_type, body: text.into() },
            None => Reply::refusal("404 Not Found", format!("there is no {path} here")),
        },
    }
}

/// The game that a question brings along.
fn played(body: &str) -> Result<Game, String> {
    let question = question(body, &["start", "moves"])?;
    game::read(question.get("start"), question.get("moves"))
}

fn reply(result: Result<String, String>) -> Reply {
    result.map_or_else(Reply::bad_request, Reply::json)
}

fn status(lobby: &Lobby) -> String {
    let (searches, engines) = lobby.counts();
    json::object([
        ("name", json::text(concat!("Gannet ", env!("CARGO_PKG_VERSION")))),
        ("weakest", Strength::MIN.to_string()),
        ("strongest", Strength::MAX.to_string()),
        ("searches", searches.to_string()),
        ("engines", engines.to_string()),
        ("most", lobby::MAX_ENGINES.to_string()),
    ])
}

fn search(body: &str, lobby: &Lobby) -> Reply {
    let (page, task) = match read_task(body) {
        Ok(read) => read,
        Err(reason) => return Reply::bad_request(reason),
    };
    let Some(task) = task else {
        lobby.rest(page);
        return Reply::json(json::object([]));
    };
    match lobby.ask(page, body, task) {
        Ok(progress) => Reply::json(progress),
        Err(reason) => Reply::refusal("503 Service Unavailable", reason),
    }
}

/// What is asked about the games that are kept.
fn kept(path: &str, body: &str, shelf: &Shelf) -> Result<String, String> {
    if path == "/games" {
        let question = question(body, &["search", "from"])?;
        let from = if question.get("from").is_empty() { 0 } else { question.number("from", 0..=1_000_000_000)? };
        return shelf.list(question.get("search"), from);
    }
    let (head, pgn) = body.split_once("\n\n").unwrap_or((body, ""));
    let question = question(head, &["key"])?;
    let key = question.name("key")?;
    match path {
        "/kept" => return import::read(&shelf.game(key)?, 1)?.describe(),
        "/keep" => shelf.keep(key, pgn)?,
        _ => shelf.forget(key)?,
    }
    Ok(json::object([]))
}

fn review(body: &str, lobby: &Lobby) -> Reply {
    let (head, pgn) = body.split_once("\n\n").unwrap_or((body, ""));
    let read = || -> Result<_, String> {
        let question = question(head, &["page", "nodes"])?;
        let rests = question.get("nodes").is_empty();
        let nodes = if rests { None } else { Some(question.number("nodes", REVIEW_NODES)?) };
        Ok((question.name("page")?, nodes))
    };
    let (page, nodes) = match read() {
        Ok(read) => read,
        Err(reason) => return Reply::bad_request(reason),
    };
    let Some(nodes) = nodes else {
        lobby.reviews.rest(page);
        return Reply::json(json::object([]));
    };
    match lobby.reviews.ask(page, nodes, pgn) {
        Ok(told) => reply(told),
        Err(reason) => Reply::refusal("503 Service Unavailable", reason),
    }
}

/// What a page wants searched, if anything, and the name it gives itself.
fn read_task(body: &str) -> Result<(&str, Option<Task>), String> {
    let question = question(body, &["page", "start", "moves", "aim", "time", "clock", "increment", "elo", "lines"])?;
    let page = question.name("page")?;
    let aim = match question.get("aim") {
        "play" => {
            let milliseconds = |name, range| question.number(name, range).map(Duration::from_millis);
            let time = if question.get("clock").is_empty() {
                TimeLimit::MoveTime(milliseconds("time", MOVE_TIME)?)
            } else {
                let (remaining, increment) = (milliseconds("clock", CLOCK)?, milliseconds("increment", INCREMENT)?);
                TimeLimit::Clock { remaining, increment, moves_to_go: None }
            };
            let weaker = !question.get("elo").is_empty();
            let elo = weaker.then(|| question.number("elo", Strength::MIN..=Strength::MAX)).transpose()?;
            Aim::Play { time, strength: elo.map(Strength::new) }
        }
        "analyse" => Aim::Analyse { lines: question.number("lines", 1..=MAX_LINES)? },
        "rest" => return Ok((page, None)),
        other => return Err(format!("aim is '{}', expected play, analyse or rest", shortened(other))),
    };
    let game = game::read(question.get("start"), question.get("moves"))?;
    if !game.board().has_legal_moves() {
        return Err("there is no legal move to search for: the game is over".to_string());
    }
    Ok((page, Some(Task { game, aim })))
}

/// The lines of a question.
struct Fields<'a>(Vec<(&'a str, &'a str)>);

/// Reads lines of a name and a value. Every name has to be known, and none may come twice.
fn question<'a>(body: &'a str, names: &[&str]) -> Result<Fields<'a>, String> {
    let mut fields: Vec<(&str, &str)> = Vec::new();
    for line in body.lines().filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        if !names.contains(&name) {
            return Err(format!("'{}' is not known here, expected {}", shortened(name), names.join(", ")));
        }
        if fields.iter().any(|field| field.0 == name) {
            return Err(format!("{name} is there twice"));
        }
        fields.push((name, value.trim()));
    }
    Ok(Fields(fields))
}

/// The beginning of a text, to show what was meant.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

impl<'a> Fields<'a> {
    /// A value; empty if it is not there.
    fn get(&self, name: &str) -> &'a str {
        self.0.iter().find(|field| field.0 == name).map_or("", |field| field.1)
    }

    /// The name that a page gives itself or a game.
    fn name(&self, field: &str) -> Result<&'a str, String> {
        let name = self.get(field);
        if name.is_empty() || name.len() > MAX_NAME {
            return Err(format!("{field} is '{}', expected a name of 1 to {MAX_NAME} bytes", shortened(name)));
        }
        Ok(name)
    }

    fn number<T: FromStr + PartialOrd + std::fmt::Display>(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<T>,
    ) -> Result<T, String> {
        let text = self.get(name);
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            format!("{name} is '{}', expected a number from {} to {}", shortened(text), range.start(), range.end())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_or_refused() {
        let read = question("start 518\nmoves  e2e4 e7e5 \n", &["start", "moves"]).expect("good");
        assert_eq!((read.get("start"), read.get("moves"), read.get("elo")), ("518", "e2e4 e7e5", ""));
        assert!(question("", &["start"]).is_ok());
        for body in ["elo 5", "start 1\nstart 2", " start 1"] {
            assert!(question(body, &["start"]).is_err(), "{body}");
        }
    }

    #[test]
    fn tasks_have_bounds() {
        let task = |text: &str| read_task(&text.replace("; ", "\n")).map(|(_, task)| task.map(|task| task.aim));
        let play =
            |time, strength| Ok(Some(Aim::Play { time: TimeLimit::MoveTime(Duration::from_millis(time)), strength }));
        let [remaining, increment] = [300_000, 3000].map(Duration::from_millis);
        let time = TimeLimit::Clock { remaining, increment, moves_to_go: None };
        let clock = Ok(Some(Aim::Play { time, strength: None }));
        assert_eq!(task("page a; aim play; clock 300000; increment 3000"), clock);
        assert_eq!(task("page a; aim play; time 500"), play(500, None));
        assert_eq!(task("page a; aim play; time 500; elo 900"), play(500, Some(Strength::new(900))));
        assert_eq!(task("page a; aim analyse; lines 3; moves e2e4"), Ok(Some(Aim::Analyse { lines: 3 })));
        assert_eq!(task("page a; aim rest"), Ok(None));
        for text in [
            "aim analyse; lines 1",
            "page ; aim analyse; lines 1",
            "page aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; aim analyse; lines 1",
            "page a; aim analyse",
            "page a; aim analyse; lines 6",
            "page a; aim play",
            "page a; aim play; time 60001",
            "page a; aim play; clock 0; increment 0",
            "page a; aim play; clock 60000",
            "page a; aim play; time 500; elo 99",
            "page a; aim ponder",
            "page a; aim analyse; lines 1; moves e2e5",
            "page a; aim analyse; lines 1; moves f2f3 e7e5 g2g4 d8h4",
        ] {
            assert!(task(text).is_err(), "{text}");
        }
    }
}
