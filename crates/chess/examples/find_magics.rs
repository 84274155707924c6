//! Finds the magic numbers in `src/attacks/magics.rs` and prints that file.
//!
//!     cargo run --release -p gannet-chess --example find_magics > crates/chess/src/attacks/magics.rs

use chess::{Bitboard, Square, attacks};

fn main() {
    let mut state = 0x6761_6e6e_6574u64;
    println!("//! Multipliers that map the occupancies of a slider's lines to distinct places.");
    println!("//! Found by `examples/find_magics.rs`; a test and the const evaluation check them.");
    for (name, rays) in
        [("ROOK_MAGICS", attacks::rook_rays as fn(Square) -> Bitboard), ("BISHOP_MAGICS", attacks::bishop_rays)]
    {
        println!("\n#[rustfmt::skip]\npub(super) const {name}: [u64; 64] = [");
        let found: Vec<u64> = Square::all().map(|square| find(square, rays(square), &mut state)).collect();
        for row in found.chunks(4) {
            let cells: Vec<String> = row.iter().map(|m| format!("{m:#018x},")).collect();
            println!("    {}", cells.join(" "));
        }
        println!("];");
    }
}

/// Tries sparse random numbers until one maps no two different attack sets to one place.
fn find(square: Square, rays: Bitboard, state: &mut u64) -> u64 {
    let mut edges = Bitboard::EMPTY;
    if square.file() != 0 {
        edges |= Bitboard::FILE_A;
    }
    if square.file() != 7 {
        edges |= Bitboard::FILE_H;
    }
    if square.rank() != 0 {
        edges |= Bitboard::RANK_1;
    }
    if square.rank() != 7 {
        edges |= Bitboard::RANK_8;
    }
    let mask = (rays - edges).0;
    let bits = mask.count_ones();
    let mut pairs = Vec::new();
    let mut subset = 0u64;
    loop {
        pairs.push((subset, reach(square, rays, subset)));
        subset = subset.wrapping_sub(mask) & mask;
        if subset == 0 {
            break;
        }
    }
    let mut table = vec![(0u32, 0u64); 1 << bits];
    for attempt in 1.. {
        let magic = random(state) & random(state) & random(state);
        let fits = pairs.iter().all(|&(occupied, attacks)| {
            let place = &mut table[(occupied.wrapping_mul(magic) >> (64 - bits)) as usize];
            let free = place.0 != attempt || place.1 == attacks;
            *place = (attempt, attacks);
            free
        });
        if fits {
            return magic;
        }
    }
    unreachable!()
}

/// The squares on the rays that can be seen past the occupied ones.
fn reach(square: Square, rays: Bitboard, occupied: u64) -> u64 {
    rays.into_iter().filter(|&to| !attacks::between(square, to).intersects(Bitboard(occupied))).collect::<Bitboard>().0
}

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}
