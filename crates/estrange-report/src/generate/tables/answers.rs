//! What became of answers: by outcome, why they do not compile, and what is found of those that pass.

use std::collections::BTreeMap;

use estrange_words::{Mistake, MistakeCategory, Outcome, Word, counted};

use super::super::document::{GenerateResults, MistakeSheet, WritingSheet};
use super::super::fate::{Fate, in_order, met};
use super::{by_author, columns, filled};
use crate::entries::{count, share};
use crate::table::{Column, Entry, Number, Section, Table};

/// Where a reader finds what words mean.
const EXPLAIN: &str = "`estrange explain WORD` says what each word means.";

/// How many answers met which end, with the settings side by side.
pub(super) fn outcomes(document: &GenerateResults) -> Table {
    let section = |author: usize| {
        let words = in_order(
            document.levels_of(author).flat_map(|level| &level.outcomes).map(|(word, _)| word.as_str()),
            &words::<Outcome>(),
        );
        let row = |name: &str, read: &dyn Fn(&WritingSheet) -> u64| -> Vec<Entry> {
            let of = |setting| document.level(author, setting, None).map_or(Entry::Empty, |level| count(read(level)));
            [Entry::Text(name.to_owned())].into_iter().chain((0..document.settings.len()).map(of)).collect()
        };
        let of = |word: &&str| {
            row(word, &|level| level.outcomes.iter().filter(|(own, _)| own == word).map(|(_, count)| count).sum())
        };
        let mut rows: Vec<_> = words.iter().map(of).collect();
        if document.levels_of(author).any(|level| level.ungraded > 0) {
            rows.push(row("(could not be graded)", &|level| level.ungraded));
        }
        Section { title: document.title(author).into_owned(), rows }
    };
    Table {
        name: "generation-outcomes".to_owned(),
        title: "What became of answers".to_owned(),
        note: EXPLAIN.to_owned(),
        columns: columns("outcome", document.settings.clone()),
        sections: filled((0..document.authors.len()).map(section)),
        shows_spread: false,
    }
}

/// Why answers do not compile, over all settings: of all models together where there are several, and of each.
pub(super) fn mistakes(document: &GenerateResults) -> Table {
    let of = |author: usize| -> Vec<&WritingSheet> { document.levels_of(author).collect() };
    let each: Vec<(String, Vec<&WritingSheet>)> =
        (0..document.authors.len()).map(|author| (document.title(author).into_owned(), of(author))).collect();
    let together = each.iter().flat_map(|(_, levels)| levels.iter().copied()).collect();
    let together = (each.len() > 1).then(|| ("all models".to_owned(), together));
    let over = |over: &str| [Column::numbers("answers").under(over), Column::numbers("%").under(over)];
    Table {
        name: "generation-mistakes".to_owned(),
        title: "Why answers do not compile".to_owned(),
        note: format!(
            "As the messages of gcc and of clang tell it, in all settings; shares of the answers that do not compile or link. {EXPLAIN}"
        ),
        columns: [Column::words("category"), Column::words("mistake")]
            .into_iter()
            .chain(over("gcc"))
            .chain(over("clang"))
            .collect(),
        sections: filled(together.into_iter().chain(each).map(|(name, levels)| mistakes_of(&name, &levels))),
        shows_spread: false,
    }
}

/// How many answers by either compiler.
type Counts = [u64; 2];

fn mistakes_of(name: &str, levels: &[&WritingSheet]) -> Section {
    let mut categories: BTreeMap<&str, BTreeMap<&str, Counts>> = BTreeMap::new();
    for MistakeSheet { category, mistake, by_gcc, by_clang } in levels.iter().flat_map(|level| &level.mistakes) {
        let counts = categories.entry(category).or_default().entry(mistake).or_default();
        *counts = [counts[0] + by_gcc, counts[1] + by_clang];
    }
    let failed: u64 = levels.iter().map(|level| met(level, Fate::NotBuilt)).sum();
    let row = |category: &str, mistake: &str, counts: Counts| {
        let names = [category, mistake].map(|word| Entry::Text(word.to_owned()));
        let shared = |number: u64| match failed {
            0 => Entry::Empty,
            failed => share(number as f64 / failed as f64),
        };
        names.into_iter().chain(counts.into_iter().flat_map(|number| [count(number), shared(number)])).collect()
    };
    let mut rows: Vec<Vec<Entry>> = Vec::new();
    for category in in_order(categories.keys().copied(), &words::<MistakeCategory>()) {
        let mistakes = &categories[category];
        if mistakes.len() > 1 {
            let whole = mistakes.values().fold([0, 0], |sum, each| [sum[0] + each[0], sum[1] + each[1]]);
            rows.push(row(category, "(all)", whole));
        }
        let own = in_order(mistakes.keys().copied(), &words::<Mistake>());
        rows.extend(own.into_iter().map(|mistake| row(category, mistake, mistakes[mistake])));
    }
    let title = format!(
        "{name}: {} that {} not compile or link",
        counted(failed, "answer"),
        if failed == 1 { "does" } else { "do" }
    );
    Section { title, rows }
}

/// What is found of answers that pass.
pub(super) fn quality(document: &GenerateResults) -> Table {
    let sections = by_author(document, |level| {
        let quality = &level.quality;
        let found = [quality.leaves_memory, quality.not_robust, quality.slow];
        let found = found.into_iter().flat_map(|found| [count(found), share(found as f64 / quality.passed as f64)]);
        let steps =
            quality.steps.map_or(Entry::Empty, |value| Entry::Number(Number { value, digits: 2, ..Number::default() }));
        (quality.passed > 0).then(|| [count(quality.passed)].into_iter().chain(found).chain([steps]).collect())
    });
    let over = |over: &str| [Column::numbers("answers").under(over), Column::numbers("%").under(over)];
    let found = ["leaves memory", "not robust", "slow"].into_iter().flat_map(over);
    Table {
        name: "generation-quality".to_owned(),
        title: "What is found of answers that pass".to_owned(),
        note: "Leaves memory: it keeps memory in use that the function does not. Not robust: it faults where memory is short and \
               the function survives. Slow: at least twice the function's steps. Steps: for each of the function's, the median."
            .to_owned(),
        columns: columns("setting", ["pass"]).into_iter().chain(found).chain([Column::numbers("steps")]).collect(),
        sections,
        shows_spread: false,
    }
}

/// The words of a list.
fn words<W: Word>() -> Vec<&'static str> {
    W::ALL.iter().map(|word| word.as_str()).collect()
}
