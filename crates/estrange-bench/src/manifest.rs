//! The manifest: what a bench is made from and with, what is in it, and how to tell that it is whole.
//!
//! There is nothing in it that two runs over the same things would write differently: no time, no path of a machine,
//! no number of threads.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::counts::Counts;
use crate::error::BenchError;
use crate::words::Split;

/// The version of the format that this program writes and reads.
pub const FORMAT_VERSION: u32 = 2;

/// What tells a bench's manifest from any other file of that name.
pub(crate) const FORMAT: &str = "estrange-bench";

/// What a bench was made from and with: what its writer has to be told.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Provenance {
    /// The version of Estrange.
    pub estrange: String,
    /// The seed of whatever was chosen at random.
    pub seed: u64,
    /// The settings that have an influence on the records. Keys are sorted when written.
    pub config: Value,
    /// The versions of the programs that were used, by name.
    pub tools: BTreeMap<String, String>,
    /// The sources, in the order in which their functions come. Their counts are filled in when written.
    pub sources: Vec<Source>,
}

/// What a bench's `manifest.json` says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Manifest {
    format: String,
    /// The version of the format.
    pub format_version: u32,
    /// The version of Estrange that made it.
    pub estrange: String,
    /// The seed of whatever was chosen at random.
    pub seed: u64,
    /// The settings that have an influence on the records.
    pub config: Value,
    /// The versions of the programs that were used, by name.
    pub tools: BTreeMap<String, String>,
    /// The sources.
    pub sources: Vec<Source>,
    /// What was found and what became of it.
    pub counts: Counts,
    /// The files, by name.
    pub files: BTreeMap<String, FileFacts>,
}

/// A source of functions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The source, as it was asked for.
    pub spec: String,
    /// The specification that gives exactly this version.
    pub pinned: String,
    /// The version.
    pub version: String,
    /// The hash of the source's tree.
    pub tree: String,
    /// How many files are under which licence, an SPDX expression each.
    pub licences: BTreeMap<String, u64>,
    /// What the source is for.
    pub split: Split,
    /// What was found in it and what became of it; filled in by the writer.
    #[serde(default)]
    pub counts: Counts,
}

/// How to tell that a file is whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileFacts {
    /// The BLAKE3 hash, hexadecimal.
    pub blake3: String,
    /// The length.
    pub bytes: u64,
    /// How many rows it has.
    pub rows: u64,
}

impl FileFacts {
    /// Checks that a file is what is known of it, by what is called `list`.
    pub(crate) fn verify(&self, path: &Path, list: &str) -> Result<(), BenchError> {
        let damaged = |detail: String| BenchError::Damaged { path: path.to_owned(), detail };
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(damaged("it is missing".to_owned())),
            Err(error) => return Err(BenchError::io("open", path)(error)),
        };
        let bytes = file.metadata().map_err(BenchError::io("read", path))?.len();
        if bytes != self.bytes {
            return Err(damaged(format!("it has {bytes} bytes, not {}", self.bytes)));
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(file).map_err(BenchError::io("read", path))?;
        match hasher.finalize().to_hex().as_str() == self.blake3 {
            true => Ok(()),
            false => Err(damaged(format!("its hash is not the one in {list}"))),
        }
    }
}

/// What every version's manifest has.
#[derive(Deserialize)]
struct Head {
    format: String,
    format_version: Value,
}

/// What a manifest is by its first words.
pub(crate) enum Recognised {
    /// One of ours, of the version we know.
    Known,
    /// One of ours, of another version.
    OtherVersion(String),
    /// Something else.
    Foreign(String),
}

pub(crate) fn recognise(text: &[u8]) -> Recognised {
    match serde_json::from_slice::<Head>(text) {
        Ok(head) if head.format != FORMAT => Recognised::Foreign(format!("its format is `{}`", head.format)),
        Ok(head) if head.format_version == FORMAT_VERSION => Recognised::Known,
        Ok(head) => Recognised::OtherVersion(head.format_version.to_string()),
        Err(error) => Recognised::Foreign(error.to_string()),
    }
}

impl Manifest {
    pub(crate) fn new(provenance: Provenance, counts: Counts, files: BTreeMap<String, FileFacts>) -> Self {
        let Provenance { estrange, seed, config, tools, sources } = provenance;
        let config = sorted(config);
        let format = FORMAT.to_owned();
        Self { format, format_version: FORMAT_VERSION, estrange, seed, config, tools, sources, counts, files }
    }

    /// The text of the file.
    pub(crate) fn to_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        Ok(text)
    }

    /// Reads a manifest: its version first, for another version may mean anything by what follows.
    pub(crate) fn parse(folder: &Path, path: &Path, text: &[u8]) -> Result<Self, BenchError> {
        let damaged = |detail: String| BenchError::Damaged { path: path.to_owned(), detail };
        match recognise(text) {
            Recognised::Known => (),
            Recognised::OtherVersion(found) => {
                return Err(BenchError::UnknownVersion { folder: folder.to_owned(), found, known: FORMAT_VERSION });
            }
            Recognised::Foreign(detail) => return Err(damaged(detail)),
        }
        let manifest: Self = serde_json::from_slice(text).map_err(|error| damaged(error.to_string()))?;
        if manifest.adds_up() { Ok(manifest) } else { Err(damaged("its counts do not add up".to_owned())) }
    }

    /// Whether the counts of the sources are those of the bench, and every function is accounted for.
    fn adds_up(&self) -> bool {
        let add = |sum: u64, number: u64| sum.saturating_add(number);
        let found = self.sources.iter().map(|source| source.counts.found).fold(0, add);
        let kept = self.sources.iter().map(|source| source.counts.kept).fold(0, add);
        self.counts.adds_up()
            && self.sources.iter().all(|source| source.counts.adds_up())
            && (found, kept) == (self.counts.found, self.counts.kept)
    }
}

/// The same value with the keys of every object in order, whatever order serde_json was built to keep.
pub(crate) fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let fields: BTreeMap<String, Value> = map.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            Value::Object(Map::from_iter(fields))
        }
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        other => other,
    }
}
