//! Whether two texts can be undefined in the same ways, as far as that shows without running them.
//!
//! That both become the same machine code says nothing of it: an addition of signed numbers and one of unsigned ones are one
//! instruction, and only the first may not overflow. So clang writes both texts in LLVM's language before any optimisation,
//! with all checks of its sanitizer for undefined behaviour and with the types by which memory is accessed:
//!
//! - **Names:** where every function has the same lines up to the names that were changed, nothing can differ.
//! - **Shapes:** else the functions that differ must hold the same *facts*: the same checks, of the same types,
//!   and the same kinds of access. A fact may stand there more often, as where a loop is unrolled; but none may give way to
//!   another of its kind, as a checked addition to one that nothing checks.
//!
//! Which path leads to a check is not compared: that is for those who run both.

mod facts;
mod lines;
pub(crate) mod module;
mod safe;
mod variables;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use estrange_words::Language;
use serde::{Deserialize, Serialize};

use crate::batch::Compiled;
use crate::clang::{Clang, ClangError, Output};
use crate::gcc::Level;
use crate::pair::Pair;
use crate::renames::Renames;
pub use facts::Subject;
use facts::{Fact, Facts};
use lines::same_lines;
use module::{Function, Module};
use safe::own_addresses;

/// How two texts compare by what clang would check in them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Checks {
    /// The same lines up to names, or the same facts.
    Same,
    /// Something that can be undefined differs.
    Different(Vec<Lapse>),
    /// clang refuses one of them.
    Refused(String),
}

/// Something that can be undefined in one of two texts only, or more often.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Lapse {
    /// What it is about.
    pub subject: Subject,
    /// What there is in the old text; empty if it is not there.
    pub old: String,
    /// What there is in the new text; empty if it is not there.
    pub new: String,
    /// Whether one took the place of the other, so that no run that did the same says anything against it.
    pub is_exchange: bool,
}

/// So many pairs are compiled before any is compared, which bounds what is kept of them.
const AT_ONCE: usize = 128;

/// Compares each pair by what clang would check. The results stand in the same order.
pub fn same_checks(
    clang: &Clang,
    language: Language,
    flags: &[String],
    pairs: &[Pair<'_>],
) -> Result<Vec<Checks>, ClangError> {
    let mut results = Vec::with_capacity(pairs.len());
    for pairs in pairs.chunks(AT_ONCE) {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut texts: Vec<&str> = Vec::new();
        for text in pairs.iter().flat_map(|pair| [pair.old, pair.new]) {
            places.entry(text).or_insert_with(|| {
                texts.push(text);
                texts.len() - 1
            });
        }
        let made = clang.all(language, Level::O2, Output::Checks, flags, &texts)?;
        let made: Vec<Compiled> = made.into_iter().map(Compiled::into_text).collect();
        for same_old in pairs.chunk_by(|one, other| one.old == other.old) {
            let old = read(&made[places[same_old[0].old]]);
            for pair in same_old {
                results.push(match (&old, read(&made[places[pair.new]])) {
                    (Ok(old), Ok(new)) => compare(old, &new, pair.renames),
                    (Err(message), _) => Checks::Refused(message.clone()),
                    (_, Err(message)) => Checks::Refused(message),
                });
            }
        }
    }
    Ok(results)
}

fn read(compiled: &Compiled) -> Result<Module<'_>, String> {
    match compiled {
        Compiled::Accepted { assembly } => Ok(Module::parse(assembly)),
        Compiled::Refused { messages } => Err(messages.lines().next().unwrap_or_default().to_owned()),
        Compiled::Ended { how } => Err(how.clone()),
    }
}

/// Functions of one text, with the text.
struct Side<'a> {
    module: &'a Module<'a>,
    /// Those that the other text does not have just so.
    changed: Vec<(&'a str, &'a Function<'a>)>,
    /// Those of which the other text has none.
    unpaired: BTreeSet<&'a str>,
}

/// Compares two texts.
fn compare(old: &Module<'_>, new: &Module<'_>, renames: &Renames) -> Checks {
    let paired = paired(old, new, renames);
    let mut differences: BTreeSet<Lapse> = BTreeSet::new();
    let (mut ours, mut theirs) = (Side::of(old), Side::of(new));
    for (&symbol, function) in old.functions.iter().filter(|(symbol, _)| !is_of_headers(symbol)) {
        let other = paired.get(symbol).and_then(|other| Some((*other, new.functions.get(other)?)));
        if let Some((other_symbol, other)) = other {
            differences.extend(promises(old, function, new, other));
            if !same_lines(old, function, new, other, renames) {
                ours.changed.push((symbol, function));
                theirs.changed.push((other_symbol, other));
            }
        } else {
            ours.changed.push((symbol, function));
            ours.unpaired.insert(symbol);
        }
    }
    let known: BTreeSet<&str> = paired.values().copied().collect();
    let is_new = |symbol: &str| !known.contains(symbol) && !is_of_headers(symbol);
    for (&symbol, function) in new.functions.iter().filter(|(symbol, _)| is_new(symbol)) {
        theirs.changed.push((symbol, function));
        theirs.unpaired.insert(symbol);
    }
    if ours.changed.is_empty() && theirs.changed.is_empty() && differences.is_empty() {
        return Checks::Same;
    }
    let (as_it_is, as_it_was) = (|name: &str| name.to_owned(), |name: &str| renames.old_text(name));
    let mut found = lapses(&ours.facts(false, &as_it_is), &theirs.facts(false, &as_it_was));
    if !found.is_empty() {
        // What was called may stand in the place of its call now, or the other way round.
        found = lapses(&ours.facts(true, &as_it_is), &theirs.facts(true, &as_it_was));
    }
    differences.extend(found);
    match differences.is_empty() {
        true => Checks::Same,
        false => Checks::Different(differences.into_iter().collect()),
    }
}

