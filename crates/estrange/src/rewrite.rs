//! `estrange rewrite`: a function's file after a recipe.

use std::collections::BTreeMap;
use std::path::Path;

use estrange_build::{Check, FileError, FileRequest, NoRecipe, Rewrite, Setting, rewrite_file};
use serde::Serialize;

use crate::prepare::sandbox;
use crate::voice::Failure;
use crate::{Ending, arguments, output, verdict, voice};

#[derive(Debug, Serialize)]
struct Document<'a> {
    function: Option<&'a str>,
    setting: &'a str,
    seed: u32,
    text: &'a str,
    function_text: &'a str,
    rename_map: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<verdict::Document<'a>>,
}

/// Runs the command.
pub fn run(arguments: &arguments::Rewrite, shared: &arguments::Shared) -> Result<Ending, Failure> {
    let setting: Setting = arguments.recipe.parse().map_err(|error: NoRecipe| {
        Failure::new(error.to_string()).hint(format!("a recipe is made of {}", rewrites())).usage()
    })?;
    let request = request(&arguments.file, arguments.function.as_deref(), &arguments.flags)?;
    let check = arguments.check.then_some(Check { seed: u64::from(arguments.seed) });
    let rewritten = rewrite_file(&request, &setting, arguments.seed, check, &sandbox(shared)?).map_err(failure)?;
    let holds = rewritten.verdict.as_ref().is_none_or(estrange_build::Verdict::holds);
    if arguments.json {
        let rename_map = rewritten.names.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
        output::print_json(&Document {
            function: arguments.function.as_deref(),
            setting: setting.name(),
            seed: arguments.seed,
            text: &rewritten.text,
            function_text: &rewritten.function,
            rename_map,
            evidence: rewritten.verdict.as_ref().map(verdict::Document::of),
        })?;
    } else {
        output::print(&rewritten.text)?;
        for line in rewritten.verdict.iter().flat_map(verdict::lines) {
            voice::note(&line);
        }
    }
    Ok(if holds { Ending::Done } else { Ending::Failed })
}

/// The rewrites that there are.
pub fn rewrites() -> String {
    Rewrite::all().map(Rewrite::name).collect::<Vec<_>>().join(", ")
}

/// A file of the user's, read.
pub fn request(path: &Path, function: Option<&str>, flags: &[String]) -> Result<FileRequest, Failure> {
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::new(format!("{} cannot be read", path.display())).because(&error))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::new(format!("{} is not UTF-8", path.display())).hint("convert it first, with iconv for one")
    })?;
    Ok(FileRequest { path: path.to_owned(), text, function: function.map(str::to_owned), flags: flags.to_vec() })
}

/// What went wrong, in words.
pub fn failure(error: FileError) -> Failure {
    match error {
        FileError::Refused { reason, detail } => {
            let failure = Failure::new(detail);
            match reason.as_str() {
                "no-function" => failure.hint("--function takes a name without namespaces and classes"),
                "does-not-parse" => failure.hint("say with --flag what a compiler needs to know, such as -Iinclude"),
                _ => failure.hint(format!("the reason is {reason}")),
            }
        }
        FileError::Build(error) => {
            let hint = error.hint();
            let failure = Failure::new(error.to_string());
            hint.into_iter().fold(failure, Failure::hint)
        }
    }
}
