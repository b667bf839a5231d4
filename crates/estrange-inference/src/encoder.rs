//! Sentence-embedding models in Hugging Face layout: `local:DIR`.
//!
//! The BERT family is known: see [`Encoder::open`]. Everything about a model is read from its own files; `layout` says what
//! holds where they are silent. A text's vector depends on nothing but the text and the model: not on the texts beside it,
//! not on the number of threads, and on the processor only by rounding.
//!
//! | what | where |
//! |---|---|
//! | what a model's files say | `layout`, `family` |
//! | its weights | `weights` |
//! | the forward pass | `bert`, then `pooling` |
//! | its kernels | `linear`, `attention`, `layer_norm` |
//! | which texts are computed together | `batches` |

mod attention;
mod batches;
mod bert;
mod family;
mod layer_norm;
mod layout;
mod linear;
mod pooling;
#[cfg(test)]
mod tests;
mod weights;

use std::path::{Path, PathBuf};

use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};
use serde_json::{Value, json};
use tokenizers::{Tokenizer, TruncationParams};

use self::{
    bert::{Bert, Scratch, TokenVectors},
    layout::Layout,
    weights::Weights,
};
use crate::{
    cpu::Cpu,
    error::{LocalError, RunError},
    progress::Progress,
};

/// So many tokens are computed together where there are enough: their vectors stay in a core's cache, and each weight
/// that is fetched is used for all of them.
const BATCH: usize = 256;

/// What a text is in a search. Some models want to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// What is searched for.
    Query,
    /// What is found.
    Document,
}

/// What can be chosen about a model.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// What is put before each query; if it is not given, what the model's files say.
    pub query_prefix: Option<String>,
    /// What is put before each document; if it is not given, what the model's files say.
    pub document_prefix: Option<String>,
    /// After how many tokens a text is truncated, those counted that the model adds; if it is not given, what the model's
    /// files say. More than the model has positions for counts as that many.
    pub max_tokens: Option<usize>,
    /// How many threads work; if it is not given, as many as the machine has cores.
    pub threads: Option<usize>,
}

/// A sentence-embedding model on this machine.
pub struct Encoder {
    name: String,
    hash: String,
    layout: Layout,
    tokenizer: Tokenizer,
    model: Bert,
    threads: ThreadPool,
}

impl Encoder {
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
            layout.max_tokens = tokens.min(layout.shape.n_positions - layout.shape.first_position);
        }

        let path = layout.weights()?;
        let file = read(path.clone())?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&file);
        let weights = Weights::new(&file, layout.shape.family.prefix())
            .map_err(|reason| LocalError::Malformed { path, reason })?;
        let model = Bert::new(Cpu::detect(), layout.shape, &weights)?;
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
        self.layout.pooling.len() * self.layout.shape.hidden_size
    }

    /// What a run records of it: its name and everything that its vectors depend on.
    pub fn card(&self) -> Value {
        let layout = &self.layout;
        json!({
            "model": format!("local:{}", self.name),
            "hash": self.hash,
            "architecture": layout.kind,
            "dimensions": self.dimensions(),
            "pooling": layout.pooling.iter().map(|pooling| pooling.name()).collect::<Vec<_>>(),
            "normalized": layout.normalize,
            "lower_case": layout.lower_case,
            "max_tokens": layout.max_tokens,
            "query_prefix": layout.query_prefix,
            "document_prefix": layout.document_prefix,
        })
    }

    /// A vector for each text, in their order.
    pub fn encode(&self, texts: &[&str], role: Role, progress: &Progress<'_>) -> Result<Vec<Vec<f32>>, RunError> {
        self.threads.install(|| {
            let tokens: Vec<Vec<u32>> =
                texts.par_iter().map(|text| self.tokens(text, role)).collect::<Result<_, _>>()?;
            let lengths: Vec<usize> = tokens.iter().map(Vec::len).collect();
            // A few short texts are not put into one batch: every thread is to have something to do.
            let share = lengths.iter().sum::<usize>().div_ceil(rayon::current_num_threads());
            let batches = batches::batches(&lengths, share.clamp(BATCH / 8, BATCH));
            let computed = batches.par_iter().with_max_len(1).map_init(Scratch::default, |scratch, batch| {
                if progress(0).is_break() {
                    return Err(RunError::Stopped);
                }
                let texts: Vec<&[u32]> = batch.iter().map(|text| &*tokens[*text]).collect();
                let vectors = self.pool(&self.model.forward(&texts, scratch))?;
                // Whether to stop is asked before the next batch; this one is done.
                let _ = progress(batch.len());
                Ok(batch.iter().copied().zip(vectors).collect::<Vec<_>>())
            });
            let mut vectors = vec![Vec::new(); texts.len()];
            for (text, vector) in computed.collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
                vectors[text] = vector;
            }
            Ok(vectors)
        })
    }

    /// The ids of a text's tokens, truncated where the model ends.
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
        match tokens.iter().find(|token| **token as usize >= self.layout.shape.vocab_size) {
            Some(token) => Err(failed(format!("the model knows no token {token}"))),
            None => Ok(tokens),
        }
    }

    fn pool(&self, tokens: &TokenVectors<'_>) -> Result<Vec<Vec<f32>>, RunError> {
        tokens
            .texts
            .iter()
            .map(|text| {
                let mut vector = Vec::with_capacity(self.dimensions());
                if text.is_empty() {
                    vector.resize(self.dimensions(), 0.0);
                } else {
                    for pooling in &self.layout.pooling {
                        pooling.apply(tokens, text, self.layout.shape.hidden_size, &mut vector);
                    }
                }
                if self.layout.normalize {
                    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-12);
                    vector.iter_mut().for_each(|value| *value /= length);
                }
                match vector.iter().find(|value| !value.is_finite()) {
                    Some(value) => Err(RunError::NotFinite { value: *value }),
                    None => Ok(vector),
                }
            })
            .collect()
    }
}

/// A tokenizer that truncates and does not pad, whatever its file says.
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
