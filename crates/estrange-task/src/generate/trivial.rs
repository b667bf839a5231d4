//! Authors that grade the grader: the function itself, an empty body, a small mistake.

use estrange_model::Watch;
use serde_json::{Value, json};

use super::author::{Author, Wanted, Wrote};
use super::cut::body;
use super::error::GenerateError;

/// Gives the function itself: it must pass.
#[derive(Debug, Clone, Copy)]
pub struct Gold;

impl Author for Gold {
    fn card(&self) -> Value {
        json!({ "model": "gold" })
    }

    fn write(&self, wanted: &[Wanted<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Wrote>>, GenerateError> {
        Ok(each(wanted, watch, |wanted| wanted.assignment.text.clone()))
    }
}

/// Gives the function without what is in its body: it must fail.
#[derive(Debug, Clone, Copy)]
pub struct Empty;

impl Author for Empty {
    fn card(&self) -> Value {
        json!({ "model": "empty" })
    }

    fn write(&self, wanted: &[Wanted<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Wrote>>, GenerateError> {
        Ok(each(wanted, watch, |wanted| {
            let text = &wanted.assignment.text;
            let head = body(text).map_or("", |body| &text[..body.start]);
            format!("{head}{{\n}}")
        }))
    }
}

/// Gives the function with one small mistake, chosen by a seed: nearly all must fail. A function in which no mistake was planted
/// is given without its body.
#[derive(Debug, Clone, Copy)]
pub struct Mutant {
    /// Which of several mistakes.
    pub seed: u64,
}

impl Author for Mutant {
    fn card(&self) -> Value {
        json!({ "model": "mutant", "seed": self.seed })
    }

    fn write(&self, wanted: &[Wanted<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Wrote>>, GenerateError> {
        Ok(each(wanted, watch, |wanted| {
            let count = wanted.wrong.len().max(1) as u64;
            wanted.wrong.get((self.seed % count) as usize).cloned().unwrap_or_default()
        }))
    }
}

fn each(wanted: &[Wanted<'_>], watch: &dyn Watch, write: impl Fn(&Wanted<'_>) -> String) -> Vec<Vec<Wrote>> {
    watch.done(wanted.len());
    wanted.iter().map(|wanted| vec![Wrote::plain(write(wanted))]).collect()
}
