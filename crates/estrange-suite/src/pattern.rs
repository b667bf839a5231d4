//! Patterns of a project file: text in which `*` stands for anything, and `{test}` for a test's name.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What stands for a test's name in a pattern.
pub const TEST: &str = "{test}";

/// A text that a whole line or name must be like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pattern(String);

impl Pattern {
    /// The pattern that is written so.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The pattern as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it has a place for a test's name, and only one.
    pub fn names_a_test(&self) -> bool {
        self.0.matches(TEST).count() == 1
    }

    /// Whether the whole text is like it.
    pub fn matches(&self, text: &str) -> bool {
        is_like(&self.0, text)
    }

    /// The name that stands in the text in the place of `{test}`: the shortest that there can be.
    pub fn test_in<'a>(&self, text: &'a str) -> Option<&'a str> {
        let (before, after) = self.0.split_once(TEST)?;
        let places = || text.char_indices().map(|(at, _)| at).chain([text.len()]);
        for start in places().filter(|&start| is_like(before, &text[..start])) {
            let mut ends = places().filter(|&end| end > start);
            if let Some(end) = ends.find(|&end| is_like(after, &text[end..])) {
                return Some(&text[start..end]);
            }
        }
        None
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Whether the whole text is like the pattern, where `*` stands for anything. It goes back to the last `*` only, and so
/// takes no longer than the product of the lengths.
fn is_like(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut from, mut again) = (0, 0, None);
    while from < text.len() {
        if pattern.get(at) == Some(&b'*') {
            again = Some((at, from));
            at += 1;
        } else if pattern.get(at) == Some(&text[from]) {
            at += 1;
            from += 1;
        } else if let Some((star, reached)) = again {
            at = star + 1;
            from = reached + 1;
            again = Some((star, from));
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_anything_and_the_rest_is_itself() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abbcd", false),
            ("*b*b", "abcb", true),
            ("inflate*", "inflateInit", true),
            ("inflate", "inflateInit", false),
            ("", "x", false),
        ] {
            assert_eq!(Pattern::new(pattern).matches(text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn a_name_is_what_stands_in_its_place() {
        assert_eq!(Pattern::new("PASS: {test}").test_in("PASS: one two"), Some("one two"));
        assert_eq!(Pattern::new("{test}: ok*").test_in("a: ok, b: ok"), Some("a"));
        assert_eq!(Pattern::new("*] {test} (*)").test_in("[ OK ] X.y (3 ms)"), Some("X.y"));
        assert_eq!(Pattern::new("PASS: {test}").test_in("FAIL: one"), None);
        assert_eq!(Pattern::new("PASS: {test}").test_in("PASS: "), None);
    }
}
