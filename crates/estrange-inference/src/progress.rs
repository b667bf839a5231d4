//! How a caller follows long work, and ends it.

use std::ops::ControlFlow;

/// Told how many texts were done since the last time, which may be none; [`ControlFlow::Break`] asks for an end.
pub type Progress<'a> = dyn Fn(usize) -> ControlFlow<()> + Sync + 'a;
