//! The tables of profiles.

use super::document::{LevelSheet, ModelProfile, ProfileResults, SkillSheet};
use crate::entries::{count, estimate};
use crate::table::{Column, Entry, Section, Table};

/// All that have a row, in the order in which a paper has them.
pub(super) fn all(document: &ProfileResults) -> Vec<Table> {
    let all = [familiarity(document), levels(document), losses(document), disagreements(document), functions(document)];
    all.into_iter().filter(|table| !table.is_empty()).collect()
}

fn text(words: impl Into<String>) -> Entry {
    Entry::Text(words.into())
}

/// The columns of the settings, under what they take away.
fn settings(document: &ProfileResults, first: usize) -> impl Iterator<Item = Column> + '_ {
    document.settings[first.min(document.settings.len())..]
        .iter()
        .map(|setting| Column::numbers(setting.name.clone()).under(setting.takes.words()))
}

fn familiarity(document: &ProfileResults) -> Table {
    let row = |model: &ModelProfile| {
        let said = model.familiarity.as_ref();
        let on = |skill: &usize| model.skills[*skill].name.clone();
        let over = said.map_or(String::new(), |sheet| sheet.skills.iter().map(on).collect::<Vec<_>>().join(", "));
        let same = |is_shared: bool| if is_shared { "yes" } else { "no" };
        vec![
            text(model.name.clone()),
            said.map_or(Entry::Empty, |sheet| estimate(sheet.lost)),
            said.map_or(Entry::Empty, |sheet| count(sheet.functions as u64)),
            said.map_or(Entry::Empty, |sheet| text(same(sheet.is_shared))),
            text(over),
            said.map_or(Entry::Empty, |sheet| text(sheet.settings.join(", "))),
            text(model.why_not.clone().unwrap_or_default()),
        ]
    };
    let table = Table {
        name: "profile-familiarity".to_owned(),
        title: "How much of the skill went with the names, in percent".to_owned(),
        note: "The mean over tasks of what is lost, from functions as written to the settings that only rename, as a share of what \
               is above chance, on the same functions."
            .to_owned(),
        columns: vec![
            Column::words("model"),
            Column::numbers("lost"),
            Column::numbers("functions"),
            Column::words("the same for each task"),
            Column::words("tasks"),
            Column::words("settings"),
            Column::words("left out"),
        ],
        sections: vec![Section { title: String::new(), rows: document.models.iter().map(row).collect() }],
        shows_spread: true,
    };
    without_empty_words(table)
}

/// Removes columns in which nobody has a word.
fn without_empty_words(mut table: Table) -> Table {
    for entry in table.sections.iter_mut().flat_map(|section| &mut section.rows).flatten() {
        if *entry == text("") {
            *entry = Entry::Empty;
        }
    }
    table.without_empty_columns()
}

/// A section for each model with a row for each skill: a value for each setting from this one on.
fn by_skill(document: &ProfileResults, first: usize, read: impl Fn(&LevelSheet) -> Entry) -> Vec<Section> {
    let row = |skill: &SkillSheet| {
        let level = |setting: usize| skill.levels.iter().find(|level| level.setting == setting);
        let values = (first..document.settings.len()).map(|setting| level(setting).map_or(Entry::Empty, &read));
        [text(skill.title())].into_iter().chain(values).collect::<Vec<_>>()
    };
    let has_value = |row: &Vec<Entry>| row[1..].iter().any(|entry| *entry != Entry::Empty);
    let section = |model: &ModelProfile| {
        let on = match model.shared {
            Some(functions) => format!(", on {functions} functions that its tasks share"),
            None => String::new(),
        };
        let rows = model.skills.iter().map(row).filter(has_value).collect();
        Section { title: format!("{}{on}", model.name), rows }
    };
    document.models.iter().map(section).filter(|section| !section.rows.is_empty()).collect()
}

fn levels(document: &ProfileResults) -> Table {
    Table {
        name: "profile-levels".to_owned(),
        title: "Each task by setting, in percent".to_owned(),
        note: "Beyond the first column on those functions that stand in the first one as well.".to_owned(),
        columns: [Column::words("task")].into_iter().chain(settings(document, 0)).collect(),
        sections: by_skill(document, 0, |level| estimate(level.score)),
        shows_spread: true,
    }
    .without_empty_columns()
}

fn losses(document: &ProfileResults) -> Table {
    Table {
        name: "profile-losses".to_owned(),
        title: "What is lost of each task, in percent of what is above chance".to_owned(),
        note: "On functions that are there as written as well. Nothing is said of fewer than eight functions, nor where a task \
               is not clearly above chance as written."
            .to_owned(),
        columns: [Column::words("task")].into_iter().chain(settings(document, 1)).collect(),
        sections: by_skill(document, 1, |level| level.lost.map_or(Entry::Empty, estimate)),
        shows_spread: true,
    }
    .without_empty_columns()
}

fn disagreements(document: &ProfileResults) -> Table {
    let section = |(place, model): (usize, &ModelProfile)| {
        let own = || document.disagreements.iter().filter(move |each| each.model == place);
        let mut kinds: Vec<(usize, usize)> = own().map(|each| (each.can, each.cannot)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let row = |(can, cannot): (usize, usize)| {
            let cell = |setting: usize| {
                let found = own().find(|each| (each.setting, each.can, each.cannot) == (setting, can, cannot));
                found.map_or(Entry::Empty, |each| text(format!("{} of {}", each.functions, each.of)))
            };
            let words = format!("{}, not {}", model.skills[can].name, model.skills[cannot].name);
            [text(words)].into_iter().chain((0..document.settings.len()).map(cell)).collect()
        };
        Section { title: model.name.clone(), rows: kinds.into_iter().map(row).collect() }
    };
    let sections = document.models.iter().enumerate().map(section);
    Table {
        name: "profile-disagreements".to_owned(),
        title: "Functions on which tasks disagree".to_owned(),
        note: "Of the functions that both tasks were asked about in a setting, those that one has and the other has not: at \
               least half of what is above chance."
            .to_owned(),
        columns: [Column::words("which")].into_iter().chain(settings(document, 0)).collect(),
        sections: sections.filter(|section| !section.rows.is_empty()).collect(),
        shows_spread: false,
    }
    .without_empty_columns()
}

fn functions(document: &ProfileResults) -> Table {
    let section = |(place, model): (usize, &ModelProfile)| {
        let words = |skills: &[(usize, f64)]| {
            let each = |(skill, score): &(usize, f64)| format!("{} {:.0}", model.skills[*skill].name, 100.0 * score);
            skills.iter().map(each).collect::<Vec<_>>().join(", ")
        };
        let own = document.functions.iter().filter(|each| each.model == place);
        let row = |each: &super::FunctionSheet| {
            let setting = document.settings[each.setting].name.clone();
            [each.name.clone(), setting, words(&each.can), words(&each.cannot)].map(text).to_vec()
        };
        Section { title: model.name.clone(), rows: own.map(row).collect() }
    };
    let sections = document.models.iter().enumerate().map(section);
    Table {
        name: "profile-functions".to_owned(),
        title: "Which functions these are".to_owned(),
        note: "Those first on which tasks are furthest apart, with the measure of each in percent.".to_owned(),
        columns: ["function", "setting", "has it", "has it not"].map(Column::words).to_vec(),
        sections: sections.filter(|section| !section.rows.is_empty()).collect(),
        shows_spread: false,
    }
}
