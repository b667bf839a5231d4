//! Patterns of messages: plain text with holes in it.
//!
//! A pattern stands for every message that begins with it. Its holes are `{}` for anything, `{name}` for anything without a
//! quote, `{namespace}` for a name without capitals, and `{pointer}`, `{integer}`, `{array}`, `{function}`, `{other}` for a type of that kind, or for one that is neither a pointer
//! nor an integer.

use crate::types::{is_array, is_function, is_integer, is_pointer};

/// Whether a message is as the pattern says.
pub fn fits(pattern: &str, message: &str) -> bool {
    capture(pattern, message).is_some()
}

/// What the first hole of a pattern stands for, if the message is as the pattern says.
pub fn capture<'m>(pattern: &str, message: &'m str) -> Option<&'m str> {
    let (text, rest) = pattern.split_once('{').unwrap_or((pattern, ""));
    let message = message.strip_prefix(text)?;
    let Some((kind, rest)) = rest.split_once('}') else { return Some("") };
    if rest.is_empty() {
        return accepts(kind, message).then_some(message);
    }
    let literal = rest.split('{').next().unwrap_or_default();
    let mut ends = message.match_indices(literal).map(|(at, _)| at);
    ends.find(|&end| accepts(kind, &message[..end]) && fits(rest, &message[end..])).map(|end| &message[..end])
}

fn accepts(kind: &str, text: &str) -> bool {
    match kind {
        "" => true,
        _ if text.contains('\'') => false,
        "pointer" => is_pointer(text),
        "integer" => is_integer(text),
        "array" => is_array(text),
        "function" => is_function(text),
        "namespace" => text.chars().all(|c| matches!(c, ':' | '_') || c.is_ascii_digit() || c.is_lowercase()),
        "other" => !is_pointer(text) && !is_integer(text),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_stand_for_what_they_say() {
        assert!(fits("expected ';'", "expected ';' before 'x'"));
        assert!(!fits("expected ';'", "expected ')'"));
        assert_eq!(capture("'{name}' undeclared", "'x' undeclared (first use)"), Some("x"));
        assert_eq!(capture("{}'{name}' is", "this 'x' is"), Some("this "));
        assert!(fits("from '{integer}' to '{pointer}'", "from 'int' to 'char *'"));
        assert!(!fits("from '{integer}' to '{pointer}'", "from 'char *' to 'int'"));
        assert!(fits("{}at end of input", "expected ';' at end of input"));
        assert!(!fits("{}at end of input", "expected ';' at end"));
        assert!(fits("to '{other}'", "to 'double'"));
    }
}
