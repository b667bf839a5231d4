//! `estrange queries`: gives the functions of a bench descriptions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use estrange_bench::{Function, Group, Lock, Query, WrittenBy, put_queries};
use estrange_model::OpenedWriter;
use estrange_task::query::{self, Lost, comment, file, judgements, written};
use serde::Serialize;

use crate::arguments::Shared;
use crate::interrupt::Interrupt;
use crate::models;
use crate::phrasing::{counted, quoted};
use crate::prepare::cache;
use crate::runs::words_of;
use crate::voice::Failure;
use crate::watching::Watching;
use crate::{Ending, arguments, bench, output};

#[derive(Debug, Serialize)]
struct DescribedJson {
    author: String,
    functions: usize,
    /// The functions that have a description, which may be more than one.
    described: usize,
    queries: usize,
    lost: BTreeMap<&'static str, usize>,
    /// Nothing where a model does not tell; so with the others.
    prompt_tokens: Option<u64>,
    answer_tokens: Option<u64>,
    cost: Option<f64>,
}

/// Runs the command.
pub fn run(arguments: &arguments::Queries, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let groups: Vec<Group> = words_of(&arguments.group)?;
    let opened = bench::open(&arguments.bench)?;
    let functions: Vec<Function> = opened
        .functions()
        .and_then(|functions| functions.collect::<Result<_, _>>())
        .map_err(|error| bench::unusable(&error))?;
    let chosen: Vec<Function> = functions
        .iter()
        .filter(|function| groups.is_empty() || groups.contains(&function.group))
        .take(arguments.limit.unwrap_or(usize::MAX))
        .cloned()
        .collect();
    // Taken before anything is paid for.
    let lock = (!arguments.server.dry_run).then(|| Lock::acquire(&arguments.bench));
    let lock = lock.transpose().map_err(|error| bench::unusable(&error))?;
    let (queries, lost) = match arguments.model.split_once(':') {
        None if arguments.model == "comment" => comment::queries(&chosen),
        Some(("file", path)) => {
            let queries = file::queries(Path::new(path), &chosen).map_err(|error| {
                Failure::new(error.to_string()).hint("a line is {\"function\": \"its id or name\", \"text\": \"…\"}")
            })?;
            (queries, Lost::new())
        }
        _ => match by_model(&chosen, arguments, shared, interrupt)? {
            Some(made) => made,
            None => return Ok(Ending::Done),
        },
    };
    if queries.is_empty() {
        let failure = Failure::new("there is no description; the bench stays as it was");
        return Err(lost.iter().fold(failure, |failure, (reason, count)| failure.hint(format!("{count}: {reason}"))));
    }
    let Some(lock) = lock else {
        output::print(&format!("{}: nothing has to be paid for\n", counted(queries.len(), "description")))?;
        return Ok(Ending::Done);
    };
    let by_id: BTreeMap<&str, &Function> = functions.iter().map(|each| (each.id.as_str(), each)).collect();
    let right = queries.iter().filter_map(|query| Some(judgements(query, by_id.get(query.function_id.as_str())?)));
    let right: Vec<_> = right.flatten().collect();
    let document = document(&queries, lost, chosen.len());
    put_queries(&lock, queries, right).map_err(|error| bench::unusable(&error))?;
    if arguments.json {
        output::print_json(2, &document)?;
    } else {
        output::print(&text(&document, &arguments.bench))?;
    }
    Ok(Ending::Done)
}

fn document(queries: &[Query], lost: Lost, functions: usize) -> DescribedJson {
    let by_models = || queries.iter().filter(|query| query.written_by == WrittenBy::Model);
    let sum = |part: &dyn Fn(&Query) -> Option<u32>| by_models().map(|query| part(query).map(u64::from)).sum();
    DescribedJson {
        author: queries.first().map(|query| query.author.clone()).unwrap_or_default(),
        functions,
        described: queries.iter().map(|query| &query.function_id).collect::<BTreeSet<_>>().len(),
        queries: queries.len(),
        lost,
        prompt_tokens: sum(&|query| query.prompt_tokens),
        answer_tokens: sum(&|query| query.answer_tokens),
        cost: by_models().map(|query| query.cost).sum(),
    }
}

fn text(document: &DescribedJson, bench: &Path) -> String {
    let DescribedJson { queries, described, functions, author, lost, prompt_tokens, answer_tokens, cost, .. } =
        document;
    let mut text = format!(
        "{described} of {} {} a description by {author}\n",
        counted(*functions, "function"),
        if *functions == 1 { "has" } else { "have" }
    );
    if queries > described {
        text += &format!("  {queries:>6}  descriptions in all\n");
    }
    for (reason, count) in lost {
        text += &format!("  {count:>6}  {}\n", reason.replace('-', " "));
    }
    text += &match (prompt_tokens, answer_tokens) {
        (Some(0), Some(0)) => String::new(),
        (Some(read), Some(written)) => {
            format!("{read} tokens were read and {written} written, for {:.2}\n", cost.unwrap_or_default())
        }
        _ => "The server does not say how many tokens that took\n".to_owned(),
    };
    text + &format!("`estrange search {} --model bm25` searches by them\n", quoted(bench))
}

/// Descriptions by a model; nothing, if only their cost was asked for.
fn by_model(
    functions: &[Function],
    arguments: &arguments::Queries,
    shared: &Shared,
    interrupt: &Interrupt,
) -> Result<Option<(Vec<Query>, query::Lost)>, Failure> {
    let model = models::author(arguments, cache(shared)?.path())?;
    let author = model.writer().card()["model"].as_str().unwrap_or(&arguments.model).to_owned();
    let options = written::Options {
        author: author.clone(),
        attempts: arguments.attempts,
        align: !arguments.no_align,
        max_tokens: arguments.answer_tokens,
        temperature: arguments.temperature,
        at_once: match model {
            OpenedWriter::Free(_) => shared.jobs(),
            OpenedWriter::Server(_) => arguments.server.at_once.into(),
        },
    };
    if arguments.server.dry_run {
        dry_run(functions, &model, &options, arguments)?;
        return Ok(None);
    }
    let watching = Watching::new(shared.quiet, interrupt);
    watching.begins(format!("described by {author}"), Some(functions.len()));
    let made = written::queries(functions, model.writer(), &options, &watching);
    made.map(Some).map_err(|error| models::failure(&error).hint("what was answered is kept: run it again to go on"))
}

/// Says what descriptions will come to that a server has yet to write.
fn dry_run(
    functions: &[Function],
    model: &OpenedWriter,
    options: &written::Options,
    arguments: &arguments::Queries,
) -> Result<(), Failure> {
    let descriptions = counted(functions.len(), "description");
    let estimate = written::estimate(functions, model, options).map_err(|error| models::failure(&error))?;
    let Some(estimate) = estimate else {
        return output::print(&format!("{descriptions}: nothing has to be paid for\n"));
    };
    let words = models::words(&estimate, arguments.server.price.is_some());
    output::print(&format!(
        "{descriptions}: {words}, if each is right at once; each may be asked for {}\n",
        counted(arguments.attempts as usize, "time")
    ))
}
