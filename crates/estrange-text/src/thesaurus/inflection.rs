//! From a form of a word to its base form, as WordNet's *morphy* does it, and back to the same form of another word.
//!
//! **To the base form.** The word itself, if WordNet has it; what WordNet's lists of irregular forms say; if they say
//! nothing, the first of the endings below that leads to a word WordNet has. One rule is our own: where none does,
//! `-ed` and `-ing` are also taken off together with a doubled letter (`defogging`).
//!
//! **Back.** An irregular form from the same lists, if there is one: the participle rather than the past tense
//! (`written`, not `wrote`), the one that shares the most letters with its base form. A few verbs stay as they are
//! (`put`). Otherwise the rules of spelling:
//! - plural and third person: `-es` after `s`, `x`, `z`, `ch`, `sh`, and for verbs after a consonant and `o`; `-y`
//!   after a consonant becomes `-ies`; else `-s`. A noun that looks like a plural already stays as it is.
//! - `-ed`, `-ing`, `-er`, `-est`: a final `e` is dropped; the consonant at the end of a word of one syllable with one
//!   short vowel is doubled; `-y` after a consonant becomes `-i`, except before `-ing`; `-ie` becomes `-y` before
//!   `-ing`.
//! - Adjectives of more than one syllable that do not end in `-y` are compared by `more` and `most`.
//!
//! Of several words, a verb's first changes (`look_at`, `looking_at`) and a noun's last (`end_point`, `end_points`).

use std::collections::HashMap;

use super::terms;
use super::wordnet::{Part, WordNet};

/// What a word's ending says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Base,
    Plural,
    ThirdPerson,
    /// Past tense or participle.
    Past,
    Gerund,
    Comparative,
    Superlative,
}

/// A reading of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) lemma: String,
    pub(super) part: Part,
    pub(super) form: Form,
}

impl Reading {
    /// Our own synonyms, if the table of terms has it.
    pub(super) fn term(&self) -> Option<&'static [&'static str]> {
        terms::synonyms(&self.lemma, self.part)
    }
}

/// An ending, what it is replaced by, and what it says.
type Ending = (&'static str, &'static str, Form);

const NOUN: [Ending; 8] = [
    ("s", "", Form::Plural),
    ("ses", "s", Form::Plural),
    ("xes", "x", Form::Plural),
    ("zes", "z", Form::Plural),
    ("ches", "ch", Form::Plural),
    ("shes", "sh", Form::Plural),
    ("men", "man", Form::Plural),
    ("ies", "y", Form::Plural),
];

const VERB: [Ending; 8] = [
    ("s", "", Form::ThirdPerson),
    ("ies", "y", Form::ThirdPerson),
    ("es", "e", Form::ThirdPerson),
    ("es", "", Form::ThirdPerson),
    ("ed", "e", Form::Past),
    ("ed", "", Form::Past),
    ("ing", "e", Form::Gerund),
    ("ing", "", Form::Gerund),
];

const ADJECTIVE: [Ending; 4] = [
    ("er", "", Form::Comparative),
    ("est", "", Form::Superlative),
    ("er", "e", Form::Comparative),
    ("est", "e", Form::Superlative),
];

/// Verbs whose past is no other form, as far as WordNet has them as synonyms: its list of irregular forms leaves them
/// out.
const UNCHANGED: [&str; 28] = [
    "beset",
    "bet",
    "broadcast",
    "burst",
    "cast",
    "cost",
    "cut",
    "forecast",
    "hit",
    "hurt",
    "input",
    "let",
    "offset",
    "output",
    "put",
    "quit",
    "read",
    "recast",
    "reset",
    "rid",
    "set",
    "shed",
    "shut",
    "slit",
    "split",
    "spread",
    "thrust",
    "upset",
];

/// The irregular forms of each base form.
#[derive(Debug, Default)]
pub(super) struct Irregular {
    forms: HashMap<(Part, String), Vec<String>>,
}

