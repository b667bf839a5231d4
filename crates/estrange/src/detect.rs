//! `estrange detect`: has a detector tell functions with a bug from those without.

use std::path::Path;

use estrange_bench::{Bench, Label, Run};
use estrange_sandbox::Workshop;
use estrange_task::detect::{
    Analysed, Asked, Chance, Choice, Chosen, Constant, DetectError, Detection, Detector, DocumentOptions, Ladder,
    Length, Precomputed, Template, document,
};
use estrange_task::seen::Seen;
use estrange_task::task::{Stage, Task};
use serde_json::json;
use tempfile::TempDir;

use crate::arguments::{Detect, Shared};
use crate::asking::Order;
use crate::interrupt::Interrupt;
use crate::lists::words;
use crate::phrasing::counted;
use crate::prepare::{cache, sandbox};
use crate::runs::{self, slug, words_of};
use crate::voice::Failure;
use crate::watching::Watching;
use crate::{Ending, arguments, asking, bench, models, output, voice};

/// Runs the command.
pub fn run(arguments: &arguments::Detect, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let choice: Choice =
        arguments.model.parse().map_err(|error: estrange_task::detect::ChoiceError| Failure::of(&error).usage())?;
    let chosen = chosen(arguments, &choice)?;
    let default = || Path::new("runs").join(format!("detect-{}", slug(&arguments.model).display()));
    let out = arguments.out.clone().unwrap_or_else(default);
    let watching = Watching::new(shared.quiet, interrupt);
    watching.begins("reading the bench", None);
    let opened = bench::open(&arguments.bench)?;
    let run = match arguments.rescore {
        true => rescore(arguments, &out)?,
        false => {
            let ladder = Ladder::read(&opened, &chosen).map_err(|error| failure(&error))?;
            watching.begins(format!("opening {}", arguments.model), None);
            let scratch = scratch()?;
            let detector = detector(arguments, &choice, &ladder, shared, scratch.path())?;
            say_alike(&ladder);
            let alike = ladder.alike().len();
            let detection = Detection::of(ladder);
            if arguments.server.dry_run {
                drop(watching);
                let estimate = detection.estimate(&*detector).map_err(|error| failure(&error))?;
                let about = counted(detection.size(), "function");
                return asking::rehearsed(&about, estimate, arguments.server.price.is_some());
            }
            asked(arguments, &out, &opened, (&detection, alike), &*detector, &watching)?
        }
    };
    watching.begins("putting the scores together", None);
    print(&run, &opened, arguments, watching)?;
    if !arguments.json {
        asking::say_where(&out)?;
    }
    Ok(Ending::Done)
}

/// What is shown, and what of the arguments has no meaning for the detector.
fn chosen(arguments: &arguments::Detect, choice: &Choice) -> Result<Chosen, Failure> {
    let labels: Vec<Label> = words_of(std::slice::from_ref(&arguments.label))?;
    let views: Vec<Seen> = words_of(arguments.view.as_slice())?;
    let is_analyser = matches!(choice, Choice::Analyser(_));
    let seen = match (views.first(), is_analyser) {
        (Some(Seen::Function | Seen::Unit), true) => {
            return Err(Failure::new(format!("{choice} reads files with all that is called, and nothing less"))
                .hint("leave --view out, or say --view linked-unit")
                .usage());
        }
        (Some(seen), _) => *seen,
        (None, true) => Seen::LinkedUnit,
        (None, false) => Seen::Function,
    };
    models::check_interview(&arguments.interview, choice, matches!(choice, Choice::Model(_)))?;
    let label = labels.first().copied().unwrap_or(Label::CrashConfirmed);
    Ok(Chosen { settings: words(&arguments.setting), label, seen })
}

