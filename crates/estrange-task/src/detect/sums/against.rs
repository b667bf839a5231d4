//! A setting against the one before any rewrite: verdicts that changed, and what is lost on the same pairs.

use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;

use estrange_bench::Verdict;
use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::{Bootstrap, Estimate};

use super::{ByPair, Tally};
use crate::detect::judged::Judged;
use crate::drawn::{estimate, share};
pub use crate::fall::Fall;

/// What is lost of F1 between two settings; nothing where they have no pair in common.
pub fn fall(
    before: &ByPair<'_>,
    after: &ByPair<'_>,
    bootstrap: &Bootstrap,
    rounds: usize,
) -> Result<Option<Fall>, StatisticsError> {
    let right = |tally: &Tally| share(tally.correct, tally.items());
    crate::fall::fall((before, after), (bootstrap, rounds), |tally: &Tally| tally.confusion.f1(), right)
}

/// How many verdicts there are in both settings, and how many of them are not the same.
#[derive(Debug, Clone, Copy, Default)]
struct Changed {
    compared: u64,
    changed: u64,
}

impl AddAssign for Changed {
    fn add_assign(&mut self, other: Self) {
        self.compared += other.compared;
        self.changed += other.changed;
    }
}

/// The share of items whose verdict is another one than before, of those that have one in both settings. An item is
/// compared with the one before that has its seed, or with the first one.
pub fn flips(
    before: &[&Judged],
    after: &[&Judged],
    bootstrap: &Bootstrap,
) -> Result<Option<Estimate>, StatisticsError> {
    let mut then: HashMap<&str, BTreeMap<u32, Option<Verdict>>> = HashMap::new();
    for item in before {
        then.entry(&item.case.item).or_default().insert(item.case.seed, item.verdict);
    }
    let mut pairs: BTreeMap<&str, Changed> = BTreeMap::new();
    for item in after {
        let Some(seeds) = then.get(&*item.case.item) else { continue };
        let old = seeds.get(&item.case.seed).or_else(|| seeds.values().next()).copied().flatten();
        let (Some(old), Some(new)) = (old, item.verdict) else { continue };
        *pairs.entry(&item.case.pair).or_default() += Changed { compared: 1, changed: u64::from(old != new) };
    }
    let pairs: Vec<Changed> = pairs.into_values().collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    estimate(&pairs, bootstrap, |all: &Changed| share(all.changed, all.compared)).map(Some)
}