impl Irregular {
    pub(super) fn new(wordnet: &WordNet) -> Self {
        let mut forms: HashMap<_, Vec<String>> = HashMap::new();
        for part in Part::ALL {
            for (form, base) in wordnet.all_exceptions(part).filter(|(form, base)| form != base) {
                forms.entry((part, base.to_owned())).or_default().push(form.to_owned());
            }
        }
        Self { forms }
    }

    /// The irregular form of a word, if it has one.
    fn form(&self, lemma: &str, part: Part, form: Form) -> Option<&str> {
        let forms = self.forms.get(&(part, lemma.to_owned()))?.iter().map(String::as_str);
        let shared = |one: &str| one.bytes().zip(lemma.bytes()).take_while(|(one, other)| one == other).count();
        let is_participle = |one: &str| form == Form::Past && (one.ends_with('n') || one.ends_with("ne"));
        let forms = forms.filter(|&one| irregular_form(one, part) == form);
        forms.max_by(|one, other| {
            let rank = |one| (is_participle(one), shared(one), one);
            rank(one).cmp(&rank(other))
        })
    }
}

/// What an irregular form says, by its look.
fn irregular_form(form: &str, part: Part) -> Form {
    match part {
        Part::Noun => Form::Plural,
        Part::Verb if form.ends_with("ing") => Form::Gerund,
        Part::Verb if form.ends_with('s') => Form::ThirdPerson,
        Part::Verb => Form::Past,
        Part::Adjective | Part::Adverb if form.ends_with("st") => Form::Superlative,
        Part::Adjective | Part::Adverb => Form::Comparative,
    }
}

/// Every reading of a word that WordNet or the table of terms knows: for each part of speech the word itself, then as
/// a form of another.
pub(super) fn readings(wordnet: &WordNet, word: &str) -> Vec<Reading> {
    let mut readings = Vec::new();
    for part in Part::ALL {
        let mut add = |lemma: &str, form| {
            let is_known = wordnet.knows(lemma, part) || terms::synonyms(lemma, part).is_some();
            if is_known {
                readings.push(Reading { lemma: lemma.to_owned(), part, form });
            }
            is_known
        };
        add(word, Form::Base);
        let mut is_irregular = false;
        for base in wordnet.exceptions(word, part) {
            is_irregular = true;
            if base != word {
                add(base, irregular_form(word, part));
            }
        }
        let endings: &[Ending] = match part {
            Part::Noun => &NOUN,
            Part::Verb => &VERB,
            Part::Adjective => &ADJECTIVE,
            Part::Adverb => &[],
        };
        if is_irregular || word.ends_with("ss") || word.len() <= 2 {
            continue;
        }
        let found = endings.iter().any(|&(ending, instead, form)| {
            word.strip_suffix(ending).is_some_and(|stem| !stem.is_empty() && add(&format!("{stem}{instead}"), form))
        });
        if part == Part::Verb && !found {
            for (ending, form) in [("ed", Form::Past), ("ing", Form::Gerund)] {
                if let Some(stem) = word.strip_suffix(ending).and_then(without_double) {
                    add(stem, form);
                }
            }
        }
    }
    readings
}

/// The form of another word. `None` where there is none that is made of letters and underscores only.
pub(super) fn inflect(wordnet: &WordNet, irregular: &Irregular, lemma: &str, part: Part, form: Form) -> Option<String> {
    if form == Form::Base {
        return Some(lemma.to_owned());
    }
    let of_one = |word: &str| match irregular.form(word, part, form) {
        Some(form) => form.to_owned(),
        None => regular(wordnet, word, form),
    };
    let inflected = match (part, lemma.split_once('_'), lemma.rsplit_once('_')) {
        (Part::Verb, Some((verb, rest)), _) => format!("{}_{rest}", of_one(verb)),
        (Part::Noun, _, Some((rest, noun))) => format!("{rest}_{}", of_one(noun)),
        (Part::Adjective | Part::Adverb, Some(_), _) => return None,
        _ => of_one(lemma),
    };
    inflected.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'_').then_some(inflected)
}

