//! The coefficients against scipy's (1.17.1), and what cannot be correlated.

use super::*;

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() <= 1e-12 * wanted.abs().max(1e-6), "{found} is not {wanted}");
}

/// Values that are all different, or nearly, and that have something to do with each other.
fn many() -> (Vec<f64>, Vec<f64>) {
    let first: Vec<f64> = (0..60).map(|each| f64::from(each * 7919 % 1009 % 40) / 4.0).collect();
    let second = (0..60).zip(&first).map(|(each, first)| f64::from(each * 104_729 % 997 % 23) + 0.3 * first).collect();
    (first, second)
}

/// Values of which most have an equal.
fn tied() -> (Vec<f64>, Vec<f64>) {
    let first: Vec<i32> = (0..60).map(|each| each * 7919 % 101 % 5).collect();
    let second = (0..60).zip(&first).map(|(each, first)| f64::from(each * 31 % 17 % 4 + first % 2)).collect();
    (first.into_iter().map(f64::from).collect(), second)
}

/// A few values, none equal.
fn few() -> (Vec<f64>, Vec<f64>) {
    (vec![0.1, 2.5, 1.7, 9.3, 4.4, 8.8, 3.1, 7.7], vec![1.2, 1.9, 3.3, 8.1, 2.7, 9.9, 2.2, 5.5])
}

#[test]
fn pearsons_is_scipys() {
    // scipy.stats.pearsonr(first, second), and .confidence_interval(0.95)
    for ((first, second), coefficient, p_value, bounds) in [
        (many(), 0.2848025030599221, 0.027414810993257425, [0.033284911922246786, 0.5023948204858756]),
        (tied(), -0.19861833540823115, 0.12817736679986674, [-0.4308152573093499, 0.05824384289535004]),
        (few(), 0.9113395628629625, 0.001628524574381436, [0.5775978424719984, 0.9840556047000538]),
    ] {
        let found = pearson(&first, &second).unwrap();
        let interval = found.interval(0.95).unwrap();
        close(found.coefficient, coefficient);
        close(found.p_value, p_value);
        close(interval.low, bounds[0]);
        close(interval.high, bounds[1]);
        assert_eq!(found.pairs, first.len());
    }
}

#[test]
fn spearmans_is_scipys() {
    // scipy.stats.spearmanr(first, second)
    for ((first, second), coefficient, p_value) in [
        (many(), 0.26459416058635754, 0.04105327044967847),
        (tied(), -0.2024199131437879, 0.12088739465744587),
        (few(), 0.8333333333333335, 0.010175540123456752),
    ] {
        let found = spearman(&first, &second).unwrap();
        close(found.coefficient, coefficient);
        close(found.p_value, p_value);
    }
}

#[test]
fn kendalls_is_scipys_exact_or_not() {
    // scipy.stats.kendalltau(first, second)
    let nearly_in_order = {
        let first: Vec<f64> = (0..100).map(f64::from).collect();
        let mut second = first.clone();
        second.swap(3, 4);
        (first, second)
    };
    for ((first, second), coefficient, p_value) in [
        (many(), 0.16178755501180697, 0.07452402283207374),
        (tied(), -0.1528305827985498, 0.145515952694556),
        (few(), 0.7142857142857142, 0.014136904761904762),
        ((vec![1.0, 2.0, 4.0], vec![3.0, 1.0, 2.0]), -0.33333333333333337, 1.0),
        (nearly_in_order, 0.9995959595959597, 2.1430205762509337e-156),
    ] {
        let found = kendall(&first, &second).unwrap();
        close(found.coefficient, coefficient);
        close(found.p_value / p_value, 1.0);
    }
}

#[test]
fn kendalls_is_that_of_all_pairs_of_pairs() {
    for (first, second) in [many(), tied(), few()] {
        let (mut surplus, mut in_first, mut in_second) = (0.0, 0.0, 0.0);
        for one in 0..first.len() {
            for two in 0..one {
                let signs = [first[one] - first[two], second[one] - second[two]];
                let signs = signs.map(|each| if each == 0.0 { 0.0 } else { each.signum() });
                surplus += signs[0] * signs[1];
                in_first += signs[0].abs();
                in_second += signs[1].abs();
            }
        }
        close(kendall(&first, &second).unwrap().coefficient, surplus / f64::sqrt(in_first * in_second));
    }
}

#[test]
fn what_lies_on_a_line_is_sure() {
    let (first, second) = ([1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 4.0, 6.0, 8.0, 10.0]);
    let found = pearson(&first, &second).unwrap();
    close(found.coefficient, 1.0);
    assert!(found.p_value < 1e-12, "{found:?}");
    close(found.interval(0.95).unwrap().high, 1.0);
    close(kendall(&first, &second).unwrap().p_value, 2.0 / 120.0);
    let falling = second.map(|each| -each);
    close(spearman(&first, &falling).unwrap().coefficient, -1.0);
}

#[test]
fn three_pairs_say_nothing_about_bounds() {
    let found = pearson(&[1.0, 2.0, 4.0], &[3.0, 1.0, 2.0]).unwrap();
    close(found.coefficient, -0.3273268353539885);
    close(found.p_value, 0.7877043849903435);
    assert_eq!(found.interval(0.9), Ok(Interval { low: -1.0, high: 1.0, level: 0.9 }));
}

#[test]
fn large_and_small_numbers_stay_numbers() {
    let (first, second) = few();
    let scaled = |values: &[f64], by: f64| values.iter().map(|value| value * by).collect::<Vec<_>>();
    let wanted = pearson(&first, &second).unwrap().coefficient;
    close(pearson(&scaled(&first, 1e300), &scaled(&second, 1e-300)).unwrap().coefficient, wanted);
}

#[test]
fn what_cannot_be_correlated_is_refused() {
    for correlate in [pearson, spearman, kendall] {
        assert_eq!(correlate(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), Err(StatisticsError::Constant));
        assert_eq!(correlate(&[1.0, 2.0], &[1.0, 2.0]), Err(StatisticsError::TooFew { least: 3, found: 2 }));
        let lengths = Err(StatisticsError::DifferentLengths { first: 3, second: 2 });
        assert_eq!(correlate(&[1.0, 2.0, 3.0], &[1.0, 2.0]), lengths);
        assert!(correlate(&[1.0, 2.0, f64::INFINITY], &[1.0, 2.0, 3.0]).is_err());
    }
    assert!(pearson(&few().0, &few().1).unwrap().interval(1.0).is_err());
}
