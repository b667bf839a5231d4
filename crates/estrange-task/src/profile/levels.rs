//! A skill in each setting: its score, and what is lost of it.

use std::collections::BTreeSet;

use estrange_report::profile::{LevelSheet, SettingSheet, SkillSheet};

use super::familiarity::lost;
use super::matched::{Matched, matched};
use super::scores::{Items, Skill};
use super::{AS_WRITTEN, DocumentOptions, ProfileError};
use crate::sheets::shown;

/// A skill in each of these settings, on these functions alone where they are said.
pub fn sheet(
    skill: &Skill,
    (settings, shared): (&[SettingSheet], Option<&BTreeSet<&str>>),
    options: &DocumentOptions<'_>,
) -> Result<SkillSheet, ProfileError> {
    let is_in = |function: &str| shared.is_none_or(|shared| shared.contains(function));
    let mut levels = Vec::new();
    for (setting, SettingSheet { name, .. }) in settings.iter().enumerate() {
        let own = matched(skill, &[name]);
        let rows: Vec<Matched> = own.iter().filter(|(function, _)| is_in(function)).map(|(_, row)| *row).collect();
        let is_written = name == AS_WRITTEN;
        let scores: Vec<f64> = match is_written || skill.as_written().is_empty() {
            true => alone(skill, name, is_in),
            false => rows.iter().map(|row| row.after).collect(),
        };
        if scores.is_empty() {
            continue;
        }
        let is_other = !is_written && !rows.is_empty();
        levels.push(LevelSheet {
            setting,
            functions: scores.len(),
            score: shown(options.bootstrap().mean(&scores)?),
            before: is_other.then(|| rows.iter().map(|row| row.before).sum::<f64>() / rows.len() as f64),
            lost: match is_other {
                true => lost(&rows, skill.headline.chance, &options.bootstrap())?.known(),
                false => None,
            },
        });
    }
    Ok(SkillSheet {
        name: skill.name.clone(),
        measure: skill.headline.measure.to_owned(),
        chance: skill.headline.chance,
        levels,
        ..SkillSheet::default()
    })
}

/// The scores of the functions of one setting.
fn alone(skill: &Skill, setting: &str, is_in: impl Fn(&str) -> bool) -> Vec<f64> {
    let own = skill.settings.get(setting).into_iter().flatten();
    own.filter(|(function, _)| is_in(function)).map(|(_, items)| mean(items)).collect()
}

/// A function's score: the mean over its items.
pub fn mean(items: &Items) -> f64 {
    items.values().sum::<f64>() / items.len().max(1) as f64
}
