//! Pass rates of functions that a model may have seen, beside those that it cannot have seen as they are.

use super::super::document::GenerateResults;
use super::super::seen::{GapSheet, SeenSheet, SideSheet};
use super::filled;
use crate::document::Estimate;
use crate::entries::{count, estimate, probability};
use crate::table::{Column, Entry, Section, Table};

/// Of the test pass rate.
pub(super) fn tests(document: &GenerateResults) -> Table {
    table(document, ("generation-seen", "test pass rates", "TPR"), |side| side.tpr, |seen| seen.tpr)
}

/// Of the compile pass rate.
pub(super) fn compiles(document: &GenerateResults) -> Table {
    table(document, ("generation-seen-compile", "compile pass rates", "CPR"), |side| side.cpr, |seen| seen.cpr)
}

fn table(
    document: &GenerateResults,
    (name, what, short): (&str, &str, &str),
    rate: fn(&SideSheet) -> Estimate,
    gap: fn(&SeenSheet) -> Option<GapSheet>,
) -> Table {
    let side = |side: &Option<SideSheet>| match side {
        Some(side) => [count(side.functions as u64), estimate(rate(side))],
        None => [count(0), Entry::Empty],
    };
    let row = |setting: usize, seen: &SeenSheet| -> Vec<Entry> {
        let gap = match gap(seen) {
            Some(gap) => [estimate(gap.lost), probability(gap.p_value)],
            None => [Entry::Empty, Entry::Empty],
        };
        let name = Entry::Text(document.settings[setting].clone());
        let sides = side(&seen.before).into_iter().chain(side(&seen.after));
        [name].into_iter().chain(sides).chain(gap).chain([count(seen.undated as u64)]).collect()
    };
    let section = |author: usize| {
        let cutoff = document.authors[author].cutoff.as_ref().map(|cutoff| format!(", trained until {}", cutoff.day));
        let rows = document.levels_of(author).filter_map(|level| Some(row(level.setting, level.seen.as_ref()?)));
        Section { title: document.title(author).into_owned() + &cutoff.unwrap_or_default(), rows: rows.collect() }
    };
    let over = |over: &str| [Column::numbers("functions").under(over), Column::numbers(short).under(over)];
    let all = [Column::words("setting")].into_iter().chain(over("until then")).chain(over("after it"));
    Table {
        name: name.to_owned(),
        title: format!("Seen against unseen: {what} of functions by when they last changed, in percent"),
        note: "Until then: on the day until which the model was trained, or before. Lost: the mean of the functions' rates before, \
               less that after. p: an unpaired permutation test by function. No date: nobody knows when they changed; they are on \
               neither side."
            .to_owned(),
        columns: all.chain(["lost", "p", "no date"].map(Column::numbers)).collect(),
        sections: filled((0..document.authors.len()).map(section)),
        shows_spread: true,
    }
}
