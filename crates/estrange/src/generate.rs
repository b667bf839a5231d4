//! `estrange generate`: has a model write functions, and grades what it writes.

use std::path::Path;

use estrange_bench::{Bench, Run, Writing};
use estrange_grade::Functions;
use estrange_history::Past;
use estrange_report::generate::FunnelSheet;
use estrange_sandbox::Workshop;
use estrange_store::Store;
use estrange_task::generate::{
    Asked, Assignments, Author, Choice, ChoiceError, Chosen, ContextOptions, Cutoff, DocumentOptions, Empty,
    GenerateError, Generation, Gold, Mutant, Precomputed, Recorded, Template, document,
};
use estrange_task::task::{Stage, Task};
use serde_json::json;
use tempfile::TempDir;

use crate::arguments::{Generate, Shared};
use crate::asking::Order;
use crate::interrupt::Interrupt;
use crate::lists::words;
use crate::phrasing::counted;
use crate::prepare::{cache, sandbox};
use crate::runs::{self, slug, words_of};
use crate::telling::Telling;
use crate::voice::Failure;
use crate::watching::Watching;
use crate::{Ending, arguments, asking, bench, changed, models, output, voice};

/// What inputs are drawn by: the same for everybody, so that what was found for a function serves all models.
const INPUTS_SEED: u64 = 1;

/// Runs the command.
pub fn run(arguments: &arguments::Generate, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let choice: Choice = arguments.model.parse().map_err(|error: ChoiceError| Failure::of(&error).usage())?;
    models::check_interview(&arguments.interview, &choice, matches!(choice, Choice::Model(_)))?;
    let mut chosen = chosen(arguments)?;
    let default = || Path::new("runs").join(format!("generate-{}", slug(&arguments.model).display()));
    let out = arguments.out.clone().unwrap_or_else(default);
    let watching = Watching::new(shared.quiet, interrupt);
    watching.begins("reading the bench", None);
    let opened = bench::open(&arguments.bench)?;
    let regraded = arguments.regrade.then(|| runs::open(&out)).transpose()?;
    let cutoff = changed::cutoff(&arguments.changed, &arguments.model, regraded.as_ref())?;
    chosen.past = changed::past(&arguments.changed, cutoff.as_ref(), &opened, shared, &watching)?;
    let template = template(arguments, chosen.writing)?;
    let scratch = scratch()?;
    let grader = grader(shared, scratch.path())?;
    let assignments = read(&opened, &chosen, &template, &grader, &watching)?;
    say_lost(&assignments);
    let funnel = assignments.funnel(&chosen.past, &changed::asked(&arguments.changed)?);
    watching.begins(format!("opening {}", arguments.model), None);
    let author = author(arguments, &choice, &assignments, (&template, &out), shared)?;
    let generation = Generation::of(assignments, &grader);
    if arguments.server.dry_run {
        drop(watching);
        changed::print(funnel, &arguments.model)?;
        let estimate = generation.estimate(&*author).map_err(|error| failure(&error))?;
        let about = counted(generation.size(), "function");
        return asking::rehearsed(&about, estimate, arguments.server.price.is_some());
    }
    let noted = (cutoff.as_ref(), funnel.as_ref());
    let run = asked(arguments, &out, &opened, (&generation, noted), &*author, &watching)?;
    watching.begins("putting the scores together", None);
    print(&run, &opened, arguments, watching)?;
    if !arguments.json {
        asking::say_where(&out)?;
    }
    Ok(Ending::Done)
}

/// Which functions are asked for, and how.
fn chosen(arguments: &arguments::Generate) -> Result<Chosen, Failure> {
    let first = |word: &Option<String>| word.iter().cloned().collect::<Vec<_>>();
    let writings: Vec<Writing> = words_of(std::slice::from_ref(&arguments.ask))?;
    Ok(Chosen {
        writing: writings.first().copied().unwrap_or(Writing::Generation),
        settings: words(&arguments.setting),
        trials: arguments.trials.into(),
        groups: words_of(&arguments.group)?,
        split: words_of(&first(&arguments.split))?.first().copied(),
        licences: arguments.licence.clone(),
        language: words_of(&first(&arguments.language))?.first().copied(),
        sources: arguments.source.clone(),
        undescribed: arguments.undescribed,
        limit: arguments.limit.map(|limit| limit as usize),
        seed: arguments.seed,
        context: ContextOptions { with_bodies: arguments.bodies, distractors: arguments.distractors.into() },
        past: Past::default(),
    })
}

fn template(arguments: &arguments::Generate, writing: Writing) -> Result<Template, Failure> {
    match &arguments.interview.prompt {
        Some(file) => Template::open(file, writing).map_err(|error| Failure::of(&error)),
        None => Ok(Template::of(writing)),
    }
}

