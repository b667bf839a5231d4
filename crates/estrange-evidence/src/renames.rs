//! Which identifiers were renamed to which, and what that does to the names that a compiler makes of them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The pairs of identifiers, old and new, that a renaming allows.
///
/// An identifier may have several new ones, by its roles: `struct node` and a variable `node` may part. What is in no
/// pair keeps its name.
#[derive(Debug, Clone, Default)]
pub struct Renames {
    pairs: HashMap<String, Vec<String>>,
}

/// An identifier and its new name.
pub(crate) type Renamed = (String, String);

impl Renames {
    /// From pairs of the old and the new identifier.
    pub fn new<O: AsRef<str>, N: AsRef<str>>(pairs: impl IntoIterator<Item = (O, N)>) -> Self {
        let mut renames = Self::default();
        for (old, new) in pairs {
            let (old, new) = (spelled_out(old.as_ref()), spelled_out(new.as_ref()));
            let known = renames.pairs.entry(old.into_owned()).or_default();
            if !known.iter().any(|one| *one == new) {
                known.push(new.into_owned());
            }
        }
        renames
    }

    /// Whether `new` is one of the new names of `old`.
    pub fn allows(&self, old: &str, new: &str) -> bool {
        self.pairs.get(old).is_some_and(|all| all.iter().any(|one| one == new))
    }

    /// Whether these are the same name: an identifier or its new one, or the same made of such by the compiler.
    pub(crate) fn same_name(&self, old: &str, new: &str) -> bool {
        if old == new {
            return true;
        }
        let mut pairs = Vec::new();
        let mut parts = new.split('.');
        let same = old.split('.').all(|part| {
            let Some(other) = parts.next() else { return false };
            part == other || self.allows(part, other) || self.mangled(part, other, &mut pairs)
        });
        same && parts.next().is_none()
    }

    /// Whether an identifier has a new name.
    pub(crate) fn changes(&self, old: &str) -> bool {
        self.pairs.get(old).is_some_and(|all| all.iter().all(|one| one != old))
    }

    /// A text in which every identifier stands as it was, by itself or with its length before it. Of several that have one
    /// new name, the first is taken.
    pub(crate) fn old_text(&self, new: &str) -> String {
        let mut old: HashMap<&str, &str> = HashMap::new();
        for (name, all) in &self.pairs {
            for one in all {
                let known = old.entry(one).or_insert(name);
                *known = (*known).min(name.as_str());
            }
        }
        words(new).map(|word| self.old_word(word, &old)).collect()
    }

    fn old_word(&self, word: &str, old: &HashMap<&str, &str>) -> String {
        if let Some(name) = old.get(word) {
            return (*name).to_owned();
        }
        let mut spelled = String::new();
        let mut at = 0;
        while let Some(next) = word[at..].chars().next() {
            match identifier(word, at).filter(|name| word.starts_with("_Z") && old.contains_key(&word[name.clone()])) {
                Some(name) => {
                    let was = old[&word[name.clone()]];
                    spelled.push_str(&format!("{}{was}", was.len()));
                    at = name.end;
                }
                None => {
                    spelled.push(next);
                    at += next.len_utf8();
                }
            }
        }
        spelled
    }

    /// Whether these are names of C++ as the linker knows them that differ in renamed identifiers only.
    fn mangled(&self, old: &str, new: &str, pairs: &mut Vec<Renamed>) -> bool {
        old.starts_with("_Z") && new.starts_with("_Z") && self.encoded(old, new, pairs)
    }

    /// Whether these texts are equal but for identifiers with their lengths before them, of which the pairs are allowed;
    /// those that differ are handed out.
    pub(crate) fn encoded(&self, old: &str, new: &str, pairs: &mut Vec<Renamed>) -> bool {
        let mut walk = Walk { renames: self, old, new, failed: HashSet::new(), pairs };
        walk.from(0, 0)
    }

