//! The interpreter of recipes: a function is read, reshaped, read again, renamed and laid out.
//!
//! What a text says is asked of a [`Reader`]: a parser in a worker, or libclang itself. Everything else is a pure function of
//! the text, the recipe and the seed. What is compiled with a text for its evidence is no business of this crate: it is
//! *besides* the text, as pieces that are written in the same names.

use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt;
use std::ops::Range;

use estrange_clang::{Names, Tree};
use estrange_text::piece::Piece;
use estrange_text::thesaurus::Thesaurus;
use estrange_words::{Language, Reason};

use crate::bind::{Bound, Doubts, What};
use crate::foreign::Contractor;
use crate::known::{Stretch, stretches};
use crate::measure::perturbation_fraction;
use crate::naming::Naming;
use crate::neutral::Neutral;
use crate::random::Random;
use crate::recipe::{Recipe, Rewrite};
use crate::refusal::Refusal;
use crate::rename::{Renamed, without_comments};
use crate::shape::{Draw, Edited, Left, Reshape, Subject, Unfolded, function_in, locals, unfold};
use crate::synonyms::Synonyms;

/// Whoever parses texts of one language, with the same flags.
pub trait Reader {
    /// Why there is no answer.
    type Error;

    /// What the names in a text stand for.
    ///
    /// # Errors
    /// When the text cannot be read; errors in the text itself are part of the answer.
    fn names(&self, text: &str) -> Result<NamesRead, Self::Error>;

    /// The tree of a text.
    ///
    /// # Errors
    /// As [`Reader::names`].
    fn tree(&self, text: &str) -> Result<Tree, Self::Error>;
}

/// The names in a text.
pub struct NamesRead {
    /// What each stands for.
    pub names: Names,
    /// Whether a header that the text includes has a word, for whatever.
    pub in_headers: Box<dyn Fn(&str) -> bool>,
}

/// A function in a text, and other parts of the text that are to be found again.
#[derive(Debug, Clone)]
pub struct Part {
    /// Where the function stands.
    pub function: Range<usize>,
    /// Where the others stand, none of them in the function.
    pub others: Vec<Range<usize>>,
}

impl From<Range<usize>> for Part {
    fn from(function: Range<usize>) -> Self {
        Self { function, others: Vec::new() }
    }
}

/// What choices hang on: other functions and other seeds get others.
#[derive(Debug, Clone, Copy)]
pub struct Choices<'a> {
    /// Stands for the function.
    pub id: &'a str,
    /// The seed.
    pub seed: u64,
}

/// Puts functions through recipes.
pub struct Interpreter<'a, R: Reader> {
    /// Who reads texts.
    pub reader: &'a R,
    /// Their language.
    pub language: Language,
    /// Knows the names of the standard library.
    pub is_standard: &'a dyn Fn(&str) -> bool,
    /// Names that stay.
    pub keep: &'a HashSet<String>,
    /// For texts that a compiler checks afterwards: the names that are a header's where nothing tells whose they are. Without
    /// them, such a text is refused.
    pub theirs: Option<&'a HashSet<String>>,
    /// Where names of other words come from.
    pub thesaurus: Option<&'a Thesaurus>,
    /// Who carries out what is none of ours.
    pub contractor: Option<&'a dyn Contractor<Error = R::Error>>,
}

/// A text whose names are known.
pub struct Read<'t> {
    /// What each name stands for.
    pub bound: Bound<'t>,
    /// What the parser says of them.
    pub names: Names,
    /// The names that stay, in order.
    pub kept: Vec<String>,
}

/// A text whose function has another shape.
#[derive(Debug, Clone)]
pub struct Reshaped {
    /// The whole text, without comments.
    pub text: String,
    /// Where the function stands in it.
    pub function: Range<usize>,
    /// Where the other parts stand: nothing where one is no longer what it was.
    pub parts: Vec<Option<Range<usize>>>,
    /// The rewrites that were done, in their order.
    pub done: Vec<Reshape>,
    /// What the parser says of the text, and which of its functions it is.
    pub tree: Tree,
    /// Which of the tree's functions it is.
    pub number: usize,
    /// What became of its calls, where they were unfolded.
    pub unfolding: Option<Unfolding>,
    /// Conditions with what stands before them, and whole statements, as they are written, of which a rewrite knows that they
    /// decide always alike.
    pub known: Vec<String>,
}

