//! Reads what gcc and clang say of code that they refuse, and says which mistake it is.
//!
//! - [`read()`] takes what a compiler, an assembler or a linker wrote, and gives its [`Diagnostic`]s;
//! - [`mistake_of()`] says which [`Mistake`] one of them stands for;
//! - [`diagnose()`] says what the code is refused for: what the first error stands for, or the warning that explains it.
//!
//! The mistakes are those of table VI of *ObfusEval*, and a few that are told apart besides: see [`Mistake`]. What is known
//! of the messages is one table, [`RULES`], and its patterns are as simple as they can be: [`Rule`].
//!
//! A compiler says what it cannot go on with, and not what somebody did wrong. Where these are known to differ, more is looked
//! at than the message: the line that is shown below it, its notes, the other messages. In C++, a name that nothing declares
//! is a function, a type or a variable by what stands around it in that line. Without such lines
//! (`-fno-diagnostics-show-caret`) it counts as a variable.
//!
//! This crate must not know files or processes, nor who wrote the code.

mod candidates;
mod clean;
mod diagnose;
mod diagnostic;
mod excerpt;
mod head;
mod pattern;
mod read;
mod rule;
mod rules;
mod types;

pub use diagnose::{Diagnosed, diagnose, mistake_of, rule_of};
pub use diagnostic::{Diagnostic, Excerpt, Note, Severity};
pub use estrange_words::{Mistake, MistakeCategory};
pub use excerpt::Use;
pub use read::read;
pub use rule::{Compiler, Rule, When};
pub use rules::RULES;
