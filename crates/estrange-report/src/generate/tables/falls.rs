//! What is lost since the first setting, and whether the order of models is still the same.

use super::super::decrease;
use super::super::document::{GenerateResults, OrderSheet, WritingSheet};
use super::{by_author, columns, filled};
use crate::detect::FallSheet;
use crate::document::Estimate;
use crate::entries::{count, estimate, probability, share};
use crate::table::{Entry, Number, Section, Spread, Table};

/// Of the test pass rate.
pub(super) fn tests(document: &GenerateResults) -> Table {
    falls(document, "generation-falls", "test pass rate (TPR)", "TPR", |level| level.fall)
}

/// Of the compile pass rate.
pub(super) fn compiles(document: &GenerateResults) -> Table {
    falls(document, "generation-compile-falls", "compile pass rate (CPR)", "CPR", |level| level.cpr_fall)
}

fn falls(
    document: &GenerateResults,
    name: &str,
    what: &str,
    short: &str,
    read: impl Fn(&WritingSheet) -> Option<FallSheet>,
) -> Table {
    let sections = by_author(document, |level| {
        let fall = read(level)?;
        let shares = [
            share(fall.before),
            share(fall.after),
            estimate(fall.lost),
            decrease(&fall).map_or(Entry::Empty, share),
            probability(fall.p_value),
        ];
        Some([count(fall.pairs as u64)].into_iter().chain(shares).collect())
    });
    let first = document.settings.first().map_or("", String::as_str);
    let headings = [
        "functions".to_owned(),
        format!("{short} before"),
        format!("{short} after"),
        "lost".to_owned(),
        "decrease ratio".to_owned(),
        "p".to_owned(),
    ];
    Table {
        name: name.to_owned(),
        title: format!("What is lost of the {what} since {first}, on the same functions, in percent"),
        note: format!(
            "Before: in {first}, of the functions that the setting has as well. Decrease ratio: what is lost, in percent of \
             what there was. p: a paired permutation test by function."
        ),
        columns: columns("setting", headings),
        sections,
        shows_spread: true,
    }
}

/// Whether a setting puts the models in the order in which the first one does.
pub(super) fn orders(document: &GenerateResults) -> Table {
    let row = |order: &OrderSheet| {
        let Estimate { value, low, high } = order.kendall;
        let tau = Number { value, digits: 2, spread: Spread::Interval { low, high }, ..Number::default() };
        vec![Entry::Text(document.settings[order.setting].clone()), count(order.models as u64), Entry::Number(tau)]
    };
    let rows = document.orders.iter().filter(|order| order.models > 1).map(row).collect();
    let first = document.settings.first().map_or("", String::as_str);
    Table {
        name: "generation-orders".to_owned(),
        title: format!("How far the order of the models is that of {first}"),
        note: "Kendall's tau-b of the test pass rates: 1 is the same order, −1 the opposite one.".to_owned(),
        columns: columns("setting", ["models", "tau"]),
        sections: filled([Section { title: String::new(), rows }].into_iter()),
        shows_spread: true,
    }
}
