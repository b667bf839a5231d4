//! Why a function or a problem is not asked for.

use crate::words;

words! {
    /// Why a function is not asked for, where answers could not be graded or nothing could be said of what is wanted.
    pub enum NotAsked {
        /// It has no unit in which it can run, and it is to be graded by running it.
        NotLinkable = "not-linkable",
        /// Its unit does not hold it in one piece.
        NotInItsUnit = "not-in-its-unit",
        /// What stands before its body is no declaration by itself.
        NoPlainHead = "no-plain-head",
        /// The bench has no description of it, and `--undescribed` was not said.
        NotDescribed = "not-described",
        /// The inputs that were found would not tell a wrong answer from a right one.
        WeakInputs = "weak-inputs",
        /// The oracle cannot call it.
        CannotBeRun = "cannot-be-run",
        /// It has too few statements to leave some out.
        TooShortToCut = "too-short-to-cut",
        /// None of the projects that were named is its source.
        OfNoProject = "of-no-project",
        /// Its project has no such text where the bench says.
        NotInTheProject = "not-in-the-project",
    }
}
