//! The words of this crate: how hard a problem is, what came of an answer and of a case, why a problem cannot be used.

use estrange_words::words;

words! {
    /// How hard a problem is, by who wrote it.
    pub enum Difficulty {
        /// One loop or one formula.
        Easy = "easy",
        /// Several steps, or edge cases that are easy to miss.
        Medium = "medium",
        /// An algorithm that must be found first.
        Hard = "hard",
    }
}

words! {
    /// What an answer is worth, and how a case ended.
    pub enum Verdict {
        /// Every case gave what was expected.
        Passed = "passed",
        /// The compiler refuses the answer.
        DoesNotCompile = "does-not-compile",
        /// The answer does not define the function that was asked for, or uses what nobody defines.
        DoesNotLink = "does-not-link",
        /// The function gave something else than was expected, or an assertion of a test failed.
        WrongResult = "wrong-result",
        /// The function did what is undefined, or was ended by a signal: a sanitizer or the system stopped it.
        Crashed = "crashed",
        /// The function threw an exception that nobody caught.
        Threw = "threw",
        /// The function took too long.
        TimedOut = "timed-out",
        /// The function took too much memory.
        OverMemory = "over-memory",
        /// The function returned or wrote more than is kept.
        OverOutput = "over-output",
        /// The process ended before the function had returned, or before the test was at its end, whatever its exit code was.
        EndedEarly = "ended-early",
        /// The case was not run, since others had ended in a way that takes long.
        NotRun = "not-run",
    }
}

words! {
    /// Why a problem cannot be used.
    pub enum Defect {
        /// Its file or folder cannot be read.
        Unreadable = "unreadable",
        /// Its file is not written as it must be.
        Malformed = "malformed",
        /// It lacks something that every problem has.
        MissingField = "missing-field",
        /// It is in a language that is neither C nor C++.
        UnknownLanguage = "unknown-language",
        /// Its signature cannot be read, or takes what cannot be written down as a value.
        Signature = "signature",
        /// It has no tests.
        NoTests = "no-tests",
        /// A case has a value of another type, lacks an argument, or expects nothing.
        BadCase = "bad-case",
        /// Another problem has the same name.
        SameName = "same-name",
        /// Another problem has the same statement, signature and tests.
        Duplicate = "duplicate",
        /// The tests do not call the function that the problem asks for.
        TestsDoNotCall = "tests-do-not-call",
    }
}
