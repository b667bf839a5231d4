//! Pairs of functions with a bug and without it: where they come from, what confirms them, which rewrites leave the bug.
//!
//! [`make()`] goes from sources to a bench of pairs. Fixes of Debian packages and git histories, and folders of pairs that
//! somebody wrote, become candidates, each with a state before and one after (`candidate`, `set`). Both states are built
//! as any source is, but only the functions that change (`couple`). A pair is *crash-confirmed* if on its trigger the
//! vulnerable side faults under both compilers' sanitizers, in one class, each time, and the patched side does not
//! (`runner`, `fault`); where no trigger is known one is looked for (`seek`). Then both sides go through each setting with
//! the same seed, and a rung counts only if the bug is still there: the same class, the same operation on the same types
//! (`operation`), in the same function; and the patched side is still clean (`pair`). All pairs are worked on side by side
//! (`work`). Negative controls (`controls`) are rewrites that take bugs away: the gate must refuse them.
//!
//! [`questions()`] asks what the patched side of each confirmed pair comes to on some inputs (`comes_to`), at every level
//! (`levels`), and keeps what has one answer (`question`).
//!
//! This crate must not know who is asked about pairs, nor how results are shown. What it runs is hostile by definition: the
//! oracle confines it.

mod candidate;
mod comes_to;
mod controlled;
mod controls;
mod couple;
mod diff;
mod error;
mod fault;
mod levels;
mod make;
mod operation;
mod options;
mod pair;
mod question;
mod runner;
mod seek;
mod set;
mod sham;
mod work;

/// The version of what this crate computes, for the keys of caches: raise it whenever what it says of a pair changes.
pub const VERSION: &str = "1";

pub use controlled::Tally;
pub use controls::Control;
pub use error::PairError;
pub use make::{Report, RungCount, make};
pub use options::Options;
pub use question::{Inquiry, Questions, Unasked, asked_about, questions};
pub use sham::Shams;
