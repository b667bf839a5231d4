//! What of a foreign step's answer is accepted.
//!
//! What comes back is anybody's text. It is a whole file, or what is to stand in the function's place; either way it has to
//! parse, to have the function with its name and its type, and to need nothing else from outside than the function did.
//! What cannot be used is refused with a typed reason. Whether what is left does the same is for others to show.

mod gate;

use std::ops::Range;

use estrange_clang::Tree;
use estrange_text::comments::strip;
use estrange_text::splice::splice;

use crate::foreign::{Foreign, Given};
use crate::interpret::{Choices, Interpreter, Reader, Reshaped, Stopped};
use crate::refusal::Refusal;
use gate::{Outside, counterpart, same_records};

/// A candidate and which of its functions it is about, or why it does not pass.
type Passed = Result<(Candidate, usize), Refusal>;

/// A text that may take the place of another.
struct Candidate {
    text: String,
    tree: Tree,
}

impl<R: Reader> Interpreter<'_, R> {
    /// A function after a foreign step.
    pub(crate) fn carried_out(
        &self,
        before: Reshaped,
        step: &Foreign,
        choices: Choices<'_>,
    ) -> Result<Result<Reshaped, Refusal>, Stopped<R::Error>> {
        let Some(contractor) = self.contractor else { return Ok(Err(Refusal::NobodyDoes)) };
        let names = self.reader.names(&before.text).map_err(Stopped::Unread)?.names;
        let outside = Outside::of(&names, self.is_standard);
        let thing = before.tree.thing(before.tree.functions[before.number].thing);
        let given = Given {
            text: &before.text,
            function: before.function.clone(),
            name: &thing.name,
            qualified_name: &thing.qualified_name,
            type_: thing.type_.map_or("", |type_| &before.tree.type_(type_).spelling),
            outside: outside.names().map(str::to_owned).collect(),
            language: self.language,
            seed: choices.seed,
        };
        let answer = match contractor.carry_out(step, &given).map_err(Stopped::Unread)? {
            Ok(answer) => strip(&answer),
            Err(refusal) => return Ok(Err(refusal)),
        };
        if answer.trim().is_empty() {
            return Ok(Err(Refusal::NoCode("it is empty".to_owned())));
        }
        self.accepted(before, &outside, &answer)
    }

    /// What of an answer takes the place of the text that there was.
    fn accepted(
        &self,
        before: Reshaped,
        outside: &Outside,
        answer: &str,
    ) -> Result<Result<Reshaped, Refusal>, Stopped<R::Error>> {
        // Both readings are tried: which of them is meant, the text shows.
        let part = splice(&before.text, &[(before.function.clone(), answer.trim())], &mut []);
        let mut refusals = Vec::new();
        for text in [part, answer.to_owned()] {
            match self.candidate(&before, outside, text)? {
                Ok((candidate, number)) => return Ok(placed(before, candidate, number)),
                Err(refusal) => refusals.push(refusal),
            }
        }
        // That it does not parse says little where the other reading does.
        refusals.sort_by_key(|refusal| matches!(refusal, Refusal::DoesNotParse(_)));
        Ok(Err(refusals.into_iter().next().unwrap_or(Refusal::NotThere)))
    }

    /// A text with the function in it, if it passes.
    fn candidate(&self, before: &Reshaped, outside: &Outside, text: String) -> Result<Passed, Stopped<R::Error>> {
        let tree = self.reader.tree(&text).map_err(Stopped::Unread)?;
        if let Some(trouble) = tree.troubles.first() {
            return Ok(Err(Refusal::DoesNotParse(trouble.message.clone())));
        }
        let checked = counterpart(&before.tree, before.number, &tree)
            .and_then(|number| same_records(&before.tree, &tree).map(|()| number));
        let number = match checked {
            Ok(number) => number,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let names = self.reader.names(&text).map_err(Stopped::Unread)?.names;
        let needed = Outside::of(&names, self.is_standard);
        Ok(needed.is_within(outside, &before.tree, &tree).map(|()| (Candidate { text, tree }, number)))
    }
}

/// A candidate in the place of what there was.
fn placed(before: Reshaped, candidate: Candidate, number: usize) -> Result<Reshaped, Refusal> {
    let Candidate { text, tree } = candidate;
    let range = |number: usize| tree.functions[number].start as usize..tree.functions[number].end as usize;
    let function = range(number);
    if text[function.clone()] == before.text[before.function.clone()] {
        return Err(Refusal::Unchanged);
    }
    let again = |place: &Range<usize>| {
        let old = before.tree.functions.iter().position(|body| place.contains(&(body.name as usize)))?;
        counterpart(&before.tree, old, &tree).ok().map(range)
    };
    let parts = before.parts.iter().map(|part| part.as_ref().and_then(again)).collect();
    // What our own rewrites knew of the text before is not known of this one.
    let Reshaped { done, unfolding, .. } = before;
    Ok(Reshaped { text, function, parts, done, tree, number, unfolding, known: Vec::new() })
}
