//! Looking for a trigger: an input on which only the vulnerable side faults.

use std::collections::BTreeMap;

use estrange_bench::Function;
use estrange_build::BuildError;
use estrange_oracle::{Input, Oracle, Subject, Variant};

use crate::couple::Side;
use crate::runner::Lost;

/// So many inputs are tried under both compilers, the shortest first.
const MOST: usize = 4;

/// Inputs on which the vulnerable side faults and the patched one does not, as far as one compiler tells.
pub(crate) fn seek(
    oracle: &Oracle,
    [vulnerable, patched]: &[Side; 2],
    [function, other]: [&Function; 2],
    seed: u64,
) -> Result<Result<Vec<Input>, Lost>, BuildError> {
    let subject = Subject {
        text: &vulnerable.unit,
        function: &function.name,
        at: Some(vulnerable.function.start),
        language: function.language,
        flags: &function.flags,
        seed,
    };
    let prepared = match oracle.original(&subject)? {
        Ok(prepared) => prepared,
        Err(reason) => return Ok(Err((reason.reason(), format!("it cannot be run: {reason}")))),
    };
    let names = BTreeMap::new();
    let patched = Variant { text: &patched.unit, function: &other.name, names: &names, known: &[] };
    Ok(Ok(prepared.mended(&patched, MOST)?))
}
