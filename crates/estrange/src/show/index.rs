//! What the functions of a bench are found by, kept and rejected ones, without their texts.

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, RecordBatch, StringArray, UInt32Array};
use estrange_bench::{BatchError, Bench, BenchError, Table};

/// A function, as far as it is needed to find it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: String,
    pub name: String,
    pub qualified_name: String,
    pub source: String,
    pub path: String,
    /// Its first and last line.
    pub lines: (u32, u32),
    pub state: State,
}

/// Where the function is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Among the kept ones.
    Kept,
    /// Among the rejected ones.
    Rejected {
        /// Its row there.
        row: usize,
        /// Where and why it was lost: `compile: gcc-refuses`.
        why: String,
    },
}

/// Every function of the bench, the kept ones first.
pub fn read(bench: &Bench) -> Result<Vec<Entry>, BenchError> {
    let mut entries = Vec::new();
    let place = ["id", "name", "source", "path", "line_start", "line_end"];
    for batch in bench.batches(Table::Functions, Some(&[&place[..], &["qualified_name"]].concat()))? {
        let columns = Columns::of(batch?)?;
        let qualified = columns.text("qualified_name")?;
        entries.extend(
            (0..columns.batch.num_rows()).filter_map(|row| columns.entry(row, text(qualified, row), State::Kept)),
        );
    }
    let mut first = 0;
    for batch in bench.batches(Table::Rejected, Some(&[&place[..], &["stage", "reason"]].concat()))? {
        let columns = Columns::of(batch?)?;
        let (stage, reason) = (columns.text("stage")?, columns.text("reason")?);
        entries.extend((0..columns.batch.num_rows()).filter_map(|row| {
            let why = format!("{}: {}", text(stage, row), text(reason, row));
            columns.entry(row, String::new(), State::Rejected { row: first + row, why })
        }));
        first += columns.batch.num_rows();
    }
    Ok(entries)
}

/// The columns that both tables have.
struct Columns {
    batch: RecordBatch,
    id: StringArray,
    name: StringArray,
    source: StringArray,
    path: StringArray,
    lines: (UInt32Array, UInt32Array),
}

impl Columns {
    fn of(batch: RecordBatch) -> Result<Self, BenchError> {
        let column = |name: &str| {
            let array = batch.column_by_name(name).and_then(|array| array.as_string_opt::<i32>());
            array.cloned().ok_or_else(|| missing(name))
        };
        let number = |name: &str| {
            let array = batch.column_by_name(name).and_then(|array| array.as_primitive_opt::<UInt32Type>());
            array.cloned().ok_or_else(|| missing(name))
        };
        Ok(Self {
            id: column("id")?,
            name: column("name")?,
            source: column("source")?,
            path: column("path")?,
            lines: (number("line_start")?, number("line_end")?),
            batch,
        })
    }

    fn text(&self, name: &str) -> Result<&StringArray, BenchError> {
        let array = self.batch.column_by_name(name).and_then(|array| array.as_string_opt::<i32>());
        array.ok_or_else(|| missing(name))
    }

    /// Nothing for what has no id: that is a whole file or source.
    fn entry(&self, row: usize, qualified_name: String, state: State) -> Option<Entry> {
        let number = |array: &UInt32Array| if array.is_null(row) { 0 } else { array.value(row) };
        if self.id.is_null(row) {
            return None;
        }
        Some(Entry {
            id: text(&self.id, row),
            name: text(&self.name, row),
            qualified_name,
            source: text(&self.source, row),
            path: text(&self.path, row),
            lines: (number(&self.lines.0), number(&self.lines.1)),
            state,
        })
    }
}

fn text(array: &StringArray, row: usize) -> String {
    if array.is_null(row) { String::new() } else { array.value(row).to_owned() }
}

fn missing(column: &str) -> BenchError {
    BatchError::Column { column: column.to_owned(), detail: "it is not there, or not of its type".to_owned() }.into()
}
