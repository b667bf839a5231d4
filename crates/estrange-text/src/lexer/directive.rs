//! What a directive says: its name, and the macro it defines.

use std::ops::Range;

use super::{Kind, Token, lex_body, without_splices};

/// The names of all directives, for a name that line splices cut apart.
const NAMES: [&str; 20] = [
    "assert",
    "define",
    "elif",
    "elifdef",
    "elifndef",
    "else",
    "embed",
    "endif",
    "error",
    "ident",
    "if",
    "ifdef",
    "ifndef",
    "import",
    "include",
    "include_next",
    "line",
    "pragma",
    "undef",
    "warning",
];

/// What a `#define` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MacroParts<'a> {
    /// The macro's name.
    pub name: &'a str,
    /// Its parameters, if it takes arguments; the last may be `...` or, as gcc allows, `name...`.
    pub parameters: Option<Vec<&'a str>>,
    /// Its body within the directive's text, without comments and white space around it; empty where it has none.
    pub body: Range<usize>,
}

/// The name of the directive that `directive` is the whole text of: `define`, `include`, …; empty where it has none,
/// as `#` alone and the line markers of preprocessed text.
pub fn directive_name(directive: &str) -> &str {
    let Some(name) = words(directive).next().filter(|token| token.kind == Kind::Identifier) else { return "" };
    let spelled = name.spelling(directive);
    NAMES.into_iter().find(|&known| known == spelled).unwrap_or_else(|| name.text(directive))
}

/// The macro that a `#define` or `#undef` names. A name with a line splice inside comes out with it.
pub fn macro_name(directive: &str) -> Option<&str> {
    if !matches!(directive_name(directive), "define" | "undef") {
        return None;
    }
    words(directive).nth(1).filter(|token| token.kind == Kind::Identifier).map(|token| token.text(directive))
}

/// Whether headers look at a macro of this name, which changes what they provide.
pub fn is_feature_macro(name: &str) -> bool {
    name == "NDEBUG"
        || name.starts_with("__STDC_")
        || (name.starts_with('_') && ["_SOURCE", "_BITS", "_API"].iter().any(|end| name.ends_with(end)))
}

/// The parts of a `#define`; nothing if it is another directive or not well formed.
pub fn macro_parts(directive: &str) -> Option<MacroParts<'_>> {
    if directive_name(directive) != "define" {
        return None;
    }
    // Comments are kept until it is known whether the `(` stands right after the name.
    let mut tokens = tokens(directive).skip_while(|token| token.kind == Kind::Comment).skip(1);
    let name = tokens.find(|token| token.kind != Kind::Comment)?;
    if name.kind != Kind::Identifier {
        return None;
    }
    let rest: Vec<Token> = tokens.collect();
    let touches = |token: &&Token| without_splices(&directive[name.range().end..token.range().start]).is_empty();
    let takes_arguments = rest.first().filter(touches).is_some_and(|token| token.text(directive) == "(");
    let mut rest = rest.into_iter().filter(|token| token.kind != Kind::Comment);
    let parameters = if takes_arguments { Some(parameters(directive, rest.by_ref().skip(1))?) } else { None };
    let mut body = directive.len()..directive.len();
    for token in rest {
        body = body.start.min(token.range().start)..token.range().end;
    }
    Some(MacroParts { name: name.text(directive), parameters, body })
}

/// The names between a macro's parentheses, the closing one consumed; nothing if they are no list of names.
fn parameters(directive: &str, tokens: impl Iterator<Item = Token>) -> Option<Vec<&str>> {
    let mut names: Vec<Range<usize>> = Vec::new();
    let mut expects_name = true;
    for token in tokens {
        match token.spelling(directive).as_ref() {
            ")" if !expects_name || names.is_empty() => {
                return Some(names.into_iter().map(|range| &directive[range]).collect());
            }
            "," if !expects_name => expects_name = true,
            "..." if expects_name => {
                names.push(token.range());
                expects_name = false;
            }
            "..." => names.last_mut()?.end = token.range().end,
            _ if token.kind == Kind::Identifier && expects_name => {
                names.push(token.range());
                expects_name = false;
            }
            _ => return None,
        }
    }
    None
}

/// The tokens of a directive after its `#`.
fn tokens(directive: &str) -> impl Iterator<Item = Token> {
    lex_body(directive).into_iter().skip(1)
}

/// The same without comments.
fn words(directive: &str) -> impl Iterator<Item = Token> {
    tokens(directive).filter(|token| token.kind != Kind::Comment)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(directive: &str) -> Option<(&str, Option<Vec<&str>>, &str)> {
        macro_parts(directive).map(|parts| (parts.name, parts.parameters, &directive[parts.body]))
    }

    #[test]
    fn a_directive_has_a_name() {
        for (directive, name) in [
            ("#define X", "define"),
            ("# /* a */ include <x.h>", "include"),
            ("%:\\\n undef X", "undef"),
            ("#def\\\nine X", "define"),
            ("#", ""),
            ("# 1 \"x.c\"", ""),
            ("#unknown", "unknown"),
        ] {
            assert_eq!(directive_name(directive), name);
        }
    }

    #[test]
    fn a_definition_names_its_macro() {
        assert_eq!(macro_name("# define /* c */ X(y) z"), Some("X"));
        assert_eq!(macro_name("#undef X"), Some("X"));
        assert_eq!(macro_name("#ifdef X"), None);
        assert_eq!(macro_name("#define"), None);
        assert_eq!(macro_name("#define 1"), None);
    }

    #[test]
    fn a_definition_has_parts() {
        assert_eq!(parts("#define X"), Some(("X", None, "")));
        assert_eq!(parts("#define X (a) /* b */"), Some(("X", None, "(a)")));
        assert_eq!(parts("#define X/**/(a)"), Some(("X", None, "(a)")));
        assert_eq!(parts("#define X() // none"), Some(("X", Some(vec![]), "")));
        assert_eq!(parts("#define X\\\n( a , b ) a /* c */ ## b"), Some(("X", Some(vec!["a", "b"]), "a /* c */ ## b")));
        assert_eq!(parts("#define X(a, ...) #a"), Some(("X", Some(vec!["a", "..."]), "#a")));
        assert_eq!(parts("#define X(rest...) rest"), Some(("X", Some(vec!["rest..."]), "rest")));
        for broken in
            ["#define", "#define X(", "#define X(a b)", "#define X(a,)", "#define X(,)", "#undef X", "#define X(1)"]
        {
            assert_eq!(parts(broken), None, "{broken}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[#%:]{0,2} ?(define)?[a-z(),./* \\\\\n\"é]{0,20}") {
            directive_name(&text);
            macro_name(&text);
            if let Some(parts) = macro_parts(&text) {
                prop_assert!(text.get(parts.body).is_some());
            }
        }
    }
}
