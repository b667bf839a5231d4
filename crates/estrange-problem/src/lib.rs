//! Standalone programming problems: what they ask, what answers are tested with, and what an answer is worth.
//!
//! - [`Set::read`] reads a folder of problems as `docs/problems.md` describes it, with solved examples for prompts;
//! - [`import`] reads files of problems that others made;
//! - [`Grader::grade`] compiles an answer with gcc and the sanitizers, runs it in the sandbox, each case in a process of its
//!   own, and compares what came out with what was expected.
//!
//! Where an answer runs there are the arguments of the cases and nothing that is expected: results are compared outside. An
//! answer is a library in which nothing can be seen but the function, so that no name of it meets a name of what runs it.
//! Tests that are programs with assertions are the exception: they hold what they expect, and pass only if the process gets
//! to the end of their `main`.
//!
//! This crate must not know models, prompts or benches.

mod build;
mod error;
mod fault;
mod folder;
mod glue;
mod graded;
mod grader;
pub mod import;
mod interface;
mod length;
mod problem;
mod report;
mod types;
mod value;
mod wire;
mod words;

/// The version of what this crate computes, for the keys of caches: raise it whenever the verdict on an answer may change.
pub const VERSION: &str = "1";

pub use error::{GradeError, ReadError};
pub use folder::Set;
pub use graded::{Graded, GradedCase};
pub use grader::Grader;
pub use interface::{Array, Interface, Parameter, Passing, Returned, Role, Structure};
pub use length::Length;
pub use problem::{Bounds, Case, Cases, Loss, Problem, Program, Tests, WrittenCase};
pub use types::{Kind, Record, Type};
pub use value::{Compare, Value};
pub use words::{Defect, Difficulty, Verdict};
