//! A part of a build on disk: what one of several processes, perhaps on several machines, did of it.
//!
//! ```text
//! PART/
//!   part.json          which part it is, what it was made from and with, and the hashes of the files
//!   functions.parquet  the functions that it took out: `Taken`
//!   rejected.parquet   what it found and did not take: `Rejected`
//!   variants.parquet   their variants: `Variant`
//!   lowered.parquet    what compilers made of them, before symbols are numbered: `Unnumbered`
//!   waiting.parquet    the variants and lowered texts that are not there: `Waiting`
//! ```
//!
//! Every row has its place in the whole, so that the rows of all parts can be put in order without being held in memory.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::Fields;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::column::{Column, Reason};
use crate::error::BenchError;
use crate::folder::{Lock, PART, PARTIAL, remove_file, sync_folder};
use crate::manifest::{FORMAT_VERSION, FileFacts, Source, sorted};
use crate::record::{Function, Rejected, Variant, Waiting};
use crate::rows::{Rows, columns, record};
use crate::table::{Batches, Part as PartOfTable, Records, TableWriter};
use crate::tables::Table;

/// What tells a part's manifest from any other file of that name.
const FORMAT: &str = "estrange-part";

/// The files of a part have the names of the bench's tables.
const FUNCTIONS: &str = Table::Functions.file_name();
const REJECTED: &str = Table::Rejected.file_name();
const VARIANTS: &str = Table::Variants.file_name();
const LOWERED: &str = Table::Lowered.file_name();
const WAITING: &str = Table::Waiting.file_name();

/// Where a row stands among all rows of a build: which source it is of, and which of its functions or losses it is
/// about. Rows about the same stand in the order in which they were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowPlace {
    /// The number of the source.
    pub source: u32,
    /// The number within it.
    pub number: u32,
}

/// A record with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed<R> {
    /// The place.
    pub place: RowPlace,
    /// The record.
    pub record: R,
}

/// The columns of a place.
const SOURCE_NUMBER: &str = "source_number";
const NUMBER: &str = "number";

impl<R: Rows> Rows for Placed<R> {
    fn fields() -> Fields {
        let place = [SOURCE_NUMBER, NUMBER].map(|name| <u32 as Column>::field(name).into());
        place.into_iter().chain(R::fields().iter().cloned()).collect()
    }

    fn write(records: &[&Self]) -> Vec<ArrayRef> {
        let sources = <u32 as Column>::write(records.iter().map(|row| &row.place.source));
        let numbers = <u32 as Column>::write(records.iter().map(|row| &row.place.number));
        let own: Vec<&R> = records.iter().map(|row| &row.record).collect();
        [sources, numbers].into_iter().chain(R::write(&own)).collect()
    }

    fn read<'b>(find: &dyn Fn(&str) -> Option<&'b ArrayRef>) -> Result<Vec<Self>, (&'static str, Reason)> {
        let column = |name: &'static str| {
            let array = find(name).ok_or((name, "it is not there".into()))?;
            <u32 as Column>::read(array).map_err(|reason| (name, reason))
        };
        let places = column(SOURCE_NUMBER)?.into_iter().zip(column(NUMBER)?);
        let rows = places.zip(R::read(find)?);
        Ok(rows.map(|((source, number), record)| Self { place: RowPlace { source, number }, record }).collect())
    }

    fn size(&self) -> usize {
        8 + self.record.size()
    }
}

/// A function that was taken out.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// Stands for the standard headers that its file reads, by their content: what is computed from the function
    /// depends on them.
    pub headers: String,
    /// The function. Which others are nearly the same is not known yet.
    pub function: Function,
}

const HEADERS: &str = "headers";

impl Rows for Taken {
    fn fields() -> Fields {
        [<String as Column>::field(HEADERS).into()]
            .into_iter()
            .chain(<Function as Rows>::fields().iter().cloned())
            .collect()
    }

    fn write(records: &[&Self]) -> Vec<ArrayRef> {
        let headers = <String as Column>::write(records.iter().map(|taken| &taken.headers));
        let functions: Vec<&Function> = records.iter().map(|taken| &taken.function).collect();
        [headers].into_iter().chain(<Function as Rows>::write(&functions)).collect()
    }

