//! Pairs as they lie on disk; `pairs/README.md` says what is in them.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A pair, read.
#[derive(Debug)]
pub struct Pair {
    pub name: String,
    pub about: About,
    pub vulnerable: String,
    pub patched: String,
    /// The trigger as values.
    pub values: String,
}

/// What `pair.toml` says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    pub function: String,
    pub language: String,
    pub class: String,
    pub cwe: u32,
    pub description: String,
    pub licence: String,
    pub has_helper: bool,
    pub line: Line,
    pub trigger: Call,
    pub benign: Vec<Call>,
}

/// Where the vulnerable side faults.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Line {
    Number(usize),
    Text(String),
}

/// A call of the function.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    #[serde(default)]
    pub setup: String,
    pub call: String,
}

impl Pair {
    /// The number of the line at which the vulnerable side faults.
    pub fn line(&self) -> Option<usize> {
        let text = match &self.about.line {
            Line::Number(number) => return Some(*number),
            Line::Text(text) => text,
        };
        let mut found = self.vulnerable.lines().enumerate().filter(|(_, line)| line.trim() == text);
        let (number, _) = found.next()?;
        found.next().is_none().then_some(number + 1)
    }
}

/// All pairs of the repository, by name.
pub fn pairs() -> Vec<Pair> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pairs");
    let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let mut folders: Vec<PathBuf> = folders.collect();
    folders.sort();
    folders.iter().map(|folder| read(folder)).collect()
}

fn read(folder: &Path) -> Pair {
    let text =
        |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{folder:?} {name}: {error}"));
    let about: About = toml::from_str(&text("pair.toml")).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let [vulnerable, patched] = ["vulnerable", "patched"].map(|side| text(&format!("{side}.{}", about.language)));
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    Pair { name, about, vulnerable, patched, values: text("trigger.json") }
}
