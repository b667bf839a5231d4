//! One Parquet file: writing records so that the same records give the same bytes, and reading them back.

use std::fs::File;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};

use crate::error::{BatchError, BenchError};
use crate::manifest::{FORMAT, FORMAT_VERSION, FileFacts};
use crate::rows::{Rows, from_batch, schema, to_batch};

/// Everything below is part of what makes the bytes the same. A change is seen by every reader of hashes.
const ROWS_IN_A_BATCH: usize = 256;
const BYTES_IN_A_BATCH: usize = 32 << 20;
const ROWS_IN_A_GROUP: usize = 8192;
const BYTES_IN_A_GROUP: usize = 128 << 20;
const BYTES_IN_A_PAGE: usize = 1 << 20;
/// The length of a page is looked at after so many rows; units may be long.
const ROWS_BETWEEN_LOOKS: usize = 16;
const ZSTD_LEVEL: i32 = 3;

pub(crate) fn properties() -> Result<WriterProperties, ParquetError> {
    Ok(WriterProperties::builder()
        .set_created_by(FORMAT.to_owned())
        .set_key_value_metadata(Some(vec![KeyValue::new(format!("{FORMAT}.version"), FORMAT_VERSION.to_string())]))
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(ZSTD_LEVEL)?))
        .set_statistics_enabled(EnabledStatistics::None)
        .set_max_row_group_row_count(Some(ROWS_IN_A_GROUP))
        .set_data_page_size_limit(BYTES_IN_A_PAGE)
        .set_dictionary_page_size_limit(BYTES_IN_A_PAGE)
        .set_write_batch_size(ROWS_BETWEEN_LOOKS)
        .build())
}

/// Writes records to a Parquet file. How they are handed over has no influence on the bytes, only their order.
pub(crate) struct TableWriter<R: Rows, W: Write + Send> {
    path: PathBuf,
    parquet: ArrowWriter<Hashing<W>>,
    pending: Vec<R>,
    pending_bytes: usize,
    group_bytes: usize,
    rows: u64,
}

impl<R: Rows, W: Write + Send> TableWriter<R, W> {
    /// `path` is only named in errors.
    pub(crate) fn new(output: W, path: &Path) -> Result<Self, BenchError> {
        let open = || {
            // The schema is told by Parquet's own types; Arrow's copy of it would be one more thing to keep equal.
            let options = ArrowWriterOptions::new().with_properties(properties()?).with_skip_arrow_metadata(true);
            ArrowWriter::try_new_with_options(Hashing::new(output), schema::<R>(), options)
        };
        let parquet = open().map_err(BenchError::unwritable(path))?;
        let path = path.to_owned();
        Ok(Self { path, parquet, pending: Vec::new(), pending_bytes: 0, group_bytes: 0, rows: 0 })
    }

