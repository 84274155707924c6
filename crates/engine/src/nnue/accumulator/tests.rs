//! Sums that are kept up to date against sums from scratch, and against the trainer's values.

use chess::{Move, Setup};

use super::super::network::{Shape, tests::random_file};
use super::*;
use crate::evaluation::Source;

fn network(hidden: usize, king_buckets: usize, output_buckets: usize, tail: bool) -> Arc<Network> {
    let shape = Shape { hidden, king_buckets, output_buckets, tail };
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
    if let Some(tail) = network.tail() {
        return tail_from_scratch(tail, bucket, [sums(us), sums(!us)]);
    }
    let total: i64 = sums(us)
        .into_iter()
        .chain(sums(!us))
        .zip(network.output_weights_of(bucket))
        .map(|(sum, weight)| sum.clamp(0, 255).pow(2) * i64::from(weight))
        .sum();
    ((total / 255 + i64::from(network.output_biases()[bucket])) * 400 / (255 * 64)) as Value
}

/// The same for the layers behind the sums of a network with a tail.
fn tail_from_scratch(tail: &Tail, bucket: usize, sums: [Vec<i64>; 2]) -> Value {
    let clipped = |sum: i64| sum.clamp(0, 255);
    let products = sums.iter().flat_map(|sums| {
        let pairs = (0..sums.len()).filter(|neuron| neuron % 64 < 32).map(|neuron| (sums[neuron], sums[neuron + 32]));
        pairs.map(|(a, b)| (clipped(a) * clipped(b) + 256) / 512)
    });
    let weights: Vec<i8> = tail.dense_of(bucket).collect();
    let mut first = [0i64; 16];
    for (input, product) in products.enumerate() {
        for (neuron, sum) in first.iter_mut().enumerate() {
            *sum += product * i64::from(weights[input * 16 + neuron]);
        }
    }
    let numbers: Vec<f32> = tail.numbers_of(bucket).collect();
    let squared = |sum: f32| sum.clamp(0.0, 1.0) * sum.clamp(0.0, 1.0);
    let mut second = numbers[528..560].to_vec();
    for (input, sum) in first.iter().enumerate() {
        let activation = squared(*sum as f32 * (8.0 / 65025.0) + numbers[input]);
        for (neuron, sum) in second.iter_mut().enumerate() {
            *sum += activation * numbers[16 + input * 32 + neuron];
        }
    }
    let mut parts: Vec<f32> =
        second.iter().zip(&numbers[560..592]).map(|(&sum, weight)| squared(sum) * weight).collect();
    while parts.len() > 1 {
        let upper = parts.split_off(parts.len() / 2);
        parts.iter_mut().zip(upper).for_each(|(part, other)| *part += other);
    }
    ((parts[0] + numbers[592]) * 400.0) as Value
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

/// What the games of a test met: each of it is a way to get the sums wrong.
#[derive(Default, Debug)]
struct Events {
    games: usize,
    evaluations: usize,
    /// Castling of standard chess: king's wing, queen's wing.
    castling: [usize; 2],
    /// Castling that only Chess960 has.
    chess960: [usize; 2],
    en_passant: usize,
    promotions: usize,
    /// The king came to the other half of the board, where everything is seen mirrored.
    crossings: usize,
    nulls: usize,
    undone: usize,
}

impl Events {
    fn note(&mut self, board: &Board, mv: Move, next: &Board) {
        let side = board.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            let is_standard = from.file() == 4 && matches!(to.file(), 0 | 7);
            let counts = if is_standard { &mut self.castling } else { &mut self.chess960 };
            counts[usize::from(to.file() < from.file())] += 1;
        }
        self.en_passant += usize::from(mv.is_en_passant());
        self.promotions += usize::from(mv.is_promotion());
        self.crossings += usize::from((board.king(side).file() < 4) != (next.king(side).file() < 4));
    }
}

/// The same position with the colours exchanged.
fn colours_exchanged(board: &Board) -> Board {
    let mut setup = Setup::empty();
    for square in board.occupied() {
        let piece = board.piece_on(square).expect("occupied");
        setup.pieces[square.flip_rank().index()] = Some(Piece::new(!piece.color, piece.kind));
    }
    setup.side_to_move = !board.side_to_move();
    setup.validate().expect("as legal as the other")
}

/// One network with one arithmetic, and a second pair of sums for positions with the colours exchanged.
struct Walker {
    evaluation: Accumulators,
    flipped: Accumulators,
}

impl Walker {
    fn new(network: &Arc<Network>, kernels: Kernels) -> Walker {
        let new = || Accumulators::with_kernels(network.clone(), kernels);
        Walker { evaluation: new(), flipped: new() }
    }

