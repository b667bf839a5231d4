//! Until when models were trained: a small table that is built in, and what users add to it.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use estrange_history::Day;
use estrange_words::Hint;
use serde::Deserialize;

/// What everybody has.
const BUILT_IN: &str = include_str!("cutoffs.toml");

/// Until when a model was trained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cutoff {
    /// The last day that it may know of.
    pub until: Day,
    /// Who says so.
    pub source: String,
}

/// Until when models were trained, by their names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cutoffs {
    #[serde(rename = "model")]
    models: Vec<Known>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    names: Vec<String>,
    until: String,
    source: String,
}

/// A table of cut-offs cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CutoffError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// It is no such table.
    #[error("{} is no table of cut-offs: {detail}", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
}

impl Hint for CutoffError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Read { .. } => None,
            Self::Malformed { .. } => Some(
                "each model has `[[model]]`, `names = […]`, `until = \"2024-05-31\"` and `source = \"who says so\"`"
                    .into(),
            ),
        }
    }
}

impl Cutoffs {
    /// Those that are built in.
    pub fn built_in() -> Self {
        // A test reads it.
        parsed(BUILT_IN).unwrap_or(Self { models: Vec::new() })
    }

    /// Those of a file before these: where both know a model, the file has the word.
    pub fn with(mut self, path: &Path) -> Result<Self, CutoffError> {
        let text = fs::read_to_string(path).map_err(|source| CutoffError::Read { path: path.to_owned(), source })?;
        let mut all = parsed(&text).map_err(|detail| CutoffError::Malformed { path: path.to_owned(), detail })?;
        all.models.append(&mut self.models);
        Ok(all)
    }

    /// Until when a model was trained, if that is known. It is known by its whole name only: nothing is guessed from what
    /// others like it are called.
    pub fn of(&self, model: &str) -> Option<Cutoff> {
        let name = plain(model);
        let known = self.models.iter().find(|known| known.names.iter().any(|own| own.eq_ignore_ascii_case(&name)))?;
        Some(Cutoff { until: known.until.parse().ok()?, source: known.source.clone() })
    }
}

fn parsed(text: &str) -> Result<Cutoffs, String> {
    let table: Cutoffs = toml::from_str(text).map_err(|error| error.to_string())?;
    for known in &table.models {
        known.until.parse::<Day>().map_err(|error| error.to_string())?;
    }
    Ok(table)
}

/// The name of a model without who serves it, who made it, and how its weights are stored.
fn plain(model: &str) -> String {
    let name = model.split_once(':').map_or(model, |(_, name)| name);
    let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let Some(name) = name.strip_suffix(".gguf") else { return name };
    let is_form = |tail: &str| {
        let numbered = tail.trim_start_matches('i').strip_prefix('q');
        numbered.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
            || ["f16", "bf16", "f32", "fp16"].contains(&tail)
    };
    match name.rsplit_once(['-', '.']) {
        Some((name, tail)) if is_form(tail) => name.to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_a_day_and_a_source_and_no_name_stands_twice() {
        let table = parsed(BUILT_IN).unwrap();
        let mut names: Vec<&String> = table.models.iter().flat_map(|known| &known.names).collect();
        assert!(table.models.iter().all(|known| known.source.len() > 10));
        assert!(names.iter().all(|name| **name == name.to_ascii_lowercase() && plain(name) == **name));
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn a_model_is_known_by_its_whole_name_only() {
        let table = Cutoffs::built_in();
        let until = |model: &str| table.of(model).map(|found| found.until.to_string());
        for (model, day) in [
            ("openai:gpt-4o", "2023-10-01"),
            ("openai:openai/gpt-4o-2024-08-06", "2023-10-01"),
            ("openai:meta-llama/Llama-3.1-8B-Instruct", "2023-12-31"),
            ("local:models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "2023-12-31"),
            ("local:llama-3.1-8b.IQ3_XS.gguf", "2023-12-31"),
            ("local:llama-3.1-8b-f16.gguf", "2023-12-31"),
        ] {
            assert_eq!(until(model).as_deref(), Some(day), "{model}");
        }
        for model in ["gold", "openai:gpt-4o-of-mine", "openai:gpt-4", "local:llama-3.1-8b-mine-q4_0.gguf", ""] {
            assert_eq!(until(model), None, "{model}");
        }
    }

    #[test]
    fn a_file_has_the_word_over_what_is_built_in() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("cutoffs.toml");
        let written = |text: &str| {
            fs::write(&file, text).unwrap();
            Cutoffs::built_in().with(&file)
        };
        let text = "[[model]]\nnames = [\"mine\", \"gpt-4o\"]\nuntil = \"2025-02-28\"\nsource = \"me\"\n";
        let table = written(text).unwrap();
        let cutoff = Cutoff { until: "2025-02-28".parse().unwrap(), source: "me".to_owned() };
        assert_eq!((table.of("local:Mine.gguf"), table.of("openai:gpt-4o")), (Some(cutoff.clone()), Some(cutoff)));
        assert!(table.of("openai:gpt-4o-mini").is_some(), "the others are still known");
        for (bad, words) in [(text.replace("02-28", "02-30"), "is no day"), (text.replace("names", "name"), "name")] {
            let error = written(&bad).unwrap_err();
            assert!(error.to_string().contains(words) && error.hint().is_some(), "{error}");
        }
        assert!(matches!(Cutoffs::built_in().with(Path::new("/nowhere/x")), Err(CutoffError::Read { .. })));
    }
}
