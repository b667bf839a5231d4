//! The text of one function at one target.

/// A function's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lowered {
    /// The function's text, and those of its helpers after it.
    pub text: String,
    /// The helpers that have no code of their own: each was made part of its callers, or is a template.
    pub absent: Vec<String>,
}
