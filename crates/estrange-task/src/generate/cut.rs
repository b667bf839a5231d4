//! Where the body of a function is cut, so that a part of it is to be written: between statements, chosen by a seed.

use std::ops::Range;

use estrange_text::lexer::{Kind, lex};
use estrange_text::outline::{Form, definitions};

/// A function with a part missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// What stands before what is missing, the head included.
    pub before: String,
    /// What stands behind it; empty where everything to the end is missing.
    pub after: String,
}

/// The share of a body that is shown at least, and is missing at least, in percent of its statements' ends.
const LEAST: usize = 20;

/// Where the body of the only function in a text is, in braces; none where there is no function, or its body is a macro's.
pub fn body(text: &str) -> Option<Range<usize>> {
    let tokens = lex(text);
    let found = definitions(text, &tokens).into_iter().find(|definition| definition.form == Form::Function)?;
    text[found.body as usize..].starts_with('{').then_some(found.body as usize..found.end as usize)
}

/// The places between statements of a function's body, in order: behind a semicolon or a brace.
fn places(text: &str, body: &Range<usize>) -> Vec<usize> {
    let mut depth = 0usize;
    let mut places = Vec::new();
    for token in lex(text).into_iter().filter(|token| body.contains(&(token.start as usize))) {
        if token.kind != Kind::Punctuation {
            continue;
        }
        match token.text(text) {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            ";" | "{" | "}" if depth == 0 && (token.end as usize) < body.end => places.push(token.end as usize),
            _ => {}
        }
    }
    // Behind the brace that opens the body there is nothing given yet.
    if !places.is_empty() {
        places.remove(0);
    }
    places
}

/// A prefix of the function: everything behind some statement is missing. None where there are too few statements.
pub fn prefix(text: &str, seed: u64) -> Option<Cut> {
    let places = inner(places(text, &body(text)?))?;
    let at = *places.get(drawn(seed, places.len()))?;
    Some(Cut { before: text[..at].to_owned(), after: String::new() })
}

/// The function with some statements missing from its middle.
pub fn infill(text: &str, seed: u64) -> Option<Cut> {
    let all = places(text, &body(text)?);
    let first = drawn(seed, all.len().checked_sub(1).filter(|count| *count > 0)?);
    let most = (all.len() - first - 1).min(all.len().div_ceil(2)).max(1);
    let second = first + 1 + drawn(seed.rotate_left(17), most);
    let (from, to) = (*all.get(first)?, *all.get(second)?);
    Some(Cut { before: text[..from].to_owned(), after: text[to..].to_owned() })
}

/// The places that leave some statements on either side.
fn inner(places: Vec<usize>) -> Option<Vec<usize>> {
    let skipped = places.len() * LEAST / 100;
    let kept: Vec<usize> = places.iter().copied().skip(skipped).take(places.len() - 2 * skipped).collect();
    (!kept.is_empty()).then_some(kept)
}

/// One of so many, by a seed.
fn drawn(seed: u64, count: usize) -> usize {
    let hash = blake3::hash(&seed.to_le_bytes());
    let word = hash.as_bytes().first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    (word % count.max(1) as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "int f(int a) {\n    int sum = 0;\n    for (int i = 0; i < a; i++) {\n        sum += i;\n        sum ^= 1;\n    }\n    return sum;\n}";

    #[test]
    fn cuts_are_between_statements_and_both_parts_are_the_whole() {
        for seed in 0..40 {
            let cut = prefix(TEXT, seed).unwrap();
            assert!(TEXT.starts_with(&cut.before) && cut.after.is_empty());
            assert!(cut.before.ends_with([';', '{', '}']) && !cut.before.ends_with("int i = 0;"), "{}", cut.before);
            assert!(cut.before.contains("int sum = 0;"), "{}", cut.before);
            let cut = infill(TEXT, seed).unwrap();
            assert!(TEXT.starts_with(&cut.before) && TEXT.ends_with(&cut.after) && cut.after.ends_with('}'));
            assert!(cut.before.len() + cut.after.len() < TEXT.len());
        }
        let all: std::collections::BTreeSet<String> = (0..40).map(|seed| prefix(TEXT, seed).unwrap().before).collect();
        assert!(all.len() > 2);
    }

    #[test]
    fn what_cannot_be_cut_is_not() {
        for text in ["", "int f(void);", "int f(void) {}", "int f(void) { return 1; }", "A(x)"] {
            assert_eq!((prefix(text, 1), infill(text, 1)).1, None, "{text}");
        }
        assert_eq!(prefix("int f(void) {}", 1), None);
    }
}
