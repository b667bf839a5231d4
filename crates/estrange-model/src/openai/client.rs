//! Requests to a server: made again where that may help, at the pace and within the budget that are allowed.

use std::time::Duration;

use estrange_http::retry::{self, Backoff};
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::Agent;
use ureq::http::{StatusCode, header};

use super::Server;
use super::budget::{Account, Budget, Price};
use super::error::ServerError;
use super::limiter::{self, RateLimiter, Semaphore};
use super::unwanted::{Part, Unwanted};
use super::usage::{Tokens, Usage};
use crate::error::ModelError;
use crate::traits::{Event, Watch};

/// The longest answer that is read.
const LONGEST: u64 = 256 * 1024 * 1024;
/// How long it may take until somebody is there at all.
const CONNECT: Duration = Duration::from_secs(20);
/// How much of an answer is shown where it says something else than expected.
const SHOWN: usize = 300;

/// How fast, how often and for how much a server may be asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// How many requests may be on their way at a time.
    pub at_a_time: usize,
    /// How many requests may go in a minute.
    pub requests_a_minute: Option<u32>,
    /// How many tokens may go in a minute.
    pub tokens_a_minute: Option<u64>,
    /// How long a request may take.
    pub timeout: Duration,
    /// How often a request is made, if it fails each time.
    pub attempts: u32,
    /// How often a request is made that nobody answers in time. Each of these takes long.
    pub silences: u32,
    /// The pause after the first failure. It doubles each time.
    pub first_pause: Duration,
    /// The longest pause, unless the server asks for a longer one.
    pub longest_pause: Duration,
    /// The longest pause that a server may ask for. If it asks for more, the run ends.
    pub longest_wait: Duration,
    /// What may be spent.
    pub budget: Budget,
    /// What tokens cost.
    pub price: Option<Price>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            at_a_time: 4,
            requests_a_minute: None,
            tokens_a_minute: None,
            timeout: Duration::from_secs(120),
            attempts: 6,
            silences: 3,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
            longest_wait: Duration::from_secs(120),
            budget: Budget::default(),
            price: None,
        }
    }
}

/// A model on a server.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) server: Server,
    pub(super) model: String,
    agent: Agent,
    limits: Limits,
    rate: RateLimiter,
    in_flight: Semaphore,
    pub(super) account: Account,
    unwanted: Unwanted,
}

/// A request.
pub(super) struct Request<'a> {
    /// Where, behind the server's address.
    pub(super) path: &'static str,
    /// What is asked.
    pub(super) body: &'a Value,
    /// What of it a server may not want.
    pub(super) parts: &'a [Part],
    /// The tokens that it may take.
    pub(super) needed: Tokens,
}

/// Why an answer cannot be used.
pub(super) enum Unread {
    /// It is not JSON: something broke on the way, and another attempt may help.
    Malformed(String),
    /// It is whole, but says something that it may not. Another attempt would cost as much, and say the same.
    Wrong { given: String, expected: String },
}

impl Unread {
    pub(super) fn wrong(given: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::Wrong { given: given.into(), expected: expected.into() }
    }
}

/// Reads an answer that should be of this form.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unread> {
    serde_json::from_slice(bytes).map_err(|error| match error.is_data() {
        true => Unread::wrong(format!("another form of answer ({error})"), "OpenAI's"),
        false => Unread::Malformed(error.to_string()),
    })
}

/// How one attempt ended.
enum Attempt {
    Answered(Vec<u8>),
    /// It may go better the next time, perhaps after a time that the server asks for.
    Failed {
        detail: String,
        wait: Option<Duration>,
        may_have_cost: bool,
        /// Nobody answered in time.
        is_silence: bool,
    },
}

impl Client {
    pub(super) fn new(server: Server, model: &str, limits: Limits) -> Result<Self, ServerError> {
        let account = Account::new(limits.budget, limits.price)?;
        let mut config = estrange_http::client()
            // A key goes nowhere but where it belongs.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(limits.timeout))
            .timeout_connect(Some(CONNECT.min(limits.timeout)));
        if server.is_here() {
            config = config.proxy(None);
        }
        Ok(Self {
            agent: config.build().new_agent(),
            rate: RateLimiter::new(limits.requests_a_minute, limits.tokens_a_minute),
            in_flight: Semaphore::new(limits.at_a_time),
            account,
            unwanted: Unwanted::default(),
            model: model.to_owned(),
            server,
            limits,
        })
    }

    /// How many requests may be on their way at a time.
    pub(super) fn at_a_time(&self) -> usize {
        self.limits.at_a_time.max(1)
    }

