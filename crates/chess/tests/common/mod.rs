//! What the tests share: random numbers from a seed, random games, threads, and where the suites are.
//!
//! Everything is a function of a seed, so a failure repeats itself at the next run.

// Every test file is a program of its own and uses only a part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use chess::{Board, Move, Setup};

/// SplitMix64: small, fast, and good enough to choose moves.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The start position of standard chess, of Chess960 or of double Chess960, in turn.
pub fn random_start(random: &mut Random, turn: usize) -> Board {
    let (white, black) = (random.below(960) as u16, random.below(960) as u16);
    let setup = match turn % 3 {
        0 => Setup::start(),
        1 => Setup::chess960(white),
        _ => Setup::double_chess960(white, black),
    };
    setup.validate().expect("start positions are legal")
}

/// A legal move. Now and then a special one is preferred, so that castling, en passant, promotions and
/// checks come up far more often than by chance.
pub fn random_move(random: &mut Random, board: &Board) -> Option<Move> {
    let moves = board.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let special: Vec<Move> = match random.below(8) {
        0 => moves.iter().copied().filter(|mv| mv.is_castle() || mv.is_en_passant() || mv.is_promotion()).collect(),
        1 => moves.iter().copied().filter(|&mv| board.gives_check(mv)).collect(),
        2 => moves.iter().copied().filter(|mv| mv.is_double_push()).collect(),
        _ => Vec::new(),
    };
    Some(if special.is_empty() { *random.pick(&moves) } else { *random.pick(&special) })
}

/// Plays random games of the three families until `count` positions have been shown to `visit`.
pub fn visit_positions(seed: u64, count: usize, mut visit: impl FnMut(&Board)) {
    let mut random = Random::new(seed);
    let (mut shown, mut turn) = (0, seed as usize);
    while shown < count {
        let mut board = random_start(&mut random, turn);
        turn += 1;
        let length = 20 + random.below(180);
        for _ in 0..length {
            visit(&board);
            shown += 1;
            let Some(mv) = random_move(&mut random, &board) else { break };
            if shown == count {
                break;
            }
            board.make(mv);
        }
    }
}

/// Runs `job` for every number below `count`, on every core there is.
pub fn in_parallel(count: usize, job: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(2, |n| n.get());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    job(index);
                }
            });
        }
    });
}

/// `count` random positions, spread over the cores in 64 independent batches.
pub fn visit_in_parallel(seed: u64, count: usize, visit: impl Fn(&Board) + Sync) {
    const BATCHES: usize = 64;
    in_parallel(BATCHES, |batch| {
        visit_positions(seed.wrapping_mul(1_000).wrapping_add(batch as u64), count / BATCHES + 1, &visit);
    });
}

/// The text of a suite that the project ships.
pub fn own_suite(name: &str) -> String {
    let path = workspace().join("suites").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of a suite that is kept outside the project: in the folder that GANNET_SUITES names, else beside
/// the workspace. `None`, with a word about it, where it is missing.
pub fn outside_suite(name: &str) -> Option<String> {
    let folder = match std::env::var_os("GANNET_SUITES") {
        Some(folder) => PathBuf::from(folder),
        None => workspace().join("../shared/suites"),
    };
    let path = folder.join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            println!("skipped: {}: {error}; set GANNET_SUITES to the folder of the suites", path.display());
            None
        }
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
