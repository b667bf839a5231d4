//! A run: what one model answered to one task, and what that was worth.
//!
//! ```text
//! RUN/
//!   run.json         the model, the bench, the options, the corpora; a run exactly when it is there
//!   answers.parquet  the ranking for each query in each corpus: `Answer`
//!   scores.parquet   what each is worth by each measure: `Score`
//!   shifts.parquet   how far vectors moved, of a model that has such: `Shift`
//! ```

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::BenchError;
use crate::folder::{remove_file, sync_folder};
use crate::manifest::FileFacts;
use crate::rows::{Rows, record};
use crate::table::{Batches, Part, Records, TableWriter};
use crate::words::{Group, View};

const RUN: &str = "run.json";
const ANSWERS: &str = "answers.parquet";
const SCORES: &str = "scores.parquet";
const SHIFTS: &str = "shifts.parquet";
const PARTIAL: &str = ".estrange-partial-run";
const FORMAT: &str = "estrange-run";
const FORMAT_VERSION: u32 = 1;

record! {
    /// A ranking: one row of `answers.parquet`.
    pub struct Answer {
        /// The group of the corpus.
        pub group: Group,
        /// Its view.
        pub view: View,
        /// Its setting.
        pub setting: String,
        /// Its seed.
        pub seed: u32,
        /// The query.
        pub query_id: String,
        /// The documents, the best first.
        pub documents: Vec<String>,
        /// Their scores.
        pub scores: Vec<f64>,
    }
}

record! {
    /// What a ranking is worth by one measure: one row of `scores.parquet`.
    pub struct Score {
        /// As in [`Answer`].
        pub group: Group,
        /// As in [`Answer`].
        pub view: View,
        /// As in [`Answer`].
        pub setting: String,
        /// As in [`Answer`].
        pub seed: u32,
        /// As in [`Answer`].
        pub query_id: String,
        /// The measure, such as `ndcg@10`.
        pub measure: String,
        /// Its value.
        pub value: f64,
    }
}

record! {
    /// How far a function's vector moved from the standard setting to another: one row of `shifts.parquet`.
    pub struct Shift {
        /// The function.
        pub function_id: String,
        /// Its group.
        pub group: Group,
        /// The setting.
        pub setting: String,
        /// The seed.
        pub seed: u32,
        /// The Euclidean distance between the two vectors.
        pub distance: f64,
    }
}

/// What a run's `run.json` says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFacts {
    format: String,
    /// The version of the format.
    pub format_version: u32,
    /// The version of Estrange that made it.
    pub estrange: String,
    /// What was asked: `search`.
    pub task: String,
    /// The model, as it was asked for.
    pub model: String,
    /// Everything that the model's answers depend on.
    pub card: Value,
    /// Where the bench was.
    pub bench: String,
    /// The BLAKE3 hash of the bench's manifest.
    pub bench_hash: String,
    /// The options that have an influence on the answers.
    pub options: Value,
    /// The corpora that were searched.
    pub corpora: Vec<CorpusFacts>,
    /// The files, by name.
    pub files: std::collections::BTreeMap<String, FileFacts>,
}

/// A corpus that was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusFacts {
    /// The group.
    pub group: Group,
    /// The view.
    pub view: View,
    /// The setting.
    pub setting: String,
    /// The seed.
    pub seed: u32,
    /// How many documents there are.
    pub documents: u64,
    /// How many queries.
    pub queries: u64,
    /// How many classes of documents with the same text there are.
    pub duplicate_classes: u64,
    /// How many queries were left out because their function has no text in the setting.
    pub left_out: u64,
}

impl RunFacts {
    /// What is known of a run before it is written.
    pub fn new(task: &str, model: String, card: Value, bench: String, bench_hash: String, options: Value) -> Self {
        Self {
            format: FORMAT.to_owned(),
            format_version: FORMAT_VERSION,
            estrange: env!("CARGO_PKG_VERSION").to_owned(),
            task: task.to_owned(),
            model,
            card,
            bench,
            bench_hash,
            options,
            corpora: Vec::new(),
            files: std::collections::BTreeMap::new(),
        }
    }
}

/// A run on disk.
#[derive(Debug, Clone)]
pub struct Run {
    folder: PathBuf,
    facts: RunFacts,
}

