//! Tests and differences of two groups, against counting by hand.

use super::*;

const FIRST: [f64; 7] = [0.9, 0.6, 0.5, 1.0, 0.4, 0.3, 0.8];
const SECOND: [f64; 5] = [0.2, 0.5, 0.6, 0.3, 0.1];

/// The share of all ways to deal that give a difference at least as large, counted with bits.
fn counted(first: &[f64], second: &[f64], is_as_large: impl Fn(f64, f64) -> bool) -> f64 {
    let all = [first, second].concat();
    let observed = mean(first) - mean(second);
    let (mut ways, mut as_large) = (0, 0);
    for bits in 0_u32..1 << all.len() {
        if bits.count_ones() as usize != first.len() {
            continue;
        }
        let own = |wanted: u32| -> Vec<f64> {
            all.iter().enumerate().filter(|(place, _)| bits >> place & 1 == wanted).map(|(_, value)| *value).collect()
        };
        ways += 1;
        as_large += usize::from(is_as_large(mean(&own(1)) - mean(&own(0)), observed));
    }
    as_large as f64 / f64::from(ways)
}

#[test]
fn few_items_are_dealt_in_every_way() {
    let cases = [
        (Alternative::TwoSided, counted(&FIRST, &SECOND, |one, other| one.abs() > other.abs() - 1e-9)),
        (Alternative::Greater, counted(&FIRST, &SECOND, |one, other| one > other - 1e-9)),
        (Alternative::Less, counted(&FIRST, &SECOND, |one, other| one < other + 1e-9)),
    ];
    for (alternative, p_value) in cases {
        let found = permutation_test(&FIRST, &SECOND, alternative, 792, 1).unwrap();
        assert!(found.is_exact, "there are 792 ways");
        assert!((found.p_value - p_value).abs() < 1e-12, "{found:?} {p_value}");
        assert!((found.difference - (4.5 / 7.0 - 1.7 / 5.0)).abs() < 1e-12);
    }
    // A hand of one, a hand of all but one, and no difference at all.
    let one =
        |first: &[f64], second: &[f64]| permutation_test(first, second, Alternative::TwoSided, 100, 1).unwrap().p_value;
    assert_eq!((one(&[1.0], &[0.0; 9]), one(&[0.0; 9], &[1.0]), one(&[0.5; 3], &[0.5; 3])), (0.1, 0.1, 1.0));
}

#[test]
fn many_items_are_dealt_at_random_with_about_the_same_result() {
    let exact = permutation_test(&FIRST, &SECOND, Alternative::TwoSided, 792, 1).unwrap().p_value;
    let found: Vec<Permutation> =
        (0..100).map(|seed| permutation_test(&FIRST, &SECOND, Alternative::TwoSided, 791, seed).unwrap()).collect();
    assert!(found.iter().all(|each| !each.is_exact));
    let about = found.iter().map(|each| each.p_value).sum::<f64>() / 100.0;
    assert!((about - exact).abs() < 0.005, "{about} {exact}");
    // There are far more ways than numbers.
    let (ones, zeros) = (vec![1.0; 300], vec![0.0; 400]);
    let clear = permutation_test(&ones, &zeros, Alternative::TwoSided, 999, 1).unwrap();
    assert_eq!((clear.p_value, clear.is_exact), (0.001, false));
}

#[test]
fn the_interval_of_a_difference_is_where_the_means_of_both_groups_put_it() {
    let some = |count: usize, share: f64| -> Vec<f64> {
        (0..count).map(|place| f64::from(u8::from((place as f64) < share * count as f64))).collect()
    };
    let (first, second) = (some(400, 0.6), some(100, 0.4));
    for method in [Method::Bca, Method::Percentile] {
        let bootstrap = Bootstrap { method, ..Bootstrap::seeded(3) };
        let found = difference(&first, &second, &bootstrap).unwrap();
        let error = (0.24_f64 / 400.0 + 0.24 / 100.0).sqrt();
        assert!((found.value - 0.2).abs() < 1e-12 && (found.standard_error - error).abs() < 0.002, "{found:?}");
        assert!((found.interval.low - (0.2 - 1.96 * error)).abs() < 0.012, "{found:?}");
        assert!((found.interval.high - (0.2 + 1.96 * error)).abs() < 0.012, "{found:?}");
    }
    // One item says nothing of how items differ: no interval of BCa, and no panic.
    let alone = difference(&[0.5], &SECOND, &Bootstrap::seeded(1)).unwrap();
    assert!(alone.interval.low < alone.value && alone.value < alone.interval.high);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let test = |first: &[f64], second: &[f64]| permutation_test(first, second, Alternative::TwoSided, 10, 1);
    assert_eq!(test(&[], &[1.0]).unwrap_err(), StatisticsError::TooFew { least: 1, found: 0 });
    assert!(test(&[1.0], &[f64::NAN]).is_err());
    assert!(difference(&[1.0], &[], &Bootstrap::seeded(1)).is_err());
    assert!(difference(&[1.0], &[1.0], &Bootstrap { resamples: 0, ..Bootstrap::seeded(1) }).is_err());
}
