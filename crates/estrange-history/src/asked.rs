//! Which changes are asked about.

use estrange_words::words;

use crate::day::Day;

words! {
    /// What changes must touch besides functions.
    pub enum With {
        /// Tests, too: the published rule.
        Tests = "tests",
        /// Nothing else.
        Any = "any",
    }
}

/// Which functions are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Those that changed on this day or later; none where only the days of changes are wanted.
    pub since: Option<Day>,
    /// By changes that touch this besides.
    pub with: With,
}
