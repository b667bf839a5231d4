//! Language models in GGUF format, computed on this machine: `local:FILE.gguf`.
//!
//! The Llama family is known: see [`LanguageModel::open`]. Everything about a model is read from its file, its tokenizer
//! and the form of a conversation with it included. An answer depends on nothing but the prompt and the model, and on the
//! machine only by rounding. One answer takes one thread; several may ask at once.
//!
//! | what | where |
//! |---|---|
//! | what a model's file says | `gguf` |
//! | its numbers | `numbers`, `weights` |
//! | what it computes | `llama`, with `attention` |
//! | its tokens, and what is said to it | `dialogue` |
//! | which token it takes next | `choice` |
//!
//! Products and vector instructions are those of [`crate::local`].

mod attention;
mod choice;
mod dialogue;
mod gguf;
mod llama;
mod numbers;
#[cfg(test)]
mod tests;
mod weights;

use std::io::ErrorKind;
use std::path::Path;

use serde_json::{Value, json};

use self::{
    choice::Choice,
    dialogue::Dialogue,
    gguf::Gguf,
    llama::{Llama, Shape},
    weights::Weights,
};
use crate::error::ModelError;
use crate::local::{LocalError, machine::Machine};
use crate::traits::Watch;
use crate::writer::{Prompt, Writer, Written};

/// The only architecture that is known, as files name it.
const ARCHITECTURE: &str = "llama";

/// A language model on this machine.
pub struct LanguageModel {
    card: Value,
    name: String,
    shape: Shape,
    dialogue: Dialogue,
    model: Llama,
}

impl LanguageModel {
    /// Opens a model's file: of the Llama family, with a byte-level BPE tokenizer, for conversations in ChatML.
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
        let file = Gguf::read(bytes).map_err(|reason| LocalError::Malformed { path: path.into(), reason })?;
        let found = file.text("general.architecture").unwrap_or("unknown").to_owned();
        if found != ARCHITECTURE {
            return Err(LocalError::Architecture { model: path.into(), found, known: ARCHITECTURE.to_owned() });
        }
        let dialogue = Dialogue::read(path, &file)?;
        let shape = shape(path, &file, dialogue.vocabulary)?;
        let mut weights = Weights::new(path, &file);
        let model = Llama::new(Machine::detect(), shape, &mut weights)?;
        weights.all_taken()?;
        let name = format!("local:{}", path.file_stem().unwrap_or_default().to_string_lossy());
        let card = json!({
            "model": name,
            "name": file.text("general.name"),
            "hash": hash,
            "architecture": found,
            "quantisation": file.kinds(),
            "context": shape.context,
        });
        Ok(Self { card, name, shape, dialogue, model })
    }
}

impl LanguageModel {
    /// Adds tokens to a text until there are `most`, or the model ends it.
    ///
    /// To read a token costs as much as to read a panel full of them. So what comes after the last token is guessed, and
    /// read along with it: where the guess was right, the tokens after it are there already. What is written is the same.
    fn go_on(
        &self,
        tokens: &mut Vec<u32>,
        most: usize,
        choice: &mut Choice,
        watch: &dyn Watch,
    ) -> Result<(), ModelError> {
        let mut text = self.model.text(most);
        let read = tokens.len() - 1;
        self.model.read(&tokens[..read], &mut text);
        while tokens.len() < most {
            if watch.should_stop() {
                return Err(ModelError::Stopped);
            }
            let read = tokens.len() - 1;
            let guess = guess(tokens, (self.model.at_once() - 1).min(most - tokens.len()));
            let asked: Vec<u32> = tokens[read..].iter().chain(&guess).copied().collect();
            let expected = self.model.expect(&asked, &mut text);
            for place in 0..asked.len() {
                let token = choice.of(&expected.after(place)).ok_or_else(|| self.no_number())?;
                if self.dialogue.ends(token) {
                    return Ok(());
                }
                tokens.push(token);
                if guess.get(place) != Some(&token) || tokens.len() == most {
                    break;
                }
            }
            text.keep(tokens.len() - 1);
        }
        Ok(())
    }

    fn no_number(&self) -> ModelError {
        ModelError::WrongAnswer {
            model: self.name.clone(),
            given: "no number".to_owned(),
            expected: "how likely each token is".to_owned(),
        }
    }
}

/// What may come next in a text, at most so many tokens: what came the last time after the same two, again and again.
fn guess(tokens: &[u32], most: usize) -> Vec<u32> {
    let Some((before, last)) = tokens.split_last_chunk::<2>() else { return Vec::new() };
    let earlier = before.windows(2).rposition(|pair| pair == last).map(|place| place + 2);
    earlier.map_or_else(Vec::new, |place| tokens[place..].iter().copied().cycle().take(most).collect())
}

impl Writer for LanguageModel {
    fn card(&self) -> Value {
        self.card.clone()
    }

    fn basis(&self, prompt: &Prompt) -> Value {
        // What draws nothing does not depend on what is drawn from.
        let seed = if prompt.temperature > 0.0 { prompt.seed } else { 0 };
        json!({ "model": self.card, "prompt": Prompt { seed, ..prompt.clone() } })
    }

    fn write(&self, prompt: &Prompt, watch: &dyn Watch) -> Result<Written, ModelError> {
        let most = prompt.max_tokens as usize;
        let mut tokens = self.dialogue.prompt(prompt)?;
        let first = tokens.len();
        if first + most > self.shape.context {
            let (model, context) = (self.name.clone(), self.shape.context);
            return Err(ModelError::TooLong { model, prompt: first, answer: most, context });
        }
        self.go_on(&mut tokens, first + most, &mut Choice::new(prompt.temperature, prompt.seed), watch)?;
        let answer = &tokens[first..];
        let text = prompt.begin.clone().unwrap_or_default() + &self.dialogue.text(answer)?;
        let (prompt_tokens, answer_tokens) = (Some(first as u64), Some(answer.len() as u64));
        Ok(Written { text, prompt_tokens, answer_tokens, cost: Some(0.0) })
    }
}

/// How large a file says that its model is.
fn shape(path: &Path, file: &Gguf, vocabulary: usize) -> Result<Shape, LocalError> {
    let key = |name: &str| format!("{ARCHITECTURE}.{name}");
    let count = |name: &str| {
        let missing = || LocalError::Malformed { path: path.into(), reason: format!("it does not say {}", key(name)) };
        file.count(&key(name)).ok_or_else(missing)
    };
    let (dimensions, heads) = (count("embedding_length")?, count("attention.head_count")?);
    let head = file.count(&key("attention.key_length")).unwrap_or(dimensions / heads.max(1));
    let shape = Shape {
        vocabulary,
        context: count("context_length")?,
        dimensions,
        layers: count("block_count")?,
        heads,
        key_heads: file.count(&key("attention.head_count_kv")).unwrap_or(heads),
        head,
        turned: file.count(&key("rope.dimension_count")).unwrap_or(head),
        base: file.number(&key("rope.freq_base")).unwrap_or(10_000.0),
        hidden: count("feed_forward_length")?,
        epsilon: file.number(&key("attention.layer_norm_rms_epsilon")).unwrap_or(1e-5) as f32,
    };
    let scaled = file.text(&key("rope.scaling.type")).filter(|kind| *kind != "none");
    let scaled = scaled.map(|kind| format!("positions that are scaled as {kind}"));
    match shape.fault().map(str::to_owned).or(scaled) {
        Some(what) => Err(LocalError::Unsupported { model: path.into(), what }),
        None => Ok(shape),
    }
}
