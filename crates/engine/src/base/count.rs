//! Counters that say what the search does. Without the `telemetry` feature there is nothing here: a count is of no size and
//! every call compiles to nothing.

/// How often something has happened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    #[cfg(feature = "telemetry")]
    events: u64,
}

impl Count {
    /// Whether this build counts at all.
    pub const ENABLED: bool = cfg!(feature = "telemetry");

    /// Counts one.
    #[inline(always)]
    pub fn count(&mut self) {
        self.add(1);
    }

    /// Counts one if the condition holds.
    #[inline(always)]
    pub fn count_if(&mut self, condition: bool) {
        self.add(u64::from(condition));
    }

    /// Counts many.
    #[inline(always)]
    #[cfg_attr(not(feature = "telemetry"), allow(unused_variables))]
    pub fn add(&mut self, amount: u64) {
        #[cfg(feature = "telemetry")]
        {
            self.events += amount;
        }
    }

    /// How often it was counted; always zero in a build without telemetry.
    pub fn get(self) -> u64 {
        #[cfg(feature = "telemetry")]
        return self.events;
        #[cfg(not(feature = "telemetry"))]
        0
    }
}

/// What every set of counters can do.
pub trait Counts: Default {
    /// Shows each counter to a visitor, with its name behind that of what it belongs to.
    fn visit(&mut self, of: &str, visitor: &mut dyn FnMut(String, &mut Count));
}

/// The counters of an idea that has none.
#[derive(Clone, Debug, Default)]
pub struct NoCounts;

impl Counts for NoCounts {
    fn visit(&mut self, _: &str, _: &mut dyn FnMut(String, &mut Count)) {}
}

/// Declares a set of counters.
macro_rules! counts {
    ($(#[$doc:meta])* $name:ident { $($count:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default)]
        #[allow(missing_docs)] // the name says it
        pub struct $name {
            $(pub $count: $crate::base::Count,)*
        }

        impl $crate::base::Counts for $name {
            fn visit(&mut self, of: &str, visitor: &mut dyn FnMut(String, &mut $crate::base::Count)) {
                $(visitor(format!("{of}.{}", stringify!($count)), &mut self.$count);)*
            }
        }
    };
}

pub(crate) use counts;
