//! Why a text is not rewritten.

use estrange_words::Reason;
use serde::{Deserialize, Serialize};

/// Why a rewrite does not apply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Refusal {
    /// The parser finds errors in the text.
    #[error("the text does not parse: {0}")]
    DoesNotParse(String),
    /// There is no such function in the text.
    #[error("the text defines no function `{0}`")]
    NoFunction(String),
    /// The parser finds no function in the part of the text that is said to be one.
    #[error("the parser finds no function where it stands")]
    NotThere,
    /// A name means something of the standard library in one place and something of the project in another, and in a
    /// third nothing tells which.
    #[error("`{0}` is a name of the standard library too, and one use of it may mean either")]
    SharedWithStandard(String),
    /// A name is put together by the preprocessor.
    #[error("`{0}` is put together by the preprocessor")]
    Pasted(String),
    /// A name is written with universal character names.
    #[error("a name is written with a universal character name")]
    UniversalCharacterName,
    /// A name has characters that are written as trigraphs.
    #[error("the text has trigraphs")]
    Trigraphs,
    /// No new name could be found for one.
    #[error("there is no other name for `{0}`")]
    NoName(String),
    /// There is nothing in the function that the rewrite could change.
    #[error("there is no place for it in the function")]
    NoPlace,
    /// A part that would have to be taken apart comes out of a macro.
    #[error("{0} comes out of a macro")]
    FromMacro(String),
    /// The preprocessor is spoken to within the function.
    #[error("the function has a directive of the preprocessor in it")]
    Directive,
    /// The function does something that the rewrite would not keep.
    #[error("the function uses {0}")]
    Uses(String),
    /// A declaration cannot be moved or taken apart.
    #[error("the declaration of `{name}` cannot be moved: {why}")]
    Declaration {
        /// What is declared.
        name: String,
        /// Why it stays.
        why: String,
    },
    /// The rounds of a loop may need the order in which they are.
    #[error("the rounds of a loop may depend on each other: {0}")]
    Dependence(String),
    /// The function would become too long.
    #[error("the function would become too long")]
    TooLong,
    /// Nobody is there to carry out a foreign step.
    #[error("nobody is there to carry it out")]
    NobodyDoes,
    /// Whoever was to carry out a foreign step failed.
    #[error("{detail}")]
    Foreign {
        /// The typed reason.
        reason: Reason,
        /// In words.
        detail: String,
    },
    /// What a foreign step gave is no code.
    #[error("what it gives is no code: {0}")]
    NoCode(String),
    /// What a foreign step gave is what it was given.
    #[error("the function is as it was")]
    Unchanged,
    /// The function is gone, or others see it as another.
    #[error("`{name}` is not kept: {why}")]
    NameNotKept {
        /// The function.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// What is outside of the function is not what it was.
    #[error("{0}")]
    OutsideChanged(String),
    /// A jump leads where the rewrite cannot follow.
    #[error("a jump cannot be followed: {0}")]
    Jump(String),
}

impl Refusal {
    /// The rewrite is for C only.
    pub(crate) fn only_c() -> Self {
        Refusal::Uses("C++".to_owned())
    }

    /// The typed reason.
    pub fn reason(&self) -> Reason {
        match self {
            Refusal::DoesNotParse(_) => Reason::DoesNotParse,
            Refusal::NoFunction(_) | Refusal::NotThere => Reason::NoFunction,
            Refusal::SharedWithStandard(_) => Reason::NameSharedWithStandard,
            Refusal::Pasted(_) => Reason::PastedName,
            Refusal::UniversalCharacterName => Reason::UniversalCharacterName,
            Refusal::Trigraphs => Reason::Trigraphs,
            Refusal::NoName(_) => Reason::NoName,
            Refusal::NoPlace => Reason::NoPlace,
            Refusal::FromMacro(_) => Reason::FromMacro,
            Refusal::Directive => Reason::DirectiveInside,
            Refusal::Uses(_) => Reason::UnsupportedConstruct,
            Refusal::Declaration { .. } => Reason::Declaration,
            Refusal::Dependence(_) => Reason::Dependence,
            Refusal::Jump(_) => Reason::Jump,
            Refusal::TooLong => Reason::GrowsTooLong,
            Refusal::NobodyDoes => Reason::UnsupportedConstruct,
            Refusal::Foreign { reason, .. } => *reason,
            Refusal::NoCode(_) => Reason::NoCodeGiven,
            Refusal::Unchanged => Reason::Unchanged,
            Refusal::NameNotKept { .. } => Reason::NameNotKept,
            Refusal::OutsideChanged(_) => Reason::OutsideChanged,
        }
    }
}
