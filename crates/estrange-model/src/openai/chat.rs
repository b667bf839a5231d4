//! Texts from a server.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Server;
use super::budget::{Estimate, Tokens, tokens_of};
use super::client::{Client, Limits, Unread, parse};
use super::error::ServerError;
use crate::error::ModelError;
use crate::writer::{Prompt, Writer, Written};

/// A model on a server that writes. Threads may share it.
#[derive(Debug)]
pub struct Chat {
    client: Client,
    extra: Map<String, Value>,
}

impl Chat {
    /// The model of this name on a server. `extra` goes along with each request; `null` takes something out, such as
    /// `max_tokens` for models that call it `max_completion_tokens`.
    pub fn new(server: Server, model: &str, extra: Map<String, Value>, limits: Limits) -> Result<Self, ServerError> {
        Ok(Self { client: Client::new(server, model, limits)?, extra })
    }

    /// What answers to these prompts will come to, if all are as long as they may be.
    pub fn estimate(&self, prompts: &[Prompt]) -> Estimate {
        let add =
            |sum: Tokens, each: Tokens| Tokens { read: sum.read + each.read, written: sum.written + each.written };
        let tokens = prompts.iter().map(needed).fold(Tokens::default(), add);
        Estimate { requests: prompts.len() as u64, tokens: tokens.sum(), money: self.client.purse.cost(tokens) }
    }
}

/// What a prompt and its answer may take. Around each message there are some tokens more.
fn needed(prompt: &Prompt) -> Tokens {
    const AROUND: u64 = 16;
    let read = tokens_of(&prompt.user) + prompt.system.as_deref().map_or(0, tokens_of) + AROUND;
    Tokens { read, written: u64::from(prompt.max_tokens) }
}

impl Writer for Chat {
    fn card(&self) -> Value {
        json!({
            "model": format!("openai:{}", self.client.model),
            "server": self.client.server.address,
            "extra": self.extra,
        })
    }

    fn write(&self, prompt: &Prompt) -> Result<Written, ModelError> {
        let system = prompt.system.as_ref().map(|text| json!({ "role": "system", "content": text }));
        let messages: Vec<Value> =
            system.into_iter().chain([json!({ "role": "user", "content": prompt.user })]).collect();
        let mut body = json!({
            "model": self.client.model,
            "messages": messages,
            "max_tokens": prompt.max_tokens,
            "temperature": prompt.temperature,
            "seed": prompt.seed,
        });
        super::add(&mut body, &self.extra);
        let read = |bytes: &[u8]| {
            let answer: Answer = parse(bytes)?;
            let text = answer.choices.into_iter().next().and_then(|choice| choice.message.content);
            let text = text.filter(|text| !text.trim().is_empty());
            let used = answer.usage.map(|usage| Tokens { read: usage.prompt_tokens, written: usage.completion_tokens });
            Ok((text.ok_or_else(|| Unread::wrong("an answer without a text", "a text"))?, used))
        };
        let (text, used) = self.client.ask("chat/completions", &body, needed(prompt), read, &|| false)?;
        Ok(Written { text, prompt_tokens: used.read, answer_tokens: used.written, cost: self.client.purse.cost(used) })
    }
}

/// What `/chat/completions` answers.
#[derive(Deserialize)]
struct Answer {
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}
