//! One function rewritten: its names asked of the parser once, then a new text for each setting and seed, with what is
//! compiled besides for its evidence.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use estrange_clang::{Names, Tree};
use estrange_evidence::code::{Opening, mark, marked, same_instance};
use estrange_rewrite::{
    Applied, Choices, Interpreter, NamesRead, NewName, Part, Piece, Reader, Reshape, Reshaped, Rewrite, Setting,
    Stopped, Unfolding, layout,
};
use estrange_text::comments::strip;
use estrange_text::feature_test::is_feature_test_macro;
use estrange_text::thesaurus::Thesaurus;
use estrange_unit::{Language, ParserLoss};
use estrange_words::Reason;

use crate::error::BuildError;
use crate::foreign::Contractors;
use crate::run;
use crate::tools::Tools;

/// A function in a text that compiles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    /// Stands for it: other functions have other random names.
    pub(crate) id: &'a str,
    /// The whole text.
    pub(crate) unit: &'a str,
    /// Where the function stands in it; nothing if it is spelled otherwise there.
    pub(crate) function: Option<&'a Range<usize>>,
    /// Where the functions stand that are shown before it, in that order; nothing for one that is spelled otherwise there.
    pub(crate) helpers: &'a [Option<Range<usize>>],
    pub(crate) language: Language,
    /// What compilers are told besides the language.
    pub(crate) flags: &'a [String],
}

/// A function after a recipe.
pub(crate) struct Rewritten {
    /// The unit without comments, as it was, and where the function stands in it.
    old: String,
    old_start: usize,
    /// The unit with new names.
    pub(crate) unit: String,
    pub(crate) function: Range<usize>,
    /// The helpers and the function, in the new names, if there are helpers.
    pub(crate) merged: Option<String>,
    pub(crate) names: Vec<NewName>,
    /// The rewrites of shape that it has gone through.
    pub(crate) shapes: Vec<&'static str>,
    /// What became of its calls, where they were unfolded.
    pub(crate) unfolding: Option<Unfolding>,
    /// Where conditions and statements stand in the new unit that decide always alike, as its recipe knows.
    known: Vec<Range<usize>>,
    /// Old names and new ones; where several kinds of things have a name, it says which of them is meant.
    pub(crate) map: BTreeMap<String, String>,
    pub(crate) perturbation_fraction: f64,
    /// What makes a compiler write code for a function that nothing calls.
    mark: &'static str,
    /// What makes one write code for a template, in the old names.
    pub(crate) instance: Option<String>,
    new_instance: String,
    /// Whether no header knows the macros before it, so that it may come first.
    includes_first: bool,
    /// Names of which some use may be a header's: if the evidence does not hold, they must stay.
    pub(crate) doubtful: Vec<String>,
    /// Names of the project that stay, because the language or a header has a say in them.
    pub(crate) kept: Vec<String>,
}

impl Rewritten {
    /// The function's own text.
    pub(crate) fn text(&self) -> &str {
        &self.unit[self.function.clone()]
    }

    /// The new unit, to be run.
    pub(crate) fn to_run(&self) -> run::Rewrite<'_> {
        run::Rewrite { text: &self.unit, names: self.map.clone(), known: &self.known }
    }

    /// The old unit as it is compiled for evidence.
    pub(crate) fn old_compiled(&self) -> String {
        self.opened(marked(&self.old, self.old_start, self.mark) + self.instance.as_deref().unwrap_or_default())
    }

    /// The new one.
    pub(crate) fn new_compiled(&self) -> String {
        self.opened(marked(&self.unit, self.function.start, self.mark) + &self.new_instance)
    }

    /// A text as it is compiled together with others that include the same.
    fn opened(&self, text: String) -> String {
        let opened = self.includes_first.then(|| Opening::of(&text).map(|opening| opening.includes_first())).flatten();
        opened.unwrap_or(text)
    }
}

