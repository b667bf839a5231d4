//! How likely at least one of k answers to a problem passes, from n answers of which c passed.

use crate::StatisticsError;

/// The unbiased estimate of pass@k for one problem (Chen and others, 2021): one less the share of the ways to take k
/// of n answers that takes only wrong ones.
///
/// ```
/// use estrange_stats::pass_at_k::pass_at_k;
///
/// assert_eq!(pass_at_k(10, 3, 1)?, 0.3);
/// assert!((pass_at_k(10, 3, 5)? - (1.0 - 21.0 / 252.0)).abs() < 1e-12);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn pass_at_k(answers: u64, passed: u64, k: u64) -> Result<f64, StatisticsError> {
    let refuse = |what, value: u64, bounds| Err(StatisticsError::OutOfBounds { what, value: value as f64, bounds });
    if k == 0 || k > answers {
        return refuse("k of pass@k", k, "from 1 to the number of answers");
    }
    if passed > answers {
        return refuse("the number of answers that passed", passed, "at most the number of answers");
    }
    let wrong = answers - passed;
    if wrong < k {
        return Ok(1.0);
    }
    if k == 1 {
        return Ok(passed as f64 / answers as f64);
    }
    // (wrong over k) / (answers over k), as a product of the fewer of factors: they are the same, k or `passed` of
    // them.
    let only_wrong: f64 = if k <= passed {
        (0..k).map(|taken| (wrong - taken) as f64 / (answers - taken) as f64).product()
    } else {
        (0..passed).map(|left| (answers - k - left) as f64 / (answers - left) as f64).product()
    };
    Ok(1.0 - only_wrong)
}

/// The mean of pass@k over problems, each with its number of answers and of those that passed.
///
/// ```
/// use estrange_stats::pass_at_k::mean_pass_at_k;
///
/// assert_eq!(mean_pass_at_k(&[(4, 1), (4, 4)], 1)?, 0.625);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn mean_pass_at_k(problems: &[(u64, u64)], k: u64) -> Result<f64, StatisticsError> {
    if problems.is_empty() {
        return Err(StatisticsError::TooFew { least: 1, found: 0 });
    }
    let sum: Result<f64, _> = problems.iter().map(|&(answers, passed)| pass_at_k(answers, passed, k)).sum();
    Ok(sum? / problems.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many ways there are to take `k` of `n`, by Pascal's triangle.
    fn ways(n: usize, k: usize) -> f64 {
        let mut row = vec![1.0];
        for _ in 0..n {
            let inner: Vec<f64> = row.windows(2).map(|pair| pair[0] + pair[1]).collect();
            row = [vec![1.0], inner, vec![1.0]].concat();
        }
        row.get(k).copied().unwrap_or(0.0)
    }

    #[test]
    fn it_is_one_less_the_share_of_ways_to_take_only_wrong_ones() {
        for n in 1..=30 {
            for c in 0..=n {
                for k in 1..=n {
                    let wanted = 1.0 - ways(n - c, k) / ways(n, k);
                    let found = pass_at_k(n as u64, c as u64, k as u64).unwrap();
                    assert!((found - wanted).abs() < 1e-12, "{n} {c} {k}: {found} is not {wanted}");
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_taken_is_refused() {
        for (answers, passed, k) in [(5, 1, 0), (5, 1, 6), (5, 6, 1), (0, 0, 1)] {
            assert!(matches!(pass_at_k(answers, passed, k), Err(StatisticsError::OutOfBounds { .. })));
        }
        assert!(mean_pass_at_k(&[], 1).is_err());
    }
}
