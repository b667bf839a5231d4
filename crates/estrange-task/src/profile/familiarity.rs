//! How much of a skill is lost, and one number for how much of all skills went with the names.
//!
//! What is lost of a skill is `(before − after) / (before − chance)`: `before` and `after` are means over the same functions, and
//! `chance` is what whoever guesses gets. Everything is lost where `after` is at chance, and no more can be. The number of a model
//! is the mean of that over its tasks, from functions as written to the settings that only rename. Intervals come from drawing
//! functions, each with what all tasks say of it.

use std::collections::{BTreeMap, BTreeSet};

use estrange_report::profile::{FamiliaritySheet, ModelProfile, SettingSheet, Takes};
use estrange_stats::StatisticsError;
use estrange_stats::bootstrap::{Bootstrap, Estimate};
use estrange_stats::summary::summarize;

use super::matched::{Matched, matched, shared};
use super::scores::Skill;
use super::{DocumentOptions, FEWEST, ProfileError};
use crate::sheets::shown;

/// How many standard errors a skill must be above chance for a share of it to mean something.
const CLEARLY: f64 = 3.0;

/// What is lost of a skill, or why that cannot be said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Loss {
    /// The share of what is above chance.
    Known(Estimate),
    /// There are fewer than [`FEWEST`] functions.
    TooFew(usize),
    /// As written it is not clearly above chance: there is nothing to lose.
    AtChance,
}

impl Loss {
    /// The share, if it is known.
    pub fn known(self) -> Option<estrange_report::document::Estimate> {
        match self {
            Self::Known(estimate) => Some(shown(estimate)),
            _ => None,
        }
    }
}

/// What is lost of a skill on these functions.
pub fn lost(rows: &[Matched], chance: f64, bootstrap: &Bootstrap) -> Result<Loss, StatisticsError> {
    if let Some(without) = without(rows, chance)? {
        return Ok(without);
    }
    let all: Vec<Option<Matched>> = rows.iter().copied().map(Some).collect();
    Ok(Loss::Known(estimate(&[(0, chance, all)], bootstrap)?))
}

/// Why nothing can be said of these functions.
fn without(rows: &[Matched], chance: f64) -> Result<Option<Loss>, StatisticsError> {
    if rows.len() < FEWEST {
        return Ok(Some(Loss::TooFew(rows.len())));
    }
    let before = summarize(&rows.iter().map(|row| row.before).collect::<Vec<_>>())?;
    let is_clear = before.mean > chance && before.mean - chance >= CLEARLY * before.standard_error;
    Ok((!is_clear).then_some(Loss::AtChance))
}

/// The share that is lost from one mean to another.
fn share(before: f64, after: f64, chance: f64) -> f64 {
    // A draw of functions may be at chance where all of them are not: nothing is lost of nothing.
    if before > chance { ((before - after) / (before - chance)).min(1.0) } else { 0.0 }
}

/// The task of a skill by its number, its chance level, and its scores: one for each of all functions, where it has one.
type OfSkill = (usize, f64, Vec<Option<Matched>>);

/// The mean over tasks of what is lost, where functions are drawn; a task with several skills counts once.
fn estimate(skills: &[OfSkill], bootstrap: &Bootstrap) -> Result<Estimate, StatisticsError> {
    let count = skills.first().map_or(0, |(.., rows)| rows.len());
    let places: Vec<f64> = (0..count).map(|place| place as f64).collect();
    bootstrap.statistic(&places, |drawn| {
        let mut tasks: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (task, chance, rows) in skills {
            let (mut before, mut after, mut functions) = (0.0, 0.0, 0.0);
            for row in drawn.iter().filter_map(|place| rows[*place as usize]) {
                before += row.before;
                after += row.after;
                functions += 1.0;
            }
            if functions > 0.0 {
                let (sum, count) = tasks.entry(*task).or_default();
                *sum += share(before / functions, after / functions, *chance);
                *count += 1.0;
            }
        }
        let means: f64 = tasks.values().map(|(sum, count)| sum / count).sum();
        means / tasks.len().max(1) as f64
    })
}

