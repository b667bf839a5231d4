//! The strings that the preprocessor may have made of a unit's own words: what `#x` gives for the arguments in it.
//!
//! A letter alone in a string says nothing (`%s`), but in one of these it is a name: `assert(n > 0)` leaves `n > 0`.

use std::collections::{HashMap, HashSet};

use estrange_text::lexer::{Kind, Token, lex, lex_body, macro_parts};

/// A part of what a macro puts together to one string.
enum Piece {
    Written(String),
    /// A parameter, by its number.
    Parameter(usize),
}

/// Every string that is an argument somewhere in `unit`, or that a macro of its makes of one, unless it is also written
/// there as a string.
pub(crate) fn stringised(unit: &str) -> HashSet<String> {
    let tokens = lex(unit);
    let macros: HashMap<&str, Vec<Vec<Piece>>> = tokens
        .iter()
        .filter(|token| token.kind == Kind::Directive)
        .filter_map(|token| strings_of_macro(token.text(unit)))
        .collect();
    let code: Vec<Token> =
        tokens.into_iter().filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive)).collect();
    let mut made = HashSet::new();
    for (at, pair) in code.windows(2).enumerate() {
        if pair[0].kind != Kind::Identifier || pair[1].text(unit) != "(" {
            continue;
        }
        let arguments = arguments(unit, &code[at + 2..]);
        for run in macros.get(pair[0].text(unit)).into_iter().flatten() {
            let parts = run.iter().map(|piece| match piece {
                Piece::Written(text) => text.as_str(),
                Piece::Parameter(number) => arguments.get(*number).map_or("", String::as_str),
            });
            made.insert(parts.collect::<String>());
        }
        made.extend(arguments);
    }
    for token in code.iter().filter(|token| token.kind == Kind::String) {
        made.remove(content(token.text(unit)));
    }
    made
}

/// The texts of the arguments before the parenthesis that closes, as the preprocessor writes them into a string.
fn arguments(unit: &str, tokens: &[Token]) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut depth = 0_usize;
    let mut end = None;
    for token in tokens {
        let text = token.text(unit);
        match text {
            ")" if depth == 0 => return all,
            "," if depth == 0 => {
                all.push(String::new());
                end = None;
                continue;
            }
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(argument) = all.last_mut() {
            if end.is_some_and(|end| end < token.start) {
                argument.push(' ');
            }
            argument.push_str(text);
        }
        end = Some(token.end);
    }
    Vec::new()
}

/// What a macro puts together to strings of which its arguments are a part.
fn strings_of_macro(directive: &str) -> Option<(&str, Vec<Vec<Piece>>)> {
    let parts = macro_parts(directive)?;
    let parameters = parts.parameters?;
    let body = &directive[parts.body];
    let mut runs: Vec<Vec<Piece>> = Vec::new();
    let mut run: Vec<Piece> = Vec::new();
    let mut after_sign = false;
    for token in lex_body(body) {
        let text = token.text(body);
        let parameter = parameters.iter().position(|name| *name == text);
        match (token.kind, parameter) {
            (Kind::Comment, _) => continue,
            (Kind::String, _) => run.push(Piece::Written(content(text).to_owned())),
            (Kind::Identifier, Some(number)) if after_sign => run.push(Piece::Parameter(number)),
            _ if text == "#" => {}
            _ => runs.push(std::mem::take(&mut run)),
        }
        after_sign = text == "#";
    }
    runs.push(run);
    runs.retain(|run| run.iter().any(|piece| matches!(piece, Piece::Parameter(_))));
    (!runs.is_empty()).then_some((parts.name, runs))
}

/// What stands between the quotes of a string.
fn content(literal: &str) -> &str {
    let inner = literal.split_once('"').map_or(literal, |(_, inner)| inner);
    inner.strip_suffix('"').unwrap_or(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_a_string_is_known() {
        let unit = "#include <assert.h>\n#define CHECK(c, m) if (!(c)) die(\"bad: \" #c \"!\", m)\n\
                    int f(int n, char *s) { assert(n  > 0); CHECK(n <3, \"s\"); printf(\"%s\", s); return g(s, \"n\"); }\n";
        let made = stringised(unit);
        for string in ["n > 0", "bad: n <3!", "s", "int n"] {
            assert_eq!(made.contains(string), string != "s", "{string}: {made:?}");
        }
        assert!(!made.contains("%s") && !made.contains("n"), "{made:?}");
        assert!(stringised("f(").is_empty() && stringised("#define X(a #a\nX(").is_empty());
    }
}
