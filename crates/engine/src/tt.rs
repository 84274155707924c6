//! The transposition table (TT): what is known of positions already searched, shared by all threads
//! without locks.
//!
//! An entry is two 64-bit words, the second the data, the first the key xored with the data. A reader that
//! catches two words of different stores gets a key that does not match and sees nothing: a torn entry is
//! never acted upon. Four entries share a cache line; all data is behind relaxed atomics.

mod clustered_tt;
mod entry;
mod memory;

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use chess::{Score, Value};

use self::entry::{GENERATIONS, generation_of};
use self::memory::{CLUSTER, Cluster, Pages, wipe};
use crate::base::group;
use crate::together;

pub use clustered_tt::ClusteredTT;
pub use entry::Entry;

group! {
    /// How the table keeps what it is told.
    TableParams, TableCounts {
        clustered_tt: ClusteredTT,
    }
}

/// From how many clusters the fill is estimated; all of them are read after every iteration.
const SAMPLE: usize = 250;

/// From this size on, in MiB, a table is cleared by exchanging its memory.
const LARGE: usize = 64;

/// The table could not be made that large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// What was asked for.
    pub mebibytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot allocate a hash table of {} MiB; the old one is kept", self.mebibytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// To give back a million pages takes a second, and nobody need wait for it. Where there is no thread to be had, the
/// memory goes with the closure.
fn discard(old: Pages) {
    let _ = std::thread::Builder::new().spawn(move || drop(old));
}

/// The table.
pub struct Table {
    memory: Pages,
    generation: AtomicU8,
}

impl Table {
    /// A table of this many MiB.
    pub fn new(mebibytes: usize) -> Result<Table, OutOfMemory> {
        let clusters = mebibytes.max(1).checked_mul((1 << 20) / size_of::<Cluster>());
        let memory = clusters.and_then(Pages::zeroed).ok_or(OutOfMemory { mebibytes })?;
        Ok(Table { memory, generation: AtomicU8::new(0) })
    }

    /// Gives its memory back, without keeping anybody waiting.
    pub fn discard(self) {
        if self.mebibytes() >= LARGE {
            discard(self.memory);
        }
    }

    /// Forgets everything, with this many threads at work. A large table is exchanged for fresh memory, which is there at
    /// once however much it is; a small one is wiped, which spares the search the first touch of every page.
    pub fn clear(&mut self, threads: usize) {
        self.generation.store(0, Relaxed);
        if self.mebibytes() >= LARGE
            && let Some(fresh) = Pages::zeroed(self.memory.clusters().len())
        {
            discard(std::mem::replace(&mut self.memory, fresh));
            return;
        }
        let clusters = self.memory.clusters_mut();
        let share = clusters.len().div_ceil(threads.max(1));
        together::for_each(clusters.chunks_mut(share.max(1)), threads, wipe);
    }

    /// Tells the table that a new search begins: what it holds from before is worth less.
    pub fn new_search(&self) {
        self.generation.store((self.generation() + 1) % GENERATIONS, Relaxed);
    }

    fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    /// The size in MiB.
    pub fn mebibytes(&self) -> usize {
        size_of_val(self.memory.clusters()) >> 20
    }

    /// Spreads keys over any number of clusters: the high half of the product.
    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = self.memory.clusters();
        let index = ((u128::from(key) * clusters.len() as u128) >> 64) as usize;
        &clusters[index]
    }

    /// Asks the processor to fetch the place of a key ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: a prefetch reads nothing and cannot fault. Measured: see docs/performance.md.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of a position, mates counted from the root at distance `ply`.
    #[inline(always)]
    pub fn probe(&self, rules: &ClusteredTT, key: u64, ply: usize) -> Option<Entry> {
        for slot in self.slots(key, rules.enabled) {
            let (stored, data) = slot.load();
            if stored == key && data != 0 {
                let mut entry = Entry::unpack(data);
                entry.score = from_table(entry.score, ply);
                return Some(entry);
            }
        }
        None
    }

    /// How full the table is with entries of the current search, in permille, from a sample.
    pub fn fill_permille(&self) -> usize {
        let clusters = self.memory.clusters();
        let sample = clusters.len().min(SAMPLE);
        let generation = self.generation();
        let used = clusters[..sample]
            .iter()
            .flat_map(|cluster| &cluster.0)
            .filter(|slot| {
                let (_, data) = slot.load();
                data != 0 && generation_of(data) == generation
            })
            .count();
        used * 1000 / (sample * CLUSTER)
    }
}

