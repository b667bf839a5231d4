//! Steps of a recipe that somebody else carries out: a program, or a model that writes.

use std::fmt;
use std::ops::Range;

use estrange_words::Language;

use crate::refusal::Refusal;

/// A step that is not ours, as it is written in a recipe.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Foreign {
    /// A program with its arguments, as in a shell.
    Command(String),
    /// A model that writes.
    Model {
        /// What the model is called, such as `openai:gpt-4o`.
        model: String,
        /// What it is asked: the name of one of our prompts, or a file. Ours for semantic rewrites unless it is said.
        prompt: Option<String>,
    },
}

/// What stands before a command in a recipe.
const COMMAND: &str = "external:";
/// What the names of models that write begin with.
const MODELS: [&str; 2] = ["openai:", "local:"];

impl Foreign {
    /// What a word of a recipe says, if it is a foreign step.
    pub(crate) fn of(word: &str) -> Option<Self> {
        if let Some(command) = word.strip_prefix(COMMAND) {
            return Some(Self::Command(command.trim().to_owned()));
        }
        let name = MODELS.iter().find_map(|kind| word.strip_prefix(kind))?;
        let (model, prompt) = match name.rsplit_once('@') {
            Some((name, prompt)) => (&word[..word.len() - prompt.len() - 1], Some((name, prompt.to_owned()))),
            None => (word, None),
        };
        Some(Self::Model { model: model.to_owned(), prompt: prompt.map(|(_, prompt)| prompt) })
    }

    /// Whether it says who is to do what.
    pub(crate) fn is_whole(&self) -> bool {
        match self {
            Self::Command(command) => !command.is_empty(),
            Self::Model { model, prompt } => {
                !model.ends_with(':') && prompt.as_ref().is_none_or(|prompt| !prompt.is_empty())
            }
        }
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(command) => write!(formatter, "{COMMAND}{command}"),
            Self::Model { model, prompt: None } => formatter.write_str(model),
            Self::Model { model, prompt: Some(prompt) } => write!(formatter, "{model}@{prompt}"),
        }
    }
}

/// What whoever carries out a foreign step is given.
#[derive(Debug, Clone)]
pub struct Given<'a> {
    /// The whole file, without comments.
    pub text: &'a str,
    /// Where the function stands in it.
    pub function: Range<usize>,
    /// The function's name, which stays.
    pub name: &'a str,
    /// The same with what it belongs to.
    pub qualified_name: &'a str,
    /// The function's type, which stays.
    pub type_: &'a str,
    /// The names of what the text needs from elsewhere, which stay.
    pub outside: Vec<String>,
    /// The language.
    pub language: Language,
    /// The seed.
    pub seed: u64,
}

/// Whoever carries out foreign steps.
pub trait Contractor {
    /// Why it cannot go on at all.
    type Error;

    /// What becomes of a text: a whole file, or what is to stand in the function's place.
    ///
    /// # Errors
    /// When nothing more can be carried out. That there is no text of this function is a refusal.
    fn carry_out(&self, step: &Foreign, given: &Given<'_>) -> Result<Result<String, Refusal>, Self::Error>;
}