/// What a run consists of.
#[derive(Debug, Clone, Default)]
pub struct RunRecords {
    /// The rankings.
    pub answers: Vec<Answer>,
    /// What they are worth.
    pub scores: Vec<Score>,
    /// How far vectors moved, of a model that has such.
    pub shifts: Vec<Shift>,
}

impl Run {
    /// Writes a run into a folder that is empty, not there, or holds another run, which it replaces when it is whole.
    pub fn write(folder: &Path, mut facts: RunFacts, records: RunRecords) -> Result<Self, BenchError> {
        may_be_written(folder)?;
        let partial = folder.join(PARTIAL);
        fs::create_dir_all(&partial).map_err(BenchError::io("make the folder", &partial))?;
        facts.files.insert(ANSWERS.to_owned(), table(&partial.join(ANSWERS), records.answers)?);
        facts.files.insert(SCORES.to_owned(), table(&partial.join(SCORES), records.scores)?);
        facts.files.insert(SHIFTS.to_owned(), table(&partial.join(SHIFTS), records.shifts)?);
        let path = partial.join(RUN);
        let write = || {
            let mut text = serde_json::to_vec_pretty(&facts).map_err(io::Error::other)?;
            text.push(b'\n');
            let mut file = File::create(&path)?;
            file.write_all(&text)?;
            file.sync_all()
        };
        write().map_err(BenchError::io("write", &path))?;
        remove_file(&folder.join(RUN))?;
        for name in [ANSWERS, SCORES, SHIFTS, RUN] {
            let place = folder.join(name);
            fs::rename(partial.join(name), &place).map_err(BenchError::io("move a file to", &place))?;
        }
        fs::remove_dir_all(&partial).map_err(BenchError::io("remove", &partial))?;
        sync_folder(folder)?;
        Ok(Self { folder: folder.to_owned(), facts })
    }

    /// Opens a run.
    pub fn open(folder: &Path) -> Result<Self, BenchError> {
        let path = folder.join(RUN);
        let text = fs::read(&path).map_err(|_| BenchError::NotARun { folder: folder.to_owned() })?;
        let damaged = |detail: String| BenchError::Damaged { path: path.clone(), detail };
        let facts: RunFacts = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        match (facts.format.as_str(), facts.format_version) {
            (FORMAT, FORMAT_VERSION) => Ok(Self { folder: folder.to_owned(), facts }),
            (FORMAT, version) => Err(damaged(format!("its format has version {version}, not {FORMAT_VERSION}"))),
            (other, _) => Err(damaged(format!("its format is `{other}`"))),
        }
    }

    /// What is known of it.
    pub fn facts(&self) -> &RunFacts {
        &self.facts
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The rankings.
    pub fn answers(&self) -> Result<Records<Answer>, BenchError> {
        self.records(ANSWERS)
    }

    /// What they are worth.
    pub fn scores(&self) -> Result<Records<Score>, BenchError> {
        self.records(SCORES)
    }

    /// How far vectors moved.
    pub fn shifts(&self) -> Result<Records<Shift>, BenchError> {
        self.records(SHIFTS)
    }

    fn records<R: Rows>(&self, name: &str) -> Result<Records<R>, BenchError> {
        let damaged =
            || BenchError::Damaged { path: self.folder.join(RUN), detail: format!("it does not name {name}") };
        let rows = self.facts.files.get(name).ok_or_else(damaged)?.rows;
        Ok(Records::new(Batches::open(&self.folder.join(name), rows, &Part::default())?))
    }
}

/// Whether a folder is free for a run, or has one.
fn may_be_written(folder: &Path) -> Result<(), BenchError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(BenchError::io("read the folder", folder)(error)),
    };
    let ours = [RUN, ANSWERS, SCORES, SHIFTS, PARTIAL];
    for entry in entries {
        let name = entry.map_err(BenchError::io("read the folder", folder))?.file_name().to_string_lossy().into_owned();
        if !ours.contains(&name.as_str()) {
            return Err(BenchError::Occupied { folder: folder.to_owned(), entry: name });
        }
    }
    Ok(())
}

fn table<R: Rows>(path: &Path, records: Vec<R>) -> Result<FileFacts, BenchError> {
    let file = File::create(path).map_err(BenchError::io("make", path))?;
    let mut table = TableWriter::new(file, path)?;
    records.into_iter().try_for_each(|record| table.push(record))?;
    table.finish(File::sync_all)
}
