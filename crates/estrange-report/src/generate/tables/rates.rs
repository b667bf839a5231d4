//! Pass rates: over all projects, in each of them, and of several answers to the same question.

use std::collections::BTreeSet;

use super::super::document::GenerateResults;
use super::{by_author, columns, filled};
use crate::entries::{count, estimate, share};
use crate::table::{Column, Entry, Section, Table};

/// What models are asked for, in the order in which papers have it.
const ASKED: [&str; 3] = ["generation", "completion", "infill"];

const NOTE: &str = "CPR: the share of answers that compiles and links. TPR: the share that passes.";

/// Both pass rates for each setting, over all projects.
pub(super) fn rates(document: &GenerateResults) -> Table {
    Table {
        name: "generation-rates".to_owned(),
        title: "Pass rates, in percent".to_owned(),
        note: NOTE.to_owned(),
        columns: headings(document),
        sections: sections(document, None),
        shows_spread: true,
    }
}

/// The same in each project. Where there is but one, it would say the same again.
pub(super) fn by_project(document: &GenerateResults) -> Table {
    let projects = if document.projects.len() > 1 { document.projects.len() } else { 0 };
    Table {
        name: "generation-projects".to_owned(),
        title: "Pass rates by project, in percent".to_owned(),
        note: NOTE.to_owned(),
        columns: headings(document),
        sections: (0..projects).flat_map(|project| sections(document, Some(project))).collect(),
        shows_spread: true,
    }
}

fn headings(document: &GenerateResults) -> Vec<Column> {
    let rates = document
        .settings
        .iter()
        .flat_map(|setting| ["CPR", "TPR"].map(|rate| Column::numbers(rate).under(setting.clone())));
    columns("model", ["functions"]).into_iter().chain(rates).collect()
}

/// A section for each thing that was asked for and each way of grading, with a row for each model.
fn sections(document: &GenerateResults, project: Option<usize>) -> Vec<Section> {
    let section = |(asked, graded): (&str, &str)| {
        let those = document.authors.iter().enumerate();
        let those = those.filter(|(_, sheet)| (sheet.asked.as_str(), sheet.graded.as_str()) == (asked, graded));
        let title = match graded {
            "function" => format!("{asked}, each function graded by itself"),
            "project" => format!("{asked}, graded by the projects' own tests"),
            graded => format!("{asked}, graded by {graded}"),
        };
        let title = match project {
            Some(project) => format!("{}: {title}", document.projects[project]),
            None => title,
        };
        let mut section =
            Section { title, rows: those.filter_map(|(author, _)| row(document, author, project)).collect() };
        section.mark_best();
        // More functions are no better.
        for row in &mut section.rows {
            if let Some(Entry::Number(functions)) = row.get_mut(1) {
                functions.is_best = false;
            }
        }
        section
    };
    filled(kinds(document).into_iter().map(section))
}

fn row(document: &GenerateResults, author: usize, project: Option<usize>) -> Option<Vec<Entry>> {
    let own: Vec<_> = (0..document.settings.len()).map(|setting| document.level(author, setting, project)).collect();
    let functions = own.iter().flatten().map(|level| level.functions as u64).max()?;
    let rates = own.iter().flat_map(|level| match level {
        Some(level) => [estimate(level.cpr), estimate(level.tpr)],
        None => [Entry::Empty, Entry::Empty],
    });
    let name = Entry::Text(document.authors[author].name.clone());
    Some([name, count(functions)].into_iter().chain(rates).collect())
}

/// What was asked for and how it was graded, in the order in which it is shown.
fn kinds(document: &GenerateResults) -> Vec<(&str, &str)> {
    let mut kinds: Vec<(&str, &str)> = Vec::new();
    for sheet in &document.authors {
        let kind = (sheet.asked.as_str(), sheet.graded.as_str());
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds.sort_by_key(|(asked, _)| ASKED.iter().position(|known| known == asked).unwrap_or(ASKED.len()));
    kinds
}

/// The share of functions of which one of k answers passes.
pub(super) fn several(document: &GenerateResults) -> Table {
    let all = document.levels.iter().filter(|level| level.project.is_none());
    let numbers: BTreeSet<u32> = all.flat_map(|level| &level.pass_at).map(|(k, _)| *k).collect();
    let sections = by_author(document, |level| {
        let of = |k: &u32| level.pass_at.iter().find(|(own, _)| own == k).map_or(Entry::Empty, |(_, own)| share(*own));
        (!level.pass_at.is_empty()).then(|| {
            let answers = [count(level.functions as u64), count(level.answers)];
            answers.into_iter().chain(numbers.iter().map(of)).collect()
        })
    });
    let headings = ["functions".to_owned(), "answers".to_owned()];
    Table {
        name: "generation-pass-at".to_owned(),
        title: "Functions of which one of k answers passes, in percent".to_owned(),
        note: "Of functions that were asked for several times.".to_owned(),
        columns: columns("setting", headings.into_iter().chain(numbers.iter().map(|k| format!("pass@{k}")))),
        sections,
        shows_spread: false,
    }
}