/// Mates are stored as distances from the position, not from the root.
fn to_table(score: Score, ply: usize) -> Score {
    if !score.is_decisive() {
        score
    } else if score.0 > 0 {
        score + ply as Value
    } else {
        score - ply as Value
    }
}

fn from_table(score: Score, ply: usize) -> Score {
    if !score.is_decisive() {
        score
    } else if score.0 > 0 {
        score - ply as Value
    } else {
        score + ply as Value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Bound;
    use chess::{Move, MoveKind, Square};
    use std::sync::atomic::AtomicBool;

    fn mv(to: u8) -> Option<Move> {
        Some(Move::new(Square::A1, Square::new(to), MoveKind::Quiet))
    }

    fn entry(mv: Option<Move>, depth: i32, bound: Bound) -> Entry {
        Entry { mv, score: Score(7), eval: Some(Score(-3)), depth, bound, pv: false }
    }

    /// A very small one: Miri looks at all of it at each access.
    fn table() -> (Table, ClusteredTT) {
        let memory = Pages::zeroed(32).expect("memory");
        (Table { memory, generation: AtomicU8::new(0) }, ClusteredTT::default())
    }

    #[test]
    fn what_is_stored_is_found() {
        for depth in [-1, 0, 1, 100, 240] {
            for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
                let (mut table, rules) = table();
                let stored = Entry { pv: depth == 1, ..entry(mv(9), depth, bound) };
                table.store(&rules, 42 << 32, 0, stored);
                assert_eq!(table.probe(&rules, 42 << 32, 0), Some(stored));
                assert_eq!(table.probe(&rules, 43 << 32, 0), None);
                table.clear(3);
                assert_eq!(table.probe(&rules, 42 << 32, 0), None);
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "much memory")]
    fn a_large_table_forgets_too() {
        let (mut table, rules) = (Table::new(LARGE).expect("memory"), ClusteredTT::default());
        table.store(&rules, 42 << 32, 0, entry(mv(9), 5, Bound::Exact));
        table.clear(1);
        assert_eq!(table.probe(&rules, 42 << 32, 0), None);
        assert_eq!(table.mebibytes(), LARGE);
    }

    #[test]
    fn mates_count_from_where_they_are_read() {
        let (table, rules) = table();
        let mate = Entry { score: Score::mate_in(9), ..entry(mv(9), 5, Bound::Exact) };
        table.store(&rules, 1, 4, mate);
        assert_eq!(table.probe(&rules, 1, 2).map(|e| e.score), Some(Score::mate_in(7)));
        let mated = Entry { score: Score::mated_in(9), ..entry(mv(9), 5, Bound::Exact) };
        table.store(&rules, 1, 4, mated);
        assert_eq!(table.probe(&rules, 1, 2).map(|e| e.score), Some(Score::mated_in(7)));
    }

    #[test]
    fn same_key_keeps_the_better_entry() {
        let (table, rules) = table();
        let rules = ClusteredTT { moveless_same: 0, ..rules };
        let moves = |table: &Table| table.probe(&rules, 5, 0).map(|e| (e.mv, e.depth, e.bound));
        table.store(&rules, 5, 0, entry(mv(9), 8, Bound::Lower));
        // Without a move at equal or lower depth: refused.
        table.store(&rules, 5, 0, entry(None, 8, Bound::Upper));
        assert_eq!(moves(&table), Some((mv(9), 8, Bound::Lower)));
        // Deeper without a move: stored, and the move survives.
        table.store(&rules, 5, 0, entry(None, 9, Bound::Exact));
        assert_eq!(moves(&table), Some((mv(9), 9, Bound::Exact)));
        // No downgrade of the bound at equal depth.
        table.store(&rules, 5, 0, entry(mv(10), 9, Bound::Lower));
        assert_eq!(moves(&table), Some((mv(9), 9, Bound::Exact)));
        // A new search may replace anything; the move still survives.
        table.new_search();
        table.store(&rules, 5, 0, entry(None, 1, Bound::Upper));
        assert_eq!(moves(&table), Some((mv(9), 1, Bound::Upper)));
    }

    #[test]
    fn old_entries_are_protected_as_well_where_that_is_wanted() {
        let (table, rules) = table();
        let rules = ClusteredTT { moveless_same: 0, old_yields: 0, ..rules };
        table.store(&rules, 5, 0, entry(mv(9), 8, Bound::Lower));
        table.new_search();
        table.store(&rules, 5, 0, entry(None, 0, Bound::Upper));
        assert_eq!(table.probe(&rules, 5, 0), Some(entry(mv(9), 8, Bound::Lower)));
        table.store(&rules, 5, 0, entry(None, 9, Bound::Upper));
        assert_eq!(
            table.probe(&rules, 5, 0),
            Some(entry(mv(9), 9, Bound::Upper)),
            "deeper, with the move that was there"
        );
    }

    #[test]
    fn a_result_without_a_move_keeps_the_one_that_is_there() {
        let (table, rules) = table();
        let rules = ClusteredTT { moveless_same: 1, ..rules };
        table.store(&rules, 5, 0, entry(mv(9), 8, Bound::Lower));
        table.store(&rules, 5, 0, entry(None, 7, Bound::Upper));
        assert_eq!(table.probe(&rules, 5, 0), Some(entry(mv(9), 7, Bound::Upper)));
    }

    #[test]
    fn other_keys_are_not_pushed_out_by_moveless_shallow_stores() {
        let (table, rules) = table();
        // Keys that differ in low bits only share a cluster, and four fill it.
        for key in 1..=4 {
            table.store(&rules, key, 0, entry(mv(9), 10, Bound::Exact));
        }
        table.store(&rules, 5, 0, entry(None, 10, Bound::Lower));
        assert_eq!(table.probe(&rules, 5, 0), None);
        table.store(&rules, 5, 0, entry(None, 10 + rules.moveless_margin + 1, Bound::Lower));
        assert!(table.probe(&rules, 5, 0).is_some());
        table.new_search();
        table.store(&rules, 6, 0, entry(None, 1, Bound::Lower));
        assert!(table.probe(&rules, 6, 0).is_some(), "old generations give way");
    }

    #[test]
    #[cfg_attr(miri, ignore = "hours")]
    fn any_size_works_and_too_much_is_refused() {
        let rules = ClusteredTT::default();
        for size in [1, 3, 17] {
            let mut table = Table::new(size).expect("memory");
            assert_eq!(table.mebibytes(), size);
            for key in (0..1000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
                table.store(&rules, key, 0, entry(mv(9), 1, Bound::Exact));
                assert!(table.probe(&rules, key, 0).is_some());
            }
            table.clear(3);
            assert_eq!(table.fill_permille(), 0);
        }
        assert!(Table::new(usize::MAX >> 10).is_err());
        assert!(Table::new(1 << 40).is_err());
    }

    /// Entries whose fields follow from the key: any mixture of two stores would give itself away.
    #[test]
    fn no_torn_entry_is_ever_seen() {
        let (table, rules) = table();
        let describe = |key: u64| Entry {
            mv: Move::from_bits((key as u16) | 1),
            score: Score(Value::from((key >> 16) as u16 & 0x3fff)),
            eval: Some(Score(Value::from((key >> 32) as u16 & 0x3fff))),
            depth: (key >> 48) as i32 & 63,
            bound: Bound::Exact,
            pv: key & 2 != 0,
        };
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (table, rules, done) = (&table, &rules, &done);
            let writers: Vec<_> = (1..=4u64)
                .map(|thread| {
                    scope.spawn(move || {
                        let mut state = thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                        for _ in 0..if cfg!(miri) { 200 } else { 200_000 } {
                            state ^= state << 13;
                            state ^= state >> 7;
                            state ^= state << 17;
                            // Few clusters, many keys: everybody writes over everybody.
                            let key = state >> 60 << 60 | state & 0xffff_ffff;
                            table.store(rules, key, 0, describe(key));
                            let other = key ^ (state >> 40 & 3);
                            if let Some(found) = table.probe(rules, other, 0) {
                                assert_eq!(found, describe(other));
                            }
                        }
                    })
                })
                .collect();
            for writer in writers {
                writer.join().expect("no torn entry");
            }
            done.store(true, Relaxed);
        });
    }
}
