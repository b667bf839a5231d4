//! Reports of a document that is made up from a seed: their tables in every format, and their page in a real browser.

#![allow(clippy::unwrap_used)]

mod browser;
mod code;
mod detect;
mod page;
mod panels;
mod probe;
mod sample;
mod tables;

use estrange_report::{Report, SearchPanel, SearchResults};

/// A report of searches alone.
fn report(document: &SearchResults) -> Report<'_> {
    Report::new(document.title.as_str()).with(SearchPanel::new(document).unwrap())
}
