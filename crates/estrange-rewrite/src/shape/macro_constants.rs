//! Numbers as macros, and macros as numbers: `constant-to-macro`, `macro-to-constant`.
//!
//! A number becomes a macro that is defined right before the function, wherever the function writes it the same way. A
//! macro that the text defines once, and as one number, becomes that number. What the compiler sees is the same.

use std::collections::{BTreeMap, HashMap};

use estrange_clang::NodeKind;
use estrange_text::lexer::{Kind, directive_name, lex, lex_body, macro_name, macro_parts};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

const NAMES: [&str; 5] = ["FIXED_LIMIT", "FIXED_SIZE", "FIXED_COUNT", "FIXED_STEP", "FIXED_MARK"];

pub(super) fn name(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let start = view.function.start as usize;
    if view.call_around(start).is_some_and(|call| call.start < start) {
        return Err(Refusal::FromMacro("the function's head".to_owned()));
    }
    // A header that comes later could use the new name.
    let after = view.text.get(view.function.end as usize..).unwrap_or_default();
    if directives(after).any(|directive| directive_name(directive) == "include") {
        return Err(Refusal::Directive);
    }
    let mut places: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for node in view.all().filter(|node| view.kind(*node) == NodeKind::Integer && view.node(*node).is_written) {
        let text = view.cut(view.range(node));
        let is_number = matches!(lex_body(text).as_slice(), [token] if token.kind == Kind::Number);
        let is_telling = view.node(node).value.is_some_and(|value| value > 1);
        if is_number && is_telling && !view.is_in_call(view.range(node).start) {
            places.entry(text).or_default().push(node);
        }
    }
    let mut edits = Edits::default();
    let mut names = Vec::new();
    let mut defined = String::new();
    for (number, nodes) in draw.some(places.into_iter().collect(), 60) {
        let name = view.fresh_beside(NAMES[draw.below(NAMES.len())], &names);
        for node in nodes {
            edits.replace(view.range(node), name.as_str());
        }
        defined += &format!("#define {name} {number}\n");
        names.push(name);
    }
    if names.is_empty() {
        return Err(Refusal::NoPlace);
    }
    // A directive begins a line.
    let is_first = view.text[..start].rsplit('\n').next().is_none_or(|line| line.trim().is_empty());
    edits.insert(start, if is_first { defined } else { format!("\n{defined}") });
    Ok(edits)
}

pub(super) fn unname(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let numbers = numbers(view.text);
    let sites = view.tokens_in(view.range(view.body)).iter().filter_map(|token| {
        let number = numbers.get(token.text(view.text)).copied().flatten()?;
        // An argument of another macro may be needed as it is written.
        let is_call = view.call_around(token.start as usize).is_some_and(|call| call == token.range());
        is_call.then(|| Site::replace(token.range(), number.to_owned()))
    });
    choose(sites.collect(), draw)
}

/// The macros that a text defines, each with its number if it is defined once, without condition, and as one number.
fn numbers(text: &str) -> HashMap<&str, Option<&str>> {
    let mut numbers = HashMap::new();
    let mut depth = 0_usize;
    for directive in directives(text) {
        match directive_name(directive) {
            "if" | "ifdef" | "ifndef" => depth += 1,
            "endif" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let Some(name) = macro_name(directive) else { continue };
        let parts = macro_parts(directive).filter(|parts| parts.parameters.is_none() && depth == 0);
        let number = parts.map(|parts| &directive[parts.body]).filter(|body| is_number(body));
        numbers.entry(name).and_modify(|number| *number = None).or_insert(number);
    }
    numbers
}

/// Whether a macro's body is one number, in parentheses or not.
fn is_number(body: &str) -> bool {
    let tokens = lex_body(body);
    let words: Vec<&str> = tokens.iter().map(|token| token.text(body)).collect();
    let number = match words.as_slice() {
        ["(", "-", number, ")"] | ["(", number, ")"] | [number] => number,
        _ => return false,
    };
    number.starts_with(|first: char| first.is_ascii_digit())
}

/// The directives of a text.
fn directives(text: &str) -> impl Iterator<Item = &str> {
    lex(text).into_iter().filter(|token| token.kind == Kind::Directive).map(|token| token.text(text))
}
