//! What the shift of a model's vectors goes together with: the paper's Table 11.

use super::words;
use crate::search::SearchPanel;
use crate::table::{Column, Entry, Number, Section, Spread, Table};
use crate::words as names;

pub(super) fn shifts(report: &SearchPanel<'_>) -> Table {
    let document = report.document();
    let features = distinct(document.shifts.iter().map(|shift| shift.feature.as_str()));
    let groups = distinct(document.shifts.iter().map(|shift| shift.group.as_str()));
    let has_setting = |setting: &usize| document.shifts.iter().any(|shift| shift.setting == *setting);
    let settings: Vec<usize> = (0..document.settings.len()).filter(has_setting).collect();
    let pairs: Vec<(&str, usize)> =
        groups.iter().flat_map(|&group| settings.iter().map(move |&setting| (group, setting))).collect();

    let mut columns = vec![Column::words("model")];
    columns.extend(pairs.iter().map(|&(group, setting)| {
        Column::numbers(document.settings[setting].short.clone()).under(names::category(group, ""))
    }));
    let entry = |feature: &str, model: usize, group: &str, setting: usize| {
        let shift = document.shifts.iter().find(|shift| {
            shift.feature == feature && shift.model == model && shift.group == group && shift.setting == setting
        });
        shift.map_or(Entry::Empty, |shift| {
            let spread = Spread::Interval { low: shift.correlation.low, high: shift.correlation.high };
            Entry::Number(Number { value: shift.correlation.value, digits: 3, spread, ..Number::default() })
        })
    };
    let sections = features.into_iter().map(|feature| {
        let rows = document.models.iter().enumerate().map(|(model, sheet)| {
            let entries = pairs.iter().map(|&(group, setting)| entry(feature, model, group, setting));
            [vec![words(sheet.name.clone())], entries.collect()].concat()
        });
        let rows = rows.filter(|row| row[1..].iter().any(|entry| *entry != Entry::Empty));
        Section { title: feature.to_owned(), rows: rows.collect() }
    });
    Table {
        name: "shifts".to_owned(),
        title: "How far vectors move, and what that goes together with".to_owned(),
        note: "Correlation of the distance between a function's vectors before and after with a feature of its code."
            .to_owned(),
        columns,
        sections: sections.collect(),
        shows_spread: false,
    }
    .without_empty_columns()
}

/// Each item once, in the order in which they come.
fn distinct<'t>(items: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut seen = Vec::new();
    for item in items {
        if !seen.contains(&item) {
            seen.push(item);
        }
    }
    seen
}
