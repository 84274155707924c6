//! Syzygy endgame tables: who wins with few men on the board (WDL, asked in the search) and how far it is to the next
//! capture, pawn move or mate (DTZ, asked at the root). All threads ask the same tables. Whatever is wrong with a table
//! becomes a notice and an "I do not know"; the search goes on.

pub mod checksum;
mod city;
mod files;
mod names;
mod root;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use chess::{Board, Color, PieceKind, Score};
use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, PositionError, Setup, Square};
pub use shakmaty_syzygy::Wdl;
use shakmaty_syzygy::{Metric, ProbeError, SyzygyError, Tablebase};

use crate::base::Bound;
use files::{Files, lock};

/// Something to tell the user about the tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// What there is.
    Found(String),
    /// What is wrong.
    Fault(String),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Found(text) => f.write_str(text),
            Notice::Fault(text) => write!(f, "error: {text}"),
        }
    }
}

/// How far it is to the next capture, pawn move or mate, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance {
    /// Plies: positive if it wins, negative if it loses, 0 in a draw. More than 100 if the fifty-move rule saves the
    /// draw.
    pub plies: i32,
    /// Whether it may be a ply more: most tables count full moves.
    pub rounded: bool,
}

/// Tables that have been opened.
pub struct Tables {
    base: Tablebase<Chess>,
    paths: HashMap<String, PathBuf>,
    /// False once a probe has broken down.
    usable: AtomicBool,
    faults: Mutex<Faults>,
}

/// What went wrong with which table.
#[derive(Default)]
struct Faults {
    known: HashSet<String>,
    untold: Vec<Notice>,
}

impl Tables {
    /// Tables of more bytes are not checked when they are first asked, which at 1 GB/s would cost a player 30 ms and more.
    pub const CHECKED: u64 = 32 << 20;

    /// The tables in these folders, separated as the system separates paths. Nothing if there are none.
    pub fn open(folders: &str) -> (Option<Tables>, Vec<Notice>) {
        Tables::open_checking(folders, Tables::CHECKED)
    }

    /// The same, but checking tables of up to so many bytes.
    pub fn open_checking(folders: &str, checked: u64) -> (Option<Tables>, Vec<Notice>) {
        let mut base = Tablebase::with_filesystem(Arc::new(Files::new(checked)));
        let (mut paths, mut notices) = (HashMap::new(), Vec::new());
        for folder in std::env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty()) {
            add_folder(&mut base, &folder, &mut paths, &mut notices);
        }
        if paths.is_empty() {
            notices.push(Notice::Fault(format!("there are no Syzygy tables in '{folders}'")));
            return (None, notices);
        }
        let stems = |extension: &str| -> HashSet<String> {
            paths.keys().filter_map(|name: &String| name.strip_suffix(extension)).map(str::to_string).collect()
        };
        let (wdl, dtz) = (stems(".rtbw"), stems(".rtbz"));
        let men = base.max_pieces();
        let found = format!("{} WDL and {} DTZ tables found, up to {men} men", wdl.len(), dtz.len());
        notices.push(Notice::Found(found));
        let missing = [names::missing(&wdl, men, "WDL"), names::missing(&dtz, men, "DTZ")];
        notices.extend(missing.into_iter().flatten().map(Notice::Found));
        (Some(Tables { base, paths, usable: AtomicBool::new(true), faults: Mutex::default() }), notices)
    }

    /// The most men of any table.
    pub fn men(&self) -> u32 {
        self.base.max_pieces() as u32
    }

    /// Who wins with best play by both sides, if the last move was a capture or a pawn move.
    pub fn wdl(&self, board: &Board) -> Option<Wdl> {
        self.ask(board, |base, position| base.probe_wdl_after_zeroing(position))
    }

    /// How far it is to the next move that cannot be taken back.
    pub fn distance(&self, board: &Board) -> Option<Distance> {
        let distance = self.ask(board, |base, position| base.probe_dtz(position))?;
        Some(Distance { plies: distance.ignore_rounding().0, rounded: distance.precise().is_none() })
    }

    /// What has gone wrong since this was last asked.
    pub fn take_faults(&self) -> Vec<Notice> {
        std::mem::take(&mut lock(&self.faults).untold)
    }

    fn ask<T>(
        &self,
        board: &Board,
        probe: impl FnOnce(&Tablebase<Chess>, &Chess) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        if !self.usable.load(Relaxed) {
            return None;
        }
        let position = convert(board)?;
        // The reader of the tables checks what it reads, but not all of it.
        match catch_unwind(AssertUnwindSafe(|| probe(&self.base, &position))) {
            Ok(Ok(value)) => Some(value),
            Ok(Err(error)) => {
                self.note(&error);
                None
            }
            Err(_) => {
                self.usable.store(false, Relaxed);
                let text = format!("the tables broke down at {} and are not used any more", board.fen());
                lock(&self.faults).untold.push(Notice::Fault(text));
                None
            }
        }
    }

    /// Writes down what is wrong with a table, once. Which ones are missing was told when the others were opened.
    #[cold]
    fn note(&self, error: &SyzygyError) {
        let SyzygyError::ProbeFailed { metric, material, error } = error else { return };
        let extension = match metric {
            Metric::Wdl => "rtbw",
            Metric::Dtz => "rtbz",
        };
        let name = format!("{material}.{extension}");
        let mut faults = lock(&self.faults);
        if faults.known.insert(name.clone()) {
            let other = format!("{}.{extension}", names::swapped(&material.to_string()));
            let path = self.paths.get(&name).or_else(|| self.paths.get(&other));
            let path = path.map_or(name, |path| path.display().to_string());
            let why = match &**error {
                ProbeError::Read { error } => error.to_string(),
                ProbeError::Magic { .. } => "it is not a Syzygy table".to_string(),
                ProbeError::CorruptedTable { .. } => "it is damaged".to_string(),
            };
            faults.untold.push(Notice::Fault(format!("cannot use the table {path}: {why}")));
        }
    }
}

