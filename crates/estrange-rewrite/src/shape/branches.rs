//! Branches in another form: `invert-if`, `split-if`, `nest`, `guard`.
//!
//! `if (c) a else b` becomes `if (!c) b else a`; `if (a && b) s` becomes two `if`s in each other. A branch that never comes
//! to its end, with what follows it, becomes a choice between the two (`nest`), and a branch at the end of a function or of
//! a loop's body becomes one that leaves early (`guard`).

use estrange_clang::{Binary, NodeKind, Shape};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::statement::Control;
use crate::shape::view::View;

struct Branch {
    node: u32,
    condition_node: u32,
    then: u32,
    otherwise: Option<u32>,
}

fn branches(view: &View<'_>) -> Vec<Branch> {
    let nodes = view.all().filter(|node| view.kind(*node) == NodeKind::If && view.is_whole_statement(*node));
    let branch = |node| match view.control(node)? {
        Control::If { condition_node, then, otherwise, .. } => {
            let is_constant = view.word(view.token_at(view.node(node).start as usize) + 1) == "constexpr";
            (!is_constant).then_some(Branch { node, condition_node, then, otherwise })
        }
        _ => None,
    };
    nodes.filter_map(branch).collect()
}

pub(super) fn invert(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let site = |branch: Branch| {
        let otherwise = branch.otherwise?;
        let (then, otherwise) = (view.block_text(branch.then), view.block_text(otherwise));
        let text = format!("if ({}) {otherwise} else {then}", view.negated(branch.condition_node));
        Some(Site::replace(view.statement(branch.node), text))
    };
    choose(branches(view).into_iter().filter_map(site).collect(), draw)
}

pub(super) fn split(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let site = |branch: Branch| {
        let both = view.inner(branch.condition_node);
        let [left, right] = *view.children(both).as_slice() else { return None };
        let is_and =
            view.kind(both) == NodeKind::Binary(Binary::And) && view.is_plain(both) && view.is_scalar_value(both);
        if !is_and || branch.otherwise.is_some() {
            return None;
        }
        let (left, right) = (view.slice(left), view.slice(right));
        let text = format!("if ({left}) {{ if ({right}) {} }}", view.block_text(branch.then));
        Some(Site::replace(view.statement(branch.node), text))
    };
    choose(branches(view).into_iter().filter_map(site).collect(), draw)
}

pub(super) fn nest(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let site = |branch: Branch| {
        let block = view.node(branch.node).parent.filter(|parent| view.kind(*parent) == NodeKind::Block)?;
        let siblings = view.children(block);
        let at = siblings.iter().position(|sibling| *sibling == branch.node)?;
        let rest = &siblings[at + 1..];
        let (first, last) = (*rest.first()?, *rest.last()?);
        let is_plain = view.node(block).is_written && view.is_whole_statement(last);
        if branch.otherwise.is_some() || !view.never_ends(branch.then) || view.jumps(rest).cases || !is_plain {
            return None;
        }
        // A jump into a block must not pass a declaration.
        let entered = view.entered_from_outside(rest);
        if view.jumps(rest).labels.iter().any(|label| entered.contains(label)) {
            return None;
        }
        let range = view.span(branch.node).start..view.statement(last).end;
        let gap = view.line_break(range.start);
        let rest = view.cut(view.span(first).start..range.end);
        let negated = view.negated(branch.condition_node);
        let text = format!("if ({negated}) {{{gap}{rest}{gap}}} else {}", view.block_text(branch.then));
        Some(Site::replace(range, text))
    };
    choose(branches(view).into_iter().filter_map(site).collect(), draw)
}

pub(super) fn guard(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let result = view.tree.thing(view.function.thing).type_.map(|of| &view.tree.type_(of).shape);
    let is_void = match result {
        Some(Shape::Function { result, .. }) => view.tree.type_(*result).shape == Shape::Void,
        _ => false,
    };
    let site = |branch: Branch| {
        let block = view.node(branch.node).parent.filter(|parent| view.kind(*parent) == NodeKind::Block)?;
        if view.children(block).last() != Some(&branch.node) || branch.otherwise.is_some() {
            return None;
        }
        let leave = match view.node(block).parent {
            None if block == view.body && is_void => "return",
            Some(around) if matches!(view.kind(around), NodeKind::While | NodeKind::For | NodeKind::DoWhile) => {
                "continue"
            }
            _ => return None,
        };
        if view.kind(branch.then) != NodeKind::Block || !view.node(branch.then).is_written {
            return None;
        }
        let range = view.statement(branch.node);
        let gap = view.line_break(range.start);
        let names_clash = view.tree.children(branch.then).any(|child| view.kind(child) == NodeKind::Declaration);
        let rest = if names_clash { view.block_text(branch.then) } else { view.inside_text(branch.then) };
        let text = format!("if ({}) {leave};{gap}{rest}", view.negated(branch.condition_node));
        Some(Site::replace(range, text))
    };
    choose(branches(view).into_iter().filter_map(site).collect(), draw)
}
