//! Descriptions that people wrote themselves, one JSON object a line: `{"function": …, "text": …}`.
//!
//! The function is called by its id, by its qualified name or by its name, if only one has it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use estrange_bench::{Function, Query, WrittenBy};
use serde::Deserialize;

use super::names::TargetNames;
use super::query;

/// What is wrong with a file of descriptions.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot read {}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
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
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    function: String,
    text: String,
    author: Option<String>,
}

/// The queries in a file.
pub fn queries(path: &Path, functions: &[Function]) -> Result<Vec<Query>, FileError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| FileError::Unreadable { path: path.to_owned(), source })?;
    let mut called: HashMap<&str, Vec<&Function>> = HashMap::new();
    for function in functions {
        let mut names = vec![function.id.as_str(), &function.qualified_name, &function.name];
        names.dedup();
        names.into_iter().for_each(|name| called.entry(name).or_default().push(function));
    }
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut found: Vec<Query> = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |detail: String| FileError::Line { path: path.to_owned(), line: number + 1, detail };
        let row: Row = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let function = match called.get(row.function.as_str()).map(Vec::as_slice) {
            None => return Err(wrong(format!("the bench has no function `{}`", row.function))),
            Some([function]) => *function,
            Some(several) => {
                return Err(wrong(format!("{} functions are called `{}`: use an id", several.len(), row.function)));
            }
        };
        if row.text.trim().is_empty() {
            return Err(wrong("the text is empty".to_owned()));
        }
        if let [name, ..] = TargetNames::of(function).in_text(&row.text)[..] {
            return Err(wrong(format!("the text names `{name}`, which would give the function away")));
        }
        let author = row.author.unwrap_or_else(|| format!("file:{file}"));
        let mut query = query(function, row.text, &author, WrittenBy::Person);
        query.id = format!("q-{}-{}", function.id, found.iter().filter(|each| each.function_id == function.id).count());
        found.push(query);
    }
    Ok(found)
}
