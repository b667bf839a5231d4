//! Results for people: the tables of a paper, for Markdown, LaTeX, spreadsheets and terminals, and one page for a
//! browser.
//!
//! What is shown comes in as a [`Document`]: plain data that says who searched what and how well it went. Nothing here
//! knows how a score arises, and nothing is computed but what the reader of a table would compute: which value is the
//! best, and how much is left of another.
//!
//! | question | module |
//! |---|---|
//! | What must be filled in? | [`mod@document`] |
//! | What does a table hold, and how is it written? | [`table`] |
//! | Which tables are there? | [`Report::tables`] |
//! | What do programs read? | [`Report::csv`] |
//! | What is on the page? | [`Report::page`] |
//!
//! ```
//! use estrange_report::{Document, Report};
//!
//! let document = Document { title: "Nothing was run yet".to_owned(), ..Document::default() };
//! let page = Report::new(&document)?.page(&Default::default());
//! assert!(page.contains("<title>Nothing was run yet</title>"));
//! # Ok::<(), estrange_report::DocumentError>(())
//! ```

mod csv;
pub mod document;
mod html;
mod report;
pub mod table;
mod tables;
mod words;

pub use document::{Document, DocumentError};
pub use html::PageOptions;
pub use report::Report;
pub use table::Table;
