//! What verdicts are worth, over many items: pure functions of cases and verdicts.
//!
//! Whatever has an interval is found by drawing pairs, not items: both sides of a pair and all its seeds are drawn together.
//! What has no verdict counts as not flagged in precision, recall, F1 and false alarms, and as wrong in accuracy; the share
//! that was answered stands beside.

mod against;
mod tally;

use std::collections::BTreeMap;

use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::{Bootstrap, Estimate};

pub use against::{Fall, fall, flips};
pub use tally::Tally;

use super::judged::Judged;
use crate::drawn::{estimate, share, sum};

/// What is counted of each pair in a setting.
pub type ByPair<'j> = BTreeMap<&'j str, Tally>;

/// Counts the items of a setting, pair by pair.
pub fn by_pair<'j>(judged: impl IntoIterator<Item = &'j Judged>) -> ByPair<'j> {
    let mut items: BTreeMap<(&str, u32), Vec<&Judged>> = BTreeMap::new();
    for item in judged {
        items.entry((&item.case.pair, item.case.seed)).or_default().push(item);
    }
    let mut pairs: ByPair<'j> = BTreeMap::new();
    for ((pair, _), items) in items {
        let tally = pairs.entry(pair).or_default();
        *tally += Tally::of(&items);
    }
    pairs
}

/// What a detector's verdicts in a setting are worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// Everything that was counted.
    pub all: Tally,
    /// Of what was flagged, the share that has the bug.
    pub precision: Estimate,
    /// Of what has the bug, the share that was flagged.
    pub recall: Estimate,
    /// The harmonic mean of both.
    pub f1: Estimate,
    /// The share of all items whose verdict is right.
    pub accuracy: Estimate,
    /// Of the patched sides, the share that was flagged.
    pub false_alarms: Estimate,
    /// The share of pairs of which both sides are right.
    pub pairwise: Estimate,
    /// Of the flagged vulnerable sides with a line, the share with the right one.
    pub located: Option<Estimate>,
}

/// Sums up a setting.
pub fn level(pairs: &ByPair<'_>, bootstrap: &Bootstrap) -> Result<Level, StatisticsError> {
    let tallies: Vec<Tally> = pairs.values().copied().collect();
    let of = |read: &dyn Fn(&Tally) -> f64| estimate(&tallies, bootstrap, read);
    let all = sum(tallies.iter());
    Ok(Level {
        all,
        precision: of(&|sum| sum.confusion.precision())?,
        recall: of(&|sum| sum.confusion.recall())?,
        f1: of(&|sum| sum.confusion.f1())?,
        accuracy: of(&|sum| share(sum.correct, sum.items()))?,
        false_alarms: of(&|sum| sum.confusion.false_positive_rate())?,
        pairwise: of(&|sum| share(sum.both_right, sum.pairs))?,
        located: match all.with_line {
            0 => None,
            _ => Some(of(&|sum| share(sum.located, sum.with_line))?),
        },
    })
}
