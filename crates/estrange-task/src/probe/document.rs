//! Runs of the probe on one bench as a document to be shown.

use std::collections::{BTreeMap, BTreeSet};

use estrange_bench::{Asks, Bench, Run};
use estrange_report::detect::FallSheet;
use estrange_report::document::Fact;
use estrange_report::probe::{LevelSheet, ProbeResults, RespondentSheet};
use estrange_stats::bootstrap::Bootstrap;

use super::comprehension::is_one;
use super::error::ProbeError;
use super::judged::{Judged, judged};
use super::sums::{by_pair, fall, level};
use crate::detect::STANDARD;
use crate::sheets::{card_facts, made, model_name, ordered_settings, shown};

/// How a document is made.
#[derive(Debug, Clone)]
pub struct DocumentOptions {
    /// What it is called.
    pub title: String,
    /// How often is drawn for an interval, and how pairs are swapped for a test.
    pub rounds: usize,
    /// What is drawn depends on it.
    pub seed: u64,
}

impl Default for DocumentOptions {
    fn default() -> Self {
        Self { title: "Comprehension".to_owned(), rounds: 2_000, seed: 0 }
    }
}

/// Puts runs side by side. All numbers come from the runs.
pub fn document(bench: &Bench, runs: &[Run], options: &DocumentOptions) -> Result<ProbeResults, ProbeError> {
    let mut read: Vec<(&Run, Vec<Judged>)> = Vec::new();
    for run in runs {
        is_one(run)?;
        read.push((run, judged(run.tables())?));
    }
    let all = || read.iter().flat_map(|(_, judged)| judged);
    let settings = ordered_settings(all().map(|item| item.question.setting.as_str()));
    let mut levels = Vec::new();
    for (respondent, (_, judged)) in read.iter().enumerate() {
        for (setting, name) in settings.iter().enumerate() {
            levels.extend(level_sheet(judged, (respondent, setting), name, options)?);
        }
    }
    Ok(ProbeResults {
        title: options.title.clone(),
        made: made(bench, runs),
        confidence: 0.95,
        respondents: read.iter().map(|(run, judged)| sheet(run, judged)).collect(),
        levels,
        all_pairs: all().map(|item| &item.question.pair).collect::<BTreeSet<_>>().len(),
        all_questions: all().map(|item| &item.question.item).collect::<BTreeSet<_>>().len(),
        settings,
    })
}

fn sheet(run: &Run, judged: &[Judged]) -> RespondentSheet {
    let facts = run.facts();
    let mut sheet_facts = card_facts(facts);
    if let Some(without) = facts.options["unasked"].as_object().filter(|without| !without.is_empty()) {
        let counts: Vec<String> = without.iter().map(|(reason, count)| format!("{count} ({reason})")).collect();
        sheet_facts.push(Fact::new("pairs without a question", counts.join(", ")));
    }
    RespondentSheet {
        name: model_name(facts).to_owned(),
        asked: judged.first().map_or(Asks::Call, |first| first.question.asks).to_string(),
        sees: facts.card["sees"].as_str().unwrap_or_default().to_owned(),
        facts: sheet_facts,
    }
}

fn level_sheet(
    judged: &[Judged],
    (respondent, setting): (usize, usize),
    name: &str,
    options: &DocumentOptions,
) -> Result<Option<LevelSheet>, ProbeError> {
    let of = |setting: &str| judged.iter().filter(|item| item.question.setting == setting).collect::<Vec<_>>();
    let (items, standard) = (of(name), of(STANDARD));
    if items.is_empty() {
        return Ok(None);
    }
    let bootstrap = Bootstrap { resamples: options.rounds, ..Bootstrap::seeded(options.seed) };
    let pairs = by_pair(items.iter().copied());
    let (all, accuracy) = level(&pairs, &bootstrap)?;
    let lost = match name == STANDARD {
        true => None,
        false => fall(&by_pair(standard), &pairs, &bootstrap, options.rounds)?,
    };
    let mean = |of: fn(&Judged) -> Option<f64>| {
        let values: Vec<f64> = items.iter().filter_map(|item| of(item)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let mut problems: BTreeMap<String, u64> = BTreeMap::new();
    for problem in items.iter().flat_map(|item| &item.problems) {
        *problems.entry(problem.to_string()).or_default() += 1;
    }
    Ok(Some(LevelSheet {
        respondent,
        setting,
        pairs: pairs.len(),
        questions: all.asked,
        answered: all.answered,
        right: all.right,
        accuracy: shown(accuracy),
        fall: lost.map(|fall| FallSheet {
            pairs: fall.pairs,
            before: fall.before,
            after: fall.after,
            lost: shown(fall.lost),
            p_value: fall.p_value,
        }),
        reciprocal_rank: mean(|item| item.reciprocal_rank),
        agreement: mean(|item| item.agreement),
        problems: problems.into_iter().collect(),
    }))
}
