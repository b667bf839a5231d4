//! Which patches and commits are wanted: by name, by range, or by what is written about them.

use std::collections::BTreeSet;

use estrange_words::words;

words! {
    /// What gives a fix away.
    pub enum Sign {
        /// It names a vulnerability, such as CVE-2024-45490.
        Cve = "cve",
        /// It speaks of a fuzzer or of an issue that one opened.
        Fuzzer = "fuzzer",
        /// It speaks of a sanitizer or of what one reports.
        Sanitizer = "sanitizer",
    }
}

/// What is wanted of a source.
///
/// Where names or ranges are given, only these are looked at. Of the named ones all are taken; of those in ranges the ones
/// with one of the signs, or all where no sign is given. With neither, the whole series or history is looked at, by the
/// signs; where none is given, a package's patches are taken by [`Sign::Cve`], and commits by any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Exactly these: patches as the series names them, or commits, tags, branches.
    pub names: Vec<String>,
    /// Commits from behind the first (which may be a tag or a branch) to the second.
    pub ranges: Vec<(String, String)>,
    /// By what is written about them.
    pub signs: Vec<Sign>,
}

impl Wanted {
    /// The names in a list: the first word of each line. `#` begins a comment.
    pub fn names_in(text: &str) -> Vec<String> {
        let first =
            |line: &str| line.split('#').next().and_then(|line| line.split_whitespace().next()).map(str::to_owned);
        text.lines().filter_map(first).collect()
    }

    /// The two ends of `A..B`.
    pub fn range(text: &str) -> Option<(String, String)> {
        let (from, to) = text.split_once("..")?;
        let is_end = |end: &str| !end.is_empty() && !end.contains("..") && !end.starts_with('.');
        (is_end(from) && is_end(to)).then(|| (from.to_owned(), to.to_owned()))
    }

    /// Whether something with these signs is taken, where nothing is named; `usual` are the signs if none is given.
    pub(super) fn takes(&self, signs: &BTreeSet<Sign>, usual: &[Sign]) -> bool {
        let asked = if self.signs.is_empty() { usual } else { &self.signs };
        asked.iter().any(|sign| signs.contains(sign))
    }
}