    /// The identifiers that differ in two texts that are equal otherwise, if all of their pairs are allowed.
    pub(crate) fn in_text(&self, old: &str, new: &str) -> Option<Vec<Renamed>> {
        let mut found: Vec<Renamed> = Vec::new();
        let mut news = words(new);
        for word in words(old) {
            let other = news.next()?;
            if word == other {
                continue;
            }
            // Two that differ do not become one.
            let is_taken = found.iter().any(|(known, new)| new == other && known != word);
            if is_taken || !self.allows(word, other) {
                return None;
            }
            if !found.iter().any(|(known, new)| known == word && new == other) {
                found.push((word.to_owned(), other.to_owned()));
            }
        }
        news.next().is_none().then_some(found)
    }
}

impl<O: AsRef<str>, N: AsRef<str>> FromIterator<(O, N)> for Renames {
    fn from_iter<I: IntoIterator<Item = (O, N)>>(pairs: I) -> Self {
        Self::new(pairs)
    }
}

/// Two encoded names, walked side by side.
///
/// A number is the length of an identifier or something else, such as a constant; which of them is known only by all
/// that stands before it. Where it could be both, both are tried.
struct Walk<'a, 'p> {
    renames: &'a Renames,
    old: &'a str,
    new: &'a str,
    /// Dead ends, memoised: places from which no split of the rest succeeds.
    failed: HashSet<(usize, usize)>,
    pairs: &'p mut Vec<Renamed>,
}

impl Walk<'_, '_> {
    fn from(&mut self, mut at_old: usize, mut at_new: usize) -> bool {
        loop {
            let (old, new) = (&self.old.as_bytes()[at_old..], &self.new.as_bytes()[at_new..]);
            let (Some(first), Some(other)) = (old.first(), new.first()) else {
                return old.is_empty() && new.is_empty();
            };
            if first.is_ascii_digit() && other.is_ascii_digit() {
                if self.failed.contains(&(at_old, at_new)) {
                    return false;
                }
                let before = self.pairs.len();
                if let (Some(name), Some(other)) = (identifier(self.old, at_old), identifier(self.new, at_new)) {
                    let is_renamed = self.old[name.clone()] != self.new[other.clone()];
                    if is_renamed && self.renames.allows(&self.old[name.clone()], &self.new[other.clone()]) {
                        self.pairs.push((self.old[name.clone()].to_owned(), self.new[other.clone()].to_owned()));
                        if self.from(name.end, other.end) {
                            return true;
                        }
                    } else if !is_renamed && self.from(name.end, other.end) {
                        return true;
                    }
                }
                self.pairs.truncate(before);
                self.failed.insert((at_old, at_new));
            }
            if first != other {
                return false;
            }
            at_old += 1;
            at_new += 1;
        }
    }
}

/// Where the identifier is whose length stands at `at`.
fn identifier(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let digits = text.as_bytes()[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let length: usize = text[at..at + digits].parse().ok().filter(|&length| length > 0)?;
    let start = at + digits;
    let end = start.checked_add(length).filter(|&end| end <= text.len())?;
    (text.is_char_boundary(start) && text.is_char_boundary(end)).then_some(start..end)
}

/// The words of a text, and each character that belongs to none.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = if is_word(first) {
            rest.find(|character| !is_word(character)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        Some(word)
    })
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$') || !character.is_ascii()
}

