//! The unit of a function: its closure, checked by the parser, mended where that finds something missing.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use estrange_clang::{Clang, Container, ContainerKind, DeclarationKind, Trouble};
use estrange_store::KeyHasher;
use estrange_words::{Language, Reason};
use serde::{Deserialize, Serialize};

use crate::closure::Closure;
use crate::emit::Emitted;
use crate::forms::Form;
use crate::headers::Headers;
use crate::precompiled::Precompiled;
use crate::slices::Slices;

/// A function whose unit is wanted.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Wanted {
    /// As an index of the translation unit's declarations.
    pub declaration: u32,
    /// Names that another compiler missed in an earlier unit. In C++ the unit then includes all that its file includes:
    /// the parser checks it against all of them anyway, so only another compiler can miss a header.
    pub missed: Vec<String>,
    /// What the parser said before of texts that may come up again.
    pub checked: Vec<Checked>,
}

/// What the parser said of a text on its way to a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The key of the text and of what it was checked with.
    pub key: String,
    /// The errors in the text.
    pub troubles: Vec<Trouble>,
}

/// What became of a function whose unit was wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Its unit, or why there is none.
    pub unit: Result<Unit, UnitLoss>,
    /// All that the parser said of texts on the way, for [`Wanted::checked`].
    pub checked: Vec<Checked>,
    /// Whether the parser was asked: it is not where all was known.
    pub is_new: bool,
}

impl Tried {
    /// One that the parser did not survive.
    pub(crate) fn lost(loss: UnitLoss) -> Self {
        Self { unit: Err(loss), checked: Vec::new(), is_new: true }
    }
}

/// A unit that the parser accepts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Its text.
    pub text: String,
    /// Where the function stands in it, in bytes.
    pub function: Range<usize>,
    /// The standard headers it includes.
    pub includes: Vec<String>,
    /// The line on which the function begins, from one.
    pub line: u32,
    /// What a compiler must be told besides the language.
    pub flags: Vec<String>,
    /// How often it had to be mended.
    pub repairs: u32,
}

/// What a function's unit is before any compiler has seen it: written in a fraction of the time that checking it takes.
///
/// A draft that the parser accepts is the unit, whatever else its translation unit holds. Only where it does not, the
/// rest is asked for what is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Its text.
    pub text: String,
    /// The standard headers that its translation unit includes: in C++ a unit is checked after all of them.
    pub headers: String,
}

/// Why there is no unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitLoss {
    /// The typed reason.
    pub reason: Reason,
    /// In words.
    pub detail: String,
}

/// Builds units out of one translation unit after the other.
pub(crate) struct Builder<'c> {
    clang: &'c Clang,
    known: &'c mut Known,
    folder: &'c Path,
}

/// What was learned about headers; it serves all translation units.
#[derive(Default)]
pub(crate) struct Known {
    headers: Headers,
    pub(crate) precompiled: Precompiled,
}

/// The most rounds of mending.
const ROUNDS: u32 = 12;

impl<'c> Builder<'c> {
    /// `folder` is for precompiled headers.
    pub(crate) fn new(clang: &'c Clang, known: &'c mut Known, folder: &'c Path) -> Self {
        Self { clang, known, folder }
    }

    /// The unit of a function, compiled with the first of the alternatives that works.
    pub(crate) fn unit(&mut self, slices: &Slices<'_>, wanted: &Wanted, alternatives: &[Vec<String>]) -> Tried {
        let mut lost = None;
        let mut checks = Checks { known: &wanted.checked, checked: Vec::new(), is_new: false };
        for arguments in alternatives {
            match self.with_arguments(slices, wanted, arguments, &mut checks) {
                Ok(unit) => return checks.tried(Ok(unit)),
                Err(loss) => lost = lost.or(Some(loss)),
            }
        }
        let none = || UnitLoss { reason: Reason::NoArguments, detail: String::new() };
        checks.tried(Err(lost.unwrap_or_else(none)))
    }

    /// The draft of a function's unit.
    pub(crate) fn draft(&mut self, slices: &Slices<'_>, declaration: u32, arguments: &[String]) -> Draft {
        let mut closure = Closure::of(slices, declaration);
        let (emitted, _) = self.emit(&mut closure, arguments, false);
        let headers = slices.includes.iter().map(|include| format!("{}\n", include.name)).collect();
        Draft { text: emitted.text, headers }
    }

