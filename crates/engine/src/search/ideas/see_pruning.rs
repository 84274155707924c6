//! SEE pruning: near the leaves, skip moves that lose material in the exchange on their target square: quiets
//! that hang a piece, captures that lose more than the depth could win back.

use chess::Value;

use crate::heuristic;

heuristic! {
    /// Exchange pruning of quiets and captures.
    SeePruning "UseSeePruning" {
        /// The deepest reduced depth at which quiets are tested.
        quiet_max_depth = 11 in 1..=16 step 1;
        /// What a quiet may lose for each squared ply of reduced depth.
        quiet_factor = 53 in 5..=100 step 4;
        /// The deepest node at which captures are tested.
        capture_max_depth = 10 in 1..=16 step 1;
        /// What a capture may lose for each ply of depth.
        capture_factor = 81 in 20..=250 step 10;
    }
}

/// What a quiet move must not fall short of in the exchange; `None` where it is not tested.
#[inline(always)]
pub fn quiet_threshold(p: &SeePruning, reduced_depth: i32) -> Option<Value> {
    let depth = reduced_depth.max(0);
    (p.enabled && depth <= p.quiet_max_depth).then_some(-p.quiet_factor * depth * depth)
}

/// What a capture must not fall short of in the exchange; `None` where it is not tested.
#[inline(always)]
pub fn capture_threshold(p: &SeePruning, depth: i32) -> Option<Value> {
    (p.enabled && depth <= p.capture_max_depth).then_some(-p.capture_factor * depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_nodes_allow_more() {
        let p = SeePruning::default();
        assert_eq!(quiet_threshold(&p, -3), Some(0));
        assert!(quiet_threshold(&p, 3) < quiet_threshold(&p, 2));
        assert_eq!(quiet_threshold(&p, p.quiet_max_depth + 1), None);
        assert!(capture_threshold(&p, 3) < capture_threshold(&p, 2));
        assert_eq!(capture_threshold(&p, p.capture_max_depth + 1), None);
    }
}
