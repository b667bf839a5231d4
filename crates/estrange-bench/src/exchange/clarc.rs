//! CLARC's published layout: for each group and setting a list of pairs of a query and a function, as JSON.
//!
//! | file | setting of a bench |
//! |---|---|
//! | `groupN_standard.json`, `groupN_original.json` | `standard` |
//! | `groupN_neutralized.json`, `groupN_randomized.json`, … | that one, with the seed 0; `…_7.json` with the seed 7 |
//! | `groupN_asm_short.json` | `x86_64`: the function's code alone, which the paper's Table 5 is about |
//! | `groupN_asm_long.json` | only in group 3: `x86_64` with the helpers' code; in other groups it is passed over |
//! | `groupN_wasm.json` | `wasm32` |
//!
//! In group 3 the name has `short` or `long` in it, before or behind the setting; without either it is the short view.

mod import;
mod rows;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use estrange_words::Target;
use serde::{Deserialize, Serialize};

use super::corpus::{ExportedCorpus, plain};
use super::error::ExchangeError;
use super::file::write_json;
use crate::words::{Group, View};

pub use import::{Imported, import};

/// What a compiler makes of functions in a setting, such as `x86_64-paper`; nothing for a variant of the source text.
fn target(setting: &str) -> Option<Target> {
    let is_of = |target: &&Target| {
        setting.strip_prefix(target.as_str()).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    Target::ALL.iter().find(is_of).copied()
}

/// A pair of a query and a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    query_id: String,
    query_text: String,
    code_id: String,
    code_text: String,
    relevance: u32,
}

/// Which part of the data a file is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Part {
    group: Group,
    view: View,
    setting: String,
    seed: u32,
}

impl Part {
    /// The part that a file is by its name, if it is one that a bench can hold.
    fn of(name: &str) -> Option<Self> {
        let (group, rest) = name.strip_prefix("group")?.strip_suffix(".json")?.split_once('_')?;
        let group: Group = group.parse().ok()?;
        let mut words: Vec<&str> = rest.split('_').collect();
        let view = match words.iter().position(|word| matches!(*word, "short" | "long")) {
            Some(at) if words.remove(at) == "long" => View::Long,
            _ => View::Short,
        };
        let seed = match words.as_slice() {
            [_, .., last] => last.parse().ok(),
            _ => None,
        };
        words.truncate(words.len() - usize::from(seed.is_some()));
        let setting = match words.join("_").as_str() {
            "" => return None,
            "original" => "standard".to_owned(),
            "asm" => "x86_64".to_owned(),
            "wasm" => "wasm32".to_owned(),
            other => other.to_owned(),
        };
        // Only group 3 has a long view.
        (view == View::Short || group == Group::Three).then_some(Self { group, view, setting, seed: seed.unwrap_or(0) })
    }

    /// The name of the file that it is.
    fn file_name(&self) -> String {
        let plain = plain(&self.setting);
        let setting = match self.setting.as_str() {
            "x86_64" => "asm",
            "wasm32" => "wasm",
            _ => &plain,
        };
        let view =
            if self.group == Group::Three || setting == "asm" { format!("_{}", self.view) } else { String::new() };
        let seed = if self.seed > 0 { format!("_{}", self.seed) } else { String::new() };
        format!("group{}_{setting}{view}{seed}.json", self.group)
    }
}

/// Writes a file for each corpus. Says how many documents are not there because no query is for them: in this layout there
/// are only pairs.
pub fn write_corpora(folder: &Path, corpora: &[ExportedCorpus]) -> Result<usize, ExchangeError> {
    let mut left_out = 0;
    for corpus in corpora {
        let documents: HashMap<&str, &str> =
            corpus.documents.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
        let queries: HashMap<&str, &str> =
            corpus.queries.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
        let row = |(query, document, grade): &(String, String, u32)| {
            Some(Row {
                query_id: query.clone(),
                query_text: (*queries.get(query.as_str())?).to_owned(),
                code_id: document.clone(),
                code_text: (*documents.get(document.as_str())?).to_owned(),
                relevance: *grade,
            })
        };
        let rows: Vec<Row> = corpus.qrels.iter().filter_map(row).collect();
        let written: HashSet<&str> = rows.iter().map(|row| row.code_id.as_str()).collect();
        left_out += documents.len() - written.len();
        let ExportedCorpus { group, view, setting, seed, .. } = corpus;
        let part = Part { group: *group, view: *view, setting: setting.clone(), seed: *seed };
        write_json(folder, &part.file_name(), &rows, 4)?;
    }
    Ok(left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_say_what_is_in_them() {
        let part = |name: &str| {
            let part = Part::of(name)?;
            Some((part.group.as_str(), part.view.as_str(), part.setting, part.seed))
        };
        assert_eq!(part("group1_standard.json"), Some(("1", "short", "standard".to_owned(), 0)));
        assert_eq!(part("group2_original.json"), Some(("2", "short", "standard".to_owned(), 0)));
        assert_eq!(part("group1_asm_short.json"), Some(("1", "short", "x86_64".to_owned(), 0)));
        assert_eq!(part("group3_asm_long.json"), Some(("3", "long", "x86_64".to_owned(), 0)));
        assert_eq!(part("group3_long_wasm.json"), Some(("3", "long", "wasm32".to_owned(), 0)));
        assert_eq!(part("group3_long_neutralized.json"), Some(("3", "long", "neutralized".to_owned(), 0)));
        assert_eq!(part("group1_randomized_7.json"), Some(("1", "short", "randomized".to_owned(), 7)));
        assert_eq!(part("group1_x86_64-O2.json"), Some(("1", "short", "x86_64-O2".to_owned(), 0)));
        for other in ["group1_asm_long.json", "group4_standard.json", "group1_.json", "group1_short.json", "a.json"] {
            assert_eq!(part(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_written_is_found_again() {
        for group in Group::ALL {
            for view in View::ALL.iter().filter(|view| **view == View::Short || *group == Group::Three) {
                for (setting, seed) in
                    [("standard", 0), ("randomized", 12), ("x86_64", 0), ("wasm32", 0), ("x86_64-O2", 0)]
                {
                    let part = Part { group: *group, view: *view, setting: setting.to_owned(), seed };
                    assert_eq!(Part::of(&part.file_name()), Some(part));
                }
            }
        }
    }
}
