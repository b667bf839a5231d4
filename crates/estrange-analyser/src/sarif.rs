//! SARIF 2.1.0, the format that analysers share: findings out of it, and results into it.
//!
//! [`Sarif::read`] takes a document as a program wrote it, [`Sarif::findings`] what it says of one file. What counts as a
//! finding follows the standard: a result whose `kind` is `fail`, that is not suppressed, and that was not there only before.
//! [`write()`] makes a document.

mod classes;
mod document;
mod read;
mod rules;
mod write;

pub use read::{Sarif, SarifError};
pub use write::{Driver, Reported, RuleText, write};
