//! `estrange generate`: has a model write functions, and grades what it writes: beside the function, by its project's tests, or
//! by the tests of a problem.

mod problems;
mod projects;

use std::path::{Path, PathBuf};

use estrange_bench::{Bench, Run, Writing};
use estrange_grade::Functions;
use estrange_history::Past;
use estrange_report::generate::FunnelSheet;
use estrange_sandbox::Workshop;
use estrange_store::Store;
use estrange_task::generate::{
    Asked, Assignments, Author, Choice, ChoiceError, Chosen, ContextOptions, Cutoff, DocumentOptions, Empty,
    GenerateError, Generation, Gold, Ground, Judge, Mutant, Precomputed, Recorded, Template, World, document,
};
use estrange_task::task::{Stage, Task};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::arguments::Shared;
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
    let default = || Path::new("runs").join(format!("generate-{}", slug(&arguments.model).display()));
    let out = arguments.out.clone().unwrap_or_else(default);
    let watching = Watching::new(shared.quiet, interrupt);
    let scratch = scratch()?;
    let order = Order { arguments, shared, choice, out, scratch: scratch.path(), watching };
    match problems::are_in(&arguments.bench) {
        true => problems::run(order),
        false => on_bench(order),
    }
}

/// What was ordered, and what it takes to do it.
struct Order<'o> {
    arguments: &'o arguments::Generate,
    shared: &'o Shared,
    choice: Choice,
    out: PathBuf,
    /// A folder for the files of compilers and programs, which goes at the end.
    scratch: &'o Path,
    watching: Watching,
}

impl Order<'_> {
    /// Until when the model was trained, as far as that is said or known.
    fn cutoff(&self) -> Result<Option<Cutoff>, Failure> {
        let regraded = self.arguments.regrade.then(|| runs::open(&self.out)).transpose()?;
        changed::cutoff(&self.arguments.changed, &self.arguments.model, regraded.as_ref())
    }
}

/// What is asked, and by what.
struct Asking<'a, S> {
    assignments: Assignments<S>,
    judge: &'a dyn Judge<S>,
    /// The prompt with its places.
    template: &'a str,
    /// Stands for all that is asked about.
    hash: String,
    bench: Option<&'a Bench>,
    /// What else was said.
    options: Value,
    /// Until when the model was trained, where that is known.
    cutoff: Option<Cutoff>,
    /// How functions were chosen by their changes, where that was wanted.
    funnel: Option<FunnelSheet>,
}

/// Has functions of a bench written.
fn on_bench(order: Order<'_>) -> Result<Ending, Failure> {
    let Order { arguments, shared, watching, .. } = &order;
    let mut chosen = chosen(arguments)?;
    watching.begins("reading the bench", None);
    let opened = bench::open(&arguments.bench)?;
    let cutoff = order.cutoff()?;
    chosen.past = changed::past(&arguments.changed, cutoff.as_ref(), &opened, shared, watching)?;
    let template = template(arguments, chosen.writing)?;
    let store = store(shared)?;
    let ground: Box<dyn Ground> = match arguments.project.is_empty() {
        true => Box::new(grader(&order, store)?),
        false => {
            let projects = projects::prepared(&order, store)?;
            chosen.sources = projects.sources().map(str::to_owned).collect();
            Box::new(projects)
        }
    };
    let assignments = read(&opened, &chosen, &template, &*ground, watching)?;
    say_lost(&assignments);
    let hash = bench::hash(&opened)?;
    let funnel = assignments.funnel(&chosen.past, &changed::asked(&arguments.changed)?);
    let options = json!({
        "ask": arguments.ask, "settings": words(&arguments.setting), "trials": arguments.trials, "limit": arguments.limit,
        "seed": arguments.seed, "undescribed": arguments.undescribed, "distractors": arguments.distractors, "bodies": arguments.bodies,
        "lost": assignments.lost(), "funnel": changed::kept(funnel.as_ref()),
    });
    let judge: &dyn Judge<World> = &*ground;
    let bench = Some(&opened);
    ask(order, Asking { assignments, judge, template: template.text(), hash, bench, options, cutoff, funnel })
}

/// Has everything written and graded, and prints what that is worth.
fn ask<S: Sync>(order: Order<'_>, asking: Asking<'_, S>) -> Result<Ending, Failure> {
    let Order { out, watching, .. } = &order;
    let arguments = order.arguments;
    let Asking { assignments, judge, template, hash, bench, options, cutoff, funnel } = asking;
    watching.begins(format!("opening {}", arguments.model), None);
    let author = author(&order, &assignments, template)?;
    let generation = Generation::of(assignments, judge);
    if arguments.server.dry_run {
        let estimate = generation.estimate(&*author).map_err(|error| failure(&error))?;
        let about = counted(generation.size(), "function");
        let has_price = arguments.server.price.is_some();
        drop(order.watching);
        changed::print(funnel, &arguments.model)?;
        return asking::rehearsed(&about, estimate, has_price);
    }
    let mut card = generation.card(&*author);
    changed::note(&mut card, cutoff.as_ref());
    let replace = arguments.replace || arguments.regrade;
    let run = asking::performed(
        &generation,
        (&*author, card),
        asking::Order { model: &arguments.model, about: (hash, &arguments.bench), options, out, replace },
        (watching, said),
        failure,
    )?;
    watching.begins("putting the scores together", None);
    let Order { out, watching, .. } = order;
    print(&run, bench, arguments, watching)?;
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

/// What is found about functions is kept there.
fn store(shared: &Shared) -> Result<Store, Failure> {
    Store::open(cache(shared)?.path().join("built")).map_err(|error| {
        Failure::new("the cache cannot be used").because(&error).hint("name another folder with --cache DIR")
    })
}

/// Who grades beside the function itself.
fn grader(order: &Order<'_>, store: Store) -> Result<Functions, Failure> {
    let workshop = Workshop::new(sandbox(order.shared)?, order.scratch).keeping(store.folder());
    Functions::new(order.shared.jobs(), &workshop, Some(store), INPUTS_SEED).map_err(|error| Failure::of(&error))
}

/// Reads what is asked for, and prepares each function.
fn read(
    opened: &Bench,
    chosen: &Chosen,
    template: &Template,
    ground: &dyn Ground,
    watching: &Watching,
) -> Result<Assignments<World>, Failure> {
    watching.begins("prepared", chosen.limit);
    let telling = Telling { watching, words: said };
    Assignments::read(opened, chosen, template, ground, &telling).map_err(|error| failure(&error))
}

/// Says which functions are not asked for.
fn say_lost<S>(assignments: &Assignments<S>) {
    if assignments.lost().is_empty() {
        return;
    }
    let lost: Vec<String> = assignments.lost().iter().map(|(why, count)| format!("{count} {why}")).collect();
    voice::note(&format!("{} asked for; left out: {}", counted(assignments.functions(), "function"), lost.join(", ")));
}

/// Who writes.
fn author<S>(order: &Order<'_>, assignments: &Assignments<S>, template: &str) -> Result<Box<dyn Author>, Failure> {
    let Order { arguments, shared, choice, out, .. } = order;
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
            Box::new(Asked::new(model, template, options))
        }
    })
}

fn said(stage: Stage) -> &'static str {
    match stage {
        Stage::Preparing => "prepared",
        Stage::Asking => "written and graded",
        Stage::Concluding => "putting the grades together",
    }
}

/// Prints what one run is worth.
fn print(run: &Run, bench: Option<&Bench>, arguments: &arguments::Generate, watching: Watching) -> Result<(), Failure> {
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
