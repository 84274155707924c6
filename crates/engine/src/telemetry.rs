//! Named counters that say what the search does. Without the `telemetry` feature there is nothing here:
//! the type is empty and every call compiles to nothing.

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What can be counted.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[allow(missing_docs)]
        #[repr(usize)]
        pub enum Counter { $($(#[$doc])* $name,)* }

        impl Counter {
            /// Every counter.
            pub const ALL: &'static [Counter] = &[$(Counter::$name,)*];
        }
    };
}

counters! {
    MainNodes, QsNodes,
    TableProbes, TableHits, TableCutoffs,
    SyzygyTried, SyzygyHits, SyzygyCutoffs,
    BetaCutoffs, FirstMoveCutoffs,
    BestRank1, BestRank2To5, BestRank6To10, BestRank11Up,
    QsCutoffs, QsFirstMoveCutoffs, QsStandPat, QsDelta, QsSee, QsEvasions, QsLimitHits,
    MateDistance, UpcomingRepetition,
    RazoringTried, RazoringFired,
    ReverseFutilityTried, ReverseFutilityFired,
    NullMoveTried, NullMoveFired, NullMoveVerified,
    InternalReductionFired,
    ProbCutTried, ProbCutFired,
    MulticutTried, MulticutFired,
    SingularTried, SingularExtended, SingularDouble, SingularMulticut, SingularNegative,
    LateMovePruned, FutilityPruned, HistoryPruned, SeePrunedQuiet, SeePrunedCapture,
    Reduced, ReducedResearched,
    CountermoveUpdates, CountermoveProbes, CountermoveHits, CountermoveCutoffs,
    RankedNodes, RankedPvQuiets, RankedPvQuietsListed, SeeCalls, CapturesScored,
    GateReductions, GateLateMoves, GateFutility, GateCaptures, GateSmoothed,
    AspirationTried, AspirationFailLow, AspirationFailHigh,
}

/// The counters of one search thread.
#[derive(Clone, Debug)]
pub struct Telemetry {
    #[cfg(feature = "telemetry")]
    counts: [u64; Counter::ALL.len()],
}

#[allow(clippy::derivable_impls)] // not derivable with the feature on
impl Default for Telemetry {
    fn default() -> Telemetry {
        Telemetry {
            #[cfg(feature = "telemetry")]
            counts: [0; Counter::ALL.len()],
        }
    }
}

impl Telemetry {
    /// Whether this build counts at all.
    pub const ENABLED: bool = cfg!(feature = "telemetry");

    /// Counts one.
    #[inline(always)]
    pub fn count(&mut self, counter: Counter) {
        self.add(counter, 1);
    }

    /// Counts one if the condition holds.
    #[inline(always)]
    pub fn count_if(&mut self, condition: bool, counter: Counter) {
        self.add(counter, u64::from(condition));
    }

    /// Counts many.
    #[inline(always)]
    #[cfg_attr(not(feature = "telemetry"), allow(unused_variables))]
    pub fn add(&mut self, counter: Counter, amount: u64) {
        #[cfg(feature = "telemetry")]
        {
            self.counts[counter as usize] += amount;
        }
    }

    /// How often it was counted; always zero in a build without telemetry.
    #[cfg_attr(not(feature = "telemetry"), allow(unused_variables))]
    pub fn get(&self, counter: Counter) -> u64 {
        #[cfg(feature = "telemetry")]
        return self.counts[counter as usize];
        #[cfg(not(feature = "telemetry"))]
        0
    }

    /// Adds another thread's counts.
    pub fn merge(&mut self, other: &Telemetry) {
        for &counter in Counter::ALL {
            self.add(counter, other.get(counter));
        }
    }
}
