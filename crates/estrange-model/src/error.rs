//! What can be wrong with a model.

use crate::local::LocalError;

/// Why a model gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A text came back as a vector of another length than the others, or as none.
    #[error("{model} gave {given} where {expected} was expected")]
    WrongAnswer {
        /// Which model.
        model: String,
        /// What came.
        given: String,
        /// What should have come.
        expected: String,
    },
    /// A model on this machine cannot be used.
    #[error(transparent)]
    Local(#[from] LocalError),
    /// Whoever watches asked for an end.
    #[error("stopped")]
    Stopped,
}
