//! Endgame tables: that they are read right, used right, and do no harm when they are damaged.
//!
//! The tables of up to four men are looked for in `../shared/syzygy` beside the repository, or in SYZYGY_PATH; without
//! them there is nothing to test. SYZYGY_FACTOR=N tests N times as much.

mod damage;
mod games;
mod probes;
mod search;

use std::path::PathBuf;

use chess::{Board, Color, Game, Piece, PieceKind, Setup, Square};
use engine::syzygy::Notice;
use engine::{Control, Engine, Limits, Line, NoClock, Outcome, Reporter};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};
use shakmaty_syzygy::Tablebase;

/// Where the tables are, if they are here.
fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/syzygy");
    let folder = std::env::var_os("SYZYGY_PATH").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("there are no tables in {}: not tested", folder.display());
    None
}

/// How many times as much to test as usual.
fn factor() -> usize {
    std::env::var("SYZYGY_FACTOR").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// An engine with tables.
fn engine(folder: &std::path::Path) -> Engine {
    let mut engine = Engine::new(4).expect("memory");
    engine.syzygy_mut().set_path(&folder.display().to_string());
    let faults: Vec<_> =
        engine.syzygy_mut().take_notices().into_iter().filter(|notice| matches!(notice, Notice::Fault(_))).collect();
    assert_eq!(faults, []);
    engine
}

/// Hears everything, and checks that variations are legal.
#[derive(Default)]
struct Listener {
    board: Option<Board>,
    notices: Vec<Notice>,
    tbhits: u64,
    /// The lines of the last depth.
    lines: Vec<(usize, chess::Score)>,
}

impl Reporter for Listener {
    fn line(&mut self, line: &Line<'_>) {
        let mut board = self.board.clone().expect("told");
        for &mv in line.pv {
            assert!(board.is_legal(mv), "{mv:?} in {}", board.fen());
            board.make(mv);
        }
        if let Some(moves) = line.score.mate_moves().filter(|_| line.bound == engine::Bound::Exact) {
            let plies = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
            assert!(line.pv.len() < plies as usize || board.is_checkmate(), "{}", board.fen());
        }
        self.tbhits = line.tbhits;
        if line.multipv == 1 {
            self.lines.clear();
        }
        self.lines.push((line.multipv, line.score));
    }

    fn notice(&mut self, notice: &Notice) {
        self.notices.push(notice.clone());
    }
}

fn search(engine: &mut Engine, game: &Game, limits: &Limits) -> (Outcome, Listener) {
    let mut listener = Listener { board: Some(game.board().clone()), ..Listener::default() };
    let outcome = engine.search(game, limits, &Control::default(), &NoClock, &mut listener);
    (outcome, listener)
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A position as shakmaty reads it from text, which is not how the engine does it.
fn position(board: &Board) -> Chess {
    let fen: Fen = board.fen().parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).expect("legal")
}

/// The tables as shakmaty-syzygy reads them by itself.
fn oracle(folder: &std::path::Path) -> Tablebase<Chess> {
    let mut oracle = Tablebase::new();
    oracle.add_directory(folder).expect("tables");
    oracle
}

/// Random numbers and random positions (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit
    }

    /// A legal position with these men, given as in the name of a table.
    fn position(&mut self, name: &str) -> Board {
        loop {
            let mut setup = Setup::empty();
            for (side, color) in name.split('v').zip(Color::ALL) {
                for letter in side.chars() {
                    let kind = PieceKind::ALL["PNBRQK".find(letter).expect("a piece")];
                    let square = self.below(64);
                    setup.pieces[square] = Some(Piece::new(color, kind));
                }
            }
            let men = setup.pieces.iter().flatten().count();
            setup.side_to_move = if self.below(2) == 0 { Color::White } else { Color::Black };
            if let Ok(board) = setup.validate()
                && men + 1 == name.len()
            {
                return board;
            }
        }
    }

    /// A legal position with a pawn on either side, one of which can take the other en passant.
    fn en_passant(&mut self) -> Board {
        loop {
            let mut setup = Setup::empty();
            setup.side_to_move = Color::ALL[self.below(2)];
            let (us, file) = (setup.side_to_move, self.below(7));
            for (color, file) in [(us, file), (!us, file + 1)] {
                let square = Square::at(file as u8, 4).relative_to(us);
                setup.pieces[square.index()] = Some(Piece::new(color, PieceKind::Pawn));
                setup.pieces[self.below(64)] = Some(Piece::new(color, PieceKind::King));
            }
            setup.en_passant = Some(Square::at(file as u8 + 1, 5).relative_to(us));
            if let Ok(board) = setup.validate()
                && board.en_passant().is_some()
                && board.occupied().len() == 4
            {
                return board;
            }
        }
    }

    /// A legal position with two to four men.
    fn any_position(&mut self) -> Board {
        if self.below(50) == 0 {
            return self.en_passant();
        }
        let piece = |random: &mut Random| char::from(b"QRBNP"[random.below(5)]);
        let mut sides = ["K".to_string(), "K".to_string()];
        for _ in 0..[1, 2, 2, 2, 2][self.below(5)] {
            let side = self.below(2);
            sides[side].push(piece(self));
        }
        self.position(&sides.join("v"))
    }

    /// The same position with another clock.
    fn with_clock(&mut self, board: &Board, limit: usize) -> Board {
        let mut setup = Setup::of(board);
        if setup.en_passant.is_none() {
            setup.halfmove_clock = self.below(limit) as u16;
        }
        setup.fullmove_number = 100;
        setup.validate().expect("still legal")
    }
}
