//! Opening a model by the name that a person gave it: with the store of what it answered before, and with limits.

use std::borrow::Cow;
use std::io;
use std::ops::Add;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use estrange_words::Hint;
use serde_json::{Map, Value};

use crate::bm25::Bm25;
use crate::dense::Dense;
use crate::error::ModelError;
use crate::language::LanguageModel;
use crate::local::{self, Local};
use crate::openai::{Chat, EmbeddingOptions, Embeddings, Estimate, Limits, Server, Truncation};
use crate::precomputed;
use crate::request::{Changes, NoChange};
use crate::spec::{ModelSpec, SpecError};
use crate::store::{Rehearsal, Store, Stored};
use crate::tokenizer::{Tokenizer, TokenizerError};
use crate::traits::{Item, Ranker, Role};
use crate::writer::{Prompt, Writer};

/// What a server is told with each request, and how much may be asked of it.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// What is changed of each request.
    pub request: Changes,
    /// Budgets, prices and pace.
    pub limits: Limits,
}

/// What a model that ranks is given.
#[derive(Debug, Clone, Default)]
pub struct RankerOptions {
    /// What stands before each query; the model's own, if it has one and nothing is said.
    pub query_prefix: Option<String>,
    /// What stands before each document.
    pub document_prefix: Option<String>,
    /// How many tokens of a text it is given.
    pub max_tokens: Option<usize>,
    /// The tokenizer by which texts for a server are cut.
    pub tokenizer: Option<PathBuf>,
    /// How many characters of a text a server is given.
    pub max_characters: Option<usize>,
    /// How many threads a model on this machine has.
    pub threads: Option<usize>,
    /// For a model behind a server.
    pub server: ServerOptions,
}

/// Why a model cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The user's doing: this names no model.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The user's doing: this model does not write.
    #[error("`{0}` is no model that writes")]
    NoWriter(String),
    /// The user's doing: how texts for a server are cut is said in no way, or in two.
    #[error("with a server, --max-tokens needs the model's --tokenizer")]
    Truncation,
    /// The tokenizer cannot be used.
    #[error("{} cannot be used", .file.display())]
    Tokenizer {
        /// Its file.
        file: PathBuf,
        /// Why not.
        source: TokenizerError,
    },
    /// The user's doing: this is no part of a request.
    #[error("{} takes no `{}`: {}", .0.option, .0.text, .0.detail)]
    Request(NoChange),
    /// The folder of the store cannot be made.
    #[error("{} cannot be made", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The model itself.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl OpenError {
    /// Whether it lies in what was typed.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Spec(_) | Self::NoWriter(_) | Self::Truncation | Self::Request(_))
    }
}

impl Hint for OpenError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        let hint = match self {
            Self::Spec(error) => return error.hint(),
            Self::Model(error) => return error.hint(),
            Self::NoWriter(_) => "comment, file:FILE, local:FILE.gguf and openai:NAME do",
            Self::Truncation => "--max-characters N needs none",
            Self::Request(wrong) if wrong.option == "--request" => {
                "--request '{\"temperature\": null, \"reasoning_effort\": \"low\"}' takes one out and adds the other"
            }
            Self::Request(_) => {
                "--no-parameter temperature --parameter reasoning_effort=low takes one out and adds the other"
            }
            Self::Tokenizer { .. } | Self::Folder { .. } => return None,
        };
        Some(hint.into())
    }
}

/// A model that ranks.
pub enum OpenedRanker {
    /// One that costs nothing to ask.
    Free(Box<dyn Ranker>),
    /// One behind a server, which is asked for vectors.
    Server(Box<Dense<Stored<Embeddings>>>),
}