    fn read<'b>(find: &dyn Fn(&str) -> Option<&'b ArrayRef>) -> Result<Vec<Self>, (&'static str, Reason)> {
        let array = find(HEADERS).ok_or((HEADERS, "it is not there".into()))?;
        let headers = <String as Column>::read(array).map_err(|reason| (HEADERS, reason))?;
        let rows = headers.into_iter().zip(<Function as Rows>::read(find)?);
        Ok(rows.map(|(headers, function)| Self { headers, function }).collect())
    }

    fn size(&self) -> usize {
        self.headers.len() + 4 + Rows::size(&self.function)
    }
}

record! {
    /// What of a function says whether it stays.
    pub struct Candidate {
        /// As in [`Function`].
        pub id: String,
        /// As in [`Function`].
        pub lineage: String,
        /// As in [`Function`].
        pub source: String,
        /// As in [`Function`].
        pub text: String,
    }
}

record! {
    /// A function as what a compiler makes of it, before its symbols have the numbers that they have in all texts of
    /// their source.
    pub struct Unnumbered {
        /// The function's id.
        pub function_id: String,
        /// The setting, such as `x86_64`.
        pub setting: String,
        /// The text, and after it, where that has helpers too, the function's code alone.
        pub texts: Vec<UnnumberedText>,
        /// The words of the text that are names of the function's project.
        pub own_words: Vec<String>,
    }
}

record! {
    /// A text, and the names in it that get numbers.
    pub struct UnnumberedText {
        /// The text.
        pub text: String,
        /// Names of what it does not hold, with their symbols.
        pub outside: Vec<Symbol>,
        /// Names of its variables, with their symbols.
        pub variables: Vec<Symbol>,
    }
}

record! {
    /// A name in a text, and the symbol that it stands for.
    pub struct Symbol {
        /// The name.
        pub name: String,
        /// The symbol.
        pub symbol: String,
    }
}

/// What a part's `part.json` says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartManifest {
    format: String,
    /// The version of the format of benches and their parts.
    pub format_version: u32,
    /// Which part it is, from 1.
    pub part: u32,
    /// Of how many.
    pub of: u32,
    /// What all parts of one build have in common.
    pub build: PartBuild,
    /// The files, by name.
    pub files: BTreeMap<String, FileFacts>,
}

/// What all parts of one build have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartBuild {
    /// The version of Estrange.
    pub estrange: String,
    /// The seed of whatever was chosen at random.
    pub seed: u64,
    /// The settings that have an influence on the records.
    pub config: Value,
    /// The versions of the programs that were used, by name.
    pub tools: BTreeMap<String, String>,
    /// The sources that were asked for, in order.
    pub asked: Vec<String>,
    /// The sources that were had.
    pub sources: Vec<Source>,
}

/// Writes a part: functions and losses first, and when these are on disk, what is made of the functions.
pub struct PartWriter {
    folder: PathBuf,
    functions: TableWriter<Placed<Taken>, File>,
    rejected: TableWriter<Placed<Rejected>, File>,
}

/// Writes what is made of a part's functions.
pub struct ReworkWriter {
    folder: PathBuf,
    files: BTreeMap<String, FileFacts>,
    variants: TableWriter<Placed<Variant>, File>,
    lowered: TableWriter<Placed<Unnumbered>, File>,
    waiting: TableWriter<Placed<Waiting>, File>,
}

fn table<R: Rows>(folder: &Path, name: &str) -> Result<TableWriter<R, File>, BenchError> {
    let path = folder.join(name);
    let file = File::create(&path).map_err(BenchError::io("make", &path))?;
    TableWriter::new(file, &path)
}

impl PartWriter {
    /// Begins a part in a folder that nobody else uses.
    pub fn new(folder: &Path) -> Result<Self, BenchError> {
        fs::create_dir_all(folder).map_err(BenchError::io("make the folder", folder))?;
        Ok(Self { folder: folder.to_owned(), functions: table(folder, FUNCTIONS)?, rejected: table(folder, REJECTED)? })
    }

