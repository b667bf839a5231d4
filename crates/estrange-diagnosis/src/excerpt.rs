//! How a line of the source uses a name, and whether its parentheses are even.

use crate::diagnostic::Excerpt;

/// What a name is used as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Use {
    /// It is called.
    Call,
    /// It stands where a type stands.
    Type,
    /// It is a value.
    Value,
}

/// Words before a name that is a type.
const BEFORE_TYPES: &[&str] = &[
    "new",
    "struct",
    "class",
    "union",
    "enum",
    "typename",
    "const",
    "static",
    "inline",
    "constexpr",
    "unsigned",
    "throw",
    "volatile",
    "extern",
    "public",
    "protected",
    "private",
    "friend",
    "register",
];

impl Excerpt {
    /// What a name is used as, where the caret points or as near to it as the name is found.
    pub fn usage(&self, name: &str) -> Use {
        let name = name.rsplit("::").next().unwrap_or(name);
        let caret = self.caret.unwrap_or(0);
        let places = self.text.match_indices(name).filter(|(at, _)| is_whole(&self.text, *at, name.len()));
        let at = places.map(|(at, _)| at).min_by_key(|at| self.text[..*at].chars().count().abs_diff(caret));
        at.map_or(Use::Value, |at| usage(&self.text[..at], &self.text[at + name.len()..]))
    }

    /// How many parentheses are opened and not closed; less than none if more are closed.
    pub fn open_parentheses(&self) -> i32 {
        let mut open = 0;
        let mut letters = self.text.chars();
        let mut quote = None;
        while let Some(letter) = letters.next() {
            match (quote, letter) {
                (Some(_), '\\') => drop(letters.next()),
                (Some(end), letter) if letter == end => quote = None,
                (None, '"' | '\'') => quote = Some(letter),
                (None, '(') => open += 1,
                (None, ')') => open -= 1,
                _ => {}
            }
        }
        open
    }

    /// What stands before the caret, and what from there on.
    pub fn pointed_at(&self) -> (&str, &str) {
        let at = self.caret.and_then(|caret| self.text.char_indices().nth(caret)).map_or(self.text.len(), |(at, _)| at);
        self.text.split_at(at)
    }

    /// Whether the caret points behind the last letter of the line.
    pub fn is_at_end(&self) -> bool {
        self.caret.is_some_and(|caret| caret >= self.text.trim_end().chars().count())
    }
}

/// Whether no letter of a name stands before or behind.
fn is_whole(text: &str, at: usize, length: usize) -> bool {
    !text[..at].ends_with(is_letter) && !text[at + length..].starts_with(is_letter)
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// What a name is used as that stands between these texts.
fn usage(before: &str, behind: &str) -> Use {
    let before = unqualified(before);
    let word = before.rsplit(|c| !is_letter(c)).next().unwrap_or_default();
    let is_type_before = BEFORE_TYPES.contains(&word);
    let after = behind.trim_start();
    if let Some(arguments) = after.strip_prefix('<').and_then(behind_brackets) {
        let is_call = arguments.trim_start().starts_with('(') && !is_type_before;
        return if is_call { Use::Call } else { Use::Type };
    }
    if is_type_before || after.starts_with("::") || after.starts_with('{') && behind.starts_with('{') {
        return Use::Type;
    }
    if after.starts_with('(') {
        return Use::Call;
    }
    if behind.starts_with(char::is_whitespace) && after.starts_with(is_letter) {
        return if matches!(after.split(|c| !is_letter(c)).next(), Some("and" | "or")) {
            Use::Value
        } else {
            Use::Type
        };
    }
    let is_argument_of_cast = before.ends_with("sizeof(") || before.ends_with("alignof(");
    let is_in_brackets = before.ends_with('<') && after.trim_start_matches(['*', '&', ' ']).starts_with('>');
    if is_argument_of_cast || is_in_brackets {
        return Use::Type;
    }
    let stars = after.trim_start_matches(['*', '&', ' ']);
    let has_stars = stars.len() < after.len();
    let begins = before.is_empty() || before.ends_with([';', '{', '}']);
    match stars.chars().next() {
        // A cast: nothing is called with it.
        Some(')') if before.ends_with('(') => {
            let outside = before[..before.len() - 1].trim_end();
            let operand = stars[1..].trim_start();
            let is_cast = !outside.ends_with(is_letter) || outside.ends_with("return");
            let is_followed = operand.starts_with(|c: char| is_letter(c) || matches!(c, '(' | '&' | '*' | '"'));
            if is_cast && (has_stars || is_followed) { Use::Type } else { Use::Value }
        }
        Some(')' | ',') if has_stars => Use::Type,
        Some(letter) if has_stars && is_letter(letter) => {
            let is_product = behind.starts_with(' ') && after[1..].starts_with(' ');
            let is_parameter = before.ends_with(['(', ',']) && !is_product;
            if begins || is_parameter { Use::Type } else { Use::Value }
        }
        _ => Use::Value,
    }
}

/// A text without a qualification at its end, and without the blanks before that.
fn unqualified(before: &str) -> &str {
    let mut before = before.trim_end();
    while let Some(outer) = before.strip_suffix("::") {
        before = outer.trim_end_matches(is_letter).trim_end();
    }
    before
}

/// What stands behind the bracket that closes one that is open.
fn behind_brackets(text: &str) -> Option<&str> {
    let mut depth = 1;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            ';' | '{' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[at + 1..]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Excerpt {
        Excerpt { text: text.to_owned(), caret: None }
    }

    #[test]
    fn a_name_is_called_or_a_type_or_a_value() {
        for text in ["  X(1);", "return a + b::X (2);", "auto a = std::X<B<int>>(c);", "if (!X(a)) {"] {
            assert_eq!(line(text).usage("X"), Use::Call, "{text}");
        }
        let types = [
            "  X a;",
            "X *a = b;",
            "X<int> a;",
            "new X(1)",
            "(X *)a",
            "f(X *a)",
            "f(a, const X &b)",
            "X::a()",
            "(X)a",
            "static_cast<X *>(a)",
            "sizeof(X)",
            "throw std::X(\"a\");",
            "return X{1};",
            "const std::X &a = b;",
            "List<X> a;",
        ];
        for text in types {
            assert_eq!(line(text).usage("X"), Use::Type, "{text}");
        }
        for text in
            ["a = X;", "a + X * b", "f(X)", "f(a, X * b)", "if (X < b)", "X = 1;", "return X;", "if (X)", "X[1] << a"]
        {
            assert_eq!(line(text).usage("X"), Use::Value, "{text}");
        }
    }

    #[test]
    fn parentheses_are_counted_outside_of_quotes() {
        assert_eq!(line("if ((a) \"(\\\"(\" ')' {").open_parentheses(), 1);
        assert_eq!(line("a));").open_parentheses(), -2);
    }
}
