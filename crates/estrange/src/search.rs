//! `estrange search`: has a model find functions by their descriptions.

use std::path::Path;

use estrange_bench::{Bench, Run};
use estrange_model::OpenedRanker;
use estrange_stats::retrieval::Measure;
use estrange_task::search::{Chosen, Options, Search};
use estrange_task::task::{Stage, Task};
use serde_json::json;

use crate::arguments::Shared;
use crate::asking::Order;
use crate::interrupt::Interrupt;
use crate::lists::words;
use crate::phrasing::counted;
use crate::prepare::cache;
use crate::runs::{failure, slug, words_of};
use crate::voice::Failure;
use crate::watching::Watching;
use crate::{Ending, arguments, asking, bench, models, runs};

/// Runs the command.
pub fn run(arguments: &arguments::Search, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let chosen = Chosen {
        settings: words(&arguments.setting),
        groups: words_of(&arguments.group)?,
        views: words_of(&arguments.view)?,
        authors: arguments.author.clone(),
        tiers: words_of(&arguments.tier)?,
        undefinedness: words_of(&arguments.undefinedness)?,
        common: arguments.common,
    };
    let options = Options { depth: arguments.depth as usize, measures: measures(&arguments.measure)? };
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(slug(&arguments.model)));
    let watching = Watching::new(shared.quiet, interrupt);
    watching.begins("reading the bench", None);
    let opened = bench::open(&arguments.bench)?;
    let run = match arguments.rescore {
        true => rescore(arguments, &out, &opened, chosen, options)?,
        false => {
            let search = Search::of(&opened, &chosen, options).map_err(|error| failure(&error))?;
            let cache = cache(shared)?;
            watching.begins(format!("opening {}", arguments.model), None);
            let model = models::ranker(arguments, cache.path(), shared.jobs.map(usize::from))?;
            if arguments.server.dry_run {
                drop(watching);
                return dry_run(&model, &search, arguments);
            }
            searched(arguments, &out, &opened, &search, &model, &watching)?
        }
    };
    watching.begins("putting the scores together", None);
    runs::print(&run, &opened, arguments.json, watching)?;
    if !arguments.json {
        asking::say_where(&out)?;
    }
    Ok(Ending::Done)
}

/// Asks the model.
fn searched(
    arguments: &arguments::Search,
    out: &Path,
    opened: &Bench,
    search: &Search,
    model: &OpenedRanker,
    watching: &Watching,
) -> Result<Run, Failure> {
    let options = json!({
        "settings": words(&arguments.setting), "groups": arguments.group, "views": arguments.view, "authors": arguments.author,
        "tiers": arguments.tier, "undefinedness": arguments.undefinedness,
        "common": arguments.common, "depth": arguments.depth, "measures": arguments.measure,
    });
    let order = Order {
        model: &arguments.model,
        about: (bench::hash(opened)?, &arguments.bench),
        options,
        out,
        replace: arguments.replace,
    };
    asking::performed(search, (model, model.ranker().card()), order, (watching, said), failure)
}

fn said(stage: Stage) -> &'static str {
    match stage {
        Stage::Preparing => "made into vectors",
        Stage::Asking => "searched",
        Stage::Concluding => "finding how far vectors move",
    }
}

/// Scores what a run has answered, on what it was asked unless something else is asked for now.
fn rescore(
    arguments: &arguments::Search,
    out: &Path,
    opened: &Bench,
    chosen: Chosen,
    options: Options,
) -> Result<Run, Failure> {
    let of_run = |run: &Run| {
        let search = Search::of_run(opened, run, chosen, options).map_err(|error| failure(&error))?;
        let mut facts = run.facts().clone();
        facts.parts = search.parts();
        if let Some(options) = facts.options.as_object_mut() {
            options.insert("measures".to_owned(), json!(arguments.measure));
        }
        Ok((search, facts))
    };
    asking::rescored((out, arguments.replace), &arguments.model, of_run, failure)
}

fn dry_run(model: &OpenedRanker, search: &Search, arguments: &arguments::Search) -> Result<Ending, Failure> {
    let (documents, queries) = search.size();
    let estimate = search.estimate(model).map_err(|error| failure(&error))?;
    let (documents, queries) = (counted(documents, "document"), counted(queries, "query"));
    let about = format!("{documents} and {queries} in {}", counted(search.corpora().len(), "corpus"));
    asking::rehearsed(&about, estimate, arguments.server.price.is_some())
}

fn measures(names: &[String]) -> Result<Vec<Measure>, Failure> {
    let parse = |name: &String| {
        name.parse().map_err(|error: estrange_stats::retrieval::MeasureError| {
            Failure::new(error.to_string()).hint("ndcg@10, mrr@10, map and recall@5 are measures").usage()
        })
    };
    names.iter().map(parse).collect()
}
