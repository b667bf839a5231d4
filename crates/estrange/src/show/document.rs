//! The document that `estrange show --json` prints: the whole record, whatever part of it the text would show.

use estrange_bench::{Function, Rejected};
use serde::Serialize;
use serde_json::Value;

/// The version of the document's shape.
const FORMAT: u32 = 1;

/// One function: kept, or rejected.
#[derive(Debug, Serialize)]
pub struct Document<'r> {
    format: u32,
    /// Whether it was kept.
    kept: bool,
    /// A row of `functions.parquet`, its evidence as JSON; null for a function that was not kept.
    function: Option<Value>,
    /// A row of `rejected.parquet`; null for a function that was kept.
    rejected: Option<&'r Rejected>,
}

impl<'r> Document<'r> {
    pub fn of_kept(function: &Function) -> Result<Self, serde_json::Error> {
        let mut record = serde_json::to_value(function)?;
        // In the table evidence is text that holds JSON; in JSON it need not be.
        if let (Some(field), Ok(evidence)) = (record.get_mut("evidence"), serde_json::from_str(&function.evidence)) {
            *field = evidence;
        }
        Ok(Self { format: FORMAT, kept: true, function: Some(record), rejected: None })
    }

    pub fn of_rejected(rejected: &'r Rejected) -> Self {
        Self { format: FORMAT, kept: false, function: None, rejected: Some(rejected) }
    }
}
