//! `estrange search`: has a model find functions by their descriptions.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use estrange_bench::{Answer, Bench, BenchError, Run, RunFacts, RunFolder, RunRecords, UnknownWord};
use estrange_model::{Item, Role};
use estrange_stats::retrieval::Measure;
use estrange_task::search::{Chosen, Corpus, Library, Options, SearchError, rescored, search, shifts};
use serde_json::json;

use crate::arguments::Shared;
use crate::interrupt::Interrupt;
use crate::models::{self, Opened};
use crate::phrasing::{counted, quoted};
use crate::prepare::cache;
use crate::voice::Failure;
use crate::watching::Watching;
use crate::{Ending, arguments, bench, output, report};

/// Runs the command.
pub fn run(arguments: &arguments::Search, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let chosen = Chosen {
        settings: arguments.setting.clone(),
        groups: words_of(&arguments.group)?,
        views: words_of(&arguments.view)?,
        authors: arguments.author.clone(),
        tiers: arguments.tier.clone(),
        common: arguments.common,
    };
    let options = Options { depth: arguments.depth as usize, measures: measures(&arguments.measure)? };
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(slug(&arguments.model)));
    let watching = Watching::new(shared.quiet, interrupt);
    watching.begins("reading the bench", None);
    let opened = bench::open(&arguments.bench)?;
    let run = match arguments.rescore {
        true => rescore(arguments, &out, &opened, chosen, &options)?,
        false => {
            let library = Library::read(&opened, &arguments.setting).map_err(|error| failure(&error))?;
            let corpora = library.corpora(&chosen).map_err(|error| failure(&error))?;
            let cache = cache(shared)?;
            watching.begins(format!("opening {}", arguments.model), None);
            let model = models::ranker(arguments, cache.path(), shared.jobs.map(usize::from))?;
            if arguments.server.dry_run {
                drop(watching);
                return dry_run(&model, &corpora, arguments);
            }
            let mut facts = facts(arguments, &opened, &model)?;
            facts.corpora = corpora.iter().map(Corpus::facts).collect();
            // Before anything is paid for.
            let folder = folder(arguments, &out, &facts)?;
            let records = ranked(&model, &library, &corpora, &options, &watching)?;
            folder.write(facts, records).map_err(|error| bench::unusable(&error))?
        }
    };
    watching.begins("putting the scores together", None);
    report::print_run(&run, &opened, arguments.json, watching)?;
    if !arguments.json {
        let (place, out) = (out.display(), quoted(&out));
        let page = format!("`estrange report {out} --out report.html` makes a page of it");
        output::print(&format!("\nThe run is in {place}; {page}\n"))?;
    }
    Ok(Ending::Done)
}

/// What a run is known by.
fn facts(arguments: &arguments::Search, opened: &Bench, model: &Opened) -> Result<RunFacts, Failure> {
    let options = json!({
        "settings": arguments.setting, "groups": arguments.group, "views": arguments.view, "authors": arguments.author,
        "tiers": arguments.tier, "common": arguments.common, "depth": arguments.depth, "measures": arguments.measure,
    });
    let hash = opened.hash().map_err(|error| bench::unusable(&error))?;
    let bench = std::path::absolute(&arguments.bench).unwrap_or_else(|_| arguments.bench.clone());
    let bench = bench.to_string_lossy().into_owned();
    Ok(RunFacts::new("search", arguments.model.clone(), model.ranker().card(), bench, hash, options))
}

/// Asks the model for every corpus.
fn ranked(
    model: &Opened,
    library: &Library,
    corpora: &[Corpus],
    options: &Options,
    watching: &Watching,
) -> Result<RunRecords, Failure> {
    let stopped = |error: &SearchError| failure(error).hint("what was answered is kept: run it again to go on");
    let mut records = RunRecords::default();
    let (documents, queries) = texts(corpora);
    let all = documents.len() + queries.len();
    if model.ranker().embedder().is_some() {
        watching.begins("made into vectors", Some(all));
        model.ranker().prepare(&queries, &documents, watching).map_err(|error| stopped(&error.into()))?;
    }
    watching.begins("searched", Some(all));
    for corpus in corpora {
        let searched = search(corpus, model.ranker(), options, watching).map_err(|error| stopped(&error))?;
        records.answers.extend(searched.answers);
        records.scores.extend(searched.scores);
    }
    if let Some(embedder) = model.ranker().embedder() {
        watching.begins("finding how far vectors move", None);
        records.shifts = shifts(library, corpora, embedder, watching).map_err(|error| stopped(&error.into()))?;
    }
    Ok(records)
}

/// The folder for a run, in which nothing is lost for it.
fn folder(arguments: &arguments::Search, out: &Path, facts: &RunFacts) -> Result<RunFolder, Failure> {
    let unusable = |error: BenchError| bench::unusable(&error);
    let folder = RunFolder::take(out).map_err(unusable)?;
    if !arguments.replace {
        folder.check_loss(facts).map_err(unusable)?;
    }
    Ok(folder)
}

