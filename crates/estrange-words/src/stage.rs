//! Where on the way something was lost.

use crate::words;

words! {
    /// Where on the way something was lost, in the order of the work.
    pub enum Stage {
        /// Fetching a source and looking through its files.
        Source = "source",
        /// Reading a file: flattening it, then parsing it.
        Parse = "parse",
        /// Cutting out the unit of a function.
        Unit = "unit",
        /// Compiling a unit, or a unit with a variant in it.
        Compile = "compile",
        /// Making a variant.
        Rewrite = "rewrite",
        /// Comparing or running a variant and the function that it comes from.
        Evidence = "evidence",
        /// Making the text of a variant with its helpers. The variant itself is there.
        Long = "long",
        /// Making a target's text of a function.
        Lower = "lower",
        /// Reading data that others made.
        Import = "import",
        /// Leaving out what is there already. The function could have been kept.
        Duplicate = "duplicate",
        /// Leaving out what a source has too much of. The function could have been kept.
        Balance = "balance",
    }
}

impl Stage {
    /// Whether it leaves out functions by choice, which could have been kept.
    pub const fn is_of_choice(self) -> bool {
        matches!(self, Self::Duplicate | Self::Balance)
    }
}
