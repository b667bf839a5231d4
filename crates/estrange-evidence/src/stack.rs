//! A unit and its renamed texts, one after the other in a single text, so that a compiler does once for all of them what
//! it does before and after their code: it starts, reads the headers, and makes its passes ready.
//!
//! That shows of each what compiling it alone would, as the names keep them apart. A text may stand in a stack only if
//! it has the unit's tokens one by one but for identifiers, if every identifier that it changes is changed wherever
//! the unit has it, and if what it is changed to occurs in no other text of the stack. So nothing that stands before a text can
//! give a meaning to one of its new names, and those that it keeps mean in it what they mean in the unit. What a stack
//! does not show, because a name that all keep is defined in each, say, is left to compiling each alone.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use estrange_text::lexer::{Kind, Token, directive_name, lex, lex_directive};

use crate::batch::UNIT_NAME;
use crate::identical::is_reserved;
use crate::listing::{Listing, Owner, View};
use crate::pair::Pair;

/// Pairs of one unit whose texts stand in one, behind the unit.
#[derive(Debug)]
pub(crate) struct Stack<'a> {
    /// The pairs, by their indices.
    pub pairs: Vec<usize>,
    /// The unit, and the new text of each pair.
    pub text: String,
    /// Which of them has an identifier to itself; nothing for those that several have.
    owners: HashMap<Cow<'a, str>, Option<usize>>,
    /// Whether names are made of parts of names.
    has_pasted: bool,
}

/// What makes every function and every datum stand in a section with its name.
pub(crate) const SECTIONS: [&str; 2] = ["-ffunction-sections", "-fdata-sections"];

/// A stack holds at most so many new texts, and so many bytes.
const TEXTS: usize = 16;
const BYTES: usize = 1 << 20;

/// The stacks that these pairs can stand in. Those of the same unit must be neighbours.
pub(crate) fn stacks<'a>(pairs: &[Pair<'a>]) -> Vec<Stack<'a>> {
    let mut all = Vec::new();
    let mut first = 0;
    for pairs in pairs.chunk_by(|one, next| one.old == next.old) {
        all.extend(stacks_of_unit(pairs[0].old, first, pairs));
        first += pairs.len();
    }
    all
}

/// The stacks of pairs of one unit, which are numbered from `first`.
fn stacks_of_unit<'a>(unit: &'a str, first: usize, pairs: &[Pair<'a>]) -> Vec<Stack<'a>> {
    let old = words(unit);
    let known: HashSet<Cow<'a, str>> = identifiers(&old).cloned().collect();
    let has_pasted = old.iter().any(|word| word.spelling == "##" || word.spelling == "%:%:");
    let mut stacks: Vec<Stack<'a>> = Vec::new();
    for (index, pair) in (first..).zip(pairs).filter(|(_, pair)| unit.len() + pair.new.len() <= BYTES) {
        let new = words(pair.new);
        let Some(fresh) = fresh_names(&old, &new, &known) else { continue };
        let is_full = |stack: &Stack<'_>| {
            let clashes = || fresh.iter().any(|name| stack.owners.contains_key(name));
            stack.pairs.len() == TEXTS || stack.text.len() + pair.new.len() > BYTES || clashes()
        };
        if stacks.last().is_none_or(is_full) {
            let owners = known.iter().map(|name| (name.clone(), Some(0))).collect();
            stacks.push(Stack { pairs: Vec::new(), text: unit.to_owned(), owners, has_pasted });
        }
        if let Some(stack) = stacks.last_mut() {
            stack.add(index, pair.new, fresh, &old, &new);
        }
    }
    stacks
}

impl<'a> Stack<'a> {
    fn add(&mut self, pair: usize, text: &str, fresh: HashSet<Cow<'a, str>>, old: &[Word<'a>], new: &[Word<'a>]) {
        self.pairs.push(pair);
        let place = self.pairs.len();
        // Writing to a string does not fail.
        let _ = write!(self.text, "\n#line 1 \"{UNIT_NAME}\"\n{text}");
        // What it keeps is not the unit's alone.
        for (old, new) in old.iter().zip(new) {
            if old == new && old.is_identifier {
                self.owners.insert(old.spelling.clone(), None);
            }
        }
        self.owners.extend(fresh.into_iter().map(|name| (name, Some(place))));
    }

