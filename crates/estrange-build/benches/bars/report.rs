//! What was measured, as a table and as JSON.

use serde::Serialize;
use serde_json::Value;

/// One line of the result.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The part of the benchmark.
    pub part: &'static str,
    /// What is asked for.
    pub bar: String,
    /// What came out.
    pub measured: String,
    /// Whether it is what was asked for; nothing where nothing was.
    pub holds: Option<bool>,
    /// How it was measured.
    pub how: String,
    /// The numbers behind it.
    pub details: Value,
}

impl Row {
    pub fn new(
        part: &'static str,
        bar: impl Into<String>,
        measured: impl Into<String>,
        holds: impl Into<Option<bool>>,
        how: impl Into<String>,
        details: Value,
    ) -> Self {
        Self { part, bar: bar.into(), measured: measured.into(), holds: holds.into(), how: how.into(), details }
    }
}

/// The rows as a Markdown table.
pub fn table(rows: &[Row]) -> String {
    let mut text = "| part | bar | measured | | how |\n|---|---|---|---|---|\n".to_owned();
    for row in rows {
        let holds = match row.holds {
            Some(true) => "holds",
            Some(false) => "**missed**",
            None => "",
        };
        text.push_str(&format!("| {} | {} | {} | {holds} | {} |\n", row.part, row.bar, row.measured, row.how));
    }
    text
}
