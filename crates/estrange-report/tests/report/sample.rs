//! A document that looks like one of a real run, made up from a seed.

use estrange_report::SearchResults;
use estrange_report::document::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::code::{self, Function};

/// Numbers from a seed.
pub struct Random(ChaCha8Rng);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u32() as usize) % bound
    }

    fn fraction(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / f64::from(u32::MAX)
    }
}

/// How large a document is to be.
pub struct Size {
    pub queries: usize,
    pub settings: &'static [&'static str],
    pub models: usize,
}

pub const SETTINGS: &[&str] = &["standard", "neutralized", "randomized", "x86_64", "wasm32"];
const MODELS: [(&str, f64); 4] =
    [("bm25", 0.35), ("all-MiniLM-L6-v2", 0.52), ("codet5p-110m", 0.66), ("large_code_embedder", 0.9)];
const MEASURES: [&str; 7] = ["ndcg@10", "mrr@10", "map@10", "recall@1", "recall@5", "recall@10", "recall@20"];
const LICENCES: [&str; 4] = ["MIT", "BSD-3-Clause", "Zlib", "Apache-2.0 WITH LLVM-exception"];
const EVIDENCE: [&str; 3] = ["same code", "same code, explained", "compiles"];
const AUTHORS: [&str; 3] = ["comment", "person", "openai:writer-1"];
const SOURCES: [&str; 4] = ["deb:zlib", "deb:utf8proc", "deb:double-conversion", "crate:onig_sys"];

/// A small document for snapshots: its numbers are few enough to be looked at.
pub fn small() -> SearchResults {
    make(&Size { queries: 60, settings: SETTINGS, models: 3 })
}

fn kind(setting: &str) -> SettingKind {
    match setting {
        "standard" => SettingKind::Original,
        "neutralized" | "randomized" => SettingKind::Rewritten,
        _ => SettingKind::Lowered,
    }
}

/// A document of this size.
pub fn make(size: &Size) -> SearchResults {
    let mut random = Random(ChaCha8Rng::seed_from_u64(6));
    let mut document = SearchResults {
        title: "Search on three small packages".to_owned(),
        made: facts(size),
        confidence: 0.95,
        measures: MEASURES.map(str::to_owned).to_vec(),
        settings: size.settings.iter().map(|name| Setting::new(name, kind(name))).collect(),
        models: MODELS[..size.models].iter().map(|(name, _)| model(name)).collect(),
        ..SearchResults::default()
    };
    let functions: Vec<Function> = (0..size.queries).map(|number| code::function(&mut random, number)).collect();
    for (number, function) in functions.iter().enumerate() {
        document.queries.push(query(&mut random, number, size.queries, function));
        document.snippets.push(snippet(&mut random, number, function, &document));
    }
    corpora(&mut document);
    results(&mut document, &mut random);
    comparisons(&mut document, &mut random);
    shifts(&mut document, &mut random);
    document
}

fn facts(size: &Size) -> Vec<Fact> {
    vec![
        Fact::new("bench", "demo-bench"),
        Fact::new("sources", SOURCES.join(", ")),
        Fact::new("queries", format!("{} from documentation comments, people and a model", size.queries)),
        Fact::new("seed", "6"),
        Fact::new("estrange", "0.1.0"),
    ]
}

fn model(name: &str) -> ModelSheet {
    let facts = match name {
        "bm25" => vec![Fact::new("variant", "lucene, k1 1.2, b 0.75"), Fact::new("tokens", "code, subwords, stemmed")],
        _ => vec![Fact::new("context", "256 tokens"), Fact::new("pooling", "mean, normalised")],
    };
    ModelSheet { name: name.to_owned(), facts }
}

fn query(random: &mut Random, number: usize, all: usize, function: &Function) -> QuerySheet {
    QuerySheet {
        id: format!("q{number:05}"),
        text: function.description.clone(),
        author: AUTHORS[random.below(3)].to_owned(),
        group: (1 + number * 3 / all).to_string(),
        licence: LICENCES[random.below(4)].to_owned(),
        evidence: EVIDENCE[random.below(10) / 6 + random.below(2)].to_owned(),
        source: format!("{}, src/part{}.c", SOURCES[number % 4], random.below(9)),
        right: Some(number),
        rankings: Vec::new(),
    }
}

