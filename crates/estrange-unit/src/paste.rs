//! Macros whose names are only made by other macros, with `##`.

use std::collections::{BTreeSet, HashSet};

use estrange_text::lexer::{Kind, Token, lex_body, macro_parts};

use crate::closure::Closure;
use crate::slices::Slices;

/// One side of a `##`.
enum Side {
    Word(String),
    Parameter,
}

/// The most names that are tried for one call.
const MOST: usize = 1 << 14;

impl Closure<'_, '_> {
    /// Asks for the macros whose names the macros called in a chunk may paste together.
    pub(crate) fn add_pasted(&mut self, number: u32) {
        let slices = self.slices;
        if !self.macros.iter().any(|event| pastes(slices, *event)) {
            return;
        }
        let chunk = &slices.chunks[number as usize];
        let text = slices.text();
        let tokens = slices.tokens(chunk.start, chunk.end);
        let mut tried: HashSet<(usize, BTreeSet<&str>)> = HashSet::new();
        for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Identifier) {
            let Some(event) = slices.macros.in_force(&token.spelling(text), token.start) else { continue };
            let pasting = pasting(slices, event, token.start);
            if pasting.is_empty() || !self.macros.contains(&event) {
                continue;
            }
            let words: BTreeSet<&str> = arguments(&tokens[index + 1..], text).collect();
            if !tried.insert((event, words.clone())) {
                continue;
            }
            for name in made(slices, &pasting, &words) {
                match slices.macros.in_force(&name, token.start) {
                    Some(made) => {
                        self.add_macro(made, token.start);
                    }
                    None => self.header_macro(&name),
                }
            }
        }
    }
}

/// The macros that a macro reaches, itself included, if any of them pastes.
fn pasting(slices: &Slices<'_>, event: usize, at: u32) -> Vec<usize> {
    let mut reached = vec![event];
    let mut next = 0;
    while let Some(event) = reached.get(next) {
        next += 1;
        let Some(definition) = &slices.macros.events[*event].definition else { continue };
        for name in &definition.names {
            if let Some(inner) = slices.macros.in_force(name, at)
                && !reached.contains(&inner)
            {
                reached.push(inner);
            }
        }
    }
    if reached.iter().any(|event| pastes(slices, *event)) { reached } else { Vec::new() }
}

fn pastes(slices: &Slices<'_>, event: usize) -> bool {
    slices.macros.events[event].definition.as_ref().is_some_and(|definition| definition.pastes)
}

/// The words between the parentheses that `tokens` start with.
fn arguments<'t>(tokens: &'t [Token], text: &'t str) -> impl Iterator<Item = &'t str> {
    let mut depth = 0;
    tokens
        .iter()
        .filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive))
        .take_while(move |token| {
            match token.text(text) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            depth > 0
        })
        .filter(|token| matches!(token.kind, Kind::Identifier | Kind::Number))
        .map(|token| token.text(text))
}

/// The names that macros may make, given the words they are called with.
fn made(slices: &Slices<'_>, macros: &[usize], words: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut all: BTreeSet<&str> = words.clone();
    for event in macros {
        let definition = slices.macros.events[*event].definition.iter();
        all.extend(definition.flat_map(|definition| &definition.names).map(String::as_str));
    }
    let mut made = BTreeSet::new();
    for event in macros.iter().filter(|event| pastes(slices, **event)) {
        let event = &slices.macros.events[*event];
        for chain in chains(&slices.text()[event.start as usize..event.end as usize]) {
            let mut names = vec![String::new()];
            for side in &chain {
                let parts: Vec<&str> = match side {
                    Side::Word(word) => vec![word.as_str()],
                    Side::Parameter => all.iter().copied().chain([""]).collect(),
                };
                names = names
                    .iter()
                    .flat_map(|name| parts.iter().map(move |part| format!("{name}{part}")))
                    .take(MOST)
                    .collect();
            }
            made.extend(names);
        }
    }
    made
}

/// The chains of `##` in a macro's body.
fn chains(directive: &str) -> Vec<Vec<Side>> {
    let Some(parts) = macro_parts(directive) else { return Vec::new() };
    let body = &directive[parts.body.clone()];
    let parameters = parts.parameters.as_deref().unwrap_or_default();
    let tokens: Vec<Token> = lex_body(body).into_iter().filter(|token| token.kind != Kind::Comment).collect();
    let side = |token: &Token| {
        let word = token.spelling(body);
        match parameters.contains(&word.as_ref()) || word == "__VA_ARGS__" {
            true => Side::Parameter,
            false => Side::Word(word.into_owned()),
        }
    };
    let mut chains: Vec<Vec<Side>> = Vec::new();
    let pastes = |index: usize| matches!(tokens[index].text(body), "##" | "%:%:");
    for index in (1..tokens.len().saturating_sub(1)).filter(|index| pastes(*index)) {
        match chains.last_mut() {
            Some(chain) if index >= 2 && pastes(index - 2) => chain.push(side(&tokens[index + 1])),
            _ => chains.push(vec![side(&tokens[index - 1]), side(&tokens[index + 1])]),
        }
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_read_from_bodies() {
        let lengths: Vec<usize> =
            chains("#define A(x, y) one ## x; x ## _ ## y ## 2, y").iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 4]);
        assert!(chains("#define A x").is_empty());
    }
}
