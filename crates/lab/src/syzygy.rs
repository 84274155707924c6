//! Endgame tables as an arbiter: a game that has come to a known position is over.

use std::fmt;
use std::path::Path;

use chess::{Board, Color};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::{Tablebase, Wdl};

use crate::failure::{Failure, Result};
use crate::records::GameResult;

/// The tables of one or more folders.
pub struct Tables {
    tables: Tablebase<Chess>,
    most: u32,
}

impl Tables {
    /// The tables in these folders, separated as the system separates paths.
    pub fn open(path: &Path) -> Result<Tables> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        for folder in std::env::split_paths(path) {
            files +=
                tables.add_directory(&folder).map_err(|error| Failure::file("read the tables in", &folder, error))?;
        }
        if files == 0 {
            return Err(Failure::file("use", path, "there are no Syzygy tables in it"));
        }
        let most = u32::try_from(tables.max_pieces()).unwrap_or(0);
        Ok(Tables { tables, most })
    }

    /// Who wins with best play by both sides and the fifty-move rule. None if it is not known. Only asked right after
    /// a capture or a pawn move: there the tables know the answer for certain.
    pub fn winner(&self, board: &Board) -> Option<GameResult> {
        if board.halfmove_clock() != 0 || board.occupied().len() > self.most || !board.castling().is_empty() {
            return None;
        }
        let fen: Fen = board.fen().parse().ok()?;
        let position: Chess = fen.into_position(CastlingMode::Standard).ok()?;
        let side: Color = board.side_to_move();
        match self.tables.probe_wdl_after_zeroing(&position).ok()? {
            Wdl::Win => Some(GameResult::won_by(side)),
            Wdl::Loss => Some(GameResult::won_by(!side)),
            _ => Some(GameResult::Draw),
        }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tables of up to {} men", self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_without_tables_are_named() {
        for path in ["/no/such/folder", env!("CARGO_MANIFEST_DIR")] {
            let message = Tables::open(Path::new(path)).err().map(|failure| failure.to_string()).unwrap_or_default();
            assert!(message.contains(path), "{message}");
        }
    }

    /// Needs tables of three men in SYZYGY_PATH or in `../shared/syzygy` beside the repository.
    #[test]
    fn known_positions_are_judged() {
        let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/syzygy");
        let path = std::env::var_os("SYZYGY_PATH").map_or_else(beside, Into::into);
        if !path.is_dir() {
            eprintln!("there is no folder {}: not tested", path.display());
            return;
        }
        let tables = Tables::open(&path).expect("tables");
        let winner = |fen: &str| tables.winner(&Board::from_fen(fen).expect(fen));
        assert_eq!(winner("8/8/8/3k4/8/8/8/KQ6 b - - 0 60"), Some(GameResult::won_by(Color::White)));
        assert_eq!(winner("8/8/8/3k4/8/8/8/KQ6 b - - 3 60"), None);
        assert_eq!(winner("8/8/8/8/8/k7/p7/K7 w - - 0 60"), Some(GameResult::Draw));
        assert_eq!(winner("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
    }
}
