//! Logic in another form: `de-morgan`, `flip`.
//!
//! `a && b` becomes `!(!a || !b)`, and the other way round. `a < b` becomes `b > a`, and the operands of a sum, a product or
//! another operator that does not mind change their sides, where it makes no difference which is evaluated first.

use std::collections::HashSet;

use estrange_clang::{Binary, NodeKind, Shape};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

pub(super) fn de_morgan(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = view.all().filter_map(|node| {
        let other = match view.kind(node) {
            NodeKind::Binary(Binary::And) => "||",
            NodeKind::Binary(Binary::Or) => "&&",
            _ => return None,
        };
        let [left, right] = *view.children(node).as_slice() else { return None };
        if !view.is_plain(node) || is_unknown(view, left) || is_unknown(view, right) {
            return None;
        }
        let text = format!("!({} {other} {})", negated(view, left), negated(view, right));
        Some(Site::replace(view.range(node), text))
    });
    choose(sites.collect(), draw)
}

/// The opposite of an operand, in parentheses if it is a comparison.
fn negated(view: &View<'_>, node: u32) -> String {
    let text = view.negated(node);
    if text.starts_with('!') { text } else { format!("({text})") }
}

fn is_unknown(view: &View<'_>, node: u32) -> bool {
    !view.is_scalar_value(view.bare(node)) && !view.is_scalar_value(node)
}

pub(super) fn flip(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let shared = view.shared();
    let sites = view.all().filter_map(|node| flip_site(view, node, &shared));
    choose(sites.collect(), draw)
}

fn flip_site(view: &View<'_>, node: u32, shared: &HashSet<u32>) -> Option<Site> {
    let NodeKind::Binary(operator) = view.kind(node) else { return None };
    let [left, right] = *view.children(node).as_slice() else { return None };
    let sign = match operator {
        Binary::Less => ">",
        Binary::Greater => "<",
        Binary::LessOrEqual => ">=",
        Binary::GreaterOrEqual => "<=",
        Binary::Equal | Binary::NotEqual => operator.sign(),
        Binary::Add | Binary::Multiply | Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
            // The sum of numbers with a floating point may differ in which of two that are none it is.
            let is_integer = |node| view.type_of(node).is_some_and(|of| matches!(of.shape, Shape::Integer { .. }));
            (is_integer(left) && is_integer(right)).then(|| operator.sign())?
        }
        _ => return None,
    };
    let is_known = !is_unknown(view, left) && !is_unknown(view, right);
    let (one, other) = (view.effects(left, shared), view.effects(right, shared));
    if !view.is_plain(node) || !is_known || !one.commutes_with(&other) {
        return None;
    }
    // The outermost operator of a comparison stays what it was for what is around it.
    let text = format!("{} {sign} {}", view.operand(right), view.operand(left));
    Some(Site::replace(view.range(node), text))
}