/// Whether a setting changes more than the names of everything.
pub(crate) fn is_of_shape(setting: &Setting) -> bool {
    setting.recipe().is_of_one_function()
}

/// Why there is no variant: the reason and its detail.
pub(crate) type Lost = (Reason, String);

pub(crate) struct Rewriter<'a> {
    pub(crate) tools: &'a Tools,
    pub(crate) thesaurus: Option<&'a Thesaurus>,
    /// Who carries out what is none of ours.
    pub(crate) contractors: &'a Contractors,
}

/// What compilers said of names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    /// Names that stay.
    pub(crate) keep: HashSet<String>,
    /// Names that are a header's where nothing tells whose they are.
    pub(crate) theirs: HashSet<String>,
    /// Whether a compiler will check what is made.
    pub(crate) is_checked: bool,
}

/// Why one function has no variant.
pub(crate) enum Trouble {
    Lost(Lost),
    Failed(BuildError),
}

impl From<BuildError> for Trouble {
    fn from(error: BuildError) -> Self {
        Trouble::Failed(error)
    }
}

impl From<Stopped<Trouble>> for Trouble {
    fn from(stopped: Stopped<Trouble>) -> Self {
        match stopped {
            Stopped::Declined(declined) => Trouble::Lost((declined.reason(), declined.to_string())),
            Stopped::Unread(trouble) => trouble,
        }
    }
}

impl Trouble {
    /// What is lost is no error.
    fn lost<T>(result: Result<T, Self>) -> Result<Result<T, Lost>, BuildError> {
        match result {
            Ok(made) => Ok(Ok(made)),
            Err(Trouble::Lost(lost)) => Ok(Err(lost)),
            Err(Trouble::Failed(error)) => Err(error),
        }
    }
}

/// The parser in its workers, and what the headers of a text have.
struct InWorkers<'a> {
    tools: &'a Tools,
    language: Language,
    flags: &'a [String],
    arguments: Vec<String>,
}

impl<'a> InWorkers<'a> {
    fn new(tools: &'a Tools, subject: Subject<'a>) -> Self {
        let arguments = [subject.language.flag().to_owned()].into_iter().chain(subject.flags.iter().cloned()).collect();
        Self { tools, language: subject.language, flags: subject.flags, arguments }
    }

    fn answer<T>(answer: Result<T, ParserLoss>) -> Result<T, Trouble> {
        answer.map_err(|loss| match loss {
            loss @ ParserLoss::Unavailable(_) => Trouble::Failed(BuildError::Parser(loss)),
            loss => Trouble::Lost((loss.reason(), loss.to_string())),
        })
    }
}

impl Reader for InWorkers<'_> {
    type Error = Trouble;

    fn names(&self, text: &str) -> Result<NamesRead, Trouble> {
        let mut names = Self::answer(self.tools.parser.names(text, &self.arguments))?;
        let headers = self.tools.headers_of(text, self.language, self.flags)?;
        names.header_macros.extend(headers.macros.iter().map(|name| name.to_string()));
        Ok(NamesRead { names, in_headers: Box::new(move |name| headers.have(name)) })
    }

    fn tree(&self, text: &str) -> Result<Tree, Trouble> {
        Self::answer(self.tools.parser.tree(text, &self.arguments))
    }
}

