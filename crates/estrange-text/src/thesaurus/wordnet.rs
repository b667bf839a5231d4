//! WordNet's files: finding a word's senses, and the words of a sense, without reading the files whole.
//!
//! The index of a part of speech has a line for each word, sorted, with the places of its senses in the data file, the
//! most frequent first. So a word is found by halving the text, and a sense by its place: of the 29 megabytes nothing
//! but the order of the lines is looked at beforehand. WordNet's own manual page `wndb` describes the format.

use std::cmp::Ordering;
use std::collections::HashSet;

/// The texts of WordNet's files for one part of speech.
#[derive(Debug, Clone, Default)]
pub struct PartTexts {
    /// `index.noun` and its like: the senses of each word.
    pub index: String,
    /// `data.noun` and its like: the words of each sense.
    pub data: String,
    /// `noun.exc` and its like: irregular forms.
    pub exceptions: String,
}

/// The texts of WordNet's files.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// For nouns.
    pub noun: PartTexts,
    /// For verbs.
    pub verb: PartTexts,
    /// For adjectives.
    pub adjective: PartTexts,
    /// For adverbs.
    pub adverb: PartTexts,
    /// `cntlist.rev`: how often each sense was found in texts. If it is empty, the order of a word's senses must do.
    pub counts: String,
}

/// A part of speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Part {
    Noun,
    Verb,
    Adjective,
    Adverb,
}

impl Part {
    pub(super) const ALL: [Part; 4] = [Part::Noun, Part::Verb, Part::Adjective, Part::Adverb];

    /// What the names of its files end or begin with.
    pub(super) fn file(self) -> &'static str {
        match self {
            Part::Noun => "noun",
            Part::Verb => "verb",
            Part::Adjective => "adj",
            Part::Adverb => "adv",
        }
    }
}

impl Texts {
    pub(super) fn part(&self, part: Part) -> &PartTexts {
        match part {
            Part::Noun => &self.noun,
            Part::Verb => &self.verb,
            Part::Adjective => &self.adjective,
            Part::Adverb => &self.adverb,
        }
    }

    pub(super) fn part_mut(&mut self, part: Part) -> &mut PartTexts {
        match part {
            Part::Noun => &mut self.noun,
            Part::Verb => &mut self.verb,
            Part::Adjective => &mut self.adjective,
            Part::Adverb => &mut self.adverb,
        }
    }
}

/// A sense of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sense {
    pub(super) part: Part,
    /// From 1 on, the most frequent first.
    pub(super) number: usize,
    /// How often it was found in texts.
    pub(super) count: u32,
    /// Its place in the data file.
    place: usize,
}

impl Sense {
    /// Whether two words share this sense.
    pub(super) fn is_same(self, other: Sense) -> bool {
        (self.part, self.place) == (other.part, other.place)
    }
}

/// A line of a data file.
#[derive(Debug)]
struct Synset<'a> {
    words: Vec<&'a str>,
    /// If the sense is that of a usage (*obscenity*), what has it: a part of speech, a place in its data file, and a
    /// word's number there, from 1 on, or 0 for all.
    used_by: Vec<(Part, usize, usize)>,
}

/// WordNet, ready to be asked.
#[derive(Debug)]
pub(super) struct WordNet {
    texts: Texts,
    /// The words that nobody wants to read.
    unwanted: HashSet<String>,
}

/// The usages that make a word unwanted, in any of its senses.
const UNWANTED: [&str; 3] = ["disparagement", "ethnic_slur", "obscenity"];

