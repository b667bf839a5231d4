//! All that a report's tables say, for programs: comma-separated values (RFC 4180, but for the ends of lines), one table
//! with one row a value.

use crate::document::{CorpusSheet, Document, Estimate};
use crate::report::Report;

/// The columns. A row has what is about its value; the rest is empty.
const COLUMNS: [&str; 16] = [
    "statistic",
    "model",
    "against",
    "group",
    "view",
    "setting",
    "queries",
    "measure",
    "value",
    "low",
    "high",
    "n",
    "trials",
    "standard_error",
    "p_value",
    "corrected_p_value",
];

/// One row.
#[derive(Default)]
struct Row<'d> {
    statistic: &'static str,
    model: &'d str,
    against: &'d str,
    group: &'d str,
    view: &'d str,
    setting: &'d str,
    queries: &'d str,
    measure: &'d str,
    value: String,
    low: String,
    high: String,
    n: String,
    trials: String,
    standard_error: String,
    p_value: String,
    corrected_p_value: String,
}

impl Row<'_> {
    fn line(&self) -> String {
        let words = [self.statistic, self.model, self.against, self.group, self.view, self.setting, self.queries];
        let numbers = [&self.value, &self.low, &self.high, &self.n, &self.trials, &self.standard_error];
        let words = words.into_iter().chain([self.measure]).chain(numbers.into_iter().map(String::as_str));
        line(words.chain([self.p_value.as_str(), self.corrected_p_value.as_str()]))
    }

    fn with(self, estimate: Estimate) -> Self {
        Self { value: number(estimate.value), low: number(estimate.low), high: number(estimate.high), ..self }
    }
}

impl Report<'_> {
    /// All values of the tables as one for programs: comma-separated values, one row a value.
    pub fn csv(&self) -> String {
        text(self.document())
    }
}

/// The table.
fn text(document: &Document) -> String {
    let model = |place: usize| document.models[place].name.as_str();
    let about = |corpus: &'_ CorpusSheet| document.settings[corpus.setting].name.as_str();
    let of = |place: usize, statistic: &'static str| {
        let corpus = &document.corpora[place];
        let CorpusSheet { group, view, subset, .. } = corpus;
        let queries = if subset.is_empty() { "all" } else { subset };
        let n = corpus.queries.to_string();
        Row { statistic, group, view, setting: about(corpus), queries, n, ..Row::default() }
    };
    let mut text = line(COLUMNS);
    for (place, corpus) in document.corpora.iter().enumerate() {
        text += &Row { value: corpus.documents.to_string(), ..of(place, "documents") }.line();
        text += &Row { value: corpus.duplicate_classes.to_string(), ..of(place, "duplicate_classes") }.line();
    }
    for cell in &document.results {
        let measure = document.measures[cell.measure].as_str();
        let of = |statistic| Row { model: model(cell.model), measure, ..of(cell.corpus, statistic) };
        let (trials, standard_error) = match cell.trials {
            Some(trials) => (trials.count.to_string(), number(trials.standard_error)),
            None => Default::default(),
        };
        text += &Row { trials, standard_error, ..of("mean").with(cell.mean) }.line();
        text += &cell.drop.map(|drop| Row { n: String::new(), ..of("drop").with(drop) }.line()).unwrap_or_default();
    }
    for comparison in &document.comparisons {
        let row = Row {
            model: model(comparison.first),
            against: model(comparison.second),
            measure: &document.measures[comparison.measure],
            value: number(comparison.difference),
            p_value: number(comparison.p_value),
            corrected_p_value: comparison.corrected.map(number).unwrap_or_default(),
            ..of(comparison.corpus, "difference")
        };
        text += &row.line();
    }
    for shift in &document.shifts {
        let row = Row {
            statistic: "shift_correlation",
            model: model(shift.model),
            group: &shift.group,
            setting: &document.settings[shift.setting].name,
            measure: &shift.feature,
            p_value: number(shift.p_value),
            ..Row::default()
        };
        text += &row.with(shift.correlation).line();
    }
    text
}

/// A value with six decimals, and no zero that is negative.
fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    if text.trim_start_matches('-').contains(|c: char| c.is_ascii_digit() && c != '0') {
        text
    } else {
        "0.000000".to_owned()
    }
}

/// A line of cells, each in quotes where it must be.
pub(crate) fn line<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
    let quoted = cells.into_iter().map(|cell| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    });
    format!("{}\n", quoted.collect::<Vec<_>>().join(","))
}