    /// Adds a function that was taken out.
    pub fn take(&mut self, taken: Placed<Taken>) -> Result<(), BenchError> {
        self.functions.push(taken)
    }

    /// Adds something that was not.
    pub fn reject(&mut self, rejected: Placed<Rejected>) -> Result<(), BenchError> {
        self.rejected.push(rejected)
    }

    /// Has the functions written, so that they can be read.
    pub fn taken(self) -> Result<ReworkWriter, BenchError> {
        let Self { folder, functions, rejected } = self;
        let files = [(FUNCTIONS, functions.finish(File::sync_all)?), (REJECTED, rejected.finish(File::sync_all)?)];
        Ok(ReworkWriter {
            files: files.into_iter().map(|(name, facts)| (name.to_owned(), facts)).collect(),
            variants: table(&folder, VARIANTS)?,
            lowered: table(&folder, LOWERED)?,
            waiting: table(&folder, WAITING)?,
            folder,
        })
    }
}

impl ReworkWriter {
    /// Adds batches of what was made of functions.
    pub fn add(&mut self, reworked: Reworked) -> Result<(), BenchError> {
        let Reworked { variants, lowered, waiting } = reworked;
        self.variants.push_batch(&variants)?;
        self.lowered.push_batch(&lowered)?;
        self.waiting.push_batch(&waiting)
    }

    /// The functions of the part, in batches of so many rows.
    pub fn functions(&self, rows_in_a_batch: usize) -> Result<Batches, BenchError> {
        let part = PartOfTable { rows_in_a_batch: Some(rows_in_a_batch), ..PartOfTable::default() };
        Batches::open(&self.folder.join(FUNCTIONS), self.files[FUNCTIONS].rows, &part)
    }

    /// What says of the functions whether they stay.
    pub fn candidates(&self) -> Result<Records<Placed<Candidate>>, BenchError> {
        candidates(&self.folder, self.files[FUNCTIONS].rows)
    }

    /// How many functions there are.
    pub fn count(&self) -> u64 {
        self.files[FUNCTIONS].rows
    }

    /// Has everything written, the manifest last: without it a folder is no part.
    pub fn finish(self, (part, of): (u32, u32), mut build: PartBuild) -> Result<Part, BenchError> {
        let Self { folder, mut files, variants, lowered, waiting } = self;
        files.insert(VARIANTS.to_owned(), variants.finish(File::sync_all)?);
        files.insert(LOWERED.to_owned(), lowered.finish(File::sync_all)?);
        files.insert(WAITING.to_owned(), waiting.finish(File::sync_all)?);
        build.config = sorted(build.config);
        let format_version = FORMAT_VERSION;
        let manifest = PartManifest { format: FORMAT.to_owned(), format_version, part, of, build, files };
        let path = folder.join(PART);
        let write = || {
            let mut file = File::create(&path)?;
            file.write_all(&serde_json::to_vec_pretty(&manifest).map_err(io::Error::other)?)?;
            file.sync_all()
        };
        write().map_err(BenchError::io("write", &path))?;
        sync_folder(&folder)?;
        Ok(Part { folder, manifest })
    }
}

/// What is made of a batch of functions: Arrow batches of [`Placed`] records.
#[derive(Debug)]
pub struct Reworked {
    /// Of [`Variant`].
    pub variants: RecordBatch,
    /// Of [`Unnumbered`].
    pub lowered: RecordBatch,
    /// Of [`Waiting`].
    pub waiting: RecordBatch,
}

/// A part that is whole.
#[derive(Debug, Clone)]
pub struct Part {
    folder: PathBuf,
    /// What it says of itself.
    pub manifest: PartManifest,
}

/// Rows are wide, and many parts are read side by side.
const ROWS_IN_A_BATCH: usize = 4;

