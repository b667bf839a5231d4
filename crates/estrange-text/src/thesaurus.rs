//! Other words for a word, from WordNet.
//!
//! Made for the words of identifiers ([`crate::identifier`]). A word is looked up like this:
//! 1. What only joins words (*of*, *and*) has no other word, nor has a single letter or, but for abbreviations in our
//!    table and a few words, a pair: WordNet takes them for inches, chemical elements and states of the USA.
//! 2. An abbreviation of C code is looked up by the word it stands for (*len*: *length*); the table is our own.
//! 3. The word is read as a form of its base forms (*nodes*: plural of *node*), as noun, verb, adjective and adverb.
//! 4. If it is a term of programming that WordNet has nothing sensible for, our table of those has (*byte*: *octet*).
//! 5. Otherwise the senses of its base forms are sorted by how often WordNet found them in texts. The words that share
//!    a sense are synonyms, brought into the form of the word asked for (*knobs*: *nodes*). Which one is taken,
//!    [`Thesaurus::replace`] says.
//!
//! Left out are: names and acronyms, what has digits, quotes or dots, words of more than two words, a hyphen beside a
//! single letter (other hyphens become underscores), whatever is of the same stem as the word, its abbreviation or its
//! base form, and words that WordNet marks as disparaging or obscene in any sense.

mod abbreviations;
mod inflection;
mod stem;
mod terms;
#[cfg(test)]
mod tests;
mod wordnet;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::split::hash;
use estrange_words::Hint;
use inflection::{Form, Irregular, Reading, inflect, readings};
use stem::same_stem;
use wordnet::{Part, Sense, WordNet};

pub use wordnet::{PartTexts, Texts};

/// How many synonyms [`Thesaurus::replace`] chooses among, and how much less fitting than the best they may be.
const CHOICES: usize = 4;
const LESS_FITTING: u64 = 4;

/// The most words that a synonym may have.
const MOST_WORDS: usize = 2;

/// Words that join others: for these WordNet has nothing, or something else.
const JOINING: &[&str] = &[
    "an", "and", "are", "as", "at", "be", "but", "by", "can", "cannot", "could", "for", "from", "he", "her", "his",
    "if", "in", "into", "is", "it", "its", "may", "me", "might", "must", "my", "no", "nor", "not", "of", "off", "on",
    "or", "our", "out", "per", "shall", "she", "should", "so", "than", "that", "the", "their", "them", "then", "they",
    "this", "to", "up", "us", "via", "was", "we", "were", "where", "while", "who", "will", "with", "would", "you",
];

/// The words of two letters that are no abbreviations of something else.
const SHORT: [&str; 3] = ["do", "go", "ok"];

/// A thesaurus of English, in memory. Looking up takes microseconds.
#[derive(Debug)]
pub struct Thesaurus {
    wordnet: WordNet,
    irregular: Irregular,
}

/// Why there is no thesaurus.
#[derive(Debug, thiserror::Error)]
pub enum ThesaurusError {
    /// A file of WordNet cannot be read.
    #[error("cannot read WordNet's file {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file is not what WordNet has under this name.
    #[error("{file} is not as WordNet's: {detail}")]
    NotWordNet {
        /// Its name.
        file: String,
        /// What is wrong with it.
        detail: String,
    },
}

impl Hint for ThesaurusError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        Some("install WordNet's files as Debian has them: apt-get install wordnet-base".into())
    }
}

/// A synonym, before one is chosen.
struct Candidate {
    /// In the form of the word asked for.
    text: String,
    /// In its base form.
    base: String,
    /// The base form of the word asked for, or its abbreviation.
    root: String,
    fit: Fit,
}

/// How well a synonym fits, the best being the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// Whether WordNet found it in texts at all; those it did not are rare.
    is_attested: bool,
    /// How often the word asked for has the sense, times how much of what the synonym means is this sense.
    weight: u64,
}

impl Fit {
    /// That of what our own tables have.
    const TERM: Fit = Fit { is_attested: true, weight: 1 };
}

impl Thesaurus {
    /// Where Debian's package `wordnet-base` has its files.
    pub const FOLDER: &str = "/usr/share/wordnet";

