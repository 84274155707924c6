//! The accumulators: for every position on the way from the root, both sides' sums of input weights.
//!
//! A move only notes what it changes. The sums are brought up to date when an evaluation is asked for, from the last
//! position that has them; many positions are never asked about, because the table knows them or they are cut off.

use std::sync::Arc;

use chess::{Board, Color, Observer, Piece, PieceKind, Square, Value};

use super::features::View;
use super::network::Network;
use super::refresh::RefreshTable;
use super::simd::{Change, Kernels, Lane};
use crate::evaluation::Evaluator;
use crate::search::MAX_PLY;

/// One position on the way: what the move to it changed, and whose sums are up to date.
#[derive(Clone, Copy)]
struct Step {
    added: List,
    removed: List,
    /// Whether the sums are those of this position, for each side.
    current: [bool; 2],
    /// Whether the move changed how a side looks at the board, so that its sums cannot be had from the position before.
    new_view: [bool; 2],
}

/// Up to two pieces on squares.
#[derive(Clone, Copy)]
struct List {
    items: [(Piece, Square); 2],
    length: usize,
}

impl List {
    const EMPTY: List = List { items: [(Piece::new(Color::White, PieceKind::Pawn), Square::A1); 2], length: 0 };

    #[inline(always)]
    fn push(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.length < 2, "no move changes more than four pieces");
        self.items[self.length & 1] = (piece, square);
        self.length += 1;
    }
}

impl Step {
    const NEW: Step = Step { added: List::EMPTY, removed: List::EMPTY, current: [false; 2], new_view: [false; 2] };
}

/// A network at work: its sums for every position on the way from the root.
pub struct Accumulators {
    network: Arc<Network>,
    kernels: Kernels,
    refresh: RefreshTable,
    steps: Box<[Step]>,
    /// White's and Black's sums of every step.
    sums: Box<[Lane]>,
    /// Lanes per side.
    width: usize,
    top: usize,
}

const STEPS: usize = MAX_PLY + 8;

impl Accumulators {
    /// Evaluates with this network, as fast as this machine can.
    pub fn new(network: Arc<Network>) -> Accumulators {
        Accumulators::with_kernels(network, Kernels::best())
    }

    /// Evaluates with this network and these kernels.
    pub fn with_kernels(network: Arc<Network>, kernels: Kernels) -> Accumulators {
        let width = network.biases().len();
        Accumulators {
            refresh: RefreshTable::new(&network),
            kernels,
            steps: vec![Step::NEW; STEPS].into(),
            sums: vec![Lane::ZERO; STEPS * 2 * width].into(),
            width,
            top: 0,
            network,
        }
    }

    /// The network in use.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Brings one side's sums of the current position up to date.
    #[inline(always)]
    fn update(&mut self, board: &Board, side: Color) {
        if self.steps[self.top].current[side.index()] {
            return;
        }
        let mut from = self.top;
        loop {
            if self.steps[from].new_view[side.index()] || from == 0 {
                return self.start_over(board, side);
            }
            from -= 1;
            if self.steps[from].current[side.index()] {
                break;
            }
        }
        let view = View::new(side, board.king(side), self.network.king_buckets());
        for step in from + 1..=self.top {
            self.advance(step, view, side);
        }
    }

    /// Takes one side's sums from the refresh table.
    fn start_over(&mut self, board: &Board, side: Color) {
        let view = View::new(side, board.king(side), self.network.king_buckets());
        let sums = self.refresh.refresh(&self.network, &self.kernels, board, view, side);
        let offset = (self.top * 2 + side.index()) * self.width;
        self.sums[offset..][..self.width].copy_from_slice(sums);
        self.steps[self.top].current[side.index()] = true;
    }

