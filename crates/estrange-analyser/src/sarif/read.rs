//! Reading a document, and what it says of one file.

use serde_json::error::Category;

use super::classes::classes;
use super::document::{ArtifactLocation, Document, Location, Outcome, Rule, Run};
use super::rules::{at, id_of, rule_of, text_of};
use crate::finding::{Finding, Level, in_order};

/// The version that is read and written.
pub(super) const VERSION: &str = "2.1.0";

/// Why a document does not say what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SarifError {
    /// It is no JSON: prose, nothing at all, or a document that is cut off.
    #[error("no JSON: {0}")]
    NotJson(String),
    /// It is JSON of another form.
    #[error("no SARIF: {0}")]
    NotSarif(String),
    /// It is SARIF of another version.
    #[error("SARIF of version {0}, and not of {VERSION}")]
    OtherVersion(String),
    /// It has a word where the standard has others.
    #[error("`{found}` is no {what} of SARIF")]
    Word {
        /// What the word is to tell.
        what: &'static str,
        /// The word.
        found: String,
    },
    /// It tells of no run that came to results.
    #[error("it tells of no run with results")]
    NoRun,
    /// It tells of a run that failed.
    #[error("it tells of a run that failed: {message}")]
    Unsuccessful {
        /// The tool's words.
        message: String,
    },
}

/// A document.
#[derive(Debug)]
pub struct Sarif {
    runs: Vec<Run>,
}

impl Sarif {
    /// Reads a document of version 2.1.0.
    pub fn read(bytes: &[u8]) -> Result<Self, SarifError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let document: Document = serde_json::from_slice(bytes).map_err(|error| match error.classify() {
            Category::Data => SarifError::NotSarif(error.to_string()),
            _ => SarifError::NotJson(error.to_string()),
        })?;
        match document.version == VERSION {
            true => Ok(Self { runs: document.runs }),
            false => Err(SarifError::OtherVersion(document.version)),
        }
    }

    /// What all runs found, in the order of the lines. `is_file` says whether a file that the document names, by a path or by
    /// the path of its URI, is the one that is asked about; a finding elsewhere has no line.
    ///
    /// A document without a run that came to results is an error, and so is one that tells of a failed run: neither says
    /// that nothing was found.
    pub fn findings(&self, is_file: &dyn Fn(&str) -> bool) -> Result<Vec<Finding>, SarifError> {
        if let Some(message) = self.runs.iter().find_map(failure) {
            return Err(SarifError::Unsuccessful { message });
        }
        if self.runs.iter().all(|run| run.results.is_none()) {
            return Err(SarifError::NoRun);
        }
        let mut findings = Vec::new();
        for run in &self.runs {
            for result in run.results.iter().flatten() {
                findings.extend(finding(run, result, is_file)?);
            }
        }
        Ok(in_order(findings))
    }
}

/// What a tool says of its own failure.
fn failure(run: &Run) -> Option<String> {
    let failed = run.invocations.iter().find(|each| each.execution_successful == Some(false))?;
    let said = failed.tool_execution_notifications.iter().filter_map(|each| each.message.text.clone()).next_back();
    Some(failed.exit_code_description.clone().or(said).unwrap_or_else(|| "it does not say why".to_owned()))
}

/// The finding of a result; none of what is no finding.
fn finding(run: &Run, result: &Outcome, is_file: &dyn Fn(&str) -> bool) -> Result<Option<Finding>, SarifError> {
    if !is_failure(result)? || is_suppressed(result) || result.baseline_state.as_deref() == Some("absent") {
        return Ok(None);
    }
    let rule = rule_of(run, result);
    Ok(Some(Finding {
        tool: run.tool.driver.name.clone(),
        rule: id_of(rule, result),
        classes: classes(run, rule, result),
        level: level(rule, result)?,
        line: result.locations.iter().find_map(|location| line(run, location, is_file)),
        message: text_of(rule, &result.message),
    }))
}

/// Whether a result says that something is wrong; others say that a check was passed, or is left to people.
fn is_failure(result: &Outcome) -> Result<bool, SarifError> {
    match result.kind.as_deref() {
        None | Some("fail") => Ok(true),
        Some("pass" | "open" | "informational" | "notApplicable" | "review") => Ok(false),
        Some(other) => Err(SarifError::Word { what: "kind", found: other.to_owned() }),
    }
}

/// Whether somebody accepted what a result says.
fn is_suppressed(result: &Outcome) -> bool {
    let accepted = |status: Option<&str>| status.is_none_or(|status| status == "accepted");
    !result.suppressions.is_empty() && result.suppressions.iter().all(|each| accepted(each.status.as_deref()))
}

fn level(rule: Option<&Rule>, result: &Outcome) -> Result<Level, SarifError> {
    let of_rule = || rule?.default_configuration.level.as_deref();
    match result.level.as_deref().or_else(of_rule) {
        // The standard's default.
        None => Ok(Level::Warning),
        Some("none") => Ok(Level::Note),
        Some(word) => word.parse().map_err(|_| SarifError::Word { what: "level", found: word.to_owned() }),
    }
}

/// The line of a location in the file.
fn line(run: &Run, location: &Location, is_file: &dyn Fn(&str) -> bool) -> Option<u32> {
    let place = location.physical_location.as_ref()?;
    let uri = uri(run, place.artifact_location.as_ref()?)?;
    let line = place.region.as_ref()?.start_line?;
    (line > 0 && is_file(&path(uri))).then_some(line)
}

fn uri<'d>(run: &'d Run, location: &'d ArtifactLocation) -> Option<&'d str> {
    let listed = || at(&run.artifacts, location.index)?.location.as_ref()?.uri.as_deref();
    location.uri.as_deref().or_else(listed)
}

/// The path of a URI: without the scheme of files and a host, with its letters as they are.
fn path(uri: &str) -> String {
    let path = match uri.strip_prefix("file:") {
        Some(rest) => rest.strip_prefix("//").map_or(rest, |host| host.find('/').map_or("", |start| &host[start..])),
        None => uri,
    };
    String::from_utf8_lossy(&unescaped(path.trim_start_matches("./").as_bytes())).into_owned()
}

/// Bytes with `%20` and its like replaced.
fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        plain.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_uri_has_a_path() {
        for uri in ["file:///a/b%20c.c", "file://host/a/b c.c", "file:/a/b c.c", "/a/b c.c"] {
            assert_eq!(path(uri), "/a/b c.c");
        }
        assert_eq!(path("./unit.c"), "unit.c");
        assert_eq!(path("100%.c"), "100%.c");
        assert_eq!(path("file://host"), "");
    }
}
