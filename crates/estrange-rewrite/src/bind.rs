//! What each name in a text stands for.
//!
//! The parser says it of most names. Of those inside of macro bodies it cannot, because one of them may stand for
//! several things; nor of those that depend on a template's parameters. There the name itself decides: if all that has
//! this name is the project's own, every place that spells it gets the same new name, which is right whatever each of
//! them means. If a header has the name too, and nothing tells which is meant, the text is refused, or that use is taken
//! for the project's and the name is noted as doubtful, for a compiler to decide.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use estrange_clang::{Names, Role};
use estrange_text::facts::is_keyword;
use estrange_text::lexer::is_feature_macro;
use estrange_words::Language;
use serde::{Deserialize, Serialize};

use crate::occurrence::{Context, Occurrence, occurrences};
use crate::paste::{Pasted, pasted};
use crate::refusal::Refusal;

/// What a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum What {
    /// Something that the language knows.
    Thing(Role),
    /// A macro.
    Macro,
    /// A parameter of a macro.
    MacroParameter,
    /// A part of names that the preprocessor puts together.
    Part,
}

/// All things of one kind that have the same name: they get the same new name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol {
    /// Their name.
    pub name: String,
    /// What they are.
    pub what: What,
}

/// A text whose names are known.
pub struct Bound<'a> {
    pub(crate) text: &'a str,
    pub(crate) symbols: Vec<Symbol>,
    /// The names of the project, in order: where they start and end, and their symbol.
    pub(crate) tokens: Vec<(u32, u32, usize)>,
    /// Symbols whose new name is that of their parts, one after the other.
    pub(crate) composed: Vec<(usize, Vec<Composed>)>,
    /// Every identifier of the text, and every name that a header has.
    pub(crate) old: HashSet<String>,
    pub(crate) is_standard: &'a dyn Fn(&str) -> bool,
    doubtful: BTreeSet<String>,
}

/// What becomes of a use of a name that may mean something of the project or of a header.
#[derive(Clone, Copy)]
pub enum Doubts<'a> {
    /// The text is refused.
    Refuse,
    /// It is taken for the project's, unless its name is among those known to be a header's there. Only for texts that a
    /// compiler checks afterwards.
    Decide {
        /// Whether a header has a word at all.
        in_headers: &'a dyn Fn(&str) -> bool,
        /// The names whose doubtful uses are a header's.
        theirs: &'a HashSet<String>,
    },
}

impl<'a> Bound<'a> {
    /// Finds out what each name in `text` stands for; `names` is what the parser says of this text. `is_standard` knows
    /// the names of the standard library, `keep` those that must stay besides, and `doubts` says what becomes of uses
    /// that may mean either.
    ///
    /// # Errors
    /// When that cannot be told.
    pub fn new(
        text: &'a str,
        names: &Names,
        is_standard: &'a dyn Fn(&str) -> bool,
        keep: &HashSet<String>,
        doubts: Doubts<'_>,
    ) -> Result<Self, Refusal> {
        if let Some(trouble) = names.troubles.first() {
            return Err(Refusal::DoesNotParse(trouble.message.clone()));
        }
        let occurrences = occurrences(text);
        let mut binder = Binder::new(text, names, &occurrences, is_standard, keep);
        binder.doubts = doubts;
        let pasted = pasted(text);
        binder.refuse_odd_spellings(&pasted)?;
        binder.bind(&occurrences, &pasted)
    }

