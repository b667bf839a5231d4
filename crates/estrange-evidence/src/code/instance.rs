//! Code for templates: a use with plain arguments, which is compiled with a unit for its evidence and is no part of it.
//!
//! Compilers write no code for a template until it is instantiated. So after the unit stands an explicit instantiation
//! of the function, or of the class that it is a member of, with the first arguments of a list of ours with which both
//! compilers accept it. The same stands after the unit with new names, with its new names.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use estrange_clang::{Around, AroundKind, Defined};
use estrange_text::piece::{Piece, joined};
use estrange_words::Language;

use crate::batch::{Compiled, UNIT_NAME};
use crate::code::template::{Head, Parameter, ParameterKind, Values, closing, filled, lists, tokens, values, word};
use crate::compilers::{CompilerError, Compilers};
use crate::gcc::Level;

/// Types that are tried for a template's parameter, in this order, each with the header that it needs.
const TYPES: [(&str, &str); 12] = [
    ("int", ""),
    ("double", ""),
    ("__typeof__(const char *)", ""),
    ("char", ""),
    ("unsigned long", ""),
    ("__typeof__(int (*)(int))", ""),
    ("std::string", "string"),
    ("std::vector<int>", "vector"),
    ("std::vector<int>::iterator", "vector"),
    ("std::map<int, int>", "map"),
    ("std::istream", "istream"),
    ("__typeof__(void (*)())", ""),
];

/// Values that are tried.
const VALUES: [(&str, &str); 4] = [("4", ""), ("true", ""), ("0", ""), ("nullptr", "")];

/// Templates that are tried.
const TEMPLATES: [(&str, &str); 2] = [("std::vector", "vector"), ("std::map", "map")];

/// How many are compiled together, first few and then more: most often one of the first will do.
const TOGETHER: [usize; 3] = [2, 10, 60];
/// How many are tried at most.
const MOST: usize = 72;

/// The uses that were found, by what they are for. The same is asked again as often as a function is tried again.
#[derive(Debug, Default)]
pub struct Instances(Mutex<HashMap<blake3::Hash, Option<Vec<Piece>>>>);

impl Instances {
    fn known(&self) -> MutexGuard<'_, HashMap<blake3::Hash, Option<Vec<Piece>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A use of the function's template that both compilers accept after its unit; nothing if there is none. What is
    /// compiled is what `compiled` makes of a use.
    ///
    /// # Errors
    /// When a compiler cannot be used.
    pub fn find(
        &self,
        compilers: Compilers<'_>,
        unit: &str,
        function: &Defined,
        flags: &[String],
        compiled: &dyn Fn(&str) -> String,
    ) -> Result<Option<Vec<Piece>>, CompilerError> {
        let Some(template) = Template::read(unit, function) else { return Ok(None) };
        let asked = blake3::hash(format!("{flags:?} {} {unit}", function.start).as_bytes());
        if let Some(known) = self.known().get(&asked) {
            return Ok(known.clone());
        }
        let uses: Vec<Vec<Piece>> =
            assignments(&template.slots()).iter().map(|arguments| template.used(arguments)).collect();
        let search = Search { compilers, unit, flags, compiled };
        let found = search.first_accepted(&search.plausible(uses)?)?;
        self.known().insert(asked, found.clone());
        Ok(found)
    }
}

/// The use that reads like `text`, of the same template in another unit; nothing if there is none.
pub fn same_instance(unit: &str, function: &Defined, text: &str) -> Option<Vec<Piece>> {
    let template = Template::read(unit, function)?;
    let arguments = assignments(&template.slots());
    arguments.iter().map(|arguments| template.used(arguments)).find(|pieces| joined(unit, pieces) == text)
}

/// A search for a use that both compilers accept.
struct Search<'a> {
    compilers: Compilers<'a>,
    unit: &'a str,
    flags: &'a [String],
    compiled: &'a dyn Fn(&str) -> String,
}

