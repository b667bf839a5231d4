//! How far raters agree: Krippendorff's alpha, and of two raters Cohen's kappa.

use std::collections::BTreeMap;

use crate::StatisticsError;

/// What the difference of two ratings means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Ratings are names: they are the same or not.
    Nominal,
    /// Ratings have an order; how far they are apart is how many ratings lie between them.
    Ordinal,
    /// Ratings are numbers; how far they are apart is their difference.
    Interval,
    /// Ratings are numbers above a true zero; how far they are apart is their difference as a share of their sum.
    Ratio,
}

/// Krippendorff's alpha of units, each with the ratings it got: 1 is full agreement, 0 what chance gives.
///
/// It does not matter who gave which rating. A unit may have any number of ratings; with fewer than two it says
/// nothing. Where all ratings are the same there is nothing to agree on, and that is an error.
///
/// ```
/// use estrange_stats::agreement::{Scale, krippendorff_alpha};
///
/// let units = [vec![1.0, 1.0, 1.0], vec![-1.0, -1.0], vec![0.5, 1.0, 0.5], vec![0.5]];
/// let alpha = krippendorff_alpha(&units, Scale::Interval)?;
/// assert!((alpha - 0.9593023).abs() < 1e-6);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn krippendorff_alpha<U: AsRef<[f64]>>(units: &[U], scale: Scale) -> Result<f64, StatisticsError> {
    let units: Vec<&[f64]> = units.iter().map(AsRef::as_ref).filter(|ratings| ratings.len() >= 2).collect();
    let mut values = units.concat();
    crate::error::check(&values, 2)?;
    let count = values.len() as f64;
    // Zero is zero whatever its sign.
    values.iter_mut().for_each(|value| *value += 0.0);
    values.sort_unstable_by(f64::total_cmp);
    let counts: Vec<f64> = values.chunk_by(|one, two| one == two).map(|equal| equal.len() as f64).collect();
    values.dedup();
    if values.len() < 2 {
        return Err(StatisticsError::Constant);
    }
    let distance = Distance::new(scale, &values, &counts);
    let mut observed = 0.0;
    for ratings in units {
        let mut places: Vec<usize> =
            ratings.iter().map(|rating| values.partition_point(|value| value < rating)).collect();
        places.sort_unstable();
        observed += distance.of_all_pairs(&runs(&places)) / (ratings.len() - 1) as f64;
    }
    let by_chance = distance.of_all_pairs(&counts.iter().copied().enumerate().collect::<Vec<_>>()) / (count - 1.0);
    Ok(1.0 - observed / by_chance)
}

/// Cohen's kappa of two raters who said one of several words of each thing: 1 is full agreement, 0 what chance gives.
///
/// Unlike [`krippendorff_alpha`] it takes each rater's own habits into account. Where both say the same one word of everything
/// there is nothing to agree on, and that is an error.
///
/// ```
/// use estrange_stats::agreement::cohen_kappa;
///
/// let said = [("passes", "passes"), ("passes", "fails"), ("fails", "fails"), ("fails", "fails")];
/// assert!((cohen_kappa(&said)? - 0.5).abs() < 1e-12);
/// # Ok::<(), estrange_stats::StatisticsError>(())
/// ```
pub fn cohen_kappa<W: Ord>(said: &[(W, W)]) -> Result<f64, StatisticsError> {
    if said.is_empty() {
        return Err(StatisticsError::TooFew { least: 1, found: 0 });
    }
    let count = said.len() as f64;
    let mut words: BTreeMap<&W, (f64, f64)> = BTreeMap::new();
    for (one, other) in said {
        words.entry(one).or_default().0 += 1.0;
        words.entry(other).or_default().1 += 1.0;
    }
    let by_chance: f64 = words.values().map(|(one, other)| one / count * (other / count)).sum();
    if words.len() < 2 {
        return Err(StatisticsError::Constant);
    }
    let observed = said.iter().filter(|(one, other)| one == other).count() as f64 / count;
    Ok((observed - by_chance) / (1.0 - by_chance))
}

/// Sorted places, each once, with how often it comes.
fn runs(places: &[usize]) -> Vec<(usize, f64)> {
    places.chunk_by(|one, two| one == two).map(|equal| (equal[0], equal.len() as f64)).collect()
}

/// How far two ratings are apart, squared. Ratings are known by their place among all different ones.
struct Distance<'a> {
    scale: Scale,
    values: &'a [f64],
    /// How many ratings are below each value, and half of those that are equal to it.
    up_to_middle: Vec<f64>,
}

