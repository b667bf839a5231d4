//! The words of a text, as an index knows them.

use std::borrow::Cow;

use estrange_text::identifier;
use rust_stemmers::{Algorithm, Stemmer};

use super::options::Options;
use super::words::{KEYWORDS, STOP_WORDS};

/// Finds the words of code and of prose, in the same way.
pub(super) struct Terms {
    split: bool,
    whole: bool,
    stop: bool,
    keywords: bool,
    stemmer: Option<Stemmer>,
}

impl Terms {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            split: options.split,
            whole: options.whole || !options.split,
            stop: options.stop,
            keywords: options.keywords,
            stemmer: options.stem.then(|| Stemmer::create(Algorithm::English)),
        }
    }

    /// The terms of something that is written as one word: of an identifier, each of its words and the whole.
    pub(super) fn of(&self, word: &str) -> Vec<String> {
        if !self.keywords && KEYWORDS.binary_search(&word).is_ok() {
            return Vec::new();
        }
        let mut terms = Vec::new();
        // A number is not cut, whatever letters it has: `0x1f`.
        if self.split && !word.starts_with(|first: char| first.is_ascii_digit()) {
            for run in runs(word) {
                match run.starts_with(|first: char| first.is_ascii_digit()) {
                    true => terms.push(run.to_owned()),
                    false => terms.extend(identifier::split(run).words()),
                }
            }
        }
        if terms.is_empty() || self.whole && terms.len() > 1 {
            terms.push(word.to_lowercase());
        }
        terms.retain(|term| !(self.stop && STOP_WORDS.binary_search(&term.as_str()).is_ok()));
        for term in &mut terms {
            if let Some(Cow::Owned(stem)) = self.stemmer.as_ref().map(|stemmer| stemmer.stem(term)) {
                *term = stem;
            }
        }
        terms
    }
}

/// What is written as one word in a text: identifiers, numbers, words.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let start = run(rest, false);
            let length = run(&rest[start..], true);
            let word = &rest[start..start + length];
            rest = &rest[start + length..];
            match word {
                "" => return None,
                _ if word.bytes().all(|byte| byte == b'_') => (),
                _ => return Some(word),
            }
        }
    })
}

/// How long a text goes on in characters that are of words, or in such that are not.
fn run(text: &str, of_words: bool) -> usize {
    let mut place = 0;
    while let Some(&byte) = text.as_bytes().get(place) {
        if byte.is_ascii() {
            if (byte == b'_' || byte.is_ascii_alphanumeric()) != of_words {
                break;
            }
            place += 1;
        } else {
            let Some(character) = text[place..].chars().next() else { break };
            if character.is_alphanumeric() != of_words {
                break;
            }
            place += character.len_utf8();
        }
    }
    place
}

/// Cuts where digits begin and end.
fn runs(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let is_digit = rest.chars().next()?.is_ascii_digit();
        let end = rest.find(|character: char| character.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}
