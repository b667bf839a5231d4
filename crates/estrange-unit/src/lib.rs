//! Takes functions out of translation units with exactly what they need, and groups them.
//!
//! A source file is flattened ([`flatten`]) into one text, read by libclang, and cut into chunks.

mod build;
mod closure;
mod emit;
mod flatten;
mod forms;
mod found;
mod headers;
mod link;
mod macros;
mod parser;
mod paste;
mod precompiled;
mod slices;
mod standard;

pub use build::{Unit, UnitLoss, quoted_names};
pub use estrange_clang::{Reading, Severity, Trouble};
pub use flatten::{Flat, FlattenLoss, LARGEST, flatten};
pub use found::{Found, Group};
pub use link::{Bounds, HelperText, LinkLoss, Linked, Member, Program};
pub use parser::{Parser, ParserLoss, Translation, Wanted};
pub use slices::Language;
pub use standard::SystemFolders;
