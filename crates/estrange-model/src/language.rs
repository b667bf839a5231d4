//! Language models on this machine, `local:FILE.gguf`, as [`estrange_inference`] computes them.

pub use estrange_inference::decoder::LanguageModel;
use estrange_inference::decoder::{Generated, Request};
use serde_json::{Value, json};

use crate::error::ModelError;
use crate::local::{following, model_error};
use crate::traits::Watch;
use crate::writer::{Prompt, Writer, Written};

impl Writer for LanguageModel {
    fn card(&self) -> Value {
        LanguageModel::card(self).clone()
    }

    fn basis(&self, prompt: &Prompt) -> Value {
        // Without a temperature nothing is drawn, and the seed does not matter.
        let seed = if prompt.temperature > 0.0 { prompt.seed } else { 0 };
        json!({ "model": LanguageModel::card(self), "prompt": Prompt { seed, ..prompt.clone() } })
    }

    fn write(&self, prompt: &Prompt, watch: &dyn Watch) -> Result<Written, ModelError> {
        let request = Request {
            system: prompt.system.as_deref(),
            user: &prompt.user,
            begin: prompt.begin.as_deref(),
            max_tokens: prompt.max_tokens as usize,
            temperature: prompt.temperature,
            seed: prompt.seed,
        };
        let generated = self.generate(&request, &following(watch));
        let Generated { text, prompt_tokens, answer_tokens } =
            generated.map_err(|error| model_error(LanguageModel::card(self), error))?;
        Ok(Written {
            text: prompt.begin.clone().unwrap_or_default() + &text,
            prompt_tokens: Some(prompt_tokens as u64),
            answer_tokens: Some(answer_tokens as u64),
            cost: Some(0.0),
        })
    }
}
