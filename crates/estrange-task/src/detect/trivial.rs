//! Detectors that do not look at what the code does: what any other one has to be better than.

use estrange_bench::Verdict;
use estrange_model::Watch;
use serde_json::{Value, json};

use super::detector::{Detector, Said, Shown};
use super::error::DetectError;
use super::ladder::Ladder;

/// Says the same of everything: `always` that there is a bug, `never` that there is one.
#[derive(Debug, Clone, Copy)]
pub struct Constant(pub Verdict);

impl Detector for Constant {
    fn card(&self) -> Value {
        json!({ "model": if self.0 == Verdict::Vulnerable { "always" } else { "never" } })
    }

    fn detect(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, DetectError> {
        Ok(each(shown, watch, |_| self.0))
    }
}

/// Takes the longer half for vulnerable: what has more tokens than the median of all texts at L0, on both sides. Where
/// rewrites make texts longer, it flags more and more of them.
#[derive(Debug, Clone, Copy)]
pub struct Length {
    median: f64,
}

impl Length {
    /// The detector for what is shown.
    pub fn of(ladder: &Ladder) -> Result<Self, DetectError> {
        ladder.median_length().map(|median| Self { median }).ok_or(DetectError::NoStandard)
    }
}

impl Detector for Length {
    fn card(&self) -> Value {
        json!({ "model": "length", "more_tokens_than": self.median })
    }

    fn detect(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, DetectError> {
        Ok(each(shown, watch, |shown| of(f64::from(shown.case.tokens) > self.median)))
    }
}

/// Throws a coin for each item.
#[derive(Debug, Clone, Copy)]
pub struct Chance {
    /// What the coin depends on besides the item, its setting and its seed.
    pub seed: u64,
}

impl Detector for Chance {
    fn card(&self) -> Value {
        json!({ "model": "chance", "seed": self.seed })
    }

    fn detect(&self, shown: &[Shown<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Said>>, DetectError> {
        Ok(each(shown, watch, |shown| {
            let text = json!([self.seed, shown.case.item, shown.case.setting, shown.case.seed]).to_string();
            of(blake3::hash(text.as_bytes()).as_bytes()[0] & 1 == 1)
        }))
    }
}

fn of(is_flagged: bool) -> Verdict {
    if is_flagged { Verdict::Vulnerable } else { Verdict::Safe }
}

fn each(shown: &[Shown<'_>], watch: &dyn Watch, say: impl Fn(&Shown<'_>) -> Verdict) -> Vec<Vec<Said>> {
    watch.done(shown.len());
    shown.iter().map(|shown| vec![Said::plain(say(shown))]).collect()
}
