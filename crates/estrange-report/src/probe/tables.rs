//! The tables of the probe.

use super::document::{CALL, LevelSheet, ProbeResults, RespondentSheet, SUMMARY};
use crate::entries::{count, estimate, probability, share};
use crate::table::{Column, Entry, Section, Table};

/// All that have a row, in the order in which a paper has them.
pub(super) fn all(document: &ProbeResults) -> Vec<Table> {
    let all = [accuracy(document), levels(document), falls(document), problems(document)];
    all.into_iter().filter(|table| !table.is_empty()).collect()
}

/// Those that say it all of one run.
pub(super) fn summary(document: &ProbeResults) -> Vec<Table> {
    let all = [levels(document), falls(document), problems(document)];
    all.into_iter().filter(|table| !table.is_empty()).collect()
}

fn level(document: &ProbeResults, respondent: usize, setting: usize) -> Option<&LevelSheet> {
    document.levels.iter().find(|level| (level.respondent, level.setting) == (respondent, setting))
}

/// A section for each respondent with a row for each setting, where there is one.
fn by_respondent(document: &ProbeResults, row: impl Fn(&LevelSheet) -> Option<Vec<Entry>>) -> Vec<Section> {
    let section = |(respondent, sheet): (usize, &RespondentSheet)| {
        let rows = document.settings.iter().enumerate().filter_map(|(setting, name)| {
            let own = row(level(document, respondent, setting)?)?;
            Some([vec![Entry::Text(name.clone())], own].concat())
        });
        Section { title: format!("{}, sees the {}", sheet.title(), sheet.sees), rows: rows.collect() }
    };
    document.respondents.iter().enumerate().map(section).filter(|section| !section.rows.is_empty()).collect()
}

fn columns(first: &[Column], others: impl IntoIterator<Item = impl Into<String>>) -> Vec<Column> {
    first.iter().cloned().chain(others.into_iter().map(Column::numbers)).collect()
}

fn accuracy(document: &ProbeResults) -> Table {
    let row = |(respondent, sheet): (usize, &RespondentSheet)| {
        let own = || (0..document.settings.len()).map(|setting| level(document, respondent, setting));
        let pairs = own().flatten().map(|level| level.pairs).max().unwrap_or(0);
        let values = own().map(|level| level.map_or(Entry::Empty, |level| estimate(level.accuracy)));
        let names = [Entry::Text(sheet.name.clone()), Entry::Text(sheet.sees.clone()), count(pairs as u64)];
        names.into_iter().chain(values).collect::<Vec<_>>()
    };
    let first = [Column::words("model"), Column::words("sees"), Column::numbers("pairs")];
    let section = |(asked, title): (&str, &str)| {
        let own = document.respondents.iter().enumerate().filter(|(_, sheet)| sheet.asked == asked);
        let mut section = Section { title: title.to_owned(), rows: own.map(row).collect() };
        section.mark_best();
        // More pairs are no better.
        for row in &mut section.rows {
            if let Some(Entry::Number(pairs)) = row.get_mut(2) {
                pairs.is_best = false;
            }
        }
        section
    };
    let sections = [(CALL, "what a call comes to"), (SUMMARY, "summaries by which the function is found first")];
    Table {
        name: "comprehension-accuracy".to_owned(),
        title: "Right answers by level, in percent".to_owned(),
        note: "An answer that gives no value counts as wrong.".to_owned(),
        columns: columns(&first, document.settings.clone()),
        sections: sections.into_iter().map(section).filter(|section| !section.rows.is_empty()).collect(),
        shows_spread: true,
    }
}

fn levels(document: &ProbeResults) -> Table {
    let row = |level: &LevelSheet| {
        let wrong = level.answered.saturating_sub(level.right);
        let counts =
            [level.pairs as u64, level.questions, level.right, wrong, level.questions.saturating_sub(level.answered)];
        let share = |of: Option<f64>| of.map_or(Entry::Empty, share);
        let shares = [estimate(level.accuracy), share(level.reciprocal_rank), share(level.agreement)];
        Some(counts.map(count).into_iter().chain(shares).collect())
    };
    let headings =
        ["pairs", "questions", "right", "wrong", "without a value", "right answers", "reciprocal rank", "agreement"];
    Table {
        name: "comprehension-levels".to_owned(),
        title: "What answers are worth".to_owned(),
        note: "Shares in percent.".to_owned(),
        columns: columns(&[Column::words("setting")], headings),
        sections: by_respondent(document, row),
        shows_spread: true,
    }
    .without_empty_columns()
}

fn falls(document: &ProbeResults) -> Table {
    let row = |level: &LevelSheet| {
        let fall = level.fall?;
        let shares = [share(fall.before), share(fall.after), estimate(fall.lost), probability(fall.p_value)];
        Some([count(fall.pairs as u64)].into_iter().chain(shares).collect())
    };
    Table {
        name: "comprehension-falls".to_owned(),
        title: "What is lost since L0, on the same pairs".to_owned(),
        note: "Right answers in percent. p: a paired permutation test of the right answers by pair.".to_owned(),
        columns: columns(&[Column::words("setting")], ["pairs", "right at L0", "right", "lost", "p"]),
        sections: by_respondent(document, row),
        shows_spread: true,
    }
}

fn problems(document: &ProbeResults) -> Table {
    let section = |(respondent, sheet): (usize, &RespondentSheet)| {
        let own = || document.levels.iter().filter(|level| level.respondent == respondent);
        let mut names: Vec<&str> = own().flat_map(|level| &level.problems).map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let of = |name: &str, setting: usize| {
            level(document, respondent, setting).map_or(Entry::Empty, |level| {
                count(level.problems.iter().find(|(own, _)| own == name).map_or(0, |(_, count)| *count))
            })
        };
        let row = |name: &str| {
            let counts = (0..document.settings.len()).map(|setting| of(name, setting));
            [Entry::Text(name.to_owned())].into_iter().chain(counts).collect()
        };
        Section { title: sheet.title().into_owned(), rows: names.into_iter().map(row).collect() }
    };
    Table {
        name: "comprehension-problems".to_owned(),
        title: "Answers without a value".to_owned(),
        note: "`estrange explain WORD` says what each means.".to_owned(),
        columns: columns(&[Column::words("problem")], document.settings.clone()),
        sections: document.respondents.iter().enumerate().map(section).filter(|one| !one.rows.is_empty()).collect(),
        shows_spread: false,
    }
}
