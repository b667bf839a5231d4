//! How functions were chosen by their changes, step by step, and what that comes to in each project.

use std::collections::BTreeMap;

use super::super::document::GenerateResults;
use super::super::funnel::{FunnelSheet, StepSheet};
use super::filled;
use crate::entries::count;
use crate::table::{Column, Entry, Section, Table};

/// Each funnel once, with the authors that it is of.
fn funnels(document: &GenerateResults) -> Vec<(String, &FunnelSheet)> {
    let mut all: Vec<(Vec<String>, &FunnelSheet)> = Vec::new();
    for (author, sheet) in document.authors.iter().enumerate() {
        let Some(funnel) = &sheet.funnel else { continue };
        let name = document.title(author).into_owned();
        match all.iter_mut().find(|(_, known)| *known == funnel) {
            Some((names, _)) => names.push(name),
            None => all.push((vec![name], funnel)),
        }
    }
    let of =
        |(names, funnel): (Vec<String>, _)| (format!("{}: {}", names.join(", "), FunnelSheet::words(funnel)), funnel);
    all.into_iter().map(of).collect()
}

/// What is left after each step, and where the others went.
pub(super) fn steps(document: &GenerateResults) -> Table {
    let told = |counts: &BTreeMap<String, u64>| {
        Entry::Text(counts.iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", "))
    };
    let row = |step: &StepSheet| {
        let name = [&step.name, &step.of].map(|word| Entry::Text(word.clone()));
        let lost = if step.lost.is_empty() { Entry::Empty } else { count(step.lost()) };
        let all = name.into_iter().chain([count(step.left), told(&step.kinds), lost, told(&step.lost)]);
        all.collect()
    };
    let section = |(title, funnel): (String, &FunnelSheet)| {
        let rows = funnel.steps.iter().map(row).collect();
        Section { title, rows }
    };
    let plain = [Column::words("step"), Column::words("counted"), Column::numbers("left"), Column::words("of these")];
    Table {
        name: "generation-funnel".to_owned(),
        title: "How functions were chosen by their changes".to_owned(),
        note: "Changes are those on the main line of a history; a merge is one. What is left after a step and what was lost in it \
               are what the step before left."
            .to_owned(),
        columns: plain.into_iter().chain([Column::numbers("lost"), Column::words("why")]).collect(),
        sections: filled(funnels(document).into_iter().map(section)),
        shows_spread: false,
    }
}

/// What is left in each project.
pub(super) fn by_project(document: &GenerateResults) -> Table {
    let all = funnels(document);
    let mut names: Vec<(&str, &str)> = Vec::new();
    for step in all.iter().flat_map(|(_, funnel)| &funnel.projects).flat_map(|project| &project.steps) {
        let name = (step.of.as_str(), step.name.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let row = |name: &str, steps: &[StepSheet], asked: u64| {
        let of = |name: &(&str, &str)| {
            let step = steps.iter().find(|step| (step.of.as_str(), step.name.as_str()) == *name);
            step.map_or(Entry::Empty, |step| count(step.left))
        };
        [Entry::Text(name.to_owned())].into_iter().chain(names.iter().map(of)).chain([count(asked)]).collect()
    };
    let section = |(title, funnel): &(String, &FunnelSheet)| {
        let projects = &funnel.projects;
        let mut rows: Vec<_> = projects.iter().map(|own| row(&own.name, &own.steps, own.asked)).collect();
        if rows.len() > 1 {
            rows.push(row("(all)", &funnel.steps, projects.iter().map(|own| own.asked).sum()));
        }
        Section { title: title.clone(), rows }
    };
    let over = names.iter().map(|(of, name)| Column::numbers(*name).under(*of));
    let asked = Column::numbers("asked").under("functions");
    Table {
        name: "generation-funnel-projects".to_owned(),
        title: "Changes and functions that are left, by project".to_owned(),
        note: String::new(),
        columns: [Column::words("project")].into_iter().chain(over).chain([asked]).collect(),
        sections: filled(all.iter().map(section)),
        shows_spread: false,
    }
}
