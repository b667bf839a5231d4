//! All that the tables of searches say, for programs.

use crate::document::{CorpusSheet, SearchResults};
use crate::values::{ValueRow, number};

/// A row for each value.
pub(super) fn rows(document: &SearchResults) -> Vec<ValueRow> {
    let model = |place: usize| document.models[place].name.clone();
    let of = |place: usize, statistic: &'static str| {
        let corpus = &document.corpora[place];
        let CorpusSheet { group, view, subset, .. } = corpus.clone();
        let queries = if subset.is_empty() { "all".to_owned() } else { subset };
        let (n, setting) = (corpus.queries.to_string(), document.settings[corpus.setting].name.clone());
        ValueRow { statistic, group, view, setting, queries, n, ..ValueRow::default() }
    };
    let mut rows = Vec::new();
    for (place, corpus) in document.corpora.iter().enumerate() {
        rows.push(ValueRow { value: corpus.documents.to_string(), ..of(place, "documents") });
        rows.push(ValueRow { value: corpus.duplicate_classes.to_string(), ..of(place, "duplicate_classes") });
    }
    for cell in &document.results {
        let measure = || document.measures[cell.measure].clone();
        let of = |statistic| ValueRow { model: model(cell.model), measure: measure(), ..of(cell.corpus, statistic) };
        let (trials, standard_error) = match cell.trials {
            Some(trials) => (trials.count.to_string(), number(trials.standard_error)),
            None => Default::default(),
        };
        rows.push(ValueRow { trials, standard_error, ..of("mean").with(cell.mean) });
        rows.extend(cell.drop.map(|drop| ValueRow { n: String::new(), ..of("drop").with(drop) }));
    }
    for comparison in &document.comparisons {
        rows.push(ValueRow {
            model: model(comparison.first),
            against: model(comparison.second),
            measure: document.measures[comparison.measure].clone(),
            value: number(comparison.difference),
            p_value: number(comparison.p_value),
            corrected_p_value: comparison.corrected.map(number).unwrap_or_default(),
            ..of(comparison.corpus, "difference")
        });
    }
    for shift in &document.shifts {
        let row = ValueRow {
            statistic: "shift_correlation",
            model: model(shift.model),
            group: shift.group.clone(),
            setting: document.settings[shift.setting].name.clone(),
            measure: shift.feature.clone(),
            p_value: number(shift.p_value),
            ..ValueRow::default()
        };
        rows.push(row.with(shift.correlation));
    }
    rows
}
