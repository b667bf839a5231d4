//! Integers as small sums: `encode`.
//!
//! `17` becomes `(20 ^ 5)`, `(9 + 8)` or `(40 - 23)`: a constant expression of the same value and the same type, which may
//! stand wherever a number may, also after `case` and in the length of an array. A `0` that is a null pointer stays, and so
//! do numbers that macros are called with.

use estrange_clang::{NodeKind, Shape};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::view::View;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut edits = Edits::default();
    for node in view.all().filter(|node| view.kind(*node) == NodeKind::Integer) {
        let range = view.range(node);
        let text = view.cut(range.clone());
        // With a suffix of the program's own it is a call.
        let is_number = text.starts_with(|first: char| first.is_ascii_digit()) && !text.contains('_');
        if !view.node(node).is_written || !is_number || view.is_in_call(range.start) || is_bound(view, node) {
            continue;
        }
        if let Some(text) = encoded(view, node, draw) {
            edits.replace(range, text);
        }
    }
    Ok(edits)
}

/// Whether a number must stay a number: a null pointer, an operand of assembly, an argument of a template.
fn is_bound(view: &View<'_>, node: u32) -> bool {
    let mut around = view.ancestors(node);
    let parent = around.next();
    let becomes_pointer = parent.is_some_and(|parent| {
        let of = view.type_of(parent).map(|of| &of.shape);
        let is_conversion = matches!(view.kind(parent), NodeKind::Implicit | NodeKind::Cast);
        is_conversion && matches!(of, Some(Shape::Pointer { .. } | Shape::Other | Shape::Dependent))
    });
    let compares_pointer = parent.is_some_and(|parent| {
        view.tree.children(parent).any(|child| {
            let of = view.type_of(child).map(|of| &of.shape);
            view.node(node).value == Some(0) && matches!(of, Some(Shape::Pointer { .. }))
        }) && matches!(view.kind(parent), NodeKind::Binary(_) | NodeKind::Conditional)
    });
    becomes_pointer
        || compares_pointer
        || view.ancestors(node).any(|node| matches!(view.kind(node), NodeKind::Assembly | NodeKind::Other))
}

fn encoded(view: &View<'_>, node: u32, draw: &mut Draw) -> Option<String> {
    let value = view.node(node).value.filter(|value| *value >= 0)?;
    let (suffix, most) = match view.type_of(node)?.canonical.as_str() {
        "int" => ("", i64::from(i32::MAX)),
        "unsigned int" => ("u", i64::from(u32::MAX)),
        "long" => ("L", i64::MAX),
        "unsigned long" => ("UL", i64::MAX),
        "long long" => ("LL", i64::MAX),
        "unsigned long long" => ("ULL", i64::MAX),
        _ => return None,
    };
    if value > most {
        return None;
    }
    let other = 1 + draw.below(30) as i64;
    let (left, sign, right) = match draw.below(3) {
        // Both sides of an exclusive or stay below the next power of two.
        0 if value | 31 <= most => (value ^ other, '^', other),
        1 if value > 1 => {
            let part = 1 + draw.below(usize::try_from(value - 1).unwrap_or(1).min(1000)) as i64;
            (part, '+', value - part)
        }
        _ if value < most - other => (value + other, '-', other),
        _ => return None,
    };
    Some(format!("({left}{suffix} {sign} {right}{suffix})"))
}
