//! Two rounds of a loop in one: `unroll`.
//!
//! The body of a `while` or `for` is written twice, with its step and the test of its condition between. `break` and
//! `continue` mean in both what they meant, so that nothing need be known of the body but that it is short and may stand
//! twice: it has no labels, no static variables, no `case` of a `switch` around.

use estrange_clang::NodeKind;

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose_share};
use crate::shape::statement::Control;
use crate::shape::view::View;

/// How long a body may be that is written twice.
const BODY: usize = 160;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let loops = view.all().filter(|node| matches!(view.kind(*node), NodeKind::While | NodeKind::For));
    choose_share(loops.filter_map(|node| site(view, node)).collect(), draw, 30)
}

fn site(view: &View<'_>, node: u32) -> Option<Site> {
    let (condition, step, body) = match view.control(node)? {
        Control::While { condition_node, body, .. } => (Some(condition_node), None, body),
        Control::For { condition, step, body, .. } => (condition, step, body),
        _ => return None,
    };
    let jumps = view.jumps(&[body]);
    let is_twice = |node: u32| match view.kind(node) {
        NodeKind::Label | NodeKind::StatementExpression | NodeKind::Lambda | NodeKind::Assembly => false,
        NodeKind::Variable => view.node(node).thing.is_none_or(|thing| !view.tree.thing(thing).is_static),
        _ => true,
    };
    let range = view.statement(body);
    if jumps.cases
        || range.len() > BODY
        || view.kind(body) == NodeKind::Empty
        || !view.tree.subtree(node).all(is_twice)
        || view.statement(node).end != range.end
        || !view.is_whole_statement(node)
    {
        return None;
    }
    let gap = view.line_break(view.span(node).start);
    let gap = format!("{gap}{}", view.indent_unit());
    let again = view.block_text(body);
    let step = step.map_or_else(String::new, |step| format!("{gap}{};", view.slice(step)));
    let test = condition.map_or_else(String::new, |node| format!("{gap}if ({}) break;", view.negated(node)));
    let text = format!("{{{gap}{again}{step}{test}{gap}{again}{}}}", view.line_break(view.span(node).start));
    Some(Site::replace(range, text))
}
