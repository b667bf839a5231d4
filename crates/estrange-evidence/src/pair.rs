//! What is compared: a unit with its old names and with new ones.

use crate::renames::Renames;

/// A unit, and the same unit with new names.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The unit's text.
    pub old: &'a str,
    /// Its text with new names.
    pub new: &'a str,
    /// What was renamed.
    pub renames: &'a Renames,
}
