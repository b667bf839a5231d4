//! A search for inputs that reach what only a rewrite has.

use std::path::Path;

use crate::execution::State;
use crate::oracle::{Aim, COMPARED, FILLS, FUEL, OracleError, Prepared, right};
use crate::plan::{Job, What};
use crate::side::Side;

impl Prepared<'_> {
    /// Searches inputs that take branches which only a rewrite has. Says how many were tried, and gives the inputs that
    /// there are, and behind them those that were found, with what the original does on them.
    pub(crate) fn sought(
        &self,
        program: &Path,
        place: u64,
        side: &Side,
        (marks, open): (&[u8], &[u32]),
    ) -> Result<(u32, Option<State>), OracleError> {
        if open.is_empty() {
            return Ok((0, None));
        }
        let seek = Job { function: place, fill: FILLS[0], what: What::Seek, fuel: FUEL, input: 0 };
        let all = side.coverage.marks();
        let aim = Aim { seed: self.seed, marks: all, hints: Some(&side.hints), is_graded: false };
        let start = self.state.for_search(all as u32, marks, open);
        let found = self.oracle.execute(program, &self.plan, &[seek], aim, Some(start))?;
        let Ok(found) = found.map(|finished| finished.state) else { return Ok((0, None)) };
        let from = self.state.kept();
        tracing::debug!(
            open = open.len(),
            found = found.kept() - from,
            tries = found.tries(),
            "searched on the other side"
        );
        Ok((found.tries(), self.with_originals(&found)?))
    }

    /// The inputs that there are, and behind them those that were found, with what the original does on them; nothing, if
    /// none was.
    pub(crate) fn with_originals(&self, found: &State) -> Result<Option<State>, OracleError> {
        let from = self.state.kept();
        if found.kept() <= from {
            return Ok(None);
        }
        let start = self.state.at_job(COMPARED, 0, from).with_inputs_of(found);
        let jobs = FILLS.map(|fill| right(fill, from));
        let aim = Aim { seed: self.seed, ..Aim::default() };
        let own = self.folder.path().join("program");
        let finished = self.oracle.execute(&own, &self.plan, &jobs, aim, Some(start))?;
        Ok(finished.ok().map(|finished| finished.state))
    }
}
