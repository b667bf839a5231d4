//! Sentence-embedding models on this machine, `local:DIR`, as [`estrange_inference`] computes them.

use std::ops::ControlFlow;

use estrange_inference::RunError;
pub use estrange_inference::{
    LocalError,
    encoder::{Encoder as Local, Options},
};
use serde_json::Value;

use crate::error::ModelError;
use crate::traits::{Embedder, Item, Role, Watch};

impl Embedder for Local {
    fn card(&self) -> Value {
        Local::card(self)
    }

    fn embed(&self, texts: &[Item<'_>], role: Role, watch: &dyn Watch) -> Result<Vec<Vec<f32>>, ModelError> {
        let texts: Vec<&str> = texts.iter().map(|item| item.text).collect();
        self.encode(&texts, role, &following(watch)).map_err(|error| model_error(&Local::card(self), error))
    }
}

/// Tells whoever watches what is done, and hears whether to stop.
pub(crate) fn following(watch: &dyn Watch) -> impl Fn(usize) -> ControlFlow<()> + Sync {
    |done| {
        if done > 0 {
            watch.done(done);
        }
        if watch.should_stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// What went wrong with the model of a card.
pub(crate) fn model_error(card: &Value, error: RunError) -> ModelError {
    match error {
        RunError::Local(error) => error.into(),
        RunError::NotFinite { value } => ModelError::wrong(card, value.to_string(), "a finite number".to_owned()),
        RunError::TooLong { prompt, answer, context } => {
            let model = card["model"].as_str().unwrap_or("the model").to_owned();
            ModelError::TooLong { model, prompt, answer, context }
        }
        RunError::Stopped => ModelError::Stopped,
    }
}
