//! What was shown of a variant.

use crate::words;

words! {
    /// The strongest that was shown of a variant, strongest first.
    pub enum Tier {
        /// gcc and clang write the same code for both, up to names: at `-O0` and `-O2` for settings that only rename, at `-O2`
        /// for those that change shapes.
        IdenticalCode = "identical-code",
        /// Alive2's `alive-tv` proves it in both directions, for loops of at most eight rounds; only where that is installed, and of C.
        Proved = "proved",
        /// Both were run on all inputs that there are, and did the same: of functions that take a few numbers of few bits,
        /// such as characters, and neither see nor keep anything else; at most 2^20 inputs. Of an enumeration, these are all
        /// values of as many bits as its own ones take.
        Exhaustive = "exhaustive",
        /// Both were run on the same inputs and did the same, and the inputs pass the gates: they reach enough of both, and
        /// every branch that only the variant has.
        Agrees = "agrees",
        /// Both did the same, but the inputs reach too little of one of them or would have missed too many mistakes.
        AgreesWeakly = "agrees-weakly",
        /// Both compilers accept it, and it cannot be run: the reason is in the evidence.
        Untestable = "untestable",
    }
}