impl<'a> Distance<'a> {
    fn new(scale: Scale, values: &'a [f64], counts: &[f64]) -> Self {
        let mut below = 0.0;
        let middle = |count: &f64| {
            below += count;
            below - count / 2.0
        };
        Self { scale, values, up_to_middle: counts.iter().map(middle).collect() }
    }

    fn between(&self, one: usize, two: usize) -> f64 {
        let (first, second) = (self.values[one], self.values[two]);
        let apart = match self.scale {
            Scale::Nominal => return if one == two { 0.0 } else { 1.0 },
            Scale::Ordinal => self.up_to_middle[one] - self.up_to_middle[two],
            Scale::Interval => first - second,
            Scale::Ratio if first + second == 0.0 => return 0.0,
            Scale::Ratio => (first - second) / (first + second),
        };
        apart * apart
    }

    /// The sum over all pairs of ratings, in both orders, of how far they are apart.
    fn of_all_pairs(&self, counted: &[(usize, f64)]) -> f64 {
        let mut sum = 0.0;
        for (place, &(one, count)) in counted.iter().enumerate() {
            for &(two, other_count) in &counted[place + 1..] {
                sum += 2.0 * count * other_count * self.between(one, two);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The data of Krippendorff's "Computing Krippendorff's Alpha-Reliability" (2011): twelve units, up to
    /// four ratings each.
    fn published() -> Vec<Vec<f64>> {
        let raters = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."];
        (0..12).map(|unit| raters.iter().filter_map(|rater| rater[unit..=unit].parse().ok()).collect()).collect()
    }

    #[test]
    fn published_values_are_met() {
        // To more digits by krippendorff.alpha of the Python package of that name (0.9.0).
        let cases = [
            (Scale::Nominal, 0.743421052631579),
            (Scale::Ordinal, 0.8153875037548814),
            (Scale::Interval, 0.8491071428571428),
            (Scale::Ratio, 0.7974027747116121),
        ];
        for (scale, wanted) in cases {
            let alpha = krippendorff_alpha(&published(), scale).unwrap();
            assert!((alpha - wanted).abs() < 1e-12, "{scale:?}: {alpha} is not {wanted}");
        }
    }

    /// `counts` of each pair of words.
    fn said(counts: &[[usize; 3]]) -> Vec<(usize, usize)> {
        counts.iter().flat_map(|[one, other, count]| std::iter::repeat_n((*one, *other), *count)).collect()
    }

    #[test]
    fn kappa_is_what_cohen_computed() {
        // The example of Cohen (1960), by its counts of 200: 0.49.
        let cohen = said(&[
            [1, 1, 88],
            [1, 2, 14],
            [1, 3, 18],
            [2, 1, 10],
            [2, 2, 40],
            [2, 3, 10],
            [3, 1, 2],
            [3, 2, 6],
            [3, 3, 12],
        ]);
        assert!((cohen_kappa(&cohen).unwrap() - 0.491525423728813).abs() < 1e-12);
        assert_eq!(cohen_kappa(&said(&[[0, 0, 5], [1, 1, 3]])), Ok(1.0));
        assert_eq!(cohen_kappa(&said(&[[0, 1, 4], [1, 0, 4]])), Ok(-1.0));
        // One says the same word of everything, the other does not.
        assert_eq!(cohen_kappa(&said(&[[0, 0, 5], [0, 1, 3]])), Ok(0.0));
        assert_eq!(cohen_kappa(&said(&[[0, 0, 5]])), Err(StatisticsError::Constant));
        assert!(cohen_kappa::<u8>(&[]).is_err());
    }

    #[test]
    fn full_agreement_is_one_and_its_opposite_below_zero() {
        for scale in [Scale::Nominal, Scale::Ordinal, Scale::Interval] {
            assert_eq!(krippendorff_alpha(&[[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]], scale), Ok(1.0));
            assert!(krippendorff_alpha(&[[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]], scale).unwrap() < 0.0);
        }
    }

    #[test]
    fn what_cannot_disagree_is_refused() {
        assert_eq!(krippendorff_alpha(&[[1.0, 1.0], [1.0, 1.0]], Scale::Nominal), Err(StatisticsError::Constant));
        let single = krippendorff_alpha(&[[1.0], [2.0]], Scale::Nominal);
        assert_eq!(single, Err(StatisticsError::TooFew { least: 2, found: 0 }));
        assert!(krippendorff_alpha(&[[1.0, f64::NAN]], Scale::Nominal).is_err());
    }
}
