//! The values of the tables of the probe, for programs.

use super::document::{LevelSheet, ProbeResults};
use crate::values::{ValueRow, number};

/// One row a value.
pub(super) fn rows(document: &ProbeResults) -> Vec<ValueRow> {
    document.levels.iter().flat_map(|level| of_level(document, level)).collect()
}

fn of_level(document: &ProbeResults, level: &LevelSheet) -> Vec<ValueRow> {
    let sheet = &document.respondents[level.respondent];
    let base = ValueRow {
        statistic: "comprehension",
        model: sheet.title().into_owned(),
        view: sheet.sees.clone(),
        setting: document.settings[level.setting].clone(),
        n: level.questions.to_string(),
        ..ValueRow::default()
    };
    let row = |measure: &str| ValueRow { measure: measure.to_owned(), ..base.clone() };
    let plain = |measure: &str, value: f64| ValueRow { value: number(value), ..row(measure) };
    let mut rows = vec![
        row("accuracy").with(level.accuracy),
        plain("answered", level.answered as f64 / level.questions.max(1) as f64),
    ];
    rows.extend(level.reciprocal_rank.map(|rank| plain("reciprocal-rank", rank)));
    rows.extend(level.agreement.map(|agreement| plain("agreement", agreement)));
    let problems = level.problems.iter();
    rows.extend(
        problems.map(|(name, count)| ValueRow { statistic: "comprehension_problem", ..plain(name, *count as f64) }),
    );
    rows.extend(level.fall.map(|fall| ValueRow {
        statistic: "comprehension_fall",
        against: document.settings.first().cloned().unwrap_or_default(),
        n: fall.pairs.to_string(),
        p_value: number(fall.p_value),
        ..row("accuracy").with(fall.lost)
    }));
    rows
}
