//! Strings and arrays for each other: `string-to-array`, `array-to-string`.
//!
//! A string that is given to somebody who does not write to it becomes an array of constant characters that the function
//! keeps, and the array is given instead. The other way round, a list of characters that an array begins with becomes a
//! string, where that gives the array the same length; and an array of constant characters that is only read or given away
//! becomes a string wherever it is named.

use std::collections::BTreeMap;
use std::ops::Range;

use estrange_clang::{NodeKind, Shape, Type, Unary};
use estrange_text::lexer::Kind;

use crate::refusal::Refusal;
use crate::shape::declare::Declarator;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

pub(super) fn to_array(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    // What the compiler is to run keeps no variables.
    if view.function_has(&["constexpr", "consteval"]) {
        return Err(Refusal::Uses("constexpr".to_owned()));
    }
    let mut places: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for node in view.all().filter(|node| view.kind(*node) == NodeKind::Text && view.node(*node).is_written) {
        let text = view.slice(node);
        let is_plain = text.starts_with('"') && !text.contains('\n') && !view.is_in_call(view.range(node).start);
        if is_plain && is_given(view, node) {
            places.entry(text).or_default().push(node);
        }
    }
    let mut edits = Edits::default();
    let mut names = Vec::new();
    let line = view.tree.children(view.body).next().map(|first| view.line_break(view.span(first).start));
    let mut declared = String::new();
    for (text, nodes) in draw.some(places.into_iter().collect(), 60) {
        let name = view.fresh_beside(["text", "words", "message"][draw.below(3)], &names);
        for node in nodes {
            edits.replace(view.range(node), name.as_str());
        }
        declared += &format!("{}static const char {name}[] = {text};", line.clone().unwrap_or_default());
        names.push(name);
    }
    if names.is_empty() {
        return Err(Refusal::NoPlace);
    }
    edits.insert(view.range(view.body).start + 1, declared);
    Ok(edits)
}

/// Whether a string becomes a pointer to constant characters and nothing else, as the argument of a call.
fn is_given(view: &View<'_>, node: u32) -> bool {
    let mut at = node;
    let mut is_constant = false;
    for around in view.ancestors(node) {
        match view.kind(around) {
            NodeKind::Implicit => {
                is_constant |= view.type_of(around).is_some_and(|of| of.canonical == "const char *");
                at = around;
            }
            NodeKind::Call => {
                // The first child is what is called.
                return is_constant && view.tree.children(around).next() != Some(at);
            }
            _ => return false,
        }
    }
    false
}

pub(super) fn from_array(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = view.all().filter_map(|node| {
        let declarators = view.declarators(node).ok().filter(|_| view.kind(node) == NodeKind::Declaration)?;
        let [declarator] = declarators.as_slice() else { return None };
        let of = view.tree.type_(view.tree.thing(declarator.thing).type_?);
        let (string, value) = (string(view, node, declarator, of)?, declarator.value.clone()?);
        let in_its_place = || is_list(view, &value).then(|| Site::replace(value.clone(), format!("= {}", string.text)));
        everywhere(view, node, declarator, of, &string).or_else(in_its_place)
    });
    choose(sites.collect(), draw)
}

fn is_list(view: &View<'_>, value: &Range<usize>) -> bool {
    view.cut(value.start + 1..value.end).trim_start().starts_with('{')
}

/// A string that an array begins with.
struct Beginning {
    text: String,
    /// Whether it is all of the array.
    is_all: bool,
}

