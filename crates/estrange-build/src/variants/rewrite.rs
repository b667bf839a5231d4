//! One function rewritten: its names asked of the parser once, then a new text for each setting and seed. Where a recipe
//! changes its shape, that comes first, and the names are those of the new shape.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use estrange_clang::Names;
use estrange_evidence::code::{Opening, mark, marked, same_instance};
use estrange_evidence::headers::HeaderNames;
use estrange_rewrite::{
    Bound, Doubts, Naming, Neutral, NewName, Piece, Random, Refusal, Renamed, Reshape, Rewrite, Setting, Synonyms,
    What, layout, locals, perturbation_fraction,
};
use estrange_text::comments::strip;
use estrange_text::feature_test::is_feature_test_macro;
use estrange_text::thesaurus::Thesaurus;
use estrange_unit::{Language, ParserLoss};
use estrange_words::Reason;

use crate::error::BuildError;
use crate::run;
use crate::tools::Tools;
use crate::variants::reshape::{Reader, Reshaped};

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
    /// By where it starts and ends.
    Place(usize, usize),
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

    /// The new unit, to be run.
    pub(crate) fn to_run(&self) -> run::Rewrite<'_> {
        // Where several kinds of things have a name, the map says which of them is meant.
        let names = serde_json::from_str(&self.map).unwrap_or_default();
        run::Rewrite { text: &self.unit, names }
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
    setting.recipe().reshapes() || matches!(setting.recipe().naming(), Some(Rewrite::Locals | Rewrite::Mangle))
}

/// A text whose names are known.
struct Read<'t> {
    bound: Bound<'t>,
    names: Names,
    /// The names that stay.
    kept: Vec<String>,
    headers: Arc<HeaderNames>,
}

/// A function after all that its setting does but the layout.
struct New {
    renamed: Renamed,
    perturbed: f64,
    /// The rewrites of shape that were done.
    shapes: Vec<&'static str>,
}

