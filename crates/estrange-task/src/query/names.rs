//! Whether a description gives its function away by a name.
//!
//! Two kinds of names do. A word of the description counts if the function's text has it as an identifier and it looks
//! like one: it has an underscore, a capital after a small letter, or a digit among letters, or it is of more than five
//! capitals. So `size` and `NULL` may stand in a description, and `buf_size` and `bufSize` may not. Names of the standard
//! library's types, such as `size_t`, and the project's types may: a description says what goes in and comes out.
//!
//! The function's own name counts however it looks and is written: `gzclose`, *Gzclose*, *the gzclose functions*,
//! `gz_close`, `gzclose_w`. Only where it is a word that anybody would use (`ordinary.rs`) it has to be written as a name:
//! *inserts a row* may stand in a description of `insert`, and *`insert`*, *insert()* and *the insert function* may not.

use std::collections::HashSet;
use std::ops::Range;

use estrange_bench::{Function, Kind as FunctionKind};
use estrange_text::facts::is_keyword;
use estrange_text::lexer::{Kind, lex};
use estrange_words::Language;

use super::ordinary::is_ordinary;

/// What functions are called in words, and what is done with them: beside these a word is a name.
const FUNCTIONS: [&str; 6] = ["function", "method", "routine", "macro", "call", "procedure"];
const CALLS: [&str; 3] = ["calls", "calling", "called"];
const ARTICLES: [&str; 11] = ["the", "a", "an", "other", "this", "these", "those", "both", "all", "two", "its"];
/// What only a thing that is named does at the start of a sentence.
const DOES: [&str; 12] =
    ["is", "does", "returns", "takes", "will", "can", "may", "must", "should", "has", "works", "never"];

/// The names that a description of a function must not have.
#[derive(Debug, Clone)]
pub struct TargetNames {
    own: String,
    /// The own name without its joints, in small letters.
    plain: String,
    /// Whether the own name is a word that anybody would use, or that of a type.
    is_word: bool,
    names: HashSet<String>,
}

impl TargetNames {
    /// Those of a function.
    pub fn of(function: &Function) -> Self {
        let types: HashSet<&str> = function.types.iter().map(String::as_str).collect();
        let mut names: HashSet<String> = lex(&function.text)
            .iter()
            .filter(|token| token.kind == Kind::Identifier)
            .map(|token| token.text(&function.text))
            .filter(|name| looks_like_code(name) && !types.contains(name) && !is_keyword(name, Language::Cpp))
            .filter(|name| !name.ends_with("_t") || *name == function.name)
            .map(str::to_owned)
            .collect();
        names.extend(function.helpers.iter().map(|helper| helper.name.clone()).filter(|name| looks_like_code(name)));
        let is_type = function.kind == FunctionKind::Constructor || types.contains(function.name.as_str());
        let mut found = Self { names, ..Self::called(&function.name) };
        found.is_word |= is_type;
        found
    }

    /// Those of a function of which nothing else is known.
    pub(super) fn called(own: &str) -> Self {
        let plain = plain(own);
        Self {
            own: own.to_owned(),
            is_word: is_ordinary(&plain) && !looks_like_code(own),
            plain,
            names: HashSet::new(),
        }
    }

    /// The function's own name.
    pub fn own(&self) -> &str {
        &self.own
    }

    /// The names that a text has, each once, in the order of the text.
    pub fn in_text<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let own = self.own_places(text);
        let mut found = Vec::new();
        for (at, word) in spans(text) {
            let is_name = self.names.contains(word) || own.iter().any(|place| place.start == at);
            if is_name && !found.contains(&word) {
                found.push(word);
            }
        }
        found
    }

    /// Where a text has the function's own name, as a name.
    pub fn own_places(&self, text: &str) -> Vec<Range<usize>> {
        if self.plain.is_empty() {
            return Vec::new();
        }
        let words: Vec<(usize, &str)> = spans(text).collect();
        let is_own = |number: usize| {
            let (at, word) = words[number];
            match self.is_word {
                false => self.is_form(word, number.checked_sub(1).map_or("", |last| words[last].1)),
                true => word == self.own && is_written_as_name(text, at, word, number, &words),
            }
        };
        let places = (0..words.len()).filter(|number| is_own(*number));
        places.map(|number| words[number].0..words[number].0 + words[number].1.len()).collect()
    }

    /// Whether a word is the own name in any spelling, a compound with it, or several of it: *the gzcloses*, but not *it
    /// clamps*.
    fn is_form(&self, word: &str, last: &str) -> bool {
        let whole = plain(word);
        let are_several =
            || ARTICLES.contains(&last.to_lowercase().as_str()) && whole.strip_suffix('s') == Some(&self.plain);
        let is_part = || word.contains('_') && word.split('_').any(|part| part.to_lowercase() == self.plain);
        whole == self.plain || is_part() || are_several()
    }
}