    /// Reads WordNet's files from a folder.
    pub fn load(folder: &Path) -> Result<Self, ThesaurusError> {
        let read = |name: String| {
            let path = folder.join(name);
            fs::read_to_string(&path).map_err(|source| ThesaurusError::Unreadable { path, source })
        };
        let mut texts = Texts { counts: read("cntlist.rev".to_owned())?, ..Texts::default() };
        for part in Part::ALL {
            let name = part.file();
            *texts.part_mut(part) = PartTexts {
                index: read(format!("index.{name}"))?,
                data: read(format!("data.{name}"))?,
                exceptions: read(format!("{name}.exc"))?,
            };
        }
        Self::parse(texts)
    }

    /// Takes the texts of WordNet's files. Only the order of their lines is checked here; lines are read when they are
    /// looked up, and one that makes no sense then counts as missing.
    pub fn parse(texts: Texts) -> Result<Self, ThesaurusError> {
        let wordnet = WordNet::new(texts).map_err(|(file, detail)| ThesaurusError::NotWordNet { file, detail })?;
        let irregular = Irregular::new(&wordnet);
        Ok(Self { wordnet, irregular })
    }

    /// Other words for a word in small letters, in the same form, the most frequent senses first. One of two words has
    /// an underscore between them.
    pub fn synonyms(&self, word: &str) -> Vec<String> {
        self.candidates(word).into_iter().map(|candidate| candidate.text).collect()
    }

    /// One of the synonyms of a word that need not be avoided; `None` if there is none.
    ///
    /// Those that are one word come before those of two, and those that WordNet found in texts before those it did not,
    /// which are rare. Then one fits the better, the oftener the word has the sense that both share, and the more of what
    /// the synonym means is that sense: *acquire* nearly always means *get*, *come* nearly never. The seed decides among
    /// the four that fit best, as long as they fit a quarter as well as the best does. It decides for the base forms, so
    /// that with the same seed *node* and *nodes* become the same word, wherever both can.
    pub fn replace(&self, word: &str, avoid: &dyn Fn(&str) -> bool, seed: u64) -> Option<String> {
        let mut candidates = self.candidates(word);
        candidates.retain(|candidate| !avoid(&candidate.text));
        let is_one = |candidate: &Candidate| !candidate.text.contains('_');
        if candidates.iter().any(is_one) {
            candidates.retain(is_one);
        }
        candidates.sort_by_key(|candidate| Reverse(candidate.fit));
        let best = candidates.first()?.fit;
        candidates.retain(|candidate| {
            candidate.fit.is_attested == best.is_attested && candidate.fit.weight >= best.weight / LESS_FITTING
        });
        // Each has a number of its own: leaving one out does not change the order of the others.
        let number = |one: &Candidate| hash("synonym", seed, &format!("{} {}", one.root, one.base));
        candidates.into_iter().take(CHOICES).max_by_key(number).map(|candidate| candidate.text)
    }

