//! The tables of detections. A block never has detectors that were asked about pairs of different labels.

use super::document::{DetectResults, LevelSheet};
use crate::entries::{count, estimate, perhaps, probability, share};
use crate::table::{Column, Entry, Section, Table};

/// The heading of how many pairs there are.
const PAIRS: &str = "pairs";

/// All that have a row, in the order in which a paper has them.
pub(super) fn all(document: &DetectResults) -> Vec<Table> {
    let all = [
        f1(document),
        levels(document),
        outcomes(document),
        flips(document),
        falls(document),
        classes(document),
        problems(document),
    ];
    all.into_iter().filter(|table| !table.is_empty()).collect()
}

fn columns(document: &DetectResults, first: &[&str]) -> Vec<Column> {
    let column = |heading: &&str| if *heading == PAIRS { Column::numbers(PAIRS) } else { Column::words(*heading) };
    first.iter().map(column).chain(document.settings.iter().map(|setting| Column::numbers(setting.clone()))).collect()
}

/// The labels, in the order in which they come.
fn labels(document: &DetectResults) -> Vec<&str> {
    let mut labels: Vec<&str> = Vec::new();
    for sheet in &document.detectors {
        if !labels.contains(&sheet.label.as_str()) {
            labels.push(&sheet.label);
        }
    }
    labels
}

fn level(document: &DetectResults, detector: usize, setting: usize) -> Option<&LevelSheet> {
    document.levels.iter().find(|level| (level.detector, level.setting) == (detector, setting))
}

/// A section for each label with a row for each detector: a value for each setting.
fn by_setting(document: &DetectResults, read: impl Fn(&LevelSheet) -> Entry) -> Vec<Section> {
    let section = |label: &str| {
        let those = document.detectors.iter().enumerate().filter(|(_, sheet)| sheet.label == label);
        let row = |(detector, sheet): (usize, &super::DetectorSheet)| {
            let values = (0..document.settings.len())
                .map(|setting| level(document, detector, setting).map_or(Entry::Empty, &read));
            let own = document.levels.iter().filter(|level| level.detector == detector);
            let pairs = count(own.map(|level| level.outcomes.pairs).max().unwrap_or(0));
            let names = [Entry::Text(sheet.name.clone()), Entry::Text(sheet.sees.clone()), pairs];
            names.into_iter().chain(values).collect::<Vec<_>>()
        };
        let has_value = |row: &Vec<Entry>| row[3..].iter().any(|entry| *entry != Entry::Empty);
        Section { title: format!("pairs that are {label}"), rows: those.map(row).filter(has_value).collect() }
    };
    labels(document).into_iter().map(section).filter(|section| !section.rows.is_empty()).collect()
}

/// A section for each detector with a row for each setting.
fn by_detector(document: &DetectResults, row: impl Fn(&LevelSheet) -> Vec<Entry>) -> Vec<Section> {
    let section = |(detector, sheet): (usize, &super::DetectorSheet)| {
        let rows = (0..document.settings.len()).filter_map(|setting| {
            let name = Entry::Text(document.settings[setting].clone());
            Some([vec![name], row(level(document, detector, setting)?)].concat())
        });
        Section { title: format!("{}, sees the {}, {}", sheet.name, sheet.sees, sheet.label), rows: rows.collect() }
    };
    document.detectors.iter().enumerate().map(section).filter(|section| !section.rows.is_empty()).collect()
}

fn f1(document: &DetectResults) -> Table {
    let mut sections = by_setting(document, |level| estimate(level.f1));
    sections.iter_mut().for_each(Section::mark_best);
    // More pairs are no better.
    for row in sections.iter_mut().flat_map(|section| &mut section.rows) {
        if let Some(Entry::Number(pairs)) = row.get_mut(2) {
            pairs.is_best = false;
        }
    }
    Table {
        name: "detection-f1".to_owned(),
        title: "F1 by level, in percent".to_owned(),
        note: "What has no verdict counts as not flagged. Detectors that saw functions may have been asked about fewer pairs."
            .to_owned(),
        columns: columns(document, &["detector", "sees", PAIRS]),
        sections,
        shows_spread: true,
    }
}

pub(super) fn levels(document: &DetectResults) -> Table {
    let headings = [
        "F1",
        "precision",
        "recall",
        "right verdicts",
        "false alarms",
        "pairs right",
        "lines right",
        "answered",
        "agreement",
    ];
    let row = |level: &LevelSheet| {
        vec![
            estimate(level.f1),
            estimate(level.precision),
            estimate(level.recall),
            estimate(level.accuracy),
            estimate(level.false_alarms),
            estimate(level.pairwise),
            perhaps(level.located),
            share(level.answered as f64 / level.items.max(1) as f64),
            level.agreement.map_or(Entry::Empty, share),
        ]
    };
    Table {
        name: "detection-levels".to_owned(),
        title: "What verdicts are worth, in percent".to_owned(),
        note: "False alarms: patched sides that were flagged. Pairs right: both sides. Lines right: of those named, at most one \
               off."
            .to_owned(),
        columns: [Column::words("setting")].into_iter().chain(headings.map(Column::numbers)).collect(),
        sections: by_detector(document, row),
        shows_spread: true,
    }
    .without_empty_columns()
}