/// Says which pairs are not shown.
fn say_alike(ladder: &Ladder) {
    let alike = ladder.alike();
    if let Some(first) = alike.first() {
        let others = if alike.len() > 1 { format!(" and {} others", alike.len() - 1) } else { String::new() };
        voice::note(&format!(
            "{} left out, whose sides look the same in this view: {first}{others}; --view linked-unit shows what differs",
            counted(alike.len(), "pair")
        ));
    }
}

/// A folder for the files of analysers, which goes at the end.
fn scratch() -> Result<TempDir, Failure> {
    tempfile::Builder::new()
        .prefix("estrange-detect-")
        .tempdir()
        .map_err(|error| Failure::new("there is no place for temporary files").because(&error))
}

/// Opens a detector.
fn detector(
    arguments: &arguments::Detect,
    choice: &Choice,
    ladder: &Ladder,
    shared: &Shared,
    scratch: &Path,
) -> Result<Box<dyn Detector>, Failure> {
    let failed = |error: DetectError| failure(&error);
    Ok(match choice {
        Choice::Constant(verdict) => Box::new(Constant(*verdict)),
        Choice::Length => Box::new(Length::of(ladder).map_err(failed)?),
        Choice::Chance(seed) => Box::new(Chance { seed: *seed }),
        Choice::Precomputed(file) => Box::new(Precomputed::open(file, ladder).map_err(|error| failed(error.into()))?),
        Choice::Analyser(choice) => {
            let workshop = Workshop::new(sandbox(shared)?, scratch);
            Box::new(Analysed::open(choice, &workshop, shared.jobs()).map_err(|error| failed(error.into()))?)
        }
        Choice::Model(name) => {
            let template = match &arguments.interview.prompt {
                Some(file) => Template::open(file).map_err(|error| Failure::of(&error))?,
                None => Template::default(),
            };
            let model = models::writer(name, &arguments.server, cache(shared)?.path())?;
            let jobs = (shared.jobs(), &arguments.server);
            let options = models::asked(&arguments.interview, arguments.answer_tokens, &model, jobs);
            Box::new(Asked::new(model, template, options))
        }
    })
}

/// Asks the detector.
fn asked(
    arguments: &arguments::Detect,
    out: &Path,
    opened: &Bench,
    (detection, alike): (&Detection, usize),
    detector: &(dyn Detector + 'static),
    watching: &Watching,
) -> Result<Run, Failure> {
    let options = json!({
        "settings": words(&arguments.setting), "label": arguments.label, "view": arguments.view, "alike": alike,
    });
    let Detect { model, bench, replace, .. } = arguments;
    let order = Order { model, about: (bench::hash(opened)?, bench), options, out, replace: *replace };
    asking::performed(detection, (detector, detection.card(detector)), order, (watching, said), failure)
}

fn said(stage: Stage) -> &'static str {
    match stage {
        Stage::Preparing | Stage::Asking => "judged",
        Stage::Concluding => "putting the answers together",
    }
}

/// Scores what a run has answered.
fn rescore(arguments: &arguments::Detect, out: &Path) -> Result<Run, Failure> {
    let of_run = |run: &Run| Ok((Detection::of_run(run).map_err(|error| failure(&error))?, run.facts().clone()));
    asking::rescored((out, arguments.replace), &arguments.model, of_run, failure)
}

/// Prints what one run is worth.
fn print(run: &Run, bench: &Bench, arguments: &arguments::Detect, watching: Watching) -> Result<(), Failure> {
    let options = DocumentOptions { shown: 0, ..DocumentOptions::default() };
    let document = document(bench, std::slice::from_ref(run), &options).map_err(|error| failure(&error))?;
    if arguments.json {
        drop(watching);
        return output::print_json(1, &document);
    }
    let tables = runs::detect_panel(&document)?.summary();
    drop(watching);
    output::print_tables(&tables)
}

/// The words for what stopped a detection.
pub fn failure(error: &DetectError) -> Failure {
    match error {
        DetectError::Statistics(source) => Failure::of(error).because(source),
        error => Failure::of(error),
    }
}