/// An identifier with its universal character names as the characters they stand for, as a compiler writes it.
fn spelled_out(identifier: &str) -> Cow<'_, str> {
    if !identifier.contains('\\') {
        return Cow::Borrowed(identifier);
    }
    let mut spelled = String::with_capacity(identifier.len());
    let mut rest = identifier;
    while let Some((before, after)) = rest.split_once('\\') {
        spelled.push_str(before);
        let digits = match after.as_bytes().first() {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let number = after.get(1..1 + digits).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if let Some(character) = number.and_then(char::from_u32) {
            spelled.push(character);
            rest = &after[1 + digits..];
        } else {
            spelled.push('\\');
            rest = after;
        }
    }
    spelled.push_str(rest);
    Cow::Owned(spelled)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn renames() -> Renames {
        let pairs =
            [("node", "a"), ("node", "variable_0"), ("get", "fetch_it"), ("count", "c"), ("n\\u00e9", "\u{e9}")];
        Renames::new(pairs)
    }

    #[test]
    fn names_of_c_are_identifiers_with_what_the_compiler_adds() {
        let same = |old, new| renames().same_name(old, new);
        assert!(same("node", "a") && same("node", "variable_0") && same("other", "other") && same("node", "node"));
        assert!(same("node.cold", "a.cold") && same("node.part.0", "a.part.0") && same("count.3", "c.3"));
        assert!(same("get.count", "fetch_it.c") && same("n\u{e9}", "\u{e9}"));
        assert!(!same("node", "b") && !same("other", "a") && !same("a", "node"));
        assert!(!same("node.cold", "a") && !same("node", "a.cold") && !same("node.part.0", "a.part.1"));
        assert!(!same("nodes", "as") && !same("node_get", "a_fetch_it"));
    }

    #[test]
    fn names_of_cpp_are_walked() {
        let same = |old, new| renames().same_name(old, new);
        assert!(same("_ZN4node3getEv", "_ZN1a8fetch_itEv"));
        assert!(same("_ZTV4node", "_ZTV10variable_0") && same("_ZGVZN4node3getEvE5count", "_ZGVZN1a8fetch_itEvE1c"));
        assert!(same("_ZThn8_N4node3getEv", "_ZThn8_N1a8fetch_itEv"));
        assert!(same("_Z3getILi3EE4nodeT_S1_", "_Z8fetch_itILi3EE1aT_S1_"));
        assert!(same("_ZNSt6vectorI4nodeSaIS0_EE3endEv", "_ZNSt6vectorI1aSaIS0_EE3endEv"));
        assert!(same("_Z3getv.cold", "_Z8fetch_itv.cold"));
        assert!(!same("_ZN4node3getEv", "_ZN1a3putEv") && !same("_ZN4node3getEv", "_ZN1a8fetch_itEi"));
        assert!(!same("_Z3getILi3EEvv", "_Z8fetch_itILi4EEvv") && !same("_Z3getv", "_Z8fetch_it"));
        assert!(!same("_Z3getv", "fetch_it"));
    }

    #[test]
    fn names_in_texts_are_whole_words() {
        let pairs = |old, new| renames().in_text(old, new).map(|pairs| pairs.len());
        assert_eq!(pairs("node->count > 0 && node", "a->c > 0 && a"), Some(2));
        assert_eq!(pairs("node.node", "a.variable_0"), Some(2));
        assert_eq!(pairs("same", "same"), Some(0));
        assert_eq!(pairs("count: 1", "c: 2"), None);
        assert_eq!(pairs("nodes", "as"), None);
        assert_eq!(pairs("node count", "a  c"), None);
        assert_eq!(pairs("node", "a "), None);
        assert_eq!(Renames::new([("x", "z"), ("y", "z")]).in_text("x + y", "z + z"), None);
    }

    proptest! {
        #[test]
        fn any_name_is_the_same_as_itself_and_none_makes_it_panic(old in "_Z[NES0-9nodeaé_.]{0,20}", new in "_Z[NES0-9nodeaé_.]{0,20}") {
            prop_assert!(renames().same_name(&old, &old));
            prop_assert!(renames().encoded(&old, &old, &mut Vec::new()));
            let same = renames().encoded(&old, &new, &mut Vec::new());
            prop_assert!(!same || Renames::default().encoded(&old, &new, &mut Vec::new()) == (old == new));
            renames().in_text(&old, &new);
        }
    }
}
