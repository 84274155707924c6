//! Replacement in the transposition table (TT): which entry gives way. Good entries (deep, exact, with a move, of
//! this search) are protected against the flood of shallow ones.

use super::entry::{Entry, GENERATIONS, generation_of};
use super::memory::{CLUSTER, Slot};
use super::{Table, to_table};
use crate::base::{Bound, idea};

idea! {
    /// Keeps four entries in a cache line and replaces by depth and age.
    ClusteredTT "UseClusteredTT" (TT, TT1) {
        /// Plies of depth that one generation of age costs an entry.
        age_factor = 3 in 0..=16 step 1;
        /// A result for the same position may be this much shallower and still replace.
        same_key_margin = 4 in 0..=12 step 1;
        /// 0: a result without a move must be deeper to replace one with a move; 1: it need not, since the move is kept.
        moveless_same = 1 in 0..=1 step 1;
        /// 1: an entry of an earlier search gives way to any result for its position; 0: it is protected like one of this search.
        old_yields = 1 in 0..=1 step 1;
        /// A result without a move must be this much deeper to push out another position.
        moveless_margin = 3 in 0..=12 step 1;
    }
    counts ClusteredTTCounts { probes, hits, cutoffs }
}

impl Table {
    /// The slots where a key may stand: a whole cluster, or the one slot that low bits choose.
    #[inline(always)]
    pub(super) fn slots(&self, key: u64, clustered: bool) -> &[Slot] {
        let cluster = &self.cluster(key).0;
        if clustered {
            cluster
        } else {
            let index = key as usize % CLUSTER;
            &cluster[index..=index]
        }
    }

    /// Stores what was found, unless what is there is worth more.
    ///
    /// Same position: a result without a move keeps the move that is there; a shallower one replaces only if
    /// it is exact, old, or not much shallower; at equal depth an exact score is not replaced by a bound.
    /// Other position: the victim is the shallowest and oldest; a store without a move replaces it only when
    /// clearly deeper, or when it is of an old generation.
    pub fn store(&self, rules: &ClusteredTT, key: u64, ply: usize, entry: Entry) {
        let generation = self.generation();
        let age = |data: u64| (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
        let mut new = entry;
        new.score = to_table(entry.score, ply);

        let slots = self.slots(key, rules.enabled);
        let mut victim = &slots[0];
        let mut least = i32::MAX;
        for slot in slots {
            let (stored, data) = slot.load();
            if data == 0 || stored == key {
                victim = slot;
                break;
            }
            let worth = Entry::unpack(data).depth - rules.age_factor * i32::from(age(data));
            if worth < least {
                least = worth;
                victim = slot;
            }
        }

        let (stored, data) = victim.load();
        if data != 0 {
            let old = Entry::unpack(data);
            let is_old = age(data) > 0;
            if stored == key {
                if !replaces_same(&old, is_old, &new, rules) {
                    return;
                }
                new.mv = new.mv.or(old.mv);
            } else if new.mv.is_none() && !is_old && new.depth <= old.depth + rules.moveless_margin {
                return;
            }
        }
        victim.store(key, new.pack(generation));
    }
}

/// Whether a new result for the same position may take the place of the old one.
fn replaces_same(old: &Entry, is_old: bool, new: &Entry, rules: &ClusteredTT) -> bool {
    if is_old && rules.old_yields > 0 {
        return true;
    }
    if rules.moveless_same == 0 && old.mv.is_some() && new.mv.is_none() && new.depth <= old.depth {
        return false;
    }
    if new.depth == old.depth && old.bound == Bound::Exact && new.bound != Bound::Exact {
        return false;
    }
    new.bound == Bound::Exact || new.depth + rules.same_key_margin > old.depth
}
