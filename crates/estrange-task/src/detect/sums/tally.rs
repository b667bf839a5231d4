//! What is counted of a pair: verdicts by what they should be, and what both sides come to together.

use std::ops::AddAssign;

use estrange_stats::classification::Confusion;

use crate::detect::judged::Judged;

/// Counts of verdicts. Sums of them are counts of more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Verdicts by what is so; what has none counts as not flagged.
    pub confusion: Confusion,
    /// Items with a verdict.
    pub answered: u64,
    /// Items whose verdict is right.
    pub correct: u64,
    /// Pairs, once for each seed, of which both sides were asked.
    pub pairs: u64,
    /// Of these: the vulnerable side was flagged, and the patched one was not.
    pub both_right: u64,
    /// Both sides were flagged.
    pub both_flagged: u64,
    /// Both sides were said to be safe.
    pub both_safe: u64,
    /// The patched side was flagged, and the vulnerable one was not.
    pub swapped: u64,
    /// A side has no verdict.
    pub unanswered: u64,
    /// Flagged vulnerable sides of which a line was named, where the fault is in what was shown.
    pub with_line: u64,
    /// Of these: it is the right one.
    pub located: u64,
}

impl Tally {
    /// Counts the items of one pair with one seed.
    pub fn of(items: &[&Judged]) -> Self {
        let mut tally = Self::default();
        for item in items {
            tally.confusion.add(item.is_vulnerable(), item.is_flagged());
            tally.answered += u64::from(item.verdict.is_some());
            tally.correct += u64::from(item.is_correct());
            if let Some(is_located) = item.is_located() {
                tally.with_line += 1;
                tally.located += u64::from(is_located);
            }
        }
        let side = |is_vulnerable: bool| items.iter().find(|item| item.is_vulnerable() == is_vulnerable);
        if let (Some(vulnerable), Some(patched)) = (side(true), side(false)) {
            tally.pairs = 1;
            let outcome = match (vulnerable.verdict.is_some() && patched.verdict.is_some(), vulnerable.is_flagged()) {
                (false, _) => &mut tally.unanswered,
                (true, true) if patched.is_flagged() => &mut tally.both_flagged,
                (true, true) => &mut tally.both_right,
                (true, false) if patched.is_flagged() => &mut tally.swapped,
                (true, false) => &mut tally.both_safe,
            };
            *outcome += 1;
        }
        tally
    }

    /// How many items were counted.
    pub fn items(&self) -> u64 {
        self.confusion.count()
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.confusion.true_positives += other.confusion.true_positives;
        self.confusion.false_positives += other.confusion.false_positives;
        self.confusion.false_negatives += other.confusion.false_negatives;
        self.confusion.true_negatives += other.confusion.true_negatives;
        self.answered += other.answered;
        self.correct += other.correct;
        self.pairs += other.pairs;
        self.both_right += other.both_right;
        self.both_flagged += other.both_flagged;
        self.both_safe += other.both_safe;
        self.swapped += other.swapped;
        self.unanswered += other.unanswered;
        self.with_line += other.with_line;
        self.located += other.located;
    }
}
