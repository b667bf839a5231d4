//! Runs of generation on one bench as a document to be shown.

use std::collections::{BTreeMap, BTreeSet};

use estrange_bench::{Bench, Outcome, Run, Writing};
use estrange_report::detect::FallSheet;
use estrange_report::document::{Estimate, Fact};
use estrange_report::generate::{
    AnswerSheet, AuthorSheet, CutoffSheet, FunctionSheet, FunnelSheet, GenerateResults, MistakeSheet, OrderSheet,
    QualitySheet, WorldSheet, WritingSheet,
};
use estrange_stats::bootstrap::Bootstrap;
use estrange_stats::correlation::kendall;
use estrange_words::Mistake;

use super::STANDARD;
use super::error::GenerateError;
use super::generation::is_one;
use super::judged::{Judged, judged};
use super::seen::seen;
use super::sums::{Drawn, Fall, by_function, fall, level, pass_at};
use super::tally::Tally;
use crate::sheets::{card_facts, made, model_name, ordered_settings, shown};

/// How a document is made.
#[derive(Debug, Clone)]
pub struct DocumentOptions {
    /// What it is called.
    pub title: String,
    /// How often is drawn for an interval, and how functions are swapped for a test.
    pub rounds: usize,
    /// What is drawn depends on it.
    pub seed: u64,
    /// How many functions are shown with what was written in their place.
    pub shown: usize,
}

impl Default for DocumentOptions {
    fn default() -> Self {
        Self { title: "Writing functions".to_owned(), rounds: 2_000, seed: 0, shown: 60 }
    }
}

impl DocumentOptions {
    /// How is drawn for intervals, and how often functions are swapped for a test.
    fn draws(&self) -> (Bootstrap, usize) {
        (Bootstrap { resamples: self.rounds, ..Bootstrap::seeded(self.seed) }, self.rounds)
    }
}

/// From how many times the function's steps on an answer counts as slow.
const SLOW: f64 = 2.0;

