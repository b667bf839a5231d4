//! The document that `estrange show --json` prints: the whole record, whatever part of it the text would show.

use estrange_bench::{Function, Rejected};
use serde::Serialize;
use serde_json::Value;

use crate::voice::Failure;

/// The version of the document's shape.
pub const FORMAT: u32 = 1;

/// One function: kept, or rejected.
#[derive(Debug, Serialize)]
pub struct ShowJson<'r> {
    /// Whether it was kept.
    kept: bool,
    /// A row of `functions.parquet`, its evidence as JSON; null for a function that was not kept.
    function: Option<Value>,
    /// A row of `rejected.parquet`; null for a function that was kept.
    rejected: Option<&'r Rejected>,
}

impl<'r> ShowJson<'r> {
    pub fn of_kept(function: &Function) -> Result<Self, Failure> {
        Ok(Self { kept: true, function: Some(record(function, &["evidence"])?), rejected: None })
    }

    pub fn of_rejected(rejected: &'r Rejected) -> Self {
        Self { kept: false, function: None, rejected: Some(rejected) }
    }
}

/// A row of a table. Some fields are text there that holds JSON; in JSON they need not be.
pub fn record(row: &impl Serialize, parsed: &[&str]) -> Result<Value, Failure> {
    let record = serde_json::to_value(row);
    let mut record = record.map_err(|error| Failure::new("it cannot be JSON").because(&error))?;
    for name in parsed {
        if let Some(field) = record.get_mut(*name)
            && let Some(value) = field.as_str().and_then(|text| serde_json::from_str(text).ok())
        {
            *field = value;
        }
    }
    Ok(record)
}
