//! Tests and drops against scipy's (1.17.1), and what cannot be compared.

use super::*;
use crate::bootstrap::Method;

const FIRST: [f64; 10] = [0.9, 0.6, 0.5, 1.0, 0.4, 0.3, 0.8, 0.2, 0.55, 0.61];
const SECOND: [f64; 10] = [0.2, 0.5, 0.6, 0.3, 0.4, 0.35, 0.1, 0.4, 0.5, 0.2];

#[test]
fn few_pairs_are_swapped_in_every_way_as_scipy_does() {
    // scipy.stats.permutation_test((FIRST, SECOND), lambda one, two, axis: np.mean(one - two, axis=axis),
    //     permutation_type="samples", vectorized=True, n_resamples=np.inf, alternative=alternative)
    let cases =
        [(Alternative::TwoSided, 0.1015625), (Alternative::Greater, 0.05078125), (Alternative::Less, 0.95703125)];
    for (alternative, p_value) in cases {
        let found = permutation_test(&FIRST, &SECOND, alternative, 10_000, 1).unwrap();
        assert!(found.is_exact);
        assert!((found.p_value - p_value).abs() < 1e-12, "{found:?}");
        assert!((found.difference - 0.231).abs() < 1e-12);
    }
}

#[test]
fn many_pairs_are_swapped_at_random_with_about_the_same_result() {
    for (alternative, p_value) in [(Alternative::TwoSided, 0.1015625), (Alternative::Less, 0.95703125)] {
        // Too few rounds for the 512 ways.
        let found: Vec<Permutation> =
            (0..200).map(|seed| permutation_test(&FIRST, &SECOND, alternative, 500, seed).unwrap()).collect();
        assert!(found.iter().all(|each| !each.is_exact));
        let mean = found.iter().map(|each| each.p_value).sum::<f64>() / 200.0;
        assert!((mean - p_value).abs() < 0.005, "{mean}");
    }
}

#[test]
fn hundreds_of_pairs_use_all_bits() {
    // Only the last of 200 pairs differs much: it is swapped in half of the ways.
    let mut first = vec![0.0; 200];
    first[199] = 1.0;
    let second: Vec<f64> = (0..200).map(|place| if place % 2 == 0 { 1e-6 } else { -1e-6 }).collect();
    let found = permutation_test(&first, &second, Alternative::Greater, 20_000, 1).unwrap();
    assert!(found.p_value > 0.2 && found.p_value < 0.3, "{found:?}");
    let same = permutation_test(&first, &second, Alternative::Greater, 20_000, 1).unwrap();
    assert_eq!(found, same);
}

#[test]
fn equal_systems_are_not_different() {
    let found = permutation_test(&FIRST, &FIRST, Alternative::TwoSided, 10_000, 1).unwrap();
    assert_eq!(found, Permutation { difference: 0.0, p_value: 1.0, is_exact: true });
}

#[test]
fn a_p_value_is_never_zero() {
    let found = permutation_test(&[1.0; 100], &[0.0; 100], Alternative::TwoSided, 999, 1).unwrap();
    assert_eq!(found.p_value, 0.001);
}

#[test]
fn drops_have_scipys_intervals() {
    // scipy.stats.bootstrap((FIRST, SECOND), lambda one, two, axis: one.mean(axis=axis) - two.mean(axis=axis) [over
    //     one.mean(axis=axis)], paired=True, n_resamples=1_000_000, method=method, rng=1)
    for (method, absolute, relative) in [
        (Method::Percentile, [0.026, 0.447], [0.05882352941176476, 0.6220472440944882]),
        (Method::Bca, [0.04, 0.463], [0.08163265306122455, 0.6338215712383488]),
    ] {
        let bootstrap = Bootstrap { resamples: 40_000, method, ..Bootstrap::seeded(5) };
        let found = drop(&FIRST, &SECOND, &bootstrap).unwrap();
        for (found, bounds, slack) in [(found.absolute, absolute, 0.006), (found.relative.unwrap(), relative, 0.008)] {
            let Estimate { interval, .. } = found;
            assert!((interval.low - bounds[0]).abs() < slack, "{interval:?} is not {bounds:?}");
            assert!((interval.high - bounds[1]).abs() < slack, "{interval:?} is not {bounds:?}");
        }
        assert!((found.absolute.value - 0.231).abs() < 1e-12);
        assert!((found.relative.unwrap().value - 2.31 / 5.86).abs() < 1e-12);
        assert!(found.none > 0.005 && found.none < 0.03, "{}", found.none);
    }
}

#[test]
fn there_is_no_share_of_nothing() {
    let found = drop(&[0.0, 0.0, 1.0], &[0.0, 0.0, 0.5], &Bootstrap::seeded(1)).unwrap();
    assert_eq!(found.relative, None);
    assert!(found.absolute.value > 0.0);
}

#[test]
fn what_does_not_come_in_pairs_is_refused() {
    let lengths = StatisticsError::DifferentLengths { first: 2, second: 1 };
    assert_eq!(permutation_test(&[1.0, 2.0], &[1.0], Alternative::TwoSided, 10, 1), Err(lengths));
    assert_eq!(drop(&[1.0, 2.0], &[1.0], &Bootstrap::seeded(1)), Err(lengths));
    assert!(permutation_test(&[], &[], Alternative::TwoSided, 10, 1).is_err());
    assert!(permutation_test(&[1.0], &[2.0], Alternative::TwoSided, 0, 1).is_err());
}
