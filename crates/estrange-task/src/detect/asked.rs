//! Language models as detectors: each text in a prompt, and its answer read.

use estrange_bench::Problem;
use estrange_model::openai::Estimate;
use estrange_model::{ModelError, OpenedWriter, Prompt, Silent, Watch, Writer, Written};
use serde_json::{Value, json};

use super::detector::{Detector, Said, Shown, Traced};
use super::error::DetectError;
use super::reply::{Reply, read};
use super::template::Template;
use crate::asking::side_by_side;
use crate::patience::{Patience, Unanswered};

/// How an answer begins, where a model can be made to begin so.
const BEGIN: &str = "{\"verdict\": \"";

/// How a language model is asked.
#[derive(Debug, Clone)]
pub struct AskedOptions {
    /// What it is asked.
    pub template: Template,
    /// How often, for each text.
    pub samples: u32,
    /// How freely it chooses its words.
    pub temperature: f64,
    /// How long an answer may be, in its tokens.
    pub max_tokens: u32,
    /// How many texts are asked about at once.
    pub at_once: usize,
}

/// A language model that is asked for verdicts.
pub struct Asked {
    model: OpenedWriter,
    options: AskedOptions,
    patience: Patience,
}

impl Asked {
    /// The model as a detector.
    pub fn new(model: OpenedWriter, options: AskedOptions) -> Self {
        Self { model, options, patience: Patience::default() }
    }

    fn prompt(&self, shown: &Shown<'_>, sample: u32) -> Prompt {
        Prompt {
            system: None,
            user: self.options.template.filled(shown.text, shown.case.language),
            begin: Some(BEGIN.to_owned()),
            max_tokens: self.options.max_tokens,
            temperature: self.options.temperature,
            seed: u64::from(sample),
        }
    }

    /// All answers about all texts, of which several are asked about at once.
    fn answers(
        &self,
        shown: &[Shown<'_>],
        writer: &dyn Writer,
        watch: &dyn Watch,
    ) -> Result<Vec<Vec<Said>>, ModelError> {
        side_by_side(shown, self.options.at_once, watch, |one| {
            (0..self.options.samples.max(1)).map(|sample| self.ask(one, sample, writer, watch)).collect()
        })
    }

    fn ask(&self, shown: &Shown<'_>, sample: u32, writer: &dyn Writer, watch: &dyn Watch) -> Result<Said, ModelError> {
        if watch.should_stop() {
            return Err(ModelError::Stopped);
        }
        let prompt = self.prompt(shown, sample);
        let mut said = match writer.write(&prompt, watch) {
            Ok(written) => {
                self.patience.answered();
                said(&written)
            }
            Err(error) => match self.patience.loss(&error, watch) {
                Some(Unanswered::TooLong) => Said::problem(Problem::PromptTooLong, error.to_string()),
                Some(Unanswered::Refused) => Said::problem(Problem::RefusedByServer, error.to_string()),
                None => return Err(error),
            },
        };
        said.traced.prompt = Some(prompt.user);
        said.traced.parameters =
            Some(json!({ "temperature": prompt.temperature, "max_tokens": prompt.max_tokens, "seed": prompt.seed }));
        Ok(said)
    }
}

/// What an answer says.
fn said(written: &Written) -> Said {
    let mut said = match read(&written.text) {
        Ok(Reply { verdict, cwe, line, confidence, reason }) => {
            Said { cwe, line, confidence, reason, ..Said::plain(verdict) }
        }
        Err((problem, detail)) => Said::problem(problem, detail),
    };
    let tokens = |tokens: Option<u64>| tokens.map(|tokens| u32::try_from(tokens).unwrap_or(u32::MAX));
    said.traced = Traced {
        text: Some(written.text.clone()),
        prompt_tokens: tokens(written.prompt_tokens),
        answer_tokens: tokens(written.answer_tokens),
        cost: written.cost,
        ..Traced::default()
    };
    said
}

impl Detector for Asked {
    fn card(&self) -> Value {
        let mut card = self.model.writer().card();
        if let Some(card) = card.as_object_mut() {
            card.insert("prompt".to_owned(), json!(self.options.template.text()));
            card.insert("samples".to_owned(), json!(self.options.samples));
            card.insert("temperature".to_owned(), json!(self.options.temperature));
            card.insert("max_tokens".to_owned(), json!(self.options.max_tokens));
        }
        card
    }

    fn detect(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, DetectError> {
        Ok(self.answers(shown, self.model.writer(), watch)?)
    }

    fn estimate(&self, shown: &[Shown<'_>]) -> Result<Option<Estimate>, DetectError> {
        let stand_in = format!("{BEGIN}safe\"}}");
        Ok(self.model.rehearse(stand_in, |writer| self.answers(shown, writer, &Silent).map(drop))?)
    }
}
