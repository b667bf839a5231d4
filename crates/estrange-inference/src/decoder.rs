//! Language models in GGUF format: `local:FILE.gguf`.
//!
//! The Llama family is known: see [`LanguageModel::open`]. Everything about a model is read from its file, its tokenizer
//! and chat template included. Weights stay quantised in memory as they are in the file. An answer depends on nothing but
//! the prompt and the model, and on the processor only by the rounding of a few functions.
//!
//! | what | where |
//! |---|---|
//! | what a model's file says | `gguf`, `tensors` |
//! | its element types, and how matrices of them lie in memory | `quantized`, `packed` |
//! | the forward pass | `llama`, with `matrix`, `attention` and `elementwise` |
//! | registers of any processor | `lanes` |
//! | its tokenizer and chat template | `chat` |
//! | which token follows | `sampler` |

mod attention;
mod chat;
mod elementwise;
mod gguf;
mod lanes;
mod llama;
mod matrix;
mod packed;
mod quantized;
mod sampler;
mod tensors;
#[cfg(test)]
mod tests;

use std::io::ErrorKind;
use std::path::Path;

use serde_json::{Value, json};

use self::{
    chat::Chat,
    gguf::Gguf,
    llama::{Config, ConfigError, Llama},
    sampler::Sampler,
    tensors::Tensors,
};
use crate::cpu::Cpu;
use crate::error::{LocalError, RunError};
use crate::progress::Progress;

/// The only architecture that is known, as files name it.
const ARCHITECTURE: &str = "llama";

/// A language model on this machine.
pub struct LanguageModel {
    card: Value,
    context_length: usize,
    chat: Chat,
    model: Llama,
}

/// What a model is asked to write.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The system message; if there is none, the model's own.
    pub system: Option<&'a str>,
    /// The user's message.
    pub user: &'a str,
    /// How the answer begins.
    pub begin: Option<&'a str>,
    /// How many tokens more the answer may have.
    pub max_tokens: usize,
    /// 0 takes the likeliest token each time; above it, tokens are drawn.
    pub temperature: f64,
    /// The seed of the draws.
    pub seed: u64,
}

/// What a model wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generated {
    /// What comes after the beginning that was given.
    pub text: String,
    /// How many tokens the prompt had.
    pub prompt_tokens: usize,
    /// How many tokens were written.
    pub answer_tokens: usize,
}

impl LanguageModel {
    /// Opens a model's file: of the Llama family, with a byte-level BPE tokenizer and a ChatML template.
    pub fn open(path: &Path) -> Result<Self, LocalError> {
        let bytes = std::fs::read(path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => LocalError::NoFile { path: path.into() },
            ErrorKind::IsADirectory => LocalError::NotGguf { path: path.into() },
            _ => LocalError::Unreadable { path: path.into(), error },
        })?;
        if !Gguf::begins(&bytes) {
            return Err(LocalError::NotGguf { path: path.into() });
        }
        let hash = blake3::hash(&bytes).to_hex().to_string();
        let malformed = |reason| LocalError::Malformed { path: path.into(), reason };
        let file = Gguf::read(bytes).map_err(malformed)?;
        let found = file.text("general.architecture").unwrap_or("unknown").to_owned();
        if found != ARCHITECTURE {
            return Err(LocalError::Architecture { model: path.into(), found, known: ARCHITECTURE.to_owned() });
        }
        let chat = Chat::read(path, &file)?;
        let config = Config::read(&file, chat.vocab_size).map_err(|error| match error {
            ConfigError::Missing(key) => malformed(format!("it does not say {key}")),
            ConfigError::Unsupported(what) => LocalError::Unsupported { model: path.into(), what },
        })?;
        let mut tensors = Tensors::new(path, &file);
        let model = Llama::new(Cpu::detect(), config, &mut tensors)?;
        tensors.all_taken()?;
        let card = json!({
            "model": format!("local:{}", path.file_stem().unwrap_or_default().to_string_lossy()),
            "name": file.text("general.name"),
            "hash": hash,
            "architecture": found,
            "quantisation": file.dtypes(),
            "context": config.context_length,
        });
        Ok(Self { card, context_length: config.context_length, chat, model })
    }

    /// What a run records of it: its name and everything that its answers depend on besides the prompt.
    pub fn card(&self) -> &Value {
        &self.card
    }

    /// Writes an answer.
    pub fn generate(&self, request: &Request<'_>, progress: &Progress<'_>) -> Result<Generated, RunError> {
        let mut tokens = self.chat.prompt(request.system, request.user, request.begin)?;
        let (prompt_tokens, max_tokens) = (tokens.len(), request.max_tokens);
        if prompt_tokens + max_tokens > self.context_length {
            return Err(RunError::TooLong { prompt: prompt_tokens, answer: max_tokens, context: self.context_length });
        }
        let mut sampler = Sampler::new(request.temperature, request.seed);
        let mut state = self.model.state();
        let mut read = 0;
        while tokens.len() < prompt_tokens + max_tokens {
            // A long prompt is read in parts, so that nobody who wants an end waits for all of it.
            while read < tokens.len() {
                if progress(0).is_break() {
                    return Err(RunError::Stopped);
                }
                let end = (read + llama::BATCH).min(tokens.len());
                self.model.read(&tokens[read..end], &mut state);
                read = end;
            }
            let token = sampler.sample(&self.model.logits(&state)).map_err(|value| RunError::NotFinite { value })?;
            if self.chat.ends(token) {
                break;
            }
            tokens.push(token);
        }
        let answer = &tokens[prompt_tokens..];
        Ok(Generated { text: self.chat.text(answer)?, prompt_tokens, answer_tokens: answer.len() })
    }
}
