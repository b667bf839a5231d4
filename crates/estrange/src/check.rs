//! `estrange check`: what can be shown about a new text against an old one.

use estrange_build::{Check, CheckedFile, FileError, check_files};
use serde::Serialize;

use crate::files::{failure, request};
use crate::prepare::host;
use crate::voice::Failure;
use crate::{Ending, arguments, output, replay, verdict};

#[derive(Debug, Serialize)]
struct CheckJson<'a> {
    function: &'a str,
    new_function: &'a str,
    renamed: Vec<(&'a str, &'a str)>,
    #[serde(flatten)]
    evidence: verdict::VerdictJson<'a>,
}

/// Runs the command.
pub fn run(arguments: &arguments::Check, shared: &arguments::Shared) -> Result<Ending, Failure> {
    let old = request(&arguments.old, arguments.function.as_deref(), &arguments.flags)?;
    let new = request(&arguments.new, arguments.new_function.as_deref(), &arguments.flags)?;
    if let Some(path) = &arguments.input {
        return replay::check(&old, &new, path, arguments.json, shared);
    }
    let check = Check { seed: u64::from(arguments.seed) };
    let checked = check_files(&old, &new, check, &host(shared)?).map_err(|error| {
        let is_unclear = match &error {
            FileError::NoFunction { path, .. } | FileError::Ambiguous { path, .. } => *path == new.path,
            FileError::Refused { .. } | FileError::Input(_) | FileError::Build(_) => false,
        };
        let failure = failure(error);
        match is_unclear {
            true => failure.hint("--new-function NAME says what it is called in the new file"),
            false => failure,
        }
    })?;
    let CheckedFile { verdict, names, function, new_function } = &checked;
    if arguments.json {
        output::print_json(
            1,
            &CheckJson {
                function,
                new_function,
                renamed: names.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect(),
                evidence: verdict::VerdictJson::of(verdict),
            },
        )?;
    } else {
        let mut lines = verdict::lines(verdict);
        if function != new_function {
            lines.push(format!("`{function}` is `{new_function}` in {}", arguments.new.display()));
        }
        lines.extend(taken_for_renamed(names));
        output::print(&(lines.join("\n") + "\n"))?;
    }
    if let Some(path) = &arguments.save_input {
        replay::save(&old, &new, check, path, shared)?;
    }
    Ok(if verdict.holds() { Ending::Done } else { Ending::Failed })
}

/// The names that stand at the same places in both texts, a few of them.
fn taken_for_renamed(names: &[(String, String)]) -> Option<String> {
    const MOST: usize = 6;
    let said: Vec<String> = names.iter().take(MOST).map(|(old, new)| format!("`{old}` as `{new}`")).collect();
    let more = names.len().saturating_sub(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!said.is_empty()).then(|| format!("  taken for renamed: {}{more}", said.join(", ")))
}
