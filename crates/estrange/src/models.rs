//! The models that the command line names: what of the arguments they are opened with, and the words for what they do.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use estrange_model::openai::{Budget, Estimate, Limits, Price};
use estrange_model::{Changes, ModelError, OpenError, OpenedRanker, OpenedWriter, RankerOptions, ServerOptions};
use estrange_task::detect::AskedOptions;

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

/// Opens a model that finds functions by summaries: as it is, with as many threads as it likes.
pub fn finder(model: &str, server_arguments: &arguments::Server, cache: &Path) -> Result<OpenedRanker, Failure> {
    let options = RankerOptions { server: server(server_arguments), ..RankerOptions::default() };
    OpenedRanker::open(model, &options, cache).map_err(|error| unopened(&error))
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
    let request = Changes {
        object: arguments.request.clone(),
        parameters: arguments.parameter.clone(),
        without: arguments.no_parameter.clone(),
    };
    ServerOptions { request, limits }
}

/// How freely a model chooses its words where it is asked several times: with 0 it would say the same each time.
const SEVERAL: f64 = 0.8;

/// Refuses what of an interview has no meaning for who is asked.
pub fn check_interview(interview: &arguments::Interview, asked: &impl Display, is_model: bool) -> Result<(), Failure> {
    let is_told = interview.samples > 1 || interview.prompt.is_some() || interview.temperature.is_some();
    if is_told && !is_model {
        return Err(Failure::new(format!("{asked} is no language model"))
            .hint("--prompt, --samples and --temperature are for openai:NAME and local:FILE")
            .usage());
    }
    if interview.samples > 1 && interview.temperature == Some(0.0) {
        return Err(Failure::new("several samples at a temperature of 0 are the same one")
            .hint("leave --temperature out, or say one above 0")
            .usage());
    }
    Ok(())
}

/// How a model is asked about many things.
pub fn asked(
    interview: &arguments::Interview,
    answer_tokens: u32,
    model: &OpenedWriter,
    (jobs, server): (usize, &arguments::Server),
) -> AskedOptions {
    AskedOptions {
        samples: interview.samples,
        temperature: interview.temperature.unwrap_or(if interview.samples > 1 { SEVERAL } else { 0.0 }),
        max_tokens: answer_tokens,
        at_once: match model {
            OpenedWriter::Free(_) => jobs,
            OpenedWriter::Server(_) => server.at_once.into(),
        },
    }
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