    /// Makes a request until it is answered. `read` gives the answer, and how many tokens the server says it was.
    pub(super) fn ask<T>(
        &self,
        request: &Request<'_>,
        read: impl Fn(&[u8]) -> Result<(T, Usage), Unread>,
        watch: &dyn Watch,
    ) -> Result<(T, Usage), ModelError> {
        let Request { path, parts, needed, .. } = *request;
        let should_stop = &|| watch.should_stop();
        let mut sent = self.unwanted.leave_out(request.body, parts);
        let mut body = sent.to_string();
        let mut attempt = 1;
        let mut silences = 0;
        loop {
            let permit = self.in_flight.acquire();
            if !self.rate.wait(needed.sum(), should_stop) {
                return Err(ModelError::Stopped);
            }
            self.account.reserve(needed)?;
            watch.happened(Event::Asked);
            let ended = self.attempt(path, &body);
            watch.happened(Event::Returned);
            drop(permit);
            let (detail, wait) = match ended {
                Ok(Attempt::Answered(bytes)) => match read(&bytes) {
                    Ok((answer, used)) => {
                        self.account.settle(needed, used.or(needed));
                        return Ok((answer, used));
                    }
                    Err(Unread::Wrong { given, expected }) => return Err(self.wrong(given, expected)),
                    Err(Unread::Malformed(detail)) if attempt >= self.limits.attempts => {
                        return Err(self.wrong(format!("what is not JSON ({detail})"), "JSON".to_owned()));
                    }
                    Err(Unread::Malformed(detail)) => (format!("an answer that is not JSON: {detail}"), None),
                },
                Ok(Attempt::Failed { detail, wait, may_have_cost, is_silence }) => {
                    if !may_have_cost {
                        self.account.settle(needed, Tokens::default());
                    }
                    silences += u32::from(is_silence);
                    (detail, wait)
                }
                Err(error) => {
                    self.account.settle(needed, Tokens::default());
                    let learnt = self.unwanted.learn(&error, &sent, parts);
                    let without = self.unwanted.leave_out(request.body, parts);
                    match learnt.filter(|_| without != sent) {
                        None => return Err(error.into()),
                        Some(part) => watch.happened(Event::Unwanted { parameter: part.name, instead: part.instead }),
                    }
                    (body, sent) = (without.to_string(), without);
                    continue;
                }
            };
            tracing::debug!(path, attempt, detail, "a request failed");
            if let Some(wait) = wait.filter(|wait| *wait > self.limits.longest_wait) {
                return Err(ServerError::Later { address: self.address(path), wait }.into());
            }
            if attempt >= self.limits.attempts || silences >= self.limits.silences.max(1) {
                return Err(ServerError::NoAnswer { address: self.address(path), attempts: attempt, detail }.into());
            }
            // Who is told to wait speaks for all.
            wait.into_iter().for_each(|wait| self.rate.pause(wait));
            let Limits { first_pause, longest_pause, .. } = self.limits;
            let backoff = Backoff { first: first_pause, longest: longest_pause };
            let pause = backoff.pause(attempt, body.as_bytes());
            watch.happened(Event::Again { detail: &detail, attempt, pause: wait.unwrap_or(pause) });
            if wait.is_none() && !limiter::wait(pause, should_stop) {
                return Err(ModelError::Stopped);
            }
            attempt += 1;
        }
    }

    fn attempt(&self, path: &str, body: &str) -> Result<Attempt, ServerError> {
        let mut request = self.agent.post(self.address(path)).header(header::CONTENT_TYPE, "application/json");
        if let Some(key) = &self.server.key {
            request = request.header(header::AUTHORIZATION, format!("Bearer {key}"));
        }
        // Where nothing came back, nobody knows whether the server did the work.
        let failed = |error: ureq::Error| match error {
            ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::InvalidProxyUrl => {
                Err(ServerError::Address { address: self.server.address.clone(), detail: error.to_string() })
            }
            _ => {
                let is_silence = matches!(error, ureq::Error::Timeout(_));
                let detail = match error {
                    ureq::Error::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
                        "nobody is there".to_owned()
                    }
                    ureq::Error::Timeout(_) => format!("no answer in {} s", self.limits.timeout.as_secs_f64()),
                    _ => error.to_string(),
                };
                Ok(Attempt::Failed { detail, wait: None, may_have_cost: true, is_silence })
            }
        };
        let mut response = match request.send(body) {
            Ok(response) => response,
            Err(error) => return failed(error),
        };
        let status = response.status();
        let wait = retry::retry_after(&response);
        let bytes = match response.body_mut().with_config().limit(LONGEST).read_to_vec() {
            Ok(bytes) => bytes,
            Err(error) if status.is_success() => return failed(error),
            Err(_) => Vec::new(),
        };
        if status.is_success() {
            return Ok(Attempt::Answered(bytes));
        }
        if status.is_redirection() {
            let to = response.headers().get(header::LOCATION).and_then(|to| to.to_str().ok());
            let to = to.unwrap_or("nowhere that it names").to_owned();
            return Err(ServerError::Redirected { address: self.address(path), status: status.as_u16(), to });
        }
        let (message, parameter) = message(&bytes);
        // Without money on the account, no pause helps.
        let has_no_quota = status == StatusCode::TOO_MANY_REQUESTS && message.contains("insufficient_quota");
        if retry::is_transient(status) && !has_no_quota {
            let detail = format!("{status}: {message}");
            return Ok(Attempt::Failed { detail, wait, may_have_cost: false, is_silence: false });
        }
        Err(ServerError::Refused { address: self.address(path), status: status.as_u16(), message, parameter })
    }

    fn address(&self, path: &str) -> String {
        format!("{}/{path}", self.server.address)
    }

    /// The error for an answer that cannot be right.
    pub(super) fn wrong(&self, given: String, expected: String) -> ModelError {
        ModelError::WrongAnswer { model: format!("openai:{}", self.model), given, expected }
    }
}

/// What a server says about an error, in the forms that servers have for it, or the beginning of whatever it says. The
/// code comes along, if there is one. And which part of the request it is about, where it says so.
fn message(body: &[u8]) -> (String, Option<String>) {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let error = value.get("error").unwrap_or(&value);
    let text = ["message", "detail"].iter().find_map(|name| error.get(name)?.as_str()).or(error.as_str());
    let message = match (text, error.get("code").and_then(Value::as_str)) {
        (Some(text), Some(code)) => format!("{text} ({code})"),
        (Some(text), None) => text.to_owned(),
        _ => String::from_utf8_lossy(body).trim().to_owned(),
    };
    let message = match message.char_indices().nth(SHOWN) {
        _ if message.is_empty() => "without a word".to_owned(),
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    };
    (message, error.get("param").and_then(Value::as_str).map(str::to_owned))
}
