//! The values of the tables of detections, for programs.

use super::document::{DetectResults, LevelSheet};
use crate::document::Estimate;
use crate::values::{ValueRow, number};

/// One row a value.
pub(super) fn rows(document: &DetectResults) -> Vec<ValueRow> {
    let levels = document.levels.iter().flat_map(|level| of_level(document, level));
    let classes = document.classes.iter().flat_map(|class| {
        let row = ValueRow {
            group: class.class.clone(),
            n: class.pairs.to_string(),
            ..about(document, class.detector, class.setting)
        };
        [("f1", class.f1), ("recall", class.recall), ("false_alarms", class.false_alarms)].map(|(measure, value)| {
            ValueRow {
                statistic: "detection_by_class",
                measure: measure.to_owned(),
                value: number(value),
                ..row.clone()
            }
        })
    });
    levels.chain(classes).collect()
}

fn about(document: &DetectResults, detector: usize, setting: usize) -> ValueRow {
    let sheet = &document.detectors[detector];
    ValueRow {
        model: sheet.name.clone(),
        view: sheet.sees.clone(),
        setting: document.settings[setting].clone(),
        queries: sheet.label.clone(),
        ..ValueRow::default()
    }
}

fn of_level(document: &DetectResults, level: &LevelSheet) -> Vec<ValueRow> {
    let base = ValueRow {
        statistic: "detection",
        n: level.items.to_string(),
        ..about(document, level.detector, level.setting)
    };
    let row =
        |measure: &str, estimate: Estimate| ValueRow { measure: measure.to_owned(), ..base.clone() }.with(estimate);
    let plain =
        |measure: &str, value: f64| ValueRow { measure: measure.to_owned(), value: number(value), ..base.clone() };
    let mut rows = vec![
        row("f1", level.f1),
        row("precision", level.precision),
        row("recall", level.recall),
        row("accuracy", level.accuracy),
        row("false_alarms", level.false_alarms),
        row("pairwise", level.pairwise),
        plain("answered", level.answered as f64 / level.items.max(1) as f64),
    ];
    rows.extend(level.located.map(|located| ValueRow { n: level.with_line.to_string(), ..row("located", located) }));
    rows.extend(level.flips.map(|flips| row("flips", flips)));
    rows.extend(level.agreement.map(|agreement| plain("agreement", agreement)));
    let all = level.outcomes;
    let outcomes = [
        ("both_right", all.both_right),
        ("both_flagged", all.both_flagged),
        ("both_safe", all.both_safe),
        ("swapped", all.swapped),
        ("unanswered", all.unanswered),
    ];
    rows.extend(outcomes.map(|(measure, count)| ValueRow {
        statistic: "detection_outcome",
        n: all.pairs.to_string(),
        ..plain(measure, count as f64)
    }));
    let problems = level.problems.iter();
    rows.extend(
        problems.map(|(name, count)| ValueRow { statistic: "detection_problem", ..plain(name, *count as f64) }),
    );
    rows.extend(level.fall.map(|fall| ValueRow {
        statistic: "detection_fall",
        against: document.settings.first().cloned().unwrap_or_default(),
        n: fall.pairs.to_string(),
        p_value: number(fall.p_value),
        ..row("f1", fall.lost)
    }));
    rows
}