impl WordNet {
    /// Checks what looking up relies on. The error is the name of the file and what is wrong with it.
    pub(super) fn new(texts: Texts) -> Result<Self, (String, String)> {
        for part in Part::ALL {
            let PartTexts { index, data, exceptions } = texts.part(part);
            let name = part.file();
            whole(index).and_then(|()| sorted(index, b' ')).map_err(|detail| (format!("index.{name}"), detail))?;
            whole(data).and_then(|()| in_place(data)).map_err(|detail| (format!("data.{name}"), detail))?;
            sorted(exceptions, b' ').map_err(|detail| (format!("{name}.exc"), detail))?;
        }
        sorted(&texts.counts, b'%').map_err(|detail| ("cntlist.rev".to_owned(), detail))?;
        let mut wordnet = Self { texts, unwanted: HashSet::new() };
        let usages = UNWANTED.iter().flat_map(|noun| wordnet.places(noun, Part::Noun));
        let usages = usages.filter_map(|place| wordnet.line(Part::Noun, place));
        let used_by = usages.flat_map(|usage| usage.used_by);
        let words = used_by.flat_map(|(part, place, number)| {
            let words = wordnet.line(part, place).map(|synset| synset.words).unwrap_or_default();
            if number == 0 { words } else { words.get(number - 1).copied().into_iter().collect() }
        });
        wordnet.unwanted = words.map(str::to_ascii_lowercase).collect();
        Ok(wordnet)
    }

    /// Whether this is the base form of a word of this part of speech.
    pub(super) fn knows(&self, lemma: &str, part: Part) -> bool {
        find(&self.texts.part(part).index, lemma, b' ').is_some()
    }

    /// The senses of a word in its base form, the most frequent first.
    pub(super) fn senses(&self, lemma: &str, part: Part) -> impl Iterator<Item = Sense> {
        let counts = self.counts(lemma, part);
        self.places(lemma, part).into_iter().zip(1..).map(move |(place, number)| {
            let count = counts.iter().find(|count| count.0 == number).map_or(0, |count| count.1);
            Sense { part, number, count, place }
        })
    }

    /// The words that share a sense, as they are spelled, with underscores for spaces; none if the data file has no
    /// such place.
    pub(super) fn words(&self, sense: Sense) -> Vec<&str> {
        self.line(sense.part, sense.place).map(|synset| synset.words).unwrap_or_default()
    }

    /// Whether a word is disparaging or obscene in any sense.
    pub(super) fn is_unwanted(&self, word: &str) -> bool {
        self.unwanted.contains(word)
    }

    fn line(&self, part: Part, place: usize) -> Option<Synset<'_>> {
        let line = self.texts.part(part).data.get(place..)?.lines().next()?;
        let mut fields = line.split(' ');
        if fields.next()?.parse() != Ok(place) {
            return None;
        }
        let count = usize::from_str_radix(fields.nth(2)?, 16).ok()?;
        let mut words = Vec::new();
        for _ in 0..count {
            let word = fields.next()?;
            fields.next()?;
            // An adjective may say where it stands in a sentence: `galore(ip)`.
            words.push(word.split_once('(').map_or(word, |(word, _)| word));
        }
        let pointers: usize = fields.next()?.parse().ok()?;
        let mut used_by = Vec::new();
        for _ in 0..pointers {
            let (symbol, target, part, ends) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
            if symbol == "-u" {
                let part = match part {
                    "n" => Part::Noun,
                    "v" => Part::Verb,
                    "r" => Part::Adverb,
                    _ => Part::Adjective,
                };
                used_by.push((part, target.parse().ok()?, usize::from_str_radix(ends.get(2..)?, 16).ok()?));
            }
        }
        Some(Synset { words, used_by })
    }

    /// The base forms of an irregular form.
    pub(super) fn exceptions(&self, form: &str, part: Part) -> impl Iterator<Item = &str> {
        let line = find(&self.texts.part(part).exceptions, form, b' ');
        line.into_iter().flat_map(|line| line.split_whitespace().skip(1))
    }

    /// Every irregular form with its base forms.
    pub(super) fn all_exceptions(&self, part: Part) -> impl Iterator<Item = (&str, &str)> {
        let lines = self.texts.part(part).exceptions.lines().filter_map(|line| line.split_once(' '));
        lines.flat_map(|(form, bases)| bases.split_whitespace().map(move |base| (form, base)))
    }

    /// The places of a word's senses in the data file: the line's last fields, as many as its third says.
    fn places(&self, lemma: &str, part: Part) -> Vec<usize> {
        let Some(line) = find(&self.texts.part(part).index, lemma, b' ') else { return Vec::new() };
        let fields: Vec<&str> = line.split_whitespace().collect();
        let count = fields.get(2).and_then(|count| count.parse().ok()).unwrap_or(0);
        let first = fields.len().saturating_sub(count).max(3);
        fields.get(first..).unwrap_or_default().iter().filter_map(|place| place.parse().ok()).collect()
    }

    /// How often senses of a word were found: their numbers and counts. A line is `lemma%type:…:: number count`.
    fn counts(&self, lemma: &str, part: Part) -> Vec<(usize, u32)> {
        let text = &self.texts.counts;
        let key = |line: &str| line.split_once('%').is_some_and(|(key, _)| key == lemma);
        let lines = text[lower_bound(text, lemma, b'%')..].lines().take_while(|line| key(line));
        let read = |line: &str| {
            let mut fields = line.split(' ');
            let kind = fields.next()?.split_once('%')?.1;
            let is_this = match part {
                Part::Noun => kind.starts_with('1'),
                Part::Verb => kind.starts_with('2'),
                Part::Adjective => kind.starts_with(['3', '5']),
                Part::Adverb => kind.starts_with('4'),
            };
            is_this.then_some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
        };
        lines.filter_map(read).collect()
    }
}

