//! Vectors from a server.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, mpsc};

use estrange_inference::tokenizer::{Tokenizer, TokenizerError};
use serde::Deserialize;
use serde::de::{Deserializer, Visitor};
use serde_json::{Map, Value, json};

use super::Server;
use super::budget::{Estimate, tokens_of};
use super::client::{Client, Limits, Request, Unread, parse};
use super::error::ServerError;
use super::unwanted::Part;
use super::usage::{Tokens, Usage};
use crate::error::ModelError;
use crate::traits::{Embedder, Event, Item, Role, Watch};

/// What some servers do not know.
const PARTS: [Part; 1] = [Part { name: "encoding_format", instead: None }];

/// Where texts are cut.
#[derive(Debug, Clone)]
pub enum Truncation {
    /// After so many characters.
    Characters(usize),
    /// After so many tokens of a tokenizer, which should be the model's.
    Tokens {
        /// How many.
        most: usize,
        /// By which tokenizer.
        tokenizer: Arc<Tokenizer>,
    },
}

impl Truncation {
    /// Where a text is cut.
    pub(super) fn end(&self, text: &str) -> Result<usize, TokenizerError> {
        match self {
            Truncation::Characters(most) => Ok(text.char_indices().nth(*most).map_or(text.len(), |(end, _)| end)),
            Truncation::Tokens { most, tokenizer } => {
                if tokenizer.count(text)? <= *most {
                    return Ok(text.len());
                }
                let ends: Vec<usize> = text.char_indices().map(|(end, _)| end).collect();
                let (mut fits, mut too_long) = (0, ends.len());
                while too_long - fits > 1 {
                    let middle = fits.midpoint(too_long);
                    match tokenizer.count(&text[..ends[middle]])? <= *most {
                        true => fits = middle,
                        false => too_long = middle,
                    }
                }
                Ok(ends.get(fits).copied().unwrap_or(0))
            }
        }
    }
}

/// How texts are sent.
#[derive(Debug, Clone)]
pub struct EmbeddingOptions {
    /// What stands before each query.
    pub query_prefix: String,
    /// What stands before each document.
    pub document_prefix: String,
    /// Where texts, with what stands before them, are cut. Servers refuse what is too long for their model.
    pub truncation: Option<Truncation>,
    /// The length of vectors, where the model leaves a choice.
    pub dimensions: Option<u32>,
    /// What else goes along with each request; `null` takes something out.
    pub extra: Map<String, Value>,
    /// How many texts a request has at most.
    pub texts_a_request: usize,
    /// How many tokens, by our estimate, a request of several texts has at most.
    pub tokens_a_request: u64,
}

impl Default for EmbeddingOptions {
    fn default() -> Self {
        Self {
            query_prefix: String::new(),
            document_prefix: String::new(),
            truncation: None,
            dimensions: None,
            extra: Map::new(),
            texts_a_request: 64,
            tokens_a_request: 50_000,
        }
    }
}

/// A model on a server that gives vectors.
#[derive(Debug)]
pub struct Embeddings {
    client: Client,
    options: EmbeddingOptions,
    /// The length of its vectors, once one has come.
    length: OnceLock<usize>,
}

/// The texts of a request: where they are among all, and how they are sent.
struct Batch {
    start: usize,
    texts: Vec<String>,
    tokens: u64,
}

impl Embeddings {
    /// The model of this name on a server.
    pub fn new(server: Server, model: &str, options: EmbeddingOptions, limits: Limits) -> Result<Self, ServerError> {
        Ok(Self { client: Client::new(server, model, limits)?, options, length: OnceLock::new() })
    }

    /// What vectors for these texts will come to. Texts in a store need not be asked for:
    /// [`Stored::missing`](crate::store::Stored::missing).
    pub fn estimate(&self, texts: &[Item<'_>], role: Role) -> Result<Estimate, ModelError> {
        let batches = self.batches(texts, role)?;
        let tokens = batches.iter().map(|batch| batch.tokens).sum();
        let money = self.client.account.cost(Tokens { read: tokens, written: 0 });
        Ok(Estimate { requests: batches.len() as u64, texts: texts.len() as u64, tokens, money })
    }

    fn batches(&self, texts: &[Item<'_>], role: Role) -> Result<Vec<Batch>, ModelError> {
        let mut batches: Vec<Batch> = Vec::new();
        for (place, text) in texts.iter().enumerate() {
            let text = self.options.prepare(text.text, role)?;
            let tokens = tokens_of(&text);
            match batches.last_mut() {
                Some(batch)
                    if batch.texts.len() < self.options.texts_a_request
                        && batch.tokens + tokens <= self.options.tokens_a_request =>
                {
                    batch.texts.push(text);
                    batch.tokens += tokens;
                }
                _ => batches.push(Batch { start: place, texts: vec![text], tokens }),
            }
        }
        Ok(batches)
    }

    fn request(&self, batch: &Batch, watch: &dyn Watch) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut body = json!({ "model": self.client.model, "input": batch.texts, "encoding_format": "float" });
        if let Some(dimensions) = self.options.dimensions {
            body["dimensions"] = json!(dimensions);
        }
        super::add(&mut body, &self.options.extra);
        let needed = Tokens { read: batch.tokens, written: 0 };
        let read = |bytes: &[u8]| {
            let answer: Answer = parse(bytes)?;
            // Whatever else it tells, nothing was written.
            let used = Usage { written: Some(0), ..answer.usage.unwrap_or_default() };
            Ok((self.check(answer.data, batch.texts.len())?, used))
        };
        let request = Request { path: "embeddings", body: &body, parts: &PARTS, needed };
        self.client.ask(&request, read, watch).map(|(vectors, _)| vectors)
    }

    /// The vectors in the order of the texts, if each text has one, and all are of one length and of numbers.
    fn check(&self, data: Vec<Datum>, expected: usize) -> Result<Vec<Vec<f32>>, Unread> {
        if data.len() != expected {
            return Err(Unread::wrong(format!("{} vectors", data.len()), format!("{expected}")));
        }
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; expected];
        for (place, datum) in data.into_iter().enumerate() {
            let place = datum.index.unwrap_or(place);
            let length = *self.length.get_or_init(|| datum.embedding.len());
            if datum.embedding.len() != length || length == 0 {
                let values = |count: usize| format!("a vector of {count} values");
                return Err(Unread::wrong(values(datum.embedding.len()), values(length.max(1))));
            }
            if let Some(wrong) = datum.embedding.iter().position(|value| !value.0.is_finite()) {
                return Err(Unread::wrong(format!("a vector whose value {wrong} is not a finite number"), "numbers"));
            }
            if datum.embedding.iter().all(|value| value.0 == 0.0) {
                return Err(Unread::wrong("a vector of zeros", "one that points somewhere"));
            }
            match vectors.get_mut(place) {
                Some(vector @ None) => *vector = Some(datum.embedding.into_iter().map(|value| value.0).collect()),
                _ => return Err(Unread::wrong(format!("a vector for text {place}, twice or of none"), "one for each")),
            }
        }
        // As many as texts, none of them twice: each is there.
        Ok(vectors.into_iter().flatten().collect())
    }
}