/// For each function of the old text its counterpart in the new one.
fn paired<'a>(old: &Module<'a>, new: &Module<'a>, renames: &Renames) -> BTreeMap<&'a str, &'a str> {
    let mut pairs = BTreeMap::new();
    let mut left: Vec<&str> = new.functions.keys().copied().collect();
    for symbol in old.functions.keys() {
        let same = left.iter().position(|other| other == symbol && !renames.changes(symbol));
        let renamed =
            same.or_else(|| left.iter().position(|other| other != symbol && renames.same_name(symbol, other)));
        if let Some(at) = renamed.or_else(|| left.iter().position(|other| other == symbol)) {
            pairs.insert(*symbol, left.remove(at));
        }
    }
    pairs
}

/// Whether a function is one of the standard library of C++, which no rewrite touches.
pub(crate) fn is_of_headers(symbol: &str) -> bool {
    ["_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"].iter().any(|start| symbol.starts_with(start))
}

/// What two functions are promised, where that differs.
fn promises(old: &Module<'_>, ours: &Function<'_>, new: &Module<'_>, theirs: &Function<'_>) -> Option<Lapse> {
    let (old, new) = (promise(old, ours), promise(new, theirs));
    (old != new).then_some(Lapse { subject: Subject::Promise, old, new, is_exchange: true })
}

/// The words of a function's head, and of its attributes, by which something becomes undefined.
fn promise(module: &Module<'_>, function: &Function<'_>) -> String {
    let says = |word: &&str| {
        matches!(*word, "noalias" | "nonnull" | "noreturn" | "willreturn" | "returned" | "mustprogress")
            || word.starts_with("memory(")
    };
    let words = |text: &str| {
        let parts = text.split([' ', ',']).filter(says).map(str::to_owned);
        parts.collect::<Vec<_>>()
    };
    let arguments = function.head.split(", ").map(|argument| words(argument).join(" "));
    let attributes = words(module.attributes(function.head));
    format!("({}) {}", arguments.collect::<Vec<_>>().join(", "), attributes.join(" ")).trim_end().to_owned()
}

impl<'a> Side<'a> {
    fn of(module: &'a Module<'a>) -> Self {
        Self { module, changed: Vec::new(), unpaired: BTreeSet::new() }
    }

    /// The facts of the functions that changed, and of those that they call if that is asked.
    fn facts(&self, with_callees: bool, old: &dyn Fn(&str) -> String) -> Facts {
        let mut all = Facts::default();
        let callers: Vec<&Function<'_>> = self.changed.iter().map(|(_, function)| *function).collect();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&str> = self.changed.iter().map(|(symbol, _)| *symbol).collect();
        while let Some(symbol) = open.pop() {
            let Some((symbol, function)) = self.module.functions.get_key_value(symbol) else { continue };
            if is_of_headers(symbol) || !seen.insert(symbol) {
                continue;
            }
            let own = match self.unpaired.contains(symbol) {
                true => own_addresses(symbol, &callers),
                false => BTreeSet::new(),
            };
            let facts = Facts::of(self.module, function, old, &own);
            if with_callees {
                let own = |name: &String| self.module.functions.get_key_value(name.as_str()).map(|(name, _)| *name);
                open.extend(facts.refers_to.iter().filter_map(own));
            }
            all.add(&facts);
        }
        all
    }
}

/// What is undefined on one side only.
fn lapses(old: &Facts, new: &Facts) -> Vec<Lapse> {
    let said = |fact: &Fact| format!("{} {}", fact.what, fact.way).trim().to_owned();
    let mut found = Vec::new();
    for (one, other, is_old) in [(old, new, true), (new, old, false)] {
        let count = |facts: &Facts, fact: &Fact| facts.counts.get(fact).copied().unwrap_or_default();
        for fact in one.counts.keys().filter(|fact| count(one, fact) > count(other, fact)) {
            let takes_its_place = |next: &&Fact| {
                next.subject == fact.subject && next.what == fact.what && count(other, next) > count(one, next)
            };
            let lapse = |old: String, new: String, is_exchange| Lapse { subject: fact.subject, old, new, is_exchange };
            let instead = other.counts.keys().find(takes_its_place);
            match instead {
                Some(next) if is_old => found.push(lapse(said(fact), said(next), true)),
                // It was found from the other side.
                Some(_) => {}
                // Where one loop runs all parts of a function, the order in which they are run is not seen.
                None if fact.subject == Subject::Uninitialised && !is_old && new.cases > old.cases => {}
                None if fact.can_fail && count(other, fact) == 0 => {
                    let (old, new) = if is_old { (said(fact), String::new()) } else { (String::new(), said(fact)) };
                    found.push(lapse(old, new, false));
                }
                None => {}
            }
        }
    }
    found
}
