//! What the oracle says, and how much it is worth.

use std::collections::BTreeMap;

use estrange_words::{End, Reason};
use serde::{Deserialize, Serialize};

/// What can be said of a rewrite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "tier")]
pub enum Verdict {
    /// It agreed with the original on all inputs that there are.
    Exhaustive,
    /// It agreed with the original on all inputs, and the inputs are good evidence: see [`Gates`].
    Agrees,
    /// It agreed on all inputs, but they reach too little, or would not have seen enough mistakes.
    AgreesWeakly,
    /// It did something else.
    Differs(Difference),
    /// It cannot be run.
    Untestable {
        /// Why.
        reason: Untestable,
    },
}

/// The first input on which a rewrite did something else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Which of the inputs.
    pub input: u32,
    /// How the original ended.
    pub old_end: End,
    /// How the rewrite ended.
    pub new_end: End,
    /// The input, as code that can be pasted: what it needs, and the call.
    pub call: String,
    /// What was seen to be another.
    pub seen: Seen,
    /// That of the original, as code would write it.
    pub old: String,
    /// That of the rewrite.
    pub new: String,
    /// The input as it was drawn, if it was.
    #[serde(skip)]
    pub(crate) drawn: Vec<u64>,
}

/// What can be seen of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen {
    /// How it ended; where it returned, what.
    End,
    /// What it returned.
    Result,
    /// What a place that the caller can name holds afterwards: `list->next`.
    Place(String),
    /// `errno`.
    Errno,
    /// What it printed.
    Printed,
    /// How many bytes it leaked.
    Left,
    /// A call of this function, which was handed in: with what.
    Call(String),
    /// Something else that it did: to a file, or to the system. Nothing, if they did different things.
    Event(String),
}

impl std::fmt::Display for Seen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Seen::End | Seen::Result => formatter.write_str("result"),
            Seen::Place(place) => formatter.write_str(place),
            Seen::Errno => formatter.write_str("errno"),
            Seen::Printed => formatter.write_str("printed"),
            Seen::Left => formatter.write_str("bytes in use"),
            Seen::Call(function) => write!(formatter, "call of {function}"),
            Seen::Event(what) => formatter.write_str(what),
        }
    }
}

/// Why a function cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Untestable {
    /// It is a template, or a member of one: it exists only for types that someone chooses.
    #[error("it is a template")]
    Template,
    /// It is variadic.
    #[error("it takes arguments that its type does not tell")]
    Varargs,
    /// A value of a type cannot be made or looked at.
    #[error("no value of this type can be made: {0}")]
    Type(String),
    /// The text does not define the function.
    #[error("the text does not define it")]
    Missing,
    /// The parser or the compiler does not take the text.
    #[error("it does not compile: {0}")]
    Refused(String),
    /// Something that it needs is not defined.
    #[error("it cannot be linked: {0}")]
    Unlinked(String),
    /// It does another thing each time.
    #[error("it does not do the same twice on any input")]
    NotRepeatable,
    /// It ends on no input.
    #[error("it never returns")]
    NeverReturns,
    /// The harness itself failed.
    #[error("the harness failed: {0}")]
    Harness(String),
}

impl Untestable {
    /// The typed reason.
    pub fn reason(&self) -> Reason {
        match self {
            Untestable::Template => Reason::Template,
            Untestable::Varargs => Reason::Varargs,
            Untestable::Type(_) => Reason::Type,
            Untestable::Missing => Reason::Missing,
            Untestable::Refused(_) => Reason::Refused,
            Untestable::Unlinked(_) => Reason::Unlinked,
            Untestable::NotRepeatable => Reason::NotRepeatable,
            Untestable::NeverReturns => Reason::NeverReturns,
            Untestable::Harness(_) => Reason::Harness,
        }
    }
}