/// Why there is no variant: the reason and its detail.
pub(crate) type Lost = (Reason, String);

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
        let standard = |name: &str| self.tools.standard_symbols.contains(name);
        let Read { bound, names, kept, headers } = match self.read(unit, subject, known, &standard)? {
            Ok(read) => read,
            Err(lost) => return Ok(Err(lost)),
        };
        let doubtful: Vec<String> = bound.doubtful().map(str::to_owned).collect();
        let Some(range) = place(subject) else {
            let detail = "the unit does not hold the function's text as it stands".to_owned();
            return Ok(Err((Reason::NoFunction, detail)));
        };
        let known_to_headers = |name: &str| is_feature_test_macro(name) || self.tools.headers.mention(name, &headers);
        let includes_first = language == Language::Cpp
            && Opening::of(unit).is_some_and(|opening| !opening.macros().any(known_to_headers));
        let of_function = names.functions.iter().find(|found| range.contains(&(found.at as usize)));
        let mark = mark(unit, range.clone(), of_function, language, flags);
        let instance = match of_function.filter(|found| found.is_template) {
            Some(found) => {
                let compiled = |appendix: &str| marked(unit, range.start, mark) + appendix;
                self.tools.instance(unit, found, flags, &compiled)?
            }
            None => None,
        };
        let Some(merged) = merged(unit, subject.helpers, &range) else {
            let detail = "what it is linked with does not hold the text of each of its helpers as it stands";
            return Ok(Err((Reason::NoHelper, detail.to_owned())));
        };
        let besides = [instance.clone().unwrap_or_default(), merged];
        let plain = bound.plain(range.clone(), &besides);
        let changed = perturbation_fraction(bound.renamed_characters(range.clone()), &unit[range.clone()]);
        let mut variants = Vec::with_capacity(asked.len());
        for (setting, seed) in asked {
            let mut naming = self.naming(setting, subject.id, *seed);
            let new = match naming.as_mut() {
                _ if is_of_shape(setting) => self.reshaped(subject, known, &plain, setting, *seed)?,
                Some(naming) => bound
                    .rename_with(range.clone(), &besides, naming.as_mut())
                    .map(|renamed| New { perturbed: changed, renamed, shapes: Vec::new() })
                    .map_err(|refusal| (refusal.reason(), refusal.to_string())),
                None => Ok(New { perturbed: 0.0, renamed: plain.clone(), shapes: Vec::new() }),
            };
            let New { perturbed, renamed, shapes } = match new {
                Ok(new) => new,
                Err(lost) => {
                    variants.push(Err(lost));
                    continue;
                }
            };
            let (plain, renamed) = match setting.recipe().has(Rewrite::Layout) {
                // Where lines break shows in the code, by `__LINE__`: both have the same.
                true => (plain.clone().laid_out(), renamed.laid_out()),
                false => (plain.clone(), renamed),
            };
            let map = serde_json::json!(renamed.map()).to_string();
            let mut besides = renamed.besides.into_iter();
            let (new_instance, merged) = (besides.next().unwrap_or_default(), besides.next().unwrap_or_default());
            variants.push(Ok(Rewritten {
                perturbation_fraction: if renamed.names.is_empty() { 0.0 } else { perturbed },
                old: plain.text,
                old_start: plain.function.start,
                map,
                unit: renamed.text,
                function: renamed.function,
                merged: (!merged.is_empty()).then(|| shown(&merged, setting)),
                names: renamed.names,
                shapes,
                mark,
                instance: plain.besides.into_iter().next().filter(|_| instance.is_some()),
                new_instance,
                includes_first,
                doubtful: doubtful.clone(),
                kept: kept.clone(),
            }));
        }
        Ok(Ok(variants))
    }

    /// Asks the parser for the names of a text, and finds out what each stands for.
    fn read<'t>(
        &self,
        text: &'t str,
        subject: Subject<'_>,
        known: &Known,
        standard: &'t dyn Fn(&str) -> bool,
    ) -> Result<Result<Read<'t>, Lost>, BuildError> {
        let mut names = match self.tools.parser.names(text, &arguments(subject)) {
            Ok(names) => names,
            Err(loss @ ParserLoss::Unavailable(_)) => return Err(BuildError::Parser(loss)),
            Err(loss) => return Ok(Err((loss.reason(), loss.to_string()))),
        };
        let headers = self.tools.headers_of(text, subject.language, subject.flags)?;
        names.header_macros.extend(headers.macros.iter().cloned());
        let mut keep = known.keep.clone();
        let in_headers = |name: &str| headers.all.contains(name);
        let doubts = match known.is_checked {
            true => Doubts::Decide { in_headers: &in_headers, theirs: &known.theirs },
            false => Doubts::Refuse,
        };
        let bound = loop {
            match Bound::new(text, &names, standard, &keep, doubts) {
                Ok(bound) => break bound,
                // A name that a header has too stays wherever it stands: that is always right.
                Err(Refusal::SharedWithStandard(name)) if headers.all.contains(&name) && keep.insert(name.clone()) => {}
                Err(refusal) => return Ok(Err((refusal.reason(), refusal.to_string()))),
            }
        };
        let mut kept: Vec<String> = keep.into_iter().collect();
        kept.sort_unstable();
        Ok(Ok(Read { bound, names, kept, headers }))
    }

    /// A function in another shape, in the names of its setting; names are chosen last, so that what a rewrite of shape
    /// declares gets one, too.
    fn reshaped(
        &self,
        subject: Subject<'_>,
        known: &Known,
        plain: &Renamed,
        setting: &Setting,
        seed: u32,
    ) -> Result<Result<New, Lost>, BuildError> {
        let arguments = arguments(subject);
        let reader = Reader { parser: &self.tools.parser, arguments: &arguments, language: subject.language };
        let reshaped = reader.reshaped(&plain.text, plain.function.clone(), setting.recipe(), (subject.id, seed))?;
        let Reshaped { text, function, done, tree, number } = match reshaped {
            Ok(reshaped) => reshaped,
            Err(lost) => return Ok(Err(lost)),
        };
        let shapes = done.iter().map(|shape| shape.name()).collect();
        let helpers: Vec<String> = subject.helpers.iter().map(|helper| strip(helper)).collect();
        let helpers: Vec<&str> = helpers.iter().map(String::as_str).collect();
        let merged = match done.contains(&Reshape::ReorderFunctions) {
            true => merged_as_they_stand(&text, &helpers, &function),
            false => merged(&text, &helpers, &function),
        };
        let standard = |name: &str| self.tools.standard_symbols.contains(name);
        let Read { bound, names, .. } = match self.read(&text, subject, known, &standard)? {
            Ok(read) => read,
            Err(lost) => return Ok(Err(lost)),
        };
        let instance = match plain.besides.first().filter(|instance| !instance.is_empty()) {
            Some(instance) => {
                let of_function = names.functions.iter().find(|found| function.contains(&(found.at as usize)));
                of_function.and_then(|found| same_instance(&text, found, instance))
            }
            None => Some(Vec::new()),
        };
        let Some(instance) = instance else {
            let detail = "a template's instances are known for its own head only".to_owned();
            return Ok(Err((Reason::Template, detail)));
        };
        let besides = [instance, merged.unwrap_or_default()];
        let Some(mut naming) = self.naming(setting, subject.id, seed) else {
            return Ok(Ok(New { perturbed: 0.0, renamed: bound.plain(function, &besides), shapes }));
        };
        let mut chosen = locals(&tree, number);
        let bound = match setting.recipe().naming() {
            Some(rewrite @ (Rewrite::Locals | Rewrite::Mangle)) => {
                if rewrite == Rewrite::Mangle {
                    chosen.insert(tree.thing(tree.functions[number].thing).name.clone());
                }
                bound.only(|symbol| matches!(symbol.what, What::Thing(_)) && chosen.contains(&symbol.name))
            }
            _ => bound,
        };
        let perturbed = perturbation_fraction(bound.renamed_characters(function.clone()), &text[function.clone()]);
        let renamed = bound.rename_with(function, &besides, naming.as_mut());
        Ok(renamed
            .map(|renamed| New { perturbed, renamed, shapes })
            .map_err(|refusal| (refusal.reason(), refusal.to_string())))
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
fn merged(unit: &str, helpers: &[&str], function: &Range<usize>) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    for helper in helpers {
        let start = unit.rfind(helper)?;
        pieces.extend([Piece::Own(start..start + helper.len()), Piece::Text("\n\n".to_owned())]);
    }
    if !pieces.is_empty() {
        pieces.push(Piece::Own(function.clone()));
    }
    Some(pieces)
}

