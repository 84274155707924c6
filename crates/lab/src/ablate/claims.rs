//! What has been published about heuristics.

use std::fmt;

/// What has been published about a heuristic, in Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Claim {
    /// A gain from here to there.
    Gain(f64, f64),
    /// Nothing either way.
    Nothing,
    /// No loss.
    NoLoss,
}

impl Claim {
    /// From where to where the claim goes. "Nothing" is taken as up to 5 Elo either way.
    pub fn range(self) -> (f64, f64) {
        match self {
            Claim::Gain(least, most) => (least, most),
            Claim::Nothing => (-5.0, 5.0),
            Claim::NoLoss => (0.0, f64::INFINITY),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Gain(least, most) => write!(f, "+{least}…{most}"),
            Claim::Nothing => f.write_str("≈ 0"),
            Claim::NoLoss => f.write_str("≥ 0"),
        }
    }
}

/// What has been published, by the switch.
pub const CLAIMS: [(&str, Claim); 10] = [
    ("UseQuiescence", Claim::Gain(150.0, 250.0)),
    ("UseRazoring", Claim::Gain(30.0, 50.0)),
    ("UseCountermoves", Claim::Gain(25.0, 40.0)),
    ("UseHistoryGravity", Claim::Gain(20.0, 40.0)),
    ("UseContinuationHistory", Claim::Gain(40.0, 60.0)),
    ("UseRankedMovePicker", Claim::Nothing),
    ("UseRankAwareGates", Claim::NoLoss),
    ("UseLateMovePruning", Claim::Gain(40.0, 60.0)),
    ("UseAspiration", Claim::Gain(30.0, 50.0)),
    ("UseMulticut", Claim::Gain(20.0, 30.0)),
];
