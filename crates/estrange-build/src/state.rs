//! A state of a source, and which of its functions are wanted.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use estrange_source::Spec;

/// A state of a source: all of its functions are wanted, or those on some of its lines.
#[derive(Debug, Clone)]
pub struct State {
    /// Where it is from.
    pub spec: Spec,
    /// What it is called in the bench, where it is not called as it was asked for.
    pub name: Option<String>,
    /// The functions that are wanted.
    pub wanted: Lines,
}

/// Lines of a source's files, or all of them.
#[derive(Debug, Clone, Default)]
pub struct Lines(Option<BTreeMap<PathBuf, Vec<RangeInclusive<u32>>>>);

impl Lines {
    /// Lines of these files, counted from 1.
    pub fn of(files: impl IntoIterator<Item = (PathBuf, Vec<RangeInclusive<u32>>)>) -> Self {
        Self(Some(files.into_iter().collect()))
    }

    /// Whether one of the lines from the first to the last of a file is among them.
    pub(crate) fn meet(&self, file: &Path, (first, last): (u32, u32)) -> bool {
        let meets = |lines: &RangeInclusive<u32>| *lines.start() <= last && first <= *lines.end();
        self.0.as_ref().is_none_or(|files| files.get(file).is_some_and(|lines| lines.iter().any(meets)))
    }

    /// Whether they are all lines of all files.
    pub(crate) fn are_all(&self) -> bool {
        self.0.is_none()
    }

    /// Whether a file is among theirs.
    pub(crate) fn have(&self, file: &Path) -> bool {
        self.0.as_ref().is_none_or(|files| files.contains_key(file))
    }
}

impl State {
    /// What it is called in the bench.
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.spec.to_string())
    }
}

impl From<Spec> for State {
    fn from(spec: Spec) -> Self {
        Self { spec, name: None, wanted: Lines::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_met_by_what_reaches_into_them() {
        let lines = Lines::of([(PathBuf::from("a.c"), vec![3..=4, 9..=9])]);
        let meets = |file: &str, from, to| lines.meet(Path::new(file), (from, to));
        assert!(meets("a.c", 1, 3) && meets("a.c", 4, 8) && meets("a.c", 9, 9) && meets("a.c", 1, 99));
        assert!(!meets("a.c", 1, 2) && !meets("a.c", 5, 8) && !meets("a.c", 10, 12) && !meets("b.c", 3, 4));
        assert!(lines.have(Path::new("a.c")) && !lines.have(Path::new("b.c")));
        assert!(Lines::default().meet(Path::new("b.c"), (1, 1)) && Lines::default().have(Path::new("b.c")));
    }
}