/// A file that was cut off.
fn whole(text: &str) -> Result<(), String> {
    match text {
        "" => Err("it is empty".to_owned()),
        _ if !text.ends_with('\n') => Err("it ends in the middle of a line".to_owned()),
        _ => Ok(()),
    }
}

/// What a line is sorted by: all before the first `delimiter`. That is nothing for the lines of the licence, which
/// begin with spaces and stand before all others.
fn key(line: &[u8], delimiter: u8) -> &[u8] {
    &line[..memchr::memchr(delimiter, line).unwrap_or(line.len())]
}

fn sorted(text: &str, delimiter: u8) -> Result<(), String> {
    let mut last: &[u8] = b"";
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        let this = key(&text.as_bytes()[start..end], delimiter);
        if this < last && start < text.len() {
            return Err(format!("its lines are not sorted at `{}`", String::from_utf8_lossy(this)));
        }
        last = this;
        start = end + 1;
    }
    Ok(())
}

/// Whether the lines of a data file begin with their own place, all but those of the licence.
fn in_place(text: &str) -> Result<(), String> {
    let bytes = text.as_bytes();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        let line = &bytes[start..end];
        let place = line
            .iter()
            .take(8)
            .try_fold(0, |place: usize, digit| digit.is_ascii_digit().then(|| place * 10 + usize::from(digit - b'0')));
        if !line.starts_with(b"  ") && place != Some(start) {
            return Err(format!("the line at byte {start} does not begin with that number"));
        }
        start = end + 1;
    }
    Ok(())
}

/// The first line of a sorted text with this key.
fn find<'a>(text: &'a str, wanted: &str, delimiter: u8) -> Option<&'a str> {
    let line = text[lower_bound(text, wanted, delimiter)..].lines().next()?;
    (key(line.as_bytes(), delimiter) == wanted.as_bytes()).then_some(line)
}

/// The start of the first line whose key is not less than the wanted one, or the end of the text.
fn lower_bound(text: &str, wanted: &str, delimiter: u8) -> usize {
    let bytes = text.as_bytes();
    // Both are starts of lines, or the end.
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memchr::memrchr(b'\n', &bytes[low..middle]).map_or(low, |newline| low + newline + 1);
        let end = memchr::memchr(b'\n', &bytes[middle..]).map_or(bytes.len(), |newline| middle + newline);
        match key(&bytes[start..end], delimiter).cmp(wanted.as_bytes()) {
            Ordering::Less => low = (end + 1).min(bytes.len()),
            _ => high = start,
        }
    }
    low
}
