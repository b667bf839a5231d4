//! `estrange export`: a bench or a run in a format that other programs read.

mod located;
mod pairs;
mod runners;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use estrange_bench::exchange::trec::ExportedRanking;
use estrange_bench::exchange::{ExchangeError, ExportedCorpus, beir, card::Card, clarc, croissant, into_new_folder};
use estrange_bench::exchange::{mteb, trec};
use estrange_bench::{Bench, BenchError, Run};
use estrange_task::search::{self, Chosen, Corpus, Library, Ranking, SearchError, exported};
use serde::Serialize;

use self::pairs::WrittenPairs;
use crate::arguments::{self, ExportFormat, Shared};
use crate::interrupt::Interrupt;
use crate::lists::words;
use crate::phrasing::{counted, noun};
use crate::runs::{self, bench_of, words_of};
use crate::voice::{self, Failure};
use crate::{Ending, bench, output};

#[derive(Debug, Serialize)]
struct ExportJson {
    out: String,
    corpora: Vec<Written>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<WrittenPairs>,
}

#[derive(Debug, Serialize)]
struct Written {
    name: String,
    documents: usize,
    queries: usize,
}

/// Runs the command.
pub fn run(arguments: &arguments::Export, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    if pairs::is_of_pairs(arguments.format) {
        return run_pairs(arguments, shared, interrupt);
    }
    let corpora = match Run::open(&arguments.folder) {
        Ok(run) => export_run(arguments, &run)?,
        Err(BenchError::NotARun { .. }) => export_bench(arguments, &bench::open(&arguments.folder)?)?,
        Err(error) => return Err(bench::unusable(&error)),
    };
    let written = |corpus: &ExportedCorpus| Written {
        name: corpus.name.clone(),
        documents: corpus.documents.len(),
        queries: corpus.queries.len(),
    };
    let corpora: Vec<Written> = corpora.iter().map(written).collect();
    let out = arguments.out.display().to_string();
    if arguments.json {
        output::print_json(1, &ExportJson { out, corpora, pairs: None })?;
    } else {
        let mut text = format!("{out} is written\n");
        let width = corpora.iter().map(|corpus| corpus.name.len()).max().unwrap_or_default();
        for Written { name, documents, queries } in &corpora {
            let (all, asked) = (noun(*documents, "document"), noun(*queries, "query"));
            text += &format!("  {name:<width$}  {documents:>6} {all:<9}  {queries:>6} {asked}\n");
        }
        output::print(&text)?;
    }
    Ok(Ending::Done)
}

/// Writes what a bench has of pairs.
fn run_pairs(arguments: &arguments::Export, shared: &Shared, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let opened = match Run::open(&arguments.folder) {
        Ok(_) => return Err(Failure::new("a run has no pairs").hint("name the bench that it was on").usage()),
        Err(BenchError::NotARun { .. }) => bench::open(&arguments.folder)?,
        Err(error) => return Err(bench::unusable(&error)),
    };
    let written = pairs::export(arguments, &opened, shared, interrupt)?;
    let out = arguments.out.display().to_string();
    match arguments.json {
        true => output::print_json(1, &ExportJson { out, corpora: Vec::new(), pairs: Some(written) })?,
        false => output::print(&format!("{out} is written\n{}", written.text()))?,
    }
    Ok(Ending::Done)
}

fn export_bench(arguments: &arguments::Export, opened: &Bench) -> Result<Vec<ExportedCorpus>, Failure> {
    if arguments.bench.is_some() {
        return Err(Failure::new("--bench is for runs").hint("name the bench in its place alone").usage());
    }
    if arguments.format == ExportFormat::Croissant {
        return export_whole(arguments, opened);
    }
    let chosen = asked(arguments)?;
    let mut corpora = corpora(arguments, opened, &chosen)?;
    if !arguments.keep_duplicates && arguments.format != ExportFormat::Clarc {
        corpora.iter_mut().for_each(|corpus| drop(corpus.unite_duplicates()));
    }
    let card = Card::of(opened, &corpora).map_err(|error| bench::unusable(&error))?;
    let left_out = into_new_folder(&arguments.out, |folder| {
        let mut left_out = 0;
        match arguments.format {
            ExportFormat::Beir => beir::write_corpora(folder, &corpora)?,
            ExportFormat::Mteb => mteb::write_corpora(folder, &corpora, &card)?,
            ExportFormat::Clarc => left_out = clarc::write_corpora(folder, &corpora)?,
            ExportFormat::Trec => trec::write_qrels(folder, &corpora)?,
            // These take the whole bench, or its pairs.
            ExportFormat::Croissant | ExportFormat::Hf | ExportFormat::Sarif | ExportFormat::Folder => (),
        }
        if arguments.format != ExportFormat::Mteb {
            card.write(folder)?;
        }
        Ok(left_out)
    });
    let left_out = left_out.map_err(|error| bench::not_exchanged(&error))?;
    if left_out > 0 {
        voice::warning(&format!(
            "without {} that no query is for: CLARC's files have only pairs",
            counted(left_out, "document")
        ));
    }
    Ok(corpora)
}

