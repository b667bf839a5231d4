//! The identifiers of a text, those inside of directives included, each with where it stands.

use std::collections::HashSet;

use estrange_text::lexer::{Kind, Token, directive_name, lex, lex_directive, macro_parts};

use crate::attributes::Attributes;

/// An identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub(crate) token: Token,
    pub(crate) place: Context,
}

/// Where an identifier stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    /// In the code itself.
    Code,
    /// Where `#define` or `#undef` names a macro.
    MacroName,
    /// A parameter of a macro, in its list or its body.
    MacroParameter,
    /// In the body of a macro.
    MacroBody,
    /// Where `#if` or `#ifdef` asks for a macro.
    Condition,
    /// The name of an attribute, or a word that only it knows.
    Attribute,
}

/// The identifiers of a text in order.
pub(crate) fn occurrences(text: &str) -> Vec<Occurrence> {
    let mut found = Vec::new();
    let mut attributes = Attributes::default();
    for token in lex(text) {
        match token.kind {
            Kind::Directive => directive(text, &token, &mut found),
            Kind::Comment => {}
            Kind::Identifier => {
                let place = if attributes.owns_next() { Context::Attribute } else { Context::Code };
                attributes.pass(token.text(text));
                found.push(Occurrence { token, place });
            }
            _ => attributes.pass(token.text(text)),
        }
    }
    found
}

fn directive(text: &str, directive: &Token, found: &mut Vec<Occurrence>) {
    let whole = directive.text(text);
    let name = directive_name(whole);
    if matches!(
        name,
        "include" | "include_next" | "import" | "embed" | "pragma" | "line" | "error" | "warning" | "ident"
    ) {
        return;
    }
    let parts = macro_parts(whole);
    let named = parts.iter().flat_map(|parts| parts.parameters.iter().flatten());
    let parameters: HashSet<&str> = named.map(|name| name.trim_end_matches('.').trim_end()).collect();
    let body = parts.as_ref().map_or(0, |parts| parts.body.start);
    // The word after the `#` is the directive's own.
    let words = lex_directive(text, directive).filter(|token| token.kind == Kind::Identifier).skip(1);
    let mut attributes = Attributes::default();
    for (number, token) in words.enumerate() {
        let spelled = token.spelling(text);
        let place = match name {
            "define" | "undef" if number == 0 => Context::MacroName,
            _ if parameters.contains(spelled.as_ref()) => Context::MacroParameter,
            "define" if (token.start - directive.start) as usize >= body => {
                if attributes.owns_next() {
                    Context::Attribute
                } else {
                    Context::MacroBody
                }
            }
            _ if spelled == "defined" => continue,
            "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" => Context::Condition,
            _ => Context::Code,
        };
        attributes.pass(&spelled);
        found.push(Occurrence { token, place });
    }
}
