//! The tables of a paper on search, each made from a report: what is there to be shown, and in which order.

mod comparisons;
mod corpora;
mod results;
mod robustness;
mod shifts;

use crate::document::SettingKind;
use crate::search::SearchPanel;
use crate::table::{Entry, Number, Origin, Part, Spread, Table};

/// All tables that have a row.
pub(crate) fn all(report: &SearchPanel<'_>) -> Vec<Table> {
    let mut tables = vec![results::standard(report)];
    tables.push(results::side_by_side(report, SettingKind::Rewritten));
    tables.push(results::side_by_side(report, SettingKind::Lowered));
    tables.push(robustness::robustness(report));
    tables.extend(results::trials(report));
    tables.extend(results::subsets(report));
    tables.push(comparisons::comparisons(report));
    tables.push(shifts::shifts(report));
    tables.push(corpora::corpora(report));
    tables.retain(|table| !table.is_empty());
    tables
}

/// A model's mean on a corpus as a percentage with its interval, as far as there is one.
fn mean(report: &SearchPanel<'_>, model: usize, corpus: Option<usize>, measure: usize) -> Entry {
    let Some((place, cell)) = corpus.and_then(|corpus| report.result(model, corpus, measure)) else {
        return Entry::Empty;
    };
    let spread = Spread::Interval { low: 100.0 * cell.mean.low, high: 100.0 * cell.mean.high };
    Entry::Number(percentage(cell.mean.value, spread, Origin { result: place, part: Part::Mean }))
}

fn percentage(value: f64, spread: Spread, origin: Origin) -> Number {
    Number { value: 100.0 * value, digits: 2, spread, is_best: false, origin: Some(origin) }
}

fn count(number: usize) -> Entry {
    Entry::Number(Number { value: number as f64, ..Number::default() })
}

fn words(text: impl Into<String>) -> Entry {
    Entry::Text(text.into())
}

/// How likely something is by chance; what is too small to be written is said to be so.
fn likelihood(p_value: f64) -> Entry {
    match p_value < 0.0001 {
        true => words("< 0.0001"),
        false => Entry::Number(Number { value: p_value, digits: 4, ..Number::default() }),
    }
}
