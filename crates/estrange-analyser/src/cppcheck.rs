//! cppcheck: its call, and its findings out of XML.

use estrange_words::Language;

use crate::call::Call;
use crate::choice::BuiltIn;
use crate::error::AnalyserError;
use crate::finding::{Finding, Level};
use crate::flags::for_cppcheck;
use crate::loss::{Loss, shortened};
use crate::unit::Unit;
use crate::xml::{Tag, tags};

/// What every call is told. Where a macro is defined, cppcheck looks at one configuration instead of guessing several, and
/// says so when that one cannot be had; these macros are those of the machine that units are compiled for.
const ARGUMENTS: &[&str] = &[
    "--quiet",
    "--xml",
    "--xml-version=2",
    "--enable=warning,portability",
    "--platform=unix64",
    "-D__linux__=1",
    "-D__unix__=1",
    "-D__x86_64__=1",
    "-D__GNUC__=12",
];

/// The ids with which cppcheck says that it could not read the text.
const REFUSALS: &[&str] = &[
    "cppcheckError",
    "internalAstError",
    "internalError",
    "preprocessorErrorDirective",
    "syntaxError",
    "unknownMacro",
];

/// What cppcheck finds in a unit.
pub fn analyse(call: &Call, unit: &Unit<'_>) -> Result<Result<Vec<Finding>, Loss>, AnalyserError> {
    let language = match unit.language {
        Language::C => "--language=c",
        Language::Cpp => "--language=c++",
    };
    let arguments: Vec<&str> = ARGUMENTS.iter().copied().chain([language]).collect();
    let output = call.run("cppcheck", &arguments, &for_cppcheck(unit.flags))?;
    Ok(Loss::code_of(&output).and_then(|code| match code {
        0 => read(&String::from_utf8_lossy(&output.stderr), call),
        // It says on standard output what is wrong with its call.
        _ => Err(Loss::Failed { code, message: shortened(output.text().trim()) }),
    }))
}

fn read(text: &str, call: &Call) -> Result<Vec<Finding>, Loss> {
    // What it says of its own call, such as a missing configuration, stands before.
    let start = text.find("<?xml").ok_or_else(|| Loss::unreadable("no XML"))?;
    let tags = tags(&text[start..]).ok_or_else(|| Loss::unreadable("broken XML"))?;
    if !tags.iter().any(|tag| tag.opens("results") && tag.attribute("version") == Some("2")) {
        return Err(Loss::unreadable("XML that is not cppcheck's, version 2"));
    }
    if tags.last() != Some(&Tag::Close("results".to_owned())) {
        return Err(Loss::unreadable("XML that ends too early"));
    }
    let mut findings = Vec::new();
    for error in tags.split(|tag| *tag == Tag::Close("error".to_owned())) {
        let Some(start) = error.iter().position(|tag| tag.opens("error")) else { continue };
        findings.extend(finding(&error[start], &error[start..], call)?);
    }
    Ok(findings)
}

/// The finding of an element and those within it; none of what is no finding.
fn finding(error: &Tag, within: &[Tag], call: &Call) -> Result<Option<Finding>, Loss> {
    let attribute =
        |name: &str| error.attribute(name).ok_or_else(|| Loss::unreadable(format!("an error without {name}")));
    let (rule, severity, message) = (attribute("id")?, attribute("severity")?, attribute("msg")?);
    if REFUSALS.contains(&rule) {
        return Err(Loss::Refused { message: shortened(message) });
    }
    let Some(level) = level(severity)? else { return Ok(None) };
    let number = |text: &str| text.parse().map_err(|_| Loss::unreadable(format!("`{text}` is no number")));
    // The first location is the finding's own.
    let location = within.iter().find(|tag| tag.opens("location"));
    let own = location.filter(|location| location.attribute("file").is_some_and(|file| call.is_unit(file)));
    let line: Option<u32> = own.and_then(|location| location.attribute("line")).map(number).transpose()?;
    let class = error.attribute("cwe").map(number).transpose()?;
    Ok(Some(Finding {
        tool: BuiltIn::Cppcheck.to_string(),
        rule: rule.to_owned(),
        classes: class.filter(|&class| class > 0).into_iter().collect(),
        level,
        line: line.filter(|&line| line > 0),
        message: message.to_owned(),
    }))
}

/// The level of a severity; none of what cppcheck says of its own work.
fn level(severity: &str) -> Result<Option<Level>, Loss> {
    Ok(Some(match severity {
        "error" => Level::Error,
        "warning" | "portability" => Level::Warning,
        "style" | "performance" => Level::Note,
        "information" | "debug" => return Ok(None),
        other => return Err(Loss::unreadable(format!("the severity `{other}`"))),
    }))
}
