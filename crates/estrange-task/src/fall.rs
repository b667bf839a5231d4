//! What is lost from one setting to another, on the pairs that both have.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::{Bootstrap, Estimate};
use estrange_stats::paired::{Alternative, permutation_test};

use crate::drawn::{estimate, sum};

/// What was lost from one setting to another, on the pairs that both have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// How many pairs both have.
    pub pairs: usize,
    /// What was measured before: F1 of detectors, the share of right answers of the probe.
    pub before: f64,
    /// The same after.
    pub after: f64,
    /// The difference, with its interval: above 0 where something is lost.
    pub lost: Estimate,
    /// How likely a difference as large in the share of what is right would be if the setting did not matter: the paired
    /// permutation test over pairs.
    pub p_value: f64,
}

/// Two tallies of the same pair.
#[derive(Debug, Clone, Copy, Default)]
struct Both<T> {
    before: T,
    after: T,
}

impl<T: AddAssign> AddAssign for Both<T> {
    fn add_assign(&mut self, other: Self) {
        self.before += other.before;
        self.after += other.after;
    }
}

/// What is lost between two settings; nothing where they have no pair in common. `measure` is read off sums over pairs,
/// `right` is the share of what is right of one pair.
pub(crate) fn fall<T: Copy + Default + AddAssign>(
    (before, after): (&BTreeMap<&str, T>, &BTreeMap<&str, T>),
    (bootstrap, rounds): (&Bootstrap, usize),
    measure: impl Fn(&T) -> f64,
    right: impl Fn(&T) -> f64,
) -> Result<Option<Fall>, StatisticsError> {
    let common = before.iter().filter_map(|(pair, before)| Some(Both { before: *before, after: *after.get(pair)? }));
    let pairs: Vec<Both<T>> = common.collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    let befores: Vec<f64> = pairs.iter().map(|both| right(&both.before)).collect();
    let afters: Vec<f64> = pairs.iter().map(|both| right(&both.after)).collect();
    let test = permutation_test(&befores, &afters, Alternative::TwoSided, rounds, bootstrap.seed)?;
    let all = sum(pairs.iter());
    Ok(Some(Fall {
        pairs: pairs.len(),
        before: measure(&all.before),
        after: measure(&all.after),
        lost: estimate(&pairs, bootstrap, |both: &Both<T>| measure(&both.before) - measure(&both.after))?,
        p_value: test.p_value,
    }))
}
