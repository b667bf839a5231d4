//! Which tests are which functions'.

use std::collections::BTreeSet;

use estrange_words::words;
use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;

words! {
    /// How tests are found for a function.
    #[derive(Default)]
    pub enum MapBy {
        /// Every test is every function's.
        #[default]
        All = "all",
        /// Tests are the function's by rules, which go by its name and file. The first rule that fits decides; a function without one has no tests.
        Pattern = "pattern",
        /// The project is built once with counters, and those tests are a function's that execute its lines.
        Coverage = "coverage",
    }
}

/// How the tests of a function are found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// By what.
    #[serde(default)]
    pub by: MapBy,
    /// The rules of `pattern`.
    #[serde(default)]
    pub rules: Vec<Rule>,
}

/// Functions by name and file, and their tests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The function's name.
    #[serde(default = "any")]
    pub function: Pattern,
    /// The path of its file in the tree.
    #[serde(default = "any")]
    pub file: Pattern,
    /// The names of its tests.
    pub tests: Vec<Pattern>,
}

fn any() -> Pattern {
    Pattern::new("*")
}

/// Which tests are asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tests {
    /// Every one that passes untouched.
    All,
    /// These, as far as they pass untouched.
    Named(BTreeSet<String>),
}

impl Mapping {
    /// The tests that the rules give a function, of those there are; for `coverage`, see [`crate::Coverage`].
    pub fn tests_of<'a>(&self, path: &str, function: &str, known: impl IntoIterator<Item = &'a str>) -> Tests {
        if self.by != MapBy::Pattern {
            return Tests::All;
        }
        let rule = self.rules.iter().find(|rule| rule.function.matches(function) && rule.file.matches(path));
        let tests = rule.map_or(&[][..], |rule| &rule.tests);
        let fits = |name: &&str| tests.iter().any(|pattern| pattern.matches(name));
        Tests::Named(known.into_iter().filter(fits).map(str::to_owned).collect())
    }

    pub(crate) fn check(&self) -> Result<(), (String, &'static str)> {
        if (self.by == MapBy::Pattern) == self.rules.is_empty() {
            return Err((
                format!("[map] goes by `{}` and has {} rules", self.by, self.rules.len()),
                "rules belong to by = \"pattern\", which needs at least one",
            ));
        }
        if self.rules.iter().any(|rule| rule.tests.is_empty()) {
            return Err(("a rule of [map] has no tests".into(), "name its tests by patterns; \"*\" is all of them"));
        }
        Ok(())
    }
}
