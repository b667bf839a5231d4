//! Counting what was found, kept and lost, so that the numbers always add up.

use std::collections::BTreeMap;

use estrange_words::{Reason, Stage};
use serde::{Deserialize, Serialize};

/// Numbers by stage, then by reason.
pub type ByReason = BTreeMap<Stage, BTreeMap<Reason, u64>>;

/// How many functions were found, and what became of them.
///
/// `found` is `kept` and all of `rejected` together. `losses` are whole files and sources; how many functions were
/// lost with them nobody knows, so they are counted apart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Functions found.
    pub found: u64,
    /// Functions kept.
    pub kept: u64,
    /// Functions not kept.
    pub rejected: ByReason,
    /// Whole files and sources that were lost.
    pub losses: ByReason,
}

impl Counts {
    /// Counts a function that was kept.
    pub fn keep(&mut self) {
        self.found += 1;
        self.kept += 1;
    }

    /// Counts a function that was not kept.
    pub fn reject(&mut self, stage: Stage, reason: Reason) {
        self.found += 1;
        count(&mut self.rejected, stage, reason, 1);
    }

    /// Counts the loss of a whole file or source.
    pub fn lose(&mut self, stage: Stage, reason: Reason) {
        count(&mut self.losses, stage, reason, 1);
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.found += other.found;
        self.kept += other.kept;
        for (into, from) in [(&mut self.rejected, &other.rejected), (&mut self.losses, &other.losses)] {
            for (stage, reasons) in from {
                for (reason, number) in reasons {
                    count(into, *stage, *reason, *number);
                }
            }
        }
    }

    /// How many functions were not kept.
    pub fn rejected_in_all(&self) -> u64 {
        sum(self.rejected.values())
    }

    /// How many whole files and sources were lost.
    pub fn losses_in_all(&self) -> u64 {
        sum(self.losses.values())
    }

    /// How many functions could have been kept: those kept, and those left out by choice, such as duplicates.
    pub fn usable(&self) -> u64 {
        let of_choice = self.rejected.iter().filter(|(stage, _)| stage.is_of_choice());
        self.kept.saturating_add(sum(of_choice.map(|(_, reasons)| reasons)))
    }

    /// The share of the functions found that could have been kept; none where nothing was found.
    pub fn usable_share(&self) -> Option<f64> {
        share(self.usable(), self.found)
    }

    /// The share of the functions found that were kept; none where nothing was found.
    pub fn kept_share(&self) -> Option<f64> {
        share(self.kept, self.found)
    }

    /// Whether every function found was either kept or rejected.
    pub fn adds_up(&self) -> bool {
        self.found == self.kept.saturating_add(self.rejected_in_all())
    }
}

/// The part of a whole, where there is one.
pub(crate) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn count(into: &mut ByReason, stage: Stage, reason: Reason, number: u64) {
    *into.entry(stage).or_default().entry(reason).or_default() += number;
}

/// Saturates: the numbers may come from a file that somebody else wrote.
fn sum<'c>(counts: impl Iterator<Item = &'c BTreeMap<Reason, u64>>) -> u64 {
    counts.flat_map(BTreeMap::values).fold(0, |sum, number| sum.saturating_add(*number))
}
