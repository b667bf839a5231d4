//! Files of answers that somebody gave before: JSON lines, or comma-separated values below a line with names.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use estrange_words::Hint;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The rows of a file with their lines: JSON lines if the first one is an object. Of comma-separated values those below the
/// names that are numbers are read as such.
pub(crate) fn rows<R: DeserializeOwned>(text: &str, numbers: &[&str]) -> Vec<(usize, Result<R, String>)> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    let is_json = lines.peek().is_none_or(|(_, line)| line.trim_start().starts_with('{'));
    if is_json {
        let row = |line: &str| serde_json::from_str(line).map_err(|error| error.to_string());
        return lines.map(|(number, line)| (number + 1, row(line))).collect();
    }
    let names: Vec<String> = lines.next().map(|(_, line)| cells(line)).unwrap_or_default();
    lines.map(|(number, line)| (number + 1, separated(&names, line, numbers))).collect()
}

/// A row of comma-separated values.
fn separated<R: DeserializeOwned>(names: &[String], line: &str, numbers: &[&str]) -> Result<R, String> {
    let cells = cells(line);
    if cells.len() != names.len() {
        return Err(format!("it has {} values below {} names", cells.len(), names.len()));
    }
    let mut object = serde_json::Map::new();
    for (name, cell) in names.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
        let is_number = numbers.contains(&name.as_str());
        let value = if is_number { serde_json::from_str(&cell).unwrap_or(json!(cell)) } else { json!(cell) };
        object.insert(name.clone(), value);
    }
    serde_json::from_value(Value::Object(object)).map_err(|error| error.to_string())
}

/// The cells of a line: between commas, in quotes where a cell has one.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut is_quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                push(&mut cells, '"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            other => push(&mut cells, other),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn push(cells: &mut [String], letter: char) {
    if let Some(cell) = cells.last_mut() {
        cell.push(letter);
    }
}

/// The name of an item, its setting and its seed.
pub(crate) type Key = (String, String, u32);

/// What a file of answers is to say, in the words of its errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// What it has, such as `verdict`.
    pub(crate) noun: &'static str,
    /// One of them, such as `a verdict`.
    pub(crate) one: &'static str,
    /// How a line of it looks.
    pub(crate) line: &'static str,
    /// The names of what is a number.
    pub(crate) numbers: &'static [&'static str],
}

/// What a file says, by what it says it of.
#[derive(Debug)]
pub(crate) struct Given<A> {
    pub said: HashMap<Key, A>,
    pub name: String,
    pub hash: String,
}

impl<A> Given<A> {
    /// Reads a file: what each row says of what, unless it is wrong. What is said of unknown items is an error, and so is
    /// what is said twice.
    pub fn open<R: DeserializeOwned>(
        path: &Path,
        form: Form,
        is_known: impl Fn(&Key) -> bool,
        read: impl Fn(R) -> Result<(Key, A), String>,
    ) -> Result<Self, PrecomputedError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| PrecomputedError::Unreadable { path: path.to_owned(), source })?;
        let mut said = HashMap::new();
        for (line, row) in rows::<R>(&text, form.numbers) {
            let wrong = |detail: String| PrecomputedError::Line { path: path.to_owned(), line, detail, form };
            let (key, one) = row.and_then(&read).map_err(wrong)?;
            if !is_known(&key) {
                return Err(wrong(format!("the bench has no item `{}` in {}, seed {}", key.0, key.1, key.2)));
            }
            if said.insert(key, one).is_some() {
                return Err(wrong(format!("it has {} already", form.one)));
            }
        }
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Self { said, name, hash: blake3::hash(text.as_bytes()).to_hex().to_string() })
    }

    /// Refuses a file that says nothing of what is asked.
    pub fn says_of(self, asked: impl Iterator<Item = Key>, path: &Path, form: Form) -> Result<Self, PrecomputedError> {
        let mut asked = asked;
        match asked.any(|key| self.said.contains_key(&key)) {
            true => Ok(self),
            false => Err(PrecomputedError::Empty { path: path.to_owned(), form }),
        }
    }
}

/// Why a file of answers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PrecomputedError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is not what is expected.
    #[error("{}, line {line}: {detail}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        detail: String,
        /// What was expected.
        form: Form,
    },
    /// It has nothing of what is asked.
    #[error("{} has no {} on any item that is asked", .path.display(), .form.noun)]
    Empty {
        /// The file.
        path: PathBuf,
        /// What was expected.
        form: Form,
    },
}

impl Hint for PrecomputedError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Unreadable { .. } => None,
            Self::Line { form, .. } | Self::Empty { form, .. } => Some(
                format!("a line is {}, or the same as comma-separated values below a line with these names", form.line)
                    .into(),
            ),
        }
    }
}