    /// The same text, of which only some symbols are renamed: of a name that is put together, all of its parts or none.
    #[must_use]
    pub fn only(mut self, chosen: impl Fn(&Symbol) -> bool) -> Self {
        let mut chosen: Vec<bool> = self.symbols.iter().map(chosen).collect();
        loop {
            let symbols = |(whole, parts): &(usize, Vec<Composed>)| -> Vec<usize> {
                let parts = parts.iter().filter_map(|part| match part {
                    Composed::Symbol(symbol) => Some(*symbol),
                    Composed::Text(_) => None,
                });
                parts.chain([*whole]).collect()
            };
            let is_split = |symbols: &Vec<usize>| {
                symbols.iter().any(|symbol| chosen[*symbol]) && !symbols.iter().all(|symbol| chosen[*symbol])
            };
            match self.composed.iter().map(symbols).find(is_split) {
                Some(split) => split.iter().for_each(|symbol| chosen[*symbol] = false),
                None => break,
            }
        }
        self.tokens.retain(|(.., symbol)| chosen[*symbol]);
        self.composed.retain(|(whole, _)| chosen[*whole]);
        self
    }

    /// The symbols that are renamed.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The names of which some use was taken for the project's, in order.
    pub fn doubtful(&self) -> impl Iterator<Item = &str> {
        self.doubtful.iter().map(String::as_str)
    }
}

/// A part of a name that is put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Composed {
    /// It has a new name of its own.
    Symbol(usize),
    /// It stays.
    Text(String),
}

struct Binder<'a, 'n> {
    text: &'a str,
    names: &'n Names,
    is_standard: &'a dyn Fn(&str) -> bool,
    keep: &'n HashSet<String>,
    /// The things at each place.
    at: HashMap<u32, Vec<u32>>,
    /// What is the project's own, by name.
    ours: HashMap<&'n str, Vec<Role>>,
    /// Names that headers have and the text uses.
    foreign: HashSet<&'n str>,
    /// What macro bodies name: whether something of the project, and of a header.
    through_macros: HashMap<&'n str, (bool, bool)>,
    macros: HashSet<String>,
    /// The macros that headers define.
    of_headers: HashSet<&'n str>,
    words: HashSet<String>,
    /// Symbols that were found to be one.
    groups: BTreeMap<Symbol, Symbol>,
    doubts: Doubts<'n>,
    doubtful: BTreeSet<String>,
}

impl<'a, 'n> Binder<'a, 'n> {
    fn new(
        text: &'a str,
        names: &'n Names,
        occurrences: &[Occurrence],
        is_standard: &'a dyn Fn(&str) -> bool,
        keep: &'n HashSet<String>,
    ) -> Self {
        let mut binder = Self {
            text,
            names,
            is_standard,
            keep,
            at: HashMap::new(),
            ours: HashMap::new(),
            foreign: HashSet::new(),
            through_macros: HashMap::new(),
            macros: HashSet::new(),
            of_headers: names.header_macros.iter().map(String::as_str).collect(),
            words: HashSet::new(),
            groups: BTreeMap::new(),
            doubts: Doubts::Refuse,
            doubtful: BTreeSet::new(),
        };
        for naming in &names.places {
            binder.at.entry(naming.at).or_default().push(naming.thing);
        }
        let used = names.places.iter().chain(&names.through_macros).map(|naming| naming.thing);
        for thing in used.map(|thing| &names.things[thing as usize]) {
            if binder.is_renamed(thing.name.as_str(), thing.is_ours, thing.is_undefined, thing.role) {
                let roles = binder.ours.entry(&thing.name).or_default();
                if !roles.contains(&thing.role) {
                    roles.push(thing.role);
                }
            } else {
                binder.foreign.insert(&thing.name);
            }
        }
        for naming in &names.through_macros {
            let thing = &names.things[naming.thing as usize];
            let known = binder.through_macros.entry(&thing.name).or_default();
            if binder.foreign.contains(thing.name.as_str()) { known.1 = true } else { known.0 = true }
        }
        for occurrence in occurrences {
            let spelled = occurrence.token.spelling(text);
            if occurrence.place == Context::MacroName
                && !binder.of_headers.contains(spelled.as_ref())
                && !keep.contains(spelled.as_ref())
                && !is_feature_macro(&spelled)
            {
                binder.macros.insert(spelled.clone().into_owned());
            }
            binder.words.insert(spelled.into_owned());
        }
        binder
    }

