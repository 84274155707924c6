//! Any bytes as the input of the program: lines of clean text, the same in whatever pieces they come. Any line as what
//! follows `go`, `position`, `setoption`, `genfens` and `speedtest`, and as arguments of the program: a complaint, or a search
//! of a legal position within its limits. A position that was understood can be flipped and is the same after the second time.

#![no_main]
#![allow(dead_code, reason = "the program uses more of these files")]
#![allow(unused_imports, reason = "the program uses more of these files")]

use std::io::{self, BufReader, Read};
use std::sync::Mutex;

use chess::Board;
use engine::Engine;
use gannet::{bench, options, reporter, uci};
use libfuzzer_sys::fuzz_target;
use uci::input::{Event, MAX_LINE};

#[path = "../../crates/gannet/src"]
mod gannet {
    pub mod bench;
    pub mod options;
    pub mod reporter;
    pub mod uci;
}

/// Made once; to make an engine takes longer than everything else here.
static ENGINE: Mutex<Option<Engine>> = Mutex::new(None);

fuzz_target!(|bytes: &[u8]| {
    if let [b'l', b'o', b'n', b'g', more] = *bytes {
        return check_long(usize::from(more));
    }
    let whole = lines(bytes);
    let piece = usize::from(bytes.first().copied().unwrap_or(1)).max(1);
    assert_eq!(lines(BufReader::with_capacity(piece, bytes)), whole);
    let texts: Vec<String> = whole.into_iter().flatten().collect();
    texts.iter().for_each(|text| understand(text));
    check_arguments(&texts);
});

/// The lines of an input, nothing for those that are too long; the end comes once and last.
fn lines(mut input: impl io::BufRead) -> Vec<Option<String>> {
    let (mut lines, mut ended) = (Vec::new(), false);
    uci::input::read_all(&mut input, &mut |event| {
        assert!(!ended);
        match event {
            Event::Line { text, .. } => lines.push(Some(text)),
            Event::LineTooLong => lines.push(None),
            Event::EndOfInput => ended = true,
            Event::Finished(_) => unreachable!("nothing was started"),
        }
        true
    });
    assert!(ended);
    for text in lines.iter().flatten() {
        assert!(!text.contains(['\0', '\n', '\u{feff}']) && text.trim() == text);
    }
    lines
}

/// A line about as long as can be kept, and another one after it. To read it takes so long that few inputs ask for it.
fn check_long(more: usize) {
    let length = MAX_LINE - 128 + more;
    let input = io::repeat(b'x').take(length as u64).chain(&b"\nisready"[..]);
    let lines = lines(BufReader::with_capacity(1 << 16, input));
    assert_eq!(lines[0].as_ref().map(String::len), (length <= MAX_LINE).then_some(length));
    assert_eq!(lines[1..], [Some("isready".to_string())]);
}

/// Whatever is no command is named.
fn check_arguments(texts: &[String]) {
    let first_words = texts.iter().filter_map(|text| text.split_ascii_whitespace().next());
    let good = first_words.into_iter().all(|word| uci::COMMANDS.contains(&word));
    match uci::arguments::check(texts) {
        Ok(()) => assert!(good),
        Err(error) => assert!(error.starts_with("unknown command '") && !error.contains(char::is_control)),
    }
}

/// A line as what follows every command that listens to more than its first word.
fn understand(text: &str) {
    let words: Vec<_> = text.split_ascii_whitespace().collect();
    let mut settings = options::Settings::default();
    let mut board = Board::start();
    match uci::position::parse(&words) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(game) => {
            board = game.board().clone();
            if let Some(twice) = uci::position::flip(&game).as_ref().and_then(uci::position::flip) {
                assert_eq!(twice.board(), &board);
            }
        }
    }
    // Tables and threads of every size are not the point.
    if !["hash", "threads", "evalfile"].iter().any(|name| text.to_lowercase().contains(name)) {
        let mut engine = ENGINE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let engine = engine.get_or_insert_with(|| Engine::new(1).expect("a mebibyte"));
        if let Err(error) = options::set(&text.split([' ', '\t']).collect::<Vec<_>>(), &mut settings, engine) {
            assert!(!error.to_string().is_empty());
        }
    }
    if let Ok(Ok((limits, _))) = uci::go::Go::parse(&words).map(|go| go.limits(&board, &settings)) {
        assert!(limits.moves.iter().all(|&mv| board.is_legal(mv)));
        assert!(limits.depth.is_none_or(|depth| depth > 0) && limits.nodes.is_none_or(|nodes| nodes > 0));
    }
    if let Err(error) = uci::genfens::Request::parse(text) {
        assert!(!error.is_empty());
    }
    if let Err(error) = uci::counting::SpeedTest::parse(&words) {
        assert!(!error.to_string().is_empty());
    }
}
