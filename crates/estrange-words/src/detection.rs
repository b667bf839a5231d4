//! What a detector says of a function, and why it or a model that is asked what one does says nothing.

use crate::words;

words! {
    /// What a detector says of a function or a unit.
    pub enum Verdict {
        /// It has a bug.
        Vulnerable = "vulnerable",
        /// It has none.
        Safe = "safe",
    }
}

words! {
    /// Why a detector gave no verdict, or a model no answer. None of these is taken for one.
    pub enum Problem {
        /// The answer is empty.
        EmptyAnswer = "empty-answer",
        /// The model says that it will not answer, or cannot.
        Refusal = "refusal",
        /// The answer has no JSON object that is whole: it is prose, or it was cut off.
        NoObject = "no-object",
        /// The answer has an object, but its verdict is not there or is another word than the two that were asked for.
        NoVerdict = "no-verdict",
        /// The answer gives two verdicts that contradict each other.
        TwoVerdicts = "two-verdicts",
        /// The last line of the answer is not the one that gives it: it is missing, or the answer was cut off.
        NoAnswerLine = "no-answer-line",
        /// The answer gives two values that are not the same.
        TwoAnswers = "two-answers",
        /// What is given as the answer is no value: no number, no text in quotes, no null pointer, no list of these.
        UnreadableAnswer = "unreadable-answer",
        /// No function is found by what the answer says, or several are found that stand for it alike.
        NothingFound = "nothing-found",
        /// What was shown and the longest answer do not fit into the model's context together. A shorter answer may be
        /// allowed with --answer-tokens.
        PromptTooLong = "prompt-too-long",
        /// The server refused this question, and answered others.
        RefusedByServer = "refused-by-server",
        /// The analyser does not accept the text.
        NotAnalysable = "not-analysable",
        /// The analyser reached a limit of time, memory or output.
        AnalyserLimit = "analyser-limit",
        /// The analyser crashed, or ended with a code that means failure.
        AnalyserFailed = "analyser-failed",
        /// What the analyser wrote cannot be read.
        UnreadableFindings = "unreadable-findings",
        /// The file of verdicts or answers has none for this.
        NotInFile = "not-in-file",
    }
}
