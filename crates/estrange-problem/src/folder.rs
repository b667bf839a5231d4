//! Problems in a folder: one folder a problem, as `docs/problems.md` describes it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use estrange_words::Language;
use serde::Deserialize;

use crate::error::ReadError;
use crate::interface::{Role, Structure, name_in};
use crate::problem::{Bounds, Cases, Loss, Problem, Program, Tests, WrittenCase, is_date, without_duplicates};
use crate::value::Compare;
use crate::words::{Defect, Difficulty};

/// The file that makes a folder a problem.
const SHEET: &str = "problem.toml";
/// The folder of solved examples within a folder of problems.
const EXAMPLES: &str = "examples";

/// What a folder of problems holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Set {
    /// The problems, by name.
    pub problems: Vec<Problem>,
    /// Solved examples that a prompt can show. They are not asked.
    pub examples: Vec<Problem>,
    /// What is there and cannot be used.
    pub losses: Vec<Loss>,
}

/// `problem.toml`, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sheet {
    title: String,
    date: Option<toml::Spanned<toml::Value>>,
    language: String,
    signature: String,
    difficulty: Option<Difficulty>,
    #[serde(default)]
    tags: Vec<String>,
    origin: Option<String>,
    licence: Option<String>,
    compare: Option<String>,
    tolerance: Option<f64>,
    #[serde(default)]
    bounds: WrittenBounds,
    #[serde(default)]
    parameters: BTreeMap<String, Role>,
    #[serde(default)]
    structures: Vec<Structure>,
}

/// Bounds, any of which may be left out.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBounds {
    seconds: Option<f64>,
    mebibytes: Option<u64>,
}

impl Set {
    /// Stands for all that a folder of problems holds.
    ///
    /// # Errors
    /// When a file in it cannot be read.
    pub fn digest(folder: &Path) -> Result<String, ReadError> {
        let mut hasher = blake3::Hasher::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(place) = folders.pop() {
            let failed = |source| ReadError { path: place.clone(), source };
            let mut files: Vec<PathBuf> = Vec::new();
            for entry in fs::read_dir(&place).map_err(failed)? {
                files.push(entry.map_err(failed)?.path());
            }
            files.sort();
            for path in files.into_iter().filter(|path| path.is_file()) {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
                let bytes = fs::read(&path).map_err(failed)?;
                hasher.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
                hasher.update(&(bytes.len() as u64).to_le_bytes()).update(&bytes);
            }
            let mut inner = sub_folders(&place)?;
            inner.reverse();
            folders.extend(inner);
        }
        Ok(hasher.finalize().to_hex().to_string())
    }

    /// Reads a folder of problems. What cannot be used is among the losses; only a folder that cannot be read is an error.
    pub fn read(folder: &Path) -> Result<Self, ReadError> {
        let mut set = Self::default();
        for path in sub_folders(folder)? {
            if path.file_name().is_some_and(|name| name == EXAMPLES) {
                let examples = sub_folders(&path)?.iter().filter_map(|path| set.kept(path)).collect();
                set.examples = without_duplicates(examples, &mut set.losses);
            } else if let Some(problem) = set.kept(&path) {
                set.problems.push(problem);
            }
        }
        set.problems = without_duplicates(std::mem::take(&mut set.problems), &mut set.losses);
        Ok(set)
    }

    fn kept(&mut self, folder: &Path) -> Option<Problem> {
        let name = folder.file_name()?.to_string_lossy().into_owned();
        match read(folder, &name) {
            Ok(problem) => Some(problem),
            Err((defect, detail)) => {
                self.losses.push(Loss { name, defect, detail });
                None
            }
        }
    }
}

fn sub_folders(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let failed = |source| ReadError { path: folder.to_owned(), source };
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !is_hidden {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// A file's text; nothing where it is not there.
fn text(path: &Path) -> Result<Option<String>, (Defect, String)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err((Defect::Unreadable, format!("{name}: {error}"))),
    }
}

