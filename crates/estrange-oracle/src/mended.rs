//! Inputs on which a function faults and another version of it does not.

use std::path::Path;

use crate::callee::Callee;
use crate::execution::State;
use crate::input::Input;
use crate::oracle::{
    Aim, COMPARED, FILLS, FIRST, FUEL, MORE_FUEL, OracleError, Prepared, Variant, again, program_of, right,
};
use crate::plan::{Job, What};
use crate::program::COMPARISONS;
use crate::side::Side;

impl Prepared<'_> {
    /// Inputs on which the function faults and its mended version ends as it should, at most so many; those that say all by
    /// their values, and short ones, come first. Where too few of the inputs that there are do it, more are looked for, from
    /// these on, by what either version compares.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn mended(&self, mended: &Variant<'_>, most: usize) -> Result<Vec<Input>, OracleError> {
        let side = self.side(mended)?;
        let folder = self.oracle.builder.folder()?;
        let harness = self.harness.text(&[Callee::Itself(mended.function.to_owned())], mended.names);
        let flags = self.oracle.flags(self.language, &self.flags, &[COMPARISONS]);
        let text = side.text.clone() + &harness;
        let texts = [text.as_str(), self.original.as_str()];
        let built = program_of(self.oracle, self.language, &flags, &texts, folder.path())?;
        if !built.is_ok_and(|each| each.iter().all(Result::is_ok)) {
            return Ok(Vec::new());
        }
        let program = folder.path().join("program");
        // Every input is run, also behind one on which both differ.
        let every = Job { fuel: FUEL * MORE_FUEL, ..right(FILLS[0], 0) };
        let start = self.state.at_job(COMPARED, COMPARED, 0);
        let Ok(state) = self.run(&program, &again([every]), start)? else { return Ok(Vec::new()) };
        let mut words = faults(&self.state, &state);
        if words.len() < most {
            words.extend(self.sought_faults(&program, &side)?);
        }
        words.truncate(most * 8);
        let mut inputs: Vec<Input> = words.into_iter().map(|words| self.written(words)).collect::<Result<_, _>>()?;
        // What stands in two places at once is a stranger call than most.
        inputs.sort_by_key(|input| (!input.is_portable(), input.has_shared_objects(), input.text().len()));
        inputs.truncate(most);
        Ok(inputs)
    }

    /// Inputs that were looked for, from those that there are on, as they were drawn.
    fn sought_faults(&self, program: &Path, side: &Side) -> Result<Vec<Vec<u64>>, OracleError> {
        let job = Job { function: 1, fill: FILLS[0], what: What::Mend, fuel: FUEL, input: 0 };
        let aim = Aim { seed: self.seed, marks: 0, hints: Some(&side.hints) };
        let start = self.state.for_search(0, &[], &[]);
        let finished = self.oracle.execute(program, &self.plan, &[job], aim, Some(start))?;
        let Ok(found) = finished.map(|finished| finished.state) else { return Ok(Vec::new()) };
        Ok((self.state.kept()..found.kept()).map(|input| found.input(input)).collect())
    }
}

/// The inputs, as they were drawn, on which the original faults and the other one does not.
fn faults(own: &State, other: &State) -> Vec<Vec<u64>> {
    let only_own = |input: &u32| own.seen(FIRST, *input).end.is_fault() && other.seen(COMPARED, *input).end.is_clean();
    (0..own.kept()).filter(only_own).map(|input| own.input(input)).collect()
}