    fn with_arguments(
        &mut self,
        slices: &Slices<'_>,
        wanted: &Wanted,
        arguments: &[String],
        checks: &mut Checks<'_>,
    ) -> Result<Unit, UnitLoss> {
        let mut closure = Closure::of(slices, wanted.declaration);
        let mut mender = Mender { level: 0 };
        if !wanted.missed.is_empty() {
            mender.names(&mut closure, &wanted.missed, true);
            closure.finish();
        }
        let mut repairs = 0;
        loop {
            let all_headers = mender.level >= 3 || (!wanted.missed.is_empty() && slices.language == Language::Cpp);
            let (emitted, includes) = self.emit(&mut closure, arguments, all_headers);
            let troubles = self.check(slices, &emitted.text, arguments, checks);
            if troubles.is_empty() {
                let includes = includes.iter().map(|number| slices.includes[*number].name.clone()).collect();
                let line = 1 + emitted.text[..emitted.function.start].matches('\n').count() as u32;
                let flags = arguments.iter().filter(|word| !word.starts_with("-x")).cloned().collect();
                return Ok(Unit { function: emitted.function, text: emitted.text, includes, line, flags, repairs });
            }
            repairs += 1;
            if repairs > ROUNDS || !mender.mend(&mut closure, &emitted, &troubles) {
                let trouble = &troubles[0];
                let detail = trouble.message.clone();
                return Err(UnitLoss { reason: Reason::UnitDoesNotCompile, detail });
            }
            closure.finish();
        }
    }

    /// The errors in a unit's text: as they are known, or as the parser says.
    fn check(
        &mut self,
        slices: &Slices<'_>,
        text: &str,
        arguments: &[String],
        checks: &mut Checks<'_>,
    ) -> Vec<Trouble> {
        let headers = slices.includes.iter().map(|include| include.name.as_str());
        checks.of(text, headers.chain(arguments.iter().map(String::as_str)), || {
            self.known.precompiled.check_unit(self.clang, slices, text, arguments, self.folder)
        })
    }

    fn emit(&mut self, closure: &mut Closure<'_, '_>, arguments: &[String], all: bool) -> (Emitted, BTreeSet<usize>) {
        let choice = self.known.headers.choose(self.clang, arguments, closure);
        let mut includes = choice.includes;
        if all {
            let end = closure.slices.chunks[closure.home() as usize].end;
            let every = closure.slices.includes.iter().enumerate();
            includes.extend(every.filter(|(_, include)| include.start < end).map(|(number, _)| number));
        }
        for event in choice.macros {
            closure.add_macro(event, closure.slices.chunks[closure.home() as usize].start);
        }
        (closure.emit(&includes), includes)
    }
}

/// What the parser says of texts on the way to a unit, where that is not known.
struct Checks<'w> {
    known: &'w [Checked],
    checked: Vec<Checked>,
    is_new: bool,
}

impl Checks<'_> {
    /// The errors in a text that is checked with these words; the parser is asked only if they are not known.
    fn of<'a>(
        &mut self,
        text: &str,
        with: impl Iterator<Item = &'a str>,
        ask: impl FnOnce() -> Vec<Trouble>,
    ) -> Vec<Trouble> {
        let mut key = KeyHasher::new("check");
        key.add(text.as_bytes());
        with.for_each(|word| key.add(word.as_bytes()));
        let key = key.finish();
        let known = self.known.iter().find(|checked| checked.key == key);
        self.is_new |= known.is_none();
        let troubles = known.map_or_else(ask, |checked| checked.troubles.clone());
        self.checked.push(Checked { key, troubles: troubles.clone() });
        troubles
    }

    fn tried(self, unit: Result<Unit, UnitLoss>) -> Tried {
        Tried { unit, checked: self.checked, is_new: self.is_new }
    }
}

/// Adds to a closure what the parser's complaints name; if they name nothing new, more and more of everything.
struct Mender {
    level: u32,
}

impl Mender {
    fn mend(&mut self, closure: &mut Closure<'_, '_>, emitted: &Emitted, troubles: &[Trouble]) -> bool {
        let mut changed = false;
        for trouble in troubles.iter().take(20) {
            let names = quoted_names(&trouble.message);
            let bodies = ["undefined", "constant", "deduced", "inline", "incomplete"]
                .iter()
                .any(|word| trouble.message.contains(word));
            changed |= self.names(closure, &names, bodies);
            if !changed {
                changed |= self.directives(closure, &names);
            }
            if !changed
                && let Some(at) = trouble.at
                && let Some((chunk, _)) = emitted.chunks.iter().find(|(_, range)| range.contains(&(at as usize)))
            {
                changed |= closure.add(*chunk, Form::Whole);
            }
        }
        while !changed && self.level < 4 {
            self.level += 1;
            changed = self.escalate(closure);
        }
        changed
    }