/// The same in the order of the text, with the declarations of helpers that stand behind the function.
fn merged_as_they_stand(unit: &str, helpers: &[&str], function: &Range<usize>) -> Option<Vec<Piece>> {
    let mut places = Vec::new();
    for helper in helpers {
        let start = unit.rfind(helper)?;
        places.push(start..start + helper.len());
        if start > function.start {
            let declaration = format!("{};", helper.split_once('{')?.0.trim_end());
            let start = unit[..function.start].rfind(&declaration)?;
            places.push(start..start + declaration.len());
        }
    }
    if places.is_empty() {
        return Some(Vec::new());
    }
    places.push(function.clone());
    places.sort_by_key(|place| place.start);
    let pieces = places.into_iter().flat_map(|place| [Piece::Text("\n\n".to_owned()), Piece::Own(place)]);
    Some(pieces.skip(1).collect())
}

/// A merged text as a setting shows it.
fn shown(merged: &str, setting: &Setting) -> String {
    match setting.recipe().has(Rewrite::Layout) {
        true => layout(merged, 0..merged.len()).0,
        false => strip(merged),
    }
}

/// What the parser is told.
fn arguments(subject: Subject<'_>) -> Vec<String> {
    let word = subject.language.flag();
    [word.to_owned()].into_iter().chain(subject.flags.iter().cloned()).collect()
}

/// Where the function stands.
fn place(subject: Subject<'_>) -> Option<Range<usize>> {
    match subject.which {
        Which::Text(text) => subject.unit.rfind(text).map(|start| start..start + text.len()),
        Which::Place(start, end) => Some(start..end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_stands_in_the_order_of_the_text() {
        let (near, far) = ("static int near(int x)\n{ return x; }", "static int far(int x) { return -x; }");
        let own = "int both(int x) { return near(x) + far(x); }";
        let unit = format!("{near}\n#define A 1\nstatic int far(int x);\n{own}\n\n{far}\n");
        let start = unit.find(own).unwrap();
        let pieces = merged_as_they_stand(&unit, &[far, near], &(start..start + own.len())).unwrap();
        let text = pieces.into_iter().map(|piece| match piece {
            Piece::Own(range) => unit[range].to_owned(),
            Piece::Text(text) => text,
        });
        assert_eq!(text.collect::<String>(), format!("{near}\n\nstatic int far(int x);\n\n{own}\n\n{far}"));
    }
}
