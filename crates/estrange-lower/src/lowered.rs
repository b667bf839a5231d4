//! The text of one function at one target.

/// A function's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lowered {
    /// The function's text, and those of its helpers after it.
    pub text: String,
    /// The helpers that have no code of their own: each was made part of its callers, or is a template.
    pub absent: Vec<String>,
    /// What the text refers to and its unit does not define: its name in the text, and its symbol.
    pub outside: Vec<(String, String)>,
    /// The variables whose values it shows: the name in the text, and the symbol.
    pub variables: Vec<(String, String)>,
}
