//! Functions in another order: `reorder-functions`.
//!
//! Helpers that stand before the function leave their declarations where they stood, and their definitions move behind all
//! else, in any order. What they name has been declared before in either place, and so have they where they are called.
//!
//! Refused: C++, functions that a macro writes or that have no prototype, and what a directive stands behind that could
//! change what a word means.

use std::collections::HashSet;

use estrange_clang::{NodeKind, ThingKind};
use estrange_text::lexer::{Kind, Token, lex, lex_directive, macro_name};

use crate::refusal::Refusal;
use crate::shape::Subject;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::view::View;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    if view.language.is_cpp() {
        return Err(Refusal::only_c());
    }
    if view.has_word("__COUNTER__") {
        return Err(Refusal::Uses("__COUNTER__".to_owned()));
    }
    let tokens = lex(view.text);
    let mut helpers = Vec::new();
    let mut reason = Refusal::NoPlace;
    for (number, function) in view.tree.functions.iter().enumerate() {
        if function.end > view.function.start {
            continue;
        }
        let subject =
            Subject { text: view.text, tree: view.tree, function: number, language: view.language, parts: &[] };
        match View::new(&subject).and_then(|helper| declaration(&helper, &tokens).map(|head| (helper, head))) {
            Ok(helper) => helpers.push(helper),
            Err(refusal) => reason = refusal,
        }
    }
    if helpers.is_empty() {
        return Err(reason);
    }
    let mut moved = draw.some(helpers, 70);
    let mut edits = Edits::default();
    draw.shuffle(&mut moved);
    for (helper, head) in &moved {
        edits.move_to_end(view.text, helper.place(), format!("{head};"));
    }
    Ok(edits)
}

/// What is left of a function where it stood, if it can move to the end of the text.
fn declaration(helper: &View<'_>, tokens: &[Token]) -> Result<String, Refusal> {
    let place = helper.place();
    let is_cut = |at: usize| helper.call_around(at).is_some_and(|call| call.start < place.start);
    let head = helper.cut(place.start..helper.range(helper.body).start).trim_end();
    if is_cut(place.start) || head.contains(['{', '#']) {
        return Err(Refusal::FromMacro("the function's head".to_owned()));
    }
    if !head.ends_with(')') {
        return Err(Refusal::Uses("a function without a prototype".to_owned()));
    }
    // Something that is declared by its first use is declared elsewhere by then.
    let is_implicit = |node: u32| {
        let thing = helper.node(node).thing.map(|thing| helper.tree.thing(thing));
        let is_function = thing.is_some_and(|thing| thing.kind == ThingKind::Function);
        let at = thing.and_then(|thing| thing.at).map(|at| at as usize);
        helper.kind(node) == NodeKind::Name
            && is_function
            && at.is_some_and(|at| helper.range(helper.body).contains(&at))
    };
    if helper.all().any(is_implicit) {
        return Err(Refusal::Uses("a function that is not declared".to_owned()));
    }
    let before = tokens.iter().take_while(|token| token.range().start < place.end);
    let known: HashSet<&str> = before.flat_map(|token| words(helper.text, token)).collect();
    let behind = tokens.iter().filter(|token| token.range().start >= place.end && token.kind == Kind::Directive);
    for directive in behind {
        match macro_name(directive.text(helper.text)) {
            None => return Err(Refusal::Directive),
            Some(name) if known.contains(name) => {
                return Err(Refusal::Uses(format!("`{name}`, which means something else there")));
            }
            Some(_) => {}
        }
    }
    Ok(head.to_owned())
}

/// The words of a token: several, if it is a directive.
fn words<'a>(text: &'a str, token: &Token) -> Vec<&'a str> {
    match token.kind {
        Kind::Directive => lex_directive(text, token).map(|word| word.text(text)).collect(),
        _ => vec![token.text(text)],
    }
}