    fn is_renamed(&self, name: &str, is_ours: bool, is_undefined: bool, role: Role) -> bool {
        let is_main = name == "main" && role == Role::Function;
        let is_librarys = is_undefined && (self.is_standard)(name);
        is_ours && !is_main && !is_librarys && !self.keep.contains(name)
    }

    fn refuse_odd_spellings(&self, pasted: &[Pasted]) -> Result<(), Refusal> {
        let is_known = |name: &str| self.words.contains(name) || pasted.iter().any(|pasted| pasted.name == name);
        // A name that stands nowhere as it is was put together, or is written in a way that hides it.
        if let Some(name) = self.ours.keys().copied().filter(|name| !is_known(name)).min() {
            return Err(if name.is_ascii() && !name.contains('\\') {
                Refusal::Pasted(name.to_owned())
            } else {
                Refusal::UniversalCharacterName
            });
        }
        Ok(())
    }

    /// The name that is put together, if it is one of the project's.
    fn whole(&self, name: &str) -> Option<Symbol> {
        let what = match self.ours.get(name) {
            Some(roles) => What::Thing(roles[0]),
            None if self.macros.contains(name) => What::Macro,
            None => return None,
        };
        Some(Symbol { name: name.to_owned(), what })
    }

    fn bind(mut self, occurrences: &[Occurrence], pasted: &[Pasted]) -> Result<Bound<'a>, Refusal> {
        let ours: Vec<&Pasted> = pasted.iter().filter(|pasted| self.whole(&pasted.name).is_some()).collect();
        let parts: HashSet<u32> = ours.iter().flat_map(|pasted| &pasted.parts).map(|part| part.start).collect();
        // `0x ## FF` is a number, and what it is made of no name.
        let numbers = pasted.iter().filter(|pasted| pasted.name.starts_with(|first: char| first.is_ascii_digit()));
        let digits: HashSet<u32> = numbers.flat_map(|pasted| &pasted.parts).map(|part| part.start).collect();
        let mut found: Vec<(u32, u32, Symbol)> = Vec::new();
        for occurrence in occurrences.iter().filter(|occurrence| !digits.contains(&occurrence.token.start)) {
            let name = occurrence.token.spelling(self.text).into_owned();
            let symbol = self.symbol(occurrence, &name)?;
            let part = || Symbol { name: name.clone(), what: What::Part };
            let symbol = symbol.or_else(|| parts.contains(&occurrence.token.start).then(part));
            if let Some(symbol) = symbol {
                found.push((occurrence.token.start, occurrence.token.end, symbol));
            }
        }
        // All that has the name of one that is put together has that name.
        for pasted in &ours {
            if let Some(first) = self.whole(&pasted.name) {
                let roles = self.ours.get(pasted.name.as_str()).cloned().unwrap_or_default();
                for role in roles {
                    self.join(first.clone(), Symbol { name: pasted.name.clone(), what: What::Thing(role) });
                }
            }
        }
        let mut numbers: HashMap<Symbol, usize> = HashMap::new();
        let mut symbols = Vec::new();
        let mut tokens = Vec::new();
        for (start, end, symbol) in found {
            let symbol = self.root(&symbol);
            let number = *numbers.entry(symbol.clone()).or_insert_with(|| {
                symbols.push(symbol);
                symbols.len() - 1
            });
            tokens.push((start, end, number));
        }
        let composed = self.composed(&ours, &tokens, &mut symbols, &mut numbers)?;
        // A part that makes a name of the standard library somewhere else cannot change.
        let renamed: HashMap<u32, usize> = tokens.iter().map(|(start, _, symbol)| (*start, *symbol)).collect();
        for pasted in pasted.iter().filter(|pasted| self.whole(&pasted.name).is_none()) {
            if (self.foreign.contains(pasted.name.as_str()) || self.of_headers.contains(pasted.name.as_str()))
                && pasted.parts.iter().any(|part| renamed.contains_key(&part.start))
            {
                return Err(Refusal::Pasted(pasted.name.clone()));
            }
        }
        let mut old = self.words;
        old.extend(self.names.things.iter().map(|thing| thing.name.clone()));
        old.extend(self.names.header_macros.iter().cloned());
        let (text, is_standard, doubtful) = (self.text, self.is_standard, self.doubtful);
        Ok(Bound { text, symbols, tokens, composed, old, is_standard, doubtful })
    }

    /// The parts of the names that are put together.
    fn composed(
        &self,
        pasted: &[&Pasted],
        tokens: &[(u32, u32, usize)],
        symbols: &mut Vec<Symbol>,
        numbers: &mut HashMap<Symbol, usize>,
    ) -> Result<Vec<(usize, Vec<Composed>)>, Refusal> {
        let at: HashMap<u32, usize> = tokens.iter().map(|(start, _, symbol)| (*start, *symbol)).collect();
        let mut composed: Vec<(usize, Vec<Composed>)> = Vec::new();
        for pasted in pasted {
            let Some(whole) = self.whole(&pasted.name).map(|whole| self.root(&whole)) else { continue };
            let number = *numbers.entry(whole.clone()).or_insert_with(|| {
                symbols.push(whole);
                symbols.len() - 1
            });
            let parts = pasted.parts.iter().map(|part| match at.get(&part.start) {
                Some(symbol) if part.is_identifier => Composed::Symbol(*symbol),
                _ => Composed::Text(part.text.clone()),
            });
            let parts: Vec<Composed> = parts.collect();
            match composed.iter().find(|(known, _)| *known == number) {
                None => composed.push((number, parts)),
                Some((_, known)) if *known == parts => {}
                // Put together of other parts elsewhere: no new name has both.
                Some(_) => return Err(Refusal::Pasted(pasted.name.clone())),
            }
        }
        let wholes: HashSet<usize> = composed.iter().map(|(whole, _)| *whole).collect();
        let nested = |part: &Composed| matches!(part, Composed::Symbol(number) if wholes.contains(number));
        match composed.iter().find(|(_, parts)| parts.iter().any(nested)) {
            Some((whole, _)) => Err(Refusal::Pasted(symbols[*whole].name.clone())),
            None => Ok(composed),
        }
    }

    /// What an identifier stands for; nothing if it stays.
    fn symbol(&mut self, occurrence: &Occurrence, name: &str) -> Result<Option<Symbol>, Refusal> {
        let symbol = |what| Symbol { name: name.to_owned(), what };
        if occurrence.place == Context::MacroParameter {
            return Ok((!name.starts_with("__VA_")).then(|| symbol(What::MacroParameter)));
        }
        if occurrence.place == Context::MacroName {
            return Ok(self.macros.contains(name).then(|| symbol(What::Macro)));
        }
        if let Some(things) = self.at.get(&occurrence.token.start) {
            return self.known(things.clone(), name);
        }
        if occurrence.place == Context::Attribute {
            return Ok(None);
        }
        if occurrence.place == Context::Condition && self.is_own_switch(name) {
            return Ok(Some(symbol(What::Macro)));
        }
        // Nothing tells what it is but its name.
        let roles = self.ours.get(name).cloned().unwrap_or_default();
        let mut all: Vec<What> = roles.into_iter().map(What::Thing).collect();
        if self.macros.contains(name) {
            // A macro's name in code is the macro, wherever it is not something else.
            if all.is_empty() || occurrence.place == Context::Code {
                return Ok(Some(symbol(What::Macro)));
            }
            all.push(What::Macro);
        }
        let Some(first) = all.first().copied() else { return Ok(self.undeclared(occurrence, name)) };
        let is_foreign = self.foreign.contains(name);
        match (occurrence.place, self.through_macros.get(name), self.doubts) {
            (Context::MacroBody, Some((true, false)), _) => {}
            (Context::MacroBody, Some((false, true)), _) => return Ok(None),
            (_, _, Doubts::Decide { in_headers, theirs }) => {
                if is_foreign || in_headers(name) {
                    if theirs.contains(name) {
                        return Ok(None);
                    }
                    self.doubtful.insert(name.to_owned());
                }
            }
            (_, _, Doubts::Refuse) if is_foreign => return Err(Refusal::SharedWithStandard(name.to_owned())),
            (_, _, Doubts::Refuse) => {}
        }
        for other in &all[1..] {
            self.join(symbol(first), symbol(*other));
        }
        Ok(Some(symbol(first)))
    }

    /// Whether a name that a condition asks for is one of the project's macros: one that the text defines, or one that
    /// nobody does. Names with an underscore first are the compiler's, and some others belong to everybody.
    fn is_own_switch(&self, name: &str) -> bool {
        let is_everybodys =
            matches!(name, "NDEBUG" | "DEBUG" | "WIN32" | "WIN64" | "UNICODE" | "unix" | "linux" | "defined");
        let is_word = is_keyword(name, Language::Cpp) || is_keyword(name, Language::C);
        let stays = self.of_headers.contains(name) || self.keep.contains(name) || is_feature_macro(name);
        self.macros.contains(name) || !(name.starts_with('_') || is_everybodys || is_word || stays)
    }

    /// A name that nothing in the text declares: it stands where a macro drops it, or depends on what a template's
    /// parameter will be. If no header has it either, it is the project's.
    fn undeclared(&self, occurrence: &Occurrence, name: &str) -> Option<Symbol> {
        let Doubts::Decide { in_headers, theirs } = self.doubts else { return None };
        let is_word = is_keyword(name, Language::Cpp) || is_keyword(name, Language::C);
        let is_reserved = name.starts_with("__") || name.starts_with('_') && name[1..].starts_with(char::is_uppercase);
        let is_special = matches!(name, "override" | "final" | "import" | "module" | "main" | "std");
        let stays = self.keep.contains(name) || theirs.contains(name) || self.foreign.contains(name);
        let is_owned = self.of_headers.contains(name) || in_headers(name);
        let before = self.text[..occurrence.token.start as usize].trim_end();
        let after = self.text[occurrence.token.end as usize..].trim_start();
        // A part of a name that a macro puts together is no name of its own.
        let is_part = before.ends_with("##") || after.starts_with("##");
        let is_used = matches!(occurrence.place, Context::Code | Context::MacroBody);
        if !is_used || is_part || is_word || is_reserved || is_special || stays || is_owned {
            return None;
        }
        let role = match () {
            () if after.starts_with('(') => Role::Function,
            () if before.ends_with("::") || before.ends_with("template") => Role::Alias,
            () if before.ends_with('.') || before.ends_with("->") => Role::Field,
            () => Role::Variable,
        };
        Some(Symbol { name: name.to_owned(), what: What::Thing(role) })
    }

    /// What the parser says an identifier stands for.
    fn known(&mut self, things: Vec<u32>, name: &str) -> Result<Option<Symbol>, Refusal> {
        let mut ours: Vec<Symbol> = Vec::new();
        let mut foreign = false;
        for thing in things {
            let thing = &self.names.things[thing as usize];
            if self.is_renamed(&thing.name, thing.is_ours, thing.is_undefined, thing.role) {
                ours.push(Symbol { name: name.to_owned(), what: What::Thing(thing.role) });
            } else {
                foreign = true;
            }
        }
        let Some(first) = ours.first().cloned() else { return Ok(None) };
        if foreign {
            return Err(Refusal::SharedWithStandard(name.to_owned()));
        }
        for other in ours.into_iter().skip(1) {
            self.join(first.clone(), other);
        }
        Ok(Some(first))
    }

    fn root(&self, symbol: &Symbol) -> Symbol {
        let mut symbol = symbol;
        while let Some(next) = self.groups.get(symbol) {
            symbol = next;
        }
        symbol.clone()
    }

    fn join(&mut self, one: Symbol, other: Symbol) {
        let (one, other) = (self.root(&one), self.root(&other));
        if one != other {
            let (first, second) = if one < other { (one, other) } else { (other, one) };
            self.groups.insert(second, first);
        }
    }
}
