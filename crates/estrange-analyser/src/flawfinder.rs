//! flawfinder: its call, and its findings out of SARIF.

use crate::call::Call;
use crate::choice::BuiltIn;
use crate::error::AnalyserError;
use crate::finding::Finding;
use crate::loss::Loss;
use crate::sarif::Sarif;

/// What every call is told. Comments that would silence it are not obeyed.
const ARGUMENTS: &[&str] = &["--sarif", "--neverignore"];

/// What flawfinder finds in a unit. It reads neither macros nor flags.
pub fn analyse(call: &Call) -> Result<Result<Vec<Finding>, Loss>, AnalyserError> {
    let output = call.run("flawfinder", ARGUMENTS, &[])?;
    Ok(Loss::code_of(&output).and_then(|code| match code {
        0 => read(&output.stdout, call),
        _ => Err(Loss::failed(code, &output)),
    }))
}

fn read(bytes: &[u8], call: &Call) -> Result<Vec<Finding>, Loss> {
    let mut findings = Sarif::read(bytes)?.findings(&|file| call.is_unit(file))?;
    for finding in &mut findings {
        finding.tool = BuiltIn::Flawfinder.to_string();
    }
    Ok(findings)
}
