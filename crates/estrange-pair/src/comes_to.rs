//! What a side comes to on an input, in words: what it returns, or what it leaves in memory.

use estrange_build::BuildError;
use estrange_oracle::{Compiled, End, Input, Outcome, Replay};

use crate::runner::Built;

/// A call, and what it came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CameTo {
    /// The call, as code that can be pasted.
    pub(crate) call: String,
    /// Where in memory, as the caller names it; empty where it is what was returned.
    pub(crate) places: Vec<String>,
    /// What was returned, or what the places hold.
    pub(crate) outcomes: Vec<Outcome>,
}

impl Built<'_> {
    /// What it comes to on an input, if both compilers say the same and it returns; nothing where that cannot be said.
    pub(crate) fn comes_to(&self, input: &Input) -> Result<Option<CameTo>, BuildError> {
        let mut said = None;
        for (_, compiled) in &self.programs {
            let Some(one) = run(&self.ready.replay, compiled, input)? else { return Ok(None) };
            if *said.get_or_insert_with(|| one.clone()) != one {
                return Ok(None);
            }
        }
        Ok(said)
    }
}

fn run(replay: &Replay<'_>, compiled: &Compiled<'_>, input: &Input) -> Result<Option<CameTo>, BuildError> {
    let Ok(fitted) = replay.fit(input) else { return Ok(None) };
    let Some(ran) = compiled.run(&fitted)?.ok().filter(|ran| ran.end == End::Returned) else { return Ok(None) };
    let call = replay.call(&ran).trim_end().to_owned();
    let (places, outcomes) = match replay.returned(&ran) {
        Some(outcome) => (Vec::new(), vec![outcome]),
        None => replay.left(&ran).into_iter().unzip(),
    };
    Ok((!outcomes.is_empty()).then_some(CameTo { call, places, outcomes }))
}
