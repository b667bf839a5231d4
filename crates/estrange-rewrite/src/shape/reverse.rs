//! The rounds of a loop in the opposite order: `reverse-loop`.
//!
//! `for (i = a; i < b; i++) body` becomes `for (i = b; i > a; ) { i--; body }`: the same rounds, the last first, and no
//! value of `i` that was not there before. Where `i` is named elsewhere, it gets the value back that it would have had.
//!
//! That needs rounds that do not depend on each other, which [`rounds`] finds out, and bounds that no round changes.

mod rounds;

use std::collections::HashSet;

use estrange_clang::{Binary, NodeKind, Shape, Type, Unary};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::statement::Control;
use crate::shape::view::View;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let shared = view.shared();
    let mut sites = Vec::new();
    let mut reason = Refusal::NoPlace;
    for node in view.all().filter(|node| view.kind(*node) == NodeKind::For && view.is_whole_statement(*node)) {
        match site(view, node, &shared) {
            Ok(site) => sites.push(site),
            Err(refusal) => reason = refusal,
        }
    }
    if sites.is_empty() { Err(reason) } else { choose(sites, draw) }
}

/// A loop that counts up by one.
struct Count<'a> {
    variable: u32,
    /// What stands before the first value: `int i `, or nothing.
    declared: Option<&'a str>,
    /// The first value, and the one that is compared with.
    from: u32,
    to: u32,
    /// Whether the loop goes on when both are equal.
    is_closed: bool,
    body: u32,
}

fn site(view: &View<'_>, node: u32, shared: &HashSet<u32>) -> Result<Site, Refusal> {
    let count = count(view, node).ok_or_else(|| depends("it does not count up by one"))?;
    let Count { variable, declared, from, to, is_closed, body } = count;
    let of = view.tree.thing(variable).type_.map(|of| view.tree.type_(of));
    let of = of.filter(|of| is_counter(of)).ok_or_else(|| depends("what it counts with is no plain integer"))?;
    if shared.contains(&variable) {
        return Err(depends("others know what it counts with"));
    }
    if !is_lower_bound(view, from, of) || !is_upper_bound(view, to, of, is_closed) {
        return Err(depends("its bounds are of other types"));
    }
    let written = rounds::written(view, body, variable, shared)?;
    for bound in [from, to] {
        let effects = view.effects(bound, shared);
        let changes = effects.reads.iter().any(|thing| *thing == variable || written.contains(thing));
        if !effects.is_pure() || effects.reads_memory || changes {
            return Err(depends("its bounds may change"));
        }
    }
    let range = view.statement(node);
    let gap = view.line_break(range.start);
    let inner = format!("{gap}{}", view.indent_unit());
    let name = &view.tree.thing(variable).name;
    let last = if is_closed { format!("{} + 1", view.operand(to)) } else { view.slice(to).to_owned() };
    let head = declared.map_or_else(|| format!("{name} "), str::to_owned);
    let inside = match view.kind(body) {
        NodeKind::Empty => String::new(),
        _ => format!("{inner}{}", view.inside_text(body)),
    };
    let text = format!("for ({head}= {last}; {name} > {}; ) {{{inner}{name}--;{inside}{gap}}}", view.operand(from));
    let named = |other: &u32| {
        view.node(*other).thing == Some(variable)
            && view.kind(*other) == NodeKind::Name
            && !view.tree.subtree(node).contains(other)
    };
    if declared.is_some() || !view.all().any(|other| named(&other)) {
        return Ok(Site::replace(range, text));
    }
    let sign = if is_closed { "<=" } else { "<" };
    let after =
        format!("{name} = {};{inner}if ({name} {sign} {}) {name} = {last};", view.slice(from), view.operand(to));
    Ok(Site::replace(range, format!("{{{inner}{text}{inner}{after}{gap}}}")))
}

fn depends(why: &str) -> Refusal {
    Refusal::Dependence(why.to_owned())
}

