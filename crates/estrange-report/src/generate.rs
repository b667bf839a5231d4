//! The panel of generation: who writes functions that compile and pass, two lines and bars by setting, tables, and what was
//! written beside the functions themselves.
//!
//! Everything is written as HTML: there is no script to it.

mod bars;
mod document;
mod fate;
mod funnel;
mod plot;
mod seen;
mod tables;
mod values;
mod written;

pub use document::{
    AnswerSheet, AuthorSheet, FunctionSheet, GenerateResults, GenerateResultsError, MistakeSheet, OrderSheet,
    QualitySheet, WorldSheet, WritingSheet,
};
pub use funnel::{FunnelSheet, ProjectFunnelSheet, StepSheet};
pub use seen::{CutoffSheet, GapSheet, SeenSheet, SideSheet};

use std::collections::BTreeSet;

use crate::curves;
use crate::detect::FallSheet;
use crate::markup::{escape, tables as written_tables};
use crate::panel::{FactSheet, PageOptions, PagePart, Panel};
use crate::table::Table;
use crate::values::ValueRow;
use crate::words::percent;
use estrange_words::counted;

/// Runs in which functions were written, to be shown side by side.
#[derive(Debug)]
pub struct GeneratePanel<'d> {
    document: &'d GenerateResults,
}

impl<'d> GeneratePanel<'d> {
    /// A panel of this document, unless it contradicts itself.
    pub fn new(document: &'d GenerateResults) -> Result<Self, GenerateResultsError> {
        document.check()?;
        Ok(Self { document })
    }

    /// What one run comes to, for a terminal.
    pub fn summary(&self) -> Vec<Table> {
        tables::summary(self.document)
    }

    fn lead(&self) -> String {
        let GenerateResults { authors, settings, projects, all_functions, .. } = self.document;
        let names: BTreeSet<&str> = authors.iter().map(|sheet| sheet.name.as_str()).collect();
        let of = match projects.len() {
            0 => String::new(),
            projects => format!(" of {}", counted(projects, "project")),
        };
        let wrote = format!(
            "{} wrote {}{of} in {}.",
            counted(names.len(), "model"),
            counted(*all_functions, "function"),
            counted(settings.len(), "setting")
        );
        format!("{wrote} {}", self.outcome()).trim_end().to_owned()
    }

    /// Who loses most from the first setting to the last one, if anybody does.
    fn outcome(&self) -> String {
        let GenerateResults { settings, levels, .. } = self.document;
        let last = levels.iter().filter(|level| level.setting + 1 == settings.len() && level.project.is_none());
        let falls = last.filter_map(|level| Some((level.author, level.fall?)));
        let most = falls.max_by(|one, other| one.1.lost.value.total_cmp(&other.1.lost.value));
        match (most, settings.first(), settings.last()) {
            (Some((author, fall)), Some(first), Some(last)) if fall.lost.value > 0.0 => format!(
                "From {} to {}, <strong>{}</strong> loses the most points: on the same functions its test pass rate falls from {:.0}% to \
                 {:.0}%{}.",
                escape(first),
                escape(last),
                escape(&self.document.title(author)),
                100.0 * fall.before,
                100.0 * fall.after,
                decrease(&fall).map(|share| format!(", a decrease of {:.0}%", 100.0 * share)).unwrap_or_default()
            ),
            _ => String::new(),
        }
    }

    /// What the numbers are, and what their intervals.
    fn note(&self) -> String {
        let GenerateResults { confidence, drawn, .. } = self.document;
        let drawn = if drawn.is_empty() { String::new() } else { format!(", by drawing {drawn}") };
        format!(
            "Of the answers, the share that compiles and links (CPR) and the share that passes (TPR), in percent; whiskers \
             and small numbers are intervals at {} confidence{drawn}.",
            percent(*confidence)
        )
    }
}

/// What is lost for each of what there was (the decrease ratio); none where there was nothing to lose.
fn decrease(fall: &FallSheet) -> Option<f64> {
    (fall.before > 0.0).then(|| fall.lost.value / fall.before)
}

impl Panel for GeneratePanel<'_> {
    fn name(&self) -> &str {
        "generation"
    }

    fn title(&self) -> &str {
        "Writing functions"
    }

    fn tables(&self) -> Vec<Table> {
        tables::all(self.document)
    }

    fn values(&self) -> Vec<ValueRow> {
        values::rows(self.document)
    }

    fn facts(&self) -> Vec<FactSheet> {
        let made = FactSheet { title: String::new(), facts: self.document.made.clone() };
        let sheets = self.document.authors.iter().enumerate();
        let sheets = sheets.map(|(author, sheet)| FactSheet {
            title: self.document.title(author).into_owned(),
            facts: sheet.facts.clone(),
        });
        [made].into_iter().chain(sheets).collect()
    }

    fn page(&self, options: &PageOptions) -> PagePart {
        let mut sections = format!(
            "  <section id=\"generation\">\n    <h2>Writing functions</h2>\n    <p class=\"note\">{}</p>\n{}{}{}    {}\n  \
             </section>\n",
            escape(&self.note()),
            plot::plots(self.document),
            bars::decreases(self.document),
            bars::fates(self.document),
            written_tables(&self.tables())
        );
        let mut links = vec![("generation".to_owned(), self.title().to_owned())];
        let written = written::section(self.document, options);
        if !written.is_empty() {
            links.push(("written".to_owned(), "What was written".to_owned()));
            sections += &written;
        }
        PagePart {
            lead: self.lead(),
            links,
            sections,
            style: [curves::STYLE, include_str!("page/generate.css")].concat(),
            ..PagePart::default()
        }
    }
}
