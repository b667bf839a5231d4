//! Members through an address and of an object: `arrow-to-dot`, `dot-to-arrow`.
//!
//! `p->x` becomes `(*p).x`, where `p` is an address and no object that has an arrow of its own; `a.x` becomes `(&a)->x`,
//! where `a` is a variable.
//!
//! Left alone: classes of a text that says what `&` does with them, variables that have no address, and variables in lambdas,
//! which would hold them then.

use std::ops::Range;

use estrange_clang::{NodeKind, Shape, ThingKind};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

pub(super) fn to_dot(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = view.all().filter_map(|node| {
        let (base, sign) = parts(view, node, "->")?;
        let is_address = view.type_of(base).is_some_and(|of| matches!(of.shape, Shape::Pointer { .. }));
        let inner = view.inner(base);
        // What an arrow of a class gives stands where its object does.
        let called = view.node(inner).thing.filter(|_| view.kind(inner) == NodeKind::Call);
        let is_own = called.is_some_and(|thing| view.tree.thing(thing).name.starts_with("operator"));
        (is_address && !is_own)
            .then(|| Site::replace(view.range(node).start..sign.end, format!("(*{}).", view.operand(base))))
    });
    choose(sites.collect(), draw)
}

pub(super) fn to_arrow(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    if view.function_has(&["register"]) || has_own_address(view.text) {
        return Err(Refusal::NoPlace);
    }
    let sites = view.all().filter_map(|node| {
        let (base, sign) = parts(view, node, ".")?;
        let thing = view.node(base).thing.filter(|_| view.kind(base) == NodeKind::Name)?;
        let is_variable =
            matches!(view.tree.thing(thing).kind, ThingKind::Local | ThingKind::Parameter | ThingKind::Global);
        let is_object = view.type_of(base).is_some_and(|of| matches!(of.shape, Shape::Record(_)));
        let is_in_lambda = view.ancestors(node).any(|around| view.kind(around) == NodeKind::Lambda);
        (is_variable && is_object && !is_in_lambda && !view.is_unevaluated(node))
            .then(|| Site::replace(view.range(node).start..sign.end, format!("(&{})->", view.slice(base))))
    });
    choose(sites.collect(), draw)
}

/// What a member is one of, without conversions that are not written for an object, and the sign between them.
fn parts(view: &View<'_>, node: u32, sign: &str) -> Option<(u32, Range<usize>)> {
    let base = view.only_child(node).filter(|_| view.kind(node) == NodeKind::Member)?;
    let base = if sign == "." { view.bare(base) } else { base };
    let (whole, object) = (view.range(node), view.range(base));
    let token = view.tokens.get(view.token_at(object.end))?;
    let is_written = view.node(node).is_written && view.node(view.bare(base)).is_written;
    let is_sign = token.text(view.text) == sign && object.start == whole.start && (token.end as usize) < whole.end;
    (is_written && is_sign && !view.is_in_call(token.start as usize)).then(|| (base, token.range()))
}

/// Whether a text says itself what `&` before an object does.
fn has_own_address(text: &str) -> bool {
    let behind = text.match_indices("operator").map(|(at, word)| text[at + word.len()..].trim_start());
    let mut behind = behind.filter_map(|rest| rest.strip_prefix('&'));
    // `operator&(other)` of a class or of nothing cannot be told apart here.
    behind.any(|rest| !rest.starts_with(['&', '=']))
}
