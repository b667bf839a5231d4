//! Opens the models that the command line names, and says why one cannot be used.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use estrange_model::bm25::Bm25;
use estrange_model::dense::Dense;
use estrange_model::language::LanguageModel;
use estrange_model::local::{self, Local};
use estrange_model::openai::{
    Budget, Chat, EmbeddingOptions, Embeddings, Estimate, Limits, Price, Server, ServerError, Truncation,
};
use estrange_model::precomputed;
use estrange_model::store::{Store, Stored};
use estrange_model::tokenizer::Tokenizer;
use estrange_model::{Item, ModelError, ModelSpec, Ranker, Role, SpecError, Writer};
use serde_json::{Map, Value};

use crate::arguments;
use crate::phrasing::counted;
use crate::voice::Failure;

/// A model that ranks.
pub enum Opened {
    /// One that costs nothing to ask.
    Free(Box<dyn Ranker>),
    /// One behind a server, which is asked for vectors.
    Server(Box<Dense<Stored<Embeddings>>>),
}

impl Opened {
    /// The model.
    pub fn ranker(&self) -> &dyn Ranker {
        match self {
            Self::Free(ranker) => ranker.as_ref(),
            Self::Server(ranker) => ranker.as_ref(),
        }
    }

    /// What a server will have to be asked for these texts.
    pub fn estimate(&self, texts: &[Item<'_>], role: Role) -> Result<Option<Estimate>, Failure> {
        let Self::Server(ranker) = self else { return Ok(None) };
        let stored = ranker.model();
        let missing = stored.missing(texts, role);
        stored.model().estimate(&missing, role).map(Some).map_err(|error| failure(&error))
    }
}

/// A model that writes. What it wrote before is not asked for again.
pub enum Author {
    /// One on this machine.
    Free(Box<Stored<LanguageModel>>),
    /// One behind a server.
    Server(Box<Stored<Chat>>),
}

impl Author {
    /// The model.
    pub fn writer(&self) -> &dyn Writer {
        match self {
            Self::Free(writer) => writer.as_ref(),
            Self::Server(writer) => writer.as_ref(),
        }
    }
}

/// A model as it was typed.
fn spec(text: &str) -> Result<ModelSpec, Failure> {
    text.parse().map_err(|error: SpecError| Failure::new(error.to_string()).hint(error.hint()).usage())
}

/// Opens a model that ranks.
pub fn ranker(arguments: &arguments::Search, cache: &Path, threads: Option<usize>) -> Result<Opened, Failure> {
    let spec = spec(&arguments.model)?;
    let vectors = || store(&cache.join("models").join("vectors"));
    Ok(match spec {
        ModelSpec::Bm25(options) => Opened::Free(Box::new(Bm25::new(options))),
        ModelSpec::Local(folder) => {
            let options = local::Options {
                query_prefix: arguments.query_prefix.clone(),
                document_prefix: arguments.document_prefix.clone(),
                max_tokens: arguments.max_tokens,
                threads,
            };
            let local = Local::open(&folder, &options).map_err(|error| failure(&error.into()))?;
            Opened::Free(Box::new(Dense::new(Stored::new(local, vectors()?))))
        }
        ModelSpec::OpenAi(name) => {
            let options = EmbeddingOptions {
                query_prefix: arguments.query_prefix.clone().unwrap_or_default(),
                document_prefix: arguments.document_prefix.clone().unwrap_or_default(),
                truncation: truncation(arguments)?,
                extra: extra(&arguments.server)?,
                ..EmbeddingOptions::default()
            };
            let model = server().and_then(|server| Embeddings::new(server, &name, options, limits(&arguments.server)));
            let model = model.map_err(|error| failure(&error.into()))?;
            Opened::Server(Box::new(Dense::new(Stored::new(model, vectors()?))))
        }
        ModelSpec::Precomputed(file) => Opened::Free(precomputed::open(&file).map_err(|error| failure(&error.into()))?),
    })
}

/// Opens a model that writes.
pub fn author(arguments: &arguments::Queries, cache: &Path) -> Result<Author, Failure> {
    let answers = || store(&cache.join("models").join("answers"));
    Ok(match spec(&arguments.model) {
        Ok(ModelSpec::Local(file)) => {
            let model = LanguageModel::open(&file).map_err(|error| failure(&error.into()))?;
            Author::Free(Box::new(Stored::new(model, answers()?)))
        }
        Ok(ModelSpec::OpenAi(name)) => {
            let (limits, extra) = (limits(&arguments.server), extra(&arguments.server)?);
            let model = server().and_then(|server| Chat::new(server, &name, extra, limits));
            let model = model.map_err(|error| failure(&error.into()))?;
            Author::Server(Box::new(Stored::new(model, answers()?)))
        }
        _ => {
            let message = format!("`{}` describes no functions", arguments.model);
            return Err(Failure::new(message).hint("comment, file:FILE, local:FILE.gguf and openai:NAME do").usage());
        }
    })
}

fn server() -> Result<Server, ServerError> {
    Server::from_environment()
}

fn truncation(arguments: &arguments::Search) -> Result<Option<Truncation>, Failure> {
    match (arguments.max_tokens, &arguments.tokenizer, arguments.max_characters) {
        (Some(most), Some(file), None) => {
            let tokenizer = Tokenizer::load(file)
                .map_err(|error| Failure::new(format!("{} cannot be used", file.display())).because(&error))?;
            Ok(Some(Truncation::Tokens { most, tokenizer: Arc::new(tokenizer) }))
        }
        (None, None, Some(most)) => Ok(Some(Truncation::Characters(most))),
        (None, None, None) => Ok(None),
        _ => Err(Failure::new("with a server, --max-tokens needs the model's --tokenizer")
            .hint("--max-characters N needs none")
            .usage()),
    }
}

/// What goes along with each request.
fn extra(arguments: &arguments::Server) -> Result<Map<String, Value>, Failure> {
    let Some(text) = &arguments.request else { return Ok(Map::new()) };
    let wrong = |detail: String| {
        Failure::new(format!("--request takes no `{text}`: {detail}"))
            .hint("--request '{\"temperature\": null, \"reasoning_effort\": \"low\"}' takes one out and adds the other")
            .usage()
    };
    let extra: Map<String, Value> = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    match extra.keys().find(|name| ["model", "messages", "input", "stream"].contains(&name.as_str())) {
        Some(name) => Err(wrong(format!("`{name}` is ours"))),
        None => Ok(extra),
    }
}

fn limits(arguments: &arguments::Server) -> Limits {
    let price = (arguments.price.is_some() || arguments.answer_price.is_some()).then(|| Price {
        read: arguments.price.unwrap_or_default(),
        written: arguments.answer_price.unwrap_or_default(),
    });
    Limits {
        at_a_time: usize::from(arguments.at_once),
        requests_a_minute: arguments.requests_per_minute,
        budget: Budget { tokens: arguments.token_budget, money: arguments.budget },
        price,
        timeout: Duration::from_secs(u64::from(arguments.timeout)),
        ..Limits::default()
    }
}

fn store(path: &Path) -> Result<Arc<Store>, Failure> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::new(format!("{} cannot be made", folder.display())).because(&error))?;
    }
    Store::open(path).map(Arc::new).map_err(|error| failure(&error.into()))
}

/// The words for what a model did, with what to do about it.
pub fn failure(error: &ModelError) -> Failure {
    let failure = Failure::new(error.to_string());
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// An estimate in words.
pub fn words(estimate: &Estimate, has_price: bool) -> String {
    let Estimate { requests, texts, tokens, money } = estimate;
    let money = if has_price { format!(", {money:.2} in money") } else { String::new() };
    let of = if texts == requests { String::new() } else { format!(" of {}", counted(*texts, "text")) };
    format!("{}{of}, about {}{money}", counted(*requests, "request"), counted(*tokens, "token"))
}