impl Rewriter<'_> {
    /// A function in all settings and seeds that are asked for, in their order.
    pub(crate) fn all(
        &self,
        subject: Subject<'_>,
        known: &Known,
        asked: &[(Setting, u32)],
    ) -> Result<Vec<Result<Rewritten, Lost>>, BuildError> {
        Ok(match Trouble::lost(self.each(subject, known, asked))? {
            Ok(all) => all,
            // Every variant is lost for the same reason.
            Err(lost) => asked.iter().map(|_| Err(lost.clone())).collect(),
        })
    }

    fn each(
        &self,
        subject: Subject<'_>,
        known: &Known,
        asked: &[(Setting, u32)],
    ) -> Result<Vec<Result<Rewritten, Lost>>, Trouble> {
        let Subject { unit, language, flags, .. } = subject;
        let is_standard = |name: &str| self.tools.standard_symbols.contains(name);
        let reader = InWorkers::new(self.tools, subject);
        let interpreter = Interpreter {
            reader: &reader,
            language,
            is_standard: &is_standard,
            keep: &known.keep,
            theirs: known.is_checked.then_some(&known.theirs),
            thesaurus: self.thesaurus,
            contractor: Some(self.contractors),
        };
        let read = interpreter.read(unit)?;
        let doubtful: Vec<String> = read.bound.doubtful().map(str::to_owned).collect();
        let Some(function) = subject.function.cloned() else {
            let detail = "the unit does not hold the function's text as it stands".to_owned();
            return Err(Trouble::Lost((Reason::NoFunction, detail)));
        };
        let headers = self.tools.headers_of(unit, language, flags)?;
        let known_to_headers = |name: &str| is_feature_test_macro(name) || self.tools.headers.mention(name, &headers);
        let includes_first = language == Language::Cpp
            && Opening::of(unit).is_some_and(|opening| !opening.macros().any(known_to_headers));
        let of_function = read.names.functions.iter().find(|found| function.contains(&(found.at as usize)));
        let mark = mark(unit, function.clone(), of_function, language, flags);
        let instance = match of_function.filter(|found| found.is_template) {
            Some(found) => {
                let compiled = |appendix: &str| marked(unit, function.start, mark) + appendix;
                self.tools.instance(unit, found, flags, &compiled)?
            }
            None => None,
        };
        let Some(merged) = merged(subject.helpers, &function) else {
            let detail = "what it is linked with does not hold the text of each of its helpers as it stands";
            return Err(Trouble::Lost((Reason::NoHelper, detail.to_owned())));
        };
        let besides = [instance.clone().unwrap_or_default(), merged];
        let old_instance = &read.bound.plain(function.clone(), &besides).besides[0];
        let again = |reshaped: &Reshaped, names: &Names| besides_again(reshaped, names, old_instance);
        let part = Part { function, others: subject.helpers.iter().flatten().cloned().collect() };
        let mut variants = Vec::with_capacity(asked.len());
        for (setting, seed) in asked {
            let choices = Choices { id: subject.id, seed: u64::from(*seed) };
            let applied = interpreter.apply(&read, &part, &besides, &again, setting.recipe(), choices);
            let Applied { old, new, shapes, perturbation_fraction, unfolding, known } =
                match Trouble::lost(applied.map_err(Into::into))? {
                    Ok(applied) => applied,
                    Err(lost) => {
                        variants.push(Err(lost));
                        continue;
                    }
                };
            let map = new.map();
            let mut besides = new.besides.into_iter();
            let (new_instance, merged) = (besides.next().unwrap_or_default(), besides.next().unwrap_or_default());
            variants.push(Ok(Rewritten {
                perturbation_fraction,
                old: old.text,
                old_start: old.function.start,
                map,
                unit: new.text,
                function: new.function,
                merged: (!merged.is_empty()).then(|| shown(&merged, setting)),
                names: new.names,
                shapes: shapes.iter().map(|shape| shape.name()).collect(),
                unfolding,
                known,
                mark,
                instance: old.besides.into_iter().next().filter(|_| instance.is_some()),
                new_instance,
                includes_first,
                doubtful: doubtful.clone(),
                kept: read.kept.clone(),
            }));
        }
        Ok(variants)
    }
}

