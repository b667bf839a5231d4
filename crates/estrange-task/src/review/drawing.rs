//! Which answers of a run are to be looked at.

use std::collections::{BTreeMap, HashMap, HashSet};

use estrange_bench::{Answer, Mistake, Outcome, Run};
use estrange_stats::sampling::{proportional, sample_size};
use serde::Serialize;

use super::sheet::{harmless, line};
use super::{Key, ReviewError, is_written, key, mistake};
use crate::generate::{Assignment, Mark};

/// The columns of a sample.
const COLUMNS: [&str; 15] = [
    "item",
    "setting",
    "seed",
    "sample",
    "name",
    "outcome",
    "mistake",
    "detail",
    "prompt",
    "answer",
    "code",
    "function",
    "reviewed_outcome",
    "reviewed_mistake",
    "note",
];

/// How much is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleOptions {
    /// How sure one wants to be, such as 0.95.
    pub confidence: f64,
    /// Of what share, give or take so much.
    pub margin: f64,
    /// What is drawn depends on it.
    pub seed: u64,
}

impl Default for SampleOptions {
    fn default() -> Self {
        Self { confidence: 0.95, margin: 0.05, seed: 1 }
    }
}

/// Answers with the same outcome in the same setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stratum {
    /// The setting.
    pub setting: String,
    /// The outcome.
    pub outcome: Outcome,
    /// How many there are.
    pub answers: usize,
    /// How many of them are drawn.
    pub drawn: usize,
}

/// Answers to be looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// How many answers the run has.
    pub answers: usize,
    /// How many are needed; more are drawn where a stratum would have none.
    pub needed: usize,
    /// From where they are.
    pub strata: Vec<Stratum>,
    rows: Vec<[String; COLUMNS.len()]>,
}

impl Sample {
    /// How many are drawn.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The file for whoever reviews: one row an answer.
    pub fn csv(&self) -> String {
        let rows = self.rows.iter().map(|row| line(row.iter().map(String::as_str)));
        line(COLUMNS) + &rows.collect::<String>()
    }
}

/// What is known of an answer before it is drawn.
struct Drawable {
    key: Key,
    outcome: Outcome,
    mistake: Option<Mistake>,
}

/// Draws answers of a run, in proportion from each setting and outcome. The same seed draws the same.
pub fn sample(run: &Run, options: &SampleOptions) -> Result<Sample, ReviewError> {
    is_written(run)?;
    let mut strata: BTreeMap<(String, Outcome), Vec<Drawable>> = BTreeMap::new();
    for mark in run.rows::<Mark>()? {
        let mark = mark?;
        let drawable = Drawable { key: key(&mark), outcome: mark.outcome, mistake: mistake(&mark) };
        strata.entry((mark.setting, mark.outcome)).or_default().push(drawable);
    }
    let counts: Vec<usize> = strata.values().map(Vec::len).collect();
    let answers: usize = counts.iter().sum();
    if answers == 0 {
        return Err(ReviewError::NoAnswers(run.folder().to_owned()));
    }
    let needed = sample_size(answers, options.confidence, options.margin)?;
    let mut sample = Sample { answers, needed, strata: Vec::new(), rows: Vec::new() };
    let mut drawn: Vec<Drawable> = Vec::new();
    for (((setting, outcome), mut all), take) in strata.into_iter().zip(proportional(&counts, needed)) {
        sample.strata.push(Stratum { setting, outcome, answers: all.len(), drawn: take });
        all.sort_by_cached_key(|each| lot(&each.key, options.seed));
        drawn.extend(all.into_iter().take(take));
    }
    // Whoever reviews is not to know what comes next.
    drawn.sort_by_cached_key(|each| lot(&each.key, !options.seed));
    sample.rows = rows(run, &drawn)?;
    Ok(sample)
}

/// A number for an answer that says nothing of it.
fn lot((item, setting, seed, sample): &Key, drawn_by: u64) -> [u8; 32] {
    let text = serde_json::json!([drawn_by, item, setting, seed, sample]).to_string();
    *blake3::hash(text.as_bytes()).as_bytes()
}

fn rows(run: &Run, drawn: &[Drawable]) -> Result<Vec<[String; COLUMNS.len()]>, ReviewError> {
    let keys: HashSet<&Key> = drawn.iter().map(|each| &each.key).collect();
    let items: HashSet<(&str, &str, u32)> =
        drawn.iter().map(|each| (each.key.0.as_str(), each.key.1.as_str(), each.key.2)).collect();
    let mut functions: HashMap<(String, String, u32), (String, String)> = HashMap::new();
    for assignment in run.rows::<Assignment>()? {
        let Assignment { item, setting, seed, name, text, .. } = assignment?;
        if items.contains(&(&item, &setting, seed)) {
            functions.insert((item, setting, seed), (name, text));
        }
    }
    let mut said: HashMap<Key, (String, String)> = HashMap::new();
    for answer in run.rows::<Answer>()? {
        let Answer { item, setting, seed, sample, prompt, text, .. } = answer?;
        let key = (item, setting, seed, sample);
        if keys.contains(&key) {
            said.insert(key, (prompt.unwrap_or_default(), text.unwrap_or_default()));
        }
    }
    let mut found: HashMap<Key, (String, String)> = HashMap::new();
    for mark in run.rows::<Mark>()? {
        let mark = mark?;
        let key = key(&mark);
        if keys.contains(&key) {
            found.insert(key, (mark.code.unwrap_or_default(), mark.detail.unwrap_or_default()));
        }
    }
    let row = |each: &Drawable| {
        let (item, setting, seed, sample) = each.key.clone();
        let (prompt, answer) = said.get(&each.key).cloned().unwrap_or_default();
        let (code, detail) = found.get(&each.key).cloned().unwrap_or_default();
        let (name, function) = functions.get(&(item.clone(), setting.clone(), seed)).cloned().unwrap_or_default();
        let ours = [each.outcome.to_string(), each.mistake.map(|mistake| mistake.to_string()).unwrap_or_default()];
        let [outcome, mistake] = ours;
        let [name, detail, prompt, answer, code, function] =
            [name, detail, prompt, answer, code, function].map(|text| harmless(&text));
        let empty = String::new;
        [
            item,
            setting,
            seed.to_string(),
            sample.to_string(),
            name,
            outcome,
            mistake,
            detail,
            prompt,
            answer,
            code,
            function,
            empty(),
            empty(),
            empty(),
        ]
    };
    Ok(drawn.iter().map(row).collect())
}
