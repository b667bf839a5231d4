//! What one run of the tests is worth, held against what the untouched project does.

use std::collections::{BTreeMap, BTreeSet};

use estrange_sandbox::End;

use crate::doubt::Doubt;
use crate::grade::{RunResult, TestedRun};
use crate::mapping::Tests;
use crate::report::TestResult;
use crate::run::TestRun;
use crate::untouched::{Stability, Untouched};
use crate::witness::Act;

/// What runs are held against.
pub struct Bar<'a> {
    /// The untouched project.
    pub untouched: &'a Untouched,
    /// The tests that count.
    pub asked: &'a BTreeSet<String>,
    /// Whether only those were run.
    pub only_asked: bool,
    /// The files there were before the tests.
    pub files: &'a BTreeSet<String>,
    /// What speaks against the edit already, without any test.
    pub doubts: &'a [Doubt],
}

impl Bar<'_> {
    /// Judges a run.
    pub fn judge(&self, run: &TestRun) -> TestedRun {
        let mut judged = TestedRun {
            result: RunResult::Passed,
            failed: BTreeSet::new(),
            doubts: Vec::new(),
            wall: run.wall,
            cpu: run.cpu,
            output: run.output.clone(),
        };
        judged.result = match run.end {
            End::TimedOut => RunResult::TimedOut,
            End::Exited(_) => self.by_report(run, &mut judged),
            _ => RunResult::Crashed,
        };
        judged
    }

    fn by_report(&self, run: &TestRun, judged: &mut TestedRun) -> RunResult {
        let code = run.code.unwrap_or(-1);
        let as_usual = code == self.untouched.code;
        let failing = if self.crashed(run) { RunResult::Crashed } else { RunResult::Failed };
        let report = match &run.report {
            Ok(report) => report,
            // Tests that say nothing and fail, fail. Tests that say nothing and are content are not believed.
            Err(_) if !as_usual => return failing,
            Err(fault) => {
                judged.doubts.push(Doubt::Report(fault.clone()));
                return RunResult::NotBelieved;
            }
        };
        let results = report.by_name();
        judged.failed =
            self.failing(&results, |result| matches!(result, Some(TestResult::Failed | TestResult::Skipped)));
        let missing = self.failing(&results, |result| result.is_none());
        if !judged.failed.is_empty() || (!missing.is_empty() && !as_usual) {
            judged.failed.extend(missing);
            return failing;
        }
        judged.doubts = self.doubts.to_vec();
        if !missing.is_empty() {
            judged.doubts.push(Doubt::Missing { tests: missing.into_iter().collect() });
        }
        // Another test may fail, and its failure be the exit code's reason.
        let others_fail = results.iter().any(|(test, result)| {
            *result == TestResult::Failed && self.untouched.tests.get(*test) != Some(&Stability::Fails)
        });
        if !as_usual && !others_fail {
            judged.doubts.push(Doubt::ExitCode { code });
        }
        judged.doubts.extend(self.of_report(&report.order()));
        judged.doubts.extend(self.of_lines(run));
        judged.doubts.extend(self.of_deeds(run));
        if judged.doubts.is_empty() { RunResult::Passed } else { RunResult::NotBelieved }
    }

    /// The tests that count and whose result is like that.
    fn failing(
        &self,
        results: &BTreeMap<&str, TestResult>,
        is_so: impl Fn(Option<TestResult>) -> bool,
    ) -> BTreeSet<String> {
        self.asked.iter().filter(|test| is_so(results.get(test.as_str()).copied())).cloned().collect()
    }

    /// Whether a signal ended the tests, or a program of them that never ends so.
    fn crashed(&self, run: &TestRun) -> bool {
        let vanished = run.deeds.iter().any(|deed| deed.act == Act::Vanished && !self.untouched.deeds.contains(deed));
        vanished || run.code.is_some_and(|code| (129..=165).contains(&code))
    }

    /// What is wrong with the tests of a report and their order.
    fn of_report(&self, order: &[&str]) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        if let Some(test) = order.iter().find(|test| !self.untouched.tests.contains_key(**test)) {
            doubts.push(Doubt::Unknown { test: (*test).to_owned() });
        }
        if self.only_asked {
            return doubts;
        }
        let is_steady = |test: &&str| {
            !order.contains(test)
                && !matches!(self.untouched.tests.get(*test), Some(Stability::Flaky | Stability::Excluded))
        };
        let missing: Vec<String> =
            self.untouched.tests.keys().map(String::as_str).filter(is_steady).map(str::to_owned).collect();
        if !missing.is_empty() {
            doubts.push(Doubt::Missing { tests: missing });
        } else if doubts.is_empty() && self.untouched.order.as_ref().is_some_and(|usual| usual != order) {
            doubts.push(Doubt::Order);
        }
        doubts
    }

    fn of_lines(&self, run: &TestRun) -> Option<Doubt> {
        if self.only_asked {
            return None;
        }
        let count = |lines: &[String], line: &String| lines.iter().filter(|each| *each == line).count();
        let line = self.untouched.same.iter().find(|line| count(&self.untouched.same, line) != count(&run.same, line));
        line.map(|line| Doubt::Lines { line: line.clone() })
    }

    fn of_deeds(&self, run: &TestRun) -> Vec<Doubt> {
        let mut doubts: Vec<Doubt> = run.deeds.difference(&self.untouched.deeds).cloned().map(Doubt::Deed).collect();
        if run.left > self.untouched.left {
            doubts.push(Doubt::Left { count: run.left });
        }
        let changed =
            run.changed.iter().find(|path| self.files.contains(*path) && !self.untouched.changed.contains(*path));
        doubts.extend(changed.map(|path| Doubt::Changed { path: path.clone() }));
        let removed =
            self.files.iter().find(|path| !run.files.contains(*path) && !self.untouched.removed.contains(*path));
        doubts.extend(removed.map(|path| Doubt::Removed { path: path.clone() }));
        doubts
    }
}

/// The tests that count: those that are asked and pass untouched.
pub fn asked(tests: &Tests, untouched: &Untouched) -> BTreeSet<String> {
    let is_asked = |test: &&str| match tests {
        Tests::All => true,
        Tests::Named(names) => names.contains(*test),
    };
    untouched.stable().filter(is_asked).map(str::to_owned).collect()
}
