//! `estrange probe`: asks a model what functions do, and scores its answers by running them, or by finding functions by them.

use std::collections::BTreeMap;
use std::path::Path;

use estrange_bench::{Asks, Bench, Run};
use estrange_pair::{Inquiry, PairError, Questions, Unasked, asked_about};
use estrange_task::detect::TemplateError;
use estrange_task::probe::{
    Asked, Catalogue, Choice, ChoiceError, Chosen, Comprehension, Constant, DocumentOptions, Empty, Gold, Precomputed,
    ProbeError, Respondent, Template, document,
};
use estrange_task::seen::Seen;
use estrange_task::task::{Stage, Task};
use serde_json::json;

use crate::arguments::{Probe, Shared};
use crate::asking::Order;
use crate::build::watched;
use crate::interrupt::Interrupt;
use crate::lists::words;
use crate::phrasing::counted;
use crate::prepare::{cache, sandbox};
use crate::runs::{self, slug, words_of};
use crate::voice::Failure;
use crate::watching::Watching;
use crate::{Ending, arguments, asking, bench, models, output, voice};

/// How many calls of a pair are asked about, unless it is said.
const QUESTIONS: u16 = 3;

/// Runs the command.
pub fn run(arguments: &arguments::Probe, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let choice: Choice = arguments.model.parse().map_err(|error: ChoiceError| Failure::of(&error).usage())?;
    models::check_interview(&arguments.interview, &choice, matches!(choice, Choice::Model(_)))?;
    let asks = asks(arguments)?;
    let kind = if asks == Asks::Call { "probe" } else { "summary" };
    let default = || Path::new("runs").join(format!("{kind}-{}", slug(&arguments.model).display()));
    let out = arguments.out.clone().unwrap_or_else(default);
    let opened = bench::open(&arguments.bench)?;
    let (run, watching) = match arguments.rescore {
        true => (rescore(arguments, &out)?, Watching::new(shared.quiet, interrupt)),
        false => {
            let (task, unasked) = match asks {
                Asks::Call => about_calls(arguments, &opened, shared, interrupt)?,
                Asks::Summary => (about_functions(arguments, &opened, shared)?, Vec::new()),
            };
            let watching = Watching::new(shared.quiet, interrupt);
            watching.begins(format!("opening {}", arguments.model), None);
            let respondent = respondent(arguments, (asks, &choice), &task, shared)?;
            say_unasked(&unasked);
            if arguments.server.dry_run {
                drop(watching);
                let estimate = task.estimate(&*respondent).map_err(|error| failure(&error))?;
                let about = counted(task.size(), "question");
                return asking::rehearsed(&about, estimate, arguments.server.price.is_some());
            }
            (asked(arguments, &out, &opened, (&task, &unasked), &*respondent, &watching)?, watching)
        }
    };
    watching.begins("putting the scores together", None);
    print(&run, &opened, arguments, watching)?;
    if !arguments.json {
        asking::say_where(&out)?;
    }
    Ok(Ending::Done)
}

/// What is asked of functions; options of the other kind of question are refused.
fn asks(arguments: &arguments::Probe) -> Result<Asks, Failure> {
    let asks = words_of(std::slice::from_ref(&arguments.ask))?.first().copied().unwrap_or(Asks::Call);
    let refused = |option: &str, other: Asks| {
        Failure::new(format!("{option} has no meaning with --ask {asks}"))
            .hint(format!("it is for --ask {other}"))
            .usage()
    };
    match asks {
        Asks::Call if arguments.ranker.is_some() => Err(refused("--ranker", Asks::Summary)),
        Asks::Summary if arguments.questions.is_some() => Err(refused("--questions", Asks::Call)),
        asks => Ok(asks),
    }
}

/// The task of asking what calls come to, and the pairs about which nothing can be asked.
fn about_calls(
    arguments: &arguments::Probe,
    opened: &Bench,
    shared: &Shared,
    interrupt: &Interrupt,
) -> Result<(Comprehension, Vec<Unasked>), Failure> {
    let Questions { all, unasked } = questions(arguments, opened, shared, interrupt)?;
    let task = Comprehension::of(opened, all, &chosen(arguments)?).map_err(|error| failure(&error))?;
    Ok((task, unasked))
}

/// The task of asking what functions do.
fn about_functions(arguments: &arguments::Probe, opened: &Bench, shared: &Shared) -> Result<Comprehension, Failure> {
    let pairs = asked_about(opened, arguments.pairs.map(|pairs| pairs as usize), arguments.seed);
    let pairs = pairs.map_err(|error: PairError| Failure::of(&error))?;
    let ranker = arguments.ranker.as_deref().unwrap_or("bm25");
    let ranker = models::finder(ranker, &arguments.server, cache(shared)?.path())?;
    let chosen = chosen(arguments)?;
    let catalogue = Catalogue::of(opened, ranker).map_err(|error| failure(&error))?;
    Comprehension::of_summaries(opened, &pairs, catalogue, &chosen).map_err(|error| failure(&error))
}

