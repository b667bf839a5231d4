//! Holm's correction: p-values when several questions are asked at once.

use crate::StatisticsError;
use crate::error::check;

/// The p-values corrected by Holm's method, in their own order.
///
/// Comparing these with a level keeps the chance of any wrong "yes" among all of them below it.
///
/// ```
/// let corrected = estrange_stats::holm::holm(&[0.01, 0.04, 0.03])?;
/// assert_eq!(corrected, [0.03, 0.06, 0.06]);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, StatisticsError> {
    check(p_values, 0)?;
    if let Some(&value) = p_values.iter().find(|value| !(0.0..=1.0).contains(*value)) {
        return Err(StatisticsError::OutOfBounds { what: "a p-value", value, bounds: "between 0 and 1" });
    }
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &two| p_values[one].total_cmp(&p_values[two]));
    let mut corrected = vec![0.0; p_values.len()];
    let mut highest: f64 = 0.0;
    for (before, &place) in order.iter().enumerate() {
        // A larger p-value never becomes the smaller one.
        highest = highest.max(p_values[place] * (p_values.len() - before) as f64).min(1.0);
        corrected[place] = highest;
    }
    Ok(corrected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_order_and_bounds_are_kept() {
        // Worked out by hand: 0.001 × 5, 0.02 × 4, 0.02 × 3 (but not less than before), 0.5 × 2, 0.9 × 1 (likewise).
        let corrected = holm(&[0.5, 0.001, 0.02, 0.02, 0.9]).unwrap();
        let wanted = [1.0, 0.005, 0.08, 0.08, 1.0];
        assert!(corrected.iter().zip(wanted).all(|(one, two)| (one - two).abs() < 1e-12), "{corrected:?}");
        assert_eq!(holm(&[]), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_p_value_is_refused() {
        assert!(matches!(holm(&[0.1, 1.5]), Err(StatisticsError::OutOfBounds { .. })));
        assert!(matches!(holm(&[f64::NAN]), Err(StatisticsError::NotFinite { place: 0, .. })));
    }
}
