//! Internal iterative reduction (IIR): without a table move the ordering is poor, so a full-depth search here
//! would be wasteful. Search it shallower now; the move found will be there next time.

use crate::heuristic;

heuristic! {
    /// Internal iterative reduction.
    InternalReduction "UseInternalReduction" {
        /// The least depth it works at.
        min_depth = 7 in 2..=12 step 1;
    }
}

/// How much shallower to search. Only where it matters: on the principal variation or where a cut is expected.
#[inline(always)]
pub fn reduction(p: &InternalReduction, depth: i32, has_table_move: bool, pv_or_cut: bool) -> i32 {
    i32::from(p.enabled && !has_table_move && pv_or_cut && depth >= p.min_depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_without_a_move_and_deep_enough() {
        let p = InternalReduction::default();
        assert_eq!(reduction(&p, p.min_depth, false, true), 1);
        assert_eq!(reduction(&p, p.min_depth, true, true), 0);
        assert_eq!(reduction(&p, p.min_depth - 1, false, true), 0);
        assert_eq!(reduction(&p, p.min_depth, false, false), 0);
    }
}
