//! Assignments in another form: `compound-to-plain`, `plain-to-compound`, `increment`.
//!
//! `x += e` becomes `x = x + (e)`, and the other way round, where naming `x` twice does nothing more than naming it once.
//! `i++`, `++i` and `i += 1` become each other where nobody uses the value.

use estrange_clang::{Binary, NodeKind, Shape, Unary};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

fn plain_of(operator: Binary) -> Option<Binary> {
    Some(match operator {
        Binary::AddAssign => Binary::Add,
        Binary::SubtractAssign => Binary::Subtract,
        Binary::MultiplyAssign => Binary::Multiply,
        Binary::DivideAssign => Binary::Divide,
        Binary::RemainderAssign => Binary::Remainder,
        Binary::ShiftLeftAssign => Binary::ShiftLeft,
        Binary::ShiftRightAssign => Binary::ShiftRight,
        Binary::AndAssign => Binary::BitAnd,
        Binary::OrAssign => Binary::BitOr,
        Binary::XorAssign => Binary::BitXor,
        _ => return None,
    })
}

/// Whether an assignment to `place` may name it once more or less: neither side has effects.
fn is_calm(view: &View<'_>, place: u32, value: u32) -> bool {
    let shared = view.shared();
    let of = view.type_of(place);
    let is_number = of.is_some_and(|of| {
        matches!(of.shape, Shape::Integer { .. } | Shape::Pointer { .. } | Shape::Floating { .. })
            && !of.is_volatile
            && !of.canonical.contains("_Atomic")
    });
    is_number && view.effects(place, &shared).is_pure() && view.effects(value, &shared).is_pure()
}

pub(super) fn to_plain(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = view.all().filter_map(|node| {
        let NodeKind::Binary(operator) = view.kind(node) else { return None };
        let plain = plain_of(operator)?;
        let [place, value] = *view.children(node).as_slice() else { return None };
        if !view.is_plain(node) || !view.is_unused(node) || !is_calm(view, place, value) {
            return None;
        }
        let name = view.slice(place);
        let text = format!("{name} = {} {} {}", view.operand(place), plain.sign(), view.operand(value));
        Some(Site::replace(view.range(node), text))
    });
    choose(sites.collect(), draw)
}

pub(super) fn to_compound(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = view.all().filter_map(|node| {
        let [place, value] = *view.children(node).as_slice() else { return None };
        let value = view.inner(value);
        let NodeKind::Binary(operator) = view.kind(value) else { return None };
        let [left, right] = *view.children(value).as_slice() else { return None };
        let has_compound = matches!(
            operator,
            Binary::Add
                | Binary::Subtract
                | Binary::Multiply
                | Binary::Divide
                | Binary::Remainder
                | Binary::ShiftLeft
                | Binary::ShiftRight
                | Binary::BitAnd
                | Binary::BitOr
                | Binary::BitXor
        );
        let is_same = view.kind(node) == NodeKind::Binary(Binary::Assign)
            && has_compound
            && view.slice(place) == view.slice(view.inner(left))
            && !view.is_in_call(view.span(place).start);
        if !is_same || !view.is_plain(node) || !view.is_plain(value) || !is_calm(view, place, value) {
            return None;
        }
        let text = format!("{} {}= {}", view.slice(place), operator.sign(), view.slice(right));
        Some(Site::replace(view.range(node), text))
    });
    choose(sites.collect(), draw)
}

pub(super) fn increment(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut sites = Vec::new();
    for node in view.all() {
        let NodeKind::Unary(operator) = view.kind(node) else { continue };
        let [place] = *view.children(node).as_slice() else { continue };
        let sign = match operator {
            Unary::PostIncrement | Unary::PreIncrement => "++",
            Unary::PostDecrement | Unary::PreDecrement => "--",
            _ => continue,
        };
        if !view.is_plain(node) || !view.is_unused(node) || !view.is_scalar_value(place) {
            continue;
        }
        let is_number = view
            .type_of(place)
            .is_some_and(|of| !matches!(of.shape, Shape::Boolean) && !of.canonical.contains("_Atomic"));
        let name = view.slice(place);
        let text = match operator {
            _ if is_number && draw.percent(25) && is_calm(view, place, place) => {
                format!("{name} {}= 1", &sign[..1])
            }
            Unary::PostIncrement | Unary::PostDecrement => format!("{sign}{}", view.operand(place)),
            _ => format!("{}{sign}", view.operand(place)),
        };
        sites.push(Site::replace(view.range(node), text));
    }
    choose(sites, draw)
}
