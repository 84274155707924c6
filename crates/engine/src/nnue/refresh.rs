//! The refresh table: for every view of a side, the sums of the last position seen that way, and its pieces.
//!
//! When a king crosses to another view, all of its side's inputs change. The position last seen from that view differs
//! from the present one by a few pieces, so going on from there is cheaper than from nothing.

use chess::{Bitboard, Board, Color, Piece, PieceKind};

use super::features::View;
use super::network::Network;
use super::simd::{Kernels, Lane};

/// The pieces of a position, by colour and kind.
type Pieces = [[Bitboard; 6]; 2];

/// The sums and pieces last seen, for every view of both sides.
pub struct RefreshTable {
    sums: Box<[Lane]>,
    pieces: Box<[Pieces]>,
    views: usize,
    width: usize,
}

/// Rows that can come or go at once: as many as there are men.
const MOST: usize = 32;

impl RefreshTable {
    /// A table that has seen empty boards.
    pub fn new(network: &Network) -> RefreshTable {
        let views = 2 * network.shape().king_buckets;
        RefreshTable {
            sums: network.biases().repeat(2 * views).into(),
            pieces: vec![Pieces::default(); 2 * views].into(),
            views,
            width: network.biases().len(),
        }
    }

    /// The sums of `color`'s view of a position.
    pub fn refresh(&mut self, network: &Network, kernels: &Kernels, board: &Board, view: View, side: Color) -> &[Lane] {
        let slot = side.index() * self.views + view.index();
        let sums = &mut self.sums[slot * self.width..][..self.width];
        let (mut added, mut removed) = (Rows::new(), Rows::new());
        for color in [Color::White, Color::Black] {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                let (old, new) = (self.pieces[slot][color.index()][kind.index()], board.pieces(color, kind));
                for square in new - old {
                    added.push(network.row(view.feature(piece, square)));
                }
                for square in old - new {
                    removed.push(network.row(view.feature(piece, square)));
                }
                self.pieces[slot][color.index()][kind.index()] = new;
            }
        }
        // SAFETY: the kernels are those of this machine, and all rows are as long as the sums.
        unsafe { (kernels.many)(sums, added.get(), removed.get()) };
        sums
    }
}

/// A short list of rows, without allocation.
struct Rows<'a> {
    rows: [&'a [Lane]; MOST],
    length: usize,
}

impl<'a> Rows<'a> {
    fn new() -> Rows<'a> {
        Rows { rows: [&[]; MOST], length: 0 }
    }

    fn push(&mut self, row: &'a [Lane]) {
        self.rows[self.length] = row;
        self.length += 1;
    }

    fn get(&self) -> &[&'a [Lane]] {
        &self.rows[..self.length]
    }
}
