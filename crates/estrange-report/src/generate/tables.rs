//! The tables of generation. A block never has models that were asked for different things or graded in different ways.

mod answers;
mod chosen;
mod falls;
mod rates;
mod seen;

use super::document::{GenerateResults, WritingSheet};
use crate::table::{Column, Entry, Section, Table};

/// All that have a row, in the order in which a paper has them.
pub(super) fn all(document: &GenerateResults) -> Vec<Table> {
    let all = [
        rates::rates(document),
        rates::by_project(document),
        falls::tests(document),
        falls::compiles(document),
        seen::tests(document),
        seen::compiles(document),
        answers::outcomes(document),
        answers::mistakes(document),
        answers::quality(document),
        rates::several(document),
        falls::orders(document),
        chosen::steps(document),
        chosen::by_project(document),
    ];
    all.into_iter().filter(|table| !table.is_empty()).collect()
}

/// Those that say it all of one run.
pub(super) fn summary(document: &GenerateResults) -> Vec<Table> {
    let all = [
        chosen::steps(document),
        chosen::by_project(document),
        rates::rates(document),
        rates::several(document),
        falls::tests(document),
        seen::tests(document),
        answers::outcomes(document),
        answers::mistakes(document),
        answers::quality(document),
    ];
    all.into_iter().filter(|table| !table.is_empty()).collect()
}

/// A column of words, and columns of numbers behind it.
fn columns(first: &str, others: impl IntoIterator<Item = impl Into<String>>) -> Vec<Column> {
    [Column::words(first)].into_iter().chain(others.into_iter().map(Column::numbers)).collect()
}

/// A section for each author with a row for each setting, where there is one: over all projects.
fn by_author(document: &GenerateResults, row: impl Fn(&WritingSheet) -> Option<Vec<Entry>>) -> Vec<Section> {
    let section = |author: usize| {
        let rows = document.levels_of(author).filter_map(|level| {
            let name = Entry::Text(document.settings[level.setting].clone());
            Some([vec![name], row(level)?].concat())
        });
        Section { title: document.title(author).into_owned(), rows: rows.collect() }
    };
    filled((0..document.authors.len()).map(section))
}

/// The sections that have a row.
fn filled(sections: impl Iterator<Item = Section>) -> Vec<Section> {
    sections.filter(|section| !section.rows.is_empty()).collect()
}
