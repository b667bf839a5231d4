//! Grades code by a real project: the text takes a function's place, the project is built, and its own tests say what it is worth.
//!
//! A [`ProjectFile`] says how a project is built and tested. A [`Suite`] builds it once and learns what its tests do while
//! nobody has touched it. [`Suite::grade`] then puts other text in the place of parts of its files, builds what depends on
//! them, runs the tests, and says what came of it, once the tests' own report can be believed. `docs/projects.md` tells
//! what is believed, and what is not.
//!
//! Everything foreign runs in the sandbox. The built tree is kept as one archive in memory; every build and every run of
//! tests is a guest of its own that unpacks it anew. So the tree that was given is never written to, no answer can leave
//! anything behind for the next one, and any number of threads may grade at once.

mod archive;
mod coverage;
mod doubt;
mod edit;
mod elf;
mod error;
mod gate;
mod grade;
mod guest;
mod judge;
mod kept;
mod mapping;
mod pattern;
mod project_file;
mod report;
mod run;
mod stub;
mod suite;
mod symptoms;
mod untouched;
mod witness;

/// The version of what this crate computes, for the keys of caches: raise it whenever a grade may change.
pub const VERSION: &str = "1";

pub use coverage::{Coverage, Covered};
pub use doubt::Doubt;
pub use edit::Replacement;
pub use error::{GradeError, SuiteError};
pub use gate::{Gated, Place, Shut};
pub use grade::{Grade, Graded, RunResult, Runs, TestedRun};
pub use kept::Kept;
pub use mapping::{MapBy, Mapping, Rule, Tests};
pub use pattern::Pattern;
pub use project_file::{ProjectFile, ProjectFileError, ProjectLimits, TESTS};
pub use report::{Reading, Report, ReportFault, ReportKind, TestResult};
pub use stub::stubs;
pub use suite::Suite;
pub use untouched::{Stability, Untouched};
pub use witness::{Act, Deed};
