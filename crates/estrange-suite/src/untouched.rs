//! What a project's tests say and do while nobody has touched it: what every graded run is held against.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use estrange_sandbox::End;
use estrange_words::words;
use serde::{Deserialize, Serialize};

use crate::error::SuiteError;
use crate::pattern::Pattern;
use crate::report::TestResult;
use crate::run::TestRun;
use crate::symptoms;
use crate::witness::Deed;

words! {
    /// What a test of the untouched project does over several runs.
    pub enum Stability {
        /// It passes each time. Only such tests count.
        Passes = "passes",
        /// It fails each time.
        Fails = "fails",
        /// It is not run, and says so.
        Skipped = "skipped",
        /// It does not end alike each time, or is not there each time.
        Flaky = "flaky",
        /// The project file excludes it.
        Excluded = "excluded",
    }
}

/// The untouched project's tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Untouched {
    /// Every test, and what it does.
    pub tests: BTreeMap<String, Stability>,
    /// The tests in their order, where it is the same each time.
    pub order: Option<Vec<String>>,
    /// The exit code of the test command.
    pub code: i32,
    /// The lines that must be the same.
    pub same: Vec<String>,
    /// What its programs do while they are tested.
    pub deeds: BTreeSet<Deed>,
    /// The files that its tests write.
    pub changed: BTreeSet<String>,
    /// The files that its tests remove.
    pub removed: BTreeSet<String>,
    /// The most processes that its tests leave behind.
    pub left: u32,
    /// How often the tests were run.
    pub runs: u32,
    /// How long the slowest run took.
    pub slowest: Duration,
    /// The least processor time that a run took.
    pub cpu: Duration,
}

impl Untouched {
    /// The tests that pass each time.
    pub fn stable(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().filter(|(_, does)| **does == Stability::Passes).map(|(test, _)| test.as_str())
    }

    /// Sums up several runs of a project with these files.
    pub(crate) fn sum_up(
        runs: &[TestRun],
        files: &BTreeSet<String>,
        exclude: &[Pattern],
        seconds: u64,
    ) -> Result<Self, SuiteError> {
        let mut seen: BTreeMap<String, Vec<TestResult>> = BTreeMap::new();
        let mut orders = BTreeSet::new();
        for run in runs {
            let tail = symptoms::tail(&run.output);
            match (&run.end, &run.report) {
                (End::TimedOut, _) => return Err(SuiteError::TestsHang { seconds, output: tail }),
                (_, Err(fault)) => {
                    return Err(symptoms::of_untouched(&run.output)
                        .unwrap_or(SuiteError::NoReport { fault: fault.clone(), output: tail }));
                }
                (_, Ok(report)) => {
                    orders.insert(report.order().iter().map(|test| (*test).to_owned()).collect::<Vec<_>>());
                    for (test, result) in &report.results {
                        seen.entry(test.clone()).or_default().push(*result);
                    }
                }
            }
        }
        let tests: BTreeMap<String, Stability> = seen
            .into_iter()
            .map(|(test, results)| {
                let does = if exclude.iter().any(|pattern| pattern.matches(&test)) {
                    Stability::Excluded
                } else {
                    stability(&results, runs.len())
                };
                (test, does)
            })
            .collect();
        let codes: BTreeSet<i32> = runs.iter().filter_map(|run| run.code).collect();
        if !tests.values().any(|does| *does == Stability::Passes) {
            let output = runs.first().map_or_else(String::new, |run| run.output.clone());
            let failed = tests.values().filter(|does| **does == Stability::Fails).count();
            let fails = SuiteError::TestsFail {
                runs: runs.len() as u32,
                tests: tests.len(),
                failed,
                output: symptoms::tail(&output),
            };
            return Err(symptoms::of_untouched(&output).unwrap_or(fails));
        }
        if codes.len() != 1 && !tests.values().any(|does| *does == Stability::Flaky) {
            return Err(SuiteError::ExitDiffers { codes: codes.into_iter().collect() });
        }
        Ok(Self {
            tests,
            order: orders.pop_first().filter(|_| orders.is_empty()),
            code: codes.iter().copied().min().unwrap_or(0),
            same: steady_lines(runs),
            deeds: runs.iter().flat_map(|run| run.deeds.iter().cloned()).collect(),
            changed: runs.iter().flat_map(|run| run.changed.iter().cloned()).collect(),
            removed: runs.iter().flat_map(|run| files.difference(&run.files).cloned()).collect(),
            left: runs.iter().map(|run| run.left).max().unwrap_or(0),
            runs: runs.len() as u32,
            slowest: runs.iter().map(|run| run.wall).max().unwrap_or_default(),
            cpu: runs.iter().map(|run| run.cpu).min().unwrap_or_default(),
        })
    }
}

fn stability(results: &[TestResult], runs: usize) -> Stability {
    match results.first() {
        Some(first) if results.len() == runs && results.iter().all(|result| result == first) => match first {
            TestResult::Passed => Stability::Passes,
            TestResult::Failed => Stability::Fails,
            TestResult::Skipped => Stability::Skipped,
        },
        _ => Stability::Flaky,
    }
}

/// The lines to hold others against, if every run had the same ones.
fn steady_lines(runs: &[TestRun]) -> Vec<String> {
    let Some(first) = runs.first().map(|run| &run.same) else { return Vec::new() };
    let common = first.iter().filter(|line| runs.iter().all(|run| run.same.contains(line)));
    common.cloned().collect()
}
