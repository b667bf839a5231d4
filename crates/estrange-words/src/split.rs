//! What a source is for.

use crate::words;

words! {
    /// What a source is for. All functions of a source are in the same split.
    pub enum Split {
        /// For training.
        Train = "train",
        /// For evaluation.
        Eval = "eval",
    }
}
