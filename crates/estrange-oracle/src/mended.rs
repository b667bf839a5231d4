//! Inputs on which a function faults and another version of it does not.

use estrange_words::End;

use crate::callee::Callee;
use crate::execution::State;
use crate::input::Input;
use crate::oracle::{COMPARED, FIRST, OracleError, Prepared, Variant, again, compare, program_of};
use crate::program::COMPARISONS;

impl Prepared<'_> {
    /// Inputs on which the function faults and its mended version ends as it should, at most so many; those that say all by
    /// their values, and short ones, come first. The branches of both versions drive the search: what a patch adds is
    /// mostly a condition, and inputs that fulfil it are wanted.
    ///
    /// # Errors
    /// When the oracle itself cannot work.
    pub fn mended(&self, mended: &Variant<'_>, most: usize) -> Result<Vec<Input>, OracleError> {
        let side = self.side(mended)?;
        let folder = self.oracle.builder.folder()?;
        let harness = self.harness.text(&[Callee::Itself(mended.function.to_owned())], mended.names);
        let flags = self.oracle.flags(self.language, &self.flags, &[COMPARISONS]);
        let text = side.text.clone() + &harness;
        let built = program_of(self.oracle, self.language, &flags, &[&text], folder.path())?;
        if !built.is_ok_and(|each| each.iter().all(Result::is_ok)) {
            return Ok(Vec::new());
        }
        let program = folder.path().join("program");
        let run = |own: &State, from: u32| {
            self.run(&program, &again([compare(0, from)]), own.at_job(COMPARED, COMPARED, from))
        };
        let Ok(state) = run(&self.state, 0)? else { return Ok(Vec::new()) };
        let mut words = faults(&self.state, &state, 0);
        let marks = state.marks_of(COMPARED);
        let open = side.open(&self.shared, &marks);
        if let (_, Some(found)) = self.sought(&program, 0, &side, (&marks, &open))?
            && let Ok(state) = run(&found, self.state.kept())?
        {
            words.extend(faults(&found, &state, self.state.kept()));
        }
        words.sort_by_key(Vec::len);
        words.truncate(most * 4);
        let mut inputs: Vec<Input> = words.into_iter().map(|words| self.written(words)).collect::<Result<_, _>>()?;
        inputs.sort_by_key(|input| (!input.is_portable(), input.text().len()));
        inputs.truncate(most);
        Ok(inputs)
    }
}

/// The inputs from one on, as they were drawn, on which the original faults and the other one does not.
fn faults(own: &State, other: &State, from: u32) -> Vec<Vec<u64>> {
    let is_clean = |end: End| matches!(end, End::Returned | End::Aborted | End::Exited | End::Threw);
    let only_own = |input: &u32| own.seen(FIRST, *input).end.is_fault() && is_clean(other.seen(COMPARED, *input).end);
    (from..own.kept()).filter(only_own).map(|input| own.input(input)).collect()
}
