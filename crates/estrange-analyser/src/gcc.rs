//! The analyser within gcc and g++: its call, and its findings out of JSON.

use estrange_sandbox::ToolOutput;
use serde::Deserialize;

use crate::call::Call;
use crate::choice::BuiltIn;
use crate::error::AnalyserError;
use crate::finding::{Finding, Level};
use crate::flags::for_compilers;
use crate::loss::{Loss, shortened};
use crate::unit::Unit;

/// What every call is told: to analyse, to say everything in one line of JSON, and to stop at the first error. How far it
/// optimises before it analyses, which changes a little what it sees, is left to the unit's flags.
const ARGUMENTS: &[&str] = &["-fanalyzer", "-fdiagnostics-format=json", "-Wfatal-errors", "-S", "-o", "/dev/null"];

/// What the options of the analyser's warnings begin with. gcc warns of other things, too, which other flags turn on.
const OPTION: &str = "-Wanalyzer-";

/// What gcc says of one place.
#[derive(Deserialize)]
struct Diagnostic {
    kind: String,
    message: String,
    option: Option<String>,
    #[serde(default)]
    metadata: Metadata,
    locations: Vec<Location>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    cwe: Option<u32>,
}

#[derive(Deserialize)]
struct Location {
    caret: Caret,
}

#[derive(Deserialize)]
struct Caret {
    file: String,
    line: u32,
}

/// What gcc's analyser finds in a unit.
pub fn analyse(call: &Call, unit: &Unit<'_>) -> Result<Result<Vec<Finding>, Loss>, AnalyserError> {
    let arguments: Vec<&str> = ARGUMENTS.iter().copied().chain([unit.language.flag()]).collect();
    let output = call.run(unit.language.gcc(), &arguments, &for_compilers(unit.flags))?;
    Ok(Loss::code_of(&output).and_then(|code| findings(code, &output, call)))
}

fn findings(code: i32, output: &ToolOutput, call: &Call) -> Result<Vec<Finding>, Loss> {
    let said = String::from_utf8_lossy(&output.stderr);
    let diagnostics = said.lines().find(|line| line.starts_with('[')).map(serde_json::from_str::<Vec<Diagnostic>>);
    let diagnostics = match diagnostics {
        Some(Ok(diagnostics)) => diagnostics,
        Some(Err(error)) if code == 0 => return Err(Loss::unreadable(error.to_string())),
        None if code == 0 => return Err(Loss::unreadable("no JSON")),
        _ => return Err(Loss::failed(code, output)),
    };
    if let Some(error) = diagnostics.iter().find(|diagnostic| diagnostic.kind.ends_with("error")) {
        return Err(Loss::Refused { message: shortened(&error.message) });
    }
    if code != 0 {
        return Err(Loss::failed(code, output));
    }
    Ok(diagnostics.into_iter().filter_map(|diagnostic| finding(diagnostic, call)).collect())
}

fn finding(diagnostic: Diagnostic, call: &Call) -> Option<Finding> {
    let rule = diagnostic.option.filter(|option| option.starts_with(OPTION))?;
    // Where optimisation moved the place, gcc names none.
    let caret = diagnostic.locations.into_iter().next().map(|location| location.caret);
    let line = caret.filter(|caret| call.is_unit(&caret.file)).map(|caret| caret.line);
    Some(Finding {
        tool: BuiltIn::Gcc.to_string(),
        rule,
        classes: diagnostic.metadata.cwe.into_iter().collect(),
        level: Level::Warning,
        line: line.filter(|&line| line > 0),
        message: diagnostic.message,
    })
}
