//! Files of training positions, and the labels that a game gives its positions.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use chess::Color;
pub use train::position::{Labels, NO_RESULT, Position, SIZE, game_of, is_sound, pack, set_game, set_score};

use crate::failure::{Failure, Result};
use crate::records::GameResult;

/// The labels of a position of a game; the score is White's.
pub fn labels(score: i16, result: GameResult, ply: u32, game: u32) -> Labels {
    Labels { score, half_points: result.half_points(Color::White), ply, game }
}

/// Reads a file of positions piece by piece.
pub fn read(path: &Path, mut take: impl FnMut(&mut [Position]) -> Result<()>) -> Result<()> {
    let failed = |error| Failure::file("read", path, error);
    let mut file = File::open(path).map_err(failed)?;
    let len = file.metadata().map_err(failed)?.len();
    if len % SIZE as u64 != 0 {
        let message = format!("{len} bytes are not a whole number of positions of {SIZE} bytes");
        return Err(Failure::file("understand", path, message));
    }
    let mut buffer = vec![[0; SIZE]; 1 << 15];
    let mut left = len as usize / SIZE;
    while left > 0 {
        let part = left.min(buffer.len());
        let part = &mut buffer[..part];
        file.read_exact(part.as_flattened_mut()).map_err(failed)?;
        left -= part.len();
        take(part)?;
    }
    Ok(())
}
