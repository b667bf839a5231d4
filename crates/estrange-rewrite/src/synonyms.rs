//! Names of other words with the same meaning, in the style of the old ones.
//!
//! A name is cut into its words, and each word is replaced:
//!
//! - a word that the thesaurus knows, by one of its synonyms; an abbreviation is written out first (`len`: length);
//! - a word of joining (`to`, `of`, `is`) and a number stay, as long as another word of the name changes;
//! - a single letter becomes another letter;
//! - a word that is two known ones without anything between (`bufsize`) is replaced as the two, if there is one way;
//! - any other word, such as a project's own name, becomes an invented one that can be spoken.
//!
//! Which word is taken depends on the word and the seed alone, so that the same word becomes the same word everywhere:
//! in the unit, in what surrounds it, and in its description. Where that would give two things one name, the later one
//! takes its next choice. A name that no words can be put into (`__undefined`) becomes a neutral one.

use std::collections::HashMap;

use estrange_text::identifier::split;
use estrange_text::thesaurus::Thesaurus;

use crate::bind::Symbol;
use crate::naming::{Naming, Taken};
use crate::neutral::Neutral;

/// How many choices a name has before there is none.
const CHOICES: u64 = 64;

/// The fewest letters of a word that is one of two in one.
const SHORTEST: usize = 3;

/// Chooses synonyms.
pub struct Synonyms<'a> {
    thesaurus: &'a Thesaurus,
    seed: u64,
    known: HashMap<(String, u64), String>,
    neutral: Neutral,
}

impl<'a> Synonyms<'a> {
    /// Synonyms out of a thesaurus, by a seed.
    pub fn new(thesaurus: &'a Thesaurus, seed: u64) -> Self {
        Self { thesaurus, seed, known: HashMap::new(), neutral: Neutral::default() }
    }

    /// What a word becomes, as a certain choice.
    fn word(&mut self, word: &str, choice: u64) -> String {
        let key = (word.to_owned(), choice);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let seed = self.seed.wrapping_add(choice);
        let chosen = match word.len() {
            _ if !word.bytes().all(|byte| byte.is_ascii_alphabetic()) => word.to_owned(),
            1 => letter(word, seed),
            _ => {
                let known = self.thesaurus.replace(word, &|_| false, seed);
                let known = known.or_else(|| is_joining(word).then(|| word.to_owned()));
                known.or_else(|| self.two_in_one(word, seed)).unwrap_or_else(|| invented(word, seed))
            }
        };
        self.known.insert(key, chosen.clone());
        chosen
    }

    /// What a word becomes that is two known words; nothing if it is not, or may be cut in several places.
    fn two_in_one(&self, word: &str, seed: u64) -> Option<String> {
        let known = |part: &str| self.thesaurus.replace(part, &|_| false, seed);
        let cuts = (SHORTEST..=word.len().checked_sub(SHORTEST)?).filter(|at| word.is_char_boundary(*at));
        let mut found = cuts.filter_map(|at| Some(known(&word[..at])? + &known(&word[at..])?));
        let one = found.next()?;
        found.next().is_none().then(|| one.replace('_', ""))
    }
}

impl Naming for Synonyms<'_> {
    fn name(&mut self, symbol: &Symbol, taken: &Taken<'_>) -> Option<String> {
        let old = split(&symbol.name);
        for choice in 0..CHOICES {
            let words: Vec<String> = old.words().iter().map(|word| self.word(word, choice)).collect();
            let name = old.with_words(&words);
            if !taken.contains(&name) && is_identifier(&name) {
                return Some(name);
            }
        }
        // Nothing in it can change, as in `_` or `to_2`: a word is added. Two underscores together are the compiler's.
        let old = symbol.name.trim_end_matches('_');
        (0..CHOICES)
            .map(|choice| format!("{old}_{}", invented(&symbol.name, choice)))
            .find(|name| !taken.contains(name))
            .or_else(|| self.neutral.name(symbol, taken))
    }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// Words that carry no meaning of their own.
fn is_joining(word: &str) -> bool {
    const WORDS: [&str; 24] = [
        "a", "an", "and", "as", "at", "be", "by", "do", "for", "from", "has", "if", "in", "into", "is", "not", "of",
        "on", "or", "out", "the", "to", "up", "with",
    ];
    WORDS.contains(&word)
}

/// Another letter.
fn letter(old: &str, seed: u64) -> String {
    let at = u64::from(old.as_bytes()[0].to_ascii_lowercase().wrapping_sub(b'a')) % 26;
    let step = 1 + number(old, seed) % 25;
    char::from(b'a' + ((at + step) % 26) as u8).to_string()
}

/// A word that nobody has, of two or three syllables.
fn invented(word: &str, seed: u64) -> String {
    const FIRST: [&str; 16] = ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "st"];
    const SECOND: [&str; 8] = ["a", "e", "i", "o", "u", "ai", "or", "en"];
    let mut number = number(word, seed);
    let syllables = 2 + number % 2;
    let mut invented = String::new();
    for _ in 0..syllables {
        number /= 2;
        invented.push_str(FIRST[(number % 16) as usize]);
        number /= 16;
        invented.push_str(SECOND[(number % 8) as usize]);
        number /= 8;
    }
    invented
}

/// A number that depends on a word and a seed.
fn number(word: &str, seed: u64) -> u64 {
    let mut hasher = blake3::Hasher::new_derive_key("estrange words");
    hasher.update(&seed.to_le_bytes());
    hasher.update(word.as_bytes());
    let mut bytes = [0; 8];
    hasher.finalize_xof().fill(&mut bytes);
    u64::from_le_bytes(bytes)
}
