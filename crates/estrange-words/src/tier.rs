//! What was shown of a variant.

use crate::words;

words! {
    /// The strongest that was shown of a variant, strongest first.
    pub enum Tier {
        /// gcc and clang write the same code for both, up to names: at `-O0` and `-O2` for settings that only rename, at `-O2`
        /// for those that change shapes.
        IdenticalCode = "identical-code",
        /// Alive2's `alive-tv` proves it, for loops of at most eight rounds; only where that is installed, and of C.
        Proved = "proved",
        /// Both were run on the same inputs and did the same, and the inputs pass the gates.
        Agrees = "agrees",
        /// Both did the same, but the inputs reach too little or would have missed too many mistakes.
        AgreesWeakly = "agrees-weakly",
        /// Both compilers accept it, and it cannot be run: the reason is in the evidence.
        Untestable = "untestable",
    }
}