impl OpenedRanker {
    /// Opens the model that a text names. What it answers is kept below the folder.
    pub fn open(spec: &str, options: &RankerOptions, cache: &Path) -> Result<Self, OpenError> {
        let vectors = || store(&cache.join("models").join("vectors"));
        Ok(match spec.parse::<ModelSpec>()? {
            ModelSpec::Bm25(options) => Self::Free(Box::new(Bm25::new(options))),
            ModelSpec::Local(folder) => {
                let options = local::Options {
                    query_prefix: options.query_prefix.clone(),
                    document_prefix: options.document_prefix.clone(),
                    max_tokens: options.max_tokens,
                    threads: options.threads,
                };
                let local = Local::open(&folder, &options).map_err(ModelError::from)?;
                Self::Free(Box::new(Dense::new(Stored::new(local, vectors()?))))
            }
            ModelSpec::OpenAi(name) => {
                let embedding = EmbeddingOptions {
                    query_prefix: options.query_prefix.clone().unwrap_or_default(),
                    document_prefix: options.document_prefix.clone().unwrap_or_default(),
                    truncation: truncation(options)?,
                    extra: extra(&options.server)?,
                    ..EmbeddingOptions::default()
                };
                let limits = options.server.limits.clone();
                let model = Server::from_environment();
                let model = model.and_then(|server| Embeddings::new(server, &name, embedding, limits));
                Self::Server(Box::new(Dense::new(Stored::new(model.map_err(ModelError::from)?, vectors()?))))
            }
            ModelSpec::Precomputed(file) => Self::Free(precomputed::open(&file).map_err(ModelError::from)?),
        })
    }

    /// The model.
    pub fn ranker(&self) -> &dyn Ranker {
        match self {
            Self::Free(ranker) => ranker.as_ref(),
            Self::Server(ranker) => ranker.as_ref(),
        }
    }

    /// What a server will have to be asked for these texts, less what was answered before; nothing where nothing is paid for.
    pub fn estimate(&self, texts: &[Item<'_>], role: Role) -> Result<Option<Estimate>, ModelError> {
        let Self::Server(ranker) = self else { return Ok(None) };
        let stored = ranker.model();
        let missing = stored.missing(texts, role);
        stored.model().estimate(&missing, role).map(Some)
    }
}

/// A model that writes. What it wrote before is not asked for again.
pub enum OpenedWriter {
    /// One on this machine.
    Free(Box<Stored<LanguageModel>>),
    /// One behind a server.
    Server(Box<Stored<Chat>>),
}

impl OpenedWriter {
    /// Opens the model that a text names. What it answers is kept below the folder.
    pub fn open(spec: &str, options: &ServerOptions, cache: &Path) -> Result<Self, OpenError> {
        let answers = || store(&cache.join("models").join("answers"));
        match spec.parse::<ModelSpec>() {
            Ok(ModelSpec::Local(file)) => {
                let model = LanguageModel::open(&file).map_err(ModelError::from)?;
                Ok(Self::Free(Box::new(Stored::new(model, answers()?))))
            }
            Ok(ModelSpec::OpenAi(name)) => {
                let (limits, extra) = (options.limits.clone(), extra(options)?);
                let model = Server::from_environment().and_then(|server| Chat::new(server, &name, extra, limits));
                Ok(Self::Server(Box::new(Stored::new(model.map_err(ModelError::from)?, answers()?))))
            }
            Ok(_) | Err(_) => Err(OpenError::NoWriter(spec.to_owned())),
        }
    }

    /// The model.
    pub fn writer(&self) -> &dyn Writer {
        match self {
            Self::Free(writer) => writer.as_ref(),
            Self::Server(writer) => writer.as_ref(),
        }
    }

    /// What a server will have to be asked by some work, which is done with a stand-in that says `stand_in` to whatever is
    /// new; nothing where nothing is paid for, and then the work is not done.
    pub fn rehearse<E: From<ModelError>>(
        &self,
        stand_in: String,
        work: impl FnOnce(&dyn Writer) -> Result<(), E>,
    ) -> Result<Option<Estimate>, E> {
        let Self::Server(writer) = self else { return Ok(None) };
        let rehearsal = Rehearsal::new(&**writer, stand_in);
        work(&rehearsal)?;
        let asked: Vec<Prompt> = rehearsal.asked();
        Ok(Some(writer.model().estimate(&asked)))
    }
}

impl Add for Estimate {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            requests: self.requests + other.requests,
            texts: self.texts + other.texts,
            tokens: self.tokens + other.tokens,
            money: self.money + other.money,
        }
    }
}