/// Adds every table of a folder.
fn add_folder(
    base: &mut Tablebase<Chess>,
    folder: &Path,
    paths: &mut HashMap<String, PathBuf>,
    notices: &mut Vec<Notice>,
) {
    let entries = match folder.read_dir() {
        Ok(entries) => entries,
        Err(error) => {
            let text = format!("cannot read the tables in '{}': {error}", folder.display());
            return notices.push(Notice::Fault(text));
        }
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        match base.add_file(&path) {
            Ok(()) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                paths.insert(name, path);
            }
            // Not a table at all.
            Err(error) if error.kind() == ErrorKind::InvalidInput => {}
            Err(error) => {
                let why = match error.kind() {
                    ErrorKind::InvalidData => "its length is not that of a table; it may be incomplete".to_string(),
                    _ => error.to_string(),
                };
                notices.push(Notice::Fault(format!("cannot use the table {}: {why}", path.display())));
            }
        }
    }
}

/// The position as the tables want it; none if somebody may still castle, which tables do not know.
fn convert(board: &Board) -> Option<Chess> {
    if !board.castling().is_empty() {
        return None;
    }
    let kind = |kind: PieceKind| Bitboard(board.kind(kind).0);
    let by_role = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let by_color =
        ByColor { black: Bitboard(board.color(Color::Black).0), white: Bitboard(board.color(Color::White).0) };
    let setup = Setup {
        board: shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: shakmaty::Color::from_white(board.side_to_move() == Color::White),
        ep_square: board.en_passant().map(|square| Square::new(square.index() as u32)),
        ..Setup::empty()
    };
    // The rules here let two checkers through that have the king between them; no game leads to that.
    setup.position(CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
}

/// The tables and how they are used: what the UCI options set.
pub struct Syzygy {
    tables: Option<Tables>,
    notices: Vec<Notice>,
    /// Positions with the most men that the tables have are looked up only from this depth on.
    pub probe_depth: i32,
    /// Positions with more men are not looked up.
    pub probe_limit: u32,
    /// Whether a win that the fifty-move rule spoils is a draw.
    pub fifty_move_rule: bool,
}

impl Default for Syzygy {
    fn default() -> Syzygy {
        Syzygy { tables: None, notices: Vec::new(), probe_depth: 1, probe_limit: 7, fifty_move_rule: true }
    }
}

impl Syzygy {
    /// Uses the tables in these folders from now on; none if it is empty.
    pub fn set_path(&mut self, folders: &str) {
        self.tables = None;
        if !folders.is_empty() && folders != "<empty>" {
            let notices;
            (self.tables, notices) = Tables::open(folders);
            self.notices.extend(notices);
        }
    }

    /// The tables, if there are any.
    pub fn tables(&self) -> Option<&Tables> {
        self.tables.as_ref()
    }

    /// What there is to tell since this was last asked.
    pub fn take_notices(&mut self) -> Vec<Notice> {
        let mut notices = std::mem::take(&mut self.notices);
        notices.extend(self.tables.iter().flat_map(Tables::take_faults));
        notices
    }

    /// The most men of a position that is looked up; 0 without tables.
    fn men(&self) -> u32 {
        self.tables.as_ref().map_or(0, |tables| tables.men().min(self.probe_limit))
    }

    /// What the search asks the tables with.
    pub(crate) fn prober(&self) -> Prober<'_> {
        let (men, depth) = (self.men(), self.probe_depth);
        Prober { tables: self.tables.as_ref(), men, depth, fifty_move_rule: self.fifty_move_rule }
    }
}

