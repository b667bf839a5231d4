//! Panels: what a task contributes to a report. Nothing else of a report knows any task.

use crate::document::Fact;
use crate::markup::{escape, tables};
use crate::table::Table;
use crate::values::ValueRow;

/// What a task has to show: tables at least. Whoever has more than tables for a page writes its part of it by itself.
pub trait Panel {
    /// A short name of lower-case letters and hyphens, for anchors.
    fn name(&self) -> &str;

    /// What it is about.
    fn title(&self) -> &str;

    /// Its tables, in the order in which a paper has them. Where [`Table::shows_spread`] is set, values are written with
    /// their intervals.
    fn tables(&self) -> Vec<Table>;

    /// The values of its tables, for programs.
    fn values(&self) -> Vec<ValueRow> {
        Vec::new()
    }

    /// What was run, and with which models.
    fn facts(&self) -> Vec<FactSheet> {
        Vec::new()
    }

    /// Its part of the page: its tables, unless there is more.
    fn page(&self, _: &PageOptions) -> PagePart {
        PagePart::of_tables(self.name(), self.title(), &self.tables())
    }
}

/// What is to be said of something that was run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactSheet {
    /// What it is; empty where it is everything together.
    pub title: String,
    /// What there is to say.
    pub facts: Vec<Fact>,
}

/// A panel's part of the page: HTML, which is put in as it is. Whoever writes it keeps texts from becoming tags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PagePart {
    /// A sentence or two at the top.
    pub lead: String,
    /// Where the page can be jumped to: an anchor, and words.
    pub links: Vec<(String, String)>,
    /// What stands above everything and stays there.
    pub controls: String,
    /// The sections.
    pub sections: String,
    /// Style sheets.
    pub style: String,
    /// Whole `script` elements.
    pub scripts: String,
}

impl PagePart {
    /// A part of the page that is its tables and nothing else.
    pub fn of_tables(name: &str, title: &str, all: &[Table]) -> Self {
        let sections = format!(
            "  <section id=\"{}\">\n    <h2>{}</h2>\n    {}\n  </section>\n",
            escape(name),
            escape(title),
            tables(all)
        );
        Self { links: vec![(name.to_owned(), title.to_owned())], sections, ..Self::default() }
    }
}

/// How much of a document goes into a page.
///
/// With the defaults, a page of 3,000 queries, 6 settings and 4 models stays below 10 MB. Scores are never left out:
/// tables, plots and filters know every query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageOptions {
    /// How many queries the explorer shows; of more, it takes as many at equal distances.
    pub queries: usize,
    /// How many documents of a ranking are shown.
    pub hits: usize,
    /// How many characters of the right function are shown, in each setting.
    pub text: usize,
    /// How many characters of any other document are shown.
    pub hit_text: usize,
}

impl Default for PageOptions {
    fn default() -> Self {
        Self { queries: 200, hits: 5, text: 1500, hit_text: 240 }
    }
}
