//! A run: what one model answered to one task, and what that was worth.
//!
//! ```text
//! RUN/
//!   run.json         the model, the bench, the options, the corpora; a run exactly when it is there
//!   answers.parquet  the ranking for each query in each corpus: `Answer`
//!   scores.parquet   what each is worth by each measure: `Score`
//!   shifts.parquet   how far vectors moved, of a model that has such: `Shift`
//! ```

mod folder;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::BenchError;
use crate::manifest::FileFacts;
use crate::rows::{Rows, record};
use crate::table::{Batches, Part, Records};
use crate::words::{Group, View};

pub use folder::{LostRun, RunFolder};

const RUN: &str = "run.json";
const ANSWERS: &str = "answers.parquet";
const SCORES: &str = "scores.parquet";
const SHIFTS: &str = "shifts.parquet";
const FILES: [&str; 3] = [ANSWERS, SCORES, SHIFTS];
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

    fn file(&self, folder: &Path, name: &str) -> Result<&FileFacts, BenchError> {
        let detail = || format!("it does not name {name}");
        self.files.get(name).ok_or_else(|| BenchError::Damaged { path: folder.join(RUN), detail: detail() })
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
    /// Opens a run, and checks that every file is whole and its own.
    pub fn open(folder: &Path) -> Result<Self, BenchError> {
        let facts = read_facts(folder)?;
        for name in FILES {
            facts.file(folder, name)?.verify(&folder.join(name), RUN)?;
        }
        Ok(Self { folder: folder.to_owned(), facts })
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
        let rows = self.facts.file(&self.folder, name)?.rows;
        Ok(Records::new(Batches::open(&self.folder.join(name), rows, &Part::default())?))
    }
}

/// What is known of the run in a folder; its other files are not looked at.
fn read_facts(folder: &Path) -> Result<RunFacts, BenchError> {
    let path = folder.join(RUN);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Err(BenchError::NotARun { folder: folder.to_owned() });
        }
        Err(error) => return Err(BenchError::io("read", &path)(error)),
    };
    let damaged = |detail: String| BenchError::Damaged { path: path.clone(), detail };
    let head: Head = serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
    if head.format != FORMAT {
        return Err(damaged(format!("its format is `{}`", head.format)));
    }
    if head.format_version != FORMAT_VERSION {
        let found = head.format_version.to_string();
        return Err(BenchError::UnknownVersion { folder: folder.to_owned(), found, known: FORMAT_VERSION });
    }
    serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))
}

/// What the facts of every version have.
#[derive(Deserialize)]
struct Head {
    format: String,
    format_version: Value,
}

/// Whether a file belongs to a run, by its name.
pub(crate) fn is_of_a_run(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == RUN || FILES.iter().any(|file| name == *file))
}