/// What became of a function's calls of functions that its text defines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unfolding {
    /// How many calls were unfolded.
    pub calls: u32,
    /// Those that stay: each function once for each reason.
    pub left: Vec<Left>,
}

/// So many rounds of unfolding are more than any function without recursion takes whose length is bounded.
const ROUNDS: usize = 64;

/// A function after a recipe.
#[derive(Debug, Clone)]
pub struct Applied {
    /// The text as it was, without comments, in the layout of the new one.
    pub old: Renamed,
    /// The new text.
    pub new: Renamed,
    /// The rewrites of shape that were done, in their order.
    pub shapes: Vec<Reshape>,
    /// The share of the function's characters that belong to identifiers that were changed.
    pub perturbation_fraction: f64,
    /// What became of its calls, where they were unfolded.
    pub unfolding: Option<Unfolding>,
    /// Where in the new text stand conditions, with what is before them, and statements of which a rewrite knows that they
    /// decide always alike: nobody need look for inputs that reach the other side of such a condition, or what is inside of such
    /// a statement.
    pub known: Vec<Range<usize>>,
}

/// What a recipe made of a function.
struct Followed {
    new: Renamed,
    shapes: Vec<Reshape>,
    perturbed: f64,
    unfolding: Option<Unfolding>,
    known: Vec<Stretch>,
}

impl Followed {
    fn of_names(new: Renamed, perturbed: f64) -> Self {
        Self { new, shapes: Vec::new(), perturbed, unfolding: None, known: Vec::new() }
    }
}

/// Why a recipe was not followed to its end.
#[derive(Debug)]
pub enum Stopped<E> {
    /// The function is not rewritten.
    Declined(Declined),
    /// A text could not be read.
    Unread(E),
}

/// A refusal, and which rewrite it comes from, where one of shape did not apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declined {
    /// The rewrite of shape.
    pub rewrite: Option<Rewrite>,
    /// Why it does not apply.
    pub refusal: Refusal,
}

impl<E> From<Refusal> for Stopped<E> {
    fn from(refusal: Refusal) -> Self {
        Stopped::Declined(Declined { rewrite: None, refusal })
    }
}

impl From<Stopped<Infallible>> for Declined {
    fn from(stopped: Stopped<Infallible>) -> Self {
        match stopped {
            Stopped::Declined(declined) => declined,
            Stopped::Unread(never) => match never {},
        }
    }
}

impl Declined {
    /// The typed reason.
    pub fn reason(&self) -> Reason {
        self.refusal.reason()
    }
}

impl fmt::Display for Declined {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rewrite, refusal } = self;
        match rewrite {
            Some(rewrite) => write!(formatter, "{rewrite}: {refusal}")?,
            None => return refusal.fmt(formatter),
        }
        match rewrite.and_then(Rewrite::needs).filter(|_| *refusal == Refusal::NoPlace) {
            Some(needs) => write!(formatter, ": it needs {needs}"),
            None => Ok(()),
        }
    }
}

/// What is written besides a text in another shape.
type Besides<'b, E> = &'b dyn Fn(&Reshaped, &Names) -> Result<Vec<Vec<Piece>>, E>;

impl<'a, R: Reader> Interpreter<'a, R> {
    /// A function after a recipe, and nothing besides.
    ///
    /// # Errors
    /// When it is not rewritten, or a text cannot be read.
    pub fn rewritten(
        &self,
        text: &str,
        function: Range<usize>,
        recipe: &Recipe,
        choices: Choices<'_>,
    ) -> Result<Applied, Stopped<R::Error>> {
        self.apply(&self.read(text)?, &function.into(), &[], &|_, _| Ok(Vec::new()), recipe, choices)
    }

