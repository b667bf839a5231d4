//! Intervals against scipy's, drawn with very many resamples, and what has no interval.

use super::*;

/// How far a bound may be from scipy's, in standard errors of the statistic: both are drawn.
const SLACK: f64 = 0.06;

const LSAT: [f64; 15] =
    [576.0, 635.0, 558.0, 578.0, 666.0, 580.0, 555.0, 661.0, 651.0, 605.0, 653.0, 575.0, 545.0, 572.0, 594.0];
const SKEWED: [f64; 12] = [0.1, 0.2, 0.2, 0.3, 0.35, 0.5, 0.5, 0.7, 1.1, 1.4, 2.9, 7.5];

fn with(method: Method) -> Bootstrap {
    Bootstrap { resamples: 40_000, method, ..Bootstrap::seeded(7) }
}

fn assert_close(found: &Estimate, bounds: [f64; 2], standard_error: f64) {
    let slack = SLACK * standard_error;
    let near = |found: f64, wanted: f64| (found - wanted).abs() < slack;
    assert!(near(found.standard_error, standard_error), "{found:?}");
    assert!(near(found.interval.low, bounds[0]) && near(found.interval.high, bounds[1]), "{found:?} is not {bounds:?}");
}

#[test]
fn intervals_of_means_are_scipys() {
    // scipy.stats.bootstrap((values,), np.mean, n_resamples=2_000_000, method=method, rng=1) (1.17.1)
    let mean = |method, values: &[f64]| with(method).mean(values).unwrap();
    assert_close(&mean(Method::Percentile, &LSAT), [580.4666666666667, 621.1333333333333], 10.413804002524087);
    assert_close(&mean(Method::Bca, &LSAT), [581.4666666666667, 622.4], 10.413804002524087);
    assert_close(&mean(Method::Percentile, &SKEWED), [0.4416666666666667, 2.6083333333333334], 0.5803307784575289);
    assert_close(&mean(Method::Bca, &SKEWED), [0.5791666666666667, 3.4166666666666674], 0.5803307784575289);
}

#[test]
fn intervals_of_any_statistic_are_scipys() {
    // scipy.stats.bootstrap((SKEWED,), np.std, n_resamples=2_000_000, method=method, rng=1) (1.17.1)
    let deviation = |values: &[f64]| {
        let middle = mean(values);
        (values.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
    };
    let found = |method| with(method).statistic(&SKEWED, deviation).unwrap();
    assert_close(&found(Method::Percentile), [0.3197221015541813, 3.0537772603049413], 0.8344988106762314);
    assert_close(&found(Method::Bca), [0.7078307040214882, 3.4817280990271993], 0.8344988106762314);
}

#[test]
fn the_mean_is_a_statistic_like_others() {
    for method in [Method::Percentile, Method::Bca] {
        let bootstrap = Bootstrap { method, ..Bootstrap::seeded(3) };
        let (one, two) = (bootstrap.mean(&SKEWED).unwrap(), bootstrap.statistic(&SKEWED, mean).unwrap());
        let near = |one: f64, two: f64| (one - two).abs() < 1e-9;
        assert!(near(one.interval.low, two.interval.low) && near(one.interval.high, two.interval.high));
    }
}

#[test]
fn the_seed_decides() {
    let interval = |seed| Bootstrap { resamples: 500, ..Bootstrap::seeded(seed) }.mean(&SKEWED).unwrap().interval;
    assert_eq!(interval(1), interval(1));
    assert_ne!(interval(1), interval(2));
    // The same on every machine and for ever.
    assert_eq!(interval(1), Interval { low: 0.5625, high: 3.4703894587854434, level: 0.95 });
}

#[test]
fn values_without_a_spread_have_an_interval_without_one() {
    for values in [&[0.5][..], &[0.5; 40]] {
        for method in [Method::Percentile, Method::Bca] {
            let estimate = Bootstrap { method, ..Bootstrap::seeded(1) }.mean(values).unwrap();
            assert_eq!((estimate.interval.low, estimate.interval.high, estimate.standard_error), (0.5, 0.5, 0.0));
        }
    }
}

#[test]
fn an_interval_of_95_percent_holds_the_mean_about_so_often() {
    let mut random = Random::of_round(11, 0);
    let bootstrap = Bootstrap { resamples: 400, ..Bootstrap::seeded(1) };
    let held = (0..400).filter(|_| {
        let values: Vec<f64> = (0..60).map(|_| f64::from(random.below(1000)) / 999.0).collect();
        let Interval { low, high, .. } = bootstrap.mean(&values).unwrap().interval;
        low <= 0.5 && 0.5 <= high
    });
    let held = held.count();
    assert!((364..=394).contains(&held), "{held} of 400");
}

#[test]
fn what_has_no_interval_is_refused() {
    let bootstrap = Bootstrap::seeded(1);
    assert_eq!(bootstrap.mean(&[]), Err(StatisticsError::TooFew { least: 1, found: 0 }));
    assert!(matches!(bootstrap.mean(&[1.0, f64::NAN]), Err(StatisticsError::NotFinite { place: 1, .. })));
    assert!(Bootstrap { level: 1.0, ..bootstrap }.mean(&SKEWED).is_err());
    assert!(Bootstrap { resamples: 0, ..bootstrap }.mean(&SKEWED).is_err());
    assert!(bootstrap.statistic(&SKEWED, |_| f64::NAN).is_err());
}
