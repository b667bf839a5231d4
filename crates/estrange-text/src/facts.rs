//! What is counted about a piece of code, from one lexing of it.
//!
//! - **Lines:** all of them, blank ones too. This is what the CLARC paper's tables call lines of code.
//! - **Code lines:** lines that hold at least a part of a token other than a comment. Directives are code.
//! - **Tokens:** lexical tokens, comments not counted; a directive counts as the tokens inside of it.
//! - **Keywords:** how many different keywords of the language there are. Those of directives (`#if`) and of the macros
//!   defined inside of the code are not counted.
//! - **Complexity:** McCabe's cyclomatic complexity, estimated from tokens: one, and one more for each `if`, `for`,
//!   `while`, `case`, `catch`, `&&`, `||` and `?`, and in C++ for `and` and `or`. An `&&` that is seen to be a reference
//!   (`T&& x` among the parameters, `auto&&`, before `)`, `,`, `=` or `...`) or the address of a label is not counted.
//!   `default` and `else` add no path of their own, and directives none at all. The tool `lizard` gives the same number
//!   for nearly every function without directives, and counts `#if` as well.

mod keywords;

use estrange_words::Language;
pub use keywords::is_keyword;

use crate::lexer::{Kind, Token, lex, lex_directive};

/// What was counted; see [the module](self) for how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// All lines.
    pub lines: usize,
    /// Lines that hold code.
    pub code_lines: usize,
    /// Lexical tokens.
    pub tokens: usize,
    /// Different keywords.
    pub unique_keywords: usize,
    /// Cyclomatic complexity.
    pub complexity: usize,
}

/// Counts in `text`, with the keywords of its language.
pub fn facts(text: &str, language: Language) -> Facts {
    facts_in(text, &lex(text), language)
}

/// [`facts`], where the tokens of `text` are at hand already.
pub fn facts_in(text: &str, tokens: &[Token], language: Language) -> Facts {
    let mut lines = Lines { text: text.as_bytes(), seen: 0, line: 0, last: None, count: 0 };
    let mut facts = Facts { lines: text.lines().count(), code_lines: 0, tokens: 0, unique_keywords: 0, complexity: 1 };
    let mut seen = keywords::Seen::default();
    let mut depth = 0usize;
    // The tokens before and after one are those that are neither comments nor directives.
    let mut code = tokens.iter().filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive));
    let mut before = "";
    for token in tokens {
        match token.kind {
            Kind::Comment => continue,
            Kind::Directive => {
                for token in lex_directive(text, token).filter(|token| token.kind != Kind::Comment) {
                    lines.cover(&token);
                    facts.tokens += 1;
                }
                continue;
            }
            _ => {}
        }
        lines.cover(token);
        facts.tokens += 1;
        code.next();
        let spelling = token.spelling(text);
        match (token.kind, spelling.as_ref()) {
            (Kind::Punctuation, "{" | "<%") => depth += 1,
            (Kind::Punctuation, "}" | "%>") => depth = depth.saturating_sub(1),
            (Kind::Punctuation, "||" | "?") => facts.complexity += 1,
            (Kind::Punctuation, "&&") => {
                let mut following = code.clone().map(|token| token.text(text));
                let [next, after] = [following.next(), following.next()].map(Option::unwrap_or_default);
                facts.complexity += usize::from(is_conjunction(before, next, after, depth));
            }
            (Kind::Identifier, word) => {
                if let Some(index) = keywords::index(word, language) {
                    seen.mark(index);
                    facts.complexity += usize::from(branches(word));
                }
            }
            _ => {}
        }
        before = token.text(text);
    }
    facts.code_lines = lines.count;
    facts.unique_keywords = seen.count();
    facts
}

/// Whether a keyword opens a path of its own.
fn branches(keyword: &str) -> bool {
    matches!(keyword, "if" | "for" | "while" | "case" | "catch" | "and" | "or")
}

