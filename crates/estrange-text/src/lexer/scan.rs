//! Where each token ends: the rules of the lexer, byte by byte.
//!
//! Every function takes the offset where something starts and returns the offset after it, which is always further on;
//! so nothing here can loop for ever. Line splices are looked for only where a backslash is met: nearly never.

use memchr::{memchr, memchr3, memmem};

use super::Kind;

/// The longest delimiter that a raw string may have.
const LONGEST_DELIMITER: usize = 16;

/// What a token that starts with a byte may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// White space, the end of a line included.
    Space,
    /// The start of an identifier.
    Word,
    /// The start of a number.
    Digit,
    /// `"`.
    Quote,
    /// `'`.
    Apostrophe,
    /// `/`: a comment or an operator.
    Slash,
    /// `.`: a number or punctuation.
    Dot,
    /// `\`: a splice, the name of a character, or a stray.
    Backslash,
    /// Punctuation that may be longer than one byte.
    Operator,
    /// A token of one byte.
    Single,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Single; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => Class::Word,
            b'0'..=b'9' => Class::Digit,
            b'"' => Class::Quote,
            b'\'' => Class::Apostrophe,
            b'/' => Class::Slash,
            b'.' => Class::Dot,
            b'\\' => Class::Backslash,
            b'#' | b'%' | b'&' | b'*' | b'+' | b'-' | b':' | b'<' | b'=' | b'>' | b'!' | b'^' | b'|' => Class::Operator,
            _ => Class::Single,
        };
        byte += 1;
    }
    classes
};

/// Whether a byte may stand inside of an identifier.
const WORDS: [bool; 256] = {
    let mut words = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        words[byte] = matches!(CLASSES[byte], Class::Word | Class::Digit);
        byte += 1;
    }
    words
};

/// The offset after the line splice that starts at `at`, if one does.
pub(super) fn after_splice(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at) != Some(&b'\\') {
        return None;
    }
    let mut end = at + 1;
    while matches!(bytes.get(end), Some(b' ' | b'\t' | b'\r' | 0x0c)) {
        end += 1;
    }
    (bytes.get(end) == Some(&b'\n')).then_some(end + 1)
}

/// A text, ready to be cut.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
}

