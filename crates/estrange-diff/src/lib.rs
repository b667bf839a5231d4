//! Reads unified diffs strictly, says which lines they touch, and applies them forwards and backwards.
//!
//! ```
//! use estrange_diff::{Patch, Span};
//!
//! let patch = Patch::read(b"Description: less\n--- a/x.c\n+++ b/x.c\n@@ -1,3 +1,2 @@\n one\n-two\n three\n")?;
//! assert_eq!(patch.description.get("description"), Some("less"));
//! let applied = patch.files[0].apply(b"zero\none\ntwo\nthree\n")?;
//! assert_eq!(applied.text, b"zero\none\nthree\n");
//! assert_eq!(applied.touched[0].old, Span::Lines { first: 3, last: 3 });
//! assert_eq!(applied.touched[0].new, Span::Gap { after: 2 });
//! assert_eq!(patch.files[0].reversed().apply(&applied.text)?.text, b"zero\none\ntwo\nthree\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Patch::read`] takes what `diff -u`, `git diff`, `git format-patch` and `quilt` write. Nothing is guessed: a hunk
//! that is not as long as its header says is a [`BadPatch`] with the number of its line. Applying follows GNU `patch
//! --fuzz=0`: all lines of a hunk must be there, but they may stand elsewhere. What does not fit is a [`Misfit`].
//!
//! This crate reads and writes no file and starts nothing: bytes in, bytes out. It must not know what a patch is for.

mod apply;
mod description;
mod error;
mod locate;
mod name;
mod patch;
mod read;
mod touched;
mod tree;

pub use apply::Applied;
pub use description::Description;
pub use error::{BadPatch, Fault, Misfit, Unapplied};
pub use name::stripped;
pub use patch::{Change, FileDiff, Hunk, Kind, Line, Patch, Range};
pub use touched::{Span, Touch};
pub use tree::Changed;
