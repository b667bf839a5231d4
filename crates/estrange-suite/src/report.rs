//! What the tests of a project report, and how that is read.

mod automake;
mod googletest;
mod junit;
mod lines;
mod tap;
mod xml;

use std::collections::{BTreeMap, BTreeSet};

use estrange_words::words;
use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;

words! {
    /// How the tests of a project report.
    pub enum ReportKind {
        /// Test Anything Protocol: `ok 1 - name`, `not ok 2`, and a plan.
        Tap = "tap",
        /// The file that CTest writes when all tests have ended, by `--output-junit`.
        Ctest = "ctest",
        /// The `.trs` files that automake's test driver writes when a test's process has ended.
        Automake = "automake",
        /// The lines that a program prints that was made with GoogleTest.
        Googletest = "googletest",
        /// Lines that are like given patterns.
        Lines = "lines",
        /// JUnit's XML files, as many test runners write them.
        Junit = "junit",
        /// The exit code alone. It is the weakest: one test, which is called `all`.
        Exit = "exit",
    }
}

words! {
    /// What a report says of one test.
    pub enum TestResult {
        /// It passed.
        Passed = "passed",
        /// It failed.
        Failed = "failed",
        /// It was not run, and says so.
        Skipped = "skipped",
    }
}

/// How the report of a project is found and read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// In what way.
    pub kind: ReportKind,
    /// The files that hold it, as a shell's pattern in the project's folder, or below `$REPORT` where it begins so. Without,
    /// it is what the test command prints.
    #[serde(default)]
    pub file: Option<String>,
    /// The lines that say that a test passed, with its name as `{test}`.
    #[serde(default)]
    pub pass: Vec<Pattern>,
    /// The lines that say that a test failed, with its name as `{test}`.
    #[serde(default)]
    pub fail: Vec<Pattern>,
    /// A line that must be there once, at the end of a report.
    #[serde(default)]
    pub end: Option<Pattern>,
    /// Lines of what the test command prints that must be the same as in the untouched project, such as a number of checks.
    #[serde(default)]
    pub same: Vec<Pattern>,
}

/// A report that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// What it says of each test, in its order.
    pub results: Vec<(String, TestResult)>,
}

/// Why there is no report that can be believed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum ReportFault {
    /// There is none.
    #[error("there is no report")]
    Missing,
    /// It says two things of one test.
    #[error("it reports the test {test} twice")]
    Twice {
        /// The test.
        test: String,
    },
    /// It breaks off, or contradicts itself.
    #[error("it is not whole: {why}")]
    NotWhole {
        /// How that shows.
        why: String,
    },
    /// It cannot be read.
    #[error("it cannot be read: {why}")]
    Unreadable {
        /// Why.
        why: String,
    },
}

/// A file of a report: its path, and its text.
pub(crate) type ReportFile = (String, String);

impl Reading {
    /// What its keys cannot mean together.
    pub(crate) fn check(&self) -> Result<(), (String, &'static str)> {
        let kind = self.kind;
        if kind == ReportKind::Lines {
            if self.pass.is_empty() || self.pass.iter().chain(&self.fail).any(|pattern| !pattern.names_a_test()) {
                return Err((
                    "[report] needs patterns with one {test} each for lines that pass and fail".into(),
                    "write pass = [\"PASS: {test}\"] and fail = [\"FAIL: {test}\"]",
                ));
            }
        } else if !self.pass.is_empty() || !self.fail.is_empty() || self.end.is_some() {
            return Err((
                format!("`pass`, `fail` and `end` mean nothing where the report is `{kind}`"),
                "they belong to kind = \"lines\"",
            ));
        }
        if kind == ReportKind::Exit && self.file.is_some() {
            return Err(("`file` means nothing where the exit code is all".into(), "leave `file` out"));
        }
        if matches!(kind, ReportKind::Junit) && self.file.is_none() {
            return Err((
                "[report] does not say which `file` the tests write".into(),
                "write file = \"$REPORT/*.xml\"",
            ));
        }
        Ok(())
    }

    /// Where its files are; nothing if it is printed.
    pub(crate) fn files(&self) -> Option<&str> {
        match (&self.file, self.kind) {
            (Some(file), _) => Some(file),
            (None, ReportKind::Automake) => Some("*.trs"),
            (None, ReportKind::Ctest) => Some("$REPORT/ctest.xml"),
            _ => None,
        }
    }

    /// Reads a report from what was printed, or from its files.
    pub(crate) fn read(&self, printed: &str, files: &[ReportFile], exit: i32) -> Result<Report, ReportFault> {
        if self.files().is_some() && files.is_empty() {
            return Err(ReportFault::Missing);
        }
        let printed = [(String::new(), printed.to_owned())];
        let texts = if self.files().is_some() { files } else { &printed };
        let mut results = Vec::new();
        for (path, text) in texts {
            results.extend(match self.kind {
                ReportKind::Tap => tap::read(text)?,
                ReportKind::Ctest | ReportKind::Junit => junit::read(text)?,
                ReportKind::Automake => automake::read(path, text)?,
                ReportKind::Googletest => googletest::read(text)?,
                ReportKind::Lines => lines::read(self, text)?,
                ReportKind::Exit => {
                    vec![("all".to_owned(), if exit == 0 { TestResult::Passed } else { TestResult::Failed })]
                }
            });
        }
        if results.is_empty() {
            return Err(ReportFault::Missing);
        }
        let mut names = BTreeSet::new();
        match results.iter().find(|(test, _)| !names.insert(test.as_str())) {
            Some((test, _)) => Err(ReportFault::Twice { test: test.clone() }),
            None => Ok(Report { results }),
        }
    }

    /// The lines that must be the same as in the untouched project.
    pub(crate) fn same_lines(&self, printed: &str) -> Vec<String> {
        let lines = printed.lines().map(str::trim_end);
        lines.filter(|line| self.same.iter().any(|pattern| pattern.matches(line))).map(str::to_owned).collect()
    }
}

impl Report {
    /// What it says, by test.
    pub fn by_name(&self) -> BTreeMap<&str, TestResult> {
        self.results.iter().map(|(test, result)| (test.as_str(), *result)).collect()
    }

    /// The tests in its order.
    pub fn order(&self) -> Vec<&str> {
        self.results.iter().map(|(test, _)| test.as_str()).collect()
    }
}

/// A report that is not whole.
pub(crate) fn not_whole(why: impl Into<String>) -> ReportFault {
    ReportFault::NotWhole { why: why.into() }
}

/// What readers find: results by test, in order.
pub(crate) type Results = Vec<(String, TestResult)>;
