//! Strings as arrays: `string-to-array`.
//!
//! A string that is given to somebody who does not write to it becomes an array of constant characters that the function
//! keeps, and the array is given instead.

use std::collections::BTreeMap;

use estrange_clang::NodeKind;

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::view::View;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
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