/// Asks the tables from within the search.
#[derive(Clone, Copy)]
pub(crate) struct Prober<'a> {
    tables: Option<&'a Tables>,
    /// The most men of a position that is looked up; 0 if none is.
    men: u32,
    depth: i32,
    fifty_move_rule: bool,
}

impl Prober<'_> {
    /// The same, but it asks nothing more.
    pub fn resting(self) -> Self {
        Prober { men: 0, ..self }
    }

    /// Whether the tables may know a position. They know it for certain only right after a capture or a pawn move:
    /// later the fifty-move rule may spoil what they promise.
    #[inline(always)]
    pub fn applies(&self, board: &Board) -> bool {
        board.halfmove_clock() == 0 && board.occupied().len() <= self.men
    }

    /// What is known of a position, and how: a win is won by this much or sooner by mate, a draw is a draw.
    pub fn probe(&self, board: &Board, depth: i32, ply: usize) -> Option<(Score, Bound)> {
        if board.occupied().len() == self.men && depth < self.depth {
            return None;
        }
        let wdl = self.tables?.wdl(board)?;
        Some(match value(wdl, self.fifty_move_rule) {
            Value::Win => (Score::tablebase_win_in(ply), Bound::Lower),
            Value::Draw(score) => (score, Bound::Exact),
            Value::Loss => (Score::tablebase_loss_in(ply), Bound::Upper),
        })
    }

    /// What has gone wrong since this was last asked.
    pub fn take_faults(&self) -> Vec<Notice> {
        self.tables.map_or(Vec::new(), Tables::take_faults)
    }
}

/// What a position is worth.
enum Value {
    Win,
    Draw(Score),
    Loss,
}

/// A win that takes too long is a draw by the fifty-move rule, though a nicer one than others.
fn value(wdl: Wdl, fifty_move_rule: bool) -> Value {
    match wdl {
        Wdl::Win => Value::Win,
        Wdl::CursedWin if !fifty_move_rule => Value::Win,
        Wdl::CursedWin => Value::Draw(Score(1)),
        Wdl::Draw => Value::Draw(Score::DRAW),
        Wdl::BlessedLoss if fifty_move_rule => Value::Draw(Score(-1)),
        Wdl::BlessedLoss | Wdl::Loss => Value::Loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_that_breaks_down_switches_the_tables_off() {
        let base = Tablebase::with_filesystem(Arc::new(Files::new(Tables::CHECKED)));
        let tables = Tables { base, paths: HashMap::new(), usable: AtomicBool::new(true), faults: Mutex::default() };
        let board = Board::from_fen("8/8/8/3k4/8/8/4R3/K7 w - - 0 1").expect("legal");
        assert_eq!(tables.ask(&board, |_, _| Ok(7)), Some(7));
        assert_eq!(tables.ask(&board, |_, _| -> Result<i32, SyzygyError> { panic!("a damaged table") }), None);
        assert_eq!(tables.ask(&board, |_, _| Ok(7)), None, "switched off");
        let faults = tables.take_faults();
        assert!(faults.len() == 1 && faults[0].to_string().contains(&board.fen()), "{faults:?}");
        assert_eq!(tables.take_faults(), []);
    }

    #[test]
    fn without_tables_nothing_is_asked() {
        let mut syzygy = Syzygy::default();
        let board = Board::from_fen("8/8/8/3k4/8/8/4R3/K7 w - - 0 1").expect("legal");
        for path in ["", "<empty>"] {
            syzygy.set_path(path);
            assert!(!syzygy.prober().applies(&board) && syzygy.take_notices().is_empty());
        }
        syzygy.set_path("/no/such/folder");
        assert!(!syzygy.prober().applies(&board) && syzygy.take_notices().len() == 2);
    }
}