impl EmbeddingOptions {
    /// A text as it is sent. Servers refuse an empty one, so that it becomes a blank.
    fn prepare(&self, text: &str, role: Role) -> Result<String, ModelError> {
        let prefix = match role {
            Role::Query => &self.query_prefix,
            Role::Document => &self.document_prefix,
        };
        let mut text = format!("{prefix}{text}");
        if let Some(truncation) = &self.truncation {
            text.truncate(truncation.end(&text)?);
        }
        if text.is_empty() {
            text.push(' ');
        }
        Ok(text)
    }
}

impl Embedder for Embeddings {
    fn card(&self) -> Value {
        let truncation = match &self.options.truncation {
            None => Value::Null,
            Some(Truncation::Characters(most)) => json!({ "characters": most }),
            Some(Truncation::Tokens { most, tokenizer }) => json!({ "tokens": most, "tokenizer": tokenizer.hash() }),
        };
        json!({
            "model": format!("openai:{}", self.client.model),
            "server": self.client.server.address,
            "query_prefix": self.options.query_prefix,
            "document_prefix": self.options.document_prefix,
            "truncation": truncation,
            "dimensions": self.options.dimensions,
            "extra": self.options.extra,
        })
    }

    fn basis(&self, role: Role) -> Value {
        let mut card = self.card();
        let of_other_role = match role {
            Role::Query => "document_prefix",
            Role::Document => "query_prefix",
        };
        card.as_object_mut().and_then(|card| card.remove(of_other_role));
        card
    }

    fn embed(&self, texts: &[Item<'_>], role: Role, watch: &dyn Watch) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut vectors = vec![Vec::new(); texts.len()];
        self.embed_each(texts, role, watch, &mut |place, vector| {
            vectors[place] = vector;
            Ok(())
        })?;
        Ok(vectors)
    }

    /// After a failure, what is on its way is still waited for and handed over: it is paid.
    fn embed_each(
        &self,
        texts: &[Item<'_>],
        role: Role,
        watch: &dyn Watch,
        receive: &mut dyn FnMut(usize, Vec<f32>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        let batches = self.batches(texts, role)?;
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let until = UntilFailed { watch, failed: &failed };
        let (sender, receiver) = mpsc::channel();
        let mut first_error = None;
        std::thread::scope(|scope| {
            for _ in 0..self.client.at_a_time().min(batches.len()) {
                let sender = sender.clone();
                let (batches, next, until) = (&batches, &next, &until);
                scope.spawn(move || {
                    while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let answer = self.request(batch, until);
                        let is_last = answer.is_err();
                        // Who receives outlives all who send.
                        let _ = sender.send((batch.start, answer));
                        if is_last {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (start, answer) in receiver {
                let received = answer.and_then(|vectors| {
                    let count = vectors.len();
                    vectors.into_iter().enumerate().try_for_each(|(place, vector)| receive(start + place, vector))?;
                    watch.done(count);
                    Ok(())
                });
                if let Err(error) = received {
                    failed.store(true, Ordering::Relaxed);
                    // The first is the reason; the others stopped because of it.
                    first_error.get_or_insert(error);
                }
            }
        });
        first_error.map_or(Ok(()), Err)
    }
}

/// Somebody who watches, for requests that end where another one failed.
struct UntilFailed<'a> {
    watch: &'a dyn Watch,
    failed: &'a AtomicBool,
}

impl Watch for UntilFailed<'_> {
    fn done(&self, texts: usize) {
        self.watch.done(texts);
    }

    fn should_stop(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.watch.should_stop()
    }

    fn happened(&self, event: Event<'_>) {
        self.watch.happened(event);
    }
}

/// What `/embeddings` answers.
#[derive(Deserialize)]
struct Answer {
    data: Vec<Datum>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Datum {
    index: Option<usize>,
    embedding: Vec<Number>,
}

/// A number, or what servers write in the place of NaN: `null`, `"NaN"`.
struct Number(f32);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Number;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number")
            }

            fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
                Ok(Number(value as f32))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f32))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f32))
            }

            fn visit_unit<E>(self) -> Result<Number, E> {
                Ok(Number(f32::NAN))
            }

            fn visit_str<E>(self, _: &str) -> Result<Number, E> {
                Ok(Number(f32::NAN))
            }
        }
        deserializer.deserialize_any(Any)
    }
}
