//! One layout for every text: where lines break, how far they are indented and where blanks stand depends on the tokens
//! alone, so that the habits of who wrote a text are gone.
//!
//! Tokens stay what they are and in their order; comments and line splices go. Line breaks depend on no length, so
//! two texts that differ in names only have the same lines.

use std::ops::Range;

use estrange_text::lexer::{Kind, Token, lex, lex_body, lex_directive};

/// `text` in the one layout, and where what stood at `part` stands in it.
pub fn layout(text: &str, part: Range<usize>) -> (String, Range<usize>) {
    let tokens: Vec<Word<'_>> = lex(text)
        .iter()
        .filter(|token| token.kind != Kind::Comment)
        .map(|token| Word { token: *token, text: token.text(text) })
        .collect();
    let mut writer = Writer::default();
    let mut place: Option<Range<usize>> = None;
    for word in &tokens {
        let start = match word.token.kind {
            Kind::Directive => writer.directive(text, &word.token),
            _ => writer.word(word),
        };
        if part.contains(&(word.token.start as usize)) {
            let end = writer.out.trim_end().len();
            place = Some(place.map_or(start, |place| place.start)..end);
        }
    }
    writer.end_line();
    let place = place.unwrap_or(writer.out.len()..writer.out.len());
    (writer.out, place)
}

#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    token: Token,
    text: &'a str,
}

/// What an open bracket began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// Statements or declarations: each in a line of its own.
    Block {
        /// Whether it is the body of a type, behind which names may stand.
        is_type: bool,
    },
    /// Values: in one line, as far as there are few.
    List {
        /// The commas so far.
        commas: usize,
    },
    /// A parenthesis or a square bracket.
    Round,
}

/// So many values stand in one line.
const VALUES: usize = 8;
const INDENT: &str = "    ";

#[derive(Default)]
struct Writer<'a> {
    out: String,
    /// The words of the line that is being written.
    line: Vec<&'a str>,
    open: Vec<Open>,
    /// Questions of `?:` without their colon in this line.
    questions: usize,
    /// Whether the line goes on one that was broken.
    goes_on: bool,
    /// Whether the word before is an operator with one operand.
    after_unary: bool,
    /// A block has ended, and what follows may belong to its line.
    after_block: bool,
}

impl<'a> Writer<'a> {
    /// Writes a directive; where it begins.
    fn directive(&mut self, text: &str, directive: &Token) -> usize {
        self.end_line();
        let start = self.out.len();
        let mut before: Option<Token> = None;
        for token in lex_directive(text, directive).filter(|token| token.kind != Kind::Comment) {
            // Between the name of a macro and a parenthesis a blank matters, and `#` needs none.
            let is_apart = before.is_some_and(|before| before.end < token.start);
            if is_apart && before.is_none_or(|before| before.start != directive.start) {
                self.out.push(' ');
            }
            self.out.push_str(&token.spelling(text));
            before = Some(token);
        }
        self.out.push('\n');
        start
    }

    /// Writes a word that is no directive; where it begins.
    fn word(&mut self, word: &Word<'a>) -> usize {
        let text = word.text;
        let joins = matches!(text, ";" | "," | ")" | "else" | "while" | "catch" | "(" | "]" | "." | "->" | "=");
        if std::mem::take(&mut self.after_block) && !joins {
            self.end_line();
        }
        if let ("}", Some(Open::Block { is_type })) = (text, self.open.last().copied()) {
            self.end_line();
            self.open.pop();
            let start = self.write(word);
            self.after_block = !is_type;
            return start;
        }
        let is_list = text == "{" && self.begins_list();
        let start = self.write(word);
        match text {
            "{" if is_list => self.open.push(Open::List { commas: 0 }),
            "{" => {
                let is_type = self.line.iter().any(|word| matches!(*word, "struct" | "union" | "class"))
                    && !self.line.contains(&"(");
                self.end_line();
                self.open.push(Open::Block { is_type });
            }
            "(" | "[" => self.open.push(Open::Round),
            ")" | "]" | "}" => drop(self.open.pop()),
            "?" => self.questions += 1,
            ":" if self.questions > 0 => self.questions -= 1,
            ":" if self.ends_label() => self.end_line(),
            ";" if self.open.last() != Some(&Open::Round) => self.end_line(),
            "," => {
                if let Some(Open::List { commas }) = self.open.last_mut() {
                    *commas += 1;
                    if *commas % VALUES == 0 {
                        self.break_line();
                    }
                }
            }
            _ => {}
        }
        start
    }

    /// Whether a brace that comes next holds values.
    fn begins_list(&self) -> bool {
        if matches!(self.open.last(), Some(Open::List { .. })) {
            return true;
        }
        match self.line.last() {
            Some(&("=" | "," | "(" | "return" | "]")) => true,
            // A value of a type that is named: `(struct point){ 1, 2 }` is one, `if (x) {` is none.
            _ => self.line.contains(&"enum"),
        }
    }

    fn is_in_block(&self) -> bool {
        matches!(self.open.last(), Some(Open::Block { .. }))
    }

    /// Whether the colon that was just written ends a label.
    fn ends_label(&self) -> bool {
        match self.line.as_slice() {
            ["case" | "default", ..] | ["public" | "private" | "protected", ":"] => {
                self.open.last() != Some(&Open::Round)
            }
            [name, ":"] => self.is_in_block() && lex_body(name)[0].kind == Kind::Identifier,
            _ => false,
        }
    }

