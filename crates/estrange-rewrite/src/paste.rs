//! Names that the preprocessor puts together with `##`.
//!
//! A name made of parts gets a new name made of the parts' new names, so that the macro still makes it. Which names a
//! macro makes is found by looking at its calls, also those inside of other macros.

use std::collections::HashMap;

use estrange_text::lexer::{Kind, Token, lex, lex_directive, macro_parts};

/// A name that was put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pasted {
    /// The whole.
    pub(crate) name: String,
    /// Its parts.
    pub(crate) parts: Vec<Part>,
}

/// A part of a name: a token somewhere in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) start: u32,
    pub(crate) text: String,
    pub(crate) is_identifier: bool,
}

/// A call within a call within a call: more is not followed.
const DEPTH: u32 = 4;

/// All names that the macros of a text put together.
pub(crate) fn pasted(text: &str) -> Vec<Pasted> {
    if !text.contains("##") {
        return Vec::new();
    }
    let sheet = Sheet::read(text);
    let mut found = Vec::new();
    for (name, definitions) in &sheet.macros {
        for definition in definitions {
            for chain in definition.chains(text) {
                for call in sheet.calls(name) {
                    sheet.put_together(definition, &chain, &call, &mut found);
                }
                if definition.parameters.is_empty() {
                    sheet.put_together(definition, &chain, &Call { arguments: Vec::new(), inside: None }, &mut found);
                }
            }
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found.dedup();
    found
}

struct Definition {
    parameters: Vec<String>,
    body: Vec<Token>,
}

impl Definition {
    /// The stretches of tokens that are joined by `##`.
    fn chains(&self, text: &str) -> Vec<Vec<Token>> {
        let mut chains: Vec<Vec<Token>> = Vec::new();
        let mut joins = false;
        let mut before: Option<Token> = None;
        for token in &self.body {
            if matches!(token.text(text), "##" | "%:%:") {
                joins = true;
                continue;
            }
            if let (true, Some(left)) = (joins, before) {
                match chains.last_mut().filter(|chain| chain.last() == Some(&left)) {
                    Some(chain) => chain.push(*token),
                    None => chains.push(vec![left, *token]),
                }
            }
            joins = false;
            before = Some(*token);
        }
        chains
    }

    fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter == name)
    }
}

/// A call of a macro: the tokens of each argument, and the macro in whose body it stands.
#[derive(Clone)]
struct Call<'s> {
    arguments: Vec<Vec<Token>>,
    inside: Option<(&'s str, &'s Definition)>,
}

struct Sheet<'t> {
    text: &'t str,
    code: Vec<Token>,
    macros: HashMap<String, Vec<Definition>>,
}

impl<'t> Sheet<'t> {
    fn read(text: &'t str) -> Self {
        let mut sheet = Self { text, code: Vec::new(), macros: HashMap::new() };
        for token in lex(text) {
            match token.kind {
                Kind::Comment => {}
                Kind::Directive => sheet.define(&token),
                _ => sheet.code.push(token),
            }
        }
        sheet
    }

    fn define(&mut self, directive: &Token) {
        let Some(parts) = macro_parts(directive.text(self.text)) else { return };
        let from = directive.start + parts.body.start as u32;
        let body = lex_directive(self.text, directive)
            .filter(|token| token.start >= from && token.kind != Kind::Comment)
            .collect();
        let named = parts.parameters.iter().flatten();
        let parameters = named.map(|name| name.trim_end_matches('.').trim_end().to_owned()).collect();
        self.macros.entry(parts.name.to_owned()).or_default().push(Definition { parameters, body });
    }

    /// All calls of a macro, in code and in the bodies of macros.
    fn calls(&self, name: &str) -> Vec<Call<'_>> {
        let mut calls = self.calls_in(name, &self.code, None);
        for (other, definitions) in &self.macros {
            for definition in definitions {
                calls.extend(self.calls_in(name, &definition.body, Some((other.as_str(), definition))));
            }
        }
        calls
    }

    fn calls_in<'s>(
        &'s self,
        name: &str,
        tokens: &[Token],
        inside: Option<(&'s str, &'s Definition)>,
    ) -> Vec<Call<'s>> {
        let mut calls = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let opens = tokens.get(index + 1).is_some_and(|next| next.text(self.text) == "(");
            if token.kind == Kind::Identifier && opens && token.spelling(self.text) == name {
                calls.push(Call { arguments: self.arguments(&tokens[index + 2..]), inside });
            }
        }
        calls
    }

    /// The arguments of a call, from the token after its parenthesis.
    fn arguments(&self, tokens: &[Token]) -> Vec<Vec<Token>> {
        let mut arguments = vec![Vec::new()];
        let mut depth = 0;
        for token in tokens {
            match token.text(self.text) {
                "(" => depth += 1,
                ")" if depth == 0 => break,
                ")" => depth -= 1,
                "," if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(*token);
            }
        }
        arguments
    }

    /// The names that a stretch of a body becomes in a call.
    fn put_together(&self, definition: &Definition, chain: &[Token], call: &Call<'_>, found: &mut Vec<Pasted>) {
        let mut all: Vec<Vec<Part>> = vec![Vec::new()];
        for token in chain {
            let choices = match definition.parameter(&token.spelling(self.text)) {
                Some(number) => {
                    let argument = call.arguments.get(number).map_or(&[][..], Vec::as_slice);
                    self.argument(argument, call.inside, DEPTH)
                }
                None => vec![vec![self.part(token)]],
            };
            let longer = all.iter().flat_map(|parts| choices.iter().map(move |more| [parts.as_slice(), more].concat()));
            all = longer.take(512).collect();
        }
        found.extend(all.into_iter().map(|parts| {
            let name = parts.iter().map(|part| part.text.as_str()).collect();
            Pasted { name, parts }
        }));
    }

    /// What an argument may be: the tokens themselves, or what the macro around the call is given for its parameter.
    fn argument(&self, tokens: &[Token], inside: Option<(&str, &Definition)>, depth: u32) -> Vec<Vec<Part>> {
        let [token] = tokens else { return if tokens.is_empty() { vec![Vec::new()] } else { Vec::new() } };
        let outer = inside.and_then(|(name, around)| Some((name, around.parameter(&token.spelling(self.text))?)));
        let Some((name, number)) = outer else { return vec![vec![self.part(token)]] };
        if depth == 0 {
            return Vec::new();
        }
        let calls = self.calls(name);
        let given = calls.iter().filter_map(|call| Some((call.arguments.get(number)?, call.inside)));
        given.flat_map(|(tokens, inside)| self.argument(tokens, inside, depth - 1)).collect()
    }

    fn part(&self, token: &Token) -> Part {
        Part {
            start: token.start,
            text: token.spelling(self.text).into_owned(),
            is_identifier: token.kind == Kind::Identifier,
        }
    }
}
