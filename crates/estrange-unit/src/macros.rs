//! The macros of a flattened text: which definition is in force where.

use std::collections::HashMap;

use estrange_text::lexer::{Kind, Token, directive_name, lex_body, macro_parts};

/// One `#define` or `#undef`.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    /// Where the directive starts.
    pub(crate) start: u32,
    /// Where it ends, its line feed not included.
    pub(crate) end: u32,
    /// The macro's name.
    pub(crate) name: String,
    /// What it defines; nothing for `#undef`.
    pub(crate) definition: Option<Definition>,
}

/// What a `#define` says.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    /// Whether it takes arguments.
    pub(crate) takes_arguments: bool,
    /// The names in its body that are not its parameters.
    pub(crate) names: Vec<String>,
    /// Whether its body pastes tokens together.
    pub(crate) pastes: bool,
}

/// All macros of a text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Macros {
    /// In order of their place.
    pub(crate) events: Vec<Event>,
    by_name: HashMap<String, Vec<u32>>,
    /// Where macros are defined that are defined more than once.
    redefined: Vec<u32>,
}

impl Macros {
    pub(crate) fn of(text: &str, tokens: &[Token]) -> Self {
        let mut macros = Self::default();
        for token in tokens.iter().filter(|token| token.kind == Kind::Directive) {
            let directive = token.text(text);
            if let Some(event) = event(directive, token) {
                macros.by_name.entry(event.name.clone()).or_default().push(macros.events.len() as u32);
                macros.events.push(event);
            }
        }
        let defines = |number: &&u32| macros.events[**number as usize].definition.is_some();
        let several = macros.by_name.values().filter(|events| events.iter().filter(defines).count() > 1);
        macros.redefined = several.flatten().map(|number| macros.events[*number as usize].start).collect();
        macros.redefined.sort_unstable();
        macros
    }

    /// A number that is the same for two places between which no macro begins to mean something else.
    pub(crate) fn epoch(&self, offset: u32) -> usize {
        self.redefined.partition_point(|start| *start < offset)
    }

    /// The definition of `name` that is in force at `offset`, as an index of events.
    pub(crate) fn in_force(&self, name: &str, offset: u32) -> Option<usize> {
        let events = self.by_name.get(name)?;
        let after = events.partition_point(|number| self.events[*number as usize].start < offset);
        let last = *events.get(after.checked_sub(1)?)? as usize;
        self.events[last].definition.as_ref().map(|_| last)
    }

    /// Whether the text has a macro of this name anywhere.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The last definition of `name` that stands before `offset`, in force or not.
    pub(crate) fn last_before(&self, name: &str, offset: u32) -> Option<usize> {
        let events = self.by_name.get(name)?;
        let defines = |number: &usize| self.events[*number].start < offset && self.events[*number].definition.is_some();
        events.iter().map(|number| *number as usize).rfind(defines)
    }
}

fn event(directive: &str, token: &Token) -> Option<Event> {
    let (name, definition) = match directive_name(directive) {
        "undef" => (estrange_text::lexer::macro_name(directive)?, None),
        "define" => {
            let parts = macro_parts(directive)?;
            let body = &directive[parts.body.clone()];
            let parameters = parts.parameters.as_deref().unwrap_or_default();
            let mut names: Vec<String> = lex_body(body)
                .iter()
                .filter(|token| token.kind == Kind::Identifier)
                .map(|token| token.spelling(body).into_owned())
                .filter(|name| !parameters.contains(&name.as_str()))
                .collect();
            names.sort();
            names.dedup();
            (
                parts.name,
                Some(Definition { takes_arguments: parts.parameters.is_some(), names, pastes: body.contains("##") }),
            )
        }
        _ => return None,
    };
    Some(Event { start: token.start, end: token.end, name: name.to_owned(), definition })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_definition_before_a_place_is_in_force_there() {
        let text = "#define A B + x\nA;\n#undef A\nA;\n#define A(x) x C\nA(1);\n";
        let macros = Macros::of(text, &estrange_text::lexer::lex(text));
        let uses: Vec<u32> =
            text.match_indices("A;").chain(text.match_indices("A(1)")).map(|(at, _)| at as u32).collect();
        assert_eq!(macros.in_force("A", uses[0]), Some(0));
        assert_eq!(macros.in_force("A", uses[1]), None);
        assert_eq!(macros.in_force("A", uses[2]), Some(2));
        assert_eq!(macros.events[0].definition.as_ref().expect("a definition").names, ["B", "x"]);
        assert_eq!(macros.events[2].definition.as_ref().expect("a definition").names, ["C"]);
    }
}