    /// Makes one side's sums of a step from those of the step before.
    #[inline(always)]
    fn advance(&mut self, step: usize, view: View, side: Color) {
        let width = self.width;
        let (old, new) = self.sums.split_at_mut(step * 2 * width);
        let before = &old[((step - 1) * 2 + side.index()) * width..][..width];
        let after = &mut new[side.index() * width..][..width];
        let Step { added, removed, current, .. } = &mut self.steps[step];
        current[side.index()] = true;
        let row = |(piece, square)| self.network.row(view.feature(piece, square));
        let (a, r) = (added.items, removed.items);
        // SAFETY: the kernels are those of this machine, and all slices are `width` long.
        unsafe {
            match (added.length, removed.length) {
                (1, 1) => (self.kernels.quiet)(Change { after, before, added: [row(a[0])], removed: [row(r[0])] }),
                (1, 2) => (self.kernels.capture)(Change { after, before, added: [row(a[0])], removed: r.map(row) }),
                (2, 2) => (self.kernels.castle)(Change { after, before, added: a.map(row), removed: r.map(row) }),
                _ => after.copy_from_slice(before),
            }
        }
    }
}

impl Clone for Accumulators {
    /// A fresh start with the same network: the sums are not worth copying.
    fn clone(&self) -> Accumulators {
        Accumulators::with_kernels(self.network.clone(), self.kernels)
    }
}

impl Observer for Accumulators {
    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.steps[self.top].added.push(piece, square);
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.steps[self.top].removed.push(piece, square);
    }

    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let step = &mut self.steps[self.top];
        step.removed.push(piece, from);
        step.added.push(piece, to);
        if piece.kind == PieceKind::King {
            let buckets = self.network.king_buckets();
            let changed = View::new(piece.color, from, buckets) != View::new(piece.color, to, buckets);
            step.new_view[piece.color.index()] = changed;
        }
    }
}

impl Evaluator for Accumulators {
    fn reset(&mut self, board: &Board) {
        self.top = 0;
        self.steps[0] = Step::NEW;
        for side in [Color::White, Color::Black] {
            self.start_over(board, side);
        }
    }

    #[inline(always)]
    fn begin(&mut self) {
        self.top += 1;
        self.steps[self.top] = Step::NEW;
    }

    #[inline(always)]
    fn undo(&mut self) {
        self.top -= 1;
    }

    fn evaluate(&mut self, board: &Board) -> Value {
        self.update(board, Color::White);
        self.update(board, Color::Black);
        let sums = &self.sums[self.top * 2 * self.width..][..2 * self.width];
        let (white, black) = sums.split_at(self.width);
        let (ours, theirs) = if board.side_to_move() == Color::White { (white, black) } else { (black, white) };
        let bucket = self.network.output_bucket(board);
        // SAFETY: the kernels are those of this machine; the weights are twice as long as a side's sums.
        let sum = unsafe { (self.kernels.output)(ours, theirs, self.network.output_weights(bucket)) };
        self.network.value(sum, bucket)
    }
}

#[cfg(test)]
mod tests {
    use chess::Setup;

    use super::super::network::{Shape, tests::random_file};
    use super::*;

    fn network(hidden: usize, king_buckets: usize, output_buckets: usize) -> Arc<Network> {
        let shape = Shape { hidden, king_buckets, output_buckets };
        Network::shared(&random_file(shape, hidden as u64)).expect("a whole file")
    }

