//! What a model may have seen and what it cannot have seen: functions that last changed before and after its training ended.

use serde::{Deserialize, Serialize};

use crate::document::Estimate;

/// Until when a model was trained.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutoffSheet {
    /// The last day that it may know of.
    pub day: String,
    /// Who says so.
    pub source: String,
}

/// Pass rates of what a model may have seen and of what it cannot have seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SeenSheet {
    /// Functions that last changed on the day of the cut-off or before; none where there are none.
    pub before: Option<SideSheet>,
    /// Those that changed after it.
    pub after: Option<SideSheet>,
    /// How many functions have no known day: they are on neither side.
    pub undated: usize,
    /// What is lost of the compile pass rate from the one side to the other, where there are both.
    pub cpr: Option<GapSheet>,
    /// The same of the test pass rate.
    pub tpr: Option<GapSheet>,
}

/// Functions on one side of a cut-off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct SideSheet {
    /// How many functions.
    pub functions: usize,
    /// How many answers to them were graded.
    pub answers: u64,
    /// The compile pass rate.
    pub cpr: Estimate,
    /// The test pass rate.
    pub tpr: Estimate,
}

/// How far two groups of different functions are apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct GapSheet {
    /// The mean of the functions' rates before less that after.
    pub lost: Estimate,
    /// How likely a difference as large is by chance: a permutation test that deals functions anew.
    pub p_value: f64,
}

impl SeenSheet {
    /// All that must be finite.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> {
        let sides = [self.before, self.after].into_iter().flatten().flat_map(|side| [side.cpr, side.tpr]);
        let gaps = [self.cpr, self.tpr].into_iter().flatten();
        let estimates = sides.chain(gaps.clone().map(|gap| gap.lost));
        estimates.flat_map(|own| [own.value, own.low, own.high]).chain(gaps.map(|gap| gap.p_value))
    }
}
