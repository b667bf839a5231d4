//! Results for people: the tables of a paper, for Markdown, LaTeX, spreadsheets and terminals, and one page for a
//! browser.
//!
//! A [`Report`] is made of panels, one for each task: a [`Panel`] has tables, their values for programs, and its part of
//! the page. The panel of searches, [`SearchPanel`], is made from a [`SearchResults`]: plain data that says who searched what and
//! how well it went; that of detections, [`DetectPanel`], from [`detect::DetectResults`]; that of the probe, [`ProbePanel`], from
//! [`probe::ProbeResults`]; that of written functions, [`GeneratePanel`], from [`generate::GenerateResults`]; that of all tasks on the
//! same functions, [`ProfilePanel`], from [`profile::ProfileResults`].
//! Nothing here knows how a score arises, and nothing is computed but what the reader of a table would compute: which value is the
//! best, and how much is left of another.
//!
//! | question | module |
//! |---|---|
//! | What does a task bring? | [`Panel`] |
//! | What must be filled in for a search? | [`mod@document`] |
//! | What must be filled in for a detection? | [`mod@detect`] |
//! | What must be filled in for the probe? | [`mod@probe`] |
//! | What must be filled in for written functions? | [`mod@generate`] |
//! | What must be filled in for several tasks on the same functions? | [`mod@profile`] |
//! | What does a table hold, and how is it written? | [`table`] |
//! | Which tables are there? | [`Report::tables`] |
//! | What do programs read? | [`Report::csv`] |
//! | What is on the page? | [`Report::page`] |
//!
//! ```
//! use estrange_report::{SearchResults, Report, SearchPanel};
//!
//! let document = SearchResults::default();
//! let page = Report::new("Nothing was run yet").with(SearchPanel::new(&document)?).page(&Default::default());
//! assert!(page.contains("<title>Nothing was run yet</title>"));
//! # Ok::<(), estrange_report::SearchResultsError>(())
//! ```

mod curves;
pub mod detect;
pub mod document;
mod entries;
pub mod generate;
mod html;
mod markup;
mod panel;
pub mod probe;
pub mod profile;
mod report;
mod search;
pub mod table;
mod values;
mod words;

pub use detect::DetectPanel;
pub use document::{SearchResults, SearchResultsError};
pub use generate::GeneratePanel;
pub use panel::{FactSheet, PageOptions, PagePart, Panel};
pub use probe::ProbePanel;
pub use profile::ProfilePanel;
pub use report::Report;
pub use search::SearchPanel;
pub use table::Table;
pub use values::{ValueRow, number};
