//! What an edit is worth, and the rule by which several runs of the tests become one grade.

use std::collections::BTreeSet;
use std::time::Duration;

use estrange_sandbox::Usage;
use estrange_words::words;
use serde::{Deserialize, Serialize};

use crate::doubt::Doubt;

words! {
    /// What an edit of a project is worth.
    pub enum Grade {
        /// It builds, and its tests pass in every run.
        Passed = "passed",
        /// It builds, and the same tests fail in every run.
        Failed = "failed",
        /// It builds, and in every run a program of the tests crashes, or passes a limit of memory or output.
        Crashed = "crashed",
        /// It builds, and its tests do not end within their limit in any run.
        TimedOut = "timed-out",
        /// It builds, and its tests do not end alike in every run.
        Flaky = "flaky",
        /// A compiler refuses it.
        DoesNotCompile = "does-not-compile",
        /// Every file compiles, and the linker refuses them.
        DoesNotLink = "does-not-link",
        /// The build does not end within its limit.
        BuildTimedOut = "build-timed-out",
        /// The build passed it by: nothing was made of the file that it stands in.
        NotBuilt = "not-built",
        /// Its tests say that they pass, and there is a reason not to believe them.
        NotBelieved = "not-believed",
    }
}

words! {
    /// What one run of the tests came to.
    pub enum RunResult {
        /// All tests that count passed.
        Passed = "passed",
        /// One that counts failed.
        Failed = "failed",
        /// A program of the tests crashed, or passed a limit of memory or output.
        Crashed = "crashed",
        /// The tests did not end within their limit.
        TimedOut = "timed-out",
        /// The tests say that they passed, and there is a reason not to believe them.
        NotBelieved = "not-believed",
    }
}

/// How often tests are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    /// How often they must pass.
    pub passing: u32,
    /// How often they are run where anything but passing was seen.
    pub other: u32,
}

impl Default for Runs {
    /// Once where they pass, and five times where they do not.
    fn default() -> Self {
        Self { passing: 1, other: 5 }
    }
}

impl Runs {
    /// As often as a gate needs, whatever is seen.
    pub const GATE: Self = Self { passing: 5, other: 5 };

    /// How many runs in which the tests hang, or are not believed, are enough to say so.
    const ENOUGH: usize = 2;

    /// Whether nothing more has to be run.
    pub(crate) fn are_enough(self, runs: &[TestedRun]) -> bool {
        let all = |result: RunResult| runs.iter().all(|run| run.result == result);
        match runs.len() {
            count if all(RunResult::Passed) => count >= self.passing.max(1) as usize,
            count if all(RunResult::TimedOut) || all(RunResult::NotBelieved) => {
                count >= Self::ENOUGH.min(self.other.max(1) as usize)
            }
            count => count >= self.other.max(1) as usize,
        }
    }
}

/// One run of the tests of an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestedRun {
    /// What it came to.
    pub result: RunResult,
    /// The tests that failed. Where the tests broke off without a report, there are none.
    pub failed: BTreeSet<String>,
    /// Why it is not believed.
    pub doubts: Vec<Doubt>,
    /// How long it took.
    pub wall: Duration,
    /// The processor time that it took.
    pub cpu: Duration,
    /// What the tests wrote.
    pub output: String,
}

/// What came of an edit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graded {
    /// What it is worth.
    pub grade: Grade,
    /// The tests that failed in every run.
    pub failed: BTreeSet<String>,
    /// Why it is not believed.
    pub doubts: Vec<Doubt>,
    /// What the build wrote: of an edit that does not compile or link, the compiler's words.
    pub output: String,
    /// The symbols that the edit wants of others, and the original did not: `exit`, or a variable of a test. They decide
    /// nothing.
    pub wants: BTreeSet<String>,
    /// How long building took.
    pub built: Duration,
    /// The processor time that building took.
    pub cpu: Duration,
    /// Each run of the tests.
    pub runs: Vec<TestedRun>,
}

impl Graded {
    /// The time that grading took in guests.
    pub fn wall(&self) -> Duration {
        self.built + self.runs.iter().map(|run| run.wall).sum::<Duration>()
    }

    /// What came of a build that made nothing to test.
    pub(crate) fn without_tests(grade: Grade, output: String, usage: Usage) -> Self {
        let (failed, wants) = Default::default();
        let Usage { wall: built, cpu, .. } = usage;
        Self { grade, failed, doubts: Vec::new(), output, wants, built, cpu, runs: Vec::new() }
    }
}

/// The rule: what several runs are worth together.
///
/// All pass: passed. All fail, in the same tests: failed; or crashed or timed out, where all runs did. Of runs that pass in
/// part and are not believed in part, none is believed. All else is flaky.
pub(crate) fn together(runs: &[TestedRun]) -> Grade {
    let all = |results: &[RunResult]| runs.iter().all(|run| results.contains(&run.result));
    let alike = runs.windows(2).all(|pair| pair[0].failed == pair[1].failed);
    if all(&[RunResult::Passed]) {
        Grade::Passed
    } else if all(&[RunResult::Passed, RunResult::NotBelieved]) {
        Grade::NotBelieved
    } else if all(&[RunResult::TimedOut]) {
        Grade::TimedOut
    } else if all(&[RunResult::Crashed]) && alike {
        Grade::Crashed
    } else if all(&[RunResult::Failed]) && alike {
        Grade::Failed
    } else {
        Grade::Flaky
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(result: RunResult, failed: &[&str]) -> TestedRun {
        let failed = failed.iter().map(|test| (*test).to_owned()).collect();
        TestedRun {
            result,
            failed,
            doubts: Vec::new(),
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            output: String::new(),
        }
    }

    #[test]
    fn several_runs_are_one_grade() {
        use RunResult::{Crashed, Failed, NotBelieved, Passed, TimedOut};
        for (runs, grade) in [
            (vec![run(Passed, &[]), run(Passed, &[])], Grade::Passed),
            (vec![run(Failed, &["a"]), run(Failed, &["a"])], Grade::Failed),
            (vec![run(Failed, &["a"]), run(Failed, &["b"])], Grade::Flaky),
            (vec![run(Passed, &[]), run(Failed, &["b"])], Grade::Flaky),
            (vec![run(Crashed, &[]), run(Crashed, &[])], Grade::Crashed),
            (vec![run(Crashed, &["a"]), run(Failed, &["a"])], Grade::Flaky),
            (vec![run(TimedOut, &[])], Grade::TimedOut),
            (vec![run(Passed, &[]), run(NotBelieved, &[])], Grade::NotBelieved),
            (vec![run(Failed, &["a"]), run(NotBelieved, &[])], Grade::Flaky),
        ] {
            assert_eq!(together(&runs), grade, "{runs:?}");
        }
    }

    #[test]
    fn what_fails_is_run_again_and_what_hangs_is_not_run_for_ever() {
        use RunResult::{Failed, Passed, TimedOut};
        let runs = Runs::default();
        assert!(runs.are_enough(&[run(Passed, &[])]));
        assert!(!runs.are_enough(&[run(Failed, &["a"])]));
        assert!(runs.are_enough(&vec![run(Failed, &["a"]); 5]));
        assert!(runs.are_enough(&vec![run(TimedOut, &[]); 2]));
        assert!(!Runs::GATE.are_enough(&vec![run(Passed, &[]); 4]));
    }
}
