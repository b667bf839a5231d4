//! What became of code that was written in a function's place.

use crate::words;

words! {
    /// What became of an answer that is to be a function.
    pub enum Outcome {
        /// It does what the function does, wherever it was tried.
        Passed = "passed",
        /// It returns or prints something else, or leaves something else in memory; of a project, tests fail.
        WrongResult = "wrong-result",
        /// A sanitizer finds a fault where the function has none, or the system ends it by a signal.
        Fault = "fault",
        /// It ends the program where the function returns.
        EndedEarly = "ended-early",
        /// It goes on far longer than the function does.
        Endless = "endless",
        /// Its project's tests say that they pass, and there is a reason not to believe them.
        NotBelieved = "not-believed",
        /// Of several runs some pass and some do not: nothing is said of it.
        Flaky = "flaky",
        /// It does not compile where the function stood.
        DoesNotCompile = "does-not-compile",
        /// It compiles, and something that it calls is nowhere.
        DoesNotLink = "does-not-link",
        /// The reply has no code.
        NoCode = "no-code",
        /// The reply has code, and the function is not in it.
        NoFunction = "no-function",
        /// The reply ends within the function.
        CutOff = "cut-off",
        /// There is no reply, or the model says that it will not answer.
        NoReply = "no-reply",
        /// It could not be run, for a reason that is not its own.
        NotRun = "not-run",
    }
}

impl Outcome {
    /// Whether it compiles and links.
    pub fn is_built(self) -> bool {
        matches!(
            self,
            Self::Passed
                | Self::WrongResult
                | Self::Fault
                | Self::EndedEarly
                | Self::Endless
                | Self::NotBelieved
                | Self::Flaky
        )
    }

    /// Whether something can be said of the answer at all.
    pub fn is_known(self) -> bool {
        !matches!(self, Self::NotRun | Self::Flaky)
    }
}
