//! Why a project cannot be graded with, and why an edit cannot be graded.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use estrange_sandbox::Error as SandboxError;
use estrange_words::Hint;

use crate::report::ReportFault;

/// Why a project's own build and tests cannot say what code is worth.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// Foreign code is not confined.
    #[error("a project's build and tests run only where foreign code is confined, and here it is not")]
    Unprotected,
    /// The sandbox could not do its work.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The tree cannot be read.
    #[error("the tree {} cannot be read: {source}", path.display())]
    Tree {
        /// The folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A step could not be run at all.
    #[error("a step of the project could not be run: {why}")]
    Guest {
        /// Why.
        why: String,
    },
    /// The project does not build untouched.
    #[error("the project does not build untouched: `{command}` {how}")]
    DoesNotBuild {
        /// The command that failed.
        command: String,
        /// How it ended.
        how: String,
        /// What it wrote.
        output: String,
    },
    /// A step wants the network.
    #[error("the project needs the network: {line}")]
    NeedsNetwork {
        /// The line that shows it.
        line: String,
    },
    /// A step writes where it may not.
    #[error("the project writes outside of its folder: {line}")]
    WritesOutside {
        /// The line that shows it.
        line: String,
    },
    /// The untouched tests do not end.
    #[error("the project's tests do not end within {seconds} seconds, untouched")]
    TestsHang {
        /// The limit.
        seconds: u64,
        /// The last of what they wrote.
        output: String,
    },
    /// The untouched tests have no report.
    #[error("the report of the project's tests cannot be used, untouched: {fault}")]
    NoReport {
        /// What is wrong with it.
        fault: ReportFault,
        /// What the tests wrote.
        output: String,
    },
    /// No test passes untouched each time.
    #[error("no test of the project passes untouched in each of {runs} runs; of {tests} tests, {failed} always fail")]
    TestsFail {
        /// How often they were run.
        runs: u32,
        /// How many tests there are.
        tests: usize,
        /// How many always fail.
        failed: usize,
        /// What the tests wrote.
        output: String,
    },
    /// Untouched, the exit code of the tests differs from run to run.
    #[error("the tests' exit code differs from run to run, untouched: {codes:?}")]
    ExitDiffers {
        /// The codes.
        codes: Vec<i32>,
    },
    /// Coverage was not found.
    #[error("which tests execute what could not be found: {why}")]
    NoCoverage {
        /// Why.
        why: String,
        /// What the build or the tests wrote.
        output: String,
    },
}

impl Hint for SuiteError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some(match self {
            Self::Sandbox(error) => return error.hint(),
            Self::Tree { .. } | Self::Guest { .. } => return None,
            Self::Unprotected => "start the sandbox with its protection".into(),
            Self::DoesNotBuild { .. } => "run its commands by hand; what they need must be installed".into(),
            Self::NeedsNetwork { .. } => {
                "give its build options that download nothing, and install what it wants".into()
            }
            Self::WritesOutside { .. } => "let its commands write in their own folder, $TMPDIR or $REPORT only".into(),
            Self::TestsHang { .. } => "raise `test` in [limits], or let `test` run fewer tests".into(),
            Self::NoReport { .. } => {
                "see [report] in docs/projects.md; `kind = \"exit\"` takes the exit code alone".into()
            }
            Self::TestsFail { .. } => "let `test` run tests that need nothing that the sandbox does not have".into(),
            Self::ExitDiffers { .. } => {
                "name the tests that are not repeatable in `test`, so that they are not run".into()
            }
            Self::NoCoverage { .. } => "give [map] by = \"pattern\" or by = \"all\"".into(),
        })
    }
}

/// Why an edit cannot be graded.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    /// The file is not in the tree.
    #[error("the tree has no file {path}")]
    NoFile {
        /// Its path.
        path: String,
    },
    /// The range is not in the file.
    #[error("{path} has no bytes {}..{}", range.start, range.end)]
    NoRange {
        /// The file.
        path: String,
        /// The bytes.
        range: std::ops::Range<usize>,
    },
    /// Two replacements are about the same bytes.
    #[error("two replacements in {path} are about the same bytes")]
    Overlap {
        /// The file.
        path: String,
    },
    /// The build itself changed the file, so that its bytes are others.
    #[error("{path} is written by the build itself")]
    Generated {
        /// The file.
        path: String,
    },
    /// No test is left that could say anything.
    #[error("no test that passes untouched is asked")]
    NoTests,
    /// The work itself could not be done.
    #[error(transparent)]
    Suite(#[from] SuiteError),
}

impl Hint for GradeError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Suite(error) => error.hint(),
            Self::NoTests => {
                Some("its tests are excluded, fail untouched or are not repeatable: take another function".into())
            }
            _ => None,
        }
    }
}
