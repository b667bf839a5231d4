//! A function after the rewrites of shape of a recipe.

use std::ops::Range;

use estrange_clang::Tree;
use estrange_rewrite::{Draw, Recipe, Refusal, Reshape, Subject, function_in};
use estrange_unit::{Parser, ParserLoss};
use estrange_words::{Language, Reason};

use crate::error::BuildError;
use crate::variants::rewrite::Lost;

/// A text whose function has another shape.
pub(super) struct Reshaped {
    pub(super) text: String,
    pub(super) function: Range<usize>,
    /// The rewrites that were done, in their order.
    pub(super) done: Vec<Reshape>,
    /// What the parser says of the text, and which of its functions it is.
    pub(super) tree: Tree,
    pub(super) number: usize,
}

/// Who reads texts, and as what.
pub(super) struct Reader<'a> {
    pub(super) parser: &'a Parser,
    pub(super) arguments: &'a [String],
    pub(super) language: Language,
}

impl Reader<'_> {
    /// A function after the rewrites of shape of `recipe`, one after the other. The text has no comments; `id` and `seed`
    /// say what is chosen.
    pub(super) fn reshaped(
        &self,
        text: &str,
        function: Range<usize>,
        recipe: &Recipe,
        (id, seed): (&str, u32),
    ) -> Result<Result<Reshaped, Lost>, BuildError> {
        let mut reshaped = match self.read(text.to_owned(), function, Vec::new())? {
            Ok(reshaped) => reshaped,
            Err(lost) => return Ok(Err(lost)),
        };
        for (step, rewrite) in recipe.rewrites().iter().enumerate().filter(|(_, rewrite)| rewrite.reshapes()) {
            let Reshaped { text, tree, number, .. } = &reshaped;
            let subject = Subject { text, tree, function: *number, language: self.language };
            let mut draw = Draw::new(id, u64::from(seed), step as u32);
            let (reshape, edited) = match rewrite.reshape(&subject, &reshaped.done, &mut draw) {
                Ok(edited) => edited,
                Err(refusal) if rewrite.can_be_left_out(&reshaped.done, &refusal) => continue,
                Err(refusal) => {
                    let needs = rewrite.needs().filter(|_| refusal == Refusal::NoPlace);
                    let needs = needs.map(|needs| format!(": it needs {needs}")).unwrap_or_default();
                    return Ok(Err((refusal.reason(), format!("{rewrite}: {refusal}{needs}"))));
                }
            };
            // The parser's function may be a little less than the text that is meant: a macro before it means nothing.
            let body = &tree.functions[*number];
            let before = (body.start as usize).saturating_sub(reshaped.function.start);
            let after = reshaped.function.end.saturating_sub(body.end as usize);
            let function = edited.function.start - before..edited.function.end + after;
            let mut done = std::mem::take(&mut reshaped.done);
            done.push(reshape);
            reshaped = match self.read(edited.text, function, done)? {
                Ok(reshaped) => reshaped,
                Err(lost) => return Ok(Err(lost)),
            };
        }
        Ok(Ok(reshaped))
    }

    fn read(
        &self,
        text: String,
        function: Range<usize>,
        done: Vec<Reshape>,
    ) -> Result<Result<Reshaped, Lost>, BuildError> {
        let tree = match self.parser.tree(&text, self.arguments) {
            Ok(tree) => tree,
            Err(loss @ ParserLoss::Unavailable(_)) => return Err(BuildError::Parser(loss)),
            Err(loss) => return Ok(Err((loss.reason(), loss.to_string()))),
        };
        let Some(number) = function_in(&tree, &function) else {
            let detail = "the parser finds no function where it stands".to_owned();
            return Ok(Err((Reason::NoFunction, detail)));
        };
        Ok(Ok(Reshaped { text, function, done, tree, number }))
    }
}
