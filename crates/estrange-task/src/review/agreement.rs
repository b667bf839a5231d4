//! Labels that people gave, held against ours.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use estrange_bench::{Mistake, Outcome, Run};
use estrange_report::document::Estimate;
use estrange_stats::StatisticsError;
use estrange_stats::agreement::cohen_kappa;
use estrange_stats::bootstrap::Bootstrap;
use serde::Serialize;

use super::sheet::rows;
use super::{Key, ReviewError, is_written, key, mistake};
use crate::generate::Mark;
use crate::sheets::shown;

/// How often is drawn for an interval.
const ROUNDS: usize = 2_000;

/// What people say of a run's answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Review {
    /// How many answers have a label.
    pub reviewed: usize,
    /// How many rows of the file have none.
    pub without: usize,
    /// How far labels agree: on whether an answer passes, on its outcome, on why it does not compile.
    pub agreements: Vec<Agreement>,
    /// What we say and what they say, where these are not the same.
    pub confusions: Vec<Confusion>,
}

/// How far labels agree with ours.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// On what.
    pub on: &'static str,
    /// How many labels there are.
    pub labels: usize,
    /// The share of labels that are the same.
    pub same: Estimate,
    /// Cohen's kappa; none where both say the same of everything.
    pub kappa: Option<Estimate>,
}

/// What we say and what they say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// We.
    pub ours: Outcome,
    /// They.
    pub theirs: Outcome,
    /// How often.
    pub answers: usize,
}

/// A label, with ours.
struct Label {
    outcome: (Outcome, Outcome),
    mistake: Option<(Mistake, Mistake)>,
}

/// Reads labels from a file, and holds them against those of the run.
pub fn review(run: &Run, path: &Path) -> Result<Review, ReviewError> {
    is_written(run)?;
    let (labels, without) = labels(run, path)?;
    if labels.is_empty() {
        return Err(ReviewError::NotReviewed(path.to_owned()));
    }
    let passes: Vec<(bool, bool)> =
        labels.iter().map(|label| (label.outcome.0 == Outcome::Passed, label.outcome.1 == Outcome::Passed)).collect();
    let outcomes: Vec<(Outcome, Outcome)> = labels.iter().map(|label| label.outcome).collect();
    let mistakes: Vec<(Mistake, Mistake)> = labels.iter().filter_map(|label| label.mistake).collect();
    let mut agreements = vec![agreement("passes or not", &passes)?, agreement("outcome", &outcomes)?];
    if !mistakes.is_empty() {
        agreements.push(agreement("mistake", &mistakes)?);
    }
    let mut counts: BTreeMap<(Outcome, Outcome), usize> = BTreeMap::new();
    for (ours, theirs) in outcomes.into_iter().filter(|(ours, theirs)| ours != theirs) {
        *counts.entry((ours, theirs)).or_default() += 1;
    }
    let confusion = |((ours, theirs), answers)| Confusion { ours, theirs, answers };
    Ok(Review { reviewed: labels.len(), without, agreements, confusions: counts.into_iter().map(confusion).collect() })
}

fn agreement<W: Copy + Ord>(on: &'static str, labels: &[(W, W)]) -> Result<Agreement, StatisticsError> {
    let bootstrap = Bootstrap { resamples: ROUNDS, ..Bootstrap::seeded(0) };
    let same: Vec<f64> = labels.iter().map(|(ours, theirs)| f64::from(u8::from(ours == theirs))).collect();
    let kappa = match cohen_kappa(labels) {
        Err(StatisticsError::Constant) => None,
        Err(error) => return Err(error),
        Ok(value) => {
            let places: Vec<f64> = (0..labels.len()).map(|place| place as f64).collect();
            let drawn = bootstrap.statistic(&places, |places| {
                let drawn: Vec<(W, W)> = places.iter().map(|place| labels[*place as usize]).collect();
                // In a draw both may say the same of everything: it says nothing.
                cohen_kappa(&drawn).unwrap_or(value)
            })?;
            Some(shown(drawn))
        }
    };
    Ok(Agreement { on, labels: labels.len(), same: shown(bootstrap.mean(&same)?), kappa })
}

/// The labels of a file, and how many rows have none.
fn labels(run: &Run, path: &Path) -> Result<(Vec<Label>, usize), ReviewError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| ReviewError::Unreadable { path: path.to_owned(), source })?;
    let rows = rows(&text);
    let (names, rows) = rows.split_first().map_or((&[][..], &[][..]), |(names, rows)| (&names[..], rows));
    let place = |column: &str| names.iter().position(|name| name.trim() == column);
    let needed =
        |column: &'static str| place(column).ok_or_else(|| ReviewError::NoColumn { path: path.to_owned(), column });
    let columns =
        [needed("item")?, needed("setting")?, needed("seed")?, needed("sample")?, needed("reviewed_outcome")?];
    let mistake_column = place("reviewed_mistake");
    let ours = ours(run)?;
    let (mut labels, mut without, mut seen) = (Vec::new(), 0, HashSet::new());
    for (at, row) in rows.iter().enumerate() {
        let wrong = |detail: String| ReviewError::Row { path: path.to_owned(), row: at + 2, detail };
        let cell = |column: usize| row.get(column).map_or("", |cell| cell.trim());
        let [item, setting, seed, sample, outcome] = columns.map(cell);
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong(format!("`{text}` is no number")));
        let key = (item.to_owned(), setting.to_owned(), number(seed)?, number(sample)?);
        let (our_outcome, our_mistake) = *ours
            .get(&key)
            .ok_or_else(|| wrong(format!("the run has no answer {sample} to `{item}` in {setting}, seed {seed}")))?;
        if !seen.insert(key) {
            return Err(wrong("the answer has a row already".to_owned()));
        }
        if outcome.is_empty() {
            without += 1;
            continue;
        }
        let theirs: Outcome = outcome.parse().map_err(|error: estrange_words::UnknownWord| wrong(error.to_string()))?;
        let named = mistake_column.map(cell).filter(|word| !word.is_empty());
        let named = named
            .map(|word| word.parse::<Mistake>().map_err(|error: estrange_words::UnknownWord| wrong(error.to_string())));
        let named = named.transpose()?;
        labels.push(Label { outcome: (our_outcome, theirs), mistake: our_mistake.zip(named) });
    }
    Ok((labels, without))
}

fn ours(run: &Run) -> Result<HashMap<Key, (Outcome, Option<Mistake>)>, ReviewError> {
    let mut ours = HashMap::new();
    for mark in run.rows::<Mark>()? {
        let mark = mark?;
        ours.insert(key(&mark), (mark.outcome, mistake(&mark)));
    }
    Ok(ours)
}
