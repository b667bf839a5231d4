//! What a model that writes can be asked.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::ModelError;
use crate::traits::Watch;

/// What a model is asked to write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// What it is told about its task.
    pub system: Option<String>,
    /// The task.
    pub user: String,
    /// How its answer begins, where a model can be made to begin so: a small one forgets what it was told to begin with.
    pub begin: Option<String>,
    /// How long its answer may be, in its own tokens.
    pub max_tokens: u32,
    /// How freely it chooses its words: 0 takes the likeliest each time.
    pub temperature: f64,
    /// What its choices are drawn from, where it draws any.
    pub seed: u64,
}

/// What a model wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// The answer; empty where the model had nothing to say, which is paid for as well.
    pub text: String,
    /// How many tokens the prompt had, as the model counts; nothing where it does not tell.
    pub prompt_tokens: Option<u64>,
    /// How many tokens the answer has; nothing where the model does not tell.
    pub answer_tokens: Option<u64>,
    /// What it cost, in the currency of the prices that were given: 0 without a price, nothing where there is a price and
    /// the tokens are not known.
    pub cost: Option<f64>,
}

/// What writes a text when asked to.
pub trait Writer: Sync {
    /// What a run records of it: its name and everything that its answers depend on besides the prompt.
    fn card(&self) -> Value;

    /// What its answer to a prompt depends on.
    fn basis(&self, prompt: &Prompt) -> Value {
        json!({ "model": self.card(), "prompt": prompt })
    }

    /// An answer.
    fn write(&self, prompt: &Prompt, watch: &dyn Watch) -> Result<Written, ModelError>;
}