    /// The code of the unit, and that of the new text of each pair; nothing if they cannot be told apart.
    pub(crate) fn parts<'l>(&self, listing: &'l Listing<'l>) -> Option<Vec<View<'l>>> {
        listing.parts(self.pairs.len() + 1, |symbol| {
            // A compiler adds to names what stands behind a dot.
            let name = symbol.split('.').next().unwrap_or(symbol);
            match self.owners.get(name) {
                Some(owner) => owner.map(Owner::Text),
                None if is_reserved(name) && !self.has_pasted => Some(Owner::Headers),
                None => None,
            }
        })
    }
}

/// A token, as far as it matters for what a text means.
#[derive(Debug, PartialEq, Eq)]
struct Word<'a> {
    is_identifier: bool,
    spelling: Cow<'a, str>,
}

/// The words of a text, those of its directives included; comments are none.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut add = |token: &Token| {
        if token.kind != Kind::Comment {
            found.push(Word { is_identifier: token.kind == Kind::Identifier, spelling: token.spelling(text) });
        }
    };
    for token in lex(text) {
        match token.kind {
            Kind::Directive if directive_name(token.text(text)) != "include" => {
                lex_directive(text, &token).for_each(|part| add(&part));
            }
            _ => add(&token),
        }
    }
    found
}

fn identifiers<'w, 'a>(words: &'w [Word<'a>]) -> impl Iterator<Item = &'w Cow<'a, str>> {
    words.iter().filter(|word| word.is_identifier).map(|word| &word.spelling)
}

/// The identifiers that are in a new text only, if it can stand behind the unit whose identifiers are `known`.
fn fresh_names<'a>(old: &[Word<'_>], new: &[Word<'a>], known: &HashSet<Cow<'_, str>>) -> Option<HashSet<Cow<'a, str>>> {
    if old.len() != new.len() {
        return None;
    }
    let (mut fresh, mut changed, mut kept) = (HashSet::new(), HashSet::new(), HashSet::new());
    for (old, new) in old.iter().zip(new) {
        if old == new {
            if old.is_identifier {
                kept.insert(&old.spelling);
            }
        } else if old.is_identifier && new.is_identifier && !known.contains(&new.spelling) {
            changed.insert(&old.spelling);
            fresh.insert(new.spelling.clone());
        } else {
            return None;
        }
    }
    changed.is_disjoint(&kept).then_some(fresh)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::renames::Renames;

    /// The pairs of each stack of these new texts of a unit.
    fn stacked(old: &str, new: &[&str]) -> Vec<Vec<usize>> {
        let renames = Renames::default();
        let pairs: Vec<Pair<'_>> = new.iter().map(|new| Pair { old, new, renames: &renames }).collect();
        stacks(&pairs).into_iter().map(|stack| stack.pairs).collect()
    }

    #[test]
    fn texts_with_other_names_stand_together() {
        assert_eq!(stacked("int f(int a);", &["int g(int b);", "int /* */ h(int c);"]), [[0, 1]]);
    }

    #[test]
    fn a_text_that_has_a_name_of_another_begins_a_stack_of_its_own() {
        assert_eq!(
            stacked("int f(int a);", &["int g(int b);", "int h(int b);", "int i(int c);"]),
            [vec![0], vec![1, 2]]
        );
    }

    #[test]
    fn what_is_no_other_name_stands_alone() {
        let old = "int f(int a) { return a + 1; }";
        let others = [
            "int g(int b) { return b + 2; }",
            "int g(int b) { return b; }",
            // One of two is left, or has the name of the other.
            "int g(int b) { return a + 1; }",
            "int a(int f) { return f + 1; }",
        ];
        assert!(stacked(old, &others).is_empty());
    }

    #[test]
    fn what_a_macro_is_called_belongs_to_the_names() {
        let old = "#define A 1\n#include <a.h>\nint f = A;";
        assert_eq!(stacked(old, &["#define B 1\n#include <a.h>\nint g = B;"]), [[0]]);
        assert!(stacked(old, &["#define B 1\n#include <b.h>\nint g = B;"]).is_empty());
        assert!(stacked(old, &["#define B 1\n#include <a.h>\nint g = A;"]).is_empty());
    }
}