/// What is compiled and shown besides a function in another shape: the same instance of a template, and its helpers.
fn besides_again(reshaped: &Reshaped, names: &Names, old_instance: &str) -> Result<Vec<Vec<Piece>>, Trouble> {
    let Reshaped { text, function, parts, done, .. } = reshaped;
    let instance = match old_instance {
        "" => Some(Vec::new()),
        old_instance => {
            let of_function = names.functions.iter().find(|found| function.contains(&(found.at as usize)));
            of_function.and_then(|found| same_instance(text, found, old_instance))
        }
    };
    let Some(instance) = instance else {
        let detail = "a template's instances are known for its own head only".to_owned();
        return Err(Trouble::Lost((Reason::Template, detail)));
    };
    let merged = match done.contains(&Reshape::ReorderFunctions) {
        true => merged_as_they_stand(reshaped),
        false => merged(parts, function),
    };
    Ok(vec![instance, merged.unwrap_or_default()])
}

/// What is shown of a function with its helpers; nothing if one of them is not there.
fn merged(helpers: &[Option<Range<usize>>], function: &Range<usize>) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    for helper in helpers {
        pieces.extend([Piece::Own(helper.clone()?), Piece::Text("\n\n".to_owned())]);
    }
    if !pieces.is_empty() {
        pieces.push(Piece::Own(function.clone()));
    }
    Some(pieces)
}

/// The same in the order of the text, with the declarations of helpers that stand behind the function.
fn merged_as_they_stand(reshaped: &Reshaped) -> Option<Vec<Piece>> {
    let Reshaped { text, function, parts, tree, .. } = reshaped;
    let mut places = Vec::new();
    for helper in parts {
        let helper = helper.clone()?;
        if helper.start > function.start {
            places.push(declaration(text, tree, &helper).filter(|place| place.end <= function.start)?);
        }
        places.push(helper);
    }
    if places.is_empty() {
        return Some(Vec::new());
    }
    places.push(function.clone());
    places.sort_by_key(|place| place.start);
    let pieces = places.into_iter().flat_map(|place| [Piece::Text("\n\n".to_owned()), Piece::Own(place)]);
    Some(pieces.skip(1).collect())
}

/// Where a function is declared first, in the words that its definition begins with.
fn declaration(text: &str, tree: &Tree, definition: &Range<usize>) -> Option<Range<usize>> {
    let body = tree.functions.iter().find(|body| definition.contains(&(body.name as usize)))?;
    let declared = tree.thing(body.thing).at? as usize;
    let start = declared.checked_sub(body.name as usize - definition.start)?;
    let words = text.get(definition.clone())?.split_once('{')?.0.trim_end();
    let place = start..start + words.len() + 1;
    (text.get(place.clone())?.strip_suffix(';')? == words).then_some(place)
}

/// A merged text as a setting shows it.
fn shown(merged: &str, setting: &Setting) -> String {
    match setting.recipe().has(Rewrite::Layout) {
        true => layout(merged, 0..merged.len()).0,
        false => strip(merged),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estrange_clang::Clang;

    #[test]
    fn what_is_shown_stands_in_the_order_of_the_text() {
        let (near, far) = ("static int near(int x)\n{ return x; }", "static int far(int x) { return -x; }");
        let own = "int both(int x) { return near(x) + far(x); }";
        let text = format!("{near}\n#define A 1\nstatic int far(int x);\n{own}\n\n{far}\n");
        let place = |part: &str| text.find(part).map(|start| start..start + part.len()).unwrap();
        let tree = Clang::load().unwrap().tree(&text, &["-xc".to_owned()]);
        let function = place(own);
        let parts = vec![Some(place(far)), Some(place(near))];
        let (done, known) = (Vec::new(), Vec::new());
        let reshaped = Reshaped { text, function, parts, done, tree, number: 2, unfolding: None, known };
        let shown = merged_as_they_stand(&reshaped).unwrap().into_iter().map(|piece| match piece {
            Piece::Own(range) => reshaped.text[range].to_owned(),
            Piece::Text(text) => text,
        });
        assert_eq!(shown.collect::<String>(), format!("{near}\n\nstatic int far(int x);\n\n{own}\n\n{far}"));
    }
}