/// Which settings there are, and what is shown.
fn chosen(arguments: &arguments::Probe) -> Result<Chosen, Failure> {
    let views: Vec<Seen> = words_of(std::slice::from_ref(&arguments.view))?;
    Ok(Chosen { settings: words(&arguments.setting), seen: views.first().copied().unwrap_or(Seen::LinkedUnit) })
}

/// What is to be asked, with the answers that running gives.
fn questions(
    arguments: &arguments::Probe,
    opened: &Bench,
    shared: &Shared,
    interrupt: &Interrupt,
) -> Result<Questions, Failure> {
    let inquiry = Inquiry {
        a_pair: arguments.questions.unwrap_or(QUESTIONS).into(),
        pairs: arguments.pairs.map(|pairs| pairs as usize),
        seed: arguments.seed,
        jobs: shared.jobs(),
    };
    let (cache, sandbox, opened) = (cache(shared)?, sandbox(shared)?, opened.clone());
    watched("steps", vec!["questions".to_owned()], shared, interrupt, move |progress| {
        estrange_pair::questions(&opened, &inquiry, &cache, &sandbox, progress)
    })
}

/// Says about which pairs nothing is asked.
fn say_unasked(unasked: &[Unasked]) {
    let Some(first) = unasked.first() else { return };
    let others = if unasked.len() > 1 { format!(", and {} others", unasked.len() - 1) } else { String::new() };
    let have = if unasked.len() == 1 { "has" } else { "have" };
    voice::note(&format!(
        "{} {have} no question: {} ({}: {}){others}",
        counted(unasked.len(), "pair"),
        first.pair,
        first.reason,
        first.detail
    ));
}

/// How many pairs have no question, by reason.
fn by_reason(unasked: &[Unasked]) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for one in unasked {
        *counts.entry(one.reason.as_str()).or_default() += 1;
    }
    counts
}

/// Opens a respondent.
fn respondent(
    arguments: &arguments::Probe,
    (asks, choice): (Asks, &Choice),
    task: &Comprehension,
    shared: &Shared,
) -> Result<Box<dyn Respondent>, Failure> {
    Ok(match choice {
        Choice::Gold => Box::new(Gold),
        Choice::Empty => Box::new(Empty),
        Choice::Constant(value) => Box::new(Constant(value.clone())),
        Choice::Precomputed(file) => {
            Box::new(Precomputed::open(file, task).map_err(|error| failure(&ProbeError::from(error)))?)
        }
        Choice::Model(name) => {
            let template = match &arguments.interview.prompt {
                Some(file) => Template::open(file, asks).map_err(|error: TemplateError| Failure::of(&error))?,
                None => Template::of(asks),
            };
            let model = models::writer(name, &arguments.server, cache(shared)?.path())?;
            let jobs = (shared.jobs(), &arguments.server);
            let options = models::asked(&arguments.interview, arguments.answer_tokens, &model, jobs);
            Box::new(Asked::new(model, template, options))
        }
    })
}

/// Asks the respondent.
fn asked(
    arguments: &arguments::Probe,
    out: &Path,
    opened: &Bench,
    (task, unasked): (&Comprehension, &[Unasked]),
    respondent: &(dyn Respondent + 'static),
    watching: &Watching,
) -> Result<Run, Failure> {
    let options = json!({
        "ask": arguments.ask, "settings": words(&arguments.setting), "view": arguments.view,
        "questions": arguments.questions, "ranker": arguments.ranker,
        "pairs": arguments.pairs, "seed": arguments.seed, "unasked": by_reason(unasked),
    });
    let Probe { model, bench, replace, .. } = arguments;
    let order = Order { model, about: (bench::hash(opened)?, bench), options, out, replace: *replace };
    asking::performed(task, (respondent, task.card(respondent)), order, (watching, said), failure)
}

fn said(stage: Stage) -> &'static str {
    match stage {
        Stage::Preparing | Stage::Asking => "answered",
        Stage::Concluding => "putting the answers together",
    }
}

/// Scores what a run has answered.
fn rescore(arguments: &arguments::Probe, out: &Path) -> Result<Run, Failure> {
    let of_run = |run: &Run| Ok((Comprehension::of_run(run).map_err(|error| failure(&error))?, run.facts().clone()));
    asking::rescored((out, arguments.replace), &arguments.model, of_run, failure)
}

/// Prints what one run is worth.
fn print(run: &Run, bench: &Bench, arguments: &arguments::Probe, watching: Watching) -> Result<(), Failure> {
    let results = document(bench, std::slice::from_ref(run), &DocumentOptions::default());
    let results = results.map_err(|error| failure(&error))?;
    if arguments.json {
        drop(watching);
        return output::print_json(1, &results);
    }
    let tables = runs::probe_panel(&results)?.summary();
    drop(watching);
    output::print_tables(&tables)
}

/// The words for what stopped a probe.
pub fn failure(error: &ProbeError) -> Failure {
    match error {
        ProbeError::Statistics(source) => Failure::of(error).because(source),
        error => Failure::of(error),
    }
}
