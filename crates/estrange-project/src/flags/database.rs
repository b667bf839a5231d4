//! Compile databases (`compile_commands.json`): reading them, and mapping their paths to the tree at hand.
//!
//! A database may have been made on another machine: its paths are mapped by the longest suffix they share with a
//! file of the tree, and entries about files that do not exist are dropped and counted.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::normalise::Call;
use super::paths::absolute;
use super::tree::Tree;
use super::words::split;

/// Databases larger than this are not read.
const BOUND: u64 = 256 * 1024 * 1024;

/// How deep response files may name each other.
const RESPONSE_DEPTH: usize = 8;

/// What a database said.
#[derive(Debug, Default)]
pub(crate) struct Database {
    /// Its calls, with paths as in the database.
    pub calls: Vec<Call>,
    /// Entries that could not be understood.
    pub malformed: usize,
}

/// A database whose paths were mapped to the tree.
#[derive(Debug, Default)]
pub(crate) struct Mapped {
    /// The calls, with the foreign root replaced by the tree's.
    pub calls: Vec<Call>,
    /// Entries about files that the tree does not have.
    pub absent: usize,
}

/// The databases that came with the tree, the outermost first.
pub(crate) fn shipped(tree: &Tree) -> Vec<String> {
    let mut found: Vec<String> = tree.named("compile_commands.json").map(str::to_owned).collect();
    found.sort_by_key(|path| (path.matches('/').count(), path.clone()));
    found
}

/// Reads a database from the host; response files are looked up beside it.
pub(crate) fn read(path: &Path) -> Result<Database, String> {
    let size = fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > BOUND {
        return Err(format!("it is larger than {BOUND} bytes"));
    }
    parse(&fs::read(path).map_err(|error| error.to_string())?)
}

/// Reads a database from its bytes. What is not UTF-8 is replaced: such an entry may fail to map, the rest is used.
pub(crate) fn parse(bytes: &[u8]) -> Result<Database, String> {
    let entries: Vec<Value> =
        serde_json::from_str(&String::from_utf8_lossy(bytes)).map_err(|error| error.to_string())?;
    let total = entries.len();
    let calls: Vec<Call> = entries.iter().filter_map(call).collect();
    Ok(Database { malformed: total - calls.len(), calls })
}

fn call(entry: &Value) -> Option<Call> {
    let words = match (entry.get("arguments"), entry.get("command")) {
        (Some(Value::Array(words)), _) => {
            words.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?
        }
        (_, Some(Value::String(command))) => split(command),
        _ => return None,
    };
    let directory = entry.get("directory").and_then(Value::as_str).unwrap_or(".");
    let file = entry.get("file").and_then(Value::as_str)?;
    Some(Call { directory: directory.into(), words, file: Some(file.into()) })
}

/// Maps a database's calls to the tree. `here` is the folder the database lies in, to which a relative `directory`
/// refers.
pub(crate) fn map(database: Database, here: &Path, tree: &Tree) -> Mapped {
    let calls: Vec<Call> =
        database.calls.into_iter().map(|call| Call { directory: absolute(here, &call.directory), ..call }).collect();
    let Some(place) = place(&calls, tree) else {
        return Mapped { absent: calls.len(), calls: Vec::new() };
    };
    let mut mapped = Mapped::default();
    for call in calls {
        match map_call(call, &place, tree) {
            Some(call) => mapped.calls.push(call),
            None => mapped.absent += 1,
        }
    }
    mapped
}

/// A folder on the machine where the database was made, and the folder here that corresponds to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Relocation {
    there: PathBuf,
    here: PathBuf,
}

/// The correspondence that most entries agree on, each judged by its longest match.
fn place(calls: &[Call], tree: &Tree) -> Option<Relocation> {
    let mut votes: HashMap<Relocation, usize> = HashMap::new();
    for file in calls.iter().filter_map(file_of) {
        if let Some((path, shared)) = longest_match(&file, tree) {
            let shorten = |path: &Path| path.ancestors().nth(shared).unwrap_or(Path::new("/")).to_owned();
            let place = Relocation { there: shorten(&file), here: shorten(&tree.root().join(path)) };
            *votes.entry(place).or_default() += 1;
        }
    }
    votes.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0))).map(|(place, _)| place)
}

