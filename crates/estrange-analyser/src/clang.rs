//! clang's static analyser: its call, and its findings out of SARIF.

use estrange_sandbox::ToolOutput;

use crate::call::Call;
use crate::choice::BuiltIn;
use crate::clang_classes::class;
use crate::error::AnalyserError;
use crate::finding::Finding;
use crate::flags::for_compilers;
use crate::loss::{Loss, shortened};
use crate::sarif::Sarif;
use crate::unit::Unit;

/// What every call is told: to analyse with the checkers that are on by themselves, and to stop at the first error.
const ARGUMENTS: &[&str] = &[
    "--analyze",
    "-Xclang",
    "-analyzer-output=sarif",
    "-o",
    "-",
    "-w",
    "-Wfatal-errors",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
];

/// What clang's analyser finds in a unit.
pub fn analyse(call: &Call, unit: &Unit<'_>) -> Result<Result<Vec<Finding>, Loss>, AnalyserError> {
    let arguments: Vec<&str> = ARGUMENTS.iter().copied().chain([unit.language.flag()]).collect();
    let output = call.run("clang-19", &arguments, &for_compilers(unit.flags))?;
    Ok(Loss::code_of(&output).and_then(|code| match code {
        0 => read(&output.stdout, call),
        _ => Err(refused(code, &output)),
    }))
}

fn read(bytes: &[u8], call: &Call) -> Result<Vec<Finding>, Loss> {
    let mut findings = Sarif::read(bytes)?.findings(&|file| call.is_unit(file))?;
    for finding in &mut findings {
        finding.tool = BuiltIn::Clang.to_string();
        finding.classes = class(&finding.rule, &finding.message).into_iter().collect();
    }
    Ok(findings)
}

/// An error in the text, if the messages have one, or else a failure.
fn refused(code: i32, output: &ToolOutput) -> Loss {
    let said = String::from_utf8_lossy(&output.stderr);
    let error = said.lines().find_map(|line| line.split_once("error: "));
    match error {
        Some((_, message)) if code == 1 => Loss::Refused { message: shortened(message) },
        _ => Loss::failed(code, output),
    }
}
