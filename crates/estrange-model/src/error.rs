//! What can be wrong with a model.

use std::borrow::Cow;

use estrange_inference::LocalError;
use estrange_inference::tokenizer::TokenizerError;
use estrange_words::Hint;
use serde_json::Value;

use crate::openai::ServerError;
use crate::precomputed::PrecomputedError;
use crate::store::StoreError;

/// Why a model gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A text came back as a vector of another length than the others, or as none.
    #[error("{model} gave {given} where {expected} was expected")]
    WrongAnswer {
        /// Which model.
        model: String,
        /// What came.
        given: String,
        /// What should have come.
        expected: String,
    },
    /// The store of answers cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A model on this machine cannot be used.
    #[error(transparent)]
    Local(#[from] LocalError),
    /// A server gave no answer.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The tokenizer by which texts are cut cannot be used.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// A file of what was made before cannot be used, or lacks something.
    #[error(transparent)]
    Precomputed(#[from] PrecomputedError),
    /// A prompt and its answer do not fit into a model's context.
    #[error(
        "the prompt has {prompt} tokens and its answer may have {answer}, which is more than the context of {model}, \
         {context} tokens"
    )]
    TooLong {
        /// Which model.
        model: String,
        /// The prompt's tokens.
        prompt: usize,
        /// How many tokens the answer may have.
        answer: usize,
        /// How many tokens both may have.
        context: usize,
    },
    /// Whoever watches asked for an end.
    #[error("stopped")]
    Stopped,
}

impl ModelError {
    /// A wrong answer of the model with this card.
    pub(crate) fn wrong(card: &Value, given: String, expected: String) -> Self {
        let model = card.get("model").and_then(Value::as_str).unwrap_or("the model").to_owned();
        Self::WrongAnswer { model, given, expected }
    }
}

impl Hint for ModelError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            ModelError::Store(error) => error.hint(),
            ModelError::Server(error) => error.hint(),
            ModelError::Tokenizer(error) => error.hint(),
            ModelError::Precomputed(error) => error.hint(),
            ModelError::Local(error) => error.hint(),
            ModelError::TooLong { .. } => Some("allow a shorter answer, or take a model with a longer context".into()),
            ModelError::WrongAnswer { .. } | ModelError::Stopped => None,
        }
    }
}
