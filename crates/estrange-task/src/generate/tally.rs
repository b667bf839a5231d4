//! Counts of answers, and the rates that are read off them.

use std::ops::AddAssign;

use crate::drawn::share;

/// Counts of answers. Sums of them are counts of more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Items.
    pub items: u64,
    /// Answers that could be graded.
    pub answers: u64,
    /// Those that compile and link.
    pub compiled: u64,
    /// Those that pass.
    pub passed: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.items += other.items;
        self.answers += other.answers;
        self.compiled += other.compiled;
        self.passed += other.passed;
    }
}

impl Tally {
    /// The compile pass rate.
    pub fn cpr(&self) -> f64 {
        share(self.compiled, self.answers)
    }

    /// The test pass rate.
    pub fn tpr(&self) -> f64 {
        share(self.passed, self.answers)
    }
}
