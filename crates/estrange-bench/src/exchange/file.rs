//! Writing one file of an export: lines of text, JSON, or a table of Parquet. Names that lead to it are checked here, for
//! all formats.

use std::fs::{self, File};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::errors::ParquetError;
use serde::Serialize;

use super::column::Kind;
use super::error::ExchangeError;
use crate::error::BenchError;
use crate::rows::{Rows, schema, to_batch};
use crate::table;

/// How many rows are handed over at once.
const ROWS_IN_A_BATCH: usize = 1024;

/// Makes a new file below a folder, to which names lead that may be anybody's: each has to be one plain name, so that
/// nothing is written elsewhere. Every file of an export is made here.
fn new_file(folder: &Path, names: &[&str]) -> Result<(PathBuf, File), ExchangeError> {
    if let Some(name) = names.iter().find(|name| !is_plain(name)) {
        return Err(ExchangeError::Name { name: (*name).to_owned() });
    }
    let path = names.iter().fold(folder.to_owned(), |path, name| path.join(name));
    if let Some(above) = path.parent() {
        fs::create_dir_all(above).map_err(ExchangeError::io("make the folder", above))?;
    }
    match File::create_new(&path) {
        Ok(file) => Ok((path, file)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(ExchangeError::SameFile { name: names.join("/") })
        }
        Err(error) => Err(ExchangeError::io("make", &path)(error)),
    }
}

/// Whether something is the name of one file or folder, on any system.
fn is_plain(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(|c: char| matches!(c, '/' | '\\') || c.is_control())
}

/// Makes a file and has it written.
pub(super) fn write(
    folder: &Path,
    names: &[&str],
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), ExchangeError> {
    let (path, file) = new_file(folder, names)?;
    let filled = || {
        let mut file = BufWriter::new(file);
        fill(&mut file)?;
        file.into_inner().map_err(IntoInnerError::into_error)?.sync_all()
    };
    filled().map_err(ExchangeError::io("write", &path))
}

/// A copy of a file.
pub(super) fn copy(from: &Path, folder: &Path, name: &str) -> Result<(), ExchangeError> {
    let mut original = File::open(from).map_err(ExchangeError::io("open", from))?;
    write(folder, &[name], |file| io::copy(&mut original, file).map(drop))
}

/// One JSON document a line.
pub(super) fn write_json_lines<T: Serialize>(
    folder: &Path,
    names: &[&str],
    lines: impl Iterator<Item = T>,
) -> Result<(), ExchangeError> {
    write(folder, names, |file| {
        for line in lines {
            serde_json::to_writer(&mut *file, &line)?;
            file.write_all(b"\n")?;
        }
        Ok(())
    })
}

/// One JSON document, indented by so many spaces.
pub(super) fn write_json(
    folder: &Path,
    name: &str,
    document: &impl Serialize,
    spaces: usize,
) -> Result<(), ExchangeError> {
    write(folder, &[name], |file| {
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
pub(super) fn write_parquet(
    folder: &Path,
    names: &[&str],
    columns: &[(&str, Column<'_>)],
) -> Result<(), ExchangeError> {
    let fields: Vec<Field> =
        columns.iter().map(|(name, column)| Field::new(*name, column.data_type(), false)).collect();
    let schema = Arc::new(Schema::new(fields));
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    let batches = (0..rows).step_by(ROWS_IN_A_BATCH).map(|start| {
        let end = rows.min(start + ROWS_IN_A_BATCH);
        let arrays = columns.iter().map(|(_, column)| column.part(start, end)).collect();
        Ok(RecordBatch::try_new(Arc::clone(&schema), arrays)?)
    });
    write_batches(folder, names, &schema, batches)
}

/// A Parquet file of records; the same records give the same bytes.
pub(super) fn write_rows<R: Rows>(folder: &Path, names: &[&str], rows: &[R]) -> Result<(), ExchangeError> {
    let batch = |rows: &[R]| to_batch(rows).map_err(|error| ParquetError::External(error.into()));
    write_batches(folder, names, &schema::<R>(), rows.chunks(ROWS_IN_A_BATCH).map(batch))
}

fn write_batches(
    folder: &Path,
    names: &[&str],
    schema: &SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ParquetError>>,
) -> Result<(), ExchangeError> {
    let (path, file) = new_file(folder, names)?;
    let filled = || -> Result<(), ParquetError> {
        let mut parquet = ArrowWriter::try_new(file, Arc::clone(schema), Some(table::properties()?))?;
        for batch in batches {
            parquet.write(&batch?)?;
        }
        Ok(parquet.into_inner()?.sync_all()?)
    };
    Ok(filled().map_err(BenchError::unwritable(&path))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_bench_lead_nowhere_else_and_no_file_is_written_twice() {
        let above = tempfile::tempdir().unwrap();
        let folder = above.path().join("out");
        let outside = above.path().join("PWN");
        for name in ["../PWN", "x/../../PWN", outside.to_str().unwrap(), "..", ".", "", "a/b", "a\\b", "a\0b", "a\nb"] {
            for names in [&[name][..], &[name, "corpus.jsonl"], &["corpus", name]] {
                let refused = write(&folder, names, |_| Ok(())).unwrap_err();
                assert!(
                    matches!(&refused, ExchangeError::Name { name: named } if named == name),
                    "{names:?}: {refused}"
                );
                let refused = write_parquet(&folder, names, &[]).unwrap_err();
                assert!(
                    matches!(&refused, ExchangeError::Name { name: named } if named == name),
                    "{names:?}: {refused}"
                );
            }
        }
        assert_eq!(fs::read_dir(above.path()).unwrap().count(), 0);

        write(&folder, &["x86_64:clang:O2", "a..b"], |file| file.write_all(b"1")).unwrap();
        let refused = write(&folder, &["x86_64:clang:O2", "a..b"], |_| Ok(())).unwrap_err();
        assert_eq!(refused.to_string(), "two parts of the bench have the same file: x86_64:clang:O2/a..b");
    }
}
