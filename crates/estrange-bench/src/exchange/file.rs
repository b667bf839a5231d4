//! Writing one file of an export: lines of text, JSON, or a table of Parquet.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::errors::ParquetError;
use serde::Serialize;

use super::croissant::Kind;
use super::error::ExchangeError;
use crate::error::BenchError;
use crate::table;

/// How many rows are handed over at once.
const ROWS_IN_A_BATCH: usize = 1024;

/// Makes a file, and the folders above it, and has it written.
pub(super) fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), ExchangeError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(ExchangeError::io("make the folder", folder))?;
    }
    let filled = || {
        let mut file = BufWriter::new(File::create(path)?);
        fill(&mut file)?;
        file.flush()
    };
    filled().map_err(ExchangeError::io("write", path))
}

/// One JSON document a line.
pub(super) fn write_json_lines<T: Serialize>(path: &Path, lines: impl Iterator<Item = T>) -> Result<(), ExchangeError> {
    write(path, |file| {
        for line in lines {
            serde_json::to_writer(&mut *file, &line)?;
            file.write_all(b"\n")?;
        }
        Ok(())
    })
}

/// One JSON document, indented by so many spaces.
pub(super) fn write_json(path: &Path, document: &impl Serialize, spaces: usize) -> Result<(), ExchangeError> {
    write(path, |file| {
        let indent = " ".repeat(spaces);
        let formatter = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
        document.serialize(&mut serde_json::Serializer::with_formatter(&mut *file, formatter))?;
        file.write_all(b"\n")
    })
}

/// A column of a table that is exported.
pub(super) enum Column<'a> {
    Texts(Vec<&'a str>),
    Numbers(Vec<i32>),
}

impl Column<'_> {
    fn data_type(&self) -> DataType {
        match self {
            Self::Texts(_) => DataType::Utf8,
            Self::Numbers(_) => DataType::Int32,
        }
    }

    /// What it is to those who read metadata.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Texts(_) => Kind::Text,
            Self::Numbers(_) => Kind::Integer,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    fn part(&self, start: usize, end: usize) -> ArrayRef {
        match self {
            Self::Texts(texts) => Arc::new(StringArray::from(texts[start..end].to_vec())),
            Self::Numbers(numbers) => Arc::new(Int32Array::from(numbers[start..end].to_vec())),
        }
    }
}

/// A Parquet file of these columns, which are equally long; the same columns give the same bytes.
pub(super) fn write_parquet(path: &Path, columns: &[(&str, Column<'_>)]) -> Result<(), ExchangeError> {
    let fields: Vec<Field> =
        columns.iter().map(|(name, column)| Field::new(*name, column.data_type(), false)).collect();
    let schema = Arc::new(Schema::new(fields));
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(ExchangeError::io("make the folder", folder))?;
    }
    let file = File::create(path).map_err(ExchangeError::io("make", path))?;
    let filled = || -> Result<(), ParquetError> {
        let mut parquet = ArrowWriter::try_new(file, Arc::clone(&schema), Some(table::properties()?))?;
        for start in (0..rows).step_by(ROWS_IN_A_BATCH) {
            let end = rows.min(start + ROWS_IN_A_BATCH);
            let arrays = columns.iter().map(|(_, column)| column.part(start, end)).collect();
            parquet.write(&RecordBatch::try_new(Arc::clone(&schema), arrays)?)?;
        }
        parquet.close().map(drop)
    };
    Ok(filled().map_err(BenchError::unwritable(path))?)
}
