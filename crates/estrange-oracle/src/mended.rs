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
use crate::record::Untestable;
use crate::side::Side;

impl Prepared<'_> {
    /// Inputs on which the function faults and its mended version ends as it should, at most so many; those that say all by
    /// their values, and short ones, come first. Where too few of the inputs that there are do it, more are looked for, from
    /// these on, by what either version compares.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn mended(&self, mended: &Variant<'_>, most: usize) -> Result<Result<Vec<Input>, Untestable>, OracleError> {
        let side = self.side(mended)?;
        let folder = self.oracle.builder.folder()?;
        let harness = self.harness.text(&[Callee::Itself(mended.function.to_owned())], mended.names);
        let flags = self.oracle.flags(self.language, &self.flags, &[COMPARISONS]);
        let text = side.text.clone() + &harness;
        let texts = [text.as_str(), self.original.as_str()];
        let built = program_of(self.oracle, self.language, &flags, &texts, folder.path())?;
        if let Err(why) = built.and_then(|each| each.into_iter().collect::<Result<(), _>>()) {
            return Ok(Err(why));
        }
        let program = folder.path().join("program");
        match self.drawn_faults(&program, &side, most)? {
            Ok(words) => self.simplest(words, most).map(Ok),
            Err(why) => Ok(Err(why)),
        }
    }

    /// Inputs that tell the two apart, as they were drawn: of those that there are, and of more where these are too few.
    fn drawn_faults(
        &self,
        program: &Path,
        side: &Side,
        most: usize,
    ) -> Result<Result<Vec<Vec<u64>>, Untestable>, OracleError> {
        // Every input is run, also behind one on which both differ.
        let every = Job { fuel: FUEL * MORE_FUEL, ..right(FILLS[0], 0) };
        let start = self.state.at_job(COMPARED, COMPARED, 0);
        let mut words = match self.run(program, &again([every]), start)? {
            Ok(state) => faults(&self.state, &state),
            Err(why) => return Ok(Err(why)),
        };
        if words.len() < most {
            match self.sought_faults(program, side)? {
                Ok(sought) => words.extend(sought),
                Err(why) if words.is_empty() => return Ok(Err(why)),
                Err(_) => {}
            }
        }
        Ok(Ok(words))
    }

    /// Inputs that were looked for, from those that there are on, as they were drawn.
    fn sought_faults(&self, program: &Path, side: &Side) -> Result<Result<Vec<Vec<u64>>, Untestable>, OracleError> {
        let job = Job { function: 1, fill: FILLS[0], what: What::Mend, fuel: FUEL, input: 0 };
        let aim = Aim { seed: self.seed, hints: Some(&side.hints), ..Aim::default() };
        let start = self.state.for_search(0, &[], &[]);
        let finished = self.oracle.execute(program, &self.plan, &[job], aim, Some(start))?;
        let inputs = |found: State| (self.state.kept()..found.kept()).map(|input| found.input(input)).collect();
        Ok(finished.map(|finished| inputs(finished.state)))
    }

    /// The simplest of these inputs, at most so many. What stands in two places at once is a stranger call than most.
    fn simplest(&self, mut words: Vec<Vec<u64>>, most: usize) -> Result<Vec<Input>, OracleError> {
        words.truncate(most * 8);
        let mut inputs: Vec<Input> = words.into_iter().map(|words| self.written(words)).collect::<Result<_, _>>()?;
        inputs.sort_by_key(|input| (!input.is_portable(), input.has_shared_objects(), input.text().len()));
        inputs.truncate(most);
        Ok(inputs)
    }
}

/// The inputs, as they were drawn, on which the original faults and the other one does not.
fn faults(own: &State, other: &State) -> Vec<Vec<u64>> {
    let only_own = |input: &u32| own.seen(FIRST, *input).end.is_fault() && other.seen(COMPARED, *input).end.is_clean();
    (0..own.kept()).filter(only_own).map(|input| own.input(input)).collect()
}