fn file_of(call: &Call) -> Option<PathBuf> {
    call.file.as_ref().map(|file| absolute(&call.directory, file))
}

/// The file of the tree that shares the longest suffix with `file`, and that suffix's length, if there is just one.
fn longest_match<'tree>(file: &Path, tree: &'tree Tree) -> Option<(&'tree str, usize)> {
    let shared = |path: &str| {
        Path::new(path).components().rev().zip(file.components().rev()).take_while(|(a, b)| a == b).count()
    };
    let name = file.file_name()?.to_str()?;
    let mut candidates: Vec<(&str, usize)> = tree.named(name).map(|path| (path, shared(path))).collect();
    candidates.sort_by_key(|&(_, shared)| std::cmp::Reverse(shared));
    match candidates.as_slice() {
        [only] => Some(*only),
        [first, second, ..] if first.1 > second.1 => Some(*first),
        _ => None,
    }
}

/// Replaces the foreign folder in everything the call says; nothing if its file is not in the tree.
fn map_call(call: Call, place: &Relocation, tree: &Tree) -> Option<Call> {
    let file = file_of(&call)?;
    let known =
        |path: &Path| path.strip_prefix(tree.root()).ok()?.to_str().map(|path| tree.has(path)).filter(|&has| has);
    let mut mapped = relocate_path(&file, place);
    if known(&mapped).is_none() {
        // A name alone proves nothing: a second part of the path must agree, or the whole of it.
        let (path, shared) = longest_match(&file, tree)?;
        if shared < 2 && path.contains('/') {
            return None;
        }
        mapped = tree.root().join(path);
    }
    let directory = relocate_path(&call.directory, place);
    let words = expand_responses(call.words, &directory, tree.root(), RESPONSE_DEPTH);
    let words = words.into_iter().map(|word| relocate_text(&word, &place.there, &place.here)).collect();
    Some(Call { directory, words, file: Some(mapped) })
}

fn relocate_path(path: &Path, place: &Relocation) -> PathBuf {
    path.strip_prefix(&place.there).map_or_else(|_| path.to_owned(), |inside| place.here.join(inside))
}

/// Replaces the folder `from` by `to` wherever a word names it as a whole path.
pub(crate) fn relocate_text(word: &str, from: &Path, to: &Path) -> String {
    let (from, to) = (from.to_string_lossy(), to.to_string_lossy());
    if from.len() < 2 {
        return word.to_owned();
    }
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.find(&*from) {
        let after = &rest[at + from.len()..];
        let before_is_path = rest[..at].ends_with(['/', '.']);
        let whole =
            !before_is_path && !after.starts_with(|letter: char| letter.is_alphanumeric() || "-_.+~".contains(letter));
        out.push_str(&rest[..at]);
        out.push_str(if whole { &to } else { &from });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Puts the content of the tree's response files (`@file`) in their place; others are left out.
fn expand_responses(words: Vec<String>, directory: &Path, root: &Path, depth: usize) -> Vec<String> {
    let mut expanded = Vec::with_capacity(words.len());
    for word in words {
        let Some(name) = word.strip_prefix('@') else {
            expanded.push(word);
            continue;
        };
        let path = absolute(directory, Path::new(name));
        let is_inside = |path: &Path| path.canonicalize().is_ok_and(|path| path.starts_with(root));
        if depth > 0 && is_inside(&path) && fs::metadata(&path).is_ok_and(|data| data.is_file() && data.len() < BOUND) {
            let inner = split(&String::from_utf8_lossy(&fs::read(path).unwrap_or_default()));
            expanded.extend(expand_responses(inner, directory, root, depth - 1));
        }
    }
    expanded
}