/// Whether an ordinary word is written as a name where it stands.
fn is_written_as_name(text: &str, at: usize, word: &str, number: usize, words: &[(usize, &str)]) -> bool {
    let (before, after) = (&text[..at], &text[at + word.len()..]);
    let is_quoted = before.ends_with(['`', '\'', '"', '‘', '“']) && after.starts_with(['`', '\'', '"', '’', '”']);
    let is_code = after.starts_with('(') || before.ends_with(['#', '>']) || before.ends_with("::");
    // `list.insert`, but not the start of a sentence.
    let is_member =
        before.strip_suffix('.').is_some_and(|rest| rest.ends_with(|letter: char| letter.is_alphanumeric()));
    let near = |number: Option<usize>| number.and_then(|number| words.get(number)).map_or("", |(_, word)| *word);
    let (last, next) = (near(number.checked_sub(1)).to_lowercase(), near(Some(number + 1)).to_lowercase());
    let is_called = FUNCTIONS.contains(&last.as_str()) || CALLS.contains(&last.as_str());
    let is_kind = ARTICLES.contains(&last.as_str()) && FUNCTIONS.contains(&next.strip_suffix('s').unwrap_or(&next));
    let is_start = before.trim_end().is_empty() || before.trim_end().ends_with(['.', '!', '?', ':']);
    let does_itself = next.strip_prefix(&word.to_lowercase()).is_some_and(|ending| ending == "s" || ending == "es");
    let is_subject = is_start && (does_itself || DOES.contains(&next.as_str()));
    is_quoted || is_code || is_member || is_called || is_kind || is_subject
}

/// A name without its joints, in small letters.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase).collect()
}

/// The words of a text, as a compiler would see them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    spans(text).map(|(_, word)| word)
}

/// The words with where they begin.
fn spans(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(is_part)?;
        rest = text[start..].find(|letter| !is_part(letter)).map_or(text.len(), |length| start + length);
        Some((start, &text[start..rest]))
    })
}

/// Whether a word looks like an identifier rather than like a word of a language.
pub fn looks_like_code(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let is_camel = letters.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    let has_digit = letters.iter().any(char::is_ascii_digit) && letters.iter().any(|letter| letter.is_alphabetic());
    let is_constant = letters.len() > 5 && letters.iter().all(|letter| letter.is_uppercase());
    word.contains('_') || is_camel || has_digit || is_constant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_language_are_told_from_names() {
        for name in ["buf_size", "bufSize", "crc32", "SQLITE", "_x"] {
            assert!(looks_like_code(name), "{name}");
        }
        for word in ["size", "NULL", "ASCII", "Buffer", "x", "16"] {
            assert!(!looks_like_code(word), "{word}");
        }
    }

    #[test]
    fn the_own_name_counts_however_it_is_written() {
        let names = |own: &str, text: &str| TargetNames::called(own).in_text(text).join(" ");
        for (own, text, found) in [
            ("gzclose", "Same as the other gzclose functions.", "gzclose"),
            ("gzclose", "Gzclose closes a compressed file", "Gzclose"),
            (
                "gzclose",
                "what GZCLOSE's peers and zlib::gzclose do, all gzcloses, gz_close, gzclose_w, re-gzclose",
                "GZCLOSE gzclose gzcloses gz_close gzclose_w",
            ),
            ("gz_close", "The gzClose of files", "gzClose"),
            ("gzclose", "Closes a compressed file, however many are open.", ""),
            ("inflate", "Like inflate, but slower", "inflate"),
            ("inflate", "It inflates what was deflated", ""),
            ("operator==", "Tells whether the operator finds both equal", ""),
        ] {
            assert_eq!(names(own, text), found, "{own}: {text}");
        }
    }

    #[test]
    fn an_ordinary_word_counts_where_it_is_a_name() {
        let has = |own: &str, text: &str| !TargetNames::called(own).in_text(text).is_empty();
        for text in [
            "`insert` adds a row",
            "Use insert() for it",
            "the other insert functions",
            "Like the function insert",
            "Calls insert twice",
            "insert inserts a row",
            "It is done. insert is fast.",
            "list.insert and Table::insert",
            "see #insert",
        ] {
            assert!(has("insert", text), "{text}");
        }
        for text in [
            "Inserts a row",
            "Insert a row.",
            "insert a row",
            "rows to insert",
            "Tells where to insert. insert nodes there",
            "Functions insert what they like",
            "The insert is done",
        ] {
            assert!(!has("insert", text), "{text}");
        }
        assert!(!has("at", "at the end, at most") && has("at", "`at` finds it"));
    }
}
