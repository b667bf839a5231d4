//! Counts of pairs, summed up and drawn: what a number that is read off them comes to, and how sure that is.

use std::ops::AddAssign;

use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::{Bootstrap, Estimate};

/// A number that is read off the sum over pairs, with the interval that drawing pairs gives.
pub(crate) fn estimate<T: Copy + Default + AddAssign>(
    pairs: &[T],
    bootstrap: &Bootstrap,
    read: impl Fn(&T) -> f64,
) -> Result<Estimate, StatisticsError> {
    let places: Vec<f64> = (0..pairs.len()).map(|place| place as f64).collect();
    bootstrap.statistic(&places, |places| {
        let drawn = places.iter().filter_map(|place| pairs.get(*place as usize));
        read(&sum(drawn))
    })
}

pub(crate) fn sum<'t, T: Copy + Default + AddAssign + 't>(tallies: impl Iterator<Item = &'t T>) -> T {
    let mut sum = T::default();
    tallies.for_each(|tally| sum += *tally);
    sum
}

/// A share of nothing is 0, as in [`estrange_stats::classification`].
pub(crate) fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}
