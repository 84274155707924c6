//! Hindsight: a reduction is judged once the position is reached. If the evaluation says that the move was worse for its
//! side than thought, the reduction goes too far back; if both sides' evaluations add up to more than a margin, the side to
//! move is already better off than it hoped to be and needs no more depth.

use chess::Value;

use crate::base::idea;
use crate::search::carriers::Node;
use crate::search::worker::Worker;

idea! {
    /// Corrects the depth of a reduced move by the evaluation that it leads to.
    Hindsight "UseHindsight" {
        /// A move reduced by so many plies gets one back if the opponent's evaluation has not risen; 16 for never.
        extension_reduction = 16 in 1..=16 step 1;
        /// A move reduced by so many plies loses one more if the evaluations say so; 16 for never.
        reduction_reduction = 2 in 1..=16 step 1;
        /// By how much the evaluations before and after the move, each for its side, must exceed each other.
        reduction_margin = 85 in 0..=400 step 15;
    }
    counts HindsightCounts { extended, reduced }
}

impl Worker<'_> {
    /// Hindsight: by how much deeper to search a node than its reduced move was to be.
    #[inline(always)]
    pub(in crate::search) fn hindsight(&mut self, node: &Node) -> i32 {
        let p = &self.params.search.hindsight;
        let before = self.frames.before(node.ply, 1);
        if !p.enabled || node.in_check || node.excluded.is_some() || before.reduction == 0 {
            return 0;
        }
        let Some(theirs) = before.static_eval else { return 0 };
        let change = change(p, before.reduction, node.static_eval.0 + theirs.0, node.depth);
        self.telemetry.search.hindsight.extended.count_if(change > 0);
        self.telemetry.search.hindsight.reduced.count_if(change < 0);
        change
    }
}

/// The change of depth after a reduction, by the sum of the evaluations of both sides.
#[inline(always)]
fn change(p: &Hindsight, reduction: i32, sum: Value, depth: i32) -> i32 {
    if reduction >= p.extension_reduction && sum <= 0 {
        1
    } else if reduction >= p.reduction_reduction && depth >= 2 && sum > p.reduction_margin {
        -1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_correct_the_reduction() {
        let p = Hindsight { extension_reduction: 3, ..Hindsight::default() };
        assert_eq!(change(&p, 3, -10, 5), 1, "the move was better than thought");
        assert_eq!(change(&p, 2, -10, 5), 0, "it was hardly reduced");
        assert_eq!(change(&p, 2, 200, 5), -1);
        assert_eq!(change(&p, 2, 200, 1), 0, "never into quiescence");
    }
}
