//! What answers are worth, over many questions: pure functions of what was judged.
//!
//! Whatever has an interval is found by drawing pairs, not questions: all questions of a pair, and all its seeds, are drawn
//! together. What has no value counts as wrong; the share that was answered stands beside.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::{Bootstrap, Estimate};

use super::judged::Judged;
use crate::drawn::{estimate, share, sum};
pub use crate::fall::Fall;

/// Counts of questions. Sums of them are counts of more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Those that were asked.
    pub asked: u64,
    /// Those with a value.
    pub answered: u64,
    /// Those whose value is right.
    pub right: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.asked += other.asked;
        self.answered += other.answered;
        self.right += other.right;
    }
}

impl Tally {
    /// The share of right answers.
    pub fn accuracy(&self) -> f64 {
        share(self.right, self.asked)
    }
}

/// What is counted of each pair in a setting.
pub type ByPair<'j> = BTreeMap<&'j str, Tally>;

/// Counts the questions of a setting, pair by pair.
pub fn by_pair<'j>(judged: impl IntoIterator<Item = &'j Judged>) -> ByPair<'j> {
    let mut pairs: ByPair<'j> = BTreeMap::new();
    for item in judged {
        *pairs.entry(&item.question.pair).or_default() +=
            Tally { asked: 1, answered: item.value.is_some().into(), right: item.is_right.into() };
    }
    pairs
}

/// All that was counted in a setting, and the share of right answers with its interval.
pub fn level(pairs: &ByPair<'_>, bootstrap: &Bootstrap) -> Result<(Tally, Estimate), StatisticsError> {
    let tallies: Vec<Tally> = pairs.values().copied().collect();
    Ok((sum(tallies.iter()), estimate(&tallies, bootstrap, Tally::accuracy)?))
}

/// What is lost of the share of right answers between two settings; nothing where they have no pair in common.
pub fn fall(
    before: &ByPair<'_>,
    after: &ByPair<'_>,
    bootstrap: &Bootstrap,
    rounds: usize,
) -> Result<Option<Fall>, StatisticsError> {
    crate::fall::fall((before, after), (bootstrap, rounds), Tally::accuracy, Tally::accuracy)
}
