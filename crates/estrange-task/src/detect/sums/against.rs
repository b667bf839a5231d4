//! A setting against the one before any rewrite: verdicts that changed, and what is lost on the same pairs.

use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;

use estrange_bench::Verdict;
use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::{Bootstrap, Estimate};
use estrange_stats::paired::{Alternative, permutation_test};

use super::{ByPair, Tally};
use crate::detect::judged::Judged;
use crate::drawn::{estimate, share, sum};

/// What was lost from one setting to another, on the pairs that both have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// How many pairs both have.
    pub pairs: usize,
    /// F1 before.
    pub before: f64,
    /// F1 after.
    pub after: f64,
    /// F1 before less F1 after, with its interval: above 0 where something is lost.
    pub lost: Estimate,
    /// How likely a difference as large in the share of right verdicts would be if the setting did not matter: the paired
    /// permutation test over pairs.
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
    let lost = estimate(&pairs, bootstrap, |both: &Both| both.before.confusion.f1() - both.after.confusion.f1())?;
    let right = |read: fn(&Both) -> &Tally| -> Vec<f64> {
        pairs.iter().map(|both| share(read(both).correct, read(both).items())).collect()
    };
    let test = permutation_test(
        &right(|both| &both.before),
        &right(|both| &both.after),
        Alternative::TwoSided,
        rounds,
        bootstrap.seed,
    )?;
    let all = sum(pairs.iter());
    Ok(Some(Fall {
        pairs: pairs.len(),
        before: all.before.confusion.f1(),
        after: all.after.confusion.f1(),
        lost,
        p_value: test.p_value,
    }))
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
