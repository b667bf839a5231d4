//! Language models as respondents: each question in a prompt, and its answer read.

use estrange_model::openai::Estimate;
use estrange_model::{OpenedWriter, Watch};

use super::error::ProbeError;
use super::respondent::{Reply, Respondent, Said, Shown};
use super::template::Template;
use crate::interview::{AskedOptions, Interview};

/// A language model that is asked what code does.
pub struct Asked {
    interview: Interview,
    template: Template,
}

impl Asked {
    /// The model as a respondent that is asked what the template says.
    pub fn new(model: OpenedWriter, template: Template, options: AskedOptions) -> Self {
        Self { interview: Interview::new(model, options, None), template }
    }
}

impl Respondent for Asked {
    fn card(&self) -> serde_json::Value {
        self.interview.card(self.template.text())
    }

    fn answer(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, ProbeError> {
        let prompt = |one: &Shown<'_>| self.template.filled(one);
        Ok(self
            .interview
            .answers(shown, watch, prompt, |answer, traced| Said { reply: answer.map(written), traced })?)
    }

    fn estimate(&self, shown: &[Shown<'_>]) -> Result<Option<Estimate>, ProbeError> {
        Ok(self.interview.estimate(shown, "ANSWER: 0", |one| self.template.filled(one))?)
    }
}

fn written(answer: &str) -> Reply {
    Reply::Written(answer.to_owned())
}
