//! Where a function stands in its unit.

use estrange_text::lexer::{Kind, Token, lex};

/// The first and last line, counted from 1, of the last place where the unit has the function's tokens. White space and
/// comments do not count: a unit may be laid out otherwise.
pub fn lines(unit: &str, function: &str) -> Option<(usize, usize)> {
    let code = |text: &str| lex(text).into_iter().filter(|token| token.kind != Kind::Comment).collect::<Vec<Token>>();
    let (haystack, needle) = (code(unit), code(function));
    if needle.is_empty() {
        return None;
    }
    let same = |(one, other): (&Token, &Token)| one.kind == other.kind && one.text(unit) == other.text(function);
    let place = haystack.windows(needle.len()).rposition(|window| window.iter().zip(&needle).all(same))?;
    let line = |offset: usize| unit[..offset].matches('\n').count() + 1;
    Some((line(haystack[place].range().start), line(haystack[place + needle.len() - 1].range().end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_found_whatever_the_layout() {
        let unit = "int f(void);\n\nint g(void) { return 1; }\n\nint\nf(void) // here\n{\n  return g();\n}\n";
        assert_eq!(lines(unit, "int f(void) { return g(); }"), Some((5, 9)));
        assert_eq!(lines(unit, "int g(void) { return 1; }"), Some((3, 3)));
        assert_eq!(lines(unit, "int h(void);"), None);
        assert_eq!(lines(unit, " /* nothing */ "), None);
        assert_eq!(lines("", "x"), None);
    }
}
