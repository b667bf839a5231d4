//! Static analysers of C and C++ behind one interface: a unit goes in, findings come out.
//!
//! [`Analyser::find`] looks for an analyser of this machine, and [`Analyser::analyse`] runs it on a unit. Which there are:
//!
//! | written | what runs | rules | classes |
//! |---|---|---|---|
//! | `cppcheck` | `cppcheck`, warnings and portability, nothing inconclusive | its ids, as `nullPointer` | its own |
//! | `flawfinder` | `flawfinder`, every level | its ids, as `FF1001` | its own |
//! | `clang-analyzer` | `clang-19 --analyze`, no experimental checker | its checkers, as `core.DivideZero` | a table of ours |
//! | `gcc-fanalyzer` | `gcc -fanalyzer`, `g++` for C++ | its options, as `-Wanalyzer-double-free` | its own |
//! | `sarif:COMMAND` | any program that writes SARIF 2.1.0 to its standard output | its own | what the SARIF says |
//!
//! **An answer is never guessed.** What an analyser found nothing in gives no findings. Where it did not accept the text,
//! failed, took too long or wrote what cannot be read, there is a [`Loss`] that says so.
//!
//! **What is analysed** is what is compiled: one configuration, that of this machine, with the unit's own flags. Directives
//! that give lines other numbers are taken out before, so that a line is always a line of the unit. So are pragmas that turn
//! warnings off or into errors; flags and comments that do so are not obeyed.
//!
//! **What to expect.** cppcheck reads no headers, and knows the standard library from its own description of it. flawfinder
//! sees calls and not what leads to them: it says the same of most bugs and their mended twins. The analyser of gcc 12 was
//! made for C; of C++ it says, among other things, that `new` may give a null pointer.
//!
//! [`sarif`] reads SARIF and writes it.
//!
//! This crate must not know pairs, rewrites or the bench. Every analyser is confined: it reads foreign text.

mod analyser;
mod call;
mod choice;
mod clang;
mod clang_classes;
mod command;
mod cppcheck;
mod directives;
mod error;
mod finding;
mod flags;
mod flawfinder;
mod gcc;
mod loss;
pub mod sarif;
mod unit;
mod xml;

/// The version of what this crate computes, for the keys of caches: raise it whenever what is found in a text changes.
/// The test `golden` notices if that is forgotten.
pub const VERSION: &str = "1";

pub use analyser::Analyser;
pub use choice::{BuiltIn, Choice, ChoiceError};
pub use error::AnalyserError;
pub use finding::{Finding, Level};
pub use loss::Loss;
pub use unit::Unit;
