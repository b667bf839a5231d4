//! The values of the tables of generation, for programs.

use super::decrease;
use super::document::{GenerateResults, OrderSheet, QualitySheet, WritingSheet};
use super::seen::SeenSheet;
use crate::detect::FallSheet;
use crate::values::{ValueRow, number};

/// One row a value.
pub(super) fn rows(document: &GenerateResults) -> Vec<ValueRow> {
    let levels = document.levels.iter().flat_map(|level| of_level(document, level));
    levels.chain(document.orders.iter().map(|order| of_order(document, order))).collect()
}

/// What a row is about: `group` is the project, empty for all together; `view` what was asked for; `queries` how answers are
/// graded.
fn about(document: &GenerateResults, level: &WritingSheet) -> ValueRow {
    let sheet = &document.authors[level.author];
    ValueRow {
        statistic: "generation",
        model: sheet.name.clone(),
        group: level.project.map(|project| document.projects[project].clone()).unwrap_or_default(),
        view: sheet.asked.clone(),
        setting: document.settings[level.setting].clone(),
        queries: sheet.graded.clone(),
        n: level.functions.to_string(),
        ..ValueRow::default()
    }
}

fn of_level(document: &GenerateResults, level: &WritingSheet) -> Vec<ValueRow> {
    let base = about(document, level);
    let row = |measure: &str| ValueRow { measure: measure.to_owned(), ..base.clone() };
    let counted = |statistic: &'static str, measure: &str, count: u64, of: u64| ValueRow {
        statistic,
        value: number(count as f64),
        n: of.to_string(),
        ..row(measure)
    };
    let mut rows = vec![row("cpr").with(level.cpr), row("tpr").with(level.tpr)];
    rows.extend(
        [
            ("answers", level.answers),
            ("compiled", level.compiled),
            ("passed", level.passed),
            ("ungraded", level.ungraded),
        ]
        .map(|(measure, count)| ValueRow { value: number(count as f64), ..row(measure) }),
    );
    rows.extend(level.pass_at.iter().map(|(k, share)| ValueRow {
        statistic: "generation_pass_at",
        value: number(*share),
        ..row(&format!("pass@{k}"))
    }));
    for (measure, fall) in [("tpr", &level.fall), ("cpr", &level.cpr_fall)] {
        rows.extend(fall.iter().flat_map(|fall| of_fall(document, &base, measure, fall)));
    }
    rows.extend(level.seen.iter().flat_map(|seen| of_seen(document, level.author, &base, seen)));
    let all = level.outcomes.iter().map(|(_, count)| count).sum();
    rows.extend(level.outcomes.iter().map(|(word, count)| counted("generation_outcome", word, *count, all)));
    let failed = super::fate::met(level, super::fate::Fate::NotBuilt);
    rows.extend(level.mistakes.iter().flat_map(|sheet| {
        [("generation_mistake", sheet.by_gcc), ("generation_mistake_by_clang", sheet.by_clang)]
            .map(|(statistic, count)| counted(statistic, &sheet.mistake, count, failed))
    }));
    rows.extend(of_quality(&level.quality, counted));
    rows.extend(level.quality.steps.filter(|_| level.quality.passed > 0).map(|steps| ValueRow {
        statistic: "generation_quality",
        value: number(steps),
        n: level.quality.passed.to_string(),
        ..row("median_steps")
    }));
    rows
}

/// What is lost, and what it is lost of.
fn of_fall(document: &GenerateResults, base: &ValueRow, measure: &str, fall: &FallSheet) -> Vec<ValueRow> {
    let row = |measure: String| ValueRow {
        statistic: "generation_fall",
        against: document.settings.first().cloned().unwrap_or_default(),
        measure,
        n: fall.pairs.to_string(),
        ..base.clone()
    };
    let lost = ValueRow { p_value: number(fall.p_value), ..row(measure.to_owned()).with(fall.lost) };
    let plain = [("before", Some(fall.before)), ("after", Some(fall.after)), ("decrease", decrease(fall))];
    let plain = plain
        .into_iter()
        .filter_map(|(part, value)| Some(ValueRow { value: number(value?), ..row(format!("{measure}_{part}")) }));
    [lost].into_iter().chain(plain).collect()
}

/// The rates on both sides of a cut-off, and what is lost from the one to the other. `against` is the day.
fn of_seen(document: &GenerateResults, author: usize, base: &ValueRow, seen: &SeenSheet) -> Vec<ValueRow> {
    let day = document.authors[author].cutoff.as_ref().map(|cutoff| cutoff.day.clone()).unwrap_or_default();
    let row = |measure: String, functions: usize| ValueRow {
        statistic: "generation_seen",
        against: day.clone(),
        measure,
        n: functions.to_string(),
        ..base.clone()
    };
    let mut rows = Vec::new();
    for (side, sheet) in [("before", seen.before), ("after", seen.after)] {
        let Some(sheet) = sheet else { continue };
        rows.extend(
            [("cpr", sheet.cpr), ("tpr", sheet.tpr)]
                .map(|(measure, rate)| row(format!("{measure}_{side}"), sheet.functions).with(rate)),
        );
    }
    let both = [seen.before, seen.after].into_iter().flatten().map(|side| side.functions).sum();
    for (measure, gap) in [("cpr", seen.cpr), ("tpr", seen.tpr)] {
        rows.extend(
            gap.map(|gap| ValueRow { p_value: number(gap.p_value), ..row(measure.to_owned(), both).with(gap.lost) }),
        );
    }
    rows.push(ValueRow { value: number(seen.undated as f64), ..row("undated".to_owned(), both + seen.undated) });
    rows
}

fn of_quality(quality: &QualitySheet, counted: impl Fn(&'static str, &str, u64, u64) -> ValueRow) -> Vec<ValueRow> {
    let all = [("leaves_memory", quality.leaves_memory), ("not_robust", quality.not_robust), ("slow", quality.slow)];
    let all = all.into_iter().filter(|_| quality.passed > 0);
    all.map(|(measure, count)| counted("generation_quality", measure, count, quality.passed)).collect()
}

fn of_order(document: &GenerateResults, order: &OrderSheet) -> ValueRow {
    ValueRow {
        statistic: "generation_order",
        against: document.settings.first().cloned().unwrap_or_default(),
        setting: document.settings[order.setting].clone(),
        measure: "kendall".to_owned(),
        n: order.models.to_string(),
        ..ValueRow::default()
    }
    .with(order.kendall)
}
