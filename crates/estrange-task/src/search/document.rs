//! Runs on one bench as a document to be shown: means with intervals, drops, tests between models, correlations, and
//! what was found for every query.

mod explorer;
mod place;
mod shift;

use std::collections::{BTreeMap, HashMap};

use estrange_bench::{Bench, Group, Query, Run, Score, View, WrittenBy};
use estrange_report::document::{
    Cell, Comparison, CorpusSheet, Estimate, Fact, ModelSheet, QuerySheet, SearchResults, Setting, Trials,
};
use estrange_stats::bootstrap::Bootstrap;
use estrange_stats::holm::holm;
use estrange_stats::paired::{Alternative, drop, permutation_test};
use estrange_stats::summary::summarize;
use rayon::prelude::*;

use super::error::SearchError;
use super::library::{Library, STANDARD};
use super::records::CorpusFacts;
use place::{AskedItem, Places};

/// How a document is made.
#[derive(Debug, Clone)]
pub struct DocumentOptions {
    /// What it is called.
    pub title: String,
    /// How often is drawn for an interval, and how pairs are swapped for a test.
    pub rounds: usize,
    /// How many documents of each ranking are shown; none leaves out queries and texts.
    pub shown: usize,
    /// What is drawn depends on it.
    pub seed: u64,
}

impl Default for DocumentOptions {
    fn default() -> Self {
        Self { title: "Search".to_owned(), rounds: 2_000, shown: 10, seed: 0 }
    }
}

/// A corpus over all of its seeds, with all queries or those that people wrote as queries.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key {
    group: Group,
    view: View,
    setting: usize,
    subset: &'static str,
}

const ALL: &str = "all";
const HUMAN: &str = "human";

/// The scores of a model on a corpus by a measure: by query, then by seed.
type Scores = BTreeMap<usize, BTreeMap<u32, f64>>;

/// Puts runs on a bench side by side.
pub fn document(bench: &Bench, runs: &[Run], options: &DocumentOptions) -> Result<SearchResults, SearchError> {
    if let Some(run) = runs.iter().find(|run| run.facts().task != super::NAME) {
        return Err(SearchError::OtherTask { run: run.folder().to_owned(), task: run.facts().task.clone() });
    }
    let mut searched: Vec<CorpusFacts> = Vec::new();
    for run in runs {
        searched.extend(CorpusFacts::of(run)?);
    }
    let settings = each_once(searched.iter().map(|corpus| corpus.setting.as_str()));
    let library = Library::read(bench, &settings)?;
    let mut settings: Vec<Setting> = settings.iter().map(|name| Setting::new(name, library.kind(name))).collect();
    // The standard setting first, rewritten ones next, lowered ones last, each as they come.
    settings.sort_by_key(|setting| setting.kind);
    let mut places = Places::new(settings, &library);
    let scores = read_scores(runs, &mut places)?;

    let corpora: Vec<Key> = {
        let mut keys: Vec<Key> = scores.keys().map(|(_, key, _)| key.clone()).collect();
        keys.sort();
        keys.dedup();
        keys
    };
    let mut document = SearchResults {
        title: options.title.clone(),
        made: made(bench, runs),
        confidence: 0.95,
        measures: places.measures.clone(),
        settings: places.settings.clone(),
        models: runs.iter().map(model).collect(),
        corpora: corpora.iter().map(|key| sheet(key, &corpora, &searched, &scores, &places)).collect(),
        queries: query_sheets(&library),
        ..SearchResults::default()
    };
    document.results = cells(&corpora, &scores, options)?;
    let compared = comparisons(&corpora, &scores, runs.len(), options)?;
    document.comparisons = compared.found;
    if compared.different > 0 {
        let all = compared.different + document.comparisons.len();
        let words = format!("{} of {all} pairs of models, which were not asked the same queries", compared.different);
        document.made.push(Fact::new("not compared", words));
    }
    document.shifts = shift::correlations(bench, &library, runs, &places)?;
    if options.shown > 0 {
        explorer::fill(&mut document, &library, runs, &corpora, &places, options.shown)?;
    }
    Ok(document)
}

fn each_once<'s>(settings: impl Iterator<Item = &'s str>) -> Vec<String> {
    let mut order: Vec<String> = Vec::new();
    for setting in settings {
        if !order.iter().any(|known| known == setting) {
            order.push(setting.to_owned());
        }
    }
    order
}

