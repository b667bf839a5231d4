//! What one given input shows: for `estrange check --input` and `estrange rewrite --check --input`.

use std::path::Path;

use estrange_build::{Check, Ending, FileRequest, Input, Replayed, ReplayedFiles, find_input, replay_files};
use estrange_words::Word;
use serde::Serialize;

use crate::files::failure;
use crate::prepare::host;
use crate::voice::Failure;
use crate::{Ending as Done, arguments, output, verdict, voice};

#[derive(Debug, Serialize)]
pub struct ReplayJson<'a> {
    /// Whether both did the same, by both compilers, each time.
    holds: bool,
    /// `same`, `differs`, or `not-repeatable`.
    verdict: &'static str,
    #[serde(flatten)]
    replayed: &'a ReplayedFiles,
}

impl<'a> ReplayJson<'a> {
    pub fn of(replayed: &'a ReplayedFiles) -> Self {
        Self { holds: replayed.holds(), verdict: word(replayed), replayed }
    }
}

/// An input, out of its file.
pub fn input(path: &Path) -> Result<Input, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{} cannot be read", path.display())).because(&error))?;
    Input::read(&text).map_err(|error| {
        Failure::new(format!("{} cannot be used: {error}", path.display()))
            .hint("docs/inputs.md says how an input is written")
            .usage()
    })
}

/// Runs old and new on an input.
pub fn replayed(
    old: &FileRequest,
    new: &FileRequest,
    input: &Input,
    shared: &arguments::Shared,
) -> Result<ReplayedFiles, Failure> {
    replay_files(old, new, input, &host(shared)?).map_err(failure)
}

/// Runs `estrange check --input`.
pub fn check(
    old: &FileRequest,
    new: &FileRequest,
    path: &Path,
    is_json: bool,
    shared: &arguments::Shared,
) -> Result<Done, Failure> {
    let replayed = replayed(old, new, &input(path)?, shared)?;
    match is_json {
        true => output::print_json(1, &ReplayJson::of(&replayed))?,
        false => output::print(&(lines(&replayed).join("\n") + "\n"))?,
    }
    Ok(if replayed.holds() { Done::Done } else { Done::Failed })
}

/// Writes the input that a search finds: for `estrange check --save-input`.
pub fn save(
    old: &FileRequest,
    new: &FileRequest,
    check: Check,
    path: &Path,
    shared: &arguments::Shared,
) -> Result<(), Failure> {
    let Some((input, is_same)) = find_input(old, new, check, &host(shared)?).map_err(failure)? else {
        voice::note("no input was saved: both do the same on all, and on none does a sanitizer find something");
        return Ok(());
    };
    output::write_file(path, &input.text())?;
    let what = match is_same {
        true => "on which a sanitizer finds something",
        false => "that shows the difference",
    };
    voice::note(&format!("{} has the input {what}", path.display()));
    if !input.is_portable() {
        voice::note("it is not written by its values: it holds for this old file and this version only");
    }
    Ok(())
}

fn word(replayed: &ReplayedFiles) -> &'static str {
    match replayed {
        ReplayedFiles { by, .. } if by.iter().any(|by| by.difference.is_some()) => "differs",
        ReplayedFiles { by, .. } if by.iter().any(|by| !by.repeats) => "not-repeatable",
        _ => "same",
    }
}

/// What an input showed, in lines: the first one says it.
pub fn lines(replayed: &ReplayedFiles) -> Vec<String> {
    let mut lines = Vec::new();
    let mut told = Vec::new();
    for by in &replayed.by {
        let Some(difference) = &by.difference else { continue };
        let said = verdict::differs(difference);
        if !told.contains(&said) {
            lines.extend(said.clone());
            told.push(said);
        }
    }
    if lines.is_empty() {
        lines.push(match word(replayed) {
            "same" => "the same on this input:".to_owned(),
            _ => "not shown: they do not do the same each time on this input:".to_owned(),
        });
        lines.extend(replayed.call.lines().map(|line| format!("    {}", output::printable(line))));
    }
    lines.extend(replayed.by.iter().flat_map(ended));
    lines
}

/// How both ended by a compiler's sanitizers.
fn ended(by: &Replayed) -> Vec<String> {
    let sides = [("old", &by.old), ("new", &by.new)];
    sides.map(|(side, ending)| format!("  {}, {side}: {}", by.compiler.name(), ending_in_words(ending))).to_vec()
}

fn ending_in_words(ending: &Ending) -> String {
    let numbers: Vec<String> = ending.weaknesses.iter().map(|number| format!("CWE-{number}")).collect();
    let mut words = ending.end.to_string();
    if ending.end.is_fault() {
        words = format!("{} ({})", ending.end.phrase(), [vec![words], numbers].concat().join(", "));
    }
    if let Some(place) = &ending.place {
        let column = place.column.map(|column| format!(":{column}")).unwrap_or_default();
        words += &format!(", at {}{column} in {}", place.line, output::printable(&place.function));
    }
    words
}
