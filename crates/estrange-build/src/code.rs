//! What makes compilers write code for a function that nothing calls: it is marked as used, and a template is instantiated.

pub(crate) mod instance;
mod template;

use estrange_unit::Language;

use template::{attributes, lists, tokens, word};

/// What stands before a function so that it has code; in C there are flags for that.
pub(crate) fn mark(language: Language) -> &'static str {
    match language {
        Language::C => "",
        Language::Cpp => "__attribute__((used)) ",
    }
}

/// A text with a mark before its function: after what must come first, such as `template<>` and `extern "C"`.
pub(crate) fn marked(text: &str, start: usize, mark: &str) -> String {
    let tokens = tokens(text, start..text.len());
    let mut at = 0;
    loop {
        let (_, lists) = lists(text, &tokens[at..]);
        let attributes = attributes(text, &tokens[at..]);
        let linkage = if word(text, &tokens, at) == "extern" && word(text, &tokens, at + 1) == "\"C\"" { 2 } else { 0 };
        match lists.max(attributes).max(linkage) {
            0 => break,
            skipped => at += skipped,
        }
    }
    let place = tokens.get(at).map_or(start, |token| token.start as usize);
    format!("{}{mark}{}", &text[..place], &text[place..])
}
