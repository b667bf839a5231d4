//! Asking a language model about many things: each in a prompt, several times, several at once; and how answers came about.

use estrange_bench::{Answer, Problem};
use estrange_model::openai::Estimate;
use estrange_model::{ModelError, OpenedWriter, Prompt, Silent, Watch, Writer, Written};
use serde_json::{Value, json};

use crate::asking::side_by_side;
use crate::patience::{Patience, Unanswered};

/// How a language model is asked.
#[derive(Debug, Clone, Copy)]
pub struct AskedOptions {
    /// How often, about each thing.
    pub samples: u32,
    /// How freely it chooses its words.
    pub temperature: f64,
    /// How long an answer may be, in its tokens.
    pub max_tokens: u32,
    /// How many things are asked about at once.
    pub at_once: usize,
}

/// How an answer came about, to be kept as it was.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Traced {
    /// What a model was given.
    pub prompt: Option<String>,
    /// With which parameters.
    pub parameters: Option<Value>,
    /// What it answered, untouched.
    pub text: Option<String>,
    /// How many tokens it read.
    pub prompt_tokens: Option<u32>,
    /// How many it wrote.
    pub answer_tokens: Option<u32>,
    /// What that cost.
    pub cost: Option<f64>,
}

impl Traced {
    /// The row for it: of an item, a setting, a seed and a sample.
    pub(crate) fn kept(self, (item, setting, seed): (&str, &str, u32), sample: u32) -> Answer {
        Answer {
            item: item.to_owned(),
            setting: setting.to_owned(),
            seed,
            sample,
            prompt: self.prompt,
            parameters: self.parameters.unwrap_or_else(|| json!({})).to_string(),
            text: self.text,
            prompt_tokens: self.prompt_tokens,
            answer_tokens: self.answer_tokens,
            cost: self.cost,
            seconds: None,
        }
    }
}

/// What an answer says, or why there is none.
pub(crate) type Spoken<'s> = Result<&'s str, (Problem, String)>;

/// A language model that is asked.
pub(crate) struct Interview {
    model: OpenedWriter,
    options: AskedOptions,
    /// How its answers begin, where it can be made to begin so.
    begin: Option<&'static str>,
    patience: Patience,
}

impl Interview {
    pub fn new(model: OpenedWriter, options: AskedOptions, begin: Option<&'static str>) -> Self {
        Self { model, options, begin, patience: Patience::default() }
    }

    /// Everything that its answers depend on, besides what is asked about.
    pub fn card(&self, prompt: &str) -> Value {
        let mut card = self.model.writer().card();
        if let Some(card) = card.as_object_mut() {
            card.insert("prompt".to_owned(), json!(prompt));
            card.insert("samples".to_owned(), json!(self.options.samples));
            card.insert("temperature".to_owned(), json!(self.options.temperature));
            card.insert("max_tokens".to_owned(), json!(self.options.max_tokens));
        }
        card
    }

    /// All answers about all things, each as it is understood.
    pub fn answers<T: Sync, A: Send>(
        &self,
        things: &[T],
        watch: &dyn Watch,
        prompt: impl Fn(&T) -> String + Sync,
        understood: impl Fn(Spoken<'_>, Traced) -> A + Sync,
    ) -> Result<Vec<Vec<A>>, ModelError> {
        self.by(self.model.writer(), things, watch, prompt, understood)
    }

    /// What a server will have to be asked, where answers are about as long as this one.
    pub fn estimate<T: Sync>(
        &self,
        things: &[T],
        answer: &str,
        prompt: impl Fn(&T) -> String + Sync,
    ) -> Result<Option<Estimate>, ModelError> {
        self.model.rehearse(answer.to_owned(), |writer| self.by(writer, things, &Silent, &prompt, |_, _| ()).map(drop))
    }

    fn by<T: Sync, A: Send>(
        &self,
        writer: &dyn Writer,
        things: &[T],
        watch: &dyn Watch,
        prompt: impl Fn(&T) -> String + Sync,
        understood: impl Fn(Spoken<'_>, Traced) -> A + Sync,
    ) -> Result<Vec<Vec<A>>, ModelError> {
        side_by_side(things, self.options.at_once, watch, |thing| {
            let samples = 0..self.options.samples.max(1);
            samples.map(|sample| self.ask(prompt(thing), sample, (writer, watch), &understood)).collect()
        })
    }

    fn ask<A>(
        &self,
        user: String,
        sample: u32,
        (writer, watch): (&dyn Writer, &dyn Watch),
        understood: impl Fn(Spoken<'_>, Traced) -> A,
    ) -> Result<A, ModelError> {
        if watch.should_stop() {
            return Err(ModelError::Stopped);
        }
        let prompt = self.prompt(user, sample);
        let parameters = json!({
            "temperature": prompt.temperature, "max_tokens": prompt.max_tokens, "seed": prompt.seed,
        });
        let written = writer.write(&prompt, watch);
        let asked = Traced { prompt: Some(prompt.user), parameters: Some(parameters), ..Traced::default() };
        match written {
            Ok(written) => {
                self.patience.answered();
                Ok(understood(Ok(&written.text), answered(asked, &written)))
            }
            Err(error) => match self.patience.loss(&error, watch) {
                Some(Unanswered::TooLong) => Ok(understood(Err((Problem::PromptTooLong, error.to_string())), asked)),
                Some(Unanswered::Refused) => Ok(understood(Err((Problem::RefusedByServer, error.to_string())), asked)),
                None => Err(error),
            },
        }
    }

    fn prompt(&self, user: String, sample: u32) -> Prompt {
        Prompt {
            system: None,
            user,
            begin: self.begin.map(str::to_owned),
            max_tokens: self.options.max_tokens,
            temperature: self.options.temperature,
            seed: u64::from(sample),
        }
    }
}

fn answered(asked: Traced, written: &Written) -> Traced {
    let tokens = |tokens: Option<u64>| tokens.map(|tokens| u32::try_from(tokens).unwrap_or(u32::MAX));
    Traced {
        text: Some(written.text.clone()),
        prompt_tokens: tokens(written.prompt_tokens),
        answer_tokens: tokens(written.answer_tokens),
        cost: written.cost,
        ..asked
    }
}
