//! Reading CLARC's files: which there are, and whether each row is whole and each id means one thing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Part, Row};
use crate::exchange::error::ExchangeError;
use crate::words::{Group, View};

/// A file that was read.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) path: PathBuf,
    pub(super) part: Part,
    pub(super) rows: Vec<Row>,
    pub(super) blake3: blake3::Hash,
}

/// What is in a folder.
#[derive(Debug)]
pub(super) struct Found {
    /// The files, in the order of their names.
    pub(super) files: Vec<Rows>,
    /// The names of the other files that end like these.
    pub(super) passed_over: Vec<String>,
}

/// A row of which nothing is sure yet.
#[derive(Deserialize)]
struct Loose {
    query_id: Option<String>,
    query_text: Option<String>,
    code_id: Option<String>,
    code_text: Option<String>,
    relevance: Option<u32>,
}

/// Reads all files of a folder.
pub(super) fn read(folder: &Path) -> Result<Found, ExchangeError> {
    let entries = fs::read_dir(folder).map_err(ExchangeError::io("read the folder", folder))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(ExchangeError::io("read the folder", folder))?.file_name();
        names.extend(name.into_string().ok().filter(|name| name.ends_with(".json")));
    }
    names.sort_unstable();
    let mut found = Found { files: Vec::new(), passed_over: Vec::new() };
    let mut parts: HashMap<Part, String> = HashMap::new();
    for name in names {
        let Some(part) = Part::of(&name) else {
            found.passed_over.push(name);
            continue;
        };
        let path = folder.join(&name);
        if let Some(other) = parts.insert(part.clone(), name) {
            return Err(malformed(&path, format!("{other} has the same group, view and setting")));
        }
        let text = fs::read(&path).map_err(ExchangeError::io("read", &path))?;
        let rows = rows(&path, &text)?;
        check(&path, &part, &rows)?;
        found.files.push(Rows { path, part, rows, blake3: blake3::hash(&text) });
    }
    match found.files.is_empty() {
        true => Err(ExchangeError::NotClarc { folder: folder.to_owned() }),
        false => Ok(found),
    }
}

pub(super) fn malformed(path: &Path, detail: String) -> ExchangeError {
    ExchangeError::Malformed { path: path.to_owned(), detail }
}

fn rows(path: &Path, text: &[u8]) -> Result<Vec<Row>, ExchangeError> {
    let loose: Vec<Loose> = serde_json::from_slice(text).map_err(|error| malformed(path, error.to_string()))?;
    if loose.is_empty() {
        return Err(malformed(path, "it has no rows".to_owned()));
    }
    let mut rows = Vec::with_capacity(loose.len());
    for (number, row) in loose.into_iter().enumerate() {
        let lacks = |what: &str| malformed(path, format!("row {} has no {what}", number + 1));
        let text = |value: Option<String>, what: &str| {
            value.filter(|value| !value.trim().is_empty()).ok_or_else(|| lacks(what))
        };
        rows.push(Row {
            query_id: text(row.query_id, "query_id")?,
            query_text: text(row.query_text, "query_text")?,
            code_id: text(row.code_id, "code_id")?,
            code_text: text(row.code_text, "code_text")?,
            relevance: row.relevance.filter(|relevance| *relevance > 0).ok_or_else(|| lacks("relevance"))?,
        });
    }
    Ok(rows)
}

/// Each pair comes once, each id has one text, and each query is for one function above all.
fn check(path: &Path, part: &Part, rows: &[Row]) -> Result<(), ExchangeError> {
    let is_graded = part.group == Group::Three && part.view == View::Short;
    let mut pairs: HashSet<(&str, &str)> = HashSet::new();
    let mut queries: HashMap<&str, &str> = HashMap::new();
    let mut codes: HashMap<&str, &str> = HashMap::new();
    let mut targets: BTreeMap<&str, u32> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        let twice = |what: &str, id: &str| malformed(path, format!("row {} has the {what} {id} again", number + 1));
        let is_new = pairs.insert((&row.query_id, &row.code_id));
        let query = queries.insert(&row.query_id, &row.query_text);
        if query.is_some_and(|text| text != row.query_text) || (query.is_some() && !(is_graded && is_new)) {
            return Err(twice("query_id", &row.query_id));
        }
        let code = codes.insert(&row.code_id, &row.code_text);
        if code.is_some_and(|text| text != row.code_text) {
            return Err(twice("code_id", &row.code_id));
        }
        *targets.entry(&row.query_id).or_default() += u32::from(row.relevance > 1 || !is_graded);
    }
    match targets.iter().find(|(_, number)| **number != 1) {
        Some((query, number)) => {
            Err(malformed(path, format!("{query} has {number} codes of relevance 2, where one is the right one")))
        }
        None => Ok(()),
    }
}
