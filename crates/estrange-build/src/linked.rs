//! The linked units of a source's functions.

/// What became of a function's linked unit.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(crate) enum LinkOutcome {
    /// It compiles, and nothing of the project is undefined in it.
    Linked(String),
    /// There is none, for this reason.
    Not(String),
}