impl Part {
    /// Opens a part, and checks that its format is known and that every file is whole.
    pub fn open(folder: &Path) -> Result<Self, BenchError> {
        let path = folder.join(PART);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Err(BenchError::NotAPart { folder: folder.to_owned() });
            }
            Err(error) => return Err(BenchError::io("read", &path)(error)),
        };
        let damaged = |detail: String| BenchError::Damaged { path: path.clone(), detail };
        let head: Value = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        if head["format"] != FORMAT {
            return Err(BenchError::NotAPart { folder: folder.to_owned() });
        }
        if head["format_version"] != FORMAT_VERSION {
            let (found, known) = (head["format_version"].to_string(), FORMAT_VERSION);
            return Err(BenchError::UnknownVersion { folder: folder.to_owned(), found, known });
        }
        let manifest: PartManifest = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        let part = Self { folder: folder.to_owned(), manifest };
        for name in [FUNCTIONS, REJECTED, VARIANTS, LOWERED, WAITING] {
            part.facts(name)?.verify(&folder.join(name), PART)?;
        }
        Ok(part)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The functions.
    pub fn functions(&self) -> Result<Records<Placed<Taken>>, BenchError> {
        self.records(FUNCTIONS)
    }

    /// What says of the functions whether they stay.
    pub fn candidates(&self) -> Result<Records<Placed<Candidate>>, BenchError> {
        candidates(&self.folder, self.facts(FUNCTIONS)?.rows)
    }

    /// What was not taken.
    pub fn rejected(&self) -> Result<Records<Placed<Rejected>>, BenchError> {
        self.records(REJECTED)
    }

    /// The variants.
    pub fn variants(&self) -> Result<Records<Placed<Variant>>, BenchError> {
        self.records(VARIANTS)
    }

    /// The lowered texts.
    pub fn lowered(&self) -> Result<Records<Placed<Unnumbered>>, BenchError> {
        self.records(LOWERED)
    }

    /// What waits.
    pub fn waiting(&self) -> Result<Records<Placed<Waiting>>, BenchError> {
        self.records(WAITING)
    }

    fn records<R: Rows>(&self, name: &str) -> Result<Records<R>, BenchError> {
        let part = PartOfTable { rows_in_a_batch: Some(ROWS_IN_A_BATCH), ..PartOfTable::default() };
        Ok(Records::new(Batches::open(&self.folder.join(name), self.facts(name)?.rows, &part)?))
    }

    fn facts(&self, name: &str) -> Result<&FileFacts, BenchError> {
        let missing =
            || BenchError::Damaged { path: self.folder.join(PART), detail: format!("it does not name {name}") };
        self.manifest.files.get(name).ok_or_else(missing)
    }
}

/// A part that is being made for others to merge: in a hidden folder, from where it is moved when it is whole.
pub struct PartStaging<'l> {
    lock: &'l Lock,
    hidden: PathBuf,
}

impl<'l> PartStaging<'l> {
    /// Begins a part in the folder that is locked.
    pub fn new(lock: &'l Lock) -> Result<Self, BenchError> {
        let hidden = lock.folder().join(PARTIAL);
        if hidden.exists() {
            fs::remove_dir_all(&hidden).map_err(BenchError::io("remove", &hidden))?;
        }
        fs::create_dir(&hidden).map_err(BenchError::io("make the folder", &hidden))?;
        Ok(Self { lock, hidden })
    }

    /// The folder to write to.
    pub fn part_folder(&self) -> &Path {
        &self.hidden
    }

    /// Moves a whole part to where it is looked for, its manifest last.
    pub fn publish(self, part: Part) -> Result<Part, BenchError> {
        let folder = self.lock.folder();
        remove_file(&folder.join(PART))?;
        for name in [FUNCTIONS, REJECTED, VARIANTS, LOWERED, WAITING, PART] {
            let to = folder.join(name);
            fs::rename(part.folder.join(name), &to).map_err(BenchError::io("move a file to", &to))?;
            sync_folder(folder)?;
        }
        Ok(Part { folder: folder.to_owned(), manifest: part.manifest })
    }
}

impl Drop for PartStaging<'_> {
    fn drop(&mut self) {
        // One that cannot be removed goes when the next part begins.
        let _ = fs::remove_dir_all(&self.hidden);
    }
}

fn candidates(folder: &Path, rows: u64) -> Result<Records<Placed<Candidate>>, BenchError> {
    let columns = Some(columns::<Placed<Candidate>>());
    let part = PartOfTable { columns, ..PartOfTable::default() };
    Ok(Records::new(Batches::open(&folder.join(FUNCTIONS), rows, &part)?))
}