    fn candidates(&self, word: &str) -> Vec<Candidate> {
        if !is_plain(word) || JOINING.contains(&word) {
            return Vec::new();
        }
        let expanded = abbreviations::expand(word);
        let mut readings = match expanded {
            Some(expanded) if expanded.is_plural => self.plural_readings(expanded.word),
            Some(expanded) => self.base_readings(expanded.word),
            None if is_short(word) => Vec::new(),
            None => readings(&self.wordnet, word),
        };
        if readings.iter().any(|reading| reading.term().is_some()) {
            readings.retain(|reading| reading.term().is_some());
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        for (reading, sense, bases) in self.by_frequency(&readings) {
            let own = [word, expanded.map_or(word, |expanded| expanded.word), &reading.lemma];
            for base in bases {
                let inflected = inflect(&self.wordnet, &self.irregular, &base, reading.part, reading.form);
                let Some(text) = inflected else { continue };
                let mut pieces = base.split('_').chain(text.split('_'));
                if pieces.any(|piece| own.iter().any(|own| same_stem(piece, own))) {
                    continue;
                }
                let fit = sense.map_or(Fit::TERM, |sense| self.fit(sense, &base));
                match candidates.iter_mut().find(|candidate| candidate.text == text) {
                    Some(known) => known.fit = known.fit.max(fit),
                    None => {
                        let root = expanded.map_or(reading.lemma.as_str(), |expanded| expanded.abbreviation).to_owned();
                        candidates.push(Candidate { text, base, root, fit });
                    }
                }
            }
        }
        candidates
    }

    /// The synonyms of each sense of each reading, the most frequent senses first.
    fn by_frequency<'a>(&self, readings: &'a [Reading]) -> Vec<(&'a Reading, Option<Sense>, Vec<String>)> {
        let mut senses: Vec<(&Reading, Sense)> = Vec::new();
        let mut found = Vec::new();
        for reading in readings {
            match reading.term() {
                Some(synonyms) => found.push((reading, None, synonyms.iter().map(|&word| word.to_owned()).collect())),
                None => senses.extend(self.wordnet.senses(&reading.lemma, reading.part).map(|sense| (reading, sense))),
            }
        }
        // A stable sort: what is equal stays in the order of the readings.
        senses.sort_by_key(|(_, sense)| (Reverse(sense.count), sense.number));
        let of_sense =
            |(reading, sense): (&'a Reading, Sense)| (reading, Some(sense), self.members(&reading.lemma, sense));
        found.extend(senses.into_iter().map(of_sense));
        found
    }

    /// How well a word that shares a sense fits.
    fn fit(&self, sense: Sense, word: &str) -> Fit {
        let all = Part::ALL.into_iter().flat_map(|part| self.wordnet.senses(word, part));
        let (mut total, mut own) = (0, 0);
        for other in all {
            total += u64::from(other.count);
            if other.is_same(sense) {
                own = u64::from(other.count);
            }
        }
        // A count of none still says something: half of one for the word, a quarter of one for the synonym.
        let weight = (2 * u64::from(sense.count) + 1) * (4 * own + 1) * 10_000 / (total + 1);
        Fit { is_attested: total > 0, weight }
    }

    fn base_readings(&self, word: &str) -> Vec<Reading> {
        readings(&self.wordnet, word).into_iter().filter(|reading| reading.form == Form::Base).collect()
    }

    fn plural_readings(&self, word: &str) -> Vec<Reading> {
        let mut readings = self.base_readings(word);
        readings.retain(|reading| matches!(reading.part, Part::Noun | Part::Verb));
        for reading in &mut readings {
            reading.form = if reading.part == Part::Noun { Form::Plural } else { Form::ThirdPerson };
        }
        readings
    }

    /// The words that share this sense with `lemma`. None if `lemma` is a name or an acronym in this sense (*in*, *In*:
    /// indium).
    fn members(&self, lemma: &str, sense: Sense) -> Vec<String> {
        let words = self.wordnet.words(sense);
        if !words.contains(&lemma) {
            return Vec::new();
        }
        words.into_iter().filter(|word| !self.is_unwanted(word)).filter_map(joinable).collect()
    }

    /// Whether a word, or one of its words, is disparaging or obscene.
    fn is_unwanted(&self, word: &str) -> bool {
        self.wordnet.is_unwanted(word) || word.split('_').any(|piece| self.wordnet.is_unwanted(piece))
    }
}

/// Small letters only.
fn is_plain(word: &str) -> bool {
    word.bytes().all(|letter| letter.is_ascii_lowercase())
}

fn is_short(word: &str) -> bool {
    word.len() < 3 && !SHORT.contains(&word)
}

/// A word of WordNet as part of an identifier: at most two words of two letters or more, with an underscore between.
fn joinable(word: &str) -> Option<String> {
    let pieces: Vec<&str> = word.split(['_', '-']).collect();
    let is_joinable = pieces.len() <= MOST_WORDS && pieces.iter().all(|piece| piece.len() >= 2 && is_plain(piece));
    let word = pieces.join("_");
    (is_joinable && !is_short(&word) && !JOINING.contains(&word.as_str())).then_some(word)
}