    /// Finds out what each name in a text stands for. One reading serves all recipes.
    ///
    /// # Errors
    /// When that cannot be told.
    pub fn read<'t>(&self, text: &'t str) -> Result<Read<'t>, Stopped<R::Error>>
    where
        'a: 't,
    {
        let NamesRead { names, in_headers } = self.reader.names(text).map_err(Stopped::Unread)?;
        let doubts = match self.theirs {
            Some(theirs) => Doubts::Decide { in_headers: &*in_headers, theirs },
            None => Doubts::Refuse,
        };
        let mut keep = self.keep.clone();
        let bound = loop {
            match Bound::new(text, &names, self.is_standard, &keep, doubts) {
                Ok(bound) => break bound,
                // A name that a header has too stays wherever it stands: that is always right.
                Err(Refusal::SharedWithStandard(name)) if in_headers(&name) && keep.insert(name.clone()) => {}
                Err(refusal) => return Err(refusal.into()),
            }
        };
        let mut kept: Vec<String> = keep.into_iter().collect();
        kept.sort_unstable();
        Ok(Read { bound, names, kept })
    }

    /// A function of a text after a recipe. `besides` is what is written besides the text as it is, and `again` says what
    /// that is where the function has another shape.
    ///
    /// # Errors
    /// When it is not rewritten, or a text cannot be read.
    pub fn apply(
        &self,
        read: &Read<'_>,
        part: &Part,
        besides: &[Vec<Piece>],
        again: Besides<'_, R::Error>,
        recipe: &Recipe,
        choices: Choices<'_>,
    ) -> Result<Applied, Stopped<R::Error>> {
        let old = read.bound.plain(part.function.clone(), besides);
        let followed = match self.naming(recipe, choices) {
            _ if recipe.is_of_one_function() => self.reshaped_and_renamed(read, part, again, recipe, choices)?,
            Some(mut naming) => {
                let new = read.bound.rename_with(part.function.clone(), besides, naming.as_mut())?;
                Followed::of_names(new, perturbed(&read.bound, &part.function))
            }
            None => Followed::of_names(old.clone(), 0.0),
        };
        let Followed { new, shapes, perturbed, unfolding, known } = followed;
        let (old, new) = match recipe.has(Rewrite::Layout) {
            // Where lines break shows in the code, by `__LINE__`: both have the same.
            true => (old.laid_out(), new.laid_out()),
            false => (old, new),
        };
        let perturbation_fraction = if new.names.is_empty() { 0.0 } else { perturbed };
        let known = known.into_iter().filter_map(|stretch| stretch.place(&new.text, &new.function)).collect();
        Ok(Applied { old, new, shapes, perturbation_fraction, unfolding, known })
    }

    /// A function in another shape and in its new names. These are chosen last, so that what a rewrite of shape declares
    /// gets one, too.
    fn reshaped_and_renamed(
        &self,
        read: &Read<'_>,
        part: &Part,
        again: Besides<'_, R::Error>,
        recipe: &Recipe,
        choices: Choices<'_>,
    ) -> Result<Followed, Stopped<R::Error>> {
        let (text, function, others) = without_comments(read.bound.text, part.function.clone(), &part.others);
        let reshaped = self.reshaped(text, Part { function, others }, recipe, choices)?;
        let Read { bound, names, .. } = self.read(&reshaped.text)?;
        let besides = again(&reshaped, &names).map_err(Stopped::Unread)?;
        let Reshaped { text, function, done, tree, number, unfolding, known, .. } = &reshaped;
        let followed = |new, perturbed| Followed {
            new,
            shapes: done.clone(),
            perturbed,
            unfolding: unfolding.clone(),
            known: stretches(&text[function.clone()], known),
        };
        let Some(mut naming) = self.naming(recipe, choices) else {
            return Ok(followed(bound.plain(function.clone(), &besides), 0.0));
        };
        let bound = match recipe.naming() {
            Some(rewrite @ (Rewrite::Locals | Rewrite::Mangle)) => {
                let mut chosen = locals(tree, *number);
                if rewrite == Rewrite::Mangle {
                    chosen.insert(tree.thing(tree.functions[*number].thing).name.clone());
                }
                bound.only(|symbol| matches!(symbol.what, What::Thing(_)) && chosen.contains(&symbol.name))
            }
            _ => bound,
        };
        let perturbed = perturbed(&bound, function);
        Ok(followed(bound.rename_with(function.clone(), &besides, naming.as_mut())?, perturbed))
    }

    /// A function after the rewrites of shape of a recipe, one after the other. The text has no comments.
    ///
    /// # Errors
    /// When one does not apply, or a text cannot be read.
    pub fn reshaped(
        &self,
        text: String,
        part: Part,
        recipe: &Recipe,
        choices: Choices<'_>,
    ) -> Result<Reshaped, Stopped<R::Error>> {
        let parts = part.others.into_iter().map(Some).collect();
        let mut reshaped = self.parsed(text, part.function, parts)?;
        for (step, rewrite) in recipe.rewrites().iter().enumerate().filter(|(_, rewrite)| rewrite.reshapes()) {
            let declined = |refusal| Stopped::Declined(Declined { rewrite: Some(*rewrite), refusal });
            if *rewrite == Rewrite::Structure {
                reshaped = self.unfolded(reshaped)?.map_err(declined)?;
                continue;
            }
            if let Some(foreign) = recipe.foreign_at(step) {
                reshaped = self.carried_out(reshaped, foreign, choices)?.map_err(declined)?;
                continue;
            }
            let mut draw = Draw::new(choices.id, choices.seed, step as u32);
            match rewrite.reshape(&self.subject(&reshaped), &reshaped.done, &mut draw) {
                Ok((reshape, edited)) => reshaped = self.next(reshaped, reshape, edited)?,
                Err(refusal) if rewrite.can_be_left_out(&reshaped.done, &refusal) => {}
                Err(refusal) => return Err(declined(refusal)),
            }
        }
        Ok(reshaped)
    }

    /// A function whose calls are unfolded, and those in what then stands there, until none is left that can be.
    fn unfolded(&self, mut reshaped: Reshaped) -> Result<Result<Reshaped, Refusal>, Stopped<R::Error>> {
        let mut unfolding = reshaped.unfolding.take().unwrap_or_default();
        let before = unfolding.calls;
        for _ in 0..ROUNDS {
            let Unfolded { edited, calls, left } = match unfold(&self.subject(&reshaped)) {
                Ok(unfolded) => unfolded,
                Err(refusal) => return Ok(Err(refusal)),
            };
            unfolding.calls += calls;
            unfolding.left = left;
            if calls == 0 {
                break;
            }
            reshaped = self.next(reshaped, Reshape::Inline, edited)?;
        }
        if unfolding.calls == before {
            let first = unfolding.left.into_iter().next();
            return Ok(Err(first.map_or(Refusal::NoPlace, |left| left.refusal)));
        }
        // However many rounds there were, it is one rewrite.
        reshaped.done.dedup_by(|one, other| *one == Reshape::Inline && one == other);
        Ok(Ok(Reshaped { unfolding: Some(unfolding), ..reshaped }))
    }

    /// A function as rewrites of shape see it.
    fn subject<'r>(&self, reshaped: &'r Reshaped) -> Subject<'r> {
        let Reshaped { text, tree, number, parts, .. } = reshaped;
        Subject { text, tree, function: *number, language: self.language, parts }
    }

    /// A function after one more rewrite of shape.
    fn next(&self, before: Reshaped, reshape: Reshape, edited: Edited) -> Result<Reshaped, Stopped<R::Error>> {
        // The parser's function may be a little less than the text that is meant: a macro before it means nothing.
        let body = &before.tree.functions[before.number];
        let ahead = (body.start as usize).saturating_sub(before.function.start);
        let behind = before.function.end.saturating_sub(body.end as usize);
        let function = edited.function.start - ahead..edited.function.end + behind;
        let Reshaped { mut done, unfolding, mut known, .. } = before;
        done.push(reshape);
        known.extend(edited.known);
        let parsed = self.parsed(edited.text, function, edited.parts)?;
        Ok(Reshaped { done, unfolding, known, ..parsed })
    }

    fn parsed(
        &self,
        text: String,
        function: Range<usize>,
        parts: Vec<Option<Range<usize>>>,
    ) -> Result<Reshaped, Stopped<R::Error>> {
        let tree = self.reader.tree(&text).map_err(Stopped::Unread)?;
        let number = function_in(&tree, &function).ok_or(Refusal::NotThere)?;
        let (done, known) = (Vec::new(), Vec::new());
        Ok(Reshaped { text, function, parts, done, tree, number, unfolding: None, known })
    }

    /// What chooses the names of a recipe, if it has others.
    fn naming(&self, recipe: &Recipe, choices: Choices<'_>) -> Option<Box<dyn Naming + '_>> {
        Some(match (recipe.naming()?, self.thesaurus) {
            (Rewrite::Symbol, Some(thesaurus)) => Box::new(Synonyms::new(thesaurus, choices.seed)),
            (Rewrite::Randomize, _) => Box::new(Random::new(choices.id, choices.seed)),
            _ => Box::new(Neutral::default()),
        })
    }
}

/// The share of a function's characters that belong to names that are renamed.
fn perturbed(bound: &Bound<'_>, function: &Range<usize>) -> f64 {
    perturbation_fraction(bound.renamed_characters(function.clone()), &bound.text[function.clone()])
}