    /// The definition of the network's value, written without any of the code above.
    fn from_scratch(network: &Network, board: &Board) -> Value {
        let shape = network.shape();
        let sums = |side: Color| -> Vec<i64> {
            let turn = |square: Square| if side == Color::White { square } else { square.flip_rank() };
            let king = turn(board.king(side));
            let mirror = king.file() >= 4;
            let see = |square: Square| if mirror { turn(square).flip_file() } else { turn(square) };
            let bucket = usize::from(network.king_buckets()[see(board.king(side)).index()]);
            let mut sums: Vec<i64> = network.input_biases().map(i64::from).collect();
            for square in board.occupied() {
                let Some(piece) = board.piece_on(square) else { continue };
                let theirs = usize::from(piece.color != side);
                let feature = ((bucket * 2 + theirs) * 6 + piece.kind.index()) * 64 + see(square).index();
                for (sum, weight) in sums.iter_mut().zip(network.input_weights(feature)) {
                    *sum += i64::from(weight);
                }
            }
            sums
        };
        let us = board.side_to_move();
        let men = board.occupied().len() as usize;
        let bucket = ((men - 2) * shape.output_buckets / 32).min(shape.output_buckets - 1);
        let total: i64 = sums(us)
            .into_iter()
            .chain(sums(!us))
            .zip(network.output_weights_of(bucket))
            .map(|(sum, weight)| sum.clamp(0, 255).pow(2) * i64::from(weight))
            .sum();
        ((total / 255 + i64::from(network.output_biases()[bucket])) * 400 / (255 * 64)) as Value
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % bound
        }
    }

    /// Plays at random, evaluating now and then, passing now and then, and going back a few moves now and then.
    fn random_walk(evaluation: &mut Accumulators, start: Board, random: &mut Random, plies: usize) {
        let network = evaluation.network().clone();
        evaluation.reset(&start);
        let mut line = vec![start];
        for _ in 0..plies {
            let board = line.last().expect("the start stays").clone();
            let moves = board.legal_moves();
            if moves.is_empty() || line.len() > 200 || random.below(12) == 0 {
                for _ in 0..random.below(line.len().min(6)) {
                    evaluation.undo();
                    line.pop();
                }
                continue;
            }
            evaluation.begin();
            if !board.in_check() && random.below(10) == 0 {
                line.push(board.after_null());
            } else {
                // King moves and castling are what is difficult here, so they are made often.
                let kings: Vec<_> = moves.iter().filter(|mv| mv.from() == board.king(board.side_to_move())).collect();
                let mv = if !kings.is_empty() && random.below(4) == 0 {
                    *kings[random.below(kings.len())]
                } else {
                    moves[random.below(moves.len())]
                };
                let mut next = board.clone();
                next.make_from(&board, mv, evaluation);
                line.push(next);
            }
            if random.below(3) > 0 {
                let board = line.last().expect("just pushed");
                assert_eq!(evaluation.evaluate(board), from_scratch(&network, board), "{}", board.fen());
            }
        }
    }

    const STARTS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "1r1k1r2/8/8/3pP3/8/8/8/1R1K1R2 w FBfb d6 0 1",
        "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
    ];

    #[test]
    fn kept_up_to_date_equals_from_scratch() {
        let mut random = Random(11);
        for (hidden, king_buckets, output_buckets) in [(32, 1, 1), (64, 1, 8), (32, 4, 8), (96, 9, 5)] {
            let network = network(hidden, king_buckets, output_buckets);
            for kernels in Kernels::available() {
                let mut evaluation = Accumulators::with_kernels(network.clone(), kernels);
                for game in 0..90 {
                    let start = Board::from_fen(STARTS[game % STARTS.len()]).expect("legal");
                    random_walk(&mut evaluation, start, &mut random, 120);
                }
                for _ in 0..40 {
                    let (white, black) = (random.below(960), random.below(960));
                    let start = Setup::double_chess960(white as u16, black as u16).validate().expect("legal");
                    random_walk(&mut evaluation, start, &mut random, 80);
                }
            }
        }
    }

    #[test]
    fn colours_and_wings_are_treated_alike() {
        let network = network(64, 1, 8);
        let value = |fen: &str| from_scratch_and_kept(&network, &Board::from_fen(fen).expect("legal"));
        let placement = "2kr3r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/2KR3R";
        let white = value(&format!("{placement} w - - 0 1"));
        assert_eq!(white, value("2kr3r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/2KR3R b - - 0 1"));
        assert_eq!(white, value(&format!("{} w - - 0 1", mirrored(placement))));
    }

    fn mirrored(placement: &str) -> String {
        let rows: Vec<String> = placement.split('/').map(|row| row.chars().rev().collect()).collect();
        rows.join("/")
    }

    fn from_scratch_and_kept(network: &Arc<Network>, board: &Board) -> Value {
        let mut evaluation = Accumulators::new(network.clone());
        evaluation.reset(board);
        let value = evaluation.evaluate(board);
        assert_eq!(value, from_scratch(network, board));
        value
    }
}
