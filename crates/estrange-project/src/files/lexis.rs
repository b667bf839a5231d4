//! C's lexical surface, as far as a look at a file needs it: comments and strings blanked, lines, words.

/// The content with comments and the insides of string and character literals turned into spaces. Line breaks stay,
/// and so does the file's length. The name of an `#include "…"` stays readable.
pub fn blank(content: &[u8]) -> Vec<u8> {
    let mut out = content.to_vec();
    let mut at = 0;
    let mut line_start = 0;
    while at < out.len() {
        let rest = &content[at..];
        let end = match rest {
            [b'\n', ..] => {
                line_start = at + 1;
                at += 1;
                continue;
            }
            [b'/', b'*', ..] => at + 2 + find(&rest[2..], b"*/").map_or(rest.len() - 2, |found| found + 2),
            [b'/', b'/', ..] => at + line_comment_length(rest),
            [b'"', ..] if is_include(&content[line_start..at]) => {
                at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                continue;
            }
            [b'"', ..] if ends_raw_prefix(&content[line_start..at]) => at + raw_string_length(rest),
            [b'"', ..] => at + literal_length(rest, b'"'),
            // A digit separator (1'000) or the end of a word is no character literal.
            [b'\'', ..] if at == 0 || !content[at - 1].is_ascii_alphanumeric() => at + literal_length(rest, b'\''),
            _ => {
                at += 1;
                continue;
            }
        };
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        if let Some(last) = content[at..end].iter().rposition(|&byte| byte == b'\n') {
            line_start = at + last + 1;
        }
        at = end;
    }
    out
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// Up to the line break that ends it; a backslash before the break carries it on.
fn line_comment_length(rest: &[u8]) -> usize {
    let mut length = 0;
    while length < rest.len() {
        match rest[length] {
            b'\n' => break,
            b'\\' => length += 2,
            _ => length += 1,
        }
    }
    length.min(rest.len())
}

/// Up to and with the closing quote; an unclosed literal ends with its line.
fn literal_length(rest: &[u8], quote: u8) -> usize {
    let mut length = 1;
    while length < rest.len() {
        match rest[length] {
            b'\n' => break,
            b'\\' => length += 2,
            byte if byte == quote => return length + 1,
            _ => length += 1,
        }
    }
    length.min(rest.len())
}

/// `"delimiter( … )delimiter"`.
fn raw_string_length(rest: &[u8]) -> usize {
    let Some(open) = rest.iter().take(18).position(|&byte| byte == b'(') else {
        return literal_length(rest, b'"');
    };
    let mut close = vec![b')'];
    close.extend_from_slice(&rest[1..open]);
    close.push(b'"');
    find(&rest[open..], &close).map_or(rest.len(), |found| open + found + close.len())
}

fn ends_raw_prefix(before: &[u8]) -> bool {
    let start = before.iter().rposition(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').map_or(0, |at| at + 1);
    matches!(&before[start..], b"R" | b"LR" | b"uR" | b"UR" | b"u8R")
}

fn is_include(before: &[u8]) -> bool {
    let Some(directive) = before.trim_ascii().strip_prefix(b"#") else { return false };
    matches!(directive.trim_ascii_start(), b"include" | b"include_next" | b"import")
}

/// The lines of a text, without their breaks.
pub struct Lines<'a>(std::slice::Split<'a, u8, fn(&u8) -> bool>);

impl<'a> Lines<'a> {
    /// The lines of `text`.
    pub fn of(text: &'a [u8]) -> Self {
        Self(text.split(|byte| *byte == b'\n'))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.0.next().map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }
}

/// The identifiers, keywords and numbers of a line, in order.
pub fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    words_in_place(line).map(|(_, word, _)| word)
}

/// Each word of a line, between what stands before it and what stands after it.
pub fn words_in_place(line: &[u8]) -> impl Iterator<Item = (&[u8], &[u8], &[u8])> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].iter().position(is_part)?;
        let end = line[start..].iter().position(|byte| !is_part(byte)).map_or(line.len(), |length| start + length);
        at = end;
        Some((&line[..start], &line[start..end], &line[end..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blanked(text: &str) -> String {
        String::from_utf8(blank(text.as_bytes())).unwrap()
    }

    #[test]
    fn comments_and_literals_go_and_lines_stay() {
        assert_eq!(blanked("a /* x\ny */ b"), "a     \n     b");
        assert_eq!(blanked("a // x \\\n y\nb"), "a       \n  \nb");
        assert_eq!(blanked(r#"f("x\"y", 'z')"#), r#"f(      ,    )"#);
        assert_eq!(blanked("s = R\"(a\" // )\" + b"), "s = R           + b");
        assert_eq!(blanked("n = 1'000'000;"), "n = 1'000'000;");
        assert_eq!(blanked("# include \"a.h\""), "# include \"a.h\"");
        assert_eq!(blanked("char c = '\"'; int x;"), "char c =    ; int x;");
    }

    proptest::proptest! {
        #[test]
        fn blanking_keeps_length_and_line_breaks(bytes: Vec<u8>) {
            let out = blank(&bytes);
            proptest::prop_assert_eq!(out.len(), bytes.len());
            let breaks = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
            proptest::prop_assert_eq!(breaks(&out), breaks(&bytes));
        }
    }
}
