//! Looking for a trigger: an input on which only the vulnerable side faults.

use estrange_bench::Function;
use estrange_build::BuildError;
use estrange_oracle::{Input, Oracle, Prepared, Subject, Variant, renamed_function};

use crate::couple::Side;
use crate::runner::{Lost, Rewritten, cannot_run};

/// So many inputs are tried under both compilers, the shortest first.
const MOST: usize = 4;

/// A side with the inputs that reach its branches.
pub(crate) struct Sought<'o> {
    prepared: Prepared<'o>,
    entry: String,
}

impl<'o> Sought<'o> {
    /// Looks for inputs that reach the branches of a side.
    pub(crate) fn of(
        oracle: &'o Oracle,
        side: &Side,
        function: &Function,
        seed: u64,
    ) -> Result<Result<Self, Lost>, BuildError> {
        let entry = side.entry.clone().unwrap_or_else(|| function.name.clone());
        let at = side.entry.is_none().then_some(side.function.start);
        let (language, flags) = (function.language, function.flags.as_slice());
        let subject = Subject { text: &side.unit, function: &entry, at, language, flags, seed };
        let prepared = oracle.original(&subject)?;
        Ok(prepared.map(|prepared| Self { prepared, entry }).map_err(cannot_run))
    }

    /// Inputs on which it faults and another version of it does not, as far as one compiler tells.
    pub(crate) fn faults_unlike(
        &self,
        Rewritten { unit, names }: Rewritten<'_>,
    ) -> Result<Result<Vec<Input>, Lost>, BuildError> {
        let other = Variant { text: unit, function: renamed_function(&self.entry, names), names, known: &[] };
        Ok(self.prepared.mended(&other, MOST)?.map_err(cannot_run))
    }
}
