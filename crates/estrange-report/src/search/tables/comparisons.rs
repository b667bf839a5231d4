//! Whether one model is better than another, or only seems to be.

use super::{likelihood, words};
use crate::search::SearchPanel;
use crate::table::{Column, Entry, Number, Section, Table};
use crate::words as names;

pub(super) fn comparisons(report: &SearchPanel<'_>) -> Table {
    let document = report.document();
    let mut sections: Vec<Section> = Vec::new();
    for comparison in &document.comparisons {
        let corpus = &document.corpora[comparison.corpus];
        let title = format!("{}, {}", names::corpus(corpus), document.settings[corpus.setting].name);
        let model = |place: usize| words(document.models[place].name.clone());
        let difference = Number { value: 100.0 * comparison.difference, digits: 2, ..Number::default() };
        let row = vec![
            model(comparison.first),
            model(comparison.second),
            words(names::measure(&document.measures[comparison.measure])),
            Entry::Number(difference),
            likelihood(comparison.p_value),
            comparison.corrected.map_or(Entry::Empty, likelihood),
        ];
        match sections.iter_mut().find(|section| section.title == title) {
            Some(section) => section.rows.push(row),
            None => sections.push(Section { title, rows: vec![row] }),
        }
    }
    Table {
        name: "comparisons".to_owned(),
        title: "Models compared on the same queries".to_owned(),
        note:
            "Difference: the first model's value less the second's, in percentage points. p: how likely a difference \
               as large would be if it did not matter which model gave which score."
                .to_owned(),
        columns: vec![
            Column::words("first"),
            Column::words("second"),
            Column::words("measure"),
            Column::numbers("difference"),
            Column::numbers("p"),
            Column::numbers("p, corrected"),
        ],
        sections,
        shows_spread: false,
    }
    .without_empty_columns()
}