/// The bench as it is.
fn export_whole(arguments: &arguments::Export, opened: &Bench) -> Result<Vec<ExportedCorpus>, Failure> {
    let arguments::Export { setting, group, view, seed, author, .. } = arguments;
    if !(setting.is_empty() && group.is_empty() && view.is_empty() && seed.is_empty() && author.is_empty()) {
        return Err(Failure::new("croissant takes the whole bench")
            .hint("leave out what chooses a part of it")
            .usage());
    }
    let card = Card::of(opened, &[]).map_err(|error| bench::unusable(&error))?;
    into_new_folder(&arguments.out, |folder| croissant::write_bench(folder, opened, &card))
        .map_err(|error| bench::not_exchanged(&error))?;
    Ok(Vec::new())
}

/// The corpora that are asked for.
fn corpora(arguments: &arguments::Export, opened: &Bench, chosen: &Chosen) -> Result<Vec<ExportedCorpus>, Failure> {
    let library = Library::read(opened, &chosen.settings).map_err(|error| runs::failure(&error))?;
    let corpora = library.corpora(chosen).map_err(|error| runs::failure(&error))?;
    let mut seeds: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for corpus in &corpora {
        seeds.entry(corpus.setting.clone()).or_default().insert(corpus.seed);
    }
    let several = |setting: &str| seeds.get(setting).is_some_and(|seeds| seeds.len() > 1);
    let is_asked = |corpus: &Corpus| {
        arguments.seed.is_empty() || !several(&corpus.setting) || arguments.seed.contains(&corpus.seed)
    };
    let exported: Vec<ExportedCorpus> = corpora.into_iter().filter(is_asked).map(|corpus| exported(&corpus)).collect();
    if exported.is_empty() { Err(runs::failure(&SearchError::Empty)) } else { Ok(exported) }
}

/// The rankings of a run, and what is right in the bench that was searched.
fn export_run(arguments: &arguments::Export, run: &Run) -> Result<Vec<ExportedCorpus>, Failure> {
    if run.facts().task != search::NAME {
        let (run, task) = (run.folder().to_owned(), run.facts().task.clone());
        return Err(runs::failure(&SearchError::OtherTask { run, task })
            .hint("its tables are Parquet files; `estrange report RUN --out values.csv` writes its scores"));
    }
    if arguments.format != ExportFormat::Trec {
        return Err(Failure::new("a run has rankings, which only --format trec writes").usage());
    }
    let opened = bench_of(std::slice::from_ref(run), arguments.bench.as_deref())?;
    let rankings: Vec<Ranking> =
        run.rows::<Ranking>().and_then(|rankings| rankings.collect()).map_err(|error| bench::unusable(&error))?;
    let chosen = asked(arguments)?.or_as_in(run).map_err(|error| runs::failure(&error))?;
    let mut corpora = corpora(arguments, &opened, &chosen)?;
    let is_of = |corpus: &ExportedCorpus, ranking: &Ranking| {
        (ranking.group, ranking.view, ranking.seed) == (corpus.group, corpus.view, corpus.seed)
            && ranking.setting == corpus.setting
    };
    corpora.retain(|corpus| rankings.iter().any(|ranking| is_of(corpus, ranking)));
    let write = |folder: &Path| -> Result<(), ExchangeError> {
        for corpus in &mut corpora {
            let own = rankings.iter().filter(|ranking| is_of(corpus, ranking));
            let own: Vec<ExportedRanking<'_>> = own
                .map(|Ranking { query_id, documents, scores, .. }| ExportedRanking {
                    query: query_id,
                    documents,
                    scores,
                })
                .collect();
            let stands_for = match arguments.keep_duplicates {
                true => HashMap::new(),
                false => corpus.unite_duplicates(),
            };
            trec::write_run(folder, &corpus.name, &run.facts().model, &own, &stands_for)?;
        }
        trec::write_qrels(folder, &corpora)
    };
    into_new_folder(&arguments.out, write).map_err(|error| bench::not_exchanged(&error))?;
    Ok(corpora)
}

/// What is asked for.
fn asked(arguments: &arguments::Export) -> Result<Chosen, Failure> {
    Ok(Chosen {
        settings: words(&arguments.setting),
        groups: words_of(&arguments.group)?,
        views: words_of(&arguments.view)?,
        authors: arguments.author.clone(),
        tiers: Vec::new(),
        undefinedness: Vec::new(),
        common: false,
    })
}
