//! Whether one of two systems is better on the same items, and by how much.
//!
//! Values come in pairs: one system's score on an item, and the other's on the same item.

use crate::StatisticsError;
use crate::bootstrap::{Bootstrap, Estimate};
use crate::error::{check_pairs, check_rounds};
use crate::random::Random;
use crate::summary::mean;

/// Which differences speak against there being none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alternative {
    /// The first is higher or lower than the second.
    TwoSided,
    /// The first is higher.
    Greater,
    /// The first is lower.
    Less,
}

/// What a permutation test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Permutation {
    /// The mean of the first less the mean of the second.
    pub difference: f64,
    /// How likely a difference as large as this one is if both systems are the same.
    pub p_value: f64,
    /// Whether all ways to swap pairs were tried, and not only some at random.
    pub is_exact: bool,
}

/// The paired permutation (randomisation) test of the difference of two means.
///
/// If both systems are the same, it does not matter which of two scores belongs to which. So the pairs are swapped,
/// each or not, in every way there is where there are at most `rounds` ways, and else in `rounds` ways at random. The
/// p-value is the share of ways that give a difference at least as large, the scores as they are being one of the
/// ways: it is never 0.
///
/// ```
/// use estrange_stats::paired::{Alternative, permutation_test};
///
/// let (bm25, dense) = ([0.2, 0.5, 0.0, 0.3, 0.1], [0.9, 0.6, 0.5, 1.0, 0.4]);
/// let test = permutation_test(&dense, &bm25, Alternative::TwoSided, 10_000, 1)?;
/// assert!(test.is_exact);
/// assert_eq!(test.p_value, 2.0 / 32.0);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn permutation_test(
    first: &[f64],
    second: &[f64],
    alternative: Alternative,
    rounds: usize,
    seed: u64,
) -> Result<Permutation, StatisticsError> {
    check_pairs(first, second, 1)?;
    check_rounds(rounds)?;
    // Pairs without a difference are the same swapped or not.
    let mut differences: Vec<f64> = first.iter().zip(second).map(|(one, two)| one - two).collect();
    let difference = mean(&differences);
    differences.retain(|&each| each != 0.0);
    let observed: f64 = differences.iter().sum();
    // Sums of the same numbers in another order are equal here, though their last bits may differ.
    let slack = 1e-12 * differences.iter().map(|each| each.abs()).sum::<f64>();
    let is_as_large = |sum: f64| match alternative {
        Alternative::TwoSided => sum.abs() >= observed.abs() - slack,
        Alternative::Greater => sum >= observed - slack,
        Alternative::Less => sum <= observed + slack,
    };
    let ways = u32::try_from(differences.len()).ok().and_then(|pairs| 1_usize.checked_shl(pairs));
    if let Some(ways) = ways.filter(|&ways| ways <= rounds) {
        let as_large = (0..ways).filter(|&way| is_as_large(swapped(&differences, || way as u64))).count();
        return Ok(Permutation { difference, p_value: as_large as f64 / ways as f64, is_exact: true });
    }
    let as_large = (0..rounds)
        .filter(|&round| {
            let mut random = Random::of_round(seed, round);
            is_as_large(swapped(&differences, || random.bits()))
        })
        .count();
    Ok(Permutation { difference, p_value: (as_large + 1) as f64 / (rounds + 1) as f64, is_exact: false })
}

/// The sum of differences, of which those whose bit is set have been swapped; bits come 64 at a time.
fn swapped(differences: &[f64], mut bits: impl FnMut() -> u64) -> f64 {
    let mut sum = 0.0;
    for block in differences.chunks(64) {
        let bits = bits();
        for (place, difference) in block.iter().enumerate() {
            // The swap is a change of sign, which is the highest bit.
            sum += f64::from_bits(difference.to_bits() ^ (bits >> place & 1) << 63);
        }
    }
    sum
}

/// How much is lost from a standard to a changed setting, on the same items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drop {
    /// The mean of the standard less the mean of the changed.
    pub absolute: Estimate,
    /// The same as a share of the standard's mean, unless that is 0 or below in the values or in any resample.
    pub relative: Option<Estimate>,
    /// The share of the resamples in which the changed was not lower than the standard.
    pub none: f64,
}

/// The drop from a standard to a changed setting, with intervals by the paired bootstrap: items are drawn with both
/// scores.
///
/// ```
/// use estrange_stats::bootstrap::Bootstrap;
/// use estrange_stats::paired::drop;
///
/// let (standard, neutralized) = ([1.0, 0.5, 1.0, 0.2, 0.9], [0.5, 0.5, 0.8, 0.1, 0.6]);
/// let drop = drop(&standard, &neutralized, &Bootstrap::seeded(1))?;
/// assert!((drop.absolute.value - 0.22).abs() < 1e-12);
/// assert!(drop.absolute.interval.low > 0.0);
/// assert!((drop.relative.unwrap().value - 1.1 / 3.6).abs() < 1e-12);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn drop(standard: &[f64], changed: &[f64], bootstrap: &Bootstrap) -> Result<Drop, StatisticsError> {
    check_pairs(standard, changed, 1)?;
    let count = standard.len();
    let lost: Vec<f64> = standard.iter().zip(changed).map(|(standard, changed)| standard - changed).collect();
    let (all_lost, all_standard) = (lost.iter().sum::<f64>(), standard.iter().sum::<f64>());
    let mut not_lower = 0;
    let mut always_above_zero = all_standard > 0.0;
    let absolute = bootstrap.estimate(
        count,
        all_lost / count as f64,
        |places| {
            let (mut lost_here, mut standard_here) = (0.0, 0.0);
            for place in places {
                lost_here += lost[place];
                standard_here += standard[place];
            }
            not_lower += usize::from(lost_here <= 0.0);
            always_above_zero &= standard_here > 0.0;
            lost_here / count as f64
        },
        |place| (all_lost - lost[place]) / (count - 1) as f64,
    )?;
    let share = |lost: f64, standard: f64| if standard > 0.0 { lost / standard } else { f64::NAN };
    let relative = always_above_zero.then(|| {
        bootstrap.estimate(
            count,
            share(all_lost, all_standard),
            |places| {
                let sums = places.fold((0.0, 0.0), |sums, place| (sums.0 + lost[place], sums.1 + standard[place]));
                share(sums.0, sums.1)
            },
            |place| share(all_lost - lost[place], all_standard - standard[place]),
        )
    });
    // Without one item the standard may be 0 too: then there is no relative drop, either.
    let relative = relative.and_then(Result::ok);
    Ok(Drop { absolute, relative, none: not_lower as f64 / bootstrap.resamples as f64 })
}

#[cfg(test)]
mod tests;
