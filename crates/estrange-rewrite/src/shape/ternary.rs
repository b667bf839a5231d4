//! `?:` and `if` for each other: `ternary-to-if`, `if-to-ternary`.
//!
//! `x = c ? a : b;` and `return c ? a : b;` become `if` and `else`, and the other way round, where both values have the
//! same type, so that neither is converted on its way, and where what is written to can be named without effects.

use estrange_clang::{Binary, NodeKind};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::statement::Control;
use crate::shape::view::View;

pub(super) fn to_if(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = view.all().filter_map(|node| {
        let (before, value) = receiver(view, node)?;
        let choice = view.inner(value);
        let [condition, yes, no] = *view.children(choice).as_slice() else { return None };
        let is_plain = view.kind(choice) == NodeKind::Conditional && view.is_plain(choice);
        // A literal would be there only until the end of its branch.
        if !is_plain || !alike(view, yes, no) || view.lends_literals(choice) {
            return None;
        }
        let (condition, yes, no) = (view.slice(condition), view.slice(yes), view.slice(no));
        let text = format!("{{ if ({condition}) {before}{yes}; else {before}{no}; }}");
        Some(Site::replace(view.statement(node), text))
    });
    choose(sites.collect(), draw)
}

pub(super) fn from_if(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let branches = view.all().filter(|node| view.kind(*node) == NodeKind::If && view.is_whole_statement(*node));
    let sites = branches.filter_map(|node| {
        let Control::If { condition_node, then, otherwise: Some(otherwise), .. } = view.control(node)? else {
            return None;
        };
        let (yes_before, yes) = receiver(view, only(view, then)?)?;
        let (no_before, no) = receiver(view, only(view, otherwise)?)?;
        if yes_before != no_before || !alike(view, yes, no) {
            return None;
        }
        let condition = view.operand(condition_node);
        let text = format!("{yes_before}{condition} ? {} : {};", view.operand(yes), view.operand(no));
        Some(Site::replace(view.statement(node), text))
    });
    choose(sites.collect(), draw)
}

/// The only statement in a block, or the statement.
fn only(view: &View<'_>, node: u32) -> Option<u32> {
    match view.kind(node) {
        NodeKind::Block => view.only_child(node),
        _ => Some(node),
    }
}

/// What a statement does with a value, as text before it, and the value.
fn receiver(view: &View<'_>, node: u32) -> Option<(String, u32)> {
    if !view.is_whole_statement(node) || !view.node(node).is_written {
        return None;
    }
    match (view.kind(node), view.children(node).as_slice()) {
        (NodeKind::Return, [value]) => {
            let is_plain = view.is_written_return(node) && view.node(view.bare(*value)).is_written;
            (is_plain && view.is_scalar_value(*value)).then(|| ("return ".to_owned(), *value))
        }
        (NodeKind::Binary(Binary::Assign), [place, value]) if view.is_plain(node) => {
            let effects = view.effects(*place, &view.shared());
            let is_simple = effects.is_pure() && view.is_scalar_value(*place);
            is_simple.then(|| (format!("{} = ", view.slice(*place)), *value))
        }
        _ => None,
    }
}

/// Whether two values have the same type before any conversion.
fn alike(view: &View<'_>, one: u32, other: u32) -> bool {
    let of = |node: u32| view.type_of(view.inner(node)).map(|of| of.canonical.trim_start_matches("const "));
    let is_scalar = |node: u32| view.is_scalar_value(view.inner(node));
    of(one).is_some() && of(one) == of(other) && is_scalar(one) && is_scalar(other)
}
