//! All that a report's tables say, for programs: comma-separated values (RFC 4180, but for the ends of lines), one table
//! with one row a value.

use crate::document::Estimate;

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

/// A value, and what it is about. What does not apply is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueRow {
    /// What was computed, such as `mean`.
    pub statistic: &'static str,
    /// Of which model.
    pub model: String,
    /// Against which other.
    pub against: String,
    /// The group of functions.
    pub group: String,
    /// The view of the group.
    pub view: String,
    /// The setting.
    pub setting: String,
    /// Which part of what was asked.
    pub queries: String,
    /// By which measure.
    pub measure: String,
    /// The value.
    pub value: String,
    /// The lower bound.
    pub low: String,
    /// The upper bound.
    pub high: String,
    /// Over how many items.
    pub n: String,
    /// Over how many trials.
    pub trials: String,
    /// The standard error over these.
    pub standard_error: String,
    /// How likely it is by chance.
    pub p_value: String,
    /// The same, corrected for the number of tests.
    pub corrected_p_value: String,
}

impl ValueRow {
    fn line(&self) -> String {
        let words = [&self.model, &self.against, &self.group, &self.view, &self.setting, &self.queries, &self.measure];
        let numbers = [&self.value, &self.low, &self.high, &self.n, &self.trials, &self.standard_error];
        let all = words.into_iter().chain(numbers).chain([&self.p_value, &self.corrected_p_value]);
        line([self.statistic].into_iter().chain(all.map(String::as_str)))
    }

    /// The row with this value and its bounds.
    pub fn with(self, estimate: Estimate) -> Self {
        Self { value: number(estimate.value), low: number(estimate.low), high: number(estimate.high), ..self }
    }
}

/// The table.
pub(crate) fn text(rows: impl Iterator<Item = ValueRow>) -> String {
    line(COLUMNS) + &rows.map(|row| row.line()).collect::<String>()
}

/// A value with six decimals, and no zero that is negative.
pub fn number(value: f64) -> String {
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
