//! An item: what is asked for once, and what it is about.

use super::cut::Cut;
use super::records::Assignment;

/// What is asked for once, about an `S`: a function in a setting, or a problem.
#[derive(Debug)]
pub struct Entry<S> {
    /// What is kept of it.
    pub assignment: Assignment,
    /// What is asked.
    pub prompt: String,
    /// What of the function is given.
    pub cut: Option<Cut>,
    /// The function with a small mistake each, in the names of this setting.
    pub wrong: Vec<String>,
    /// What it is about.
    pub(super) subject: S,
}
