//! The patched side of a pair at all its levels: what it comes to at each on the same inputs.

use std::collections::HashSet;

use estrange_bench::{Asks, Language, Question, Rung};
use estrange_build::BuildError;
use estrange_oracle::{Input, Oracle, Outcome, Subject};
use estrange_words::{Reason, Word};

use crate::comes_to::CameTo;
use crate::couple::Side;
use crate::pair::WRITTEN;
use crate::runner::{Built, Lost, Ready, cannot_run, ready};

/// So many inputs are tried for each question that is wanted.
const TRIED: usize = 4;

/// So many places in memory are asked about at once.
const PLACES: usize = 4;

/// A call that takes more letters is more than anybody wants to read; so is a text as an answer.
const LONGEST_CALL: usize = 1_500;
const LONGEST_TEXT: usize = 80;

/// The patched side of a pair.
pub(crate) struct Levels<'l> {
    pub(crate) pair: &'l str,
    pub(crate) function_id: &'l str,
    pub(crate) language: Language,
    pub(crate) flags: &'l [String],
    /// Its levels, the first as it was written.
    pub(crate) rungs: &'l [Rung],
}

impl Levels<'_> {
    /// So many questions, each with its answer at every level, or why there are none.
    pub(crate) fn questions(
        &self,
        oracle: &Oracle,
        (most, seed): (usize, u64),
    ) -> Result<Result<Vec<Question>, Lost>, BuildError> {
        let mut prepared = Vec::new();
        for rung in self.rungs {
            match self.ready(oracle, rung)? {
                Ok(ready) => prepared.push(ready),
                Err((reason, detail)) => return Ok(Err((reason, format!("{}: {detail}", rung.setting)))),
            }
        }
        let mut levels = Vec::new();
        for ready in &prepared {
            match ready.build(None)? {
                Ok(built) => levels.push(built),
                Err(lost) => return Ok(Err(lost)),
            }
        }
        let (Some(rung), Some(ready), Some(written)) = (self.rungs.first(), prepared.first(), levels.first()) else {
            return Ok(Err((Reason::Missing, format!("it is not there at {WRITTEN}"))));
        };
        let inputs = match self.inputs(oracle, (rung, &ready.entry), (most * TRIED, seed))? {
            Ok(inputs) => inputs,
            Err(lost) => return Ok(Err(lost)),
        };
        let asked = asked(written, inputs)?;
        let found = self.agreed(&levels, &asked, most)?;
        let none = || (Reason::NoQuestion, Reason::NoQuestion.phrase());
        Ok(if found.is_empty() { Err(none()) } else { Ok(found) })
    }

    /// A level with its harness, under its own names.
    fn ready<'o>(&self, oracle: &'o Oracle, rung: &Rung) -> Result<Result<Ready<'o>, Lost>, BuildError> {
        let function = rung.patched_start as usize..rung.patched_end as usize;
        let Some(name) = oracle.name_at(&rung.patched_unit, function.start, self.language, self.flags)? else {
            return Ok(Err((Reason::Missing, "its text does not define it".to_owned())));
        };
        let side = Side { unit: rung.patched_unit.clone(), function, entry: None };
        ready(oracle, &side, &name, self.language, self.flags)
    }

    /// Inputs on which it returns as it was written, each on a program that has just begun.
    fn inputs(
        &self,
        oracle: &Oracle,
        (rung, function): (&Rung, &str),
        (most, seed): (usize, u64),
    ) -> Result<Result<Vec<Input>, Lost>, BuildError> {
        let (text, at) = (rung.patched_unit.as_str(), Some(rung.patched_start as usize));
        let subject = Subject { text, function, at, language: self.language, flags: self.flags, seed };
        Ok(match oracle.original(&subject)? {
            Ok(prepared) => Ok(prepared.examples(most)?.iter().map(Input::at_the_start).collect()),
            Err(reason) => Err(cannot_run(reason)),
        })
    }

    /// The first questions that have the same answer at all levels.
    fn agreed(
        &self,
        levels: &[Built<'_>],
        asked: &[(Input, CameTo)],
        most: usize,
    ) -> Result<Vec<Question>, BuildError> {
        let (mut questions, mut found) = (Vec::new(), 0);
        for (input, written) in asked {
            if found == most {
                break;
            }
            if let Some(said) = alike(levels, input, written)? {
                found += 1;
                let rungs = self.rungs.iter().zip(&said);
                questions.extend(rungs.map(|(rung, came_to)| self.question(rung, found, came_to)));
            }
        }
        Ok(questions)
    }

    fn question(&self, rung: &Rung, number: usize, came_to: &CameTo) -> Question {
        let CameTo { call, places, outcomes } = came_to;
        Question {
            item: format!("{}/{number}", self.pair),
            setting: rung.setting.clone(),
            seed: rung.seed,
            pair: self.pair.to_owned(),
            function_id: self.function_id.to_owned(),
            language: self.language,
            asks: Asks::Call,
            call: call.clone(),
            asked: wording(places),
            answer: answer(outcomes),
            bits: outcomes.iter().filter_map(bits).max(),
        }
    }
}

