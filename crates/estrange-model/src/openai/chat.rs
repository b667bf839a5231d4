//! Texts from a server.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Server;
use super::budget::{Estimate, tokens_of};
use super::client::{Client, Limits, Request, parse};
use super::error::ServerError;
use super::unwanted::Part;
use super::usage::{Tokens, Usage};
use crate::error::ModelError;
use crate::traits::Watch;
use crate::writer::{Prompt, Writer, Written};

/// What models that think before they answer do not want, and what some servers do not know.
const PARTS: [Part; 3] = [
    Part { name: "max_tokens", instead: Some("max_completion_tokens") },
    Part { name: "temperature", instead: None },
    Part { name: "seed", instead: None },
];

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
        let requests = prompts.len() as u64;
        Estimate { requests, texts: requests, tokens: tokens.sum(), money: self.client.account.cost(tokens) }
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

    fn write(&self, prompt: &Prompt, watch: &dyn Watch) -> Result<Written, ModelError> {
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
            // A model that thought for too long, or will not speak of something, has nothing to say: that is an answer,
            // and was paid.
            let text = answer.choices.into_iter().next().and_then(|choice| choice.message.content);
            Ok((text.unwrap_or_default(), answer.usage.unwrap_or_default()))
        };
        let request = Request { path: "chat/completions", body: &body, parts: &PARTS, needed: needed(prompt) };
        let (text, used) = self.client.ask(&request, read, watch)?;
        let cost = self.client.account.cost_of(used);
        Ok(Written { text, prompt_tokens: used.read, answer_tokens: used.written, cost })
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
