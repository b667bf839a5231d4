//! The values of the tables of profiles, for programs.

use super::document::{ModelProfile, ProfileResults, SkillSheet};
use crate::values::{ValueRow, number};

/// One row a value.
pub(super) fn rows(document: &ProfileResults) -> Vec<ValueRow> {
    let mut rows: Vec<ValueRow> = document.models.iter().flat_map(|model| of_model(document, model)).collect();
    for each in &document.disagreements {
        let model = &document.models[each.model];
        rows.push(ValueRow {
            statistic: "profile_disagreement",
            model: model.name.clone(),
            setting: document.settings[each.setting].name.clone(),
            measure: format!("{}, not {}", model.skills[each.can].name, model.skills[each.cannot].name),
            value: each.functions.to_string(),
            n: each.of.to_string(),
            ..ValueRow::default()
        });
    }
    for each in &document.functions {
        let model = &document.models[each.model];
        rows.extend(each.can.iter().chain(&each.cannot).map(|(skill, score)| ValueRow {
            statistic: "profile_function",
            model: model.name.clone(),
            setting: document.settings[each.setting].name.clone(),
            queries: each.id.clone(),
            measure: title(&model.skills[*skill]),
            value: number(*score),
            ..ValueRow::default()
        }));
    }
    rows
}

fn title(skill: &SkillSheet) -> String {
    format!("{} {}", skill.name, skill.measure)
}

fn of_model(document: &ProfileResults, model: &ModelProfile) -> Vec<ValueRow> {
    let row = |statistic| ValueRow { statistic, model: model.name.clone(), ..ValueRow::default() };
    let mut rows: Vec<ValueRow> = Vec::new();
    if let Some(sheet) = &model.familiarity {
        let skills: Vec<&str> = sheet.skills.iter().map(|skill| model.skills[*skill].name.as_str()).collect();
        let own =
            ValueRow { measure: skills.join("+"), setting: sheet.settings.join("+"), ..row("profile_familiarity") };
        rows.push(ValueRow { n: sheet.functions.to_string(), ..own.with(sheet.lost) });
    }
    for skill in &model.skills {
        let of = |statistic| ValueRow { measure: title(skill), ..row(statistic) };
        rows.extend(skill.lost.map(|lost| of("profile_skill_familiarity").with(lost)));
        for level in &skill.levels {
            let setting = document.settings[level.setting].name.clone();
            let at = |statistic| ValueRow { setting: setting.clone(), n: level.functions.to_string(), ..of(statistic) };
            rows.push(at("profile").with(level.score));
            rows.extend(level.lost.map(|lost| at("profile_lost").with(lost)));
        }
    }
    rows
}
