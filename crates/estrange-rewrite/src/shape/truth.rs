//! Truth as a number and as a condition: `truth`.
//!
//! `!x` becomes `x == 0`, `x == 0` becomes `!x`, `x != 0` becomes `!!x`, and a condition `x` becomes `x != 0`. In C++ an address
//! is compared with `nullptr`.

use estrange_clang::{Binary, NodeKind, Shape, Unary};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::statement::Control;
use crate::shape::view::View;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    choose(view.all().filter_map(|node| site(view, node)).collect(), draw)
}

fn site(view: &View<'_>, node: u32) -> Option<Site> {
    let children = view.children(node);
    match (view.kind(node), children.as_slice()) {
        (NodeKind::Unary(Unary::Not), [operand]) if view.is_plain(node) && is_number(view, *operand) => Some(
            Site::replace(view.range(node), format!("({} == {})", view.operand(*operand), nothing(view, *operand))),
        ),
        (NodeKind::Binary(operator @ (Binary::Equal | Binary::NotEqual)), [left, right]) if view.is_plain(node) => {
            let right = view.inner(*right);
            let is_zero = view.kind(right) == NodeKind::Integer && view.node(right).value == Some(0)
                || view.kind(right) == NodeKind::Null;
            if !is_zero || !is_number(view, *left) || view.is_in_call(view.range(right).start) {
                return None;
            }
            let sign = if operator == Binary::Equal { "!" } else { "!!" };
            Some(Site::replace(view.range(node), format!("{sign}{}", view.operand(*left))))
        }
        (NodeKind::If | NodeKind::While | NodeKind::DoWhile, _) => {
            let (range, condition) = match view.control(node)? {
                Control::If { condition, condition_node, .. }
                | Control::While { condition, condition_node, .. }
                | Control::DoWhile { condition, condition_node, .. } => (condition, condition_node),
                _ => return None,
            };
            let inner = view.inner(condition);
            let is_value =
                matches!(view.kind(inner), NodeKind::Name | NodeKind::Member | NodeKind::Call | NodeKind::Subscript);
            (is_value && is_number(view, inner) && view.node(inner).is_written)
                .then(|| Site::replace(range, format!("{} != {}", view.operand(condition), nothing(view, condition))))
        }
        _ => None,
    }
}

/// What says that a number or an address is none.
fn nothing(view: &View<'_>, node: u32) -> &'static str {
    let is_address = view.type_of(view.inner(node)).is_some_and(|of| matches!(of.shape, Shape::Pointer { .. }));
    if is_address && view.language.is_cpp() { "nullptr" } else { "0" }
}

/// Whether an expression can be compared with 0 as the language itself does it.
fn is_number(view: &View<'_>, node: u32) -> bool {
    let is_number = |node: u32| {
        view.type_of(node).is_some_and(|of| {
            matches!(of.shape, Shape::Integer { .. } | Shape::Pointer { .. })
                || matches!(of.shape, Shape::Enumeration(_)) && !view.language.is_cpp()
        })
    };
    is_number(view.inner(node))
}
