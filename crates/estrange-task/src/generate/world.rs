//! The names and shapes that a function is asked for in, and the way back to where it is graded.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use estrange_bench::Language;
use estrange_grade::names::{Back, forth};
use estrange_grade::placed::placed;
use estrange_grade::{Answer, Submission, Target, renamed_function};

use crate::query::names::looks_like_code;

/// A function as it was written, with the unit that it runs in.
#[derive(Debug)]
pub struct Original {
    /// The linked unit.
    pub unit: String,
    /// Where the function stands in it.
    pub place: Range<usize>,
    /// Its plain name.
    pub name: String,
    /// Its language.
    pub language: Language,
    /// What compilers are told besides the language.
    pub flags: Vec<String>,
}

impl Original {
    /// What answers are held against.
    pub fn target(&self) -> Target<'_> {
        Target {
            unit: &self.unit,
            name: &self.name,
            place: (self.place.start, self.place.end),
            language: self.language,
            flags: &self.flags,
        }
    }
}

/// A function in a setting.
#[derive(Debug)]
pub struct World {
    pub(super) original: Arc<Original>,
    /// Its unit there: a linked one where the setting changes shapes, the smallest one where it changes names only.
    pub(super) unit: String,
    /// Where the function stands in it.
    pub(super) place: Range<usize>,
    /// Old names and new ones.
    pub(super) names: BTreeMap<String, String>,
    /// Whether answers are graded in its unit. Otherwise they go back to the old names first.
    pub(super) is_linked: bool,
    pub(super) back: Back,
}

const NO_NAMES: &BTreeMap<String, String> = &BTreeMap::new();

impl World {
    /// What the function is called.
    pub fn name(&self) -> &str {
        renamed_function(&self.original.name, &self.names)
    }

    /// The function's own text.
    pub fn text(&self) -> &str {
        &self.unit[self.place.clone()]
    }

    /// A text about the function, with no old name in it that looks like one. An ordinary word stays what it is.
    pub fn described(&self, text: &str) -> String {
        let mut described = String::with_capacity(text.len());
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let mut rest = text;
        while let Some(start) = rest.find(is_part) {
            described.push_str(&rest[..start]);
            let word = &rest[start..];
            let word = &word[..word.find(|letter| !is_part(letter)).unwrap_or(word.len())];
            let new = self.new_name(word).filter(|_| looks_like_code(word) || word == self.original.name);
            described.push_str(new.unwrap_or(word));
            rest = &rest[start + word.len()..];
        }
        described + rest
    }

    fn new_name(&self, word: &str) -> Option<&str> {
        let is_it = |key: &str| key == word || key.rsplit(' ').next() == Some(word);
        self.names.iter().find(|(old, _)| is_it(old)).map(|(_, new)| new.as_str())
    }

    /// A text in the old names, in the names of this world.
    pub fn forth(&self, text: &str) -> String {
        forth(text, &self.names)
    }

    /// What is graded of an answer.
    pub fn submission(&self, answer: &Answer) -> Submission<'_> {
        if self.is_linked {
            let text = placed(&self.unit, &self.place, answer);
            return Submission { text, name: self.name(), names: &self.names };
        }
        let original = &self.original;
        let back = |text: &String| self.back.text(text);
        let own = Answer {
            includes: answer.includes.clone(),
            helpers: answer.helpers.iter().map(back).collect(),
            function: back(&answer.function),
            left_out: Vec::new(),
        };
        Submission { text: placed(&original.unit, &original.place, &own), name: &original.name, names: NO_NAMES }
    }
}
