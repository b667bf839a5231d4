//! What can be said of CLARC's texts by looking at them: their language, what changed between two, and what a model left
//! at the front of a description.

use std::collections::BTreeMap;

use estrange_text::facts::Facts;
use estrange_text::lexer::{Kind, lex};

use crate::words::Language;

/// Words that are in C++ and not in C.
const CPP_WORDS: [&str; 17] = [
    "template",
    "typename",
    "namespace",
    "nullptr",
    "constexpr",
    "noexcept",
    "override",
    "virtual",
    "operator",
    "class",
    "static_cast",
    "reinterpret_cast",
    "const_cast",
    "dynamic_cast",
    "throw",
    "catch",
    "std",
];

/// What models write before a description.
const MARKERS: [&str; 6] = ["summary", "description", "query", "answer", "output", "explanation"];

/// The language of a function, by words and signs that only C++ has.
pub(super) fn language(text: &str) -> Language {
    let tokens = lex(text);
    let is_cpp = tokens.iter().enumerate().any(|(at, token)| match (token.kind, token.text(text)) {
        (Kind::Identifier, word) => CPP_WORDS.contains(&word),
        (Kind::Punctuation, "::") => true,
        // A reference: `type& name` and `type &name)` are no expressions among parameters.
        (Kind::Punctuation, "&") => is_reference(text, &tokens[..at]),
        _ => false,
    });
    if is_cpp { Language::Cpp } else { Language::C }
}

/// Whether an `&` behind these tokens declares a reference: it stands behind a word, before the function's body begins.
fn is_reference(text: &str, before: &[estrange_text::lexer::Token]) -> bool {
    let in_body = before.iter().any(|token| token.text(text) == "{");
    !in_body && before.last().is_some_and(|token| token.kind == Kind::Identifier)
}

/// What is counted about a function.
pub(super) fn facts(text: &str, language: Language) -> Facts {
    estrange_text::facts::facts(text, language)
}

/// What became of the names of a text in another.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Renamed {
    /// Old names and new ones.
    pub(super) names: BTreeMap<String, String>,
    /// The share of the old text's characters that belong to names that were changed.
    pub(super) share: f64,
}

/// Compares two texts token by token; nothing is known where these are not of the same kinds.
pub(super) fn renamed(old: &str, new: &str) -> Renamed {
    let code = |text: &str| lex(text).into_iter().filter(|token| token.kind != Kind::Comment).collect::<Vec<_>>();
    let (before, after) = (code(old), code(new));
    let kinds = |tokens: &[estrange_text::lexer::Token]| tokens.iter().map(|token| token.kind).collect::<Vec<_>>();
    if kinds(&before) != kinds(&after) {
        return Renamed::default();
    }
    let mut renamed = Renamed::default();
    let mut characters = 0;
    for (one, two) in before.iter().zip(&after).filter(|(one, _)| one.kind == Kind::Identifier) {
        let (one, two) = (one.text(old), two.text(new));
        if one != two {
            characters += one.chars().count();
            renamed.names.entry(one.to_owned()).or_insert_with(|| two.to_owned());
        }
    }
    renamed.share = characters as f64 / old.chars().count().max(1) as f64;
    renamed
}

/// A description without what a model left at its front, such as `SUMMARY:`. One that has no such thing stays as it is.
pub(super) fn without_marker(text: &str) -> &str {
    const DECORATION: [char; 4] = ['*', '#', '_', '`'];
    let is_space = |c: char| c.is_whitespace() || DECORATION.contains(&c);
    let start = text.trim_start_matches(is_space);
    for marker in MARKERS {
        let Some(head) = start.get(..marker.len()).filter(|head| head.eq_ignore_ascii_case(marker)) else { continue };
        let rest = start[head.len()..].trim_start_matches(is_space);
        if let Some(rest) = rest.strip_prefix(':') {
            return without_marker(rest.trim_start_matches(is_space));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_what_only_one_of_them_has() {
        for (text, language) in [
            ("int f(int a) { return a & 1; }", Language::C),
            ("char *f(int class_of) { g(&class_of); return 0; }", Language::C),
            ("bool f(const T& a) { return a == 1; }", Language::Cpp),
            ("int f(std::string a) { return 0; }", Language::Cpp),
            ("template <class T> T f(T a) { return a; }", Language::Cpp),
        ] {
            assert_eq!(super::language(text), language, "{text}");
        }
    }

    #[test]
    fn names_are_compared_where_texts_line_up() {
        let names = renamed("int add(int a) { return a; }", "int func_0(int var_0) { return var_0; }");
        assert_eq!(names.names.len(), 2);
        assert_eq!(names.share, 5.0 / 28.0);
        assert_eq!(renamed("int a;", "int a, b;"), Renamed::default());
    }

    #[test]
    fn only_what_a_model_left_is_taken_off() {
        assert_eq!(without_marker("SUMMARY:  \nThe function adds."), "The function adds.");
        assert_eq!(without_marker("**Summary:** SUMMARY: It adds."), "It adds.");
        for whole in ["  The summary: it adds.", "Summary of a: b", "*p is read", "", "é"] {
            assert_eq!(without_marker(whole), whole);
        }
    }
}
