//! One function rewritten: its names asked of the parser once, then a new text for each setting and seed.

use std::collections::HashSet;
use std::ops::Range;

use estrange_clang::{Defined, Names};
use estrange_rewrite::{
    Bound, Doubts, Naming, Neutral, NewName, Piece, Random, Refusal, Rewrite, Setting, Synonyms, layout,
    perturbation_fraction,
};
use estrange_text::comments::strip;
use estrange_text::thesaurus::Thesaurus;
use estrange_unit::{Language, ParserLoss};

use crate::code::instance::instance;
use crate::code::opening::Opening;
use crate::code::{mark, marked};
use crate::error::BuildError;
use crate::leaks::is_feature;
use crate::tools::Tools;

/// A function in a text that compiles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    /// Stands for it: other functions have other random names.
    pub(crate) id: &'a str,
    /// The whole text.
    pub(crate) unit: &'a str,
    /// Which function.
    pub(crate) which: Which<'a>,
    /// The texts of functions that are shown before it, as they stand there.
    pub(crate) helpers: &'a [&'a str],
    pub(crate) language: Language,
    /// What compilers are told besides the language.
    pub(crate) flags: &'a [String],
}

/// How a function is found in its text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which<'a> {
    /// By its own text, as it stands there.
    Text(&'a str),
    /// By its name; the last one that has it.
    Name(&'a str),
    /// As the last one.
    Last,
}

/// A function with new names.
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
    pub(crate) map: String,
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

/// Why there is no variant: the reason and its detail.
pub(crate) type Lost = (String, String);

pub(crate) struct Rewriter<'a> {
    pub(crate) tools: &'a Tools,
    pub(crate) thesaurus: Option<&'a Thesaurus>,
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

impl Rewriter<'_> {
    /// A function in all settings and seeds that are asked for, in their order.
    pub(crate) fn all(
        &self,
        subject: Subject<'_>,
        known: &Known,
        asked: &[(Setting, u32)],
    ) -> Result<Vec<Result<Rewritten, Lost>>, BuildError> {
        Ok(match self.each(subject, known, asked)? {
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
    ) -> Result<Result<Vec<Result<Rewritten, Lost>>, Lost>, BuildError> {
        let Subject { unit, language, flags, .. } = subject;
        let mut names = match self.names(subject) {
            Ok(names) => names,
            Err(ParserLoss::Unavailable(detail)) => return Err(BuildError::Tool { what: "libclang", detail }),
            Err(loss) => return Ok(Err((loss.reason().to_owned(), loss.to_string()))),
        };
        let headers = self.tools.headers.of(unit, language, flags, &self.tools.scratch)?;
        names.header_macros.extend(headers.macros.iter().cloned());
        let standard = |name: &str| self.tools.standard_symbols.contains(name);
        let mut keep = known.keep.clone();
        let in_headers = |name: &str| headers.all.contains(name);
        let doubts = match known.is_checked {
            true => Doubts::Decide { in_headers: &in_headers, theirs: &known.theirs },
            false => Doubts::Refuse,
        };
        let bound = loop {
            match Bound::new(unit, &names, &standard, &keep, doubts) {
                Ok(bound) => break bound,
                // A name that a header has too stays wherever it stands: that is always right.
                Err(Refusal::SharedWithStandard(name)) if headers.all.contains(&name) && keep.insert(name.clone()) => {}
                Err(refusal) => return Ok(Err((refusal.reason().to_owned(), refusal.to_string()))),
            }
        };
        let mut kept: Vec<String> = keep.iter().cloned().collect();
        kept.sort_unstable();
        let doubtful: Vec<String> = bound.doubtful().map(str::to_owned).collect();
        let Some(range) = place(subject, &names) else {
            let detail = match subject.which {
                Which::Name(name) => format!("the text defines no function `{name}`"),
                Which::Last => "the text defines no function".to_owned(),
                Which::Text(_) => "the unit does not hold the function's text as it stands".to_owned(),
            };
            return Ok(Err(("no-function".to_owned(), detail)));
        };
        let known_to_headers = |name: &str| is_feature(name) || self.tools.headers.mention(name, &headers);
        let includes_first = language == Language::Cpp
            && Opening::of(unit).is_some_and(|opening| !opening.macros().any(known_to_headers));
        let of_function = names.functions.iter().find(|found| range.contains(&(found.at as usize)));
        let mark = mark(unit, range.clone(), of_function, language, flags);
        let instance = match of_function.filter(|found| found.is_template) {
            Some(found) => {
                let compiled = |appendix: &str| marked(unit, range.start, mark) + appendix;
                instance(unit, found, flags, &compiled, self.tools)?
            }
            None => None,
        };
        let Some(merged) = merged(subject, &range) else {
            let detail = "what it is linked with does not hold the text of each of its helpers as it stands";
            return Ok(Err(("no-helper".to_owned(), detail.to_owned())));
        };
        let besides = [instance.clone().unwrap_or_default(), merged];
        let plain = bound.plain(range.clone(), &besides);
        let changed = perturbation_fraction(bound.renamed_characters(range.clone()), &unit[range.clone()]);
        let variants = asked.iter().map(|(setting, seed)| {
            let mut naming = self.naming(setting, subject.id, *seed);
            let renamed = naming.as_mut().map_or_else(
                || Ok(plain.clone()),
                |naming| bound.rename_with(range.clone(), &besides, naming.as_mut()),
            );
            let renamed = renamed.map_err(|refusal| (refusal.reason().to_owned(), refusal.to_string()))?;
            let (plain, renamed) = match setting.recipe().has(Rewrite::Layout) {
                // Where lines break shows in the code, by `__LINE__`: both have the same.
                true => (plain.clone().laid_out(), renamed.laid_out()),
                false => (plain.clone(), renamed),
            };
            let map = serde_json::json!(renamed.map()).to_string();
            let mut besides = renamed.besides.into_iter();
            let (new_instance, merged) = (besides.next().unwrap_or_default(), besides.next().unwrap_or_default());
            Ok(Rewritten {
                perturbation_fraction: if renamed.names.is_empty() { 0.0 } else { changed },
                old: plain.text,
                old_start: plain.function.start,
                map,
                unit: renamed.text,
                function: renamed.function,
                merged: (!merged.is_empty()).then(|| shown(&merged, setting)),
                names: renamed.names,
                mark,
                instance: plain.besides.into_iter().next().filter(|_| instance.is_some()),
                new_instance,
                includes_first,
                doubtful: doubtful.clone(),
                kept: kept.clone(),
            })
        });
        Ok(Ok(variants.collect()))
    }

    fn names(&self, subject: Subject<'_>) -> Result<Names, ParserLoss> {
        let word = if subject.language == Language::C { "-xc" } else { "-xc++" };
        let arguments: Vec<String> = [word.to_owned()].into_iter().chain(subject.flags.iter().cloned()).collect();
        self.tools.parser.names(subject.unit, &arguments)
    }

    /// What chooses the names of a setting, if it has others.
    fn naming(&self, setting: &Setting, id: &str, seed: u32) -> Option<Box<dyn Naming + '_>> {
        Some(match (setting.recipe().naming()?, self.thesaurus) {
            (Rewrite::Symbol, Some(thesaurus)) => Box::new(Synonyms::new(thesaurus, u64::from(seed))),
            (Rewrite::Randomize, _) => Box::new(Random::new(id, u64::from(seed))),
            _ => Box::new(Neutral::default()),
        })
    }
}

/// What is shown of a function with its helpers; nothing if one of them is not there.
fn merged(subject: Subject<'_>, function: &Range<usize>) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    for helper in subject.helpers {
        let start = subject.unit.rfind(helper)?;
        pieces.extend([Piece::Own(start..start + helper.len()), Piece::Text("\n\n".to_owned())]);
    }
    if !pieces.is_empty() {
        pieces.push(Piece::Own(function.clone()));
    }
    Some(pieces)
}

/// A merged text as a setting shows it.
fn shown(merged: &str, setting: &Setting) -> String {
    match setting.recipe().has(Rewrite::Layout) {
        true => layout(merged, 0..merged.len()).0,
        false => strip(merged),
    }
}

/// Where the function stands.
fn place(subject: Subject<'_>, names: &Names) -> Option<Range<usize>> {
    let extent = |found: &Defined| found.start as usize..found.end as usize;
    match subject.which {
        Which::Text(text) => subject.unit.rfind(text).map(|start| start..start + text.len()),
        Which::Name(name) => names.functions.iter().rfind(|found| found.name == name).map(extent),
        Which::Last => names.functions.last().map(extent),
    }
}
