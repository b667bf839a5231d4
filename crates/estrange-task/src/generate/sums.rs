//! What answers are worth, over many functions: pure functions of what was judged.
//!
//! Intervals are found by drawing functions, each with all its seeds and answers; where there are many projects, by drawing
//! projects, since functions of one are alike.

use std::collections::BTreeMap;

use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::{Bootstrap, Estimate};
use estrange_stats::pass_at_k::pass_at_k;

use super::judged::Judged;
use super::tally::Tally;
use crate::drawn::{estimate, sum};
pub use crate::fall::Fall;

/// What is drawn for intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// Functions.
    Functions,
    /// Projects, each with all its functions.
    Projects,
}

/// Fewer projects than these say little of how projects differ.
const FEWEST_PROJECTS: usize = 8;

impl Drawn {
    /// What is drawn where there are so many projects.
    pub fn of(projects: usize) -> Self {
        if projects >= FEWEST_PROJECTS { Self::Projects } else { Self::Functions }
    }

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Functions => "functions",
            Self::Projects => "projects",
        }
    }

    fn key(self, judged: &Judged) -> &str {
        match self {
            Self::Functions => &judged.assignment.item,
            Self::Projects => &judged.assignment.source,
        }
    }
}

/// What is counted of each function in a setting.
pub type ByFunction<'j> = BTreeMap<&'j str, Tally>;

/// Counts the answers of a setting, function by function.
pub fn by_function<'j>(judged: impl IntoIterator<Item = &'j Judged>) -> ByFunction<'j> {
    by(Drawn::Functions, judged)
}

fn by<'j>(drawn: Drawn, judged: impl IntoIterator<Item = &'j Judged>) -> ByFunction<'j> {
    let mut all = ByFunction::new();
    for item in judged {
        *all.entry(drawn.key(item)).or_default() += item.tally();
    }
    all
}

/// All that was counted in a setting, and both rates with their intervals.
pub fn level(
    judged: &[&Judged],
    drawn: Drawn,
    bootstrap: &Bootstrap,
) -> Result<(Tally, Estimate, Estimate), StatisticsError> {
    let tallies: Vec<Tally> = by(drawn, judged.iter().copied()).into_values().collect();
    let all = sum(tallies.iter());
    Ok((all, estimate(&tallies, bootstrap, Tally::cpr)?, estimate(&tallies, bootstrap, Tally::tpr)?))
}

/// What is lost of a rate between two settings, on the functions that both have: the matched baseline. Nothing where they have
/// none in common.
pub fn fall(
    before: &ByFunction<'_>,
    after: &ByFunction<'_>,
    bootstrap: &Bootstrap,
    rounds: usize,
    rate: fn(&Tally) -> f64,
) -> Result<Option<Fall>, StatisticsError> {
    crate::fall::fall((before, after), (bootstrap, rounds), rate, rate)
}

/// For each k the share of functions of which at least one of k answers passes, where each was asked for several times.
pub fn pass_at(functions: &ByFunction<'_>) -> Result<Vec<(u32, f64)>, StatisticsError> {
    let fewest = functions.values().map(|tally| tally.answers).min().unwrap_or(0);
    let ks = [1, 2, 5, 10, 20, 50, 100].into_iter().filter(|k| fewest > 1 && *k <= fewest);
    let at = |k: u64| {
        let each: Result<Vec<f64>, StatisticsError> =
            functions.values().map(|tally| pass_at_k(tally.answers, tally.passed, k)).collect();
        let each = each?;
        Ok((k as u32, each.iter().sum::<f64>() / each.len().max(1) as f64))
    };
    ks.map(at).collect()
}
