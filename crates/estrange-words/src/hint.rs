//! What to do about an error.

use std::borrow::Cow;

/// An error that knows what a user can do about it.
///
/// The libraries implement it for their errors; the binary alone says it, and looks through the causes of an error for it.
pub trait Hint {
    /// What to do about it, in one line without a full stop, where there is something to do.
    fn hint(&self) -> Option<Cow<'static, str>>;
}
