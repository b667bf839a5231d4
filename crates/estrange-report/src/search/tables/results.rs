//! Who found how much: the paper's Tables 3, 4, 5, 8 and 9.

use super::{mean, percentage, words};
use crate::document::SettingKind;
use crate::search::{Category, SearchPanel};
use crate::table::{Column, Entry, Origin, Part, Section, Spread, Table};
use crate::words as names;

/// Where several settings stand side by side, so many measures are shown: the paper's five.
const SIDE_BY_SIDE: usize = 5;

/// The standard setting, by all measures: Table 3.
pub(super) fn standard(report: &SearchPanel<'_>) -> Table {
    let document = report.document();
    let Some(&setting) = report.settings(SettingKind::Original).first() else { return Table::default() };
    let mut columns = vec![Column::words("model")];
    columns.extend(document.measures.iter().map(|name| Column::numbers(names::measure(name))));
    let sections = sections(report, |category, model| {
        let corpus = report.corpus(category, setting, None);
        (0..document.measures.len()).map(|measure| mean(report, model, corpus, measure)).collect()
    });
    Table {
        name: document.settings[setting].name.clone(),
        title: "Results on the functions as they are".to_owned(),
        note: "Values are percentages.".to_owned(),
        columns,
        sections,
        shows_spread: false,
    }
    .without_empty_columns()
}

/// All settings of a kind side by side: Table 4 for the rewritten ones, Table 5 for the lowered ones.
pub(super) fn side_by_side(report: &SearchPanel<'_>, kind: SettingKind) -> Table {
    let document = report.document();
    let settings = report.settings(kind);
    let (name, title) = match kind {
        SettingKind::Original => ("original", "Results on the functions as they are"),
        SettingKind::Rewritten => ("rewritten", "Results on rewritten functions"),
        SettingKind::Lowered => ("lowered", "Results on compiled functions"),
    };
    let measures = document.measures.len().min(SIDE_BY_SIDE);
    let pairs: Vec<(usize, usize)> =
        (0..measures).flat_map(|measure| settings.iter().map(move |&setting| (measure, setting))).collect();
    let mut columns = vec![Column::words("model")];
    columns.extend(pairs.iter().map(|&(measure, setting)| {
        Column::numbers(document.settings[setting].short.clone()).under(names::measure(&document.measures[measure]))
    }));
    let sections = sections(report, |category, model| {
        let corpus = |setting| report.corpus(category, setting, None);
        pairs.iter().map(|&(measure, setting)| mean(report, model, corpus(setting), measure)).collect()
    });
    let meanings = settings.iter().map(|&setting| &document.settings[setting]);
    let meanings = meanings.filter(|setting| setting.short != setting.name);
    let meanings: Vec<String> = meanings.map(|setting| format!("{}: {}", setting.short, setting.name)).collect();
    let meanings = if meanings.is_empty() { String::new() } else { format!(" {}.", meanings.join(", ")) };
    Table {
        name: name.to_owned(),
        title: title.to_owned(),
        note: format!("Values are percentages.{meanings}"),
        columns,
        sections,
        shows_spread: false,
    }
    .without_empty_columns()
}

/// Each setting that was tried several times: Table 8.
pub(super) fn trials(report: &SearchPanel<'_>) -> Vec<Table> {
    let document = report.document();
    let tables = document.settings.iter().enumerate().map(|(setting, sheet)| {
        let mut counts = Vec::new();
        let mut sections = sections(report, |category, model| {
            let corpus = report.corpus(category, setting, None);
            let entry = |measure| {
                let (place, cell) = report.result(model, corpus?, measure)?;
                let trials = cell.trials?;
                counts.push(trials.count);
                let spread = Spread::Error(100.0 * trials.standard_error);
                let origin = Origin { result: place, part: Part::Mean };
                Some(Entry::Number(percentage(cell.mean.value, spread, origin)))
            };
            (0..document.measures.len()).map(entry).map(Option::unwrap_or_default).collect()
        });
        let many = match (counts.iter().min(), counts.iter().max()) {
            (Some(least), Some(most)) if least == most => format!("{most} trials"),
            (Some(least), Some(most)) => format!("{least} to {most} trials"),
            _ => {
                sections.clear();
                String::new()
            }
        };
        let mut columns = vec![Column::words("model")];
        columns.extend(document.measures.iter().map(|name| Column::numbers(names::measure(name))));
        Table {
            name: format!("trials-{}", slug(&sheet.name)),
            title: format!("Results over all trials, {}", sheet.name),
            note: format!("Percentages: mean ± standard error of {many}."),
            columns,
            sections,
            shows_spread: true,
        }
        .without_empty_columns()
    });
    tables.filter(|table| !table.is_empty()).collect()
}

/// Parts of the queries beside all of them, in the standard setting: Table 9.
pub(super) fn subsets(report: &SearchPanel<'_>) -> Vec<Table> {
    let document = report.document();
    let Some(&setting) = report.settings(SettingKind::Original).first() else { return Vec::new() };
    let mut subsets: Vec<&str> = Vec::new();
    for corpus in &document.corpora {
        if !names::is_all(&corpus.subset) && !subsets.contains(&corpus.subset.as_str()) {
            subsets.push(&corpus.subset);
        }
    }
    let tables = subsets.into_iter().map(|subset| {
        let mut sections = Vec::new();
        for category in report.categories() {
            let part = report.corpus(category, setting, Some(subset));
            let both = [("all", report.corpus(category, setting, None)), (subset, part)];
            let mut rows = Vec::new();
            for model in 0..document.models.len() {
                for (queries, corpus) in both {
                    let entries = (0..document.measures.len()).map(|measure| mean(report, model, corpus, measure));
                    let mut row = vec![words(document.models[model].name.clone()), words(queries)];
                    row.extend(entries);
                    rows.push(row);
                }
            }
            rows.retain(|row| row[2..].iter().any(|entry| *entry != Entry::Empty));
            if part.is_some() && !rows.is_empty() {
                sections.push(Section { title: category.name(), rows });
            }
        }
        let mut columns = vec![Column::words("model"), Column::words("queries")];
        columns.extend(document.measures.iter().map(|name| Column::numbers(names::measure(name))));
        Table {
            name: format!("subset-{}", slug(subset)),
            title: format!("Results on all queries and on the subset: {subset}"),
            note: "Values are percentages.".to_owned(),
            columns,
            sections,
            shows_spread: false,
        }
        .without_empty_columns()
    });
    tables.collect()
}

/// One section a category, one row a model; rows and sections without a value are left out, the best values marked.
fn sections(report: &SearchPanel<'_>, mut row: impl FnMut(Category<'_>, usize) -> Vec<Entry>) -> Vec<Section> {
    let mut sections = Vec::new();
    for category in report.categories() {
        let mut rows = Vec::new();
        for (model, sheet) in report.document().models.iter().enumerate() {
            let entries = row(category, model);
            if entries.iter().any(|entry| *entry != Entry::Empty) {
                rows.push([vec![words(sheet.name.clone())], entries].concat());
            }
        }
        if !rows.is_empty() {
            let mut section = Section { title: category.name(), rows };
            section.mark_best();
            sections.push(section);
        }
    }
    sections
}

/// A name for files and anchors.
fn slug(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect()
}
