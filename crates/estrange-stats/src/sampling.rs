//! How many of a finite number of things one has to look at to know a share of them, and from which strata to take them.

use crate::StatisticsError;
use crate::error::check_level;
use crate::special::normal_quantile;

/// How many of `population` things have to be drawn so that a share of them is known to a margin, at a level of confidence: the size
/// for a share of one half (Cochran), with the finite-population correction.
///
/// ```
/// use estrange_stats::sampling::sample_size;
///
/// assert_eq!(sample_size(1_000, 0.95, 0.05)?, 278);
/// assert_eq!(sample_size(1_000_000_000, 0.95, 0.05)?, 385);
/// assert_eq!(sample_size(10, 0.95, 0.05)?, 10);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn sample_size(population: usize, confidence: f64, margin: f64) -> Result<usize, StatisticsError> {
    check_level(confidence)?;
    if !(margin > 0.0 && margin < 1.0) {
        return Err(StatisticsError::OutOfBounds {
            what: "the margin of error",
            value: margin,
            bounds: "between 0 and 1",
        });
    }
    let quantile = normal_quantile(1.0 - (1.0 - confidence) / 2.0);
    let infinite = 0.25 * quantile * quantile / (margin * margin);
    let size = infinite / (1.0 + (infinite - 1.0) / population.max(1) as f64);
    Ok((size.ceil() as usize).clamp(1, population.max(1)).min(population))
}

/// How many to take from each of some strata, in proportion to their sizes: `size` in all by the largest remainders, and one more
/// from each stratum that would have none, so that nothing is never looked at.
///
/// ```
/// use estrange_stats::sampling::proportional;
///
/// assert_eq!(proportional(&[50, 30, 20], 10), [5, 3, 2]);
/// assert_eq!(proportional(&[97, 2, 1], 10), [10, 1, 1]);
/// ```
pub fn proportional(strata: &[usize], size: usize) -> Vec<usize> {
    let all: usize = strata.iter().sum();
    let size = size.min(all);
    let exact = |count: usize| size as f64 * count as f64 / all.max(1) as f64;
    let mut taken: Vec<usize> = strata.iter().map(|count| exact(*count).floor() as usize).collect();
    let mut order: Vec<usize> = (0..strata.len()).collect();
    let remainder = |place: usize| exact(strata[place]).fract();
    order.sort_by(|one, other| remainder(*other).total_cmp(&remainder(*one)));
    let missing = size - taken.iter().sum::<usize>();
    for place in order.into_iter().filter(|place| taken[*place] < strata[*place]).take(missing).collect::<Vec<_>>() {
        taken[place] += 1;
    }
    for (taken, count) in taken.iter_mut().zip(strata) {
        *taken = (*taken).max(1).min(*count);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_published_tables() {
        // Krejcie and Morgan (1970), who round to the nearest; at 95% and 5%.
        for (population, size) in [(100, 80), (500, 217), (1_000, 278), (5_000, 357), (100_000, 384)] {
            assert!(sample_size(population, 0.95, 0.05).unwrap().abs_diff(size) <= 1, "{population}");
        }
        assert_eq!(sample_size(0, 0.95, 0.05), Ok(0));
        assert_eq!(sample_size(1, 0.95, 0.05), Ok(1));
        assert!(sample_size(500, 0.99, 0.05).unwrap() > sample_size(500, 0.95, 0.05).unwrap());
        assert!(sample_size(500, 0.95, 0.0).is_err() && sample_size(500, 1.0, 0.05).is_err());
    }

    #[test]
    fn no_stratum_is_left_out_and_none_gives_more_than_it_has() {
        assert_eq!(proportional(&[1, 1, 1], 2), [1, 1, 1]);
        assert_eq!(proportional(&[3, 0, 4], 100), [3, 0, 4]);
        assert_eq!(proportional(&[], 5), Vec::<usize>::new());
        let taken = proportional(&[613, 211, 99, 44, 20, 9, 3, 1], 278);
        assert_eq!((taken.iter().sum::<usize>(), taken[7]), (279, 1), "{taken:?}");
    }
}