/// Puts runs side by side, on a bench or on problems. All numbers come from the runs.
pub fn document(
    bench: Option<&Bench>,
    runs: &[Run],
    options: &DocumentOptions,
) -> Result<GenerateResults, GenerateError> {
    let mut read: Vec<(&Run, Vec<Judged>)> = Vec::new();
    for run in runs {
        is_one(run)?;
        read.push((run, judged(run.tables())?));
    }
    let all = || read.iter().flat_map(|(_, judged)| judged);
    let mut settings = ordered_settings(all().map(|item| item.assignment.setting.as_str()));
    settings.sort_by_key(|setting| setting != STANDARD);
    let projects: Vec<String> =
        all().map(|item| item.assignment.source.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    let drawn = Drawn::of(projects.len());
    let mut levels = Vec::new();
    for (author, (_, judged)) in read.iter().enumerate() {
        for (setting, name) in settings.iter().enumerate() {
            let places = (0..projects.len()).map(Some).filter(|_| projects.len() > 1);
            for project in [None].into_iter().chain(places) {
                let is_in = |item: &&Judged| project.is_none_or(|at| item.assignment.source == projects[at]);
                let of = |setting: &str| -> Vec<&Judged> {
                    judged.iter().filter(|item| item.assignment.setting == setting).filter(is_in).collect()
                };
                let sheet = sheet((of(name), of(&settings[0])), name == &settings[0], drawn, options)?;
                let cutoff = cutoff(read[author].0).filter(|_| project.is_none());
                let seen = match cutoff {
                    Some(cutoff) => seen(&of(name), &cutoff.day, drawn, options.draws())?,
                    None => None,
                };
                levels.extend(sheet.map(|sheet| WritingSheet { author, setting, project, seen, ..sheet }));
            }
        }
    }
    Ok(GenerateResults {
        title: options.title.clone(),
        made: bench.map_or_else(|| problems(runs), |bench| made(bench, runs)),
        confidence: 0.95,
        drawn: drawn.word().to_owned(),
        authors: read.iter().map(|(run, judged)| author(run, judged)).collect(),
        orders: orders(&levels, settings.len(), options)?,
        all_functions: all().map(|item| &item.assignment.item).collect::<BTreeSet<_>>().len(),
        shown: functions(&read, &settings, options.shown),
        levels,
        settings,
        projects,
    })
}

/// What runs on problems were about.
fn problems(runs: &[Run]) -> Vec<Fact> {
    runs.first().map(|run| Fact::new("problems", run.facts().bench_hash.clone())).into_iter().collect()
}

fn author(run: &Run, judged: &[Judged]) -> AuthorSheet {
    let facts = run.facts();
    let mut sheet = card_facts(facts);
    if let Some(lost) = facts.options["lost"].as_object().filter(|lost| !lost.is_empty()) {
        let counts: Vec<String> = lost.iter().map(|(reason, count)| format!("{count} ({reason})")).collect();
        sheet.push(Fact::new("functions that were not asked for", counts.join(", ")));
    }
    let funnel: Option<FunnelSheet> = serde_json::from_value(facts.options["funnel"].clone()).unwrap_or_default();
    sheet.extend(funnel.iter().flat_map(without_history));
    AuthorSheet {
        name: model_name(facts).to_owned(),
        asked: judged.first().map_or(Writing::Generation, |first| first.assignment.asks).to_string(),
        graded: facts.card["graded"].as_str().unwrap_or("function").to_owned(),
        facts: sheet,
        cutoff: cutoff(run),
        funnel,
    }
}

/// The projects of which no change is known, with the reasons, and what of others could not be read.
fn without_history(funnel: &FunnelSheet) -> Vec<Fact> {
    let all = funnel.projects.iter().filter_map(|project| match &project.left_out {
        Some((reason, _)) => Some(format!("{} ({reason})", project.name)),
        None if project.unread > 0 => Some(format!("{} ({} files not read)", project.name, project.unread)),
        None => None,
    });
    let all: Vec<String> = all.collect();
    if all.is_empty() { Vec::new() } else { vec![Fact::new("projects without a known history", all.join(", "))] }
}

/// Until when a run's author was trained, as the run has it.
fn cutoff(run: &Run) -> Option<CutoffSheet> {
    let card = &run.facts().card;
    let source = card["cutoff_source"].as_str().unwrap_or_default().to_owned();
    Some(CutoffSheet { day: card["cutoff"].as_str()?.to_owned(), source })
}

fn sheet(
    (items, standard): (Vec<&Judged>, Vec<&Judged>),
    is_first: bool,
    drawn: Drawn,
    options: &DocumentOptions,
) -> Result<Option<WritingSheet>, GenerateError> {
    if items.is_empty() {
        return Ok(None);
    }
    let (bootstrap, _) = options.draws();
    let (all, cpr, tpr) = level(&items, drawn, &bootstrap)?;
    let functions = by_function(items.iter().copied());
    let lost = |rate: fn(&Tally) -> f64| -> Result<Option<FallSheet>, GenerateError> {
        if is_first {
            return Ok(None);
        }
        let before = by_function(standard.iter().copied());
        Ok(fall(&before, &functions, &bootstrap, options.rounds, rate)?.map(fall_sheet))
    };
    let marks = || items.iter().flat_map(|item| &item.marks);
    let mut outcomes: BTreeMap<Outcome, u64> = BTreeMap::new();
    let mut mistakes: BTreeMap<Mistake, [u64; 2]> = BTreeMap::new();
    for mark in marks() {
        *outcomes.entry(mark.outcome).or_default() += 1;
        for (place, mistake) in [mark.gcc_mistake, mark.clang_mistake].into_iter().enumerate() {
            if let Some(mistake) = mistake {
                mistakes.entry(mistake).or_default()[place] += 1;
            }
        }
    }
    let total: u64 = outcomes.values().sum();
    Ok(Some(WritingSheet {
        functions: functions.len(),
        answers: all.answers,
        compiled: all.compiled,
        passed: all.passed,
        ungraded: total - all.answers,
        cpr: shown(cpr),
        tpr: shown(tpr),
        pass_at: pass_at(&functions)?,
        outcomes: outcomes.iter().map(|(outcome, count)| (outcome.to_string(), *count)).collect(),
        mistakes: mistakes
            .iter()
            .map(|(mistake, [by_gcc, by_clang])| MistakeSheet {
                category: mistake.category().to_string(),
                mistake: mistake.to_string(),
                by_gcc: *by_gcc,
                by_clang: *by_clang,
            })
            .collect(),
        fall: lost(Tally::tpr)?,
        cpr_fall: lost(Tally::cpr)?,
        quality: quality(&items),
        ..WritingSheet::default()
    }))
}

fn fall_sheet(fall: Fall) -> FallSheet {
    FallSheet {
        pairs: fall.pairs,
        before: fall.before,
        after: fall.after,
        lost: shown(fall.lost),
        p_value: fall.p_value,
    }
}

fn quality(items: &[&Judged]) -> QualitySheet {
    let passing = || items.iter().flat_map(|item| &item.marks).filter(|mark| mark.outcome == Outcome::Passed);
    let mut steps: Vec<f64> = passing().filter_map(|mark| mark.steps).collect();
    steps.sort_by(f64::total_cmp);
    QualitySheet {
        passed: passing().count() as u64,
        leaves_memory: passing().filter(|mark| mark.left.is_some_and(|left| left > 0)).count() as u64,
        not_robust: passing().filter(|mark| mark.short_of_memory.is_some()).count() as u64,
        slow: steps.iter().filter(|steps| **steps >= SLOW).count() as u64,
        steps: steps.get(steps.len() / 2).copied(),
    }
}

/// How far the order of models in each setting is that of the first one. Intervals are found by drawing models.
fn orders(
    levels: &[WritingSheet],
    settings: usize,
    options: &DocumentOptions,
) -> Result<Vec<OrderSheet>, GenerateError> {
    let rates = |setting: usize| -> BTreeMap<usize, f64> {
        let own = levels.iter().filter(|level| level.setting == setting && level.project.is_none());
        own.map(|level| (level.author, level.tpr.value)).collect()
    };
    let first = rates(0);
    let mut orders = Vec::new();
    for setting in 1..settings {
        let other = rates(setting);
        let both: Vec<(f64, f64)> =
            first.iter().filter_map(|(author, rate)| Some((*rate, *other.get(author)?))).collect();
        let tau = |both: &[(f64, f64)]| {
            let (one, other): (Vec<f64>, Vec<f64>) = both.iter().copied().unzip();
            kendall(&one, &other).map(|found| found.coefficient).ok().filter(|tau| tau.is_finite())
        };
        let Some(value) = tau(&both) else { continue };
        let bootstrap = Bootstrap { resamples: options.rounds, ..Bootstrap::seeded(options.seed) };
        let places: Vec<f64> = (0..both.len()).map(|place| place as f64).collect();
        let drawn = bootstrap.statistic(&places, |places| {
            let drawn: Vec<(f64, f64)> = places.iter().map(|place| both[*place as usize]).collect();
            tau(&drawn).unwrap_or(value)
        })?;
        orders.push(OrderSheet { setting, models: both.len(), kendall: Estimate { value, ..shown(drawn) } });
    }
    Ok(orders)
}

/// What was written in a function's place, each with its author's place.
type ByAuthor<'j> = Vec<(usize, &'j Judged)>;

