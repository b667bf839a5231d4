//! The replies of a run, to be graded again without asking anybody.

use std::collections::{BTreeMap, HashMap};

use estrange_bench::{Answer, BenchError, Problem, Run};
use estrange_model::Watch;
use serde_json::Value;

use super::author::{Author, Wanted, Wrote, key_of};
use super::error::GenerateError;
use super::records::Mark;
use crate::given::Key;
use crate::interview::Traced;

/// The replies of a run.
pub struct Recorded {
    card: Value,
    replies: HashMap<Key, BTreeMap<u32, Wrote>>,
}

impl Recorded {
    /// Those of a run.
    pub fn of(run: &Run) -> Result<Self, BenchError> {
        let mut problems: HashMap<(Key, u32), (Problem, String)> = HashMap::new();
        for mark in run.tables().rows::<Mark>()? {
            let Mark { item, setting, seed, sample, problem, detail, .. } = mark?;
            if let Some(problem) = problem {
                problems.insert(((item, setting, seed), sample), (problem, detail.unwrap_or_default()));
            }
        }
        let mut replies: HashMap<Key, BTreeMap<u32, Wrote>> = HashMap::new();
        for answer in run.tables().rows::<Answer>()? {
            let answer = answer?;
            let key = (answer.item, answer.setting, answer.seed);
            let text = match problems.remove(&(key.clone(), answer.sample)) {
                Some(problem) => Err(problem),
                None => Ok(answer.text.clone().unwrap_or_default()),
            };
            let traced = Traced {
                prompt: answer.prompt,
                parameters: serde_json::from_str(&answer.parameters).ok(),
                text: answer.text,
                prompt_tokens: answer.prompt_tokens,
                answer_tokens: answer.answer_tokens,
                cost: answer.cost,
            };
            replies.entry(key).or_default().insert(answer.sample, Wrote { text, traced });
        }
        Ok(Self { card: run.facts().card.clone(), replies })
    }
}

impl Author for Recorded {
    fn card(&self) -> Value {
        self.card.clone()
    }

    fn write(&self, wanted: &[Wanted<'_>], watch: &dyn Watch) -> Result<Vec<Vec<Wrote>>, GenerateError> {
        watch.done(wanted.len());
        let of = |wanted: &Wanted<'_>| {
            let own = self.replies.get(&key_of(wanted.assignment));
            own.map_or_else(Vec::new, |own| own.values().cloned().collect())
        };
        Ok(wanted.iter().map(of).collect())
    }
}
