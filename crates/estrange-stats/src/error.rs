//! Numbers that have no answer, and why.

/// Why a statistic cannot be had of these numbers.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum StatisticsError {
    /// There are fewer values than the statistic needs.
    #[error("at least {least} values are needed, and there are {found}")]
    TooFew {
        /// How many are needed.
        least: usize,
        /// How many there are.
        found: usize,
    },
    /// Two lists that belong together, item by item, have different lengths.
    #[error("values come in pairs, but there are {first} of the first and {second} of the second")]
    DifferentLengths {
        /// The length of the first.
        first: usize,
        /// The length of the second.
        second: usize,
    },
    /// A value is infinite or not a number.
    #[error("value {place} (counted from 0) is {value}, which is not finite")]
    NotFinite {
        /// Its place.
        place: usize,
        /// The value.
        value: f64,
    },
    /// All values are the same where they must differ.
    #[error("all values are the same, so that nothing can vary with them")]
    Constant,
    /// A number that says how to compute is out of its bounds.
    #[error("{what} is {value}, which is not {bounds}")]
    OutOfBounds {
        /// Which number it is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it should be.
        bounds: &'static str,
    },
}

/// Refuses values that are not finite, and fewer than so many of them.
pub(crate) fn check(values: &[f64], least: usize) -> Result<(), StatisticsError> {
    if values.len() < least {
        return Err(StatisticsError::TooFew { least, found: values.len() });
    }
    match values.iter().position(|value| !value.is_finite()) {
        Some(place) => Err(StatisticsError::NotFinite { place, value: values[place] }),
        None => Ok(()),
    }
}

/// Refuses what [`check`] refuses, in either list, and lists of different lengths.
pub(crate) fn check_pairs(first: &[f64], second: &[f64], least: usize) -> Result<(), StatisticsError> {
    if first.len() != second.len() {
        return Err(StatisticsError::DifferentLengths { first: first.len(), second: second.len() });
    }
    check(first, least)?;
    check(second, least)
}

/// Refuses what is not between 0 and 1, both excluded.
pub(crate) fn check_level(level: f64) -> Result<(), StatisticsError> {
    if level > 0.0 && level < 1.0 {
        return Ok(());
    }
    Err(StatisticsError::OutOfBounds { what: "the level of confidence", value: level, bounds: "between 0 and 1" })
}

/// Refuses to draw nothing.
pub(crate) fn check_rounds(rounds: usize) -> Result<(), StatisticsError> {
    if rounds > 0 {
        return Ok(());
    }
    Err(StatisticsError::OutOfBounds { what: "the number of rounds", value: 0.0, bounds: "above 0" })
}
