//! What stands behind an instruction or a directive of an assembly text, in parts.

use crate::listing::is_symbol_byte;

/// Whether a word can be a symbol.
pub(crate) fn is_symbol(word: &str) -> bool {
    word.bytes().next().is_some_and(|first| !first.is_ascii_digit()) && word.bytes().all(is_symbol_byte)
}

/// The operands of a line, token by token.
pub(crate) struct Operands<'a> {
    text: &'a str,
    at: usize,
}

/// A part of a line's operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A name of something here or elsewhere.
    Symbol(&'a str),
    /// A register, a number, or a word of the assembler.
    Plain(&'a str),
    /// A byte that belongs to none of these.
    Other(u8),
}

impl<'a> Operands<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// What was not read yet.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn word(&mut self) -> &'a str {
        let bytes = &self.text.as_bytes()[self.at..];
        let length = bytes.iter().position(|&byte| !is_symbol_byte(byte)).unwrap_or(bytes.len());
        let word = &self.text[self.at..self.at + length];
        self.at += length;
        word
    }
}

impl<'a> Iterator for Operands<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let first = *self.text.as_bytes().get(self.at)?;
        Some(match first {
            b'%' | b'@' => {
                let start = self.at;
                self.at += 1;
                self.word();
                Token::Plain(&self.text[start..self.at])
            }
            b'0'..=b'9' => Token::Plain(self.word()),
            b'"' => {
                let rest = &self.text[self.at + 1..];
                let length = rest.find('"').unwrap_or(rest.len());
                self.at = (self.at + length + 2).min(self.text.len());
                Token::Symbol(&rest[..length])
            }
            b'$' | b' ' | b'\t' => {
                self.at += 1;
                Token::Other(if first == b'\t' { b' ' } else { first })
            }
            _ if is_symbol_byte(first) => Token::Symbol(self.word()),
            _ => {
                self.at += 1;
                Token::Other(first)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(text: &str) -> Vec<&str> {
        let symbol = |token| match token {
            Token::Symbol(name) => Some(name),
            _ => None,
        };
        Operands::of(text).filter_map(symbol).collect()
    }

    #[test]
    fn registers_numbers_and_words_of_the_assembler_are_no_symbols() {
        assert_eq!(symbols("$.LC0+4, %edi"), [".LC0"]);
        assert_eq!(symbols("*table(,%rax,8)"), ["table"]);
        assert_eq!(symbols("f, @function"), ["f"]);
        assert_eq!(symbols("x@GOTPCREL(%rip), %rax"), ["x"]);
        assert_eq!(symbols(".L9-.L4"), [".L9", ".L4"]);
        assert_eq!(symbols("$0x1f, -8(%rbp)"), [""; 0]);
        assert_eq!(symbols("\"n\u{e9}e\"(%rip), %eax"), ["n\u{e9}e"]);
        assert_eq!(symbols("\"open"), ["open"]);
    }
}
