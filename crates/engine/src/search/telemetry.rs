//! What a thread has counted: each idea's own counters, and those of the nodes.

use super::ideas::SearchCounts;
use crate::base::{Count, Counts, counts};
use crate::history::HistoryCounts;
use crate::movepick::{OrderingCounts, PickerCounts};
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
