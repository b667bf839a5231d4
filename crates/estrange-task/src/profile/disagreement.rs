//! Functions that one skill of a model has, and another has not.

use std::collections::BTreeMap;

use estrange_report::profile::{DisagreementSheet, FunctionSheet, SettingSheet};

use super::functions::Functions;
use super::levels::mean;
use super::scores::Skill;

/// What is above chance must be at least this share of what could be.
const HAS_IT: f64 = 0.5;

/// A skill's place, its score, and the share that is above chance.
type Scored = (usize, f64, f64);

/// A function in a setting, with the score of each skill that was asked about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    setting: usize,
    function: String,
    scores: Vec<Scored>,
}

impl Found {
    fn gap(&self) -> f64 {
        let shares = || self.scores.iter().map(|(.., share)| *share);
        shares().fold(0.0, f64::max) - shares().fold(1.0, f64::min)
    }

    /// The skills that have it, or those that have it not.
    fn with(&self, has: bool) -> Vec<(usize, f64)> {
        let own = self.scores.iter().filter(|(.., share)| (*share >= HAS_IT) == has);
        own.map(|(skill, score, _)| (*skill, *score)).collect()
    }
}

/// All functions that several skills were asked about, by setting.
pub fn of(skills: &[Skill], settings: &[SettingSheet]) -> Vec<Found> {
    let mut all: BTreeMap<(usize, &str), Vec<Scored>> = BTreeMap::new();
    for (place, skill) in skills.iter().enumerate() {
        let chance = skill.headline.chance;
        for (setting, sheet) in settings.iter().enumerate() {
            for (function, items) in skill.settings.get(&sheet.name).into_iter().flatten() {
                let score = mean(items);
                let share = ((score - chance) / (1.0 - chance)).max(0.0);
                all.entry((setting, function)).or_default().push((place, score, share));
            }
        }
    }
    let several = all.into_iter().filter(|(_, scores)| scores.len() > 1);
    several.map(|((setting, function), scores)| Found { setting, function: function.to_owned(), scores }).collect()
}

/// How often one skill has a function that another has not.
pub fn counts(found: &[Found], model: usize) -> Vec<DisagreementSheet> {
    let mut counts: BTreeMap<(usize, usize, usize), (usize, usize)> = BTreeMap::new();
    for each in found {
        for (can, _, one) in &each.scores {
            for (cannot, _, other) in each.scores.iter().filter(|(skill, ..)| skill != can) {
                let (functions, of) = counts.entry((each.setting, *can, *cannot)).or_default();
                *functions += usize::from(*one >= HAS_IT && *other < HAS_IT);
                *of += 1;
            }
        }
    }
    let sheet =
        |((setting, can, cannot), (functions, of))| DisagreementSheet { model, setting, can, cannot, functions, of };
    counts.into_iter().map(sheet).collect()
}

/// The functions on which skills disagree: those first that are furthest apart.
pub fn sheets(found: &[Found], model: usize, functions: &Functions, most: usize) -> Vec<FunctionSheet> {
    let mut apart: Vec<&Found> =
        found.iter().filter(|each| !each.with(true).is_empty() && !each.with(false).is_empty()).collect();
    apart.sort_by(|one, other| {
        let places = || (one.setting, &one.function).cmp(&(other.setting, &other.function));
        other.gap().total_cmp(&one.gap()).then_with(places)
    });
    let sheet = |each: &Found| FunctionSheet {
        model,
        setting: each.setting,
        id: each.function.clone(),
        name: functions.name(&each.function),
        can: each.with(true),
        cannot: each.with(false),
    };
    apart.into_iter().take(most).map(sheet).collect()
}
