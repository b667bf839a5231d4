//! What a model would have to be asked, found out without asking it.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use super::Stored;
use crate::error::ModelError;
use crate::traits::Watch;
use crate::writer::{Prompt, Writer, Written};

/// Stands in for a model with a store: it answers from the store, and where that has nothing it notes the prompt and
/// answers with a text that was given to it.
pub struct Rehearsal<'a, W> {
    model: &'a Stored<W>,
    stand_in: String,
    asked: Mutex<Vec<Prompt>>,
}

impl<'a, W: Writer> Rehearsal<'a, W> {
    /// A stand-in for the model, which says `stand_in` to whatever is new.
    pub fn new(model: &'a Stored<W>, stand_in: impl Into<String>) -> Self {
        Self { model, stand_in: stand_in.into(), asked: Mutex::default() }
    }

    /// The prompts that the model itself would have been asked.
    pub fn asked(self) -> Vec<Prompt> {
        self.asked.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W: Writer> Writer for Rehearsal<'_, W> {
    fn card(&self) -> Value {
        self.model.card()
    }

    fn basis(&self, prompt: &Prompt) -> Value {
        self.model.basis(prompt)
    }

    fn write(&self, prompt: &Prompt, _: &dyn Watch) -> Result<Written, ModelError> {
        if let Some(written) = self.model.kept(prompt)? {
            return Ok(written);
        }
        // A list is whole at any moment.
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(prompt.clone());
        Ok(Written { text: self.stand_in.clone(), prompt_tokens: None, answer_tokens: None, cost: None })
    }
}
