//! The words of an identifier, and the same identifier with other words.
//!
//! Words are told apart by underscores, by case and by digits: `parseHTTPHeader` is *parse*, *http*, *header*, and
//! `int32_to` is *int* and *to*. What stands between words stays where it is: underscores, at the ends as well,
//! digits, and whatever is no letter (the `$` of some compilers, the `~` of a destructor). Words written as one,
//! `filename`, are one word here.
//!
//! The rules for case:
//! - A capital after a small letter begins a word: `lineCount`.
//! - In a run of capitals that goes on in small letters, the last capital begins a word: `HTTPHeader`. Unless it is an
//!   acronym's plural, a single `s` and then nothing or another capital: `URLs`, `IDsOf`; but `XMLIsValid`,
//!   `TextAsXML`.
//! - Letters without case count as small ones; so do universal character names, `\u00e9`.
//!
//! A word that is replaced is written as the old one was: in small letters, in capitals or with a first capital. A
//! single capital has a first capital, unless the identifier has no small letter at all: `getX`, `MAX_X`.
//!
//! Where one word becomes several, they are joined by capitals if their neighbours are (`parseLine`, `lookAtLine`), or
//! if the word has a first capital and no underscore separates words (`Parser`, `LookAt`); by underscores otherwise
//! (`parse_line`, `look_at_line`; `PARSE`, `LOOK_AT`; `parse`, `look_at`). An acronym among capitals that becomes
//! several words gives up its capitals: `readXMLFile`, `readMakeUpFile`.

#[cfg(test)]
mod tests;

/// An identifier as words and what stands between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identifier {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Word(Word),
    /// Digits, which stay, and do not end a segment.
    Digits(String),
    /// Underscores and everything else that stays.
    Separator(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    text: String,
    style: Style,
    join: Join,
}

/// The case of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    Lower,
    /// A first capital.
    Title,
    Upper,
}

/// How several words are written in the place of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Join {
    Capitals,
    Underscores,
}

/// Cuts an identifier into its words. Any text will do: what has no letter has no words.
pub fn split(identifier: &str) -> Identifier {
    let mut parts = Vec::new();
    let mut letters = Vec::new();
    let mut rest = identifier;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match escape(rest) {
            Some(length) => (Kind::Letter, length),
            None => (Kind::of(first), first.len_utf8()),
        };
        let (text, after) = rest.split_at(length);
        rest = after;
        if kind == Kind::Letter {
            letters.push(Letter { text, is_capital: first.is_uppercase() });
            continue;
        }
        add_words(&mut parts, &letters);
        letters.clear();
        match (kind, parts.last_mut()) {
            (Kind::Digit, Some(Part::Digits(digits))) => digits.push_str(text),
            (Kind::Digit, _) => parts.push(Part::Digits(text.to_owned())),
            (_, Some(Part::Separator(separator))) => separator.push_str(text),
            _ => parts.push(Part::Separator(text.to_owned())),
        }
    }
    add_words(&mut parts, &letters);
    choose_styles(&mut parts);
    Identifier { parts }
}

impl Identifier {
    /// The words, in small letters. Each has at least one letter.
    pub fn words(&self) -> Vec<String> {
        self.own_words().map(Word::lower).collect()
    }

    /// The identifier with `words` in the place of its own, in their order and in its style. A word may be several, set
    /// apart by anything that is neither letter nor digit: `make_up`, `look at`.
    ///
    /// A word that stays the same is written exactly as it was, and so is one that nothing is given for, because
    /// `words` is too short or has an empty one in its place.
    pub fn with_words(&self, words: &[String]) -> String {
        let mut words = words.iter();
        let mut written = String::new();
        for part in &self.parts {
            match part {
                Part::Word(word) => word.write(words.next().map_or("", String::as_str), &mut written),
                Part::Digits(text) | Part::Separator(text) => written.push_str(text),
            }
        }
        written
    }

    fn own_words(&self) -> impl Iterator<Item = &Word> {
        self.parts.iter().filter_map(Part::word)
    }
}

impl Part {
    fn word(&self) -> Option<&Word> {
        match self {
            Part::Word(word) => Some(word),
            _ => None,
        }
    }
}

impl Word {
    fn lower(&self) -> String {
        self.text.to_lowercase()
    }

