//! Kendall's tau-b, by Knight's method: sorting instead of looking at all pairs of pairs.

use std::cmp::Ordering;

use super::{Correlation, LEAST, error};
use crate::StatisticsError;
use crate::error::check_pairs;
use crate::special::normal_below;

/// Up to so many pairs, the p-value is exact where no two values are equal.
const EXACT: usize = 33;

/// Kendall's tau-b: how much more often two things rise together than one falls as the other rises, ties apart.
///
/// As in scipy, the p-value is exact where there are no ties and at most 33 pairs (or nearly all are in order), and
/// else by the normal distribution with the variance that ties leave.
pub fn kendall(first: &[f64], second: &[f64]) -> Result<Correlation, StatisticsError> {
    check_pairs(first, second, LEAST)?;
    let mut pairs: Vec<(f64, f64)> = first.iter().copied().zip(second.iter().copied()).collect();
    pairs.sort_unstable_by(|one, two| order(one.0, two.0).then(order(one.1, two.1)));
    let both = Ties::of(&pairs, |one, two| one == two);
    let in_first = Ties::of(&pairs, |one, two| one.0 == two.0);
    let mut second: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
    let discordant = exchanges(&mut second);
    let in_second = Ties::of(&second, |one, two| one == two);

    let count = pairs.len() as f64;
    let all = count * (count - 1.0) / 2.0;
    let possible = (all - in_first.pairs) * (all - in_second.pairs);
    if possible == 0.0 {
        return Err(StatisticsError::Constant);
    }
    let surplus = all - in_first.pairs - in_second.pairs + both.pairs - 2.0 * discordant;
    let coefficient = (surplus / possible.sqrt()).clamp(-1.0, 1.0);
    let fewest = discordant.min(all - discordant);
    let has_ties = in_first.pairs > 0.0 || in_second.pairs > 0.0;
    let p_value = if !has_ties && (pairs.len() <= EXACT || fewest <= 1.0) {
        exact(pairs.len(), fewest as usize)
    } else {
        let ordered = count * (count - 1.0);
        let variance = (ordered * (2.0 * count + 5.0) - in_first.for_variance - in_second.for_variance) / 18.0
            + 2.0 * in_first.pairs * in_second.pairs / ordered
            + in_first.triples * in_second.triples / (9.0 * ordered * (count - 2.0));
        2.0 * normal_below(-surplus.abs() / variance.sqrt())
    };
    Ok(Correlation { coefficient, p_value, pairs: pairs.len(), error: error(0.437, pairs.len(), 4) })
}

/// The order of finite numbers, in which zero is zero whatever its sign.
fn order(one: f64, two: f64) -> Ordering {
    one.partial_cmp(&two).unwrap_or(Ordering::Equal)
}

/// What equal values add to the formulas.
struct Ties {
    pairs: f64,
    triples: f64,
    for_variance: f64,
}

impl Ties {
    /// The ties among sorted values.
    fn of<T>(sorted: &[T], are_equal: impl Fn(&T, &T) -> bool) -> Self {
        let mut ties = Self { pairs: 0.0, triples: 0.0, for_variance: 0.0 };
        for equal in sorted.chunk_by(are_equal) {
            let count = equal.len() as f64;
            ties.pairs += count * (count - 1.0) / 2.0;
            ties.triples += count * (count - 1.0) * (count - 2.0);
            ties.for_variance += count * (count - 1.0) * (2.0 * count + 5.0);
        }
        ties
    }
}

/// Sorts values by merging, and counts how many pairs of neighbours would have to be exchanged to do so.
fn exchanges(values: &mut [f64]) -> f64 {
    let mut merged = values.to_vec();
    let mut exchanges = 0.0;
    let mut width = 1;
    while width < values.len() {
        for (from, to) in values.chunks(2 * width).zip(merged.chunks_mut(2 * width)) {
            let (left, right) = from.split_at(width.min(from.len()));
            let (mut one, mut two) = (0, 0);
            for place in to {
                if two == right.len() || one < left.len() && left[one] <= right[two] {
                    *place = left[one];
                    one += 1;
                } else {
                    *place = right[two];
                    two += 1;
                    // It passes everything that is left of the left half.
                    exchanges += (left.len() - one) as f64;
                }
            }
        }
        values.copy_from_slice(&merged);
        width *= 2;
    }
    exchanges
}

/// How likely it is that a random order has at most `fewest` pairs out of order, or at most so many in order.
fn exact(count: usize, fewest: usize) -> f64 {
    // The share of the orders of some items that have 0, 1, 2, … pairs out of order: one more item adds any number
    // from none to all of the others, each as likely.
    let mut shares = vec![0.0; fewest + 1];
    shares[0] = 1.0;
    for items in 2..=count {
        let before = shares.clone();
        let mut window = 0.0;
        for (pairs, share) in shares.iter_mut().enumerate() {
            window += before[pairs];
            if pairs >= items {
                window -= before[pairs - items];
            }
            *share = window / items as f64;
        }
    }
    (2.0 * shares.iter().sum::<f64>()).min(1.0)
}
