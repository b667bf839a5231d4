//! Whether a description gives its function away by a name.
//!
//! A word of the description counts if the function's text has it as an identifier and it looks like one: it has an
//! underscore, a capital after a small letter, or a digit among letters, or it is of more than five capitals. So `size` and `NULL` may stand
//! in a description, and `buf_size` and `bufSize` may not. Names of the standard library's types, such as `size_t`, and
//! the project's types may: a description says what goes in and comes out.

use std::collections::HashSet;

use estrange_bench::Function;
use estrange_text::facts::{Keywords, is_keyword};
use estrange_text::lexer::{Kind, lex};

/// The names that a description of a function must not have.
#[derive(Debug, Clone)]
pub struct TargetNames {
    own: String,
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
            .filter(|name| looks_like_code(name) && !types.contains(name) && !is_keyword(name, Keywords::Cpp))
            .filter(|name| !name.ends_with("_t") || *name == function.name)
            .map(str::to_owned)
            .collect();
        names.extend(function.helpers.iter().map(|helper| helper.name.clone()).filter(|name| looks_like_code(name)));
        Self { own: function.name.clone(), names }
    }

    /// The function's own name.
    pub fn own(&self) -> &str {
        &self.own
    }

    /// The names that a text has, each once, in the order of the text.
    pub fn in_text<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut found = Vec::new();
        for word in words(text) {
            if (self.names.contains(word) || word == self.own && looks_like_code(word)) && !found.contains(&word) {
                found.push(word);
            }
        }
        found
    }
}

/// The words of a text, as a compiler would see them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
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
}