impl Search<'_> {
    /// The first of these uses that both compilers accept and write code for.
    fn first_accepted(&self, uses: &[Vec<Piece>]) -> Result<Option<Vec<Piece>>, CompilerError> {
        let Compilers { gcc, clang } = self.compilers;
        let mut rest = uses;
        for together in TOGETHER {
            let (some, others) = rest.split_at(together.min(rest.len()));
            rest = others;
            let texts: Vec<String> = some.iter().map(|pieces| (self.compiled)(&joined(self.unit, pieces))).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let said = clang.compile(Language::Cpp, Level::O0, self.flags, &texts)?;
            for ((text, pieces), said) in texts.iter().zip(some).zip(said) {
                let has_code = |assembly: &str| assembly.contains("@function");
                if said.assembly().is_some_and(has_code) {
                    let gcc = gcc.compile(Language::Cpp, Level::O0, self.flags, &[text])?;
                    if gcc.first().and_then(|said| said.assembly()).is_some_and(has_code) {
                        return Ok(Some(pieces.clone()));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The uses that clang says nothing against when it reads them all behind each other: to ask about each by itself
    /// would cost as many times as much. All of them where it does not read to the end.
    fn plausible(&self, uses: Vec<Vec<Piece>>) -> Result<Vec<Vec<Piece>>, CompilerError> {
        let mut appendix = String::new();
        let mut line = 1 + newlines(&(self.compiled)(""));
        let mut places = Vec::with_capacity(uses.len());
        for pieces in &uses {
            let text = joined(self.unit, pieces);
            let next = line + newlines(&text);
            places.push(line + 1..next);
            line = next;
            appendix.push_str(&text);
        }
        let more = ["-ferror-limit=0", "-ftemplate-backtrace-limit=0"].map(str::to_owned);
        let flags: Vec<String> = self.flags.iter().cloned().chain(more).collect();
        let text = (self.compiled)(&appendix);
        let said = self.compilers.clang.compile(Language::Cpp, Level::Syntax, &flags, &[&text])?;
        let Some(Compiled::Refused { messages }) = said.first() else { return Ok(uses) };
        if messages.contains("fatal error:") {
            return Ok(uses);
        }
        // An error in a template's body is followed by notes on who asked for it.
        let named: HashSet<usize> = messages
            .lines()
            .filter_map(|line| line.strip_prefix(UNIT_NAME)?.strip_prefix(':')?.split(':').next()?.parse().ok())
            .collect();
        let is_silent = |place: &Range<usize>| !place.clone().any(|line| named.contains(&line));
        Ok(uses.into_iter().zip(places).filter(|(_, place)| is_silent(place)).map(|(pieces, _)| pieces).collect())
    }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// What one parameter may be: texts, each with its header.
type Slot = &'static [(&'static str, &'static str)];

/// A function that is a template, or a member of one.
struct Template<'u> {
    unit: &'u str,
    function: &'u Defined,
    namespaces: Vec<&'u Around>,
    classes: Vec<Class<'u>>,
    /// The lists of parameters before the function itself: those of its classes if it stands outside of them, its own.
    outer: Vec<Vec<Parameter>>,
    own: Option<Vec<Parameter>>,
}

struct Class<'u> {
    around: &'u Around,
    list: Vec<Parameter>,
    /// Where the arguments of a specialisation stand.
    arguments: Option<std::ops::Range<usize>>,
}

impl<'u> Template<'u> {
    fn read(unit: &'u str, function: &'u Defined) -> Option<Self> {
        let is_namespace = |around: &&Around| around.kind == AroundKind::Namespace;
        let namespaces: Vec<&Around> = function.around.iter().take_while(is_namespace).collect();
        let mut classes = Vec::new();
        for around in &function.around[namespaces.len()..] {
            let is_class = matches!(around.kind, AroundKind::Class | AroundKind::Union);
            let name = around.at as usize..around.at as usize + around.name.len();
            if !is_class || around.name.is_empty() || unit.get(name.clone()) != Some(&around.name) {
                return None;
            }
            let (mut lists, _) = lists(unit, &tokens(unit, around.start as usize..name.end));
            let after = tokens(unit, name.end..unit.len());
            let arguments = match word(unit, &after, 0) {
                "<" => closing(unit, &after, 0).map(|close| name.end..after[close].end as usize),
                _ => None,
            };
            classes.push(Class { around, list: lists.pop().unwrap_or_default(), arguments });
        }
        let own = tokens(unit, function.start as usize..function.end as usize);
        let (mut lists, skipped) = lists(unit, &own);
        let head = Head::read(unit, &own[skipped..], function.at as usize)?;
        let templates = classes.iter().filter(|class| !class.list.is_empty()).count();
        let of_classes = if head.qualified.is_empty() { 0 } else { templates };
        let own = (lists.len() > of_classes).then(|| lists.pop()).flatten();
        Some(Self { unit, function, namespaces, classes, outer: lists, own })
    }

    /// What must be chosen, in order.
    fn slots(&self) -> Vec<Slot> {
        let of_classes = self.classes.iter().flat_map(|class| &class.list);
        let all = of_classes.chain(self.own.iter().flatten());
        let slot = |parameter: &Parameter| -> Slot {
            match parameter.kind {
                ParameterKind::Type => &TYPES,
                ParameterKind::Value => &VALUES,
                ParameterKind::Template => &TEMPLATES,
            }
        };
        all.filter(|parameter| parameter.default.is_none()).map(slot).collect()
    }

    /// The instantiation with these arguments.
    fn used(&self, arguments: &[(&str, &str)]) -> Vec<Piece> {
        let mut given = arguments.iter().map(|(text, _)| vec![Piece::Text((*text).to_owned())]);
        let mut values_of = Values::new();
        let mut path: Vec<Piece> = Vec::new();
        // The path ends after the last class that is a template, if a class is what is instantiated.
        let mut end = 0;
        let mut outer = self.outer.iter();
        for class in &self.classes {
            if !path.is_empty() {
                path.push(text("::"));
            }
            let name = class.around.at as usize;
            path.push(Piece::Own(name..name + class.around.name.len()));
            let mut here: Vec<Vec<Piece>> = Vec::new();
            let mut keep = given.by_ref().take(class.list.iter().filter(|one| one.default.is_none()).count());
            let mut noted = std::iter::from_fn(|| {
                let value = keep.next()?;
                here.push(value.clone());
                Some(value)
            });
            values(self.unit, &class.list, &mut noted, &mut values_of);
            let has_arguments = !class.list.is_empty() || class.arguments.is_some();
            match &class.arguments {
                Some(range) => {
                    let packs = class.list.iter().any(|one| one.is_pack);
                    path.extend(filled(self.unit, &tokens(self.unit, range.clone()), &values_of, packs));
                }
                None if has_arguments => path.extend(bracketed(&here)),
                None => {}
            }
            if !class.list.is_empty() {
                end = path.len();
                // Outside of its class, a member may call the parameters something else.
                if let Some(list) = outer.next() {
                    values(self.unit, list, &mut here.into_iter(), &mut values_of);
                }
            }
        }
        let is_union = self.classes.iter().any(|class| class.around.kind == AroundKind::Union);
        let mut pieces: Vec<Piece> = Vec::new();
        let mut headers: Vec<&str> = arguments.iter().map(|(_, header)| *header).collect();
        headers.sort_unstable();
        headers.dedup();
        pieces.push(text("\n"));
        for header in headers.into_iter().filter(|header| !header.is_empty()) {
            pieces.push(Piece::Text(format!("#include <{header}>\n")));
        }
        for namespace in &self.namespaces {
            let name = namespace.at as usize..namespace.at as usize + namespace.name.len();
            pieces.extend([text("namespace "), Piece::Own(name), text(" { ")]);
        }
        match &self.own {
            None => {
                pieces.push(text(if is_union { "template union " } else { "template struct " }));
                path.truncate(end);
                pieces.extend(path);
            }
            Some(own) => self.signature(own, &mut given, values_of, path, &mut pieces),
        }
        pieces.push(text(";"));
        pieces.extend(self.namespaces.iter().map(|_| text(" }")));
        pieces.push(text("\n"));
        pieces
    }

    /// The head of the function with its arguments.
    fn signature(
        &self,
        own: &[Parameter],
        given: &mut dyn Iterator<Item = Vec<Piece>>,
        mut values_of: Values,
        path: Vec<Piece>,
        pieces: &mut Vec<Piece>,
    ) {
        let mut here: Vec<Vec<Piece>> = Vec::new();
        let mut noted = std::iter::from_fn(|| {
            let value = given.next()?;
            here.push(value.clone());
            Some(value)
        });
        values(self.unit, own, &mut noted, &mut values_of);
        let all = tokens(self.unit, self.function.start as usize..self.function.end as usize);
        let (_, skipped) = lists(self.unit, &all);
        let Some(head) = Head::read(self.unit, &all[skipped..], self.function.at as usize) else { return };
        let lists = self.classes.iter().flat_map(|class| &class.list).chain(own);
        let packs = lists.into_iter().any(|parameter| parameter.is_pack);
        let fill = |tokens: &[estrange_text::lexer::Token]| filled(self.unit, tokens, &values_of, packs);
        pieces.push(text("template "));
        let is_deduced = head.returned.len() == 1 && word(self.unit, &head.returned, 0) == "auto"
            || word(self.unit, &head.returned, 2) == "auto";
        let has_type = !head.returned.is_empty();
        if is_deduced {
            pieces.extend(fill(&head.returned));
        } else if has_type {
            pieces.push(text("auto "));
        }
        if head.qualified.is_empty() && !path.is_empty() {
            pieces.extend(path);
            pieces.push(text("::"));
        } else {
            pieces.extend(fill(head.qualified));
        }
        pieces.extend(head.name.iter().map(|token| Piece::Own(token.range())));
        // The arguments of a constructor or a conversion cannot be given.
        if has_type {
            pieces.push(text(" "));
            pieces.extend(bracketed(&here));
        }
        pieces.push(text("("));
        pieces.extend(fill(&head.parameters));
        pieces.push(text(") "));
        pieces.extend(fill(&head.after));
        if has_type && !is_deduced {
            pieces.push(text("-> "));
            pieces.extend(fill(&head.returned));
        }
    }
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

fn bracketed(arguments: &[Vec<Piece>]) -> Vec<Piece> {
    let mut pieces = vec![text("<")];
    for (number, argument) in arguments.iter().enumerate() {
        if number > 0 {
            pieces.push(text(", "));
        }
        pieces.extend(argument.iter().cloned());
    }
    pieces.push(text(">"));
    pieces
}

/// What is tried for some parameters: the same for all first, then whatever differs, the first choices first.
fn assignments(slots: &[Slot]) -> Vec<Vec<(&'static str, &'static str)>> {
    let longest = slots.iter().map(|slot| slot.len()).max().unwrap_or(1);
    let pick = |choice: &[usize]| -> Option<Vec<(&'static str, &'static str)>> {
        choice.iter().zip(slots).map(|(number, slot)| slot.get(*number).copied()).collect()
    };
    let clamp = |number: usize| slots.iter().map(|slot| number.min(slot.len() - 1)).collect::<Vec<usize>>();
    let mut all: Vec<Vec<(&str, &str)>> = (0..longest).filter_map(|number| pick(&clamp(number))).collect();
    if slots.len() > 1 {
        let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
        for slot in slots.iter().take(3) {
            let longer = choices.iter().flat_map(|choice| {
                (0..slot.len()).map(|number| choice.iter().copied().chain([number]).collect::<Vec<usize>>())
            });
            choices = longer.collect();
        }
        choices.iter_mut().for_each(|choice| choice.resize(slots.len(), 0));
        choices.sort_by_key(|choice| choice.iter().sum::<usize>());
        all.extend(choices.iter().filter_map(|choice| pick(choice)));
    }
    let mut seen = std::collections::HashSet::new();
    all.retain(|one| seen.insert(one.clone()));
    all.truncate(MOST);
    all
}