/// Whether `&&` joins two conditions, by the tokens around it and how many braces are open.
fn is_conjunction(before: &str, next: &str, after: &str, depth: usize) -> bool {
    const TYPES: [&str; 13] = [
        "auto", "bool", "char", "const", "double", "float", "int", "long", "short", "signed", "unsigned", "void",
        "volatile",
    ];
    // What follows one of these is an operand: `&&` begins it, as the address of a label.
    const BEFORE_OPERAND: [&str; 11] = ["", "(", "[", "{", ",", ";", "=", "?", ":", "return", "goto"];
    const AFTER_TYPE: [&str; 8] = [")", ",", "=", "...", "]", ">", ";", ""];
    let declares = after == "=" && next.starts_with(|first: char| first.is_alphabetic() || first == '_');
    // The parameters stand before the first brace.
    let is_reference = depth == 0 || before == ">" || TYPES.contains(&before) || AFTER_TYPE.contains(&next) || declares;
    !is_reference && !BEFORE_OPERAND.contains(&before)
}

/// Counts the lines that tokens stand on, in order.
struct Lines<'a> {
    text: &'a [u8],
    /// How much of the text was looked at.
    seen: usize,
    /// The line at `seen`.
    line: usize,
    /// The last line counted.
    last: Option<usize>,
    count: usize,
}

impl Lines<'_> {
    fn cover(&mut self, token: &Token) {
        let first = self.advance(token.range().start);
        let last = self.advance(token.range().end);
        let fresh = self.last.map_or(first, |counted| first.max(counted + 1));
        self.count += (last + 1).saturating_sub(fresh);
        self.last = Some(last);
    }

    /// The line of the offset `to`.
    fn advance(&mut self, to: usize) -> usize {
        self.line += memchr::memchr_iter(b'\n', &self.text[self.seen..to]).count();
        self.seen = to;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_function_is_counted() {
        let text = "/* Finds. */\nstatic int find(const char *s, int c) // here\n{\n\n  for (; *s; s++)\n    if (*s == c && c)\n      return 1;\n  return c ? 0 : 1;\n}\n";
        let wanted = Facts { lines: 9, code_lines: 7, tokens: 42, unique_keywords: 7, complexity: 5 };
        assert_eq!(facts(text, Language::C), wanted);
    }

    #[test]
    fn directives_are_lines_but_not_branches() {
        let text = "int f() {\n#if A && B /* x\n y */ && C\n#define D while\n  return 1;\n#endif\n}";
        let counted = facts(text, Language::C);
        assert_eq!((counted.code_lines, counted.complexity, counted.unique_keywords), (7, 1, 2));
    }

    #[test]
    fn every_branch_counts() {
        let complexity = |text| facts(text, Language::Cpp).complexity;
        assert_eq!(complexity(""), 1);
        assert_eq!(complexity("{ switch (x) { case 1: case 2: break; default: ; } }"), 3);
        assert_eq!(complexity("{ do { } while (x); try { } catch (...) { } }"), 3);
        assert_eq!(complexity("{ if (a and b or c || d) ; else if (e) ; }"), 6);
        assert_eq!(complexity("{ \"if ? &&\"; /* if */ }"), 1);
    }

    #[test]
    fn references_and_labels_are_no_branches() {
        let complexity = |text| facts(text, Language::Cpp).complexity;
        assert_eq!(complexity("void f(T&& t, U &&...u) { auto&& x = t; g(static_cast<T&&>(t)); T&& y = t; }"), 1);
        assert_eq!(complexity("{ void *p = &&label; goto *p; label: ; }"), 1);
        assert_eq!(complexity("{ return a && b && !c && (d) && e == f; }"), 5);
    }

    #[test]
    fn each_language_has_its_keywords() {
        assert_eq!(facts("class x; int y;", Language::C).unique_keywords, 1);
        assert_eq!(facts("class x; int y;", Language::Cpp).unique_keywords, 2);
        assert_eq!(facts("in\\\nt int", Language::C).unique_keywords, 1);
    }

    proptest! {
        #[test]
        fn lines_are_those_with_tokens(text in "[a;/*\n \"#(]{0,60}") {
            let counted = facts(&text, Language::C);
            let lines = text.split('\n').count();
            prop_assert!(counted.code_lines <= counted.lines && counted.lines <= lines);
            let stripped = crate::comments::strip(&text);
            prop_assert_eq!(counted.tokens, facts(&stripped, Language::C).tokens);
            prop_assert_eq!(counted.tokens == 0, counted.code_lines == 0);
        }
    }
}
