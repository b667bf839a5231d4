//! Descriptions by a model: asked, read behind the marker, checked for names, and asked again where need be.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_bench::{Function, Query, WrittenBy};
use estrange_model::openai::Estimate;
use estrange_model::{ModelError, OpenedWriter, Prompt, Silent, Watch, Writer, Written};

use super::names::TargetNames;
use super::prompt::{MARKER, aligned, answer, describe, without_names};
use super::{Lost, query};
use crate::patience::{Patience, Unanswered};

/// How a model is asked.
#[derive(Debug, Clone)]
pub struct Options {
    /// What the model is called in the records.
    pub author: String,
    /// How often it is asked for the same description, at most.
    pub attempts: u32,
    /// Whether descriptions are brought into the style of the examples.
    pub align: bool,
    /// How long an answer may be, in the model's tokens.
    pub max_tokens: u32,
    /// How freely it chooses its words.
    pub temperature: f64,
    /// How many functions are described at once.
    pub at_once: usize,
}

/// The descriptions of functions, in their order, and how many there are not. A function of which the model says nothing,
/// or about which its server will not be asked, is lost alone. Another error ends the work; what was answered before is in
/// the model's store, if it has one.
pub fn queries(
    functions: &[Function],
    writer: &dyn Writer,
    options: &Options,
    watch: &dyn Watch,
) -> Result<(Vec<Query>, Lost), ModelError> {
    let next = AtomicUsize::new(0);
    let made: Mutex<Vec<(usize, Result<Query, &'static str>)>> = Mutex::new(Vec::new());
    let failed: Mutex<Option<ModelError>> = Mutex::new(None);
    let patience = Patience::default();
    let work = || {
        while let Some((at, function)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            functions.get(at).map(|function| (at, function))
        } {
            match describe_one(function, writer, options, &patience, watch) {
                Ok(query) => lock(&made).push((at, query)),
                Err(error) => {
                    next.store(functions.len(), Ordering::Relaxed);
                    lock(&failed).get_or_insert(error);
                    return;
                }
            }
            watch.done(1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.at_once.max(1) {
            scope.spawn(work);
        }
        work();
    });
    if let Some(error) = lock(&failed).take() {
        return Err(error);
    }
    let mut made = std::mem::take(&mut *lock(&made));
    made.sort_by_key(|(at, _)| *at);
    let mut lost = Lost::new();
    let mut queries = Vec::new();
    for (_, one) in made {
        match one {
            Ok(query) => queries.push(query),
            Err(reason) => *lost.entry(reason).or_default() += 1,
        }
    }
    Ok((queries, lost))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// What a model says of one function, or why there is nothing to take.
fn describe_one(
    function: &Function,
    writer: &dyn Writer,
    options: &Options,
    patience: &Patience,
    watch: &dyn Watch,
) -> Result<Result<Query, &'static str>, ModelError> {
    let names = TargetNames::of(function);
    let mut spent = Spent::nothing();
    let mut ask = |user: String, seed: u64| -> Result<Result<String, Refusal>, ModelError> {
        if watch.should_stop() {
            return Err(ModelError::Stopped);
        }
        let prompt = Prompt {
            system: None,
            user,
            begin: Some(MARKER.to_owned()),
            max_tokens: options.max_tokens,
            temperature: options.temperature,
            seed,
        };
        let written = match writer.write(&prompt, watch) {
            Ok(written) => written,
            Err(error) => match patience.loss(&error, watch) {
                Some(Unanswered::TooLong) => return Ok(Err(Refusal::Final("too-long-for-the-model"))),
                Some(Unanswered::Refused) => return Ok(Err(Refusal::Final("refused-by-the-server"))),
                None => return Err(error),
            },
        };
        patience.answered();
        spent.add(&written);
        if written.text.trim().is_empty() {
            return Ok(Err(Refusal::ForNow("no-text-in-the-answer")));
        }
        Ok(answer(&written.text).ok_or(Refusal::ForNow("no-marker-in-the-answer")))
    };
    let first = describe(function);
    let prompt_hash = blake3::hash(first.as_bytes()).to_hex().to_string();
    let mut asked = first.clone();
    let mut reason = "no-answer";
    for attempt in 0..options.attempts.max(1) {
        let mut description = match ask(asked.clone(), u64::from(attempt))? {
            Ok(description) => description,
            Err(Refusal::ForNow(none)) => {
                reason = none;
                continue;
            }
            Err(Refusal::Final(none)) => return Ok(Err(none)),
        };
        if options.align && names.in_text(&description).is_empty() {
            // An alignment that fails leaves the description as it was.
            if let Ok(better) = ask(aligned(function, &description), u64::from(attempt))?
                && names.in_text(&better).is_empty()
            {
                description = better;
            }
        }
        let found = names.in_text(&description);
        if found.is_empty() {
            let mut query = query(function, description, &options.author, WrittenBy::Model);
            query.prompt_hash = Some(prompt_hash);
            query.prompt_tokens = spent.prompt_tokens;
            query.answer_tokens = spent.answer_tokens;
            query.cost = spent.cost;
            return Ok(Ok(query));
        }
        reason = "names-the-function";
        asked = without_names(function, &description, &found);
    }
    Ok(Err(reason))
}

/// Why a prompt brought no description.
enum Refusal {
    /// Another attempt may bring one.
    ForNow(&'static str),
    /// It would end in the same way.
    Final(&'static str),
}

/// What one description took: unknown as soon as a part of it is.
struct Spent {
    prompt_tokens: Option<u32>,
    answer_tokens: Option<u32>,
    cost: Option<f64>,
}

impl Spent {
    fn nothing() -> Self {
        Self { prompt_tokens: Some(0), answer_tokens: Some(0), cost: Some(0.0) }
    }

    fn add(&mut self, written: &Written) {
        let add = |sum: Option<u32>, tokens: Option<u64>| {
            Some(sum?.saturating_add(u32::try_from(tokens?).unwrap_or(u32::MAX)))
        };
        self.prompt_tokens = add(self.prompt_tokens, written.prompt_tokens);
        self.answer_tokens = add(self.answer_tokens, written.answer_tokens);
        self.cost = self.cost.zip(written.cost).map(|(sum, cost)| sum + cost);
    }
}

/// What descriptions will come to that a server has yet to write, if each is right at once; nothing where nothing is paid
/// for.
pub fn estimate(
    functions: &[Function],
    model: &OpenedWriter,
    options: &Options,
) -> Result<Option<Estimate>, ModelError> {
    // Goes through all of it. In the place of each answer that is not there yet is one of usual length, which names
    // nothing: no name is a number.
    let stand_in = format!("{MARKER} {}", "0000 ".repeat(50));
    model.rehearse(stand_in, |writer| queries(functions, writer, options, &Silent).map(drop))
}
