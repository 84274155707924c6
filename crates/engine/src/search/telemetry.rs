//! What a thread has counted: each idea's own counters, and those of the nodes.

use chess::Move;

use super::ideas::SearchCounts;
use super::ideas::rank_aware_gates::bucket;
use crate::base::{Count, Counts, counts};
use crate::history::HistoryCounts;
use crate::movepick::{OrderingCounts, Picker, PickerCounts};
use crate::time::TimeCounts;
use crate::tt::TableCounts;

counts! {
    /// Nodes, and which of their moves cut.
    NodeCounts {
        main,
        cutoffs,
        first_move_cutoffs,
        best_rank_1,
        best_ranks_2_to_5,
        best_ranks_6_to_10,
        best_ranks_from_11,
        pv_rank_1,
        pv_ranks_2_to_5,
        pv_ranks_6_to_10,
        pv_ranks_from_11,
    }
}

counts! {
    /// What endgame tables were asked and knew.
    SyzygyCounts { tried, hits, cutoffs }
}

/// The counters of one search thread.
#[derive(Clone, Debug, Default)]
pub struct Telemetry {
    /// Nodes.
    pub nodes: NodeCounts,
    /// Endgame tables.
    pub syzygy: SyzygyCounts,
    /// The moves as they are handed out.
    pub picker: PickerCounts,
    /// The ideas of the search.
    pub search: SearchCounts,
    /// The ideas of move ordering.
    pub ordering: OrderingCounts,
    /// The histories.
    pub history: HistoryCounts,
    /// The table.
    pub tables: TableCounts,
    /// Time.
    pub time: TimeCounts,
}

impl Telemetry {
    /// Whether this build counts at all.
    pub const ENABLED: bool = Count::ENABLED;

    /// Shows every counter with its name.
    pub fn visit(&mut self, visitor: &mut dyn FnMut(String, &mut Count)) {
        let Telemetry { nodes, syzygy, picker, search, ordering, history, tables, time } = self;
        nodes.visit("nodes", visitor);
        syzygy.visit("syzygy", visitor);
        picker.visit("picker", visitor);
        search.visit("", visitor);
        ordering.visit("", visitor);
        history.visit("", visitor);
        tables.visit("", visitor);
        time.visit("", visitor);
    }

    /// Every counter by its name, and how often it was counted.
    pub fn list(&self) -> Vec<(String, u64)> {
        let mut list = Vec::new();
        self.clone().visit(&mut |name, count| list.push((name, count.get())));
        list
    }

    /// Counts a beta cutoff by the so-many-th move.
    #[inline(always)]
    pub(super) fn count_cutoff(&mut self, rank: usize, by_countermove: bool) {
        let nodes = &mut self.nodes;
        nodes.cutoffs.count();
        nodes.first_move_cutoffs.count_if(rank == 1);
        self.history.countermoves.cutoffs.count_if(by_countermove);
        match bucket(rank) {
            0 => nodes.best_rank_1.count(),
            1 => nodes.best_ranks_2_to_5.count(),
            2 => nodes.best_ranks_6_to_10.count(),
            _ => nodes.best_ranks_from_11.count(),
        }
    }

    /// Counts at which rank the best move of a node of the principal variation was handed out, if one raised alpha.
    #[inline(always)]
    pub(super) fn count_pv_rank(&mut self, rank: Option<usize>) {
        let nodes = &mut self.nodes;
        match rank.map(bucket) {
            None => {}
            Some(0) => nodes.pv_rank_1.count(),
            Some(1) => nodes.pv_ranks_2_to_5.count(),
            Some(2) => nodes.pv_ranks_6_to_10.count(),
            Some(_) => nodes.pv_ranks_from_11.count(),
        }
    }

    /// Counts how often a shortlist held the quiet move that came out best.
    #[inline(always)]
    pub(super) fn count_listed(&mut self, best: Option<Move>, picker: &Picker) {
        if let Some(mv) = best.filter(|mv| mv.is_quiet())
            && let Some(listed) = picker.lists(mv)
        {
            self.ordering.ranked_move_picker.pv_quiets.count();
            self.ordering.ranked_move_picker.pv_quiets_listed.count_if(listed);
        }
    }

    /// Adds another thread's counts.
    pub fn merge(&mut self, other: &Telemetry) {
        let mut others = other.list().into_iter();
        self.visit(&mut |_, count| count.add(others.next().map_or(0, |(_, events)| events)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn counters_have_names_of_their_own_and_add_up() {
        let mut telemetry = Telemetry::default();
        telemetry.search.null_move.tried.count();
        telemetry.nodes.main.add(2);
        let mut sum = telemetry.clone();
        sum.merge(&telemetry);
        let events = |name: &str| sum.list().into_iter().find(|(other, _)| other == name).map(|(_, events)| events);
        let factor = u64::from(Telemetry::ENABLED);
        assert_eq!((events("null_move.tried"), events("nodes.main")), (Some(2 * factor), Some(4 * factor)));
        assert_eq!(events("null_move.fired"), Some(0));
        let names: HashSet<String> = sum.list().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), sum.list().len());
    }
}
