//! Comments: taken out of code, found before a declaration, and read as words.

mod documentation;
mod words;

use std::ops::Range;

use crate::lexer::{Kind, lex, lex_directive};

pub use documentation::{documentation_before, documentation_before_in};
pub use words::clean;

/// `text` without its comments, those inside of directives included.
///
/// Lines that held nothing but a comment go away whole, and of the blank lines around them at most one stays; a comment
/// after code goes with the space before it; one between two tokens leaves one space. Everything else stays as it was.
pub fn strip(text: &str) -> String {
    strip_with(text, &mut [])
}

/// As [`strip`]; each mark is an offset of the text and becomes that of the same place in the result. A place that is left
/// out becomes the end of what stands before it.
pub fn strip_with(text: &str, marks: &mut [usize]) -> String {
    let mut stripped = String::with_capacity(text.len());
    let mut kept = 0;
    let mut moved = marks.to_vec();
    let carry = |moved: &mut [usize], part: Range<usize>, at: usize| {
        for (mark, moved) in marks.iter().zip(moved).filter(|(mark, _)| **mark >= part.start) {
            *moved = at + (*mark - part.start).min(part.len());
        }
    };
    for comment in runs(text) {
        carry(&mut moved, kept..comment.start, stripped.len());
        stripped.push_str(&text[kept..comment.start]);
        let after = comment.end + blanks(&text[comment.end..]);
        let code_follows = !at_line_end(&text[after..]);
        let before = stripped.trim_end_matches(is_blank).len();
        let code_precedes = !(before == 0 || stripped[..before].ends_with('\n'));
        kept = match (code_precedes, code_follows) {
            (true, true) => {
                if !stripped.ends_with(is_blank) && after == comment.end {
                    stripped.push(' ');
                }
                if stripped.ends_with(is_blank) { after } else { comment.end }
            }
            (false, true) => {
                if before == stripped.len() && before_splice(&stripped).is_some() {
                    stripped.push(' ');
                }
                after
            }
            (true, false) => {
                stripped.truncate(before);
                after
            }
            (false, false) => {
                stripped.truncate(before);
                drop_lines(text, &mut stripped, after)
            }
        };
        moved.iter_mut().for_each(|mark| *mark = (*mark).min(stripped.len()));
    }
    carry(&mut moved, kept..text.len(), stripped.len());
    stripped.push_str(&text[kept..]);
    marks.copy_from_slice(&moved);
    stripped
}

/// Ends a line of which only a comment is gone, at `after` in `text`; returns where the text goes on.
fn drop_lines(text: &str, stripped: &mut String, after: usize) -> usize {
    // The last line of a directive: without the comment, the splice before it would reach for the next line.
    let mut is_continuation = false;
    while let Some(length) = before_splice(stripped) {
        stripped.truncate(length);
        is_continuation = true;
    }
    if is_continuation && !stripped.is_empty() {
        return after;
    }
    let mut kept = after_line_end(text, after);
    let blank_before = stripped.is_empty() || stripped.ends_with("\n\n") || stripped.ends_with("\n\r\n");
    while blank_before && kept < text.len() {
        let end = kept + blanks(&text[kept..]);
        if !at_line_end(&text[end..]) {
            break;
        }
        kept = after_line_end(text, end);
    }
    kept
}

/// The length of `text` without the line splice it ends in and the blanks before that, if it does end in one.
fn before_splice(text: &str) -> Option<usize> {
    let line = text.strip_suffix('\n')?.trim_end_matches([' ', '\t', '\r', '\x0c']);
    Some(line.strip_suffix('\\')?.trim_end_matches(is_blank).len())
}

/// The places of all comments; those with nothing but blanks between them are one.
fn runs(text: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut add = |range: Range<usize>| match runs.last_mut() {
        Some(last) if text[last.end..range.start].chars().all(is_blank) => last.end = range.end,
        _ => runs.push(range),
    };
    for token in lex(text) {
        match token.kind {
            Kind::Comment => add(token.range()),
            Kind::Directive => lex_directive(text, &token)
                .filter(|token| token.kind == Kind::Comment)
                .for_each(|token| add(token.range())),
            _ => {}
        }
    }
    runs
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// How many bytes of blanks `text` starts with.
fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_blank).len()
}

fn at_line_end(text: &str) -> bool {
    text.is_empty() || text.starts_with('\n') || text.starts_with("\r\n")
}

/// The offset after the line end at `at`.
fn after_line_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')).unwrap_or(rest);
    text.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::lexer::Token;

    #[test]
    fn a_place_is_found_again() {
        let text = "/* a */ int f(void) // b\n{ /* c */ return 1; }  /* d */\n\n// e\n\nint x; /* f */";
        let mut marks = ["int f", "return", "  /* d", "int x"].map(|part| text.find(part).unwrap());
        let stripped = strip_with(text, &mut marks);
        assert_eq!(stripped, strip(text));
        assert_eq!(&stripped[marks[0]..marks[2]], "int f(void)\n{ return 1; }");
        assert!(stripped[marks[1]..].starts_with("return 1") && stripped[marks[3]..].starts_with("int x;"));
    }

    #[test]
    fn comments_leave_tidy_lines() {
        for (text, wanted) in [
            ("a/**/b", "a b"),
            ("a /* x */ b", "a b"),
            ("f(/* x */ 1, /* y */ 2);", "f( 1, 2);"),
            ("a; // x\nb;", "a;\nb;"),
            ("a; /* x */\r\nb;", "a;\r\nb;"),
            ("a;\n  /* x\n   */\n  b;\n", "a;\n  b;\n"),
            ("  /* x */ b;", "  b;"),
            ("a;\n\n// x\n// y\n\nb;\n", "a;\n\nb;\n"),
            ("// x\n\nb;\n", "b;\n"),
            ("a; /* x\n*/ b;", "a; b;"),
            ("\"/* x */\" '\\'' // y", "\"/* x */\" '\\''"),
            ("R\"(\n// x\n)\"", "R\"(\n// x\n)\""),
            ("#define A /* x\n y */ 1 // z\nb", "#define A 1\nb"),
            ("a /* x */ /* y */ b", "a b"),
            ("// only", ""),
        ] {
            assert_eq!(strip(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn a_directive_that_ends_in_a_comment_does_not_swallow_the_next_line() {
        assert_eq!(strip("#define A \\\n  1 \\\n  /* x */\nint b;\n"), "#define A \\\n  1\nint b;\n");
        assert_eq!(strip("#define A \\\n  // x\nint b;\n"), "#define A\nint b;\n");
    }

    fn spelled(text: &str) -> Vec<String> {
        let inner = |token: Token| {
            if token.kind == Kind::Directive { lex_directive(text, &token).collect() } else { vec![token] }
        };
        let tokens = lex(text).into_iter().flat_map(inner);
        tokens.filter(|token| token.kind != Kind::Comment).map(|token| token.spelling(text).into_owned()).collect()
    }

    proptest! {
        #[test]
        fn only_comments_go(pieces in proptest::collection::vec(proptest::sample::select(vec![
            "/* x */", "/**/", "// y\n", "/* a\n b */", "// z \\\n z\n", "\n", "\r\n", " ", "\t", "a", "b", "+", "/", "#", "\"s\"", "\\\n", "# define ",
            "R\"(\n/* no */\n)\"",
        ]), 0..40)) {
            let text = pieces.concat();
            let stripped = strip(&text);
            prop_assert_eq!(spelled(&stripped), spelled(&text));
            prop_assert!(runs(&stripped).is_empty() && stripped.len() <= text.len());
            prop_assert_eq!(strip(&stripped), stripped.clone());
        }
    }
}
