//! Loops in another form: `for-to-while`, `while-to-for`, `while-to-do`, `do-to-while`.
//!
//! A `for` becomes a `while` with its step at the end, unless something continues it; a `while` becomes a `for` without
//! steps, or a `do` behind an `if` with the same condition; a `do` becomes a loop without end that breaks off, unless
//! something continues it. Every condition is evaluated as often as before, in the same order.

use estrange_clang::NodeKind;

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::statement::Control;
use crate::shape::view::View;

/// How long a condition may be that is written twice.
const TWICE: usize = 80;

pub(super) fn for_to_while(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    choose(sites(view, NodeKind::For, for_site), draw)
}

pub(super) fn while_to_for(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    choose(sites(view, NodeKind::While, while_for_site), draw)
}

pub(super) fn while_to_do(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    choose(sites(view, NodeKind::While, while_do_site), draw)
}

pub(super) fn do_to_while(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    choose(sites(view, NodeKind::DoWhile, do_site), draw)
}

fn sites(view: &View<'_>, kind: NodeKind, site: fn(&View<'_>, u32) -> Option<Site>) -> Vec<Site> {
    let loops = view.all().filter(|node| view.kind(*node) == kind && view.is_whole_statement(*node));
    loops.filter_map(|node| site(view, node)).collect()
}

fn for_site(view: &View<'_>, node: u32) -> Option<Site> {
    let Control::For { first, condition, step, body } = view.control(node)? else { return None };
    if view.jumps(&[body]).continues {
        return None;
    }
    let range = view.statement(node);
    let gap = view.line_break(range.start);
    let unit = view.indent_unit();
    let condition = condition.map_or("1", |condition| view.slice(condition));
    let step = step.map_or_else(String::new, |step| format!("{gap}{unit}{};", view.slice(step)));
    let body = match view.kind(body) {
        NodeKind::Empty => String::new(),
        // What the body declares must not hide what the step names.
        _ => {
            format!("{gap}{unit}{}", if declares(view, body) { view.block_text(body) } else { view.inside_text(body) })
        }
    };
    let text = format!("while ({condition}) {{{body}{step}{gap}}}");
    let is_in_block = view.node(node).parent.is_some_and(|parent| view.kind(parent) == NodeKind::Block);
    let text = match first {
        None => text,
        Some(first) if view.kind(first) == NodeKind::Declaration => {
            format!("{{{gap}{}{gap}{text}{gap}}}", view.cut(view.statement(first)))
        }
        Some(first) if is_in_block => format!("{};{gap}{text}", view.slice(first)),
        Some(first) => format!("{{{gap}{};{gap}{text}{gap}}}", view.slice(first)),
    };
    Some(Site::replace(range, text))
}

fn declares(view: &View<'_>, body: u32) -> bool {
    view.tree.children(body).any(|child| view.kind(child) == NodeKind::Declaration)
}

fn while_for_site(view: &View<'_>, node: u32) -> Option<Site> {
    let Control::While { condition, body, .. } = view.control(node)? else { return None };
    let head = view.node(node).start as usize..view.span(body).start;
    let gap = view.cut(condition.end..head.end).split_once(')').map(|(_, gap)| gap)?;
    Some(Site::replace(head, format!("for (; {}; ){gap}", view.cut(condition))))
}

fn while_do_site(view: &View<'_>, node: u32) -> Option<Site> {
    let Control::While { condition, body, .. } = view.control(node)? else { return None };
    let condition = view.cut(condition);
    // An `else` behind it would be the new `if`'s.
    let is_in_block = view.node(node).parent.is_some_and(|parent| view.kind(parent) == NodeKind::Block);
    if condition.len() > TWICE || !is_in_block || holds_code(view, node) {
        return None;
    }
    let text = format!("if ({condition}) do {} while ({condition});", view.block_text(body));
    Some(Site::replace(view.statement(node), text))
}

/// Whether a condition holds what may not be written twice.
fn holds_code(view: &View<'_>, node: u32) -> bool {
    let is_code = |node: u32| matches!(view.kind(node), NodeKind::StatementExpression | NodeKind::Lambda);
    view.tree.children(node).next().is_some_and(|condition| view.tree.subtree(condition).any(is_code))
}

fn do_site(view: &View<'_>, node: u32) -> Option<Site> {
    let Control::DoWhile { body, condition_node, .. } = view.control(node)? else { return None };
    if view.jumps(&[body]).continues || view.kind(view.inner(condition_node)) == NodeKind::Integer {
        return None;
    }
    let range = view.statement(node);
    let gap = view.line_break(range.start);
    let unit = view.indent_unit();
    let body = if declares(view, body) { view.block_text(body) } else { view.inside_text(body) };
    let text = format!("while (1) {{{gap}{unit}{body}{gap}{unit}if ({}) break;{gap}}}", view.negated(condition_node));
    Some(Site::replace(range, text))
}
