//! Whether the mean of some items is above that of others, and by how much: two groups of different items.

use crate::StatisticsError;
use crate::bootstrap::{Bootstrap, Estimate, Interval, Method, corrected_by, quantile};
use crate::error::{check, check_level, check_rounds};
use crate::paired::{Alternative, Permutation};
use crate::random::Random;
use crate::summary::{mean, summarize};

/// The permutation test of the difference of two groups' means.
///
/// If it does not matter to which group an item belongs, any of them could have been in the first one. So the items are dealt
/// anew, in every way there is where there are at most `rounds` ways, and else in `rounds` ways at random. The p-value is the
/// share of ways that give a difference at least as large, the groups as they are being one of the ways: it is never 0.
///
/// ```
/// use estrange_stats::paired::Alternative;
/// use estrange_stats::unpaired::permutation_test;
///
/// let (old, new) = ([1.0, 0.9, 0.8], [0.1, 0.2]);
/// let test = permutation_test(&old, &new, Alternative::TwoSided, 1_000, 1)?;
/// assert!(test.is_exact);
/// assert_eq!(test.p_value, 1.0 / 10.0);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn permutation_test(
    first: &[f64],
    second: &[f64],
    alternative: Alternative,
    rounds: usize,
    seed: u64,
) -> Result<Permutation, StatisticsError> {
    check(first, 1)?;
    check(second, 1)?;
    check_rounds(rounds)?;
    let all = [first, second].concat();
    let (sum, dealt) = (all.iter().sum::<f64>(), first.len());
    let difference_of = |own: f64| own / dealt as f64 - (sum - own) / second.len() as f64;
    let difference = mean(first) - mean(second);
    // Sums of the same numbers in another order are equal here, though their last bits may differ.
    let slack = 1e-12 * all.iter().map(|each| each.abs()).fold(1.0, f64::max);
    let is_as_large = |own: f64| match alternative {
        Alternative::TwoSided => difference_of(own).abs() >= difference.abs() - slack,
        Alternative::Greater => difference_of(own) >= difference - slack,
        Alternative::Less => difference_of(own) <= difference + slack,
    };
    if let Some(ways) = ways(all.len(), dealt).filter(|&ways| ways <= rounds) {
        let mut hand: Vec<usize> = (0..dealt).collect();
        let mut as_large = 0;
        for _ in 0..ways {
            as_large += usize::from(is_as_large(hand.iter().map(|&place| all[place]).sum()));
            next_hand(&mut hand, all.len());
        }
        return Ok(Permutation { difference, p_value: as_large as f64 / ways as f64, is_exact: true });
    }
    let bound = bound(all.len())?;
    let mut shuffled = all;
    let mut as_large = 0;
    for round in 0..rounds {
        let mut random = Random::of_round(seed, round);
        // The first of a shuffle are a fair hand, whatever the order was before.
        for place in 0..dealt {
            let other = place + random.below(bound - place as u32) as usize;
            shuffled.swap(place, other);
        }
        as_large += usize::from(is_as_large(shuffled[..dealt].iter().sum()));
    }
    Ok(Permutation { difference, p_value: (as_large + 1) as f64 / (rounds + 1) as f64, is_exact: false })
}

/// In how many ways so many of all can be dealt; none where that is a very large number.
fn ways(all: usize, dealt: usize) -> Option<usize> {
    let dealt = dealt.min(all - dealt);
    (0..dealt).try_fold(1_usize, |ways, each| Some(ways.checked_mul(all - each)? / (each + 1)))
}

/// The next hand in the order of the alphabet; behind the last one there is none, and nothing happens.
fn next_hand(hand: &mut [usize], all: usize) {
    let dealt = hand.len();
    if let Some(place) = (0..dealt).rev().find(|&place| hand[place] < all - dealt + place) {
        hand[place] += 1;
        for next in place + 1..dealt {
            hand[next] = hand[next - 1] + 1;
        }
    }
}

fn bound(count: usize) -> Result<u32, StatisticsError> {
    u32::try_from(count).map_err(|_| StatisticsError::OutOfBounds {
        what: "the number of values",
        value: count as f64,
        bounds: "below 2³²",
    })
}

/// The mean of the first group less that of the second, with its interval: items are drawn from each group by itself.
///
/// ```
/// use estrange_stats::bootstrap::Bootstrap;
/// use estrange_stats::unpaired::difference;
///
/// let (old, new) = ([1.0, 0.9, 0.8, 1.0], [0.1, 0.2, 0.4]);
/// let found = difference(&old, &new, &Bootstrap::seeded(1))?;
/// assert!((found.value - (3.7 / 4.0 - 0.7 / 3.0)).abs() < 1e-12);
/// assert!(found.interval.low > 0.3 && found.interval.high < 0.95);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn difference(first: &[f64], second: &[f64], bootstrap: &Bootstrap) -> Result<Estimate, StatisticsError> {
    check(first, 1)?;
    check(second, 1)?;
    check_level(bootstrap.level)?;
    check_rounds(bootstrap.resamples)?;
    let value = mean(first) - mean(second);
    let bounds = (bound(first.len())?, bound(second.len())?);
    let mut resampled: Vec<f64> = (0..bootstrap.resamples)
        .map(|round| {
            let mut random = Random::of_round(bootstrap.seed, round);
            let mut drawn = |values: &[f64], bound: u32| {
                (0..bound).map(|_| values[random.below(bound) as usize]).sum::<f64>() / f64::from(bound)
            };
            drawn(first, bounds.0) - drawn(second, bounds.1)
        })
        .collect();
    let standard_error = summarize(&resampled)?.deviation;
    resampled.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - bootstrap.level) / 2.0;
    let shares = match bootstrap.method {
        Method::Bca if first.len() > 1 && second.len() > 1 => {
            // How far the difference is without each item from what it is on average, for each group by itself. What is far
            // off in a small group weighs more: such is the influence of one item on a mean.
            let away = |values: &[f64], sign: f64| -> Vec<f64> {
                let middle = mean(values);
                values.iter().map(|each| sign * (each - middle) / values.len() as f64).collect()
            };
            corrected_by(&resampled, value, &[away(first, 1.0), away(second, -1.0)].concat(), tail)
        }
        Method::Bca | Method::Percentile => [tail, 1.0 - tail],
    };
    let [low, high] = shares.map(|share| quantile(&resampled, share));
    Ok(Estimate { value, interval: Interval { low, high, level: bootstrap.level }, standard_error })
}

#[cfg(test)]
mod tests;
