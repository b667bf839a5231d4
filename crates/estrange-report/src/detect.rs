//! The panel of detections: a document that was found sound, its tables, a plot and its pairs side by side.
//!
//! Everything is written as HTML: there is no script to it.

mod document;
mod pairs;
mod plot;
mod tables;
mod values;

pub use document::{
    ClassSheet, DetectResults, DetectResultsError, DetectorSheet, FallSheet, LevelSheet, Outcomes, PairSheet,
    RungSheet, SaidSheet, SideSheet,
};

use crate::curves;
use crate::markup::{escape, tables as written};
use crate::panel::{FactSheet, PageOptions, PagePart, Panel};
use crate::table::Table;
use crate::values::ValueRow;
use crate::words::percent;
use estrange_words::counted;

/// Runs of detections, to be shown side by side.
#[derive(Debug)]
pub struct DetectPanel<'d> {
    document: &'d DetectResults,
}

impl<'d> DetectPanel<'d> {
    /// A panel of this document, unless it contradicts itself.
    pub fn new(document: &'d DetectResults) -> Result<Self, DetectResultsError> {
        document.check()?;
        Ok(Self { document })
    }

    /// What one run comes to, for a terminal: its scores in each setting, what the sides of its pairs come to, and how it
    /// changes since the first setting.
    pub fn summary(&self) -> Vec<Table> {
        let all = [tables::levels, tables::outcomes, tables::flips, tables::falls, tables::problems];
        all.map(|table| table(self.document)).into_iter().filter(|table| !table.is_empty()).collect()
    }

    fn lead(&self) -> String {
        let DetectResults { detectors, settings, all_pairs, .. } = self.document;
        let detectors = detectors.len();
        let shown = format!(
            "{} {} shown both sides of {} in {}, and said of each whether it has a bug.",
            counted(detectors, "detector"),
            if detectors == 1 { "was" } else { "were" },
            counted(*all_pairs, "pair"),
            counted(settings.len(), "setting")
        );
        format!("{shown} {}", self.outcome()).trim_end().to_owned()
    }

    /// Who loses most from the first setting to the last one, if anybody does.
    fn outcome(&self) -> String {
        let DetectResults { detectors, settings, levels, .. } = self.document;
        let falls = levels.iter().filter(|level| level.setting + 1 == settings.len());
        let falls = falls.filter_map(|level| Some((level.detector, level.fall?)));
        let most = falls.max_by(|one, other| one.1.lost.value.total_cmp(&other.1.lost.value));
        match (most, settings.first(), settings.last()) {
            (Some((detector, fall)), Some(first), Some(last)) if fall.lost.value > 0.0 => format!(
                "From {} to {}, <strong>{}</strong> loses most: its F1 falls from {:.0}% to {:.0}%.",
                escape(first),
                escape(last),
                escape(&detectors[detector].name),
                100.0 * fall.before,
                100.0 * fall.after
            ),
            _ => String::new(),
        }
    }
}

impl Panel for DetectPanel<'_> {
    fn name(&self) -> &str {
        "detection"
    }

    fn title(&self) -> &str {
        "Detection"
    }

    fn tables(&self) -> Vec<Table> {
        tables::all(self.document)
    }

    fn values(&self) -> Vec<ValueRow> {
        values::rows(self.document)
    }

    fn facts(&self) -> Vec<FactSheet> {
        let made = FactSheet { title: String::new(), facts: self.document.made.clone() };
        let sheets = self.document.detectors.iter();
        let sheets = sheets.map(|sheet| FactSheet { title: sheet.name.clone(), facts: sheet.facts.clone() });
        [made].into_iter().chain(sheets).collect()
    }

    fn page(&self, options: &PageOptions) -> PagePart {
        let confidence = percent(self.document.confidence);
        let mut sections = format!(
            "  <section id=\"detection\">\n    <h2>Detection</h2>\n    <p class=\"note\">F1 by level, in percent; whiskers \
             and small numbers are intervals at {} confidence, by drawing pairs.</p>\n{}    {}\n  </section>\n",
            escape(&confidence),
            plot::plots(self.document),
            written(&self.tables())
        );
        let mut links = vec![("detection".to_owned(), "Detection".to_owned())];
        let pairs = pairs::section(self.document, options);
        if !pairs.is_empty() {
            links.push(("pairs".to_owned(), "Pairs".to_owned()));
            sections += &pairs;
        }
        PagePart {
            lead: self.lead(),
            links,
            sections,
            style: [curves::STYLE, include_str!("page/detect.css")].concat(),
            ..PagePart::default()
        }
    }
}