/// Scores what a run has answered, on what it was asked unless something else is asked for now.
fn rescore(
    arguments: &arguments::Search,
    out: &Path,
    opened: &Bench,
    chosen: Chosen,
    options: &Options,
) -> Result<Run, Failure> {
    let unusable = |error: BenchError| bench::unusable(&error);
    let run = Run::open(out).map_err(unusable)?;
    let model = &run.facts().model;
    if *model != arguments.model {
        let words = format!("the run in {} is by `{model}`, not by `{}`", out.display(), arguments.model);
        return Err(Failure::new(words).hint(format!("--model {model}, or another run with --out")).usage());
    }
    report::check_bench(opened, &run.facts().bench_hash)?;
    let chosen = as_searched(chosen, &run)?;
    let library = Library::read(opened, &chosen.settings).map_err(|error| failure(&error))?;
    let answers: Vec<Answer> = run.answers().and_then(|answers| answers.collect()).map_err(unusable)?;
    let shifts = run.shifts().and_then(|shifts| shifts.collect()).map_err(unusable)?;
    let mut scores = Vec::new();
    let mut facts = run.facts().clone();
    facts.corpora.clear();
    if let Some(options) = facts.options.as_object_mut() {
        options.insert("measures".to_owned(), json!(arguments.measure));
    }
    for corpus in library.corpora(&chosen).map_err(|error| failure(&error))? {
        let own: Vec<Answer> = answers
            .iter()
            .filter(|answer| {
                (answer.group, answer.view, answer.seed) == (corpus.group, corpus.view, corpus.seed)
                    && answer.setting == corpus.setting
            })
            .cloned()
            .collect();
        if !own.is_empty() {
            scores.extend(rescored(&corpus, &own, options).map_err(|error| failure(&error))?);
            facts.corpora.push(corpus.facts());
        }
    }
    folder(arguments, out, &facts)?.write(facts, RunRecords { answers, scores, shifts }).map_err(unusable)
}

/// What is asked for now, and where nothing is, what a run was asked.
pub fn as_searched(asked: Chosen, run: &Run) -> Result<Chosen, Failure> {
    let options = &run.facts().options;
    let list = |name: &str| -> Vec<String> {
        serde_json::from_value(options.get(name).cloned().unwrap_or_default()).unwrap_or_default()
    };
    fn either<T>(asked: Vec<T>, then: Vec<T>) -> Vec<T> {
        if asked.is_empty() { then } else { asked }
    }
    Ok(Chosen {
        settings: either(asked.settings, list("settings")),
        groups: either(asked.groups, words_of(&list("groups"))?),
        views: either(asked.views, words_of(&list("views"))?),
        authors: either(asked.authors, list("authors")),
        tiers: either(asked.tiers, list("tiers")),
        common: asked.common || options.get("common").and_then(serde_json::Value::as_bool).unwrap_or_default(),
    })
}

/// All that a model is given: documents and queries.
fn texts(corpora: &[Corpus]) -> (Vec<Item<'_>>, Vec<Item<'_>>) {
    let documents = corpora.iter().flat_map(|corpus| &corpus.documents);
    let queries = corpora.iter().flat_map(|corpus| &corpus.queries);
    (
        documents.map(|document| Item { id: &document.id, text: &document.text }).collect(),
        queries.map(|(id, text)| Item { id, text }).collect(),
    )
}

fn dry_run(model: &Opened, corpora: &[Corpus], arguments: &arguments::Search) -> Result<Ending, Failure> {
    let (documents, queries) = texts(corpora);
    let estimates = [model.estimate(&documents, Role::Document)?, model.estimate(&queries, Role::Query)?];
    let counts = format!(
        "{} and {} in {}",
        counted(documents.len(), "document"),
        counted(queries.len(), "query"),
        counted(corpora.len(), "corpus")
    );
    let words = match estimates {
        [Some(documents), Some(queries)] => {
            let sum = estrange_model::openai::Estimate {
                requests: documents.requests + queries.requests,
                texts: documents.texts + queries.texts,
                tokens: documents.tokens + queries.tokens,
                money: documents.money + queries.money,
            };
            models::words(&sum, arguments.server.price.is_some())
        }
        _ => "nothing has to be paid for".to_owned(),
    };
    output::print(&format!("{counts}: {words}\n"))?;
    Ok(Ending::Done)
}

/// The words for what stopped a search.
pub fn failure(error: &SearchError) -> Failure {
    if let SearchError::Model(error) = error {
        return models::failure(error);
    }
    let failure = Failure::new(error.to_string());
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Words out of a closed list, as they were typed.
pub fn words_of<W: FromStr<Err = UnknownWord>>(words: &[String]) -> Result<Vec<W>, Failure> {
    let parse = |word: &String| word.parse().map_err(|error: UnknownWord| Failure::new(error.to_string()).usage());
    words.iter().map(parse).collect()
}

fn measures(names: &[String]) -> Result<Vec<Measure>, Failure> {
    let parse = |name: &String| {
        name.parse().map_err(|error: estrange_stats::retrieval::MeasureError| {
            Failure::new(error.to_string()).hint("ndcg@10, mrr@10, map and recall@5 are measures").usage()
        })
    };
    names.iter().map(parse).collect()
}

/// A model's name as a folder's: the last part of it, in plain letters, and never a way to another folder.
fn slug(model: &str) -> PathBuf {
    let last = model.trim_end_matches('/').rsplit('/').next().unwrap_or(model);
    let plain = |letter: char| if letter.is_alphanumeric() || matches!(letter, '-' | '.') { letter } else { '-' };
    let name: String = last.chars().map(plain).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "model" } else { name }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_run_is_always_one_below() {
        for (model, folder) in [
            ("bm25", "bm25"),
            ("bm25:atire,k1=1.5", "bm25-atire-k1-1.5"),
            ("local:models/all-MiniLM-L6-v2/", "all-MiniLM-L6-v2"),
            ("local:..", "local"),
            ("local:models/..", "model"),
            ("openai:org/.", "model"),
            ("", "model"),
        ] {
            assert_eq!(slug(model), Path::new(folder), "{model}");
        }
    }
}