/// How texts for a server are cut.
fn truncation(options: &RankerOptions) -> Result<Option<Truncation>, OpenError> {
    match (options.max_tokens, &options.tokenizer, options.max_characters) {
        (Some(most), Some(file), None) => {
            let unusable = |source| OpenError::Tokenizer { file: file.clone(), source };
            let tokenizer = Arc::new(Tokenizer::load(file).map_err(unusable)?);
            Ok(Some(Truncation::Tokens { most, tokenizer }))
        }
        (None, None, Some(most)) => Ok(Some(Truncation::Characters(most))),
        (None, None, None) => Ok(None),
        _ => Err(OpenError::Truncation),
    }
}

/// What goes along with each request.
fn extra(options: &ServerOptions) -> Result<Map<String, Value>, OpenError> {
    options.request.read().map_err(OpenError::Request)
}

fn store(path: &Path) -> Result<Arc<Store>, OpenError> {
    if let Some(folder) = path.parent() {
        let failed = |source| OpenError::Folder { folder: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    Ok(Arc::new(Store::open(path).map_err(ModelError::from)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_part_of_a_request_is_refused_before_anything_is_opened() {
        let wrong = [
            (Changes { object: Some("{".to_owned()), ..Changes::default() }, "--request takes no `{`: EOF"),
            (
                Changes { parameters: vec!["x".to_owned()], ..Changes::default() },
                "--parameter takes no `x`: it has no `=`",
            ),
        ];
        for (request, detail) in wrong {
            let options = ServerOptions { request, ..ServerOptions::default() };
            let error = extra(&options).unwrap_err();
            assert!(error.to_string().contains(detail), "{error}");
            assert!(error.is_usage() && error.hint().is_some());
        }
        let request = Changes { without: vec!["temperature".to_owned()], ..Changes::default() };
        let options = ServerOptions { request, ..ServerOptions::default() };
        assert_eq!(extra(&options).unwrap().len(), 1);
    }

    #[test]
    fn texts_are_cut_in_one_way_or_not_at_all() {
        let options =
            |max_tokens, max_characters| RankerOptions { max_tokens, max_characters, ..RankerOptions::default() };
        assert!(truncation(&options(None, None)).unwrap().is_none());
        assert!(matches!(truncation(&options(None, Some(9))), Ok(Some(Truncation::Characters(9)))));
        assert!(matches!(truncation(&options(Some(9), None)), Err(OpenError::Truncation)));
        assert!(matches!(truncation(&options(Some(9), Some(9))), Err(OpenError::Truncation)));
        let options = RankerOptions { tokenizer: Some("nowhere".into()), ..options(Some(9), None) };
        assert!(matches!(truncation(&options), Err(OpenError::Tokenizer { .. })));
    }

    #[test]
    fn models_are_opened_by_name_and_cost_nothing_unless_they_are_behind_a_server() {
        let folder = tempfile::tempdir().unwrap();
        let model = OpenedRanker::open("bm25", &RankerOptions::default(), folder.path()).unwrap();
        assert!(model.estimate(&[Item { id: "a", text: "b" }], Role::Query).unwrap().is_none());
        for (spec, is_usage) in [("bm26", true), ("local:", true), ("local:nowhere", false)] {
            let error = OpenedRanker::open(spec, &RankerOptions::default(), folder.path()).err().unwrap();
            assert_eq!(error.is_usage(), is_usage, "{spec}: {error}");
        }
        for spec in ["bm25", "sphinx", "precomputed:file"] {
            let error = OpenedWriter::open(spec, &ServerOptions::default(), folder.path()).err().unwrap();
            assert!(matches!(error, OpenError::NoWriter(_)), "{spec}: {error}");
        }
    }
}