    /// Writes `replacement` as this word is written.
    fn write(&self, replacement: &str, written: &mut String) {
        let new: Vec<&str> =
            replacement.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        if new.is_empty() || self.lower() == replacement {
            written.push_str(&self.text);
            return;
        }
        for (place, word) in new.iter().enumerate() {
            let style = match (self.join, self.style) {
                (Join::Capitals, _) if place > 0 => Style::Title,
                (Join::Capitals, Style::Upper) if new.len() > 1 => Style::Title,
                (_, style) => style,
            };
            if place > 0 && self.join == Join::Underscores {
                written.push('_');
            }
            style.write(word, written);
        }
    }
}

impl Style {
    fn write(self, word: &str, written: &mut String) {
        match self {
            Style::Lower => written.push_str(&word.to_lowercase()),
            Style::Upper => written.push_str(&word.to_uppercase()),
            Style::Title => {
                let mut letters = word.chars();
                written.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                written.push_str(&letters.as_str().to_lowercase());
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Separator,
}

impl Kind {
    /// Beyond ASCII an identifier has letters only, and the marks that belong to them.
    fn of(character: char) -> Self {
        match character {
            _ if character.is_ascii_digit() => Kind::Digit,
            _ if character.is_ascii_alphabetic() || !character.is_ascii() => Kind::Letter,
            _ => Kind::Separator,
        }
    }
}

/// The length of the universal character name that `text` begins with.
fn escape(text: &str) -> Option<usize> {
    let name = text.strip_prefix('\\')?;
    let is_hexadecimal = |digits: &str| digits.chars().all(|digit| digit.is_ascii_hexdigit());
    let digits = match name.chars().next()? {
        'u' if name.starts_with("u{") => {
            return Some(3 + name[2..].find('}').filter(|&end| is_hexadecimal(&name[2..2 + end]))? + 1);
        }
        'u' => name.get(1..5)?,
        'U' => name.get(1..9)?,
        _ => return None,
    };
    is_hexadecimal(digits).then_some(2 + digits.len())
}

struct Letter<'a> {
    text: &'a str,
    is_capital: bool,
}

/// Adds the words of a run of letters, each with the case that it shows by itself.
fn add_words(parts: &mut Vec<Part>, letters: &[Letter<'_>]) {
    let mut start = 0;
    for end in 1..=letters.len() {
        if end == letters.len() || begins_word(letters, end) {
            let word = &letters[start..end];
            let style = match (word[0].is_capital, word.get(1).is_some_and(|second| second.is_capital)) {
                (false, _) => Style::Lower,
                (true, false) => Style::Title,
                (true, true) => Style::Upper,
            };
            let text = word.iter().map(|letter| letter.text).collect();
            parts.push(Part::Word(Word { text, style, join: Join::Underscores }));
            start = end;
        }
    }
}

/// Whether a word begins at `place`, which is neither the first letter nor past the last.
fn begins_word(letters: &[Letter<'_>], place: usize) -> bool {
    if !letters[place].is_capital {
        return false;
    }
    if !letters[place - 1].is_capital {
        return true;
    }
    let Some(next) = letters.get(place + 1) else { return false };
    let is_plural = next.text == "s"
        && match letters.get(place + 2) {
            None => true,
            Some(after) => after.is_capital && !matches!(letters[place].text, "A" | "I"),
        };
    !next.is_capital && !is_plural
}

/// What only the whole identifier tells: the style of single capitals, and how several words are joined.
fn choose_styles(parts: &mut [Part]) {
    let is_small = |text: &str| text.chars().any(|c| !c.is_uppercase());
    let has_small = parts.iter().filter_map(Part::word).any(|word| is_small(&word.text));
    let segments = || parts.split(|part| matches!(part, Part::Separator(_)));
    // Joined by capitals: a word within begins with one, and not all are capitals.
    let is_camel = |segment: &[Part]| {
        let mut words = segment.iter().filter_map(Part::word);
        segment.iter().filter_map(Part::word).any(|word| is_small(&word.text))
            && words.next().is_some()
            && words.any(|word| word.style != Style::Lower)
    };
    let any_camel = segments().any(is_camel);
    let many = segments().filter(|segment| segment.iter().any(|part| part.word().is_some())).count() > 1;
    let camel: Vec<bool> = segments().map(is_camel).collect();
    let mut segment = 0;
    for part in parts {
        match part {
            Part::Word(word) => {
                if !has_small {
                    word.style = Style::Upper;
                }
                let by_capitals = camel[segment] || word.style == Style::Title && (any_camel || !many);
                word.join = if by_capitals { Join::Capitals } else { Join::Underscores };
            }
            Part::Separator(_) => segment += 1,
            Part::Digits(_) => {}
        }
    }
}
