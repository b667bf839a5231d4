//! Whether two functions in LLVM's language are the same lines up to the names that a renaming changes.

use std::collections::HashMap;

use crate::renames::Renames;
use crate::undefined::module::{Function, Module, is_part};

/// Whether two functions of two texts have the same lines.
pub(super) fn same_lines(
    old: &Module<'_>,
    function: &Function<'_>,
    new: &Module<'_>,
    other: &Function<'_>,
    renames: &Renames,
) -> bool {
    let mut names = Names { renames, forward: HashMap::new(), backward: HashMap::new() };
    let lines = |module: &Module<'_>, function: &Function<'_>| {
        let head = function.head.split(" comdat").next().unwrap_or_default();
        let lines = [head].into_iter().chain(function.lines.iter().copied());
        lines.map(|line| module.spelled_out(line)).collect::<Vec<_>>()
    };
    function.lines.len() == other.lines.len()
        && lines(old, function).iter().zip(&lines(new, other)).all(|(one, next)| names.same(one, next))
}

/// Which names correspond.
struct Names<'a> {
    renames: &'a Renames,
    forward: HashMap<String, String>,
    backward: HashMap<String, String>,
}

impl Names<'_> {
    /// Whether two lines are the same.
    fn same(&mut self, old: &str, new: &str) -> bool {
        let mut others = words(new);
        let same = words(old).all(|word| others.next().is_some_and(|other| self.word(word, other)));
        same && others.next().is_none()
    }

    fn word(&mut self, old: &str, new: &str) -> bool {
        let is_name =
            |word: &str| word.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '.');
        if !is_name(old) || !is_name(new) {
            return old == new;
        }
        if let Some(known) = self.forward.get(old) {
            return known == new;
        }
        if self.backward.contains_key(new) || !(self.renames.same_name(old, new) || both_texts(old, new)) {
            return false;
        }
        self.forward.insert(old.to_owned(), new.to_owned());
        self.backward.insert(new.to_owned(), old.to_owned());
        true
    }
}

/// Whether both are names that a compiler gives to texts, which it counts.
fn both_texts(old: &str, new: &str) -> bool {
    let is_text = |name: &str| {
        let number = name.strip_prefix(".str").map(|rest| rest.strip_prefix('.').unwrap_or(rest));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    is_text(old) && is_text(new)
}

/// The names of a line, and each other character.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = match is_part(first) {
            true => rest.find(|next| !is_part(next)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        Some(word)
    })
}