    /// Adds what has one of these names.
    fn names(&mut self, closure: &mut Closure<'_, '_>, names: &[String], bodies: bool) -> bool {
        let slices = closure.slices;
        let end = slices.chunks[closure.home() as usize].end;
        let mut changed = false;
        for name in names {
            if let Some(event) = slices.macros.last_before(name, end) {
                changed |= closure.add_macro(event, end);
            }
            for (number, declaration) in slices.reading.declarations.iter().enumerate() {
                let number = number as u32;
                if declaration.name != *name || declaration.start >= end || slices.chunk_of[number as usize] == u32::MAX
                {
                    continue;
                }
                let chunk = slices.chunk_of[number as usize];
                changed |= match declaration.kind {
                    kind if kind.is_function() => {
                        let declared = closure.forms.contains_key(&chunk);
                        if bodies && declaration.is_definition && (declared || declaration.class.is_none()) {
                            closure.define_function(number)
                        } else {
                            closure.add(chunk, Form::Declared)
                        }
                    }
                    DeclarationKind::Alias => closure.add(chunk, Form::Declared),
                    _ => closure.add(chunk, Form::Whole),
                };
            }
        }
        changed
    }

    /// Adds the `using namespace`s that may bring one of these names.
    fn directives(&self, closure: &mut Closure<'_, '_>, names: &[String]) -> bool {
        let slices = closure.slices;
        let end = slices.chunks[closure.home() as usize].end;
        let mut changed = false;
        for (number, declaration) in slices.reading.declarations.iter().enumerate() {
            let Some(chunk) = slices.chunks.get(slices.chunk_of[number] as usize) else { continue };
            if declaration.kind != DeclarationKind::Using || declaration.start >= end {
                continue;
            }
            let text = &slices.text()[chunk.start as usize..chunk.end as usize];
            let Some(space) = text.strip_prefix("using namespace ") else { continue };
            let space = space.trim_end_matches(';').trim().trim_start_matches("::");
            let innermost = space.rsplit("::").next();
            let is_ours = |container: &Container| match &container.kind {
                ContainerKind::Namespace { name, .. } => innermost == Some(name),
                ContainerKind::CLinkage => false,
            };
            let brings = |name: &String| {
                let mut named = slices.reading.declarations.iter().filter(|declared| declared.name == *name);
                named.any(|declared| declared.qualified_name.ends_with(&format!("{space}::{name}")))
            };
            if !slices.reading.containers.iter().any(is_ours) || names.iter().any(brings) {
                changed |= closure.add(slices.chunk_of[number], Form::Whole);
            }
        }
        changed
    }

    fn escalate(&self, closure: &mut Closure<'_, '_>) -> bool {
        let slices = closure.slices;
        let end = slices.chunks[closure.home() as usize].end;
        let mut changed = false;
        match self.level {
            // Every type in full, and every `using`.
            1 => {
                for number in closure.forms.keys().copied().collect::<Vec<_>>() {
                    let is_function = slices.chunks[number as usize]
                        .declarations
                        .iter()
                        .any(|declaration| slices.declaration(*declaration).kind.is_function());
                    if !is_function {
                        changed |= closure.add(number, Form::Whole);
                    }
                }
                for (number, declaration) in slices.reading.declarations.iter().enumerate() {
                    let names = matches!(declaration.kind, DeclarationKind::Using | DeclarationKind::NamespaceAlias);
                    if names && declaration.class.is_none() && declaration.start < end {
                        changed |= closure.add(slices.chunk_of[number], Form::Whole);
                    }
                }
            }
            // Every function with its body.
            2 => {
                for number in closure.forms.keys().copied().collect::<Vec<_>>() {
                    changed |= closure.add(number, Form::Whole);
                    for method in &slices.chunks[number as usize].methods {
                        changed |= closure.add_body(*method);
                    }
                }
            }
            // Every header.
            3 => changed = true,
            // All that stands before the function.
            _ if slices.language == Language::Cpp => {
                for (number, chunk) in slices.chunks.iter().enumerate() {
                    if chunk.start < end {
                        changed |= closure.add(number as u32, Form::Whole);
                        for method in &chunk.methods {
                            changed |= closure.add_body(*method);
                        }
                    }
                }
            }
            _ => {}
        }
        changed
    }
}

/// The names that a complaint quotes, without what qualifies them and what their templates were made of.
pub fn quoted_names(message: &str) -> Vec<String> {
    let mut names = Vec::new();
    for quoted in message.split('\'').skip(1).step_by(2) {
        let words = quoted.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        for word in words.filter(|word| !word.is_empty() && !word.starts_with(|letter: char| letter.is_ascii_digit())) {
            if !names.iter().any(|known| known == word) {
                names.push(word.to_owned());
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_complaints() {
        assert_eq!(quoted_names("use of undeclared identifier 'FOO'"), ["FOO"]);
        assert_eq!(quoted_names("incomplete type 'struct ns::bar<int>'"), ["struct", "ns", "bar", "int"]);
    }
}
