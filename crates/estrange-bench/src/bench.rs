//! Opening a bench: its version first, then whether it is whole, then its records.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::BenchError;
use crate::folder::{
    DATA, FUNCTIONS, LOWERED, MANIFEST, QRELS, QUERIES, REJECTED, REQUIRED, VARIANTS, WAITING, is_under_way,
};
use crate::manifest::{FileFacts, Manifest};
use crate::record::{
    Function, FunctionFacts, Judgement, Lowered, LoweredFacts, Query, Rejected, RejectedFacts, Variant, VariantFacts,
    Waiting,
};
use crate::rows::{Rows, columns};
use crate::table::{Batches, Part, Records};

/// Facts are small; texts are not.
const FACTS_IN_A_BATCH: usize = 8192;

/// An open bench, whose files were found to be what the manifest says.
#[derive(Debug, Clone)]
pub struct Bench {
    folder: PathBuf,
    manifest: Manifest,
}

/// A table of a bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// The functions that were kept: [`Function`].
    Functions,
    /// What was not: [`Rejected`].
    Rejected,
    /// The variants of functions: [`Variant`].
    Variants,
    /// The functions as what compilers make of them: [`Lowered`].
    Lowered,
    /// The variants and lowered functions that are not there: [`Waiting`].
    Waiting,
    /// The descriptions of functions: [`Query`].
    Queries,
    /// What is right for each of them: [`Judgement`].
    Judgements,
}

impl Table {
    /// Every table, in the order in which they come about.
    pub const ALL: [Self; 7] = [
        Self::Functions,
        Self::Rejected,
        Self::Variants,
        Self::Lowered,
        Self::Waiting,
        Self::Queries,
        Self::Judgements,
    ];

    /// The name of its file.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Functions => FUNCTIONS,
            Self::Rejected => REJECTED,
            Self::Variants => VARIANTS,
            Self::Lowered => LOWERED,
            Self::Waiting => WAITING,
            Self::Queries => QUERIES,
            Self::Judgements => QRELS,
        }
    }
}

impl Bench {
    /// Opens a bench, and checks that its format is known and that every file is whole.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, BenchError> {
        let folder = folder.as_ref();
        let path = folder.join(MANIFEST);
        let text = match fs::read(&path) {
            Ok(text) => text,
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
        for name in DATA.iter().filter(|name| REQUIRED.contains(name) || bench.manifest.files.contains_key(**name)) {
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

    /// The functions that were kept, in the order of the file.
    pub fn functions(&self) -> Result<Records<Function>, BenchError> {
        self.records(Table::Functions, Part::default())
    }

    /// The functions that were kept, without their texts: much quicker.
    pub fn function_facts(&self) -> Result<Records<FunctionFacts>, BenchError> {
        self.records(Table::Functions, facts::<FunctionFacts>())
    }

    /// What was not kept, in the order of the file.
    pub fn rejected(&self) -> Result<Records<Rejected>, BenchError> {
        self.records(Table::Rejected, Part::default())
    }

    /// What was not kept, without texts and details.
    pub fn rejected_facts(&self) -> Result<Records<RejectedFacts>, BenchError> {
        self.records(Table::Rejected, facts::<RejectedFacts>())
    }

    /// Whether the bench has variants at all.
    pub fn has_variants(&self) -> bool {
        self.manifest.files.contains_key(VARIANTS)
    }

    /// The variants, in the order of the file.
    pub fn variants(&self) -> Result<Records<Variant>, BenchError> {
        self.records(Table::Variants, Part::default())
    }

    /// The variants, without their texts.
    pub fn variant_facts(&self) -> Result<Records<VariantFacts>, BenchError> {
        self.records(Table::Variants, facts::<VariantFacts>())
    }

    /// Whether the bench has lowered functions at all.
    pub fn has_lowered(&self) -> bool {
        self.manifest.files.contains_key(LOWERED)
    }

    /// The functions as what compilers make of them, in the order of the file.
    pub fn lowered(&self) -> Result<Records<Lowered>, BenchError> {
        self.records(Table::Lowered, Part::default())
    }

    /// The same without their texts.
    pub fn lowered_facts(&self) -> Result<Records<LoweredFacts>, BenchError> {
        self.records(Table::Lowered, facts::<LoweredFacts>())
    }

    /// The variants that wait for evidence, and the functions that could not be lowered.
    pub fn waiting(&self) -> Result<Records<Waiting>, BenchError> {
        self.records(Table::Waiting, Part::default())
    }

    /// Whether the bench has queries.
    pub fn has_queries(&self) -> bool {
        self.manifest.files.contains_key(QUERIES)
    }

    /// The queries, in the order of the file.
    pub fn queries(&self) -> Result<Records<Query>, BenchError> {
        self.records(Table::Queries, Part::default())
    }

    /// What is right for the queries, in the order of the file.
    pub fn judgements(&self) -> Result<Records<Judgement>, BenchError> {
        self.records(Table::Judgements, Part::default())
    }

    /// The kept function with this id; of its file only the ids and one row are read.
    pub fn function(&self, id: &str) -> Result<Option<Function>, BenchError> {
        let part = Part { rows_in_a_batch: Some(FACTS_IN_A_BATCH), ..facts::<Id>() };
        for (row, record) in self.records::<Id>(Table::Functions, part)?.enumerate() {
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
        for (name, expected) in [(FUNCTIONS, counts.kept), (REJECTED, not_kept)] {
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
    pub struct Id {
        /// As in [`Function`].
        pub id: String,
    }
}

/// The part of a table that a narrow record type needs.
fn facts<R: Rows>() -> Part {
    Part { columns: Some(columns::<R>()), rows_in_a_batch: Some(FACTS_IN_A_BATCH), row: None }
}