/// What the inputs of a function are worth.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What everything was drawn from.
    pub seed: u64,
    /// The compiler.
    pub compiler: String,
    /// The sanitizers that both sides were built with.
    pub sanitizers: Vec<String>,
    /// Inputs that were tried in the search.
    pub tried: u32,
    /// Inputs that were kept and are compared.
    pub kept: u32,
    /// Of these, those on which the original returned or threw, and did the same twice.
    pub clean: u32,
    /// Of these, those on which the original did not do the same twice. They are not compared.
    pub not_repeatable: u32,
    /// How the original ended on those that were kept.
    pub ends: BTreeMap<End, u32>,
    /// Lines with statements, and those of them that inputs reach on which the original returns.
    pub lines: Share,
    /// Branches of conditions and cases, and those that are taken.
    pub branches: Share,
    /// Wrong edits that compile and change the optimised code, and those of them that the inputs show. They include
    /// inputs that were searched for edits that the others did not show.
    pub mutants: Share,
    /// The same of those edits for which no inputs were searched before they were counted: what can be expected of edits
    /// that nobody thought of.
    pub held_out: Share,
    /// Edits that do not count, since a compiler writes the same optimised code for them.
    pub equivalent: u32,
    /// Those that count and that the inputs do not show.
    pub survivors: Vec<Survivor>,
}

/// A wrong edit that the inputs do not show.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// The kind of edit: see [`Operator::name`](crate::Operator::name).
    pub operator: String,
    /// Why it was not seen, as far as that can be told.
    pub cause: Cause,
    /// The line of the function, from 1.
    pub line: u32,
    /// What stands there.
    pub was: String,
    /// What the edit made of it.
    pub becomes: String,
}

/// Why a wrong edit was not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// No input comes there.
    Input,
    /// What it changes is handed to a function that is not part of the unit.
    Environment,
    /// Inputs come there, and nothing that is looked at is another.
    Unobserved,
}

/// So many of so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Those that hold.
    pub of: u32,
    /// All.
    pub all: u32,
}

impl Share {
    /// One more, which holds or does not.
    pub(crate) fn count(&mut self, holds: bool) {
        self.all += 1;
        self.of += u32::from(holds);
    }

    /// As a number; all of none is all.
    pub fn value(self) -> f64 {
        if self.all == 0 { 1.0 } else { f64::from(self.of) / f64::from(self.all) }
    }
}

/// What the inputs reach of a rewrite, and of what is new with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// Lines with statements, and those of them that inputs reach on which it returns.
    pub lines: Share,
    /// Branches of conditions and cases, and those that are taken; without those of which its maker knows that none can be.
    pub branches: Share,
    /// Branches that the original does not have, and that no input takes.
    pub open: u32,
    /// Whether all of it could be watched.
    pub is_known: bool,
    /// Inputs that were tried in search of them.
    pub tried: u32,
    /// Inputs that were found, on which both were compared, too.
    pub found: u32,
    /// How many inputs there are, where both were run on all of them.
    pub all: u32,
}

/// What inputs must show for [`Verdict::Agrees`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Gates {
    /// Inputs on which the original returns and does the same twice.
    pub clean: u32,
    /// Share of lines that they reach.
    pub lines: f64,
    /// Share of branches that they take.
    pub branches: f64,
    /// Share of wrong edits that they show, of those that were held out.
    pub kill_rate: f64,
}

impl Default for Gates {
    fn default() -> Self {
        Self { clean: 50, lines: 0.9, branches: 0.8, kill_rate: 0.8 }
    }
}

impl Gates {
    /// Whether a record passes. A function with nothing to edit wrongly passes by the other gates.
    pub fn pass(&self, record: &Record) -> bool {
        record.clean >= self.clean
            && record.lines.value() >= self.lines
            && record.branches.value() >= self.branches
            && record.held_out.value() >= self.kill_rate
    }

    /// Whether the inputs reach enough of a rewrite, and all that only the rewrite has.
    pub fn pass_reached(&self, reached: &Reached) -> bool {
        let is_enough = reached.lines.value() >= self.lines && reached.branches.value() >= self.branches;
        reached.is_known && reached.open == 0 && is_enough
    }
}
