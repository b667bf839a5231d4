//! Sentence-embedding models in Hugging Face layout, computed on this machine: `local:DIR`.
//!
//! The BERT family is known: see [`Local::open`]. Everything about a model is read from its own files; what they may
//! lack is in `layout`. A text's vector depends on nothing but the text and the model: not on the texts beside it,
//! not on the number of threads, and on the machine only by rounding.
//!
//! | what | where |
//! |---|---|
//! | what a model's files say | `layout`, `family` |
//! | its numbers | `weights` |
//! | what it computes | `bert`, then `pooling` |
//! | products, attention, normalisation for many tokens at once | `matrix`, `attention`, `norm` |
//! | the vector instructions that these are computed with | `machine` |
//! | which texts are computed together | `chunks` |

pub(crate) mod aligned;
pub(crate) mod attention;
mod bert;
mod chunks;
mod error;
mod family;
mod layout;
pub(crate) mod machine;
pub(crate) mod matrix;
mod norm;
mod pooling;
#[cfg(test)]
mod tests;
mod weights;

use std::path::{Path, PathBuf};

use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};
use serde_json::{Value, json};
use tokenizers::{Tokenizer, TruncationParams};

pub use self::error::LocalError;
use self::{
    bert::{Bert, Room, Tokens},
    layout::Layout,
    machine::Machine,
    weights::Weights,
};
use crate::{
    error::ModelError,
    traits::{Embedder, Item, Role, Watch},
};

/// So many tokens are computed together where there are enough: their values stay in a core's cache, and each weight
/// that is fetched is used for all of them.
const CHUNK: usize = 256;

/// What can be chosen about a model.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What is put before each query; if it is not given, what the model's files say.
    pub query_prefix: Option<String>,
    /// What is put before each document; if it is not given, what the model's files say.
    pub document_prefix: Option<String>,
    /// After how many tokens a text is cut off, those counted that the model adds; if it is not given, what the model's
    /// files say. More than the model has positions for counts as that many.
    pub max_tokens: Option<usize>,
    /// How many threads work; if it is not given, as many as the machine has cores.
    pub threads: Option<usize>,
}

/// A sentence-embedding model on this machine.
pub struct Local {
    name: String,
    hash: String,
    layout: Layout,
    tokenizer: Tokenizer,
    model: Bert,
    threads: ThreadPool,
}

impl Local {
    /// Opens a model's folder: BERT, RoBERTa, XLM-RoBERTa, CamemBERT or DistilBERT, with its weights in
    /// `model.safetensors`.
    pub fn open(folder: &Path, options: &Options) -> Result<Self, LocalError> {
        let mut layout = Layout::read(folder)?;
        if let Some(prefix) = &options.query_prefix {
            layout.query_prefix.clone_from(prefix);
        }
        if let Some(prefix) = &options.document_prefix {
            layout.document_prefix.clone_from(prefix);
        }
        if let Some(tokens) = options.max_tokens {
            layout.max_tokens = tokens.min(layout.shape.positions - layout.shape.first_position);
        }

        let path = layout.weights()?;
        let file = read(path.clone())?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&file);
        let weights = Weights::new(&file, layout.shape.family.prefix())
            .map_err(|reason| LocalError::Malformed { path, reason })?;
        let model = Bert::new(Machine::detect(), layout.shape, &weights)?;
        weights.all_taken()?;
        let path = layout.transformer.join("tokenizer.json");
        if !path.exists() {
            return Err(LocalError::NoModel { folder: layout.transformer, missing: "tokenizer.json" });
        }
        let bytes = read(path.clone())?;
        hasher.update(&bytes);
        let tokenizer = tokenizer(path, &bytes, layout.max_tokens)?;
        hasher.update(&read(layout.transformer.join("config.json"))?);