    /// Plays at random, passing now and then, and going back a few moves now and then; evaluates after every move, or
    /// after two in three, so that sums are brought up to date over several moves too.
    fn walk(&mut self, start: Board, random: &mut Random, plies: usize, events: &mut Events) {
        let always = random.below(2) == 0;
        self.evaluation.reset(&start);
        events.games += 1;
        let mut line = vec![start];
        for _ in 0..plies {
            let board = line.last().expect("the start stays").clone();
            let moves = board.legal_moves();
            if moves.is_empty() || line.len() > 200 || random.below(12) == 0 {
                for _ in 0..random.below(line.len().min(6)) {
                    self.evaluation.undo();
                    line.pop();
                    events.undone += 1;
                }
                continue;
            }
            self.evaluation.begin();
            if !board.in_check() && random.below(10) == 0 {
                line.push(board.after_null());
                events.nulls += 1;
            } else {
                let mv = choose(&board, &moves, random);
                let mut next = board.clone();
                next.make_from(&board, mv, &mut self.evaluation);
                events.note(&board, mv, &next);
                line.push(next);
            }
            if always || random.below(3) > 0 {
                self.check(line.last().expect("just pushed"));
                events.evaluations += 1;
            }
        }
    }

    /// Kept up to date, from scratch, and with the colours exchanged: the same.
    fn check(&mut self, board: &Board) {
        let value = self.evaluation.evaluate(board);
        assert_eq!(value, from_scratch(self.evaluation.network(), board), "{}", board.fen());
        let flipped = colours_exchanged(board);
        self.flipped.reset(&flipped);
        assert_eq!(value, self.flipped.evaluate(&flipped), "{}", board.fen());
    }
}

/// A random move. Moves of the king and en passant are what is difficult here, so they are made often.
fn choose(board: &Board, moves: &[Move], random: &mut Random) -> Move {
    if let Some(&mv) = moves.iter().find(|mv| mv.is_en_passant()).filter(|_| random.below(2) == 0) {
        return mv;
    }
    let king = board.king(board.side_to_move());
    let kings: Vec<_> = moves.iter().copied().filter(|mv| mv.from() == king).collect();
    let choice = if kings.is_empty() || random.below(4) > 0 { moves } else { &kings };
    choice[random.below(choice.len())]
}

const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "1r1k1r2/8/8/3pP3/8/8/8/1R1K1R2 w FBfb d6 0 1",
    "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
];

/// Plays games with a network, each arithmetic of this machine in its turn.
fn play(network: &Arc<Network>, games: usize, plies: usize, random: &mut Random, events: &mut Events) {
    let mut walkers: Vec<_> = Kernels::available().into_iter().map(|kernels| Walker::new(network, kernels)).collect();
    let count = walkers.len();
    for game in 0..games {
        let start = match game % 10 {
            0..7 => Board::from_fen(STARTS[game % STARTS.len()]).expect("legal"),
            _ => {
                let (white, black) = (random.below(960), random.below(960));
                Setup::double_chess960(white as u16, black as u16).validate().expect("legal")
            }
        };
        walkers[game % count].walk(start, random, plies, events);
    }
}

#[test]
fn kept_up_to_date_equals_from_scratch() {
    let (mut random, mut events) = (Random(11), Events::default());
    let plain = [(32, 1, 1), (64, 1, 8), (32, 4, 8), (96, 9, 5)].map(|sizes| (sizes, false));
    let tails = [(64, 1, 8), (192, 3, 5)].map(|sizes| (sizes, true));
    for ((hidden, king_buckets, output_buckets), tail) in plain.into_iter().chain(tails) {
        let network = network(hidden, king_buckets, output_buckets, tail);
        play(&network, 1200, 90, &mut random, &mut events);
    }
    let Source::Network(embedded) = Source::default() else { panic!("the embedded network cannot be used") };
    play(&embedded, 200, 60, &mut random, &mut events);

    let Events { games, evaluations, castling, chess960, en_passant, promotions, crossings, nulls, undone } = events;
    assert!(games >= 5000 && evaluations > 300_000, "{events:?}");
    let counts = [castling[0], castling[1], chess960[0], chess960[1], en_passant, promotions, crossings, nulls, undone];
    assert!(counts.iter().all(|&count| count >= 100), "{events:?}");
}

/// The trainer computed these values in exact integers.
#[test]
fn the_embedded_network_gives_its_reference_values() {
    let Source::Network(network) = Source::default() else { panic!("the embedded network cannot be used") };
    let path = std::path::Path::new(env!("GANNET_NETWORK")).with_extension("reference.txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let positions: Vec<(Board, Value)> = text
        .lines()
        .map(|line| {
            let (fen, value) = line.split_once('|').expect(line);
            (Board::from_fen(fen).expect(fen), value.parse().expect(line))
        })
        .collect();
    assert_eq!(positions.len(), 100);
    for kernels in Kernels::available() {
        let mut evaluation = Accumulators::with_kernels(network.clone(), kernels);
        for (board, expected) in &positions {
            evaluation.reset(board);
            assert_eq!(evaluation.evaluate(board), *expected, "{} {}", kernels.name, board.fen());
        }
    }
}

#[test]
fn colours_and_wings_are_treated_alike() {
    for tail in [false, true] {
        let network = network(64, 1, 8, tail);
        let value = |fen: &str| from_scratch_and_kept(&network, &Board::from_fen(fen).expect("legal"));
        let placement = "2kr3r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/2KR3R";
        let white = value(&format!("{placement} w - - 0 1"));
        assert_eq!(white, value("2kr3r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/2KR3R b - - 0 1"));
        assert_eq!(white, value(&format!("{} w - - 0 1", mirrored(placement))));
    }
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