/// The string that an array of characters begins with, if it is the same array with it.
fn string(view: &View<'_>, declaration: u32, declarator: &Declarator, of: &Type) -> Option<Beginning> {
    let Shape::Array { of: element, length: Some(length) } = of.shape else { return None };
    let element = view.tree.type_(element);
    let is_byte = matches!(element.canonical.trim_start_matches("const "), "char" | "signed char" | "unsigned char");
    let value = declarator.value.clone().filter(|_| is_byte)?;
    let written = view.cut(value.start + 1..value.end).trim();
    if !is_list(view, &value) {
        let is_plain = matches!(view.tokens_in(value.start + 1..value.end), [token] if token.kind == Kind::String);
        let behind = view.token_at(declarator.name.end);
        let is_all = view.word(behind) == "[" && view.word(behind + 1) == "]";
        return (is_plain && written.starts_with('"')).then(|| Beginning { text: written.to_owned(), is_all });
    }
    let variable = view.tree.subtree(declaration).find(|node| view.node(*node).thing == Some(declarator.thing))?;
    let list = view.children(variable).last().copied().filter(|list| view.kind(*list) == NodeKind::List)?;
    let values: Vec<u8> =
        view.tree.children(list).map(|element| byte(view, view.inner(element))).collect::<Option<_>>()?;
    // Nothing else stands between the braces: no place of an element, no macro.
    let tokens = view.tokens_in(value.start + 1..value.end);
    let count = tokens.iter().filter(|token| matches!(token.kind, Kind::Number | Kind::Character)).count();
    let is_plain = tokens.iter().all(|token| {
        matches!(token.kind, Kind::Number | Kind::Character) || matches!(token.text(view.text), "{" | "," | "}" | "-")
    });
    if !is_plain || count != values.len() {
        return None;
    }
    // A string has a 0 at its end; behind it, an array is filled up with more.
    let kept = match values.split_last() {
        Some((0, rest)) => rest,
        _ if length > values.len() as u64 => &values[..],
        _ => return None,
    };
    let text = format!("\"{}\"", kept.iter().map(|byte| escaped(*byte)).collect::<String>());
    Some(Beginning { text, is_all: length == kept.len() as u64 + 1 })
}

/// The value of a character or number that fits into a byte.
fn byte(view: &View<'_>, node: u32) -> Option<u8> {
    let (node, sign) = match (view.kind(node), view.only_child(node)) {
        (NodeKind::Unary(Unary::Minus), Some(operand)) => (view.inner(operand), -1),
        _ => (node, 1),
    };
    let is_number = matches!(view.kind(node), NodeKind::Integer | NodeKind::Character);
    let value = view.node(node).value.filter(|_| is_number && view.node(node).is_written)? * sign;
    (-128..256).contains(&value).then_some(value as u8)
}

/// A byte as a string writes it.
fn escaped(byte: u8) -> String {
    match byte {
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        // Two of them could begin a trigraph.
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        // Always three digits, so that none that follows is one of them.
        _ => format!("\\{byte:03o}"),
    }
}

/// The string instead of the array's name wherever that stands, and no declaration.
fn everywhere(
    view: &View<'_>,
    declaration: u32,
    declarator: &Declarator,
    of: &Type,
    string: &Beginning,
) -> Option<Site> {
    let Shape::Array { of: element, .. } = of.shape else { return None };
    let is_constant = view.tree.type_(element).canonical == "const char";
    let is_in_block = view.node(declaration).parent.is_some_and(|parent| view.kind(parent) == NodeKind::Block);
    // Where it stands in memory may matter to somebody.
    let written = view.cut(view.statement(declaration));
    let is_aligned = written.contains("__attribute__") || written.contains("lignas");
    if !is_constant || !is_in_block || !string.is_all || is_aligned || !view.is_whole_statement(declaration) {
        return None;
    }
    let named = |node: &u32| view.node(*node).thing == Some(declarator.thing) && view.kind(*node) == NodeKind::Name;
    let uses: Vec<u32> = view.all().filter(named).collect();
    let is_free = |node: &u32| {
        let is_written = view.node(*node).is_written && !view.is_in_call(view.range(*node).start);
        is_written && (is_given(view, *node) || is_read(view, *node))
    };
    if uses.is_empty() || !uses.iter().all(is_free) {
        return None;
    }
    let removed = view.statement(declaration);
    let removed = view.cut(0..removed.start).trim_end().len()..removed.end;
    let end = uses.iter().map(|node| view.range(*node).end).max()?;
    let mut edits = vec![(removed.clone(), String::new())];
    edits.extend(uses.iter().map(|node| (view.range(*node), string.text.clone())));
    Some(Site::edits(removed.start..end, edits))
}

/// Whether an array is named for one of its elements, which is read.
fn is_read(view: &View<'_>, node: u32) -> bool {
    let mut at = node;
    for around in view.ancestors(node) {
        match view.kind(around) {
            NodeKind::Implicit | NodeKind::Parentheses => at = around,
            NodeKind::Subscript => {
                let is_base = view.tree.children(around).next() == Some(at);
                let outer = view.ancestors(around).find(|outer| view.kind(*outer) != NodeKind::Parentheses);
                // The place of an element could be kept.
                return is_base && outer.is_some_and(|outer| view.kind(outer) == NodeKind::Implicit);
            }
            _ => return false,
        }
    }
    false
}
