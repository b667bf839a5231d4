//! C and C++ on a terminal: keywords, types, literals, comments and directives in colour, and nothing in the code that
//! could speak to the terminal itself.

use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;

use anstyle::{AnsiColor, Style};
use estrange_text::facts::is_keyword;
use estrange_text::lexer::{Kind, Token, lex, lex_body};
use estrange_words::Language;

const KEYWORD: Style = AnsiColor::Magenta.on_default();
const TYPE: Style = AnsiColor::Cyan.on_default();
const LITERAL: Style = AnsiColor::Green.on_default();
const NUMBER: Style = AnsiColor::Yellow.on_default();
const COMMENT: Style = Style::new().dimmed();
const DIRECTIVE: Style = AnsiColor::Blue.on_default();
const PLAIN: Style = Style::new();

/// How far apart the stops of a tabulator are.
const TAB: usize = 8;

/// The keywords that name types.
const TYPES: [&str; 15] = [
    "_Bool", "_Complex", "auto", "bool", "char", "char16_t", "char32_t", "char8_t", "double", "float", "int", "long",
    "short", "void", "wchar_t",
];

/// Code and what is known about it.
#[derive(Debug, Clone, Copy)]
pub struct Code<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its language.
    pub language: Language,
    /// Names that are types.
    pub types: &'a [String],
}

/// The lines of the code, each in colour by itself, with tabulators as spaces and control characters escaped.
pub fn lines(code: Code<'_>) -> Vec<String> {
    let text = visible(code.text);
    let types: HashSet<&str> = code.types.iter().map(String::as_str).chain(TYPES).collect();
    let mut painter = Painter { text: &text, language: code.language, types, output: String::new(), done: 0 };
    for token in lex(&text) {
        painter.token(&token);
    }
    painter.paint(text.len()..text.len(), PLAIN);
    painter.output.lines().map(str::to_owned).collect()
}

struct Painter<'a> {
    text: &'a str,
    language: Language,
    types: HashSet<&'a str>,
    output: String,
    /// How much of the text is in the output.
    done: usize,
}

impl Painter<'_> {
    fn token(&mut self, token: &Token) {
        match token.kind {
            Kind::Directive => self.directive(token),
            _ => self.paint(token.range(), self.style(token.kind, token.spelling(self.text).as_ref())),
        }
    }

    /// A directive's `#` and name in one colour, what follows as in other code.
    fn directive(&mut self, directive: &Token) {
        let start = directive.range().start;
        let mut is_named = false;
        let mut is_include = false;
        for inner in lex_body(directive.text(self.text)) {
            let range = start + inner.range().start..start + inner.range().end;
            let spelling = inner.spelling(directive.text(self.text)).into_owned();
            let style = match inner.kind {
                Kind::Identifier if !is_named => {
                    is_named = true;
                    is_include = spelling == "include";
                    DIRECTIVE
                }
                Kind::Comment => COMMENT,
                // `<stdio.h>` is cut into several tokens.
                _ if is_include => LITERAL,
                Kind::Punctuation if !is_named => DIRECTIVE,
                kind => self.style(kind, &spelling),
            };
            self.paint(range, style);
        }
    }

    fn style(&self, kind: Kind, spelling: &str) -> Style {
        match kind {
            Kind::Identifier if self.types.contains(spelling) || spelling.ends_with("_t") => TYPE,
            Kind::Identifier if is_keyword(spelling, self.language) => KEYWORD,
            Kind::Identifier | Kind::Punctuation | Kind::Directive => PLAIN,
            Kind::Number => NUMBER,
            Kind::String | Kind::Character => LITERAL,
            Kind::Comment => COMMENT,
        }
    }

    /// Adds what stands before the range as it is, and the range in a style that ends with each line.
    fn paint(&mut self, range: Range<usize>, style: Style) {
        self.output += &self.text[self.done..range.start];
        self.done = range.end;
        let text = &self.text[range];
        if style.is_plain() {
            self.output += text;
            return;
        }
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.output.push('\n');
            }
            if !line.is_empty() {
                // Writing to a string does not fail.
                let _ = write!(self.output, "{style}{line}{style:#}");
            }
        }
    }
}

/// The text as a terminal shows it, line for line.
fn visible(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            output.push('\n');
        }
        let mut column = 0;
        for character in line.strip_suffix('\r').unwrap_or(line).chars() {
            let before = output.len();
            match character {
                '\t' => output.extend(std::iter::repeat_n(' ', TAB - column % TAB)),
                // What orders text from right to left can make code look like other code.
                control
                    if control.is_control() || matches!(control, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
                {
                    output.extend(control.escape_unicode());
                }
                other => output.push(other),
            }
            column += output[before..].chars().count();
        }
    }
    output
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn painted(text: &str) -> String {
        let types = ["point".to_owned()];
        let text = lines(Code { text, language: Language::C, types: &types }).join("\n");
        // Short names for the colours, so that a test can be read.
        let colours = [(KEYWORD, "k"), (TYPE, "t"), (LITERAL, "s"), (NUMBER, "n"), (COMMENT, "c"), (DIRECTIVE, "d")];
        let named =
            colours.iter().fold(text, |text, (style, name)| text.replace(&style.to_string(), &format!("{name}[")));
        named.replace(&format!("{KEYWORD:#}"), "]")
    }

    /// The lines without their colours.
    fn plain(text: &str) -> Vec<String> {
        let lines = lines(Code { text, language: Language::Cpp, types: &[] });
        lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect()
    }

    #[test]
    fn each_kind_of_token_has_its_colour() {
        assert_eq!(painted("return x + 1;"), "k[return] x + n[1];");
        assert_eq!(painted("point p; size_t n; int i;"), "t[point] p; t[size_t] n; t[int] i;");
        assert_eq!(painted("f(\"a\", 'b'); // c"), "f(s[\"a\"], s['b']); c[// c]");
        assert_eq!(painted("#include <a.h>"), "d[#]d[include] s[<]s[a]s[.]s[h]s[>]");
        assert_eq!(painted("#define N 1 /* one */"), "d[#]d[define] N n[1] c[/* one */]");
    }

    #[test]
    fn a_colour_ends_with_its_line() {
        assert_eq!(painted("/* a\n\n b */ x"), "c[/* a]\n\nc[ b */] x");
    }

    #[test]
    fn code_cannot_speak_to_the_terminal() {
        let lines = plain("a\x1b[31m\r\n\tb\u{202e}");
        assert_eq!(lines, ["a\\u{1b}[31m", "        b\\u{202e}"]);
    }

    #[test]
    fn code_that_needs_no_escape_stays_as_it_is() {
        let text = "int f(void)\n{\n  return \"a\\\nb\"[0]; /* x */\n}\n#if 1 // y\n#endif\nstray \" '";
        assert_eq!(plain(text).join("\n"), text);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_or_added(text in "([#a\"'/*\\\\ \n\t\r\x1b1é]|define|include|int){0,40}") {
            let shown = plain(&text);
            prop_assert_eq!(&shown, &visible(&text).lines().map(str::to_owned).collect::<Vec<_>>());
            prop_assert!(!shown.concat().contains(char::is_control));
        }
    }
}
