//! Runs of detections on one bench as a document to be shown.

mod browser;

use std::collections::{BTreeMap, BTreeSet};

use estrange_bench::{Bench, Label, Run};
use estrange_report::detect::{ClassSheet, DetectResults, DetectorSheet, FallSheet, LevelSheet, Outcomes};
use estrange_report::document::Fact;
use estrange_stats::bootstrap::Bootstrap;
use rayon::prelude::*;

use super::STANDARD;
use super::detection::is_one;
use super::error::DetectError;
use super::judged::{Judged, judged};
use super::sums::{ByPair, by_pair, fall, flips, level};
use crate::drawn::sum;
use crate::sheets::{card_facts, made, model_name, ordered_settings, shown};

/// How a document is made.
#[derive(Debug, Clone)]
pub struct DocumentOptions {
    /// What it is called.
    pub title: String,
    /// How often is drawn for an interval, and how pairs are swapped for a test.
    pub rounds: usize,
    /// How many pairs are shown with their texts.
    pub shown: usize,
    /// What is drawn depends on it.
    pub seed: u64,
}

impl Default for DocumentOptions {
    fn default() -> Self {
        Self { title: "Detection".to_owned(), rounds: 2_000, shown: 200, seed: 0 }
    }
}

/// A run, and what its answers come to.
struct Read<'r> {
    run: &'r Run,
    judged: Vec<Judged>,
}

impl Read<'_> {
    fn of(&self, setting: &str) -> Vec<&Judged> {
        self.judged.iter().filter(|item| item.case.setting == setting).collect()
    }
}

/// Puts runs side by side. Texts are read from the bench, where pairs are to be shown; all numbers come from the runs.
pub fn document(bench: &Bench, runs: &[Run], options: &DocumentOptions) -> Result<DetectResults, DetectError> {
    let mut read = Vec::new();
    for run in runs {
        is_one(run)?;
        read.push(Read { run, judged: judged(run.tables())? });
    }
    let all = read.iter().flat_map(|read| &read.judged);
    let settings = ordered_settings(all.map(|item| item.case.setting.as_str()));
    let mut document = DetectResults {
        title: options.title.clone(),
        made: made(bench, runs),
        confidence: 0.95,
        detectors: read.iter().map(sheet).collect(),
        settings: settings.clone(),
        ..DetectResults::default()
    };
    let places: Vec<(usize, usize)> =
        (0..read.len()).flat_map(|detector| (0..settings.len()).map(move |setting| (detector, setting))).collect();
    let levels: Vec<Option<LevelSheet>> = places
        .par_iter()
        .map(|&(detector, setting)| level_sheet(&read[detector], (detector, setting), &settings, options))
        .collect::<Result<_, DetectError>>()?;
    document.levels = levels.into_iter().flatten().collect();
    document.classes =
        places.iter().flat_map(|&(detector, setting)| classes(&read, detector, setting, &settings)).collect();
    document.all_pairs =
        read.iter().flat_map(|read| &read.judged).map(|item| &item.case.pair).collect::<BTreeSet<_>>().len();
    if options.shown > 0 {
        document.pairs = browser::pairs(bench, &read, &settings, options.shown)?;
    }
    Ok(document)
}

fn sheet(read: &Read<'_>) -> DetectorSheet {
    let facts = read.run.facts();
    let label = read.judged.first().map_or(Label::CrashConfirmed, |item| item.case.label);
    let mut sheet_facts = card_facts(facts);
    if let Some(alike) = facts.options["alike"].as_u64().filter(|alike| *alike > 0) {
        sheet_facts.push(Fact::new("pairs left out", format!("{alike}, whose sides look the same in this view")));
    }
    DetectorSheet {
        name: model_name(facts).to_owned(),
        label: label.to_string(),
        sees: facts.card["sees"].as_str().unwrap_or_default().to_owned(),
        facts: sheet_facts,
    }
}

fn level_sheet(
    read: &Read<'_>,
    (detector, setting): (usize, usize),
    settings: &[String],
    options: &DocumentOptions,
) -> Result<Option<LevelSheet>, DetectError> {
    let (items, standard) = (read.of(&settings[setting]), read.of(STANDARD));
    if items.is_empty() {
        return Ok(None);
    }
    let bootstrap = Bootstrap { resamples: options.rounds, ..Bootstrap::seeded(options.seed) };
    let pairs = by_pair(items.iter().copied());
    let sums = level(&pairs, &bootstrap)?;
    let is_standard = settings[setting] == STANDARD;
    let flips = if is_standard { None } else { flips(&standard, &items, &bootstrap)? };
    let before: ByPair<'_> = by_pair(standard.iter().copied());
    let fall = if is_standard { None } else { fall(&before, &pairs, &bootstrap, options.rounds)? };
    let agreements: Vec<f64> = items.iter().filter_map(|item| item.agreement).collect();
    let mut problems: BTreeMap<String, u64> = BTreeMap::new();
    for problem in items.iter().flat_map(|item| &item.problems) {
        *problems.entry(problem.to_string()).or_default() += 1;
    }
    Ok(Some(LevelSheet {
        detector,
        setting,
        items: sums.all.items(),
        answered: sums.all.answered,
        precision: shown(sums.precision),
        recall: shown(sums.recall),
        f1: shown(sums.f1),
        accuracy: shown(sums.accuracy),
        false_alarms: shown(sums.false_alarms),
        pairwise: shown(sums.pairwise),
        outcomes: Outcomes {
            pairs: sums.all.pairs,
            both_right: sums.all.both_right,
            both_flagged: sums.all.both_flagged,
            both_safe: sums.all.both_safe,
            swapped: sums.all.swapped,
            unanswered: sums.all.unanswered,
        },
        located: sums.located.map(shown),
        with_line: sums.all.with_line,
        flips: flips.map(shown),
        fall: fall.map(|fall| FallSheet {
            pairs: fall.pairs,
            before: fall.before,
            after: fall.after,
            lost: shown(fall.lost),
            p_value: fall.p_value,
        }),
        agreement: (!agreements.is_empty()).then(|| agreements.iter().sum::<f64>() / agreements.len() as f64),
        problems: problems.into_iter().collect(),
    }))
}

/// What a pair's bug is called where bugs are told apart: how it ends, or its weakness.
fn class_of(item: &Judged) -> String {
    match (item.case.class, item.case.cwe) {
        (Some(class), _) => class.to_string(),
        (None, Some(cwe)) => format!("CWE-{cwe}"),
        (None, None) => "not known".to_owned(),
    }
}

fn classes(read: &[Read<'_>], detector: usize, setting: usize, settings: &[String]) -> Vec<ClassSheet> {
    let mut by_class: BTreeMap<String, Vec<&Judged>> = BTreeMap::new();
    for item in read[detector].of(&settings[setting]) {
        by_class.entry(class_of(item)).or_default().push(item);
    }
    let sheet = |(class, items): (String, Vec<&Judged>)| {
        let pairs = by_pair(items);
        let confusion = sum(pairs.values()).confusion;
        ClassSheet {
            detector,
            setting,
            class,
            pairs: pairs.len(),
            recall: confusion.recall(),
            false_alarms: confusion.false_positive_rate(),
            f1: confusion.f1(),
        }
    };
    by_class.into_iter().map(sheet).collect()
}
