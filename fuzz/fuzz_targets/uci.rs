//! Any bytes as the input of the program: lines of clean text, the same in whatever pieces they come. Any line as a command: one
//! that says what is wrong, or a search of a legal position within its limits, an option that is set or not, and so on. A
//! line of analysis and an option, once read, are written and read again the same. Options declared by any engine take what fits.

#![no_main]

use std::io::{self, BufReader, Read};
use std::sync::Mutex;

use chess::Board;
use engine::Engine;
use gannet::options;
use gannet::server::input::{MAX_LINE, next_line};
use libfuzzer_sys::fuzz_target;
use uci::{Command, Declared, Info, Spelling};

/// Made once; to make an engine takes longer than everything else here.
static ENGINE: Mutex<Option<Engine>> = Mutex::new(None);

fuzz_target!(|bytes: &[u8]| {
    if let [b'l', b'o', b'n', b'g', more] = *bytes {
        return check_long(usize::from(more));
    }
    let whole = lines(bytes);
    let piece = usize::from(bytes.first().copied().unwrap_or(1)).max(1);
    assert_eq!(lines(BufReader::with_capacity(piece, bytes)), whole);
    for text in whole.iter().flatten() {
        assert!(!text.contains(['\0', '\n', '\u{feff}']) && text.trim() == text);
        understand(text);
        for command in ["go", "position", "setoption", "genfens", "speedtest"] {
            understand(&format!("{command} {text}"));
        }
    }
});

/// The lines of an input, nothing for those that are too long.
fn lines(mut input: impl io::BufRead) -> Vec<Option<String>> {
    std::iter::from_fn(|| next_line(&mut input).expect("bytes in memory")).collect()
}

/// A line about as long as can be kept, and another one after it. To read it takes so long that few inputs ask for it.
fn check_long(more: usize) {
    let length = MAX_LINE - 128 + more;
    let input = io::repeat(b'x').take(length as u64).chain(&b"\nisready"[..]);
    let lines = lines(BufReader::with_capacity(1 << 16, input));
    assert_eq!(lines[0].as_ref().map(String::len), (length <= MAX_LINE).then_some(length));
    assert_eq!(lines[1..], [Some("isready".to_string())]);
}

/// A line as a command.
fn understand(text: &str) {
    match Command::parse(text) {
        Command::Nothing => assert!(text.trim_ascii().is_empty()),
        Command::Unknown(word) => assert!(!uci::is_keyword(&word) && text.contains(&word)),
        Command::Misused(expected) => assert!(!expected.is_empty()),
        Command::Position(Err(error)) => assert!(!error.to_string().is_empty()),
        Command::Position(Ok(position)) => {
            for spelling in [Spelling::Coordinates, Spelling::Any] {
                match position.game(spelling) {
                    Err(error) => assert!(!error.to_string().is_empty()),
                    Ok(game) => {
                        let again = Command::parse(&uci::position_line(&game, true));
                        let Command::Position(Ok(again)) = again else { panic!("{again:?}") };
                        assert_eq!(again.game(Spelling::Coordinates).expect("a game").board(), game.board());
                    }
                }
            }
        }
        Command::Go(Err(bad)) => assert!(!bad.error.to_string().is_empty()),
        Command::Go(Ok(go)) => {
            let board = Board::start();
            if let Ok((moves, _)) = go.legal_moves(&board, Spelling::Any) {
                assert!(moves.iter().all(|&mv| board.is_legal(mv)));
            }
        }
        Command::SetOption(option) => {
            assert_eq!(Command::parse(&option.to_string()), Command::SetOption(option.clone()));
            // Tables and threads of every size are not the point.
            if !["hash", "threads", "evalfile"].contains(&option.name.to_lowercase().as_str()) {
                let mut engine = ENGINE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let engine = engine.get_or_insert_with(|| Engine::new(1).expect("a mebibyte"));
                if let Err(error) = options::set(&option, &mut options::Settings::default(), engine) {
                    assert!(!error.to_string().is_empty());
                }
            }
        }
        _ => {}
    }
    if let Some(info) = Info::parse(text).or_else(|| Info::parse(&format!("info {text}"))) {
        assert_eq!(Info::parse(&info.to_string()), Some(info));
    }
    if let Ok(line) = Declared::parse(text).command("1") {
        assert!(line.starts_with("setoption name "));
    }
}
