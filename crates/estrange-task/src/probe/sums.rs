//! What answers are worth, over many questions: pure functions of what was judged.
//!
//! Whatever has an interval is found by drawing pairs, not questions: all questions of a pair, and all its seeds, are drawn
//! together. What has no value counts as wrong; the share that was answered stands beside.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::{Bootstrap, Estimate};
use estrange_stats::paired::{Alternative, permutation_test};

use super::judged::Judged;
use crate::drawn::{estimate, share, sum};

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

/// What was lost from one setting to another, on the pairs that both have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// How many pairs both have.
    pub pairs: usize,
    /// The share of right answers before.
    pub before: f64,
    /// The share after.
    pub after: f64,
    /// The difference, with its interval: above 0 where something is lost.
    pub lost: Estimate,
    /// How likely a difference as large would be if the setting did not matter: the paired permutation test over pairs.
    pub p_value: f64,
}

/// Two tallies of the same pair.
#[derive(Debug, Clone, Copy, Default)]
struct Both {
    before: Tally,
    after: Tally,
}

impl AddAssign for Both {
    fn add_assign(&mut self, other: Self) {
        self.before += other.before;
        self.after += other.after;
    }
}

/// What is lost between two settings; nothing where they have no pair in common.
pub fn fall(
    before: &ByPair<'_>,
    after: &ByPair<'_>,
    bootstrap: &Bootstrap,
    rounds: usize,
) -> Result<Option<Fall>, StatisticsError> {
    let common = before.iter().filter_map(|(pair, before)| Some(Both { before: *before, after: *after.get(pair)? }));
    let pairs: Vec<Both> = common.collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    let right = |read: fn(&Both) -> &Tally| pairs.iter().map(|both| read(both).accuracy()).collect::<Vec<_>>();
    let (befores, afters) = (right(|both| &both.before), right(|both| &both.after));
    let test = permutation_test(&befores, &afters, Alternative::TwoSided, rounds, bootstrap.seed)?;
    let all = sum(pairs.iter());
    Ok(Some(Fall {
        pairs: pairs.len(),
        before: all.before.accuracy(),
        after: all.after.accuracy(),
        lost: estimate(&pairs, bootstrap, |both: &Both| both.before.accuracy() - both.after.accuracy())?,
        p_value: test.p_value,
    }))
}
