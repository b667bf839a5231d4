//! `estrange show`: one function of a bench, with what is known about it and its code in colour.

mod document;
mod evidence;
mod find;
mod index;
mod lowered;
mod render;
mod setting;
mod variant;

use std::io::{self, IsTerminal};

use estrange_bench::{Bench, Function, Language, Rejected};

use crate::highlight::{self, Code};
use crate::voice::Failure;
use crate::{Ending, arguments, bench, output};
use document::{FORMAT, ShowJson, record};
use estrange_words::Word;
use index::{Entry, State};
use setting::InSetting;

/// Runs the command.
pub fn run(arguments: &arguments::Show) -> Result<Ending, Failure> {
    let opened = bench::open(&arguments.bench)?;
    let entries = index::read(&opened).map_err(|error| bench::unusable(&error))?;
    let entry = find::find(&entries, &arguments.function)?;
    match &entry.state {
        State::Kept => {
            let function = read_kept(&opened, entry)?;
            match &arguments.setting {
                Some(setting) => show_setting(arguments, &opened, &function, setting)?,
                None => show_kept(arguments, &function)?,
            }
        }
        State::Rejected { row, .. } => show_rejected(arguments, &read_rejected(&opened, *row)?)?,
    }
    Ok(Ending::Done)
}

fn read_kept(bench: &Bench, entry: &Entry) -> Result<Function, Failure> {
    let function = bench.function(&entry.id).map_err(|error| bench::unusable(&error))?;
    function.ok_or_else(gone)
}

fn read_rejected(bench: &Bench, row: usize) -> Result<Rejected, Failure> {
    let mut records = bench.rejected().map_err(|error| bench::unusable(&error))?;
    records.nth(row).ok_or_else(gone)?.map_err(|error| bench::unusable(&error))
}

/// What was just found is there, unless another build came between.
fn gone() -> Failure {
    Failure::new("the bench was changed while it was read").hint("run the same command again")
}

fn show_kept(arguments: &arguments::Show, function: &Function) -> Result<(), Failure> {
    if arguments.json {
        return output::print_json(FORMAT, &ShowJson::of_kept(function)?);
    }
    let part = if arguments.text {
        &function.text
    } else if arguments.unit {
        &function.unit
    } else if arguments.linked {
        function.linked_unit.as_ref().ok_or_else(|| {
            let reason = function.unlinkable_reason.map_or("not known why".to_owned(), Word::phrase);
            Failure::new(format!("{} has no linked unit: {reason}", function.qualified_name))
        })?
    } else {
        return output::print(&render::kept(function));
    };
    print_code(code(part, Some(function.language), &function.types))
}

fn show_setting(arguments: &arguments::Show, bench: &Bench, function: &Function, setting: &str) -> Result<(), Failure> {
    match setting::find(bench, function, setting, arguments.seed)? {
        InSetting::Variant(variant) => match () {
            () if arguments.json => output::print_json(FORMAT, &record(&variant, &["rename_map", "evidence"])?),
            () if arguments.text => print_code(code(&variant.text, Some(function.language), &[])),
            () if arguments.unit => print_code(code(&variant.unit, Some(function.language), &[])),
            () => output::print(&variant::text(function, &variant)),
        },
        InSetting::Lowered(lowered) => match () {
            () if arguments.json => output::print_json(FORMAT, &lowered),
            () if arguments.text => output::print_plain(lowered.short_text.as_ref().unwrap_or(&lowered.text)),
            () if arguments.unit => output::print_plain(&lowered.text),
            () => output::print(&lowered::text(function, &lowered)),
        },
    }
}

fn show_rejected(arguments: &arguments::Show, rejected: &Rejected) -> Result<(), Failure> {
    let why = || format!("it was rejected, {}: {}", rejected.stage, rejected.reason.phrase());
    match &rejected.text {
        _ if arguments.json => output::print_json(FORMAT, &ShowJson::of_rejected(rejected)),
        _ if arguments.unit || arguments.linked => {
            Err(Failure::new("the function has no unit").hint(why()).hint("--text prints its text"))
        }
        Some(text) if arguments.text => print_code(code(text, rejected.language, &[])),
        None if arguments.text => Err(Failure::new("the function's text is not in the bench").hint(why())),
        _ => output::print(&render::rejected(rejected)),
    }
}

/// Code with nothing around it: to look at in a terminal, and byte for byte for a compiler.
fn print_code(code: Code<'_>) -> Result<(), Failure> {
    let is_looked_at = io::stdout().is_terminal();
    if is_looked_at || anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never {
        return output::print(&(highlight::lines(code).join("\n") + "\n"));
    }
    output::print_plain(code.text)
}

fn code<'a>(text: &'a str, language: Option<Language>, types: &'a [String]) -> Code<'a> {
    Code { text, language: language.unwrap_or(Language::C), types }
}
