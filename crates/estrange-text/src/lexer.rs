//! C and C++ cut into tokens, each with its place in the text.
//!
//! What is special:
//!
//! - **A directive is one token,** from its `#` to the end of its logical line, comments inside of it included. Cut it
//!   further with [`lex_directive`] or [`macro_parts`].
//! - **White space has no tokens**, and neither has a line splice (a backslash at the end of a line, spaces after it
//!   allowed as gcc and clang do) that stands between two tokens. A token may have splices inside of it:
//!   [`Token::spelling`] is without them.
//! - **Literals are whole,** their prefix included: `u8"x"`, `LR"x(…)x"`, `L'x'`. A suffix after a string or character
//!   (`"x"s`) is a token of its own, because in C it is another word (`"%"PRId64`).
//! - **Both languages at once.** Punctuation is the longest match of C++'s, digraphs included; `>>` is one token also
//!   where it closes two templates. Raw strings and digit separators are known in C too. Trigraphs are not.
//! - **Anything is accepted.** A literal that does not end stops at the end of its line, a comment or raw string at the
//!   end of the text. Characters beyond ASCII belong to identifiers; a byte that belongs nowhere is punctuation.

mod directive;
mod scan;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

pub use directive::{MacroParts, directive_name, is_feature_macro, macro_name, macro_parts};

use scan::Scanner;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A name or a keyword.
    Identifier,
    /// A number, as the preprocessor sees it.
    Number,
    /// A string, its prefix and quotes included.
    String,
    /// A character, its prefix and quotes included.
    Character,
    /// An operator or separator; also any byte that belongs nowhere.
    Punctuation,
    /// A line or block comment.
    Comment,
    /// A whole preprocessor directive.
    Directive,
}

/// A token: its kind and its place in the text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub start: u32,
    /// The byte after its last; always greater than `start`.
    pub end: u32,
}

impl Token {
    /// Its place in the text.
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Its part of `source`, as it stands there; `source` must be the text it was cut from.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.range()]
    }

    /// Its part of `source` without line splices.
    pub fn spelling<'a>(&self, source: &'a str) -> Cow<'a, str> {
        match self.kind {
            // Within a raw string a backslash at the end of a line is part of the string.
            Kind::String if self.is_raw(source) => Cow::Borrowed(self.text(source)),
            _ => without_splices(self.text(source)),
        }
    }

    fn is_raw(&self, source: &str) -> bool {
        self.text(source).bytes().take_while(|&byte| byte != b'"').any(|byte| byte == b'R')
    }
}

/// The tokens of `text`, in order.
///
/// Offsets are 32 bits wide: of a text beyond 4 GiB, only what lies before that bound is cut.
pub fn lex(text: &str) -> Vec<Token> {
    tokens(text, true)
}

/// The tokens of a piece of text that holds no directives, such as the body of a macro: a `#` is always punctuation.
pub fn lex_body(text: &str) -> Vec<Token> {
    tokens(text, false)
}

/// The tokens that a directive of `text` consists of, its `#` and its comments included, at their places in `text`.
pub fn lex_directive(text: &str, directive: &Token) -> impl Iterator<Item = Token> {
    let start = directive.start;
    let shift = move |token: Token| Token { start: token.start + start, end: token.end + start, ..token };
    lex_body(directive.text(text)).into_iter().map(shift)
}

/// `text` without its line splices.
pub fn without_splices(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut joined = String::new();
    let mut kept = 0;
    for at in memchr::memchr_iter(b'\\', bytes) {
        if at >= kept
            && let Some(next) = scan::after_splice(bytes, at)
        {
            joined.push_str(&text[kept..at]);
            kept = next;
        }
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    joined.push_str(&text[kept..]);
    Cow::Owned(joined)
}

fn tokens(text: &str, directives: bool) -> Vec<Token> {
    let mut bound = text.len().min(u32::MAX as usize);
    while !text.is_char_boundary(bound) {
        bound -= 1;
    }
    let text = &text[..bound];
    let scanner = Scanner::new(text.as_bytes());
    // Real code has a token every five to six bytes.
    let mut tokens = Vec::with_capacity(text.len() / 5 + 1);
    let mut at = scanner.after_mark();
    let mut line_is_blank = directives;
    loop {
        let (start, new_line) = scanner.skip_space(at);
        line_is_blank |= directives && new_line;
        if start >= text.len() {
            break;
        }
        let directive = if line_is_blank { scanner.directive(start) } else { None };
        let (kind, end) = match directive {
            Some(end) => (Kind::Directive, end),
            None => scanner.token(start),
        };
        // A comment counts as white space: a `#` after it still begins its line.
        if kind != Kind::Comment {
            line_is_blank = false;
        }
        // Both fit, because the text was cut to what 32 bits can count.
        tokens.push(Token { kind, start: start as u32, end: end as u32 });
        at = end;
    }
    tokens
}