fn count<'a>(view: &View<'a>, node: u32) -> Option<Count<'a>> {
    let Control::For { first: Some(first), condition: Some(condition), step: Some(step), body } = view.control(node)?
    else {
        return None;
    };
    let (variable, declared, from) = match view.kind(first) {
        NodeKind::Declaration => {
            let declarators = view.declarators(first).ok()?;
            let [declarator] = declarators.as_slice() else { return None };
            let value = declarator.value.clone()?;
            let from = view.tree.subtree(first).find(|node| view.node(*node).thing == Some(declarator.thing))?;
            let from = view.children(from).last().copied()?;
            // What its first value says of its type must stay.
            let is_deduced =
                |word: &&str| matches!(*word, "auto" | "__auto_type" | "typeof" | "__typeof__" | "decltype");
            let is_plain = view.span(from).start > value.start
                && view.kind(from) != NodeKind::List
                && !view.specifiers(first, declarator).iter().any(is_deduced);
            (declarator.thing, Some(view.cut(view.range(first).start..value.start)), is_plain.then_some(from)?)
        }
        NodeKind::Binary(Binary::Assign) if view.is_plain(first) => {
            let [place, from] = *view.children(first).as_slice() else { return None };
            (view.variable(place)?, None, from)
        }
        _ => return None,
    };
    let NodeKind::Binary(sign @ (Binary::Less | Binary::LessOrEqual)) = view.kind(condition) else { return None };
    let [left, to] = *view.children(condition).as_slice() else { return None };
    let counts = match (view.kind(step), view.children(step).as_slice()) {
        (NodeKind::Unary(Unary::PreIncrement | Unary::PostIncrement), [place]) => view.variable(*place),
        (NodeKind::Binary(Binary::AddAssign), [place, by]) => {
            let is_one = view.kind(view.inner(*by)) == NodeKind::Integer && view.node(view.inner(*by)).value == Some(1);
            view.variable(*place).filter(|_| is_one)
        }
        _ => None,
    };
    let is_plain = view.is_plain(condition) && view.node(step).is_written;
    let is_same = view.variable(left) == Some(variable) && counts == Some(variable) && is_plain;
    is_same.then_some(Count { variable, declared, from, to, is_closed: sign == Binary::LessOrEqual, body })
}

/// Whether a variable of a type can count: what is shorter than `int` is computed as `int`.
fn is_counter(of: &Type) -> bool {
    matches!(of.shape, Shape::Integer { bits: 32.., is_character: false, .. }) && !of.is_volatile && is_plain(of)
}

/// Whether a type is what it seems.
fn is_plain(of: &Type) -> bool {
    !of.canonical.contains("_Atomic")
}

fn is_signed(of: &Type) -> bool {
    matches!(of.shape, Shape::Integer { is_signed: true, .. })
}

/// Whether comparing a counter with a value is the same as comparing it with that value in the counter's own type.
fn is_lower_bound(view: &View<'_>, node: u32, counter: &Type) -> bool {
    let Some(of) = view.type_of(view.bare(node)) else { return false };
    let is_integer = matches!(of.shape, Shape::Integer { .. });
    let is_alike = of.size < counter.size || of.size == counter.size && (!is_signed(counter) || is_signed(of));
    is_integer && is_alike
}

/// Whether a counter is compared with a value in the counter's own type, and one more of that is there.
fn is_upper_bound(view: &View<'_>, node: u32, counter: &Type, is_closed: bool) -> bool {
    let is_same = view.type_of(node).is_some_and(|of| of.canonical == counter.canonical);
    let own = view.type_of(view.bare(node));
    // Of signed numbers, the greatest would be counted beyond in either order.
    let has_more = is_signed(counter) && own.is_some_and(|of| of.canonical == counter.canonical);
    is_same && (has_more || !is_closed) && own.is_some_and(|of| matches!(of.shape, Shape::Integer { .. }))
}