    fn write(&mut self, word: &Word<'a>) -> usize {
        if self.line.is_empty() {
            let depth =
                self.open.iter().filter(|open| matches!(open, Open::Block { .. })).count() + usize::from(self.goes_on);
            let lifted = matches!(word.text, "case" | "default" | "public" | "private" | "protected");
            for _ in 0..depth - usize::from(lifted && depth > 0) {
                self.out.push_str(INDENT);
            }
            self.after_unary = false;
        } else if self.is_apart(word.text) {
            self.out.push(' ');
        }
        let before = self.line.last().copied();
        self.after_unary = is_unary(before, word.text);
        let start = self.out.len();
        self.out.push_str(&without_splices(word));
        self.line.push(word.text);
        start
    }

    /// Whether a blank stands between the last word of the line and this one.
    fn is_apart(&self, text: &str) -> bool {
        let Some(&before) = self.line.last() else { return false };
        if must_part(before, text) {
            return true;
        }
        match (before, text) {
            ("(" | "[" | "." | "->" | "::" | "!" | "~", _) | (_, ")" | "]" | "," | ";" | "." | "->") => false,
            ("*", "*") => false,
            ("++" | "--", _) if self.after_unary => false,
            (_, "++" | "--") => !is_value(before),
            _ if self.after_unary && text != "{" => false,
            (_, "::") => !is_name(before) || is_keyword_before_value(before),
            (_, "[") => !is_value(before),
            (_, "(") => !(is_name(before) || before == ")" || before == "]") || is_control(before),
            (_, ":") => !matches!(self.line.as_slice(), ["case", ..] | ["default"] | [_]) || self.questions > 0,
            _ => true,
        }
    }

    /// Ends the line; what follows is a new one.
    fn end_line(&mut self) {
        self.break_line();
        self.goes_on = false;
        self.after_block = false;
    }

    /// Breaks the line in the midst of something.
    fn break_line(&mut self) {
        if !self.line.is_empty() {
            self.out.push('\n');
            self.line.clear();
        }
        self.questions = 0;
        self.goes_on = true;
    }
}

/// A word as it is written, without line splices.
fn without_splices(word: &Word<'_>) -> String {
    let whole = Token { start: 0, end: word.token.end - word.token.start, ..word.token };
    whole.spelling(word.text).into_owned()
}

/// Whether two words would become another one, or others.
fn must_part(before: &str, text: &str) -> bool {
    let joined = format!("{before}{text}");
    let tokens = lex_body(&joined);
    !matches!(tokens.as_slice(), [first, second] if first.text(&joined) == before && second.text(&joined) == text)
}

/// Whether an operator has one operand only, by what stands before it.
fn is_unary(before: Option<&str>, text: &str) -> bool {
    let can_be = matches!(text, "*" | "&" | "+" | "-" | "++" | "--" | "!" | "~");
    can_be && !before.is_some_and(is_value)
}

/// Whether a value can end with this word.
fn is_value(word: &str) -> bool {
    let ends = |last: char| last.is_alphanumeric() || matches!(last, '_' | '"' | '\'' | ')' | ']');
    word.ends_with(ends) && !is_keyword_before_value(word) && word != "sizeof"
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '~')
}

fn is_keyword_before_value(word: &str) -> bool {
    matches!(word, "return" | "case" | "else" | "do" | "goto" | "throw" | "co_return" | "co_yield" | "co_await")
}

/// Whether a parenthesis behind this word stands apart from it.
fn is_control(word: &str) -> bool {
    matches!(word, "if" | "for" | "while" | "switch" | "catch") || is_keyword_before_value(word)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The tokens of a text as the compiler sees them.
    fn tokens(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        for token in lex(text) {
            match token.kind {
                Kind::Comment => {}
                Kind::Directive => {
                    let parts = lex_directive(text, &token).filter(|part| part.kind != Kind::Comment);
                    all.extend(parts.map(|part| part.spelling(text).into_owned()));
                }
                _ => all.push(token.spelling(text).into_owned()),
            }
        }
        all
    }

    fn laid_out(text: &str) -> String {
        layout(text, 0..0).0
    }

    fn keeps_tokens(text: &str) {
        let new = laid_out(text);
        assert_eq!(tokens(&new), tokens(text), "{new}");
        assert_eq!(laid_out(&new), new, "once is enough");
    }

    #[test]
    fn tokens_that_would_become_one_stay_apart() {
        for text in ["a + +b - -c", "a & &b", "x = y / *p;", "a<b<c> >d;", "1 .x", "L \"a\"", "- --a", "a++ + ++b"] {
            keeps_tokens(text);
        }
    }

    #[test]
    fn a_macro_without_arguments_stays_one() {
        keeps_tokens("#define A (x)\n#define B(x) (x)\n# define  C\\\n  1\nint a;");
        assert!(laid_out("#define A (x)\n").contains("A (x)"));
        assert!(laid_out("#define B(x) (x)\n").contains("B(x) (x)"));
    }

    #[test]
    fn a_part_is_found_again() {
        let text = "int a;  int f ( void ) { return 1 ; } int b;";
        let start = text.find("int f").unwrap();
        let (new, part) = layout(text, start..text.find(" int b").unwrap());
        assert_eq!(&new[part], "int f(void) {\n    return 1;\n}");
    }

    proptest! {
        #[test]
        fn any_text_keeps_its_tokens(text in "([a-z0-9(){};,:?*&<>=+/.!~-]|\\[|\\]|\n| |->|::|case |if |enum |return |\"s\"| 'c' |\n#define a b c\n){0,80}") {
            let new = laid_out(&text);
            prop_assert_eq!(tokens(&new), tokens(&text), "{}", new);
        }
    }
}
