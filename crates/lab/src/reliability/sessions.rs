//! Sessions of random commands, sensible and senseless: wrong words, wrong bytes, endless lines, endless games. At the
//! end of each the engine must still be there, answer, and play a legal move.

use std::fmt::Write;
use std::time::{Duration, Instant};

use chess::Game;

use super::Context;
use super::talk::{Talk, position};
use super::trials::{self, Tally, Verdict};
use crate::book::random_opening;
use crate::pool;
use crate::rng::Rng;

pub const WHAT: &str = "random command sessions, each in a new process, with NULs, carriage returns, bytes that are not \
    UTF-8, lines of a megabyte and more, games of 5000 plies: no panic, no word on the error output, and a legal move at \
    the end";

const WORDS: [&str; 64] = [
    "go",
    "go",
    "go",
    "stop",
    "stop",
    "ponderhit",
    "position",
    "position",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e5",
    "e1g1",
    "a7a8q",
    "0000",
    "depth",
    "nodes",
    "infinite",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "movestogo",
    "movetime",
    "mate",
    "searchmoves",
    "perft",
    "3",
    "2",
    "1",
    "0",
    "-1",
    "100",
    "99999999999999999999",
    "1.5",
    "setoption",
    "name",
    "value",
    "Hash",
    "Threads",
    "MultiPV",
    "Clear Hash",
    "UCI_Chess960",
    "EvalFile",
    "UCI_Elo",
    "UCI_LimitStrength",
    "SyzygyPath",
    "true",
    "false",
    "nonsense",
    "isready",
    "ucinewgame",
    "uci",
    "d",
    "eval",
    "flip",
    "debug",
    "on",
    "register",
    "wait",
    "help",
    "params",
    "bench 1",
];

pub fn run(context: &Context, trials: u64, tally: &Tally) {
    trials::run(
        tally,
        trials,
        pool::default_threads(),
        || Ok(()),
        |(), index| {
            let mut rng = Rng::new(context.seed, index);
            let mut talk = context.start()?;
            for _ in 0..1 + rng.below(30) {
                let bytes = line(&mut rng);
                talk.send_bytes(&bytes).map_err(|fault| format!("after {:?}: {fault}", shown(&bytes)))?;
            }
            survived(talk)
        },
    );
}

/// No option has this name.
const LAST: &str = "TheEndOfThisSession";

/// Whatever was going on, it can be ended, and everything works as on the first day.
fn survived(mut talk: Talk) -> Verdict {
    // A line of its own first: the last one may have had no end.
    talk.send("")?;
    talk.send("setoption name UCI_Chess960 value false\nsetoption name UCI_LimitStrength value false")?;
    talk.send("setoption name Threads value 1\nsetoption name MultiPV value 1\nposition startpos")?;
    // What is held comes now. The last command waits for all that is running, and the complaint about it says that it was read.
    talk.send("stop")?;
    talk.send(&format!("setoption name {LAST}"))?;
    let began = Instant::now();
    loop {
        // Each count or search that was asked for has to be ended by itself.
        talk.send("stop")?;
        match talk.line_within(Duration::from_millis(20))? {
            Some(line) if line.contains(LAST) => break,
            Some(line) if line.contains("broke down") => return Err(line),
            Some(line) if line.contains(|letter: char| letter.is_control()) => {
                return Err(format!("a control character in {line:?}"));
            }
            _ if began.elapsed() > Duration::from_secs(60) => return Err("no answer for a minute".to_string()),
            _ => {}
        }
    }
    talk.settled()?;
    talk.go("go depth 2")?.legal(&Game::default())?;
    talk.quit()
}

/// What a line was, as far as it is worth showing.
fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(120).collect()
}

fn line(rng: &mut Rng) -> Vec<u8> {
    let mut text = match rng.below(40) {
        0 => "x".repeat(1 << 20).into_bytes(),
        1 => "go nodes 10 ".repeat(90_000).into_bytes(),
        2 => format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(1250)).into_bytes(),
        3 => (0..rng.below(2000)).map(|_| rng.next() as u8).filter(|&byte| byte != b'\n').collect(),
        4 => format!("setoption name Hash value {}", [1, 2, 33, 1 << 20][rng.below(4)]).into_bytes(),
        5 => format!("setoption name Threads value {}", 1 + rng.below(8)).into_bytes(),
        6..14 => game(rng).into_bytes(),
        14..20 => limited(rng).into_bytes(),
        _ => words(rng).into_bytes(),
    };
    if rng.below(4) == 0 {
        damage(rng, &mut text);
    }
    text.extend_from_slice([&b"\n"[..], b"\n", b"\r\n", b"\n\n", b"\0\n"][rng.below(5)]);
    text
}

/// A position that came out of random moves.
fn game(rng: &mut Rng) -> String {
    let (plies, chess960) = (rng.below(60) as u32, rng.below(4) == 0);
    position(&random_opening(rng, plies, chess960))
}

/// A `go` that ends by itself, or nearly.
fn limited(rng: &mut Rng) -> String {
    let mut text = "go".to_string();
    for _ in 0..1 + rng.below(3) {
        let (word, most) =
            [("depth", 6), ("nodes", 5000), ("movetime", 20), ("wtime", 200), ("btime", 200), ("mate", 3)]
                [rng.below(6)];
        let _ = write!(text, " {word} {}", rng.below(most));
    }
    text + ["", "", " ponder", " infinite"][rng.below(4)]
}

fn words(rng: &mut Rng) -> String {
    let words: Vec<_> = (0..1 + rng.below(8)).map(|_| WORDS[rng.below(WORDS.len())]).collect();
    // Counts that take years are asked for by nobody, but a random line might.
    words.join(" ").replace("perft 99999999999999999999", "perft 2").replace("perft 100", "perft 3")
}

/// Changes a few bytes; line ends do not come in, so that a line stays one command.
fn damage(rng: &mut Rng, text: &mut Vec<u8>) {
    for _ in 0..1 + rng.below(3) {
        let place = rng.below(text.len() + 1);
        let byte = [0, 0xff, 0xc3, b' ', b'\t', b'\r', 0x1b, b'9', b'-', rng.next() as u8][rng.below(10)];
        match rng.below(3) {
            _ if byte == b'\n' => {}
            0 => text.insert(place, byte),
            1 if place < text.len() => drop(text.remove(place)),
            _ => text.get_mut(place).into_iter().for_each(|old| *old = byte),
        }
    }
}
