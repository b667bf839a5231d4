//! One run of a project's tests: what they reported, and what they did besides.

use std::collections::BTreeSet;
use std::time::Duration;

use estrange_sandbox::End;

use crate::error::SuiteError;
use crate::guest::{Guest, Mode};
use crate::report::{Report, ReportFault};
use crate::witness::{self, Deed};

/// What one run of the tests came to.
#[derive(Debug, Clone)]
pub struct TestRun {
    /// How its guest ended.
    pub end: End,
    /// The exit code of the test command, if it came so far.
    pub code: Option<i32>,
    /// What the tests report.
    pub report: Result<Report, ReportFault>,
    /// The lines that must be the same as untouched.
    pub same: Vec<String>,
    /// What the project's programs did.
    pub deeds: BTreeSet<Deed>,
    /// The files that the tests wrote or changed.
    pub changed: BTreeSet<String>,
    /// All files of the tree at the end.
    pub files: BTreeSet<String>,
    /// How many processes the tests left behind.
    pub left: u32,
    /// What they printed and wrote as errors.
    pub output: String,
    /// How long they took, with unpacking the tree.
    pub wall: Duration,
    /// The processor time of that.
    pub cpu: Duration,
}

impl Guest<'_> {
    /// Runs a test command on what the parts of an archive hold together.
    pub fn test(&self, parts: &[&[u8]], command: &str, wall: Duration) -> Result<TestRun, SuiteError> {
        let ran = self.run(Mode::Test, parts, &[command.to_owned()], wall)?;
        let printed = ran.printed();
        let code = ran.status.map(|status| status.code);
        let report = match (&ran.outcome.end, ran.reports(&self.file.folder)) {
            (End::Exited(0), Ok(files)) => self.file.report.read(&printed, &files, code.unwrap_or(-1)),
            (End::Exited(0), Err(path)) => Err(ReportFault::Unreadable { why: format!("{path} is no file") }),
            (end, _) => Err(ReportFault::NotWhole { why: format!("the tests' run {end}") }),
        };
        Ok(TestRun {
            code,
            report,
            same: self.file.report.same_lines(&printed),
            deeds: witness::deeds(&ran),
            changed: ran.list(".state/changed").into_iter().collect(),
            files: ran.list(".state/all").into_iter().collect(),
            left: ran.status.map_or(0, |status| status.left),
            output: ran.all_output(),
            wall: ran.outcome.usage.wall,
            cpu: ran.outcome.usage.cpu,
            end: ran.outcome.end,
        })
    }
}