fn made(bench: &Bench, runs: &[Run]) -> Vec<Fact> {
    let manifest = bench.manifest();
    let sources: Vec<&str> = manifest.sources.iter().map(|source| source.pinned.as_str()).collect();
    let mut facts = vec![
        Fact::new("sources", sources.join(", ")),
        Fact::new("functions", manifest.counts.kept.to_string()),
        Fact::new("seed", manifest.seed.to_string()),
        Fact::new("Estrange", manifest.estrange.clone()),
    ];
    if let Some(run) = runs.first() {
        facts.push(Fact::new("bench", run.facts().bench_hash.clone()));
    }
    facts
}

fn model(run: &Run) -> ModelSheet {
    let card = run.facts().card.as_object().into_iter().flatten();
    let plain = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    // Of a folder or a file, where it lies says nothing.
    let name = &run.facts().model;
    let name = match name.split_once(':') {
        Some(("local" | "precomputed", path)) => path.trim_end_matches('/').rsplit('/').next().unwrap_or(path),
        _ => name,
    };
    ModelSheet {
        name: name.to_owned(),
        facts: card.map(|(name, value)| Fact::new(name.as_str(), plain(value))).collect(),
    }
}

type AllScores = HashMap<(usize, Key, usize), Scores>;

/// The scores of all runs, by model, corpus and measure.
fn read_scores(runs: &[Run], places: &mut Places) -> Result<AllScores, SearchError> {
    let mut all: AllScores = HashMap::new();
    let subsets: Vec<&[&'static str]> = places.written_by.iter().map(|written| subsets(*written, places)).collect();
    for (model, run) in runs.iter().enumerate() {
        for score in run.rows::<Score>()? {
            let Score { task: _, item, setting, seed, measure, value } = score?;
            let AskedItem { group, view, query } = places.item(run, &item)?;
            let setting = places.setting(run, &setting)?;
            let measure = places.measure(&measure);
            for subset in subsets[query] {
                let key = Key { group, view, setting, subset };
                all.entry((model, key, measure)).or_default().entry(query).or_default().insert(seed, value);
            }
        }
    }
    Ok(all)
}

/// To which parts of the queries one belongs: what people wrote counts apart where not all of it is.
fn subsets(written_by: WrittenBy, places: &Places) -> &'static [&'static str] {
    let is_mixed = places.written_by.iter().any(|each| *each != WrittenBy::Person);
    if written_by == WrittenBy::Person && is_mixed { &[ALL, HUMAN] } else { &[ALL] }
}

fn sheet(key: &Key, corpora: &[Key], searched: &[CorpusFacts], scores: &AllScores, places: &Places) -> CorpusSheet {
    let setting = &places.settings[key.setting].name;
    let facts = searched
        .iter()
        .find(|facts| (facts.group, facts.view, facts.setting.as_str()) == (key.group, key.view, setting));
    let asked = scores.iter().find(|((_, each, _), _)| each == key).map(|(_, scores)| scores.keys().copied().collect());
    let asked: Vec<usize> = asked.unwrap_or_default();
    let standard = places.place_of(STANDARD).map(|setting| Key { setting, ..key.clone() });
    CorpusSheet {
        group: key.group.to_string(),
        view: if key.group == Group::Three { key.view.to_string() } else { String::new() },
        setting: key.setting,
        subset: key.subset.to_owned(),
        documents: facts.map_or(0, |facts| facts.counts.documents as usize),
        queries: asked.len(),
        duplicate_classes: facts.map_or(0, |facts| facts.counts.duplicate_classes as usize),
        standard: standard
            .filter(|standard| standard != key)
            .and_then(|standard| corpora.iter().position(|each| *each == standard)),
        asked,
    }
}

/// The mean of each query over all seeds that it has.
fn means(scores: &Scores) -> Vec<f64> {
    scores.values().map(|seeds| seeds.values().sum::<f64>() / seeds.len() as f64).collect()
}