impl<'a> Scanner<'a> {
    /// For the bytes of a text.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// The offset after the byte order mark, should the text start with one.
    pub(super) fn after_mark(&self) -> usize {
        if self.bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 }
    }

    /// The start of the next token, and whether a line ends before it.
    pub(super) fn skip_space(&self, mut at: usize) -> (usize, bool) {
        let mut new_line = false;
        while let Some(&byte) = self.bytes.get(at) {
            match CLASSES[byte as usize] {
                Class::Space => {
                    new_line |= byte == b'\n';
                    at += 1;
                }
                Class::Backslash => match after_splice(self.bytes, at) {
                    Some(next) => at = next,
                    None => break,
                },
                _ => break,
            }
        }
        (at, new_line)
    }

    /// The end of the directive whose `#` (or `%:`) stands at `at`, if one does.
    pub(super) fn directive(&self, at: usize) -> Option<usize> {
        let mut end = match self.byte(at) {
            b'#' => at + 1,
            b'%' => self.longer(at + 1, b':')?,
            _ => return None,
        };
        loop {
            let (start, new_line) = self.skip_space(end);
            if new_line || start >= self.bytes.len() {
                return Some(end);
            }
            end = self.token(start).1;
        }
    }

    /// The kind and the end of the token at `start`, where neither white space nor a splice nor the end may be.
    pub(super) fn token(&self, start: usize) -> (Kind, usize) {
        match CLASSES[self.bytes[start] as usize] {
            Class::Word => self.word(start),
            Class::Digit => (Kind::Number, self.number(start)),
            Class::Quote => (Kind::String, self.quoted(start, b'"')),
            Class::Apostrophe => (Kind::Character, self.quoted(start, b'\'')),
            Class::Slash => self.slash(start),
            Class::Dot => self.dot(start),
            Class::Operator => (Kind::Punctuation, self.operator(start)),
            Class::Backslash => match self.after_character_name(start) {
                Some(_) => self.spliced_word(start, start),
                None => (Kind::Punctuation, start + 1),
            },
            Class::Space | Class::Single => (Kind::Punctuation, start + 1),
        }
    }

    /// The byte at `at`; beyond the end, zero, which no rule asks for.
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// `at`, or where the text goes on should splices stand there.
    fn joined(&self, mut at: usize) -> usize {
        while let Some(next) = after_splice(self.bytes, at) {
            at = next;
        }
        at
    }

    /// The offset after `wanted`, should it come next at `at`.
    fn longer(&self, at: usize, wanted: u8) -> Option<usize> {
        let at = self.joined(at);
        (self.byte(at) == wanted).then_some(at + 1)
    }

    /// The offset after a universal character name (`\u00e9`) at `at`, if one stands there.
    fn after_character_name(&self, at: usize) -> Option<usize> {
        let digits = match (self.byte(at), self.byte(at + 1)) {
            (b'\\', b'u') => 4,
            (b'\\', b'U') => 8,
            _ => return None,
        };
        let end = at + 2 + digits;
        self.bytes.get(at + 2..end)?.iter().all(u8::is_ascii_hexdigit).then_some(end)
    }

    /// An identifier, or the literal that it is the prefix of.
    fn word(&self, start: usize) -> (Kind, usize) {
        let mut end = start;
        while end < self.bytes.len() && WORDS[self.bytes[end] as usize] {
            end += 1;
        }
        match self.byte(end) {
            b'\\' => self.spliced_word(start, end),
            b'"' | b'\'' => self.literal(&self.bytes[start..end], end).unwrap_or((Kind::Identifier, end)),
            _ => (Kind::Identifier, end),
        }
    }

    /// An identifier of which `start..end` is known, and at whose end stands a backslash.
    fn spliced_word(&self, start: usize, mut end: usize) -> (Kind, usize) {
        let mut spelling = self.bytes[start..end].to_vec();
        loop {
            let next = self.joined(end);
            let after = match self.after_character_name(next) {
                Some(after) => after,
                None if WORDS[self.byte(next) as usize] => next + 1,
                None => return self.literal(&spelling, next).unwrap_or((Kind::Identifier, end)),
            };
            spelling.extend_from_slice(&self.bytes[next..after]);
            end = after;
        }
    }

    /// The literal that `prefix` opens together with a quote at `quote`, if they do.
    fn literal(&self, prefix: &[u8], quote: usize) -> Option<(Kind, usize)> {
        match (prefix, self.byte(quote)) {
            (b"L" | b"u" | b"U" | b"u8", b'"') => Some((Kind::String, self.quoted(quote, b'"'))),
            (b"L" | b"u" | b"U" | b"u8", b'\'') => Some((Kind::Character, self.quoted(quote, b'\''))),
            (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", b'"') => Some((Kind::String, self.raw(quote)?)),
            _ => None,
        }
    }

    /// The end of the raw string whose quote stands at `quote`, unless what follows is no delimiter.
    fn raw(&self, quote: usize) -> Option<usize> {
        let rest = &self.bytes[quote + 1..];
        let length = rest.iter().take(LONGEST_DELIMITER + 1).position(|&byte| byte == b'(')?;
        let delimiter = &rest[..length];
        if delimiter.iter().any(|byte| matches!(byte, b' ' | b')' | b'\\' | b'"' | b'\t'..=b'\r')) {
            return None;
        }
        let closing = [b")", delimiter, b"\""].concat();
        let content = quote + 1 + length + 1;
        let found = memmem::find(&self.bytes[content..], &closing);
        Some(found.map_or(self.bytes.len(), |found| content + found + closing.len()))
    }

    /// The end of the literal whose opening quote stands at `start`; the end of its line if it is not closed.
    fn quoted(&self, start: usize, quote: u8) -> usize {
        let mut at = start + 1;
        while let Some(found) = self.bytes.get(at..).and_then(|rest| memchr3(quote, b'\\', b'\n', rest)) {
            at += found;
            match self.bytes[at] {
                b'\n' => return self.line_end(at),
                b'\\' => at = after_splice(self.bytes, at).unwrap_or_else(|| self.after_escape(at)),
                _ => return at + 1,
            }
        }
        self.bytes.len()
    }

    /// The offset after the escape whose backslash stands at `at`; what it protects may stand after a splice.
    fn after_escape(&self, at: usize) -> usize {
        let escaped = self.joined(at + 1);
        // The end of a line is the one thing that an escape cannot protect.
        if self.byte(escaped) == b'\n' { escaped } else { escaped + 1 }
    }

    /// The end of a line whose line feed stands at `at`: before its carriage return, if it has one.
    fn line_end(&self, at: usize) -> usize {
        if self.bytes[at - 1] == b'\r' { at - 1 } else { at }
    }

    fn number(&self, start: usize) -> usize {
        let mut end = start + 1;
        loop {
            let at = self.joined(end);
            end = match self.byte(at) {
                b'e' | b'E' | b'p' | b'P' => {
                    let sign = self.joined(at + 1);
                    if matches!(self.byte(sign), b'+' | b'-') { sign + 1 } else { at + 1 }
                }
                b'\'' if WORDS[self.byte(at + 1) as usize] => at + 1,
                b'.' => at + 1,
                byte if WORDS[byte as usize] => at + 1,
                _ => return end,
            };
        }
    }

    fn dot(&self, start: usize) -> (Kind, usize) {
        let second = self.joined(start + 1);
        match self.byte(second) {
            b'0'..=b'9' => (Kind::Number, self.number(second)),
            b'*' => (Kind::Punctuation, second + 1),
            b'.' => (Kind::Punctuation, self.longer(second + 1, b'.').unwrap_or(start + 1)),
            _ => (Kind::Punctuation, start + 1),
        }
    }

    fn slash(&self, start: usize) -> (Kind, usize) {
        let second = self.joined(start + 1);
        match self.byte(second) {
            b'/' => (Kind::Comment, self.line_comment(second + 1)),
            b'*' => (Kind::Comment, self.block_comment(second + 1)),
            b'=' => (Kind::Punctuation, second + 1),
            _ => (Kind::Punctuation, start + 1),
        }
    }

    /// The end of the line comment whose text starts at `start`.
    fn line_comment(&self, start: usize) -> usize {
        let mut at = start;
        while let Some(found) = memchr(b'\n', &self.bytes[at..]) {
            let line = self.bytes[at..at + found].trim_ascii_end();
            if line.last() != Some(&b'\\') {
                return self.line_end(at + found);
            }
            at += found + 1;
        }
        self.bytes.len()
    }

    /// The end of the block comment whose text starts at `start`.
    fn block_comment(&self, start: usize) -> usize {
        let mut at = start;
        while let Some(found) = memchr(b'*', &self.bytes[at..]) {
            at += found + 1;
            if let Some(end) = self.longer(at, b'/') {
                return end;
            }
        }
        self.bytes.len()
    }

    /// The end of the longest operator at `start`.
    fn operator(&self, start: usize) -> usize {
        let one = start + 1;
        let second = self.joined(one);
        let two = second + 1;
        match (self.bytes[start], self.byte(second)) {
            (b'<', b'<') | (b'>', b'>') => self.longer(two, b'=').unwrap_or(two),
            (b'<', b'=') => self.longer(two, b'>').unwrap_or(two),
            (b'-', b'>') => self.longer(two, b'*').unwrap_or(two),
            // `<::` opens a template unless it goes on as `<:::` or `<::>`.
            (b'<', b':') => match self.longer(two, b':') {
                Some(three) if !matches!(self.byte(self.joined(three)), b':' | b'>') => one,
                _ => two,
            },
            (b'%', b':') => self.longer(two, b'%').and_then(|three| self.longer(three, b':')).unwrap_or(two),
            (b'#', b'#') | (b':', b':' | b'>') | (b'<', b'%') | (b'%', b'>') => two,
            (b'+', b'+') | (b'-', b'-') | (b'&', b'&') | (b'|', b'|') => two,
            (b'>' | b'=' | b'!' | b'+' | b'-' | b'*' | b'%' | b'&' | b'|' | b'^', b'=') => two,
            _ => one,
        }
    }
}
