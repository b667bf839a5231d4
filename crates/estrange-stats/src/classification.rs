//! How good yes-or-no answers are, such as a detector's on code with and without a bug.

/// How often an answer was right or wrong, by what it should have been.
///
/// ```
/// use estrange_stats::classification::Confusion;
///
/// // What is so, and what was answered.
/// let answers = [(true, true), (true, false), (false, false), (false, true), (true, true)];
/// let confusion: Confusion = answers.into_iter().collect();
/// assert_eq!(confusion.precision(), 2.0 / 3.0);
/// assert_eq!(confusion.recall(), 2.0 / 3.0);
/// assert!((confusion.f1() - 2.0 / 3.0).abs() < 1e-12);
/// assert!((confusion.mcc() - 1.0 / 6.0).abs() < 1e-12);
/// ```
///
/// A share of nothing is 0 everywhere, as in scikit-learn: the precision where nothing was answered with yes, for
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Confusion {
    /// It is so, and that was the answer.
    pub true_positives: u64,
    /// It is not so, but the answer was that it is.
    pub false_positives: u64,
    /// It is so, but the answer was that it is not.
    pub false_negatives: u64,
    /// It is not so, and that was the answer.
    pub true_negatives: u64,
}

impl Confusion {
    /// Counts one more answer.
    pub fn add(&mut self, is_so: bool, answer: bool) {
        *match (is_so, answer) {
            (true, true) => &mut self.true_positives,
            (false, true) => &mut self.false_positives,
            (true, false) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        } += 1;
    }

    /// How many answers there are.
    pub fn count(&self) -> u64 {
        self.true_positives + self.false_positives + self.false_negatives + self.true_negatives
    }

    /// The share of the answers that are right.
    pub fn accuracy(&self) -> f64 {
        share(self.true_positives + self.true_negatives, self.count())
    }

    /// The share of the answers "it is so" that are right.
    pub fn precision(&self) -> f64 {
        share(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of what is so that was answered so.
    pub fn recall(&self) -> f64 {
        share(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// The share of what is not so that was answered so.
    pub fn false_positive_rate(&self) -> f64 {
        share(self.false_positives, self.false_positives + self.true_negatives)
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> f64 {
        share(2 * self.true_positives, 2 * self.true_positives + self.false_positives + self.false_negatives)
    }

    /// Matthews' coefficient of correlation, from -1 to 1: 0 is what guessing gives, however rare a yes is.
    pub fn mcc(&self) -> f64 {
        let [tp, fp, negatives_missed, tn] =
            [self.true_positives, self.false_positives, self.false_negatives, self.true_negatives]
                .map(|each| each as f64);
        // Roots before products, which could be too large.
        let roots = [tp + fp, tp + negatives_missed, tn + fp, tn + negatives_missed].map(f64::sqrt);
        let below = roots[0] * roots[1] * roots[2] * roots[3];
        if below > 0.0 { (tp * tn - fp * negatives_missed) / below } else { 0.0 }
    }
}

impl FromIterator<(bool, bool)> for Confusion {
    /// Counts pairs of what is so and what was answered.
    fn from_iter<I: IntoIterator<Item = (bool, bool)>>(answers: I) -> Self {
        let mut confusion = Self::default();
        answers.into_iter().for_each(|(is_so, answer)| confusion.add(is_so, answer));
        confusion
    }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole > 0 { part as f64 / whole as f64 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
    }

    #[test]
    fn the_values_are_scikit_learns() {
        // sklearn.metrics.precision_score, recall_score, f1_score, matthews_corrcoef, accuracy_score (1.9.1)
        let confusion = Confusion { true_positives: 29, false_positives: 11, false_negatives: 8, true_negatives: 52 };
        close(confusion.precision(), 0.725);
        close(confusion.recall(), 0.7837837837837838);
        close(confusion.f1(), 0.7532467532467533);
        close(confusion.mcc(), 0.6003597758276785);
        close(confusion.accuracy(), 0.81);
        close(confusion.false_positive_rate(), 11.0 / 63.0);
    }

    #[test]
    fn shares_of_nothing_are_zero() {
        let nothing = Confusion::default();
        let values = [nothing.accuracy(), nothing.precision(), nothing.recall(), nothing.f1(), nothing.mcc()];
        assert_eq!(values, [0.0; 5]);
        let always_no: Confusion = [(true, false), (false, false)].into_iter().collect();
        assert_eq!([always_no.precision(), always_no.f1(), always_no.mcc()], [0.0; 3]);
    }

    #[test]
    fn correlation_of_very_many_answers_is_a_number() {
        let many = Confusion {
            true_positives: 1 << 60,
            false_positives: 1 << 59,
            false_negatives: 1 << 59,
            true_negatives: 1 << 60,
        };
        close(many.mcc(), 1.0 / 3.0);
    }
}