    pub(crate) fn push(&mut self, record: R) -> Result<(), BenchError> {
        self.pending_bytes += record.size();
        self.pending.push(record);
        if self.pending.len() >= ROWS_IN_A_BATCH || self.pending_bytes >= BYTES_IN_A_BATCH {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> Result<(), BenchError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let batch = to_batch(&self.pending)?;
        self.pending.clear();
        let bytes = std::mem::take(&mut self.pending_bytes);
        self.write(&batch, bytes)
    }

    /// Writes a whole batch as it is. Where batches begin has an influence on the bytes of the file.
    pub(crate) fn push_batch(&mut self, batch: &RecordBatch) -> Result<(), BenchError> {
        self.flush()?;
        if batch.num_rows() > 0 { self.write(batch, batch.get_array_memory_size()) } else { Ok(()) }
    }

    fn write(&mut self, batch: &RecordBatch, bytes: usize) -> Result<(), BenchError> {
        self.parquet.write(batch).map_err(BenchError::unwritable(&self.path))?;
        self.rows += batch.num_rows() as u64;
        self.group_bytes += bytes;
        if self.group_bytes >= BYTES_IN_A_GROUP || self.parquet.in_progress_rows() == 0 {
            self.parquet.flush().map_err(BenchError::unwritable(&self.path))?;
            self.group_bytes = 0;
        }
        Ok(())
    }

    /// Writes what is left, has the output made safe, and says what is to be known of the file.
    pub(crate) fn finish(mut self, make_safe: impl FnOnce(&W) -> io::Result<()>) -> Result<FileFacts, BenchError> {
        self.flush()?;
        self.parquet.finish().map_err(BenchError::unwritable(&self.path))?;
        // Parquet buffers; this empties the buffer, and says what the system says.
        self.parquet.sync().map_err(BenchError::io("write", &self.path))?;
        let output = self.parquet.inner();
        make_safe(&output.inner).map_err(BenchError::io("write", &self.path))?;
        let blake3 = output.hasher.finalize().to_hex().to_string();
        Ok(FileFacts { blake3, bytes: output.bytes, rows: self.rows })
    }
}

/// Hashes and counts what passes through.
struct Hashing<W> {
    inner: W,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl<W> Hashing<W> {
    fn new(inner: W) -> Self {
        Self { inner, hasher: blake3::Hasher::new(), bytes: 0 }
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The batches of a Parquet file, or of some of its columns.
#[derive(Debug)]
pub struct Batches {
    path: PathBuf,
    /// Which row of the file comes next.
    row: usize,
    reader: Option<ParquetRecordBatchReader>,
}

/// Which part of a file is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Part {
    /// All columns, unless some are named.
    pub(crate) columns: Option<Vec<String>>,
    /// How many rows a batch has at most.
    pub(crate) rows_in_a_batch: Option<usize>,
    /// One row, unless all.
    pub(crate) row: Option<usize>,
}

impl Batches {
    /// Opens a file that has so many rows, by its manifest.
    pub(crate) fn open(path: &Path, rows: u64, part: &Part) -> Result<Self, BenchError> {
        let file = File::open(path).map_err(BenchError::io("open", path))?;
        let reader = guarded(path, || reader(file, path, rows, part))?;
        Ok(Self { path: path.to_owned(), row: part.row.unwrap_or(0), reader: Some(reader) })
    }
}

fn reader(file: File, path: &Path, rows: u64, part: &Part) -> Result<ParquetRecordBatchReader, BenchError> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options);
    let mut builder = builder.map_err(BenchError::unreadable(path))?;
    let found = builder.metadata().file_metadata().num_rows();
    if u64::try_from(found) != Ok(rows) {
        let detail = format!("it has {found} rows, not {rows}");
        return Err(BenchError::Damaged { path: path.to_owned(), detail });
    }
    if let Some(columns) = &part.columns {
        for column in columns {
            if builder.schema().field_with_name(column).is_err() {
                let detail = "it is not there".to_owned();
                return Err(BatchError::Column { column: column.clone(), row: None, detail }.into());
            }
        }
        let mask = ProjectionMask::columns(builder.parquet_schema(), columns.iter().map(String::as_str));
        builder = builder.with_projection(mask);
    }
    if let Some(row) = part.row {
        builder = builder.with_offset(row).with_limit(1);
    }
    let reader = builder.with_batch_size(part.rows_in_a_batch.unwrap_or(ROWS_IN_A_BATCH)).build();
    reader.map_err(BenchError::unreadable(path))
}

/// Does something with Parquet's reader, which panics on some files that are wrong. The hashes of the manifest keep
/// damaged files from it; this is for a bench that was made to be wrong, hashes and all.
fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T, BenchError>) -> Result<T, BenchError> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| {
        let detail = "it is no Parquet file that makes sense".to_owned();
        Err(BenchError::Damaged { path: path.to_owned(), detail })
    })
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, BenchError>;

    /// After an error there is nothing more.
    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut()?;
        let path = &self.path;
        let damaged = |error: ArrowError| BenchError::Damaged { path: path.clone(), detail: error.to_string() };
        let batch = guarded(path, || reader.next().transpose().map_err(damaged)).transpose();
        match &batch {
            Some(Ok(batch)) => self.row += batch.num_rows(),
            Some(Err(_)) => self.reader = None,
            None => {}
        }
        batch
    }
}

/// The records of a Parquet file, in its order.
#[derive(Debug)]
pub struct Records<R> {
    batches: Batches,
    current: std::vec::IntoIter<R>,
}

impl<R: Rows> Records<R> {
    pub(crate) fn new(batches: Batches) -> Self {
        Self { batches, current: Vec::new().into_iter() }
    }
}

impl<R: Rows> Iterator for Records<R> {
    type Item = Result<R, BenchError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.current.next() {
                return Some(Ok(record));
            }
            let (path, first) = (self.batches.path.clone(), self.batches.row);
            let records = self.batches.next()?.and_then(|batch| {
                let detail = |error: BatchError| error.in_rows_from(first).to_string();
                from_batch(&batch).map_err(|error| BenchError::Damaged { path, detail: detail(error) })
            });
            match records {
                Ok(records) => self.current = records.into_iter(),
                Err(error) => {
                    self.batches.reader = None;
                    return Some(Err(error));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use estrange_words::Hint;

    use super::*;
    use crate::record::Rejected;

    /// A disk with so much room.
    struct Disk(usize);

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.min(bytes.len()) {
                0 if !bytes.is_empty() => Err(io::ErrorKind::StorageFull.into()),
                room => {
                    self.0 -= room;
                    Ok(room)
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn write_to(room: usize) -> Result<u64, BenchError> {
        let mut table = TableWriter::<Rejected, _>::new(Disk(room), Path::new("rejected.parquet"))?;
        let record = || {
            let text = serde_json::json!({ "source": "a", "stage": "parse", "reason": "io", "detail": "d" });
            serde_json::from_value(text).unwrap()
        };
        (0..9000).try_for_each(|_| table.push(record()))?;
        Ok(table.finish(|_| Ok(()))?.bytes)
    }

    #[test]
    fn a_full_disk_is_an_error_that_says_so() {
        let needed = write_to(usize::MAX).unwrap();
        for room in (0..needed as usize).step_by(97) {
            let error = write_to(room).unwrap_err();
            assert_eq!(error.to_string(), "cannot write rejected.parquet: no storage space");
            assert!(error.hint().is_some_and(|hint| hint.starts_with("make room")), "{room}");
        }
        assert_eq!(write_to(needed as usize).unwrap(), needed);
    }
}