fn cells(corpora: &[Key], scores: &AllScores, options: &DocumentOptions) -> Result<Vec<Cell>, SearchError> {
    let mut keys: Vec<&(usize, Key, usize)> = scores.keys().collect();
    keys.sort();
    let bootstrap = Bootstrap { resamples: options.rounds, ..Bootstrap::seeded(options.seed) };
    let standard =
        |key: &Key| corpora.iter().find(|each| each.setting == 0 && Key { setting: 0, ..key.clone() } == **each);
    keys.into_par_iter()
        .map(|place| {
            let (model, key, measure) = place;
            let own = &scores[place];
            let values = means(own);
            let mean = bootstrap.mean(&values)?;
            let standard = standard(key).filter(|_| key.setting != 0);
            let theirs = standard.and_then(|standard| scores.get(&(*model, standard.clone(), *measure)));
            let lost = |theirs: &Scores| -> Result<Option<Estimate>, SearchError> {
                let both: Vec<usize> = own.keys().copied().filter(|query| theirs.contains_key(query)).collect();
                let of = |scores: &Scores| -> Vec<f64> {
                    let picked: Scores = both.iter().map(|query| (*query, scores[query].clone())).collect();
                    means(&picked)
                };
                if both.is_empty() {
                    return Ok(None);
                }
                let drop = drop(&of(theirs), &of(own), &bootstrap)?.absolute;
                Ok(Some(Estimate { value: drop.value, low: drop.interval.low, high: drop.interval.high }))
            };
            Ok(Cell {
                model: *model,
                // The corpora are those of the scores, sorted.
                corpus: corpora.partition_point(|each| each < key),
                measure: *measure,
                mean: Estimate { value: mean.value, low: mean.interval.low, high: mean.interval.high },
                trials: trials(own)?,
                drop: theirs.map(lost).transpose()?.flatten(),
                scores: values.iter().map(|value| *value as f32).collect(),
            })
        })
        .collect()
}

/// How far the means of several seeds are apart.
fn trials(scores: &Scores) -> Result<Option<Trials>, SearchError> {
    let mut seeds: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for (seed, value) in scores.values().flatten() {
        seeds.entry(*seed).or_default().push(*value);
    }
    let means: Vec<f64> = seeds.values().map(|values| values.iter().sum::<f64>() / values.len() as f64).collect();
    if means.len() < 2 {
        return Ok(None);
    }
    Ok(Some(Trials { count: means.len(), standard_error: summarize(&means)?.standard_error }))
}

/// Tests between models, and how many there could not be.
#[derive(Debug, Default)]
struct Compared {
    found: Vec<Comparison>,
    /// How often two models were not asked the same queries.
    different: usize,
}

/// Tests between all models by the first measure, corrected for their number.
fn comparisons(
    corpora: &[Key],
    scores: &AllScores,
    models: usize,
    options: &DocumentOptions,
) -> Result<Compared, SearchError> {
    let mut pairs = Vec::new();
    for corpus in 0..corpora.len() {
        for first in 0..models {
            pairs.extend((first + 1..models).map(|second| (corpus, first, second)));
        }
    }
    let of = |model: usize, corpus: usize| scores.get(&(model, corpora[corpus].clone(), 0));
    // A model that did not search a corpus is not compared there, and nobody expects it to be.
    let both = pairs
        .into_iter()
        .filter_map(|(corpus, first, second)| Some(((corpus, first, second), of(first, corpus)?, of(second, corpus)?)));
    let (same, different): (Vec<_>, Vec<_>) = both.partition(|(_, left, right)| left.keys().eq(right.keys()));
    let test = |((corpus, first, second), left, right): ((usize, usize, usize), &Scores, &Scores)| {
        let (rounds, seed) = (options.rounds, options.seed);
        let test = permutation_test(&means(left), &means(right), Alternative::TwoSided, rounds, seed)?;
        let (difference, p_value) = (test.difference, test.p_value);
        Ok(Comparison { corpus, measure: 0, first, second, difference, p_value, corrected: None })
    };
    let mut found: Vec<Comparison> = same.into_par_iter().map(test).collect::<Result<_, SearchError>>()?;
    let values: Vec<f64> = found.iter().map(|each| each.p_value).collect();
    found.iter_mut().zip(holm(&values)?).for_each(|(each, value)| each.corrected = Some(value));
    Ok(Compared { found, different: different.len() })
}

fn query_sheets(library: &Library) -> Vec<QuerySheet> {
    let functions: HashMap<&str, _> = library.functions().iter().map(|function| (&*function.id, function)).collect();
    let sheet = |query: &Query| {
        let function = functions.get(query.function_id.as_str());
        QuerySheet {
            id: query.id.clone(),
            text: query.text.clone(),
            author: query.author.clone(),
            group: function.map(|function| function.group.to_string()).unwrap_or_default(),
            licence: function.map(|function| function.licence.clone()).unwrap_or_default(),
            evidence: function.map(|function| function.checked.clone()).unwrap_or_default(),
            source: function.map(|function| function.source.clone()).unwrap_or_default(),
            right: None,
            rankings: Vec::new(),
        }
    };
    library.queries().iter().map(sheet).collect()
}