fn read(folder: &Path, name: &str) -> Result<Problem, (Defect, String)> {
    let needed = |file: &str| {
        text(&folder.join(file))?.ok_or_else(|| (Defect::MissingField, format!("there is no file `{file}`")))
    };
    let sheet = needed(SHEET)?;
    let sheet: Sheet = toml::from_str(&sheet).map_err(|error| {
        let said = error.message().to_owned();
        let defect = if said.starts_with("missing field") { Defect::MissingField } else { Defect::Malformed };
        (defect, format!("{SHEET}: {said}"))
    })?;
    let language = language(&sheet.language)?;
    let date = sheet.date.map(|date| written_date(date.get_ref())).transpose()?;
    let signature = sheet.signature.trim().trim_end_matches(';').trim_end().to_owned();
    let Some(function) = name_in(&signature) else {
        return Err((Defect::Signature, format!("`{signature}` declares no function")));
    };
    let compare = Compare {
        is_unordered: match sheet.compare.as_deref() {
            None | Some("exact") => false,
            Some("unordered") => true,
            Some(other) => return Err((Defect::Malformed, format!("compare: `{other}` is none of exact, unordered"))),
        },
        tolerance: sheet.tolerance.unwrap_or_default(),
    };
    let in_language = |stem: &str| format!("{stem}.{}", language.ending());
    let tests = match text(&folder.join("cases.json"))? {
        Some(cases) => {
            let written: Vec<WrittenCase> =
                serde_json::from_str(&cases).map_err(|error| (Defect::Malformed, format!("cases.json: {error}")))?;
            Tests::Cases(Cases::read(&signature, &sheet.parameters, &sheet.structures, language, compare, &written)?)
        }
        None => match text(&folder.join(in_language("tests")))? {
            Some(text) => Tests::Program(Program { text }),
            None => {
                let detail = format!("there is neither `cases.json` nor `{}`", in_language("tests"));
                return Err((Defect::NoTests, detail));
            }
        },
    };
    let mut wrong = Vec::new();
    for number in 1.. {
        let stem = if number == 1 { "wrong".to_owned() } else { format!("wrong{number}") };
        match text(&folder.join(in_language(&stem)))? {
            Some(text) => wrong.push(text),
            None => break,
        }
    }
    let usual = Bounds::default();
    Ok(Problem {
        name: name.to_owned(),
        title: sheet.title,
        date,
        language,
        difficulty: sheet.difficulty,
        tags: sheet.tags,
        origin: sheet.origin.unwrap_or_default(),
        licence: sheet.licence,
        statement: needed("statement.md")?,
        signature,
        function,
        context: text(&folder.join("context.h"))?.unwrap_or_default(),
        tests,
        solution: text(&folder.join(in_language("solution")))?,
        wrong,
        bounds: Bounds {
            seconds: sheet.bounds.seconds.unwrap_or(usual.seconds),
            mebibytes: sheet.bounds.mebibytes.unwrap_or(usual.mebibytes),
        },
    })
}

/// A language by any of its usual names.
pub(crate) fn language(name: &str) -> Result<Language, (Defect, String)> {
    match name.to_ascii_lowercase().as_str() {
        "c" => Ok(Language::C),
        "c++" | "cpp" | "cxx" | "cc" => Ok(Language::Cpp),
        _ => Err((Defect::UnknownLanguage, format!("`{name}` is neither C nor C++"))),
    }
}

/// A date, written with or without quotes.
fn written_date(date: &toml::Value) -> Result<String, (Defect, String)> {
    let text = match date {
        toml::Value::String(text) => text.clone(),
        toml::Value::Datetime(date) => date.to_string(),
        other => format!("{other:?}"),
    };
    match is_date(&text) {
        true => Ok(text),
        false => Err((Defect::Malformed, format!("date: `{text}` is no day such as 2026-11-19"))),
    }
}
