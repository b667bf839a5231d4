//! The panel of the probe: who still says what code does, a line each by level, and tables.

mod document;
mod tables;
mod values;

pub use document::{LevelSheet, ProbeResults, ProbeResultsError, RespondentSheet};

use document::{CALL, SUMMARY};

use crate::curves::{self, Curve, Curves};
use crate::markup::{escape, tables as written};
use crate::panel::{FactSheet, PageOptions, PagePart, Panel};
use crate::table::Table;
use crate::values::ValueRow;
use crate::words::percent;
use estrange_words::counted;

/// Runs of the probe, to be shown side by side.
#[derive(Debug)]
pub struct ProbePanel<'d> {
    document: &'d ProbeResults,
}

impl<'d> ProbePanel<'d> {
    /// A panel of this document, unless it contradicts itself.
    pub fn new(document: &'d ProbeResults) -> Result<Self, ProbeResultsError> {
        document.check()?;
        Ok(Self { document })
    }

    /// What one run comes to, for a terminal.
    pub fn summary(&self) -> Vec<Table> {
        tables::summary(self.document)
    }

    fn lead(&self) -> String {
        let ProbeResults { respondents, settings, all_pairs, all_questions, .. } = self.document;
        format!(
            "{} {} asked {} about the patched sides of {} in {}: {}.",
            counted(respondents.len(), "model"),
            if respondents.len() == 1 { "was" } else { "were" },
            counted(*all_questions, "question"),
            counted(*all_pairs, "pair"),
            counted(settings.len(), "setting"),
            match (self.has(SUMMARY), self.has(CALL)) {
                (true, true) => "what a call comes to, or what the function does, by which it is to be found",
                (true, false) => "what the function does, by which it is to be found among all",
                (false, _) => "what a call returns, or leaves in memory",
            }
        )
    }

    /// Whether somebody was asked this.
    fn has(&self, asked: &str) -> bool {
        self.document.respondents.iter().any(|sheet| sheet.asked == asked)
    }

    fn plot(&self) -> Curves<'_> {
        let ProbeResults { respondents, settings, levels, .. } = self.document;
        let curve = |(place, sheet): (usize, &'d RespondentSheet)| {
            let own = levels.iter().filter(|level| level.respondent == place);
            Curve { name: sheet.title(), place, points: own.map(|level| (level.setting, level.accuracy)).collect() }
        };
        Curves {
            caption: "Right answers".to_owned(),
            label: "Right answers by setting, a line a model; the table below has the values",
            settings,
            curves: respondents.iter().enumerate().map(curve).collect(),
        }
    }
}

impl Panel for ProbePanel<'_> {
    fn name(&self) -> &str {
        "comprehension"
    }

    fn title(&self) -> &str {
        "Comprehension"
    }

    fn tables(&self) -> Vec<Table> {
        tables::all(self.document)
    }

    fn values(&self) -> Vec<ValueRow> {
        values::rows(self.document)
    }

    fn facts(&self) -> Vec<FactSheet> {
        let made = FactSheet { title: String::new(), facts: self.document.made.clone() };
        let sheets = self.document.respondents.iter();
        let sheets = sheets.map(|sheet| FactSheet { title: sheet.title().into_owned(), facts: sheet.facts.clone() });
        [made].into_iter().chain(sheets).collect()
    }

    fn page(&self, _: &PageOptions) -> PagePart {
        let confidence = percent(self.document.confidence);
        let sections = format!(
            "  <section id=\"comprehension\">\n    <h2>Comprehension</h2>\n    <p class=\"note\">Right answers by level, in \
             percent; whiskers and small numbers are intervals at {} confidence, by drawing pairs. What falls here is harder \
             to read; what falls in detection alone was recognised.</p>\n{}    {}\n  </section>\n",
            escape(&confidence),
            self.plot().figure(),
            written(&self.tables())
        );
        PagePart {
            lead: self.lead(),
            links: vec![("comprehension".to_owned(), "Comprehension".to_owned())],
            sections,
            style: curves::STYLE.to_owned(),
            ..PagePart::default()
        }
    }
}
