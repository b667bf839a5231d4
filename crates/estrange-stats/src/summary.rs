//! The mean of some trials, how much they vary, and how far the mean itself may be off.

use crate::StatisticsError;
use crate::error::check;

/// The mean of some values with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// How many values there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, as that of a sample: the sum of squares is divided by one less than their number.
    pub deviation: f64,
    /// The mean's standard error: the deviation, divided by the root of their number.
    pub standard_error: f64,
}

/// The mean of at least one value with its standard error, which is 0 for one value.
///
/// ```
/// use estrange_stats::summary::summarize;
///
/// let trials = [0.52, 0.50, 0.54, 0.52];
/// let summary = summarize(&trials)?;
/// assert!((summary.mean - 0.52).abs() < 1e-12);
/// assert!((summary.standard_error - 0.008164965809).abs() < 1e-9);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn summarize(values: &[f64]) -> Result<Summary, StatisticsError> {
    check(values, 1)?;
    let count = values.len();
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let deviation = if count > 1 { (squares / (count - 1) as f64).sqrt() } else { 0.0 };
    Ok(Summary { count, mean, deviation, standard_error: deviation / (count as f64).sqrt() })
}

/// For each item its mean over some trials, such as a query's score over all seeds of a setting.
///
/// ```
/// use estrange_stats::summary::mean_of_trials;
///
/// let trials = [vec![1.0, 0.5], vec![0.0, 0.5]];
/// assert_eq!(mean_of_trials(&trials)?, [0.5, 0.5]);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn mean_of_trials<T: AsRef<[f64]>>(trials: &[T]) -> Result<Vec<f64>, StatisticsError> {
    let Some((first, others)) = trials.split_first() else {
        return Err(StatisticsError::TooFew { least: 1, found: 0 });
    };
    let mut sums = first.as_ref().to_vec();
    check(&sums, 0)?;
    for other in others.iter().map(AsRef::as_ref) {
        if other.len() != sums.len() {
            return Err(StatisticsError::DifferentLengths { first: sums.len(), second: other.len() });
        }
        check(other, 0)?;
        sums.iter_mut().zip(other).for_each(|(sum, value)| *sum += value);
    }
    sums.iter_mut().for_each(|sum| *sum /= trials.len() as f64);
    Ok(sums)
}

/// The mean of values, of which there must be some.
pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_trials_have_a_mean_and_its_error() {
        // numpy.mean, numpy.std(ddof=1), scipy.stats.sem
        let trials = [35.2, 36.1, 35.9, 34.8, 36.4, 35.5, 36.0, 35.7, 36.6, 35.3];
        let summary = summarize(&trials).unwrap();
        assert_eq!(summary.count, 10);
        for (found, wanted) in [
            (summary.mean, 35.75000000000001),
            (summary.deviation, 0.5602578771323876),
            (summary.standard_error, 0.177169096878911),
        ] {
            assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
        }
    }

    #[test]
    fn one_trial_has_no_error() {
        let summary = summarize(&[0.3]).unwrap();
        assert_eq!((summary.mean, summary.deviation, summary.standard_error), (0.3, 0.0, 0.0));
    }

    #[test]
    fn what_has_no_mean_is_refused() {
        assert_eq!(summarize(&[]), Err(StatisticsError::TooFew { least: 1, found: 0 }));
        assert!(mean_of_trials::<Vec<f64>>(&[]).is_err());
        let lengths = StatisticsError::DifferentLengths { first: 1, second: 2 };
        assert_eq!(mean_of_trials(&[vec![1.0], vec![1.0, 2.0]]), Err(lengths));
        assert!(mean_of_trials(&[[f64::NAN]]).is_err());
    }
}
