//! Gates by real compilers, and the evidence `same-code`: that a function's machine code in its unit is the machine
//! code it has in its own project.
//!
//! - [`Gcc`] compiles many units in one call, each as if it were compiled alone: see [`batch`];
//! - [`Original`] is a project's own file, compiled once with the project's flags;
//! - [`Assembly`] is what a compiler wrote, with one function's code freed of what does not matter;
//! - [`same_code()`] compares a function in both, and [`Gcc::evidence`] explains what differs by compiling again.
//!
//! This crate must not know how units are made. It starts compilers only, through [`estrange_sandbox::Tool`].

pub mod assembly;
pub mod batch;
mod clang;
mod constant;
mod evidence;
mod flags;
mod gcc;
mod original;
mod precompiled;
mod same_code;

pub use assembly::Assembly;
pub use batch::Compiled;
pub use clang::clang_accepts;
pub use evidence::{Evidence, Place, Question, Text};
pub use flags::unit_flags;
pub use gcc::{FUNCTION_BY_ITSELF, Gcc, GccError, Language, Level, PLAIN_CODE};
pub use original::{Loss, Original};
pub use same_code::{Difference, SameCode, Why, same_code};
