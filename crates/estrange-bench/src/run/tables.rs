//! The tables of a run: rows of any record that names its file, written side by side and read one by one.

use std::any::Any;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::RUN;
use crate::error::BenchError;
use crate::manifest::FileFacts;
use crate::rows::Rows;
use crate::table::{Batches, Part, Records, TableWriter};

/// A record that is a row of a run's table.
pub trait RunRow: Rows + Send + 'static {
    /// The name of the table's file.
    const FILE: &'static str;
}

/// Whether a file can be a table of a run, by its name alone.
pub(crate) fn is_table_name(name: &str) -> bool {
    let letters =
        |stem: &str| !stem.is_empty() && stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    name.strip_suffix(".parquet").is_some_and(letters)
}

/// The tables in a folder that are known to be whole.
#[derive(Debug, Clone)]
pub struct RunTables {
    folder: PathBuf,
    files: BTreeMap<String, FileFacts>,
}

impl RunTables {
    pub(crate) fn new(folder: &Path, files: BTreeMap<String, FileFacts>) -> Self {
        Self { folder: folder.to_owned(), files }
    }

    /// Whether there is this table.
    pub fn has<R: RunRow>(&self) -> bool {
        self.files.contains_key(R::FILE)
    }

    /// The rows of a table, in the order of the file.
    pub fn rows<R: RunRow>(&self) -> Result<Records<R>, BenchError> {
        let detail = || format!("it does not name {}", R::FILE);
        let missing = || BenchError::Damaged { path: self.folder.join(RUN), detail: detail() };
        let rows = self.files.get(R::FILE).ok_or_else(missing)?.rows;
        Ok(Records::new(Batches::open(&self.folder.join(R::FILE), rows, &Part::default())?))
    }
}

/// What a task declares of a table of its own: enough to put the parts of it together without knowing its rows.
#[derive(Debug, Clone, Copy)]
pub struct RunTable {
    copy: fn(&[RunTables], &mut TableSet) -> Result<(), BenchError>,
}

impl RunTable {
    /// The table of these rows.
    pub const fn of<R: RunRow>() -> Self {
        Self { copy: copy::<R> }
    }

    /// Writes the rows of all parts, in their order. The table is there even if none has a row.
    pub(crate) fn gather(self, parts: &[RunTables], whole: &mut TableSet) -> Result<(), BenchError> {
        (self.copy)(parts, whole)
    }
}

fn copy<R: RunRow>(parts: &[RunTables], whole: &mut TableSet) -> Result<(), BenchError> {
    whole.table::<R>()?;
    for part in parts.iter().filter(|part| part.has::<R>()) {
        for row in part.rows::<R>()? {
            whole.push(row?)?;
        }
    }
    Ok(())
}

/// Tables that are being written into a folder, each made when its first row comes.
pub(crate) struct TableSet {
    folder: PathBuf,
    tables: BTreeMap<&'static str, Box<dyn OpenTable>>,
}

impl TableSet {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), tables: BTreeMap::new() }
    }

    pub(crate) fn push<R: RunRow>(&mut self, row: R) -> Result<(), BenchError> {
        self.table::<R>()?.push(row)
    }

    fn table<R: RunRow>(&mut self) -> Result<&mut TableWriter<R, File>, BenchError> {
        let path = self.folder.join(R::FILE);
        let table = match self.tables.entry(R::FILE) {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(place) => {
                let file = File::create(&path).map_err(BenchError::io("make", &path))?;
                place.insert(Box::new(TableWriter::<R, File>::new(file, &path)?))
            }
        };
        // Two records that name the same file are a mistake in a task's declaration.
        let detail = || "two kinds of rows are to stand in it".to_owned();
        table.as_any().downcast_mut().ok_or_else(|| BenchError::Damaged { path, detail: detail() })
    }

    /// Completes every table, safely on the disk.
    pub(crate) fn finish(self) -> Result<BTreeMap<String, FileFacts>, BenchError> {
        let finish = |(name, table): (&'static str, Box<dyn OpenTable>)| Ok((name.to_owned(), table.finish()?));
        self.tables.into_iter().map(finish).collect()
    }
}

/// A table that is being written, whatever its rows are.
trait OpenTable: Send {
    fn as_any(&mut self) -> &mut dyn Any;
    fn finish(self: Box<Self>) -> Result<FileFacts, BenchError>;
}

impl<R: RunRow> OpenTable for TableWriter<R, File> {
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn finish(self: Box<Self>) -> Result<FileFacts, BenchError> {
        TableWriter::finish(*self, File::sync_all)
    }
}