/// What it comes to on inputs as it was written: of inputs with the same call one, and those first that come to something of
/// their own, so that who always answers the same is not always right.
fn asked(written: &Built<'_>, inputs: Vec<Input>) -> Result<Vec<(Input, CameTo)>, BuildError> {
    let (mut calls, mut answers) = (HashSet::new(), HashSet::new());
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for input in inputs {
        let Some(came_to) = written.comes_to(&input)?.map(shortened).filter(is_sayable) else { continue };
        if !calls.insert(came_to.call.clone()) {
            continue;
        }
        let place = if answers.insert(answer(&came_to.outcomes)) { &mut own } else { &mut others };
        place.push((input, came_to));
    }
    own.append(&mut others);
    Ok(own)
}

/// What all levels say, if it is the same but for the names.
fn alike(levels: &[Built<'_>], input: &Input, written: &CameTo) -> Result<Option<Vec<CameTo>>, BuildError> {
    let mut said = Vec::new();
    for level in levels {
        let same = |came_to: &CameTo| came_to.outcomes == written.outcomes && is_sayable(came_to);
        let Some(came_to) = level.comes_to(input)?.map(shortened).filter(same) else { return Ok(None) };
        said.push(came_to);
    }
    Ok(Some(said))
}

/// With the first places only.
fn shortened(mut came_to: CameTo) -> CameTo {
    came_to.places.truncate(PLACES);
    came_to.outcomes.truncate(PLACES);
    came_to
}

/// Whether people would ask so: the call is short and says all, and so does the answer. What code cannot write stands in
/// comments.
fn is_sayable(came_to: &CameTo) -> bool {
    let is_short = |outcome: &Outcome| !matches!(outcome, Outcome::Text(text) if text.len() > LONGEST_TEXT);
    came_to.call.len() <= LONGEST_CALL && !came_to.call.contains("/*") && came_to.outcomes.iter().all(is_short)
}

/// What is asked about these places.
fn wording(places: &[String]) -> String {
    let quoted: Vec<String> = places.iter().map(|place| format!("`{place}`")).collect();
    match quoted.as_slice() {
        [] => "What does this call return?".to_owned(),
        [place] => format!("What does {place} hold after this call?"),
        [others @ .., last] => format!("What do {} and {last} hold after this call, in this order?", others.join(", ")),
    }
}

/// An answer as code writes it.
fn answer(outcomes: &[Outcome]) -> String {
    match outcomes {
        [outcome] => outcome.to_string(),
        several => format!("{{{}}}", several.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}

fn bits(outcome: &Outcome) -> Option<u32> {
    match outcome {
        Outcome::Number { bits, .. } => Some(*bits),
        _ => None,
    }
}