fn regular(wordnet: &WordNet, word: &str, form: Form) -> String {
    match form {
        Form::Base => word.to_owned(),
        Form::Plural if is_plural(wordnet, word) => word.to_owned(),
        Form::Plural => with_s(word),
        Form::ThirdPerson if ends_in_consonant_and(word, 'o') => format!("{word}es"),
        Form::ThirdPerson => with_s(word),
        Form::Past if UNCHANGED.contains(&word) => word.to_owned(),
        Form::Past => with_vowel(word, "ed"),
        Form::Gerund => match word.strip_suffix("ie") {
            Some(stem) => format!("{stem}ying"),
            None => with_vowel(word, "ing"),
        },
        Form::Comparative if is_short(word) => with_vowel(word, "er"),
        Form::Superlative if is_short(word) => with_vowel(word, "est"),
        Form::Comparative => format!("more_{word}"),
        Form::Superlative => format!("most_{word}"),
    }
}

fn is_plural(wordnet: &WordNet, word: &str) -> bool {
    let is_form = |reading: &Reading| reading.part == Part::Noun && reading.form == Form::Plural;
    word.ends_with("ings") || word.ends_with('s') && readings(wordnet, word).iter().any(is_form)
}

fn with_s(word: &str) -> String {
    if ["s", "x", "z", "ch", "sh"].iter().any(|end| word.ends_with(end)) {
        return format!("{word}es");
    }
    match word.strip_suffix('y') {
        Some(stem) if ends_in_consonant_and(word, 'y') => format!("{stem}ies"),
        _ => format!("{word}s"),
    }
}

/// A word with an ending that begins with a vowel.
fn with_vowel(word: &str, ending: &str) -> String {
    match word.strip_suffix('e') {
        // Before `-ing` the `e` of `see`, `dye`, `toe` and `be` stays; before `-ed` and `-er` there is one in any case.
        Some(stem) if ending != "ing" || !stem.ends_with(['e', 'y', 'o']) && stem.contains(is_vowel) => {
            return format!("{stem}{ending}");
        }
        _ => {}
    }
    match word.strip_suffix('y') {
        Some(stem) if ending != "ing" && ends_in_consonant_and(word, 'y') => format!("{stem}i{ending}"),
        _ if doubles(word) => format!("{word}{}{ending}", &word[word.len() - 1..]),
        _ => format!("{word}{ending}"),
    }
}

/// Whether the last letter is doubled before a vowel: one syllable, one vowel, one consonant after it.
fn doubles(word: &str) -> bool {
    let letters: Vec<char> = word.chars().rev().take(3).collect();
    let [last, vowel, rest @ ..] = letters.as_slice() else { return false };
    let is_closed = last.is_ascii() && !is_vowel(*last) && !matches!(last, 'w' | 'x' | 'y');
    is_closed && is_vowel(*vowel) && !rest.first().is_some_and(|&before| is_vowel(before)) && syllables(word) == 1
}

/// A stem that ends in a doubled consonant, with a single one.
fn without_double(stem: &str) -> Option<&str> {
    let last = stem.chars().next_back()?;
    let shorter = stem.strip_suffix(last)?;
    (shorter.ends_with(last) && !is_vowel(last)).then_some(shorter)
}

/// Whether an adjective is compared by `-er` and `-est`.
fn is_short(word: &str) -> bool {
    syllables(word) == 1 || syllables(word) == 2 && word.ends_with('y')
}

/// How many syllables a word has, by its groups of vowels; a final `e` after a consonant is mute.
fn syllables(word: &str) -> usize {
    let spoken = if ends_in_consonant_and(word, 'e') { &word[..word.len() - 1] } else { word };
    spoken.split(|letter| !is_vowel(letter)).filter(|group| !group.is_empty()).count()
}

fn ends_in_consonant_and(word: &str, last: char) -> bool {
    word.strip_suffix(last).and_then(|stem| stem.chars().next_back()).is_some_and(|before| !is_vowel(before))
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}
