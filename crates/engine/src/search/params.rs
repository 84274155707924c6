//! The registry at the top: every switch and every tunable number of the engine, as one value.
//!
//! Each idea declares its parameters once, in its own file; the module where it acts gathers them in a group. Parameters
//! are a value owned by each search, not globals, so two differently configured engines can play each other in one process.

use std::borrow::Cow;
use std::fmt;

use super::ideas::SearchParams;
use crate::base::{About, Visit};
use crate::history::HistoryParams;
use crate::movepick::OrderingParams;
use crate::time::TimeParams;
use crate::tt::TableParams;

pub use crate::base::{Param, ParamValue};

/// Every idea's parameters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Params {
    /// What the search does at a node, and with its moves.
    pub search: SearchParams,
    /// In which order the moves are tried.
    pub ordering: OrderingParams,
    /// What moves and positions are remembered by.
    pub history: HistoryParams,
    /// How the table keeps what it is told.
    pub tables: TableParams,
    /// How much time a move takes.
    pub time: TimeParams,
}

/// Numbers that have moved to another idea. Their old names still work.
const MOVED: [(&str, &str); 1] = [("Quiescence_see_margin", "QuiescenceSee_margin")];

/// What ideas were called before they got the name of their option. Their old names still work.
const FORMER: [(&str, &str); 5] = [
    ("ClusteredTable", "ClusteredTT"),
    ("InCheckClasses", "InCheckClassOrdering"),
    ("QuietChecks", "QSearchChecks"),
    ("RankGates", "RankAwareGates"),
    ("RankedPicker", "RankedMovePicker"),
];

/// The present name of an idea, or of a number of one, that may go by a former name.
pub fn present_name(name: &str) -> Cow<'_, str> {
    if let Some((_, present)) = MOVED.iter().find(|(former, _)| name.eq_ignore_ascii_case(former)) {
        return (*present).into();
    }
    let (idea, number) = name.split_once('_').map_or((name, None), |(idea, number)| (idea, Some(number)));
    let former = FORMER.iter().find(|(former, _)| idea.eq_ignore_ascii_case(former));
    match (former, number) {
        (None, _) => name.into(),
        (Some((_, present)), None) => (*present).into(),
        (Some((_, present)), Some(number)) => format!("{present}_{number}").into(),
    }
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamError {
    /// There is no option of this name.
    Unknown(String),
    /// A switch takes `true` or `false`.
    NotSwitch(String),
    /// A number takes a whole number in its range.
    NotInRange(String, i32, i32),
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamError::Unknown(name) => write!(f, "no option is named '{name}'"),
            ParamError::NotSwitch(name) => write!(f, "option {name} expects true or false"),
            ParamError::NotInRange(name, min, max) => {
                write!(f, "option {name} expects a whole number from {min} to {max}")
            }
        }
    }
}

impl std::error::Error for ParamError {}

impl Params {
    /// Shows every parameter to a visitor, idea by idea.
    pub fn visit(&mut self, visitor: &mut dyn FnMut(Param<'_>)) {
        let Params { search, ordering, history, tables, time } = self;
        let groups: [&mut dyn Visit; 5] = [search, ordering, history, tables, time];
        groups.into_iter().for_each(|group| group.visit(visitor));
    }

    /// The index: what every idea is, group by group.
    pub fn index() -> Vec<About> {
        let Params { search, ordering, history, tables, time } = Params::default();
        let mut index = Vec::new();
        let groups: [&dyn Visit; 5] = [&search, &ordering, &history, &tables, &time];
        groups.into_iter().for_each(|group| group.about(&mut |about| index.push(about)));
        index
    }

    /// Sets one option by its name, in any case. A bad name or value changes nothing.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ParamError> {
        let mut result = Err(ParamError::Unknown(name.to_string()));
        let present = present_name(name);
        self.visit(&mut |param| {
            if param.name.eq_ignore_ascii_case(&present) {
                result = assign(param, text);
            }
        });
        result
    }

    /// The tuner's input, one line a number: `name, int, start, min, max, C_end, R_end`.
    pub fn tuner_lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        self.visit(&mut |param| {
            if let ParamValue::Number { value, min, max, step, .. } = param.value {
                lines.push(format!("{}, int, {value}, {min}, {max}, {step}, 0.002", param.name));
            }
        });
        lines
    }
}

