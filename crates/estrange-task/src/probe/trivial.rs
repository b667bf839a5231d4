//! Respondents that do not read the code: what any other one lies between.

use estrange_model::Watch;
use serde_json::json;

use super::error::ProbeError;
use super::respondent::{Reply, Respondent, Said, Shown};

/// Knows all answers. What it says is read like any other answer, so that it shows whether reading does them justice.
#[derive(Debug, Clone, Copy)]
pub struct Gold;

impl Respondent for Gold {
    fn card(&self) -> serde_json::Value {
        json!({ "model": "gold" })
    }

    fn answer(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, ProbeError> {
        Ok(each(shown, watch, |shown| shown.right.to_owned()))
    }
}

/// Says nothing at all.
#[derive(Debug, Clone, Copy)]
pub struct Empty;

impl Respondent for Empty {
    fn card(&self) -> serde_json::Value {
        json!({ "model": "empty" })
    }

    fn answer(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, ProbeError> {
        Ok(each(shown, watch, |_| String::new()))
    }
}

/// Gives the same answer to everything.
#[derive(Debug, Clone)]
pub struct Constant(pub String);

impl Respondent for Constant {
    fn card(&self) -> serde_json::Value {
        json!({ "model": "constant", "answer": self.0 })
    }

    fn answer(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, ProbeError> {
        Ok(each(shown, watch, |_| self.0.clone()))
    }
}

fn each(shown: &[Shown<'_>], watch: &dyn Watch, say: impl Fn(&Shown<'_>) -> String) -> Vec<Vec<Said>> {
    watch.done(shown.len());
    shown.iter().map(|shown| vec![Said::of(Ok(Reply::Answer(say(shown))))]).collect()
}