fn snippet(random: &mut Random, number: usize, function: &Function, document: &SearchResults) -> Snippet {
    let group = &document.queries[number].group;
    let mut texts = Vec::new();
    for (setting, sheet) in document.settings.iter().enumerate() {
        for view in views(group, sheet.kind) {
            texts.push(SnippetText { setting, view: view.to_string(), text: function.text(&sheet.name, random) });
        }
    }
    Snippet { id: format!("f{number:05}"), name: function.name.clone(), texts }
}

/// Group 3 has two views, but only one where it is compiled.
fn views(group: &str, kind: SettingKind) -> &'static [&'static str] {
    match (group, kind) {
        ("3", SettingKind::Original | SettingKind::Rewritten) => &["short", "long"],
        _ => &[""],
    }
}

fn corpora(document: &mut SearchResults) {
    for group in ["1", "2", "3"] {
        let asked = document.queries.iter().enumerate().filter(|(_, query)| query.group == group);
        let asked: Vec<usize> = asked.map(|(place, _)| place).collect();
        for (setting, sheet) in document.settings.iter().enumerate() {
            for view in views(group, sheet.kind) {
                let standard = (sheet.kind != SettingKind::Original).then(|| {
                    let wanted = if group == "3" && view.is_empty() { "long" } else { view };
                    document.corpora.iter().position(|each| each.group == group && each.view == wanted).unwrap()
                });
                // Some functions cannot be compiled for every target.
                let is_there = |query: &usize| sheet.name != "wasm32" || query % 7 != 3;
                document.corpora.push(CorpusSheet {
                    group: group.to_owned(),
                    view: view.to_string(),
                    setting,
                    subset: "all".to_owned(),
                    documents: asked.len() + 5,
                    queries: 0,
                    duplicate_classes: asked.len() / 20,
                    standard,
                    asked: asked.iter().copied().filter(is_there).collect(),
                });
            }
        }
        let person = |query: &usize| document.queries[*query].author == "person";
        for view in views(group, SettingKind::Original) {
            document.corpora.push(CorpusSheet {
                group: group.to_owned(),
                view: view.to_string(),
                subset: "human".to_owned(),
                documents: asked.len() + 5,
                asked: asked.iter().copied().filter(person).collect(),
                ..CorpusSheet::default()
            });
        }
    }
    for corpus in &mut document.corpora {
        corpus.queries = corpus.asked.len();
    }
}

/// How much of a model's strength is left in a setting.
fn strength(model: usize, setting: &str) -> f64 {
    let name_blindness = MODELS[model].1;
    MODELS[model].1
        * match setting {
            "standard" => 1.0,
            "neutralized" => 0.35 + 0.55 * name_blindness,
            "randomized" | "symbol" => 0.2 + 0.6 * name_blindness,
            _ => 0.1 + 0.3 * name_blindness,
        }
}

fn results(document: &mut SearchResults, random: &mut Random) {
    for corpus in 0..document.corpora.len() {
        for model in 0..document.models.len() {
            let sheet = &document.corpora[corpus];
            let (setting, asked) = (document.settings[sheet.setting].name.clone(), sheet.asked.clone());
            let ranks: Vec<usize> = asked.iter().map(|_| rank(random, strength(model, &setting))).collect();
            if sheet.subset == "all" {
                for (&query, &rank) in asked.iter().zip(&ranks) {
                    let ranking = ranking(document, random, (model, corpus), query, rank);
                    document.queries[query].rankings.push(ranking);
                }
            }
            for (measure, name) in MEASURES.iter().enumerate() {
                let scores: Vec<f32> = ranks.iter().map(|&rank| score(name, rank) as f32).collect();
                let mut mean = estimate(&scores.iter().map(|&score| f64::from(score)).collect::<Vec<_>>());
                (mean.low, mean.high) = (mean.low.max(0.0), mean.high.min(1.0));
                let drop = drop(document, model, corpus, measure, &scores);
                let trials =
                    (setting == "randomized").then_some(Trials { count: 10, standard_error: mean.value / 60.0 });
                document.results.push(Cell { model, corpus, measure, mean, trials, drop, scores });
            }
        }
    }
}