fn assign(param: Param<'_>, text: &str) -> Result<(), ParamError> {
    match param.value {
        ParamValue::Switch { value, .. } => match text.to_ascii_lowercase().as_str() {
            "true" | "on" | "1" => *value = true,
            "false" | "off" | "0" => *value = false,
            _ => return Err(ParamError::NotSwitch(param.name)),
        },
        ParamValue::Number { value, min, max, .. } => match text.parse() {
            Ok(number) if (min..=max).contains(&number) => *value = number,
            _ => return Err(ParamError::NotInRange(param.name, min, max)),
        },
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_defaults_in_range() {
        let mut names = HashSet::new();
        Params::default().visit(&mut |param| {
            assert!(names.insert(param.name.to_ascii_lowercase()), "{} is declared twice", param.name);
            if let ParamValue::Number { value, default, min, max, step } = param.value {
                assert_eq!(*value, default);
                assert!((min..=max).contains(&default), "{} is out of its own range", param.name);
                assert!(step > 0);
            }
        });
    }

    #[test]
    fn the_specification_names_exist() {
        let mut names = HashSet::new();
        Params::default().visit(&mut |param| {
            if param.public {
                names.insert(param.name);
            }
        });
        for name in [
            "UseQuiescence",
            "MaxCheckPly",
            "QSearchNodeLimit",
            "QSearchChecks",
            "UseNullMove",
            "UseRazoring",
            "UseReverseFutility",
            "UseClusteredTT",
            "CountermoveBonus",
            "UseRankedMovePicker",
            "UseInCheckClassOrdering",
            "UseRankAwareGates",
        ] {
            assert!(names.contains(name), "{name}");
        }
    }

    #[test]
    fn the_index_leads_to_the_files() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let index = Params::index();
        let mut switches = HashSet::new();
        Params::default().visit(&mut |param| {
            if let ParamValue::Switch { .. } = param.value {
                switches.insert(param.name);
            }
        });
        assert_eq!(index.iter().map(|about| about.option.to_string()).collect::<HashSet<_>>(), switches);
        for about in index {
            let text = std::fs::read_to_string(root.join(&about.file)).expect(&about.file);
            assert!(text.contains(&format!("    {} \"{}\"", about.name, about.option)), "{about:?}");
            assert!(about.line.ends_with('.') || text.contains(&about.line), "{about:?}");
            let (acronym, head) = (about.acronym.unwrap_or_default(), text.split("\n\n").next().unwrap_or_default());
            assert!(head.contains(acronym), "{}: the trade's word, {acronym}, belongs into the first line", about.file);
        }
    }

    #[test]
    fn former_names_still_work() {
        let mut params = Params::default();
        assert_eq!(params.set("rankedpicker_shortlist_max", "3"), Ok(()));
        assert_eq!(params.ordering.ranked_move_picker.shortlist_max, 3);
        assert_eq!(params.set("ClusteredTable_age_factor", "5"), Ok(()));
        assert_eq!(params.tables.clustered_tt.age_factor, 5);
        assert_eq!(present_name("RankGates"), "RankAwareGates");
        assert_eq!(params.set("quiescence_see_margin", "40"), Ok(()));
        assert_eq!(params.search.quiescence_see.margin, 40);
        let mut ideas = HashSet::new();
        params.visit(&mut |param| {
            ideas.insert(param.heuristic);
        });
        for (former, present) in FORMER {
            assert!(ideas.contains(present) && !ideas.contains(former), "{former} was {present}");
        }
    }

    #[test]
    fn bad_settings_change_nothing() {
        let mut params = Params::default();
        assert_eq!(params.set("usenullmove", "false"), Ok(()));
        assert!(!params.search.null_move.enabled);
        let before = params.clone();
        for (name, text) in [
            ("UseNullMove", "maybe"),
            ("CountermoveBonus", "20001"),
            ("CountermoveBonus", "-1"),
            ("CountermoveBonus", "much"),
            ("NoSuchThing", "1"),
        ] {
            assert!(params.set(name, text).is_err(), "{name} {text}");
        }
        assert_eq!(params, before);
    }
}
