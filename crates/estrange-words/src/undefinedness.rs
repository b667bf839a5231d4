//! Whether a variant can be undefined in the same ways as what it was made of.

use crate::words;

words! {
    /// Whether a variant was shown to be undefined in the same ways as what it was made of, strongest first.
    pub enum Undefinedness {
        /// What clang's sanitizer for undefined behaviour would check is the same in both, and so are the types by which memory
        /// is accessed. No run is needed for that.
        SameChecks = "same-checks",
        /// That is not the same, but both were run under the sanitizers on the same inputs and failed in the same ways, and on
        /// some of them everything failed that is not the same.
        SameRuns = "same-runs",
        /// Neither was shown.
        NotShown = "not-shown",
    }
}