        let threads = options.threads.unwrap_or(0);
        let threads = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| LocalError::Threads { threads, reason: error.to_string() })?;
        let name = std::path::absolute(folder).ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into()));
        let hash = hasher.finalize().to_hex().to_string();
        Ok(Self { name: name.unwrap_or_default(), hash, layout, tokenizer, model, threads })
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.layout.pooling.len() * self.layout.shape.dimensions
    }

    /// The numbers of a text's tokens, cut off where the model ends.
    fn tokens(&self, text: &str, role: Role) -> Result<Vec<u32>, LocalError> {
        let prefix = match role {
            Role::Query => &self.layout.query_prefix,
            Role::Document => &self.layout.document_prefix,
        };
        let mut text = format!("{prefix}{text}");
        if self.layout.lower_case {
            text = text.to_lowercase();
        }
        let failed = |reason: String| LocalError::Tokenizer { reason };
        let encoding = self.tokenizer.encode_fast(text, true).map_err(|error| failed(error.to_string()))?;
        let tokens = encoding.get_ids().to_vec();
        match tokens.iter().find(|token| **token as usize >= self.layout.shape.vocabulary) {
            Some(token) => Err(failed(format!("the model knows no token {token}"))),
            None => Ok(tokens),
        }
    }

    fn vectors(&self, tokens: &Tokens<'_>) -> Result<Vec<Vec<f32>>, ModelError> {
        tokens
            .texts
            .iter()
            .map(|text| {
                let mut vector = Vec::with_capacity(self.dimensions());
                if text.is_empty() {
                    vector.resize(self.dimensions(), 0.0);
                } else {
                    for pooling in &self.layout.pooling {
                        pooling.apply(tokens, text, self.layout.shape.dimensions, &mut vector);
                    }
                }
                if self.layout.normalised {
                    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-12);
                    vector.iter_mut().for_each(|value| *value /= length);
                }
                match vector.iter().find(|value| !value.is_finite()) {
                    Some(value) => Err(ModelError::WrongAnswer {
                        model: format!("local:{}", self.name),
                        given: value.to_string(),
                        expected: "a number".into(),
                    }),
                    None => Ok(vector),
                }
            })
            .collect()
    }
}

impl Embedder for Local {
    fn card(&self) -> Value {
        let layout = &self.layout;
        json!({
            "model": format!("local:{}", self.name),
            "hash": self.hash,
            "architecture": layout.kind,
            "dimensions": self.dimensions(),
            "pooling": layout.pooling.iter().map(|pooling| pooling.name()).collect::<Vec<_>>(),
            "normalized": layout.normalised,
            "lower_case": layout.lower_case,
            "max_tokens": layout.max_tokens,
            "query_prefix": layout.query_prefix,
            "document_prefix": layout.document_prefix,
        })
    }

    fn embed(&self, texts: &[Item<'_>], role: Role, watch: &dyn Watch) -> Result<Vec<Vec<f32>>, ModelError> {
        self.threads.install(|| {
            let tokens: Vec<Vec<u32>> =
                texts.par_iter().map(|item| self.tokens(item.text, role)).collect::<Result<_, _>>()?;
            let lengths: Vec<usize> = tokens.iter().map(Vec::len).collect();
            // A few short texts are not put into one chunk: every thread is to have something to do.
            let share = lengths.iter().sum::<usize>().div_ceil(rayon::current_num_threads());
            let chunks = chunks::chunks(&lengths, share.clamp(CHUNK / 8, CHUNK));
            let computed = chunks.par_iter().with_max_len(1).map_init(Room::default, |room, chunk| {
                if watch.should_stop() {
                    return Err(ModelError::Stopped);
                }
                let texts: Vec<&[u32]> = chunk.iter().map(|text| &*tokens[*text]).collect();
                let vectors = self.vectors(&self.model.compute(&texts, room))?;
                watch.done(chunk.len());
                Ok(chunk.iter().copied().zip(vectors).collect::<Vec<_>>())
            });
            let mut vectors = vec![Vec::new(); texts.len()];
            for (text, vector) in computed.collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
                vectors[text] = vector;
            }
            Ok(vectors)
        })
    }
}

/// A tokenizer that cuts off and does not pad, whatever its file says.
fn tokenizer(path: PathBuf, bytes: &[u8], max_tokens: usize) -> Result<Tokenizer, LocalError> {
    let failed = |error: tokenizers::Error| LocalError::Malformed { path: path.clone(), reason: error.to_string() };
    let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(failed)?;
    tokenizer.with_padding(None).with_truncation(None).map_err(failed)?;
    let own = tokenizer.encode_fast("", true).map_err(failed)?.len();
    if max_tokens <= own {
        return Err(LocalError::TooFewTokens { asked: max_tokens, own });
    }
    let truncation = TruncationParams { max_length: max_tokens, ..TruncationParams::default() };
    tokenizer.with_truncation(Some(truncation)).map_err(failed)?;
    Ok(tokenizer)
}

fn read(path: PathBuf) -> Result<Vec<u8>, LocalError> {
    std::fs::read(&path).map_err(|error| LocalError::Unreadable { path, error })
}
