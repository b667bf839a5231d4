//! Opening a bench: its version first, then whether it is whole, then its records.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::BenchError;
use crate::folder::{MANIFEST, PART, is_under_way};
use crate::manifest::{FileFacts, Manifest};
use crate::record::{
    Function, FunctionFacts, Judgement, Lowered, LoweredFacts, Query, Rejected, RejectedFacts, Variant, VariantFacts,
    Waiting,
};
use crate::rows::{Rows, columns};
use crate::table::{Batches, Part, Records};
use crate::tables::{Presence, Table, TableRow};

/// How many rows of a view are read at a time; of whole records, with their texts, it is fewer.
const VIEWS_IN_A_BATCH: usize = 2048;

/// An open bench, whose files were found to be what the manifest says.
#[derive(Debug, Clone)]
pub struct Bench {
    folder: PathBuf,
    manifest: Manifest,
}

impl Bench {
    /// Opens a bench, and checks that its format is known and that every file is whole.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, BenchError> {
        let folder = folder.as_ref();
        let path = folder.join(MANIFEST);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound && folder.join(PART).exists() => {
                return Err(BenchError::IsAPart { folder: folder.to_owned() });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_under_way(folder) => {
                return Err(BenchError::Unfinished { folder: folder.to_owned() });
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Err(BenchError::NotABench { folder: folder.to_owned() });
            }
            Err(error) => return Err(BenchError::io("read", &path)(error)),
        };
        let manifest = Manifest::parse(folder, &path, &text)?;
        let bench = Self { folder: folder.to_owned(), manifest };
        for table in Table::ALL.iter().filter(|table| table.presence() == Presence::Always || bench.has(**table)) {
            let name = table.file_name();
            bench.file(name)?.verify(&folder.join(name), "the manifest")?;
        }
        bench.check_rows()?;
        Ok(bench)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the bench was made from and with.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What the bench is known by: the BLAKE3 hash of its manifest, which has those of its files.
    pub fn hash(&self) -> Result<String, BenchError> {
        let path = self.folder.join(MANIFEST);
        let text = fs::read(&path).map_err(BenchError::io("read", &path))?;
        Ok(blake3::hash(&text).to_hex().to_string())
    }

    /// The rows of a table, in the order of the file: whole records, or a view that has only some of their columns. The
    /// other columns are not read.
    pub fn rows<R: TableRow>(&self) -> Result<Records<R>, BenchError> {
        self.records(R::TABLE, columns_of::<R>())
    }

    /// Whether the bench has this table at all.
    pub fn has(&self, table: Table) -> bool {
        self.manifest.files.contains_key(table.file_name())
    }

    /// The functions that were kept.
    pub fn functions(&self) -> Result<Records<Function>, BenchError> {
        self.rows()
    }

    /// The functions that were kept, without their texts: much quicker.
    pub fn function_facts(&self) -> Result<Records<FunctionFacts>, BenchError> {
        self.rows()
    }

    /// What was not kept.
    pub fn rejected(&self) -> Result<Records<Rejected>, BenchError> {
        self.rows()
    }

    /// What was not kept, without texts and details.
    pub fn rejected_facts(&self) -> Result<Records<RejectedFacts>, BenchError> {
        self.rows()
    }

    /// Whether the bench has variants at all.
    pub fn has_variants(&self) -> bool {
        self.has(Table::Variants)
    }

    /// The variants.
    pub fn variants(&self) -> Result<Records<Variant>, BenchError> {
        self.rows()
    }

    /// The variants, without their texts.
    pub fn variant_facts(&self) -> Result<Records<VariantFacts>, BenchError> {
        self.rows()
    }

    /// Whether the bench has lowered functions at all.
    pub fn has_lowered(&self) -> bool {
        self.has(Table::Lowered)
    }

    /// The functions as what compilers make of them.
    pub fn lowered(&self) -> Result<Records<Lowered>, BenchError> {
        self.rows()
    }

    /// The same without their texts.
    pub fn lowered_facts(&self) -> Result<Records<LoweredFacts>, BenchError> {
        self.rows()
    }

    /// The variants that wait for evidence, and the functions that could not be lowered.
    pub fn waiting(&self) -> Result<Records<Waiting>, BenchError> {
        self.rows()
    }

    /// Whether the bench has queries.
    pub fn has_queries(&self) -> bool {
        self.has(Table::Queries)
    }

    /// The queries.
    pub fn queries(&self) -> Result<Records<Query>, BenchError> {
        self.rows()
    }

    /// What is right for the queries.
    pub fn judgements(&self) -> Result<Records<Judgement>, BenchError> {
        self.rows()
    }

    /// The kept function with this id; of its file only the ids and one row are read.
    pub fn function(&self, id: &str) -> Result<Option<Function>, BenchError> {
        for (row, record) in self.rows::<Id>()?.enumerate() {
            if record?.id == id {
                let part = Part { row: Some(row), ..Part::default() };
                return self.records(Table::Functions, part)?.next().transpose();
            }
        }
        Ok(None)
    }

    /// A table as Arrow batches, all of its columns or those that are named.
    pub fn batches(&self, table: Table, columns: Option<&[&str]>) -> Result<Batches, BenchError> {
        let columns = columns.map(|columns| columns.iter().map(|&column| column.to_owned()).collect());
        self.open_table(table, &Part { columns, ..Part::default() })
    }

    fn records<R: Rows>(&self, table: Table, part: Part) -> Result<Records<R>, BenchError> {
        Ok(Records::new(self.open_table(table, &part)?))
    }

    fn open_table(&self, table: Table, part: &Part) -> Result<Batches, BenchError> {
        let name = table.file_name();
        Batches::open(&self.folder.join(name), self.file(name)?.rows, part)
    }

    fn file(&self, name: &str) -> Result<&FileFacts, BenchError> {
        self.manifest.files.get(name).ok_or_else(|| self.bad_manifest(format!("it does not name {name}")))
    }

    /// The tables have as many rows as things were counted.
    fn check_rows(&self) -> Result<(), BenchError> {
        let counts = &self.manifest.counts;
        let not_kept = counts.rejected_in_all().saturating_add(counts.losses_in_all());
        for (table, expected) in [(Table::Functions, counts.kept), (Table::Rejected, not_kept)] {
            let name = table.file_name();
            let rows = self.file(name)?.rows;
            if rows != expected {
                return Err(self.bad_manifest(format!("it counts {expected}, and {name} has {rows} rows")));
            }
        }
        Ok(())
    }

    fn bad_manifest(&self, detail: String) -> BenchError {
        BenchError::Damaged { path: self.folder.join(MANIFEST), detail }
    }
}

crate::rows::record! {
    /// What a function is looked up by.
    pub struct Id of Functions {
        /// As in [`Function`].
        pub id: String,
    }
}

/// The part of a table that a record type needs. Narrow ones are read many at a time.
fn columns_of<R: TableRow>() -> Part {
    if R::fields() == *R::TABLE.schema().fields() {
        return Part::default();
    }
    Part { columns: Some(columns::<R>()), rows_in_a_batch: Some(VIEWS_IN_A_BATCH), row: None }
}
