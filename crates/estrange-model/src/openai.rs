//! Models behind any server that speaks OpenAI's protocol: vectors from `/embeddings`, texts from `/chat/completions`.
//!
//! The server's address and key come from the environment, `OPENAI_BASE_URL` and `OPENAI_API_KEY`.
//!
//! A request that fails for reasons that may pass (the server has too much to do, breaks down, is silent, or the line is
//! cut) is made again after a pause, which grows, or after as long as the server asks for. One that the server refuses
//! is not. What comes is checked before it counts. Within the [`Limits`] there are bounds on speed, tokens and money, and
//! [`Embeddings::estimate`] and [`Chat::estimate`] tell beforehand what a run will come to.
//!
//! [`Stored`](crate::store::Stored) keeps what was answered: each request's answer as soon as it is there.

mod budget;
mod chat;
mod client;
mod embeddings;
mod error;
mod limiter;
#[cfg(test)]
mod tests;
mod unwanted;
mod usage;

use std::fmt;

use serde_json::{Map, Value};

pub use budget::{Budget, Estimate, Price};
pub use chat::Chat;
pub use client::Limits;
pub use embeddings::{EmbeddingOptions, Embeddings, Truncation};
pub use error::ServerError;
pub use usage::Tokens;

/// Where a server is, and what opens it.
#[derive(Clone, PartialEq, Eq)]
pub struct Server {
    address: String,
    key: Option<String>,
}

impl Server {
    /// Where OpenAI itself is.
    const DEFAULT: &str = "https://api.openai.com/v1";

    /// The server that the environment names; OpenAI's own, if it names only a key.
    pub fn from_environment() -> Result<Self, ServerError> {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    /// As [`from_environment`](Self::from_environment), with another environment.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self, ServerError> {
        let variable =
            |name: &str| variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let key = variable("OPENAI_API_KEY");
        match (variable("OPENAI_BASE_URL"), key) {
            (None, None) => Err(ServerError::NotConfigured),
            (address, key) => Self::new(&address.unwrap_or_else(|| Self::DEFAULT.to_owned()), key),
        }
    }

    /// The server at an address, such as `http://127.0.0.1:8080/v1`. A server on this machine may do without a key.
    pub fn new(address: &str, key: Option<String>) -> Result<Self, ServerError> {
        let wrong = |detail: &str| ServerError::Address { address: address.to_owned(), detail: detail.to_owned() };
        let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
        let host = rest.ok_or_else(|| wrong("it begins with neither http:// nor https://"))?.split('/').next();
        match host {
            None | Some("") => Err(wrong("it names no host")),
            // Addresses are recorded, and what opens a server must not be.
            Some(host) if host.contains('@') => Err(ServerError::Address {
                address: "the address".to_owned(),
                detail: "it has a user's name in it; a key belongs into OPENAI_API_KEY".to_owned(),
            }),
            _ if address.contains(['?', '#']) => Err(wrong("it has a query or a fragment")),
            Some(_) => Ok(Self { address: address.trim_end_matches('/').to_owned(), key }),
        }
    }

    /// Whether it is on this machine.
    fn is_here(&self) -> bool {
        let host = self.address.split("://").nth(1).unwrap_or_default();
        ["127.", "localhost", "[::1]"].iter().any(|here| host.starts_with(here))
    }
}

impl fmt::Debug for Server {
    /// Without the key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Adds to a request what goes along with each; `null` takes something out.
fn add(body: &mut Value, extra: &Map<String, Value>) {
    for (name, value) in extra {
        match (body.as_object_mut(), value) {
            (Some(body), Value::Null) => drop(body.remove(name)),
            (Some(body), value) => drop(body.insert(name.clone(), value.clone())),
            (None, _) => (),
        }
    }
}
