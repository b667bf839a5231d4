//! What a run's tables say of each of its items.

use std::collections::HashMap;

use estrange_bench::{BenchError, Outcome, RunTables};

use super::records::{Assignment, Mark};
use super::tally::Tally;

/// An item, and what became of all answers to it.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The item.
    pub assignment: Assignment,
    /// What became of its answers.
    pub marks: Vec<Mark>,
}

impl Judged {
    /// How many of its answers compile and pass.
    pub fn tally(&self) -> Tally {
        let count = |is_so: fn(Outcome) -> bool| self.marks.iter().filter(|mark| is_so(mark.outcome)).count() as u64;
        Tally {
            items: 1,
            answers: count(Outcome::is_known),
            compiled: count(|outcome| outcome.is_known() && outcome.is_built()),
            passed: count(|outcome| outcome == Outcome::Passed),
        }
    }
}

/// What a run's tables say of each of its items, in their order.
pub fn judged(tables: &RunTables) -> Result<Vec<Judged>, BenchError> {
    let mut marks: HashMap<(String, String, u32), Vec<Mark>> = HashMap::new();
    for mark in tables.rows::<Mark>()? {
        let mark = mark?;
        marks.entry((mark.item.clone(), mark.setting.clone(), mark.seed)).or_default().push(mark);
    }
    let judge = |assignment: Result<Assignment, BenchError>| {
        let assignment = assignment?;
        let key = (assignment.item.clone(), assignment.setting.clone(), assignment.seed);
        Ok(Judged { marks: marks.remove(&key).unwrap_or_default(), assignment })
    };
    tables.rows::<Assignment>()?.map(judge).collect()
}
