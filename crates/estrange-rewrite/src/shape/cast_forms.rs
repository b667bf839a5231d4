//! Casts of C and of C++ for each other: `static-to-plain-cast`, `plain-to-static-cast`.
//!
//! `static_cast<long>(n)` becomes `((long)n)`, which does the same wherever the first is possible, and the other way round
//! between numbers, where nothing else could be meant. `long(n)` is such a cast, too.
//!
//! Left alone: casts of objects and references, casts from and to addresses in the second direction, types that depend on a
//! template.

use std::ops::Range;

use estrange_clang::{NodeKind, Shape, Type};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

pub(super) fn to_plain(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = casts(view).filter_map(|(node, operand)| {
        let range = view.range(node);
        let head = view.token_at(range.start);
        if view.word(head) != "static_cast" || view.word(head + 1) != "<" {
            return None;
        }
        let open = view.token_at(view.span(operand).start).checked_sub(1)?;
        let is_closed = view.word(open) == "(" && view.word(open - 1) == ">" && view.closing(open).is_some();
        let name = view.tokens[head + 1].end as usize..view.tokens[open - 1].start as usize;
        let is_value = |of: &Type| is_scalar(&of.shape);
        let fits = view.type_of(node).is_some_and(is_value) && view.type_of(view.inner(operand)).is_some_and(is_value);
        if !is_closed || !fits || view.cut(name.clone()).contains('&') {
            return None;
        }
        Some(Site::replace(range, format!("(({}){})", view.cut(name).trim(), view.operand(operand))))
    });
    choose(sites.collect(), draw)
}

pub(super) fn to_static(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = casts(view).filter_map(|(node, operand)| {
        let name = named(view, node, operand)?;
        let fits = view.type_of(node).is_some_and(is_number)
            && view.type_of(operand).is_some_and(is_number)
            && view.type_of(view.inner(operand)).is_some_and(is_number);
        let operand = view.slice(view.inside_parentheses(operand));
        fits.then(|| Site::replace(view.range(node), format!("static_cast<{}>({operand})", view.cut(name).trim())))
    });
    choose(sites.collect(), draw)
}

/// The casts of a function of C++, with what they cast.
fn casts<'v>(view: &'v View<'_>) -> impl Iterator<Item = (u32, u32)> + 'v {
    let is_cpp = view.language.is_cpp();
    let is_cast = move |node: &u32| is_cpp && view.kind(*node) == NodeKind::Cast && view.node(*node).is_written;
    view.all().filter(is_cast).filter_map(|node| {
        let operand = view.tree.children(node).last()?;
        let is_written = view.node(view.bare(operand)).is_written && !view.is_in_call(view.range(node).start);
        (is_written && view.kind(view.bare(operand)) != NodeKind::List).then_some((node, operand))
    })
}

/// Where a cast of C names its type: between parentheses, or before them.
fn named(view: &View<'_>, node: u32, operand: u32) -> Option<Range<usize>> {
    let range = view.range(node);
    let head = view.token_at(range.start);
    if view.word(head) == "(" {
        let close = view.closing(head)?;
        let is_before = view.tokens.get(close + 1)?.start as usize == view.span(operand).start;
        return is_before.then(|| view.tokens[head].end as usize..view.tokens[close].start as usize);
    }
    let open = view.token_at(view.span(operand).start).checked_sub(1)?;
    let close = view.closing(open).filter(|_| view.word(open) == "(")?;
    let is_all = view.tokens[close].end as usize == range.end && open > head;
    let words = view.tokens.get(head..open)?.iter().map(|token| token.text(view.text));
    let is_name = words.clone().all(|word| word == "::" || word.starts_with(|first: char| first.is_ascii_alphabetic()));
    (is_all && is_name && !words.clone().any(|word| word.ends_with("_cast")))
        .then(|| range.start..view.tokens[open].start as usize)
}

fn is_number(of: &Type) -> bool {
    matches!(of.shape, Shape::Boolean | Shape::Integer { .. } | Shape::Floating { .. } | Shape::Enumeration(_))
        && !of.is_volatile
}

impl View<'_> {
    /// What stands in the parentheses of an expression, if it has any.
    fn inside_parentheses(&self, node: u32) -> u32 {
        let bare = self.bare(node);
        match self.only_child(bare) {
            Some(child) if self.kind(bare) == NodeKind::Parentheses => child,
            _ => node,
        }
    }
}
