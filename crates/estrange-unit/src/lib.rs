//! Takes functions out of translation units with exactly what they need, and groups them.
//!
//! A source file is flattened ([`flatten()`]) into one text, read by libclang in workers ([`Parser`]), and cut into
//! chunks: one top-level declaration each (`slices`). What a function needs of them is its closure (`closure`), each
//! chunk in the smallest form that will do (`forms`); written down in order (`emit`) and mended where the parser finds
//! something missing (`build`), it is the function's [`Unit`]. A [`Program`] is all translation units of a project: it
//! puts together linked units (`link`), which can run; [`reduced`] cuts one down to what compiles.
//!
//! This crate must not know what units are used for, nor where a project came from.

mod build;
mod closure;
mod emit;
mod flat;
mod flatten;
mod forms;
mod found;
mod headers;
mod link;
mod macros;
mod modules;
mod parser;
mod paste;
mod precompiled;
mod reduce;
mod slices;
mod standard;
mod undelivered;

/// The version of what this crate computes, for the keys of caches: raise it whenever which units functions get changes.
/// The test `golden` notices if that is forgotten.
pub const VERSION: &str = "5";

pub use build::{Checked, Draft, Tried, Unit, UnitLoss, Wanted, quoted_names};
pub use estrange_clang::{Reading, Severity, Trouble};
pub use estrange_words::Language;
pub use flat::Flat;
pub use flatten::{FlattenLoss, LARGEST, flatten};
pub use found::{Found, Group};
pub use link::{Bounds, HelperText, LinkLoss, Linked, LinkedFunction, Member, Missed, Program};
pub use parser::{Parser, ParserLoss, Translation};
pub use reduce::reduced;
pub use standard::{SystemFolders, normal_path};
pub use undelivered::{Undelivered, UndeliveredReason};
