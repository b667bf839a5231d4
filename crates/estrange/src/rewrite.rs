//! `estrange rewrite`: a function's file after a recipe.

use std::collections::BTreeMap;

use estrange_build::{Check, FileError, FileRequest, Setting, rewrite_file};
use serde::Serialize;

use crate::files::{failure, request};
use crate::lists::no_recipe;
use crate::prepare::host;
use crate::voice::Failure;
use crate::{Ending, arguments, foreign, output, replay, verdict, voice};

#[derive(Debug, Serialize)]
struct RewriteJson<'a> {
    function: Option<&'a str>,
    setting: &'a str,
    seed: u32,
    text: &'a str,
    function_text: &'a str,
    rename_map: &'a BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<verdict::VerdictJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_input: Option<replay::ReplayJson<'a>>,
}

/// Runs the command.
pub fn run(arguments: &arguments::Rewrite, shared: &arguments::Shared) -> Result<Ending, Failure> {
    let setting: Setting = arguments.recipe.parse().map_err(|error| no_recipe(&error))?;
    let foreign = foreign::options([setting.recipe()], &arguments.foreign, &arguments.server, shared)?;
    let request = request(&arguments.file, arguments.function.as_deref(), &arguments.flags)?;
    // One given input shows what many that are searched would.
    let input = arguments.input.as_deref().map(replay::input).transpose()?;
    let check = (arguments.check && input.is_none()).then_some(Check { seed: u64::from(arguments.seed) });
    let rewritten = rewrite_file(&request, &setting, arguments.seed, check, &foreign, &host(shared)?);
    let rewritten = match rewritten {
        Ok(_) | Err(FileError::Refused { .. }) if arguments.server.dry_run => {
            return foreign::announce(&foreign, &arguments.server);
        }
        rewritten => rewritten.map_err(failure)?,
    };
    let replayed = match &input {
        Some(input) => {
            let new = FileRequest { text: rewritten.text.clone(), function: None, ..request.clone() };
            Some(replay::replayed(&request, &new, input, shared)?)
        }
        None => None,
    };
    let holds = rewritten.verdict.as_ref().is_none_or(estrange_build::Verdict::holds)
        && replayed.as_ref().is_none_or(estrange_build::ReplayedFiles::holds);
    if arguments.json {
        output::print_json(
            1,
            &RewriteJson {
                function: arguments.function.as_deref(),
                setting: setting.name(),
                seed: arguments.seed,
                text: &rewritten.text,
                function_text: &rewritten.function,
                rename_map: &rewritten.names,
                evidence: rewritten.verdict.as_ref().map(verdict::VerdictJson::of),
                on_input: replayed.as_ref().map(replay::ReplayJson::of),
            },
        )?;
    } else {
        output::print(&rewritten.text)?;
        for line in rewritten.verdict.iter().flat_map(verdict::lines).chain(replayed.iter().flat_map(replay::lines)) {
            voice::note(&line);
        }
    }
    Ok(if holds { Ending::Done } else { Ending::Failed })
}
