//! What can be measured: every switch of the search, and published forms of heuristics that the engine has in a form of
//! its own. Both figures belong in the ledger.

use engine::params::present_name;
use engine::{ParamValue, Params};

use crate::failure::{Failure, Result};

/// Two settings of this build that play each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The heuristic's name.
    pub heuristic: String,
    /// What it is called on the command line: its switch, or `Published` and the heuristic.
    pub name: String,
    /// Whether the heuristic is on by default.
    pub default: bool,
    /// The settings that make it the published form, if that is what is measured.
    pub published: Option<String>,
}

/// Published forms, where they differ from ours: heuristic, line of the requirements, settings.
pub const PUBLISHED: [(&str, &str, &str); 9] = [
    ("DeltaPruning", "QS8", "DeltaPruning_margin=900"),
    ("NullMove", "NM2", "NullMove_eval_max=1"),
    ("ReverseFutility", "SN1", "ReverseFutility_max_depth=4"),
    ("EndgameGuard", "SN2", "EndgameGuard_material_min=1300"),
    (
        "Razoring",
        "RZ1",
        "UseRazoring=true,Razoring_max_depth=7,Razoring_margin_base=250,Razoring_near_factor=100,Razoring_far_factor=50",
    ),
    ("Killers", "MO1", "Killers_bonus=16000"),
    (
        // The bonus must not be more than the divisor.
        "HistoryGravity",
        "HI1",
        "HistoryGravity_divisor=512,HistoryGravity_decay_interval=4096,HistoryGravity_bonus_max=512,HistoryGravity_malus_max=512",
    ),
    ("LateMovePruning", "SS1", "LateMovePruning_count_base=3,LateMovePruning_depth_factor=100"),
    ("RankAwareGates", "RG7", "UseRankAwareGates=true,RankAwareGates_protected_window=1"),
];

impl Subject {
    /// The settings of the two sides: with the heuristic and without it, or ours and the published form.
    pub fn sides(&self) -> [String; 2] {
        let switch = |on: bool| if on == self.default { String::new() } else { format!("{}={on}", self.name) };
        match &self.published {
            Some(settings) => [String::new(), settings.clone()],
            None => [switch(true), switch(false)],
        }
    }

    /// Everything that can be measured.
    pub fn all() -> Vec<Subject> {
        let mut list = Vec::new();
        Params::default().visit(&mut |param| {
            if let ParamValue::Switch { default, .. } = param.value {
                let heuristic = param.heuristic.to_string();
                list.push(Subject { heuristic, name: param.name, default, published: None });
            }
        });
        list.extend(PUBLISHED.iter().map(|(heuristic, _, settings)| Subject {
            heuristic: heuristic.to_string(),
            name: format!("Published{heuristic}"),
            default: false,
            published: Some(settings.to_string()),
        }));
        list
    }

    /// Those that were asked for: by name, all `switches`, all that is `published`, or everything.
    pub fn chosen(names: &[String]) -> Result<Vec<Subject>> {
        let all = Subject::all();
        let wanted = |subject: &Subject, name: &str| {
            let published =
                name.strip_prefix("Published").map(|heuristic| format!("Published{}", present_name(heuristic)));
            subject.name.eq_ignore_ascii_case(published.as_deref().unwrap_or(name))
                || (name.eq_ignore_ascii_case("switches") && subject.published.is_none())
                || (name.eq_ignore_ascii_case("published") && subject.published.is_some())
        };
        for name in names {
            if !all.iter().any(|subject| wanted(subject, name.trim())) {
                let known: Vec<&str> = all.iter().map(|subject| subject.name.as_str()).collect();
                let known = known.join(", ");
                return Err(Failure::arguments(format!("--only {name}: there are switches, published, {known}")));
            }
        }
        let chosen = |subject: &Subject| names.is_empty() || names.iter().any(|name| wanted(subject, name.trim()));
        Ok(all.into_iter().filter(chosen).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::competitor::{Common, Competitor};

    #[test]
    fn subjects_are_found_by_name_and_group() {
        let count = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
            Subject::chosen(&names).map(|list| list.len()).ok()
        };
        let all = count(&[]).expect("everything");
        assert_eq!(count(&["published"]), Some(PUBLISHED.len()));
        assert_eq!(count(&["switches"]), Some(all - PUBLISHED.len()));
        assert_eq!(count(&["usenullmove", "PublishedRazoring", "UseNullMove"]), Some(2));
        assert_eq!(count(&["PublishedRankGates"]), Some(1), "a former name");
        assert_eq!(count(&["UseNullMove", "Nothing"]), None);
    }

    #[test]
    fn both_sides_can_be_set_and_differ() {
        let zero = std::time::Duration::ZERO;
        let common = Common { hash: 1, hash_chosen: true, chess960: false, patience: zero, startup: zero };
        for subject in Subject::all() {
            let [with, without] = subject.sides();
            assert_ne!(with, without);
            for side in [with, without] {
                Competitor::inside(&side, &common).unwrap_or_else(|failure| panic!("{subject:?}: {failure}"));
            }
        }
    }
}
