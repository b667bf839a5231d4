//! `estrange check`: what can be shown about a new text against an old one.

use estrange_build::{Check, check_files};
use serde::Serialize;

use crate::prepare::sandbox;
use crate::rewrite::{failure, request};
use crate::voice::Failure;
use crate::{Ending, arguments, output, verdict};

#[derive(Debug, Serialize)]
struct Document<'a> {
    function: Option<&'a str>,
    renamed: Vec<(&'a str, &'a str)>,
    #[serde(flatten)]
    evidence: verdict::Document<'a>,
}

/// Runs the command.
pub fn run(arguments: &arguments::Check, shared: &arguments::Shared) -> Result<Ending, Failure> {
    let old = request(&arguments.old, arguments.function.as_deref(), &arguments.flags)?;
    let new = request(&arguments.new, arguments.function.as_deref(), &arguments.flags)?;
    let check = Check { seed: u64::from(arguments.seed) };
    let (found, names) = check_files(&old, &new, check, &sandbox(shared)?).map_err(failure)?;
    if arguments.json {
        output::print_json(&Document {
            function: arguments.function.as_deref(),
            renamed: names.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect(),
            evidence: verdict::Document::of(&found),
        })?;
    } else {
        let mut text = verdict::lines(&found).join("\n");
        text.push('\n');
        output::print(&text)?;
    }
    Ok(if found.holds() { Ending::Done } else { Ending::Failed })
}
