//! Pages of snippets: code with a mistake in it, below the name of the mistake.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use estrange_diagnosis::Mistake;

/// Code with one mistake.
#[derive(Debug, Clone)]
pub struct Snippet {
    /// Which mistake a person says it is.
    pub label: Mistake,
    /// What it is about.
    pub title: String,
    /// The code.
    pub code: String,
    /// Whether it is C++.
    pub is_cpp: bool,
    /// Whether some warnings are errors.
    pub is_strict: bool,
}

impl fmt::Display for Snippet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}` of {}", self.title, self.label)
    }
}

/// A folder beside the test.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// The snippets of all pages of a folder.
pub fn snippets(name: &str) -> Vec<Snippet> {
    let mut pages: Vec<PathBuf> = fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    pages.iter().flat_map(|page| of_page(page)).collect()
}

fn of_page(page: &Path) -> Vec<Snippet> {
    let label: Mistake = page.file_stem().unwrap().to_str().unwrap().parse().unwrap();
    let text = fs::read_to_string(page).unwrap();
    let (title, sections) = text.split_once("\n## ").unwrap();
    assert_eq!(title.trim(), format!("# {label}"));
    let snippet = |section: &str| {
        let (title, rest) = section.split_once('\n').unwrap();
        let (kind, code) = rest.strip_prefix("```").unwrap().split_once('\n').unwrap();
        let code = code.trim_end().strip_suffix("```").unwrap();
        let words: Vec<&str> = kind.split(' ').collect();
        assert!(
            matches!(words[..], ["c" | "c++"] | ["c" | "c++", "strict"]) && !code.contains("```"),
            "{title}: {kind}"
        );
        let (is_cpp, is_strict) = (words[0] == "c++", words.len() == 2);
        Snippet { label, title: title.to_owned(), code: code.to_owned(), is_cpp, is_strict }
    };
    sections.split("\n## ").map(snippet).collect()
}