/// Functions with what was written in their place: those first of which answers differ most between settings.
fn functions(read: &[(&Run, Vec<Judged>)], settings: &[String], most: usize) -> Vec<FunctionSheet> {
    let mut found: BTreeMap<&str, ByAuthor<'_>> = BTreeMap::new();
    for (author, (_, judged)) in read.iter().enumerate() {
        for item in judged {
            found.entry(&item.assignment.item).or_default().push((author, item));
        }
    }
    let mut functions: Vec<(usize, &str, ByAuthor<'_>)> = found
        .into_iter()
        .map(|(item, own)| {
            let outcomes = own.iter().flat_map(|(_, item)| &item.marks).map(|mark| mark.outcome);
            (outcomes.collect::<BTreeSet<_>>().len(), item, own)
        })
        .collect();
    functions.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(other.1)));
    functions.into_iter().take(most).map(|(_, _, own)| function(&own, settings)).collect()
}

fn function(own: &[(usize, &Judged)], settings: &[String]) -> FunctionSheet {
    let mut worlds: Vec<WorldSheet> = Vec::new();
    for (author, item) in own {
        let Some(setting) = settings.iter().position(|name| *name == item.assignment.setting) else { continue };
        let text = &item.assignment.text;
        let place = worlds.iter().position(|world| world.setting == setting && world.text == *text);
        let place = place.unwrap_or_else(|| {
            worlds.push(WorldSheet { setting, text: text.clone(), answers: Vec::new() });
            worlds.len() - 1
        });
        worlds[place].answers.extend(item.marks.iter().map(|mark| AnswerSheet {
            author: *author,
            text: mark.code.clone().unwrap_or_default(),
            outcome: mark.outcome.to_string(),
            detail: mark.detail.clone(),
        }));
    }
    worlds.sort_by_key(|world| world.setting);
    let name = own.first().map_or_else(String::new, |(_, item)| {
        format!("{} in {} of {}", item.assignment.name, item.assignment.path, item.assignment.source)
    });
    FunctionSheet { name, settings: worlds }
}