fn rank(random: &mut Random, strength: f64) -> usize {
    let mut rank = 1;
    while random.fraction() > strength && rank < 400 {
        rank += 1 + random.below(rank + 1);
    }
    rank
}

fn score(measure: &str, rank: usize) -> f64 {
    let cut = measure.split_once('@').unwrap().1.parse::<usize>().unwrap();
    match measure.split('@').next().unwrap() {
        _ if rank > cut => 0.0,
        "ndcg" => 1.0 / (1.0 + rank as f64).log2(),
        "mrr" | "map" => 1.0 / rank as f64,
        _ => 1.0,
    }
}

fn ranking(
    document: &SearchResults,
    random: &mut Random,
    (model, corpus): (usize, usize),
    query: usize,
    rank: usize,
) -> Ranking {
    let asked = &document.corpora[corpus].asked;
    let mut top = Vec::new();
    for place in 1..=5 {
        let is_right = place == rank;
        let snippet = if is_right { query } else { asked[random.below(asked.len())] };
        let score = (0.9 - 0.06 * place as f64 - 0.01 * random.fraction()) as f32;
        top.push(Hit { snippet, score, grade: if is_right { 2 } else { 0 } });
    }
    let found = (rank <= 300).then_some(rank);
    Ranking { model, corpus, rank: found, score: found.map(|rank| 0.9 - 0.002 * rank as f32), top }
}

fn estimate(values: &[f64]) -> Estimate {
    let count = values.len().max(2) as f64;
    let value = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|each| (each - value).powi(2)).sum();
    let reach = 1.96 * (squares / (count - 1.0) / count).sqrt();
    Estimate { value, low: value - reach, high: value + reach }
}

fn drop(document: &SearchResults, model: usize, corpus: usize, measure: usize, scores: &[f32]) -> Option<Estimate> {
    let standard = document.corpora[corpus].standard?;
    let key = (model, standard, measure);
    let before = document.results.iter().find(|cell| (cell.model, cell.corpus, cell.measure) == key)?;
    let before_of = |query: &usize| {
        let place = document.corpora[standard].asked.iter().position(|each| each == query).unwrap();
        f64::from(before.scores[place])
    };
    let queries = document.corpora[corpus].asked.iter().zip(scores);
    Some(estimate(&queries.map(|(query, &score)| before_of(query) - f64::from(score)).collect::<Vec<_>>()))
}

fn comparisons(document: &mut SearchResults, random: &mut Random) {
    for corpus in 0..2 {
        for first in 0..document.models.len() {
            for second in first + 1..document.models.len() {
                let p_value = random.fraction().powi(6);
                let difference = (random.fraction() - 0.8) * 0.4;
                let corrected = Some((3.0 * p_value).min(1.0));
                let comparison = Comparison { corpus, measure: 0, first, second, difference, p_value, corrected };
                document.comparisons.push(comparison);
            }
        }
    }
}

fn shifts(document: &mut SearchResults, random: &mut Random) {
    for feature in ["lines of code", "cyclomatic complexity", "perturbation fraction"] {
        for model in 1..document.models.len() {
            for group in ["1", "2", "3"] {
                for setting in 1..3 {
                    let value = if feature.starts_with('p') { 0.6 } else { -0.1 } + 0.3 * (random.fraction() - 0.5);
                    document.shifts.push(Shift {
                        model,
                        group: group.to_owned(),
                        setting,
                        feature: feature.to_owned(),
                        correlation: Estimate { value, low: value - 0.1, high: value + 0.1 },
                        p_value: 0.01,
                    });
                }
            }
        }
    }
}
