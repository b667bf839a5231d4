//! Language models as detectors: each text in a prompt, and its answer read.

use estrange_model::openai::Estimate;
use estrange_model::{OpenedWriter, Watch};
use serde_json::Value;

use super::detector::{Detector, Said, Shown};
use super::error::DetectError;
use super::reply::{Reply, read};
use super::template::Template;
use crate::interview::{AskedOptions, Interview, Spoken, Traced};

/// How an answer begins, where a model can be made to begin so.
const BEGIN: &str = "{\"verdict\": \"";

/// A language model that is asked for verdicts.
pub struct Asked {
    interview: Interview,
    template: Template,
}

impl Asked {
    /// The model as a detector that is asked what the template says.
    pub fn new(model: OpenedWriter, template: Template, options: AskedOptions) -> Self {
        Self { interview: Interview::new(model, options, Some(BEGIN)), template }
    }

    fn prompt(&self, shown: &Shown<'_>) -> String {
        self.template.filled(shown.text, shown.case.language)
    }
}

/// What an answer says.
fn said(answer: Spoken<'_>, traced: Traced) -> Said {
    let said = match answer.and_then(read) {
        Ok(Reply { verdict, cwe, line, confidence, reason }) => {
            Said { cwe, line, confidence, reason, ..Said::plain(verdict) }
        }
        Err((problem, detail)) => Said::problem(problem, detail),
    };
    Said { traced, ..said }
}

impl Detector for Asked {
    fn card(&self) -> Value {
        self.interview.card(self.template.text())
    }

    fn detect(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, DetectError> {
        Ok(self.interview.answers(shown, watch, |one| self.prompt(one), said)?)
    }

    fn estimate(&self, shown: &[Shown<'_>]) -> Result<Option<Estimate>, DetectError> {
        let stand_in = format!("{BEGIN}safe\"}}");
        Ok(self.interview.estimate(shown, &stand_in, |one| self.prompt(one))?)
    }
}
