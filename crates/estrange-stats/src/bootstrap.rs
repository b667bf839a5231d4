//! Between which bounds a statistic lies, found by drawing from its own values: the bootstrap.
//!
//! A *resample* has as many values as there are, each drawn from all of them with replacement. The statistic of many
//! resamples spreads about as the statistic itself would over many samples.
//!
//! ```
//! use estrange_stats::bootstrap::Bootstrap;
//!
//! let scores = [1.0, 0.5, 1.0, 0.0, 0.33, 1.0, 0.25, 0.5, 1.0, 0.0];
//! let estimate = Bootstrap::seeded(1).mean(&scores)?;
//! assert!((estimate.value - 0.558).abs() < 1e-12);
//! assert!(estimate.interval.low > 0.28 && estimate.interval.high < 0.82);
//! # Ok::<(), estrange_stats::StatisticsError>(())
//! ```

use crate::StatisticsError;
use crate::error::{check, check_level, check_rounds};
use crate::random::Random;
use crate::special::{normal_below, normal_quantile};
use crate::summary::{mean, summarize};

/// How an interval is read off the resamples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The middle part of the resamples' values.
    Percentile,
    /// The same, corrected for bias and for a spread that changes with the value (BCa, Efron 1987).
    Bca,
}

/// Bounds between which a value lies, at a level of confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// The level of confidence, such as 0.95.
    pub level: f64,
}

/// A statistic's value with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value, of the values as they are.
    pub value: f64,
    /// The interval.
    pub interval: Interval,
    /// The standard error: the standard deviation over the resamples.
    pub standard_error: f64,
}

/// How to draw, and how to read the interval off what was drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// How many resamples are drawn.
    pub resamples: usize,
    /// The level of confidence.
    pub level: f64,
    /// How the interval is read off them.
    pub method: Method,
    /// What the draws depend on.
    pub seed: u64,
}

impl Bootstrap {
    /// 10,000 resamples, 95%, BCa.
    pub fn seeded(seed: u64) -> Self {
        Self { resamples: 10_000, level: 0.95, method: Method::Bca, seed }
    }

    /// The mean of values, with its interval.
    pub fn mean(&self, values: &[f64]) -> Result<Estimate, StatisticsError> {
        check(values, 1)?;
        let sum: f64 = values.iter().sum();
        let others = (values.len() - 1) as f64;
        let without = |place: usize| (sum - values[place]) / others;
        let drawn = |places: &mut dyn Iterator<Item = usize>| {
            places.map(|place| values[place]).sum::<f64>() / values.len() as f64
        };
        self.estimate(values.len(), mean(values), drawn, without)
    }

    /// Any statistic of values, with its interval. It must be finite for every resample.
    pub fn statistic(&self, values: &[f64], statistic: impl Fn(&[f64]) -> f64) -> Result<Estimate, StatisticsError> {
        check(values, 1)?;
        let mut sample = Vec::with_capacity(values.len());
        let drawn = |places: &mut dyn Iterator<Item = usize>| {
            sample.clear();
            sample.extend(places.map(|place| values[place]));
            statistic(&sample)
        };
        let without = |place: usize| statistic(&[&values[..place], &values[place + 1..]].concat());
        self.estimate(values.len(), statistic(values), drawn, without)
    }

    /// The estimate of a statistic of `count` items, which is known by its value, by its value for items that were
    /// drawn, and by its value without one item.
    pub(crate) fn estimate(
        &self,
        count: usize,
        value: f64,
        mut drawn: impl FnMut(&mut dyn Iterator<Item = usize>) -> f64,
        without: impl Fn(usize) -> f64,
    ) -> Result<Estimate, StatisticsError> {
        check_level(self.level)?;
        check_rounds(self.resamples)?;
        let bound = u32::try_from(count).map_err(|_| StatisticsError::OutOfBounds {
            what: "the number of values",
            value: count as f64,
            bounds: "below 2³²",
        })?;
        let mut resampled: Vec<f64> = (0..self.resamples)
            .map(|round| {
                let mut random = Random::of_round(self.seed, round);
                drawn(&mut (0..count).map(|_| random.below(bound) as usize))
            })
            .collect();
        check(&resampled, 1)?;
        let standard_error = summarize(&resampled)?.deviation;
        resampled.sort_unstable_by(f64::total_cmp);
        let tail = (1.0 - self.level) / 2.0;
        let shares = match self.method {
            Method::Percentile => [tail, 1.0 - tail],
            Method::Bca if count < 2 => [tail, 1.0 - tail],
            Method::Bca => {
                let left_out: Vec<f64> = (0..count).map(without).collect();
                check(&left_out, 1)?;
                corrected(&resampled, value, &left_out, tail)
            }
        };
        let [low, high] = shares.map(|share| quantile(&resampled, share));
        Ok(Estimate { value, interval: Interval { low, high, level: self.level }, standard_error })
    }
}

/// Where BCa reads its bounds off the resamples, which are sorted, as shares of them.
fn corrected(resampled: &[f64], value: f64, left_out: &[f64], tail: f64) -> [f64; 2] {
    // What the statistic is without each item (the jackknife).
    let middle = mean(left_out);
    let away: Vec<f64> = left_out.iter().map(|each| middle - each).collect();
    corrected_by(resampled, value, &away, tail)
}

/// The same, by the influence of each item on the value.
pub(crate) fn corrected_by(resampled: &[f64], value: f64, influences: &[f64], tail: f64) -> [f64; 2] {
    // How far the value is from the middle of the resamples; those equal to it are half below.
    let below = resampled.partition_point(|&each| each < value) as f64;
    let not_above = resampled.partition_point(|&each| each <= value) as f64;
    let bias = normal_quantile((below + not_above) / 2.0 / resampled.len() as f64);
    if !bias.is_finite() {
        // The value lies beyond all resamples, as happens for statistics that are not smooth: there is no correction.
        return [tail, 1.0 - tail];
    }
    // How fast the spread changes with the value.
    let squares: f64 = influences.iter().map(|own| own * own).sum();
    let cubes: f64 = influences.iter().map(|own| own * own * own).sum();
    let spread = squares * squares.sqrt();
    let acceleration = if spread > 0.0 { cubes / (6.0 * spread) } else { 0.0 };
    [tail, 1.0 - tail].map(|share| {
        let from_bias = bias + normal_quantile(share);
        normal_below(bias + from_bias / (1.0 - acceleration * from_bias))
    })
}

/// The value below which a share of sorted values lies, between two of them in proportion.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let low = sorted[place.floor() as usize];
    let high = sorted[place.ceil() as usize];
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests;
