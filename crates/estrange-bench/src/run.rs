//! A run: what one model was asked, what it answered, and what that was worth. The same for every task.
//!
//! ```text
//! RUN/
//!   run.json         the task, the model, the bench, the options, the parts; a run exactly when it is there
//!   items.parquet    what was asked: `Item`
//!   answers.parquet  what came back, as it came: `Answer`
//!   scores.parquet   what it is worth by each measure: `Score`
//!   ….parquet        tables of the task's own, such as a search's `rankings.parquet`
//! ```
//!
//! A task's own table is a record that says in which file it stands: `record! { pub struct Ranking in "rankings.parquet" {
//! … } }`. Nothing here has to know it. A run comes about in parts, see [`Draft`], and each part is kept as soon as it is
//! answered.

mod draft;
mod folder;
mod tables;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::BenchError;
use crate::manifest::FileFacts;
use crate::rows::record;
use crate::table::Records;

pub use draft::{Draft, RunPartWriter};
pub use folder::{LostRun, RunFolder};
pub use tables::{RunRow, RunTable, RunTables};

pub(crate) const RUN: &str = "run.json";
const FORMAT: &str = "estrange-run";
const FORMAT_VERSION: u32 = 2;

record! {
    /// What is asked once: one row of `items.parquet`.
    pub struct Item in "items.parquet" {
        /// The task.
        pub task: String,
        /// What it is called. Together with setting and seed no other item has it; the same question in another
        /// setting has the same name.
        pub item: String,
        /// The setting of the code that is shown.
        pub setting: String,
        /// Its seed.
        pub seed: u32,
        /// The function that it is about, by which tasks on one bench are put side by side.
        pub function_id: Option<String>,
    }
}

record! {
    /// What a model answered, as it came: one row of `answers.parquet`.
    pub struct Answer in "answers.parquet" {
        /// As in [`Item`].
        pub item: String,
        /// As in [`Item`].
        pub setting: String,
        /// As in [`Item`].
        pub seed: u32,
        /// Which of several answers to the same item it is, counted from 0.
        pub sample: u32,
        /// What the model was given; none where it was not given a text of its own.
        pub prompt: Option<String>,
        /// With which parameters: a JSON object.
        pub parameters: String,
        /// What it said, untouched; none where an answer is no text and stands in a table of the task's own.
        pub text: Option<String>,
        /// How many tokens it read, where that is known.
        pub prompt_tokens: Option<u32>,
        /// How many tokens it wrote.
        pub answer_tokens: Option<u32>,
        /// What that cost.
        pub cost: Option<f64>,
        /// How many seconds it took.
        pub seconds: Option<f64>,
    }
}

record! {
    /// What an answer is worth by one measure: one row of `scores.parquet`.
    pub struct Score in "scores.parquet" {
        /// As in [`Item`].
        pub task: String,
        /// As in [`Item`].
        pub item: String,
        /// As in [`Item`].
        pub setting: String,
        /// As in [`Item`].
        pub seed: u32,
        /// The measure, such as `ndcg@10`.
        pub measure: String,
        /// Its value.
        pub value: f64,
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
    /// What was asked, part by part.
    pub parts: Vec<RunPart>,
    /// The files, by name.
    pub files: BTreeMap<String, FileFacts>,
}

/// Items that are asked together, and whose answers are kept together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunPart {
    /// What it is called; no other part of the run is called so.
    pub name: String,
    /// The setting of its items.
    pub setting: String,
    /// Their seed.
    pub seed: u32,
    /// How many items it has.
    pub items: u64,
    /// What the task says of it.
    pub facts: Value,
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
            parts: Vec::new(),
            files: BTreeMap::new(),
        }
    }

    fn to_json(&self) -> io::Result<Vec<u8>> {
        let mut text = serde_json::to_vec_pretty(self).map_err(io::Error::other)?;
        text.push(b'\n');
        Ok(text)
    }
}

/// A run on disk.
#[derive(Debug, Clone)]
pub struct Run {
    folder: PathBuf,
    facts: RunFacts,
    tables: RunTables,
}

impl Run {
    /// Opens a run, and checks that every file is whole and its own.
    pub fn open(folder: &Path) -> Result<Self, BenchError> {
        let facts = read_facts(folder)?;
        for (name, file) in &facts.files {
            file.verify(&folder.join(name), RUN)?;
        }
        Ok(Self::of(folder, facts))
    }

    fn of(folder: &Path, facts: RunFacts) -> Self {
        let tables = RunTables::new(folder, facts.files.clone());
        Self { folder: folder.to_owned(), facts, tables }
    }

    /// What is known of it.
    pub fn facts(&self) -> &RunFacts {
        &self.facts
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Its tables.
    pub fn tables(&self) -> &RunTables {
        &self.tables
    }

    /// The rows of one of its tables, in the order of the file.
    pub fn rows<R: RunRow>(&self) -> Result<Records<R>, BenchError> {
        self.tables.rows()
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
    parse_facts(folder, &path, &text)
}

fn parse_facts(folder: &Path, path: &Path, text: &[u8]) -> Result<RunFacts, BenchError> {
    let damaged = |detail: String| BenchError::Damaged { path: path.to_owned(), detail };
    let head: Head = serde_json::from_slice(text).map_err(|error| damaged(error.to_string()))?;
    if head.format != FORMAT {
        return Err(damaged(format!("its format is `{}`", head.format)));
    }
    if head.format_version != FORMAT_VERSION {
        let found = head.format_version.to_string();
        let again = head.command(folder);
        return Err(BenchError::UnknownRunVersion { folder: folder.to_owned(), found, known: FORMAT_VERSION, again });
    }
    let facts: RunFacts = serde_json::from_slice(text).map_err(|error| damaged(error.to_string()))?;
    // A name is joined to the folder: it must not lead out of it.
    match facts.files.keys().find(|name| !tables::is_table_name(name)) {
        Some(name) => Err(damaged(format!("it names the file {name:?}"))),
        None => Ok(facts),
    }
}

/// What the facts of every version have.
#[derive(Deserialize)]
struct Head {
    format: String,
    format_version: Value,
    #[serde(default)]
    task: Option<String>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    bench: Option<String>,
}

impl Head {
    /// The command that makes such a run again.
    fn command(&self, folder: &Path) -> Option<String> {
        let quoted = |text: &str| match text.chars().all(|c| c.is_alphanumeric() || "-_./:,=+@%".contains(c)) {
            true => text.to_owned(),
            false => format!("'{}'", text.replace('\'', "'\\''")),
        };
        let (task, model, bench) = (self.task.as_ref()?, self.model.as_ref()?, self.bench.as_ref()?);
        let folder = quoted(&folder.to_string_lossy());
        Some(format!("estrange {task} {} --model {} --out {folder} --replace", quoted(bench), quoted(model)))
    }
}

/// Whether a file belongs to a run, by what lies beside it.
pub(crate) fn is_of_a_run(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == RUN) || path.with_file_name(RUN).exists()
}
