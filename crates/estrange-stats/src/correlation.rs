//! Whether two things go together: Pearson's, Spearman's and Kendall's coefficients, as scipy has them.
//!
//! ```
//! use estrange_stats::correlation::{kendall, pearson, spearman};
//!
//! let lines = [5.0, 12.0, 8.0, 30.0, 22.0, 12.0];
//! let shift = [0.9, 0.4, 0.7, 0.3, 0.1, 0.5];
//! let correlation = spearman(&lines, &shift)?;
//! assert!((correlation.coefficient - -0.92763366).abs() < 1e-8);
//! assert!(correlation.p_value < 0.05);
//! assert!(correlation.interval(0.95)?.high < 0.0);
//! assert!(pearson(&lines, &shift)?.coefficient < -0.7);
//! assert!(kendall(&lines, &shift)?.coefficient < -0.7);
//! # Ok::<(), estrange_stats::StatisticsError>(())
//! ```

mod kendall;
mod ranks;

use crate::StatisticsError;
use crate::bootstrap::Interval;
use crate::error::{check_level, check_pairs};
use crate::special::{correlation_beyond, normal_quantile};
use crate::summary::mean;

pub use kendall::kendall;

/// The fewest pairs of which anything can be said.
const LEAST: usize = 3;

/// A coefficient of correlation, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// The coefficient, from -1 to 1.
    pub coefficient: f64,
    /// How likely a coefficient this far from 0, to either side, is where nothing goes together.
    pub p_value: f64,
    /// How many pairs it was found in.
    pub pairs: usize,
    /// The standard error on the scale on which coefficients spread evenly (Fisher's).
    error: f64,
}

impl Correlation {
    /// The bounds between which the coefficient lies at a level of confidence, by Fisher's transformation.
    ///
    /// The standard error there is Fisher's for Pearson's coefficient, 1 / √(n − 3); Bonett and Wright's for
    /// Spearman's, √((1 + r² / 2) / (n − 3)); and Fieller's for Kendall's, √(0.437 / (n − 4)). With no more pairs
    /// than these take away the bounds are -1 and 1.
    pub fn interval(&self, level: f64) -> Result<Interval, StatisticsError> {
        check_level(level)?;
        if !self.error.is_finite() {
            return Ok(Interval { low: -1.0, high: 1.0, level });
        }
        let reach = normal_quantile(0.5 + level / 2.0) * self.error;
        let middle = libm::atanh(self.coefficient);
        Ok(Interval { low: libm::tanh(middle - reach), high: libm::tanh(middle + reach), level })
    }
}

/// Pearson's coefficient: how far two things lie on a line. The p-value supposes that both are normal.
pub fn pearson(first: &[f64], second: &[f64]) -> Result<Correlation, StatisticsError> {
    check_pairs(first, second, LEAST)?;
    let (coefficient, p_value) = on_a_line(first, second)?;
    Ok(Correlation { coefficient, p_value, pairs: first.len(), error: error(1.0, first.len(), 3) })
}

/// Spearman's coefficient: how far two things rise together, be it on a line or not. It is Pearson's of the ranks;
/// equal values share the mean of their ranks. The p-value is by Student's t.
pub fn spearman(first: &[f64], second: &[f64]) -> Result<Correlation, StatisticsError> {
    check_pairs(first, second, LEAST)?;
    let (coefficient, p_value) = on_a_line(&ranks::mean_ranks(first), &ranks::mean_ranks(second))?;
    let spread = 1.0 + coefficient * coefficient / 2.0;
    Ok(Correlation { coefficient, p_value, pairs: first.len(), error: error(spread, first.len(), 3) })
}

/// Pearson's coefficient and its p-value.
fn on_a_line(first: &[f64], second: &[f64]) -> Result<(f64, f64), StatisticsError> {
    let (one, two) = (to_unit(first)?, to_unit(second)?);
    let coefficient = one.iter().zip(&two).map(|(one, two)| one * two).sum::<f64>().clamp(-1.0, 1.0);
    Ok((coefficient, correlation_beyond(coefficient, first.len())))
}

/// The values moved and scaled such that their sum is 0 and that of their squares is 1.
fn to_unit(values: &[f64]) -> Result<Vec<f64>, StatisticsError> {
    if values.iter().all(|value| *value == values[0]) {
        return Err(StatisticsError::Constant);
    }
    // Scaled first, so that squares of large or small numbers stay numbers.
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let mut unit: Vec<f64> = values.iter().map(|value| value / largest).collect();
    let middle = mean(&unit);
    unit.iter_mut().for_each(|value| *value -= middle);
    let length = unit.iter().map(|value| value * value).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err(StatisticsError::Constant);
    }
    unit.iter_mut().for_each(|value| *value /= length);
    Ok(unit)
}

/// The standard error on Fisher's scale.
fn error(spread: f64, pairs: usize, taken: usize) -> f64 {
    if pairs > taken { (spread / (pairs - taken) as f64).sqrt() } else { f64::INFINITY }
}

#[cfg(test)]
mod tests;
