//! Gates by real compilers, and two kinds of evidence: `same-code`, that a function's machine code in its unit is the
//! machine code it has in its own project; and `identical-code`, that new names changed nothing else.
//!
//! - [`Gcc`] compiles many units in one call, each as if it were compiled alone: see [`batch`];
//! - [`Original`] is a project's own file, compiled once with the project's flags;
//! - [`Assembly`] is what a compiler wrote, with one function's code freed of what does not matter;
//! - [`same_code()`] compares a function in both, and [`Gcc::evidence`] explains what differs by compiling again;
//! - [`Clang`] is the other compiler, which compiles many units in one process too;
//! - [`identical()`] compares what a compiler made of a unit and of the same unit with new names, and
//!   [`identical_code()`] does so for many units, with both compilers and at the levels asked for, and with the texts of one unit
//!   of C compiled as one, behind each other;
//! - [`undefined`] compares what clang's sanitizer would check in a unit and in its rewrite, which the same code does not tell;
//! - [`unlike`] tells what only one of two texts does: numbers, calls, arithmetic that the other does not have;
//! - [`Alive`] proves, where it is installed, that a function does what another does;
//! - [`code`] makes compilers write code for what nothing calls: functions are marked as used, templates instantiated;
//! - [`headers`] knows the names that headers own, [`symbols`] those of the standard libraries in object code;
//! - [`leaks`] looks for names of the project that a variant still has, and shares no code with what renamed them.
//!
//! This crate must not know how units are made, nor how they are rewritten. It starts compilers and `alive-tv` only,
//! through [`estrange_sandbox::Tool`].

mod alive;
mod assembler;
pub mod assembly;
pub mod batch;
mod clang;
pub mod code;
mod compilers;
mod constant;
mod evidence;
mod flags;
mod gcc;
pub mod headers;
mod identical;
mod identical_code;
pub mod leaks;
mod listing;
mod operands;
mod original;
mod pair;
mod pieces;
mod precompiled;
mod renames;
mod same_code;
mod stack;
pub mod symbols;
pub mod undefined;
pub mod unlike;

/// The version of what this crate computes, for the keys of caches: raise it whenever what is shown of units, or what is made for it changes.
/// The test `golden` notices if that is forgotten.
pub const VERSION: &str = "5";

pub use alive::{Alive, Proof};
pub use assembler::{has_words_for_the_assembler, refused_by_assembler};
pub use assembly::Assembly;
pub use batch::{Compiled, UNIT_NAME};
pub use clang::{Clang, ClangError, Output};
pub use compilers::{CompilerError, Compilers};
pub use estrange_words::Language;
pub use evidence::{Evidence, FileLine, Question, Text};
pub use flags::unit_flags;
pub use gcc::{FUNCTION_BY_ITSELF, Gcc, GccError, Level, PLAIN_CODE};
pub use identical::{Explanation, Identical, NameIn, identical};
pub use identical_code::{Compiler, IdenticalCode, LEVELS, Refusal, Side, identical_code};
pub use original::{Loss, Original};
pub use pair::Pair;
pub use renames::Renames;
pub use same_code::{Difference, SameCode, Why, same_code};
