//! How an idea declares itself: its switch, its numbers and its counters, once, in its own file.
//!
//! From the declaration come the UCI options, the tuner's input and the ledger's rows. Modules gather the ideas that act in
//! them in groups, so that each sees only its own; [`Params`](crate::Params) holds all groups.

/// One number or switch that can be set by name.
pub struct Param<'a> {
    /// The idea it belongs to, such as `ReverseFutility`.
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

/// What an idea is: its line of the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// Its name, such as `ReverseFutility`.
    pub name: &'static str,
    /// What the trade calls it for short, such as `RFP`.
    pub acronym: Option<&'static str>,
    /// The line of the requirements that asks for it.
    pub id: Option<&'static str>,
    /// Where it stands, from the root of the repository.
    pub file: String,
    /// Its switch.
    pub option: &'static str,
    /// Whether it is on by default.
    pub default: bool,
    /// What it does, in a line.
    pub line: String,
}

impl About {
    /// From what the declaration says; `_` is for a word that there is not.
    pub(crate) fn new(
        (name, option, default): (&'static str, &'static str, bool),
        (acronym, id): (&'static str, &'static str),
        file: &str,
        line: &str,
    ) -> About {
        let word = |word: &'static str| (word != "_").then_some(word);
        let (file, line) = (file.replace('\\', "/"), line.trim().to_string());
        About { name, acronym: word(acronym), id: word(id), file, option, default, line }
    }
}

/// What every idea, and every group of them, can do.
pub trait Visit {
    /// Shows each parameter to a visitor.
    fn visit(&mut self, visitor: &mut dyn FnMut(Param<'_>));
    /// Shows what each idea is to a visitor.
    fn about(&self, visitor: &mut dyn FnMut(About));
}

/// What every idea has besides.
pub trait Idea: Visit + Default {
    /// What it counts.
    type Counts: super::Counts;
}

/// Declares an idea: its switch, its numbers and what it counts.
///
/// ```ignore
/// idea! {
///     /// What it is.
///     ReverseFutility "UseReverseFutility" (RFP, SN1) {
///         /// The deepest node it works at.
///         max_depth = 4 in 1..=10 step 1;
///         /// A number with an option name of its own, shown to users.
///         bonus as "CountermoveBonus" = 8000 in 0..=20000 step 500;
///     }
///     counts ReverseFutilityCounts { tried, fired }
/// }
/// ```
/// In parentheses are what the trade calls it for short and the line of the requirements; `_` stands for neither. An idea
/// that is off by default says so: `Name "UseName" off { … }`. The first line of its comment goes into the index.
macro_rules! idea {
    (@default) => { true };
    (@default off) => { false };
    (@name $idea:ident $param:ident) => { concat!(stringify!($idea), "_", stringify!($param)) };
    (@name $idea:ident $param:ident $name:literal) => { $name };
    (@public) => { false };
    (@public $name:literal) => { true };
    (@words) => { ("_", "_") };
    (@words $acronym:tt $id:tt) => { (stringify!($acronym), stringify!($id)) };
    (@line $line:literal $($more:literal)*) => { $line };
    (@counts $idea:ident) => {
        impl $crate::base::Idea for $idea {
            type Counts = $crate::base::NoCounts;
        }
    };
    (@counts $idea:ident $counts:ident { $($count:ident),* }) => {
        $crate::base::counts! {
            /// What it counts.
            $counts { $($count),* }
        }

        impl $crate::base::Idea for $idea {
            type Counts = $counts;
        }
    };
    (
        $(#[doc = $doc:literal])*
        $idea:ident $option:literal $(($acronym:tt, $id:tt))? $($off:ident)? {
            $($(#[$pdoc:meta])* $param:ident $(as $name:literal)? = $default:literal in $min:literal ..= $max:literal step $step:literal;)*
        }
        $(counts $counts:ident { $($count:ident),* $(,)? })?
    ) => {
        $crate::base::idea!(@counts $idea $($counts { $($count),* })?);

        $(#[doc = $doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $idea {
            /// Whether it is switched on.
            pub enabled: bool,
            $($(#[$pdoc])* pub $param: i32,)*
        }

        impl Default for $idea {
            fn default() -> Self {
                Self { enabled: $crate::base::idea!(@default $($off)?), $($param: $default,)* }
            }
        }

        impl $crate::base::Visit for $idea {
            fn visit(&mut self, visitor: &mut dyn FnMut($crate::base::Param<'_>)) {
                visitor($crate::base::Param {
                    heuristic: stringify!($idea),
                    name: $option.to_string(),
                    public: true,
                    value: $crate::base::ParamValue::Switch {
                        value: &mut self.enabled,
                        default: $crate::base::idea!(@default $($off)?),
                    },
                });
                $(visitor($crate::base::Param {
                    heuristic: stringify!($idea),
                    name: $crate::base::idea!(@name $idea $param $($name)?).to_string(),
                    public: $crate::base::idea!(@public $($name)?),
                    value: $crate::base::ParamValue::Number {
                        value: &mut self.$param,
                        default: $default,
                        min: $min,
                        max: $max,
                        step: $step,
                    },
                });)*
            }

            fn about(&self, visitor: &mut dyn FnMut($crate::base::About)) {
                visitor($crate::base::About::new(
                    (stringify!($idea), $option, $crate::base::idea!(@default $($off)?)),
                    $crate::base::idea!(@words $($acronym $id)?),
                    file!(),
                    $crate::base::idea!(@line $($doc)*),
                ));
            }
        }
    };
}

/// Gathers ideas, one line each: their parameters, and what they count.
macro_rules! group {
    ($(#[$doc:meta])* $group:ident, $counts:ident { $($field:ident : $idea:path,)* }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug, Default)]
        #[allow(missing_docs)] // what a field is stands with its type
        pub struct $group {
            $(pub $field: $idea,)*
        }

        impl $crate::base::Visit for $group {
            fn visit(&mut self, visitor: &mut dyn FnMut($crate::base::Param<'_>)) {
                $($crate::base::Visit::visit(&mut self.$field, visitor);)*
            }

            fn about(&self, visitor: &mut dyn FnMut($crate::base::About)) {
                $($crate::base::Visit::about(&self.$field, visitor);)*
            }
        }

        /// What the ideas of the group count.
        #[derive(Clone, Debug, Default)]
        #[allow(missing_docs)]
        pub struct $counts {
            $(pub $field: <$idea as $crate::base::Idea>::Counts,)*
        }

        impl $crate::base::Counts for $counts {
            fn visit(&mut self, _: &str, visitor: &mut dyn FnMut(String, &mut $crate::base::Count)) {
                $($crate::base::Counts::visit(&mut self.$field, stringify!($field), visitor);)*
            }
        }
    };
}

pub(crate) use {group, idea};
