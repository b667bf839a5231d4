//! Elements and addresses for each other: `index-to-pointer`, `pointer-to-index`.
//!
//! `p[i]` becomes `(*(p + i))`, `*(p + i)` becomes `p[i]` and `*p` becomes `p[0]`: by the language these are the same.
//! Arrays stay as they are: of them, unlike of pointers, a sanitizer knows how many elements they have.

use estrange_clang::{Binary, NodeKind, Shape, Unary};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

/// Whether an expression is an address of something that has a size, and no array.
fn is_pointer(view: &View<'_>, node: u32) -> bool {
    view.type_of(view.inner(node)).is_some_and(|of| match of.shape {
        Shape::Pointer { to } => {
            let to = view.tree.type_(to);
            !matches!(to.shape, Shape::Function { .. } | Shape::Void | Shape::Dependent)
        }
        _ => false,
    })
}

pub(super) fn to_pointer(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = view.all().filter_map(|node| {
        let [base, index] = *view.children(node).as_slice() else { return None };
        if view.kind(node) != NodeKind::Subscript || !view.is_plain(node) || !is_pointer(view, base) {
            return None;
        }
        let text = format!("(*({} + {}))", view.operand(base), view.operand(index));
        Some(Site::replace(view.range(node), text))
    });
    choose(sites.collect(), draw)
}

pub(super) fn to_index(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = view.all().filter_map(|node| {
        let [operand] = *view.children(node).as_slice() else { return None };
        if view.kind(node) != NodeKind::Unary(Unary::Dereference) || !view.is_plain(node) || !is_pointer(view, operand)
        {
            return None;
        }
        let inner = view.inner(operand);
        let text = match (view.kind(inner), view.children(inner).as_slice()) {
            (NodeKind::Binary(Binary::Add), [base, index]) if is_pointer(view, *base) && view.is_plain(inner) => {
                format!("{}[{}]", view.operand(*base), view.slice(*index))
            }
            _ => format!("{}[0]", view.operand(operand)),
        };
        Some(Site::replace(view.range(node), text))
    });
    choose(sites.collect(), draw)
}