/// Says of a model how much of its skill went with the names, or why that cannot be said.
pub fn fill(
    profile: &mut ModelProfile,
    skills: &[Skill],
    settings: &[SettingSheet],
    options: &DocumentOptions<'_>,
) -> Result<(), ProfileError> {
    let renamed = renamed(skills, settings);
    let all: Vec<BTreeMap<&str, Matched>> =
        skills.iter().zip(&renamed).map(|(skill, settings)| matched(skill, settings)).collect();
    let enough = all.iter().filter(|own| own.len() >= FEWEST);
    let common = shared(enough.map(|own| own.keys().copied().collect()));
    let is_in = |function: &str| common.as_ref().is_none_or(|common| common.contains(function));
    let mut counted: Vec<usize> = Vec::new();
    for (place, (skill, own)) in skills.iter().zip(&all).enumerate() {
        let rows: Vec<Matched> = own.iter().filter(|(function, _)| is_in(function)).map(|(_, row)| *row).collect();
        let sheet = &mut profile.skills[place];
        match lost(&rows, skill.headline.chance, &options.bootstrap())? {
            Loss::Known(estimate) => {
                sheet.lost = Some(shown(estimate));
                counted.push(place);
            }
            loss => sheet.why_not = Some(why(loss, skill, &renamed[place])),
        }
    }
    let left_out =
        profile.skills.iter().filter_map(|sheet| Some(format!("{}: {}", sheet.name, sheet.why_not.as_ref()?)));
    profile.why_not = Some(left_out.collect::<Vec<_>>().join("; ")).filter(|why| !why.is_empty());
    if counted.is_empty() {
        return Ok(());
    }
    let functions: BTreeSet<&str> =
        counted.iter().flat_map(|place| all[*place].keys().copied()).filter(|function| is_in(function)).collect();
    let number = |task: &str| skills.iter().position(|other| other.task == task).unwrap_or_default();
    let of = |place: &usize| -> OfSkill {
        let rows = functions.iter().map(|function| all[*place].get(function).copied());
        (number(&skills[*place].task), skills[*place].headline.chance, rows.collect())
    };
    let lost = estimate(&counted.iter().map(of).collect::<Vec<_>>(), &options.bootstrap())?;
    let names: BTreeSet<&str> = counted.iter().flat_map(|place| renamed[*place].iter().copied()).collect();
    let has_all = |place: &usize| functions.iter().all(|function| all[*place].contains_key(function));
    profile.familiarity = Some(FamiliaritySheet {
        lost: shown(lost),
        settings: names.into_iter().map(str::to_owned).collect(),
        functions: functions.len(),
        is_shared: counted.iter().all(has_all),
        skills: counted,
    });
    Ok(())
}

/// The settings of each skill that only rename: those that all skills with such settings have, or else its own.
fn renamed<'s>(skills: &[Skill], settings: &'s [SettingSheet]) -> Vec<Vec<&'s str>> {
    let names = settings.iter().filter(|setting| setting.takes == Takes::Names).map(|setting| setting.name.as_str());
    let names: Vec<&str> = names.collect();
    let own: Vec<Vec<&str>> = skills
        .iter()
        .map(|skill| names.iter().copied().filter(|name| skill.settings.contains_key(*name)).collect())
        .collect();
    let with: Vec<&Vec<&str>> = own.iter().filter(|own| !own.is_empty()).collect();
    let common: Vec<&str> = names.iter().copied().filter(|name| with.iter().all(|own| own.contains(name))).collect();
    if common.is_empty() {
        return own;
    }
    own.iter().map(|own| if own.is_empty() { Vec::new() } else { common.clone() }).collect()
}

fn why(loss: Loss, skill: &Skill, renamed: &[&str]) -> String {
    match loss {
        _ if skill.settings.is_empty() => format!("the run has no scores by {}", skill.headline.measure),
        _ if skill.as_written().is_empty() => "it was not asked about functions as they were written".to_owned(),
        _ if renamed.is_empty() => "it was asked in no setting that only renames".to_owned(),
        Loss::TooFew(0) => "no function is there both as written and renamed".to_owned(),
        Loss::TooFew(functions) => format!("{functions} of the {FEWEST} functions that are needed at least"),
        _ => "as written it is not clearly above chance".to_owned(),
    }
}
