//! The registry of heuristics: every switch and every tunable number of the search, as one value.
//!
//! Each heuristic declares its parameters once, in its own file, with [`heuristic!`](crate::heuristic). From the
//! declaration come the UCI options, the tuner's input and the ledger's rows. Parameters are a value owned
//! by each search, not globals, so two differently configured engines can play each other in one process.

use std::fmt;

use crate::search::ideas::*;

/// One number or switch that can be set by name.
pub struct Param<'a> {
    /// The heuristic it belongs to, such as `ReverseFutility`.
    pub heuristic: &'static str,
    /// The name of the UCI option.
    pub name: String,
    /// Whether the option is meant for users; the rest are for tuning.
    pub public: bool,
    /// Its value and what it may be.
    pub value: ParamValue<'a>,
}

/// The value behind a [`Param`].
pub enum ParamValue<'a> {
    /// On or off.
    Switch {
        /// The current setting.
        value: &'a mut bool,
        /// What it is without any setting.
        default: bool,
    },
    /// A number in a range.
    Number {
        /// The current setting.
        value: &'a mut i32,
        /// What it is without any setting.
        default: i32,
        /// The least it may be.
        min: i32,
        /// The most it may be.
        max: i32,
        /// A change worth trying when tuning.
        step: i32,
    },
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

/// What every heuristic's parameter block can do.
pub trait Heuristic: Default {
    /// Shows each of its parameters to a visitor.
    fn visit(&mut self, visitor: &mut dyn FnMut(Param<'_>));
}

/// Declares a heuristic: its switch and its numbers.
///
/// ```ignore
/// heuristic! {
///     /// What it is.
///     ReverseFutility "UseReverseFutility" {
///         /// The deepest node it works at.
///         max_depth = 4 in 1..=10 step 1;
///         /// A number with an option name of its own, shown to users.
///         bonus as "CountermoveBonus" = 8000 in 0..=20000 step 500;
///     }
/// }
/// ```
/// A heuristic that is off by default says so: `Name "UseName" off { … }`.
#[macro_export]
macro_rules! heuristic {
    (@default) => { true };
    (@default off) => { false };
    (@name $heuristic:ident $param:ident) => { concat!(stringify!($heuristic), "_", stringify!($param)) };
    (@name $heuristic:ident $param:ident $name:literal) => { $name };
    (@public) => { false };
    (@public $name:literal) => { true };
    (
        $(#[$doc:meta])*
        $heuristic:ident $option:literal $($off:ident)? {
            $($(#[$pdoc:meta])* $param:ident $(as $name:literal)? = $default:literal in $min:literal ..= $max:literal step $step:literal;)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $heuristic {
            /// Whether the heuristic is switched on.
            pub enabled: bool,
            $($(#[$pdoc])* pub $param: i32,)*
        }

        impl Default for $heuristic {
            fn default() -> Self {
                Self { enabled: $crate::heuristic!(@default $($off)?), $($param: $default,)* }
            }
        }

        impl $crate::params::Heuristic for $heuristic {
            fn visit(&mut self, visitor: &mut dyn FnMut($crate::params::Param<'_>)) {
                visitor($crate::params::Param {
                    heuristic: stringify!($heuristic),
                    name: $option.to_string(),
                    public: true,
                    value: $crate::params::ParamValue::Switch {
                        value: &mut self.enabled,
                        default: $crate::heuristic!(@default $($off)?),
                    },
                });
                $(visitor($crate::params::Param {
                    heuristic: stringify!($heuristic),
                    name: $crate::heuristic!(@name $heuristic $param $($name)?).to_string(),
                    public: $crate::heuristic!(@public $($name)?),
                    value: $crate::params::ParamValue::Number {
                        value: &mut self.$param,
                        default: $default,
                        min: $min,
                        max: $max,
                        step: $step,
                    },
                });)*
            }
        }
    };
}

macro_rules! registry {
    ($($field:ident : $heuristic:path,)*) => {
        /// Every heuristic's parameters.
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        #[allow(missing_docs)]
        pub struct Params {
            $(pub $field: $heuristic,)*
        }

        impl Params {
            /// Shows every parameter to a visitor, heuristic by heuristic.
            pub fn visit(&mut self, visitor: &mut dyn FnMut(Param<'_>)) {
                $(self.$field.visit(visitor);)*
            }
        }
    };
}

// One line a heuristic.
registry! {
    quiescence: quiescence::Quiescence,
    quiet_checks: quiescence::QuietChecks,
    delta: delta_pruning::DeltaPruning,
    table: table::ClusteredTable,
    aspiration: aspiration::Aspiration,
    mate_distance: mate_distance::MateDistance,
    upcoming_repetition: upcoming_repetition::UpcomingRepetition,
    correction: correction::CorrectionHistory,
    lone_king: lone_king::LoneKing,
    improving: improving::Improving,
    endgame_guard: endgame_guard::EndgameGuard,
    razoring: razoring::Razoring,
    reverse_futility: reverse_futility::ReverseFutility,
    null_move: null_move::NullMove,
    internal_reduction: internal_reduction::InternalReduction,
    probcut: probcut::ProbCut,
    multicut: multicut::Multicut,
    singular: singular::SingularExtensions,
    late_move_pruning: late_move_pruning::LateMovePruning,
    futility: futility::Futility,
    history_pruning: history_pruning::HistoryPruning,
    see_pruning: see_pruning::SeePruning,
    late_move_reductions: late_move_reductions::LateMoveReductions,
    killers: killers::Killers,
    countermoves: countermoves::Countermoves,
    threat_ordering: threat_ordering::ThreatOrdering,
    quiet_safety: quiet_safety::QuietSafety,
    history: history_gravity::HistoryGravity,
    capture_history: history_gravity::CaptureHistory,
    continuation: continuation::ContinuationHistory,
    pawn_history: pawn_history::PawnHistory,
    eval_history: eval_history::EvalHistory,
    refutation_history: refutation_history::RefutationHistory,
    ranked_picker: ranked_picker::RankedPicker,
    check_classes: ranked_picker::InCheckClasses,
    rank_gates: rank_gates::RankGates,
    time: time_management::TimeManagement,
}

impl Params {
    /// Sets one option by its name, in any case. A bad name or value changes nothing.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ParamError> {
        let mut result = Err(ParamError::Unknown(name.to_string()));
        self.visit(&mut |param| {
            if param.name.eq_ignore_ascii_case(name) {
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
    fn bad_settings_change_nothing() {
        let mut params = Params::default();
        assert_eq!(params.set("usenullmove", "false"), Ok(()));
        assert!(!params.null_move.enabled);
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
