//! What each model loses in each setting, by the first measure.

use super::{percentage, words};
use crate::document::SettingKind;
use crate::search::{Category, SearchPanel};
use crate::table::{Column, Entry, Origin, Part, Section, Spread, Table};
use crate::words as names;

pub(super) fn robustness(report: &SearchPanel<'_>) -> Table {
    let document = report.document();
    let Some(measure) = document.measures.first() else { return Table::default() };
    let changed = document.settings.iter().enumerate().filter(|(_, setting)| setting.kind != SettingKind::Original);
    let changed: Vec<usize> = changed.map(|(place, _)| place).collect();
    let mut columns = vec![Column::words("model"), Column::numbers("standard")];
    for &setting in &changed {
        let over = &document.settings[setting].name;
        columns.push(Column::numbers("drop").under(over.clone()));
        columns.push(Column::numbers("left").under(over.clone()));
    }
    let sections = report.categories().into_iter().map(|category| Section {
        title: category.name(),
        rows: (0..document.models.len()).filter_map(|model| row(report, category, model, &changed)).collect(),
    });
    Table {
        name: "robustness".to_owned(),
        title: format!("What is lost in each setting, by {}", names::measure(measure)),
        note: "Drop: percentage points below the standard setting, on the queries that both have. Left: the share of \
               the standard setting's value that remains."
            .to_owned(),
        columns,
        sections: sections.filter(|section| !section.rows.is_empty()).collect(),
        shows_spread: false,
    }
    .without_empty_columns()
}

fn row(report: &SearchPanel<'_>, category: Category<'_>, model: usize, settings: &[usize]) -> Option<Vec<Entry>> {
    let document = report.document();
    let mut before = Entry::Empty;
    let mut entries = Vec::new();
    for &setting in settings {
        let corpus = report.corpus(category, setting, None);
        let found = corpus.and_then(|corpus| report.result(model, corpus, 0));
        let found = found.and_then(|(place, cell)| Some((place, cell, report.drop(cell)?)));
        let Some((place, cell, (drop, has_interval))) = found else {
            entries.extend([Entry::Empty, Entry::Empty]);
            continue;
        };
        if before == Entry::Empty {
            before = super::mean(report, model, document.corpora[cell.corpus].standard, 0);
        }
        let spread = match has_interval {
            true => Spread::Interval { low: 100.0 * drop.low, high: 100.0 * drop.high },
            false => Spread::Unknown,
        };
        entries.push(Entry::Number(percentage(drop.value, spread, Origin { result: place, part: Part::Drop })));
        let standard = cell.mean.value + drop.value;
        entries.push(match standard > 0.0 {
            true => {
                let origin = Origin { result: place, part: Part::Left };
                let mut left = percentage(cell.mean.value / standard, Spread::Unknown, origin);
                left.digits = 1;
                Entry::Number(left)
            }
            false => Entry::Empty,
        });
    }
    let has_value = entries.iter().any(|entry| *entry != Entry::Empty);
    has_value.then(|| [vec![words(document.models[model].name.clone()), before], entries].concat())
}