/// A folder for the files of compilers and programs, which goes at the end.
fn scratch() -> Result<TempDir, Failure> {
    tempfile::Builder::new()
        .prefix("estrange-generate-")
        .tempdir()
        .map_err(|error| Failure::new("there is no place for temporary files").because(&error))
}

/// Who grades: what is found for a function is kept in the cache.
fn grader(shared: &Shared, scratch: &Path) -> Result<Functions, Failure> {
    let cache = cache(shared)?;
    let store = Store::open(cache.path().join("built")).map_err(|error| {
        Failure::new("the cache cannot be used").because(&error).hint("name another folder with --cache DIR")
    })?;
    let workshop = Workshop::new(sandbox(shared)?, scratch).keeping(store.folder());
    Functions::new(shared.jobs(), &workshop, Some(store), INPUTS_SEED).map_err(|error| Failure::of(&error))
}

/// Reads what is asked for, and prepares each function.
fn read(
    opened: &Bench,
    chosen: &Chosen,
    template: &Template,
    grader: &Functions,
    watching: &Watching,
) -> Result<Assignments, Failure> {
    watching.begins("prepared", chosen.limit);
    let telling = Telling { watching, words: said };
    Assignments::read(opened, chosen, template, grader, &telling).map_err(|error| failure(&error))
}

/// Says which functions are not asked for.
fn say_lost(assignments: &Assignments) {
    if assignments.lost().is_empty() {
        return;
    }
    let lost: Vec<String> = assignments.lost().iter().map(|(why, count)| format!("{count} {why}")).collect();
    voice::note(&format!("{} asked for; left out: {}", counted(assignments.functions(), "function"), lost.join(", ")));
}

/// Who writes.
fn author(
    arguments: &arguments::Generate,
    choice: &Choice,
    assignments: &Assignments,
    (template, out): (&Template, &Path),
    shared: &Shared,
) -> Result<Box<dyn Author>, Failure> {
    if arguments.regrade {
        let run = runs::open(out)?;
        runs::is_by(&run, &arguments.model)?;
        return Ok(Box::new(Recorded::of(&run).map_err(|error| bench::unusable(&error))?));
    }
    Ok(match choice {
        Choice::Gold => Box::new(Gold),
        Choice::Empty => Box::new(Empty),
        Choice::Mutant(seed) => Box::new(Mutant { seed: *seed }),
        Choice::Precomputed(file) => {
            let asked: Vec<_> = assignments
                .entries()
                .iter()
                .map(|entry| (entry.assignment.item.clone(), entry.assignment.setting.clone(), entry.assignment.seed))
                .collect();
            Box::new(Precomputed::open(file, &asked).map_err(|error| Failure::of(&error))?)
        }
        Choice::Model(name) => {
            let model = models::writer(name, &arguments.server, cache(shared)?.path())?;
            let jobs = (shared.jobs(), &arguments.server);
            let options = models::asked(&arguments.interview, arguments.answer_tokens, &model, jobs);
            Box::new(Asked::new(model, template.text(), options))
        }
    })
}

/// Has all functions written and graded.
fn asked(
    arguments: &arguments::Generate,
    out: &Path,
    opened: &Bench,
    (generation, (cutoff, funnel)): (&Generation<'_>, (Option<&Cutoff>, Option<&FunnelSheet>)),
    author: &(dyn Author + 'static),
    watching: &Watching,
) -> Result<Run, Failure> {
    let Generate { model, bench, replace, regrade, .. } = arguments;
    let options = json!({
        "ask": arguments.ask, "settings": words(&arguments.setting), "trials": arguments.trials, "limit": arguments.limit,
        "seed": arguments.seed, "undescribed": arguments.undescribed, "distractors": arguments.distractors, "bodies": arguments.bodies,
        "lost": generation.assignments().lost(), "funnel": changed::kept(funnel),
    });
    let order = Order { model, bench: (opened, bench), options, out, replace: *replace || *regrade };
    let mut card = generation.card(author);
    changed::note(&mut card, cutoff);
    asking::performed(generation, (author, card), order, (watching, said), failure)
}

fn said(stage: Stage) -> &'static str {
    match stage {
        Stage::Preparing => "prepared",
        Stage::Asking => "written and graded",
        Stage::Concluding => "putting the grades together",
    }
}

/// Prints what one run is worth.
fn print(run: &Run, bench: &Bench, arguments: &arguments::Generate, watching: Watching) -> Result<(), Failure> {
    let options = DocumentOptions { shown: 0, ..DocumentOptions::default() };
    let document = document(bench, std::slice::from_ref(run), &options).map_err(|error| failure(&error))?;
    if arguments.json {
        drop(watching);
        return output::print_json(1, &document);
    }
    let tables = runs::generate_panel(&document)?.summary();
    drop(watching);
    output::print_tables(&tables)
}

/// The words for what stopped a generation.
pub fn failure(error: &GenerateError) -> Failure {
    match error {
        GenerateError::Statistics(source) => Failure::of(error).because(source),
        error => Failure::of(error),
    }
}
