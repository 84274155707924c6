//! Any text as what follows `go`, `position` and `setoption`: a complaint, or a search of a legal position within its
//! limits. A position that was understood can be flipped and is the same after the second time.

#![no_main]
#![allow(dead_code, reason = "the program uses more of these files")]

use std::sync::Mutex;

use chess::Board;
use engine::Engine;
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/gannet/src/options.rs"]
mod options;
#[path = "../../crates/gannet/src/uci"]
mod uci {
    pub mod control;
    pub mod go;
    pub mod position;
}

/// Made once; to make an engine takes longer than everything else here.
static ENGINE: Mutex<Option<Engine>> = Mutex::new(None);

fuzz_target!(|text: &str| {
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
        if let Err(error) = options::set(&text.split(' ').collect::<Vec<_>>(), &mut settings, engine) {
            assert!(!error.to_string().is_empty());
        }
    }
    if let Ok(Ok((limits, _))) = uci::go::Go::parse(&words).map(|go| go.limits(&board, &settings)) {
        assert!(limits.moves.iter().all(|&mv| board.is_legal(mv)));
        assert!(limits.depth.is_none_or(|depth| depth > 0) && limits.nodes.is_none_or(|nodes| nodes > 0));
    }
});
