//! History with gravity: what has cut before is tried early again, and what has failed late.
//! Each update is pulled towards zero in proportion to what is there, so entries never overflow and
//! old news fades.

use crate::heuristic;

heuristic! {
    /// History of quiet moves, and the rule by which all histories move.
    HistoryGravity "UseHistoryGravity" {
        /// Entries stay within this, and are pulled back in proportion to it (published 512).
        divisor = 8192 in 256..=16384 step 500;
        /// Reward for a cutoff, for each ply of depth.
        bonus_factor = 67 in 20..=400 step 15;
        /// Taken off the reward.
        bonus_base = 0 in 0..=400 step 15;
        /// The greatest reward.
        bonus_max = 1594 in 200..=4000 step 100;
        /// Punishment for the moves tried before, for each ply of depth.
        malus_factor = 400 in 20..=400 step 15;
        /// The greatest punishment.
        malus_max = 1168 in 200..=4000 step 100;
        /// Share of the reward for a quiet table move that cuts without a search, in percent.
        table_factor = 72 in 0..=200 step 10;
        /// All entries shrink to 7/8 after this many nodes; 0 for never (published 4096).
        decay_interval = 0 in 0..=1000000 step 4096;
    }
}

heuristic! {
    /// History of captures, used to order them beyond the value of the victim.
    CaptureHistory "UseCaptureHistory" {
        /// A capture counts as good if it wins at least minus its history divided by this; 0 asks for no loss whatever
        /// the history.
        good_divisor = 54 in 0..=256 step 8;
        /// How much it counts beside the victim's value, in percent.
        order_factor = 128 in 0..=400 step 15;
    }
}

impl HistoryGravity {
    /// The reward for a move that cut at this depth.
    #[inline(always)]
    pub fn bonus(&self, depth: i32) -> i32 {
        (self.bonus_factor * depth - self.bonus_base).clamp(0, self.bonus_max)
    }

    /// The punishment for a move that was tried before the one that cut, as a negative number.
    #[inline(always)]
    pub fn malus(&self, depth: i32) -> i32 {
        -(self.malus_factor * depth - self.bonus_base).clamp(0, self.malus_max)
    }

    /// The new value of an entry: with gravity, or plainly added within the limits when switched off.
    #[inline(always)]
    pub fn updated(&self, old: i16, bonus: i32) -> i16 {
        let old = i32::from(old);
        let bonus = bonus.clamp(-self.divisor, self.divisor);
        let pull = if self.enabled { old * bonus.abs() / self.divisor } else { 0 };
        (old + bonus - pull).clamp(-self.divisor, self.divisor) as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_never_leave_their_range() {
        for divisor in [512, 8192, 16384] {
            let p = HistoryGravity { divisor, ..HistoryGravity::default() };
            let mut entry = 0;
            for _ in 0..1000 {
                entry = p.updated(entry, 1500);
                assert!(i32::from(entry) <= divisor);
            }
            assert!(i32::from(entry) > divisor * 9 / 10);
            for _ in 0..1000 {
                entry = p.updated(entry, -5000);
                assert!(i32::from(entry) >= -divisor);
            }
        }
    }

    #[test]
    fn the_same_reward_moves_a_full_entry_less() {
        let p = HistoryGravity::default();
        assert_eq!(p.updated(0, 1000), 1000);
        assert!(p.updated(4000, 1000) < 5000);
        assert!(p.updated(-4000, 1000) > -3000);
        let plain = HistoryGravity { enabled: false, ..p };
        assert_eq!(plain.updated(4000, 1000), 5000);
    }
}
