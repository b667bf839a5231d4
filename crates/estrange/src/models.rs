//! The models that the command line names: what of the arguments they are opened with, and the words for what they do.

use std::path::Path;
use std::time::Duration;

use estrange_model::openai::{Budget, Estimate, Limits, Price};
use estrange_model::{ModelError, OpenError, OpenedRanker, OpenedWriter, RankerOptions, ServerOptions};

use crate::arguments;
use crate::phrasing::counted;
use crate::voice::Failure;

/// Opens a model that ranks.
pub fn ranker(arguments: &arguments::Search, cache: &Path, threads: Option<usize>) -> Result<OpenedRanker, Failure> {
    let options = RankerOptions {
        query_prefix: arguments.query_prefix.clone(),
        document_prefix: arguments.document_prefix.clone(),
        max_tokens: arguments.max_tokens,
        tokenizer: arguments.tokenizer.clone(),
        max_characters: arguments.max_characters,
        threads,
        server: server(&arguments.server),
    };
    OpenedRanker::open(&arguments.model, &options, cache).map_err(|error| unopened(&error))
}

/// Opens a model that writes.
pub fn author(arguments: &arguments::Queries, cache: &Path) -> Result<OpenedWriter, Failure> {
    writer(&arguments.model, &arguments.server, cache)
}

/// Opens a model that writes, whatever it is to write.
pub fn writer(model: &str, arguments: &arguments::Server, cache: &Path) -> Result<OpenedWriter, Failure> {
    OpenedWriter::open(model, &server(arguments), cache).map_err(|error| unopened(&error))
}

fn server(arguments: &arguments::Server) -> ServerOptions {
    let price = (arguments.price.is_some() || arguments.answer_price.is_some()).then(|| Price {
        read: arguments.price.unwrap_or_default(),
        written: arguments.answer_price.unwrap_or_default(),
    });
    let limits = Limits {
        at_a_time: usize::from(arguments.at_once),
        requests_a_minute: arguments.requests_per_minute,
        budget: Budget { tokens: arguments.token_budget, money: arguments.budget },
        price,
        timeout: Duration::from_secs(u64::from(arguments.timeout)),
        ..Limits::default()
    };
    ServerOptions { request: arguments.request.clone(), limits }
}

/// The words for a model that cannot be opened.
fn unopened(error: &OpenError) -> Failure {
    let failure = Failure::of(error);
    let failure = match error {
        OpenError::Tokenizer { source, .. } => failure.because(source),
        OpenError::Folder { source, .. } => failure.because(source),
        _ => failure,
    };
    if error.is_usage() { failure.usage() } else { failure }
}

/// The words for what a model did, with what to do about it.
pub fn failure(error: &ModelError) -> Failure {
    Failure::of(error)
}

/// An estimate in words.
pub fn words(estimate: &Estimate, has_price: bool) -> String {
    let Estimate { requests, texts, tokens, money } = estimate;
    let money = if has_price { format!(", {money:.2} in money") } else { String::new() };
    let of = if texts == requests { String::new() } else { format!(" of {}", counted(*texts, "text")) };
    format!("{}{of}, about {}{money}", counted(*requests, "request"), counted(*tokens, "token"))
}