pub(super) fn outcomes(document: &DetectResults) -> Table {
    let headings = ["pairs", "both right", "both flagged", "both safe", "swapped", "a side unanswered"];
    let row = |level: &LevelSheet| {
        let all = level.outcomes;
        [all.pairs, all.both_right, all.both_flagged, all.both_safe, all.swapped, all.unanswered].map(count).to_vec()
    };
    Table {
        name: "detection-pairs".to_owned(),
        title: "What the two sides of a pair come to".to_owned(),
        note: "Swapped: only the patched side was flagged. A pair counts once for each seed.".to_owned(),
        columns: [Column::words("setting")].into_iter().chain(headings.map(Column::numbers)).collect(),
        sections: by_detector(document, row),
        shows_spread: false,
    }
}

pub(super) fn flips(document: &DetectResults) -> Table {
    Table {
        name: "detection-flips".to_owned(),
        title: "Verdicts that are others than at L0, in percent".to_owned(),
        note: "Of the items with a verdict in both. L1 changes names and layout alone, and distract adds code that does nothing: \
               the bug is the same, and so should the verdict be."
            .to_owned(),
        columns: columns(document, &["detector", "sees", PAIRS]),
        sections: by_setting(document, |level| perhaps(level.flips)),
        shows_spread: true,
    }
    .without_empty_columns()
}

pub(super) fn falls(document: &DetectResults) -> Table {
    let row = |level: &LevelSheet| match level.fall {
        None => vec![Entry::Empty; 5],
        Some(fall) => vec![
            count(fall.pairs as u64),
            share(fall.before),
            share(fall.after),
            estimate(fall.lost),
            probability(fall.p_value),
        ],
    };
    let mut sections = by_detector(document, row);
    for section in &mut sections {
        section.rows.retain(|row| row[1] != Entry::Empty);
    }
    sections.retain(|section| !section.rows.is_empty());
    let headings = ["pairs", "F1 at L0", "F1", "lost", "p"];
    Table {
        name: "detection-falls".to_owned(),
        title: "What is lost since L0, on the same pairs".to_owned(),
        note: "F1 in percent. p: a paired permutation test of the right verdicts by pair.".to_owned(),
        columns: [Column::words("setting")].into_iter().chain(headings.map(Column::numbers)).collect(),
        sections,
        shows_spread: true,
    }
}

fn classes(document: &DetectResults) -> Table {
    let section = |(detector, sheet): (usize, &super::DetectorSheet)| {
        let own: Vec<_> = document.classes.iter().filter(|class| class.detector == detector).collect();
        let mut names: Vec<&str> = own.iter().map(|class| class.class.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let row = |name: &str| {
            let of = |setting: usize| own.iter().find(|class| class.class == name && class.setting == setting);
            let pairs = own.iter().filter(|class| class.class == name).map(|class| class.pairs).max().unwrap_or(0);
            let values =
                (0..document.settings.len()).map(|setting| of(setting).map_or(Entry::Empty, |class| share(class.f1)));
            [Entry::Text(name.to_owned()), count(pairs as u64)].into_iter().chain(values).collect()
        };
        let title = format!("{}, sees the {}, {}", sheet.name, sheet.sees, sheet.label);
        Section { title, rows: names.into_iter().map(row).collect() }
    };
    Table {
        name: "detection-classes".to_owned(),
        title: "F1 by class of bug, in percent".to_owned(),
        note: "A class is how the vulnerable side ends on its trigger, or its weakness where nothing was run."
            .to_owned(),
        columns: columns(document, &["class", PAIRS]),
        sections: document.detectors.iter().enumerate().map(section).filter(|one| !one.rows.is_empty()).collect(),
        shows_spread: false,
    }
}

pub(super) fn problems(document: &DetectResults) -> Table {
    let section = |(detector, sheet): (usize, &super::DetectorSheet)| {
        let own = || document.levels.iter().filter(|level| level.detector == detector);
        let mut names: Vec<&str> = own().flat_map(|level| &level.problems).map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let row = |name: &str| {
            let of = |setting: usize| {
                let mut level = own().filter(|level| level.setting == setting);
                level.next().map_or(Entry::Empty, |level| {
                    let found = level.problems.iter().find(|(own, _)| own == name);
                    count(found.map_or(0, |(_, count)| *count))
                })
            };
            [Entry::Text(name.to_owned())].into_iter().chain((0..document.settings.len()).map(of)).collect()
        };
        Section { title: sheet.name.clone(), rows: names.into_iter().map(row).collect() }
    };
    Table {
        name: "detection-problems".to_owned(),
        title: "Answers without a verdict".to_owned(),
        note: "`estrange explain WORD` says what each means.".to_owned(),
        columns: columns(document, &["problem"]),
        sections: document.detectors.iter().enumerate().map(section).filter(|one| !one.rows.is_empty()).collect(),
        shows_spread: false,
    }
}
