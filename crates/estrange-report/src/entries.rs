//! What stands in the tables of tasks on pairs: shares in percent, with or without their intervals, and counts.

use crate::document::Estimate;
use crate::table::{Entry, Number, Spread};

fn percentage(value: f64) -> Number {
    Number { value: 100.0 * value, digits: 1, ..Number::default() }
}

/// A share.
pub(crate) fn share(value: f64) -> Entry {
    Entry::Number(percentage(value))
}

/// A share with its interval.
pub(crate) fn estimate(estimate: Estimate) -> Entry {
    let spread = Spread::Interval { low: 100.0 * estimate.low, high: 100.0 * estimate.high };
    Entry::Number(Number { spread, ..percentage(estimate.value) })
}

/// A share with its interval, if there is one.
pub(crate) fn perhaps(value: Option<Estimate>) -> Entry {
    value.map_or(Entry::Empty, estimate)
}

/// How many there are.
pub(crate) fn count(value: u64) -> Entry {
    Entry::Number(Number { value: value as f64, ..Number::default() })
}

/// How likely something is by chance.
pub(crate) fn probability(value: f64) -> Entry {
    Entry::Number(Number { value, digits: 4, ..Number::default() })
}
