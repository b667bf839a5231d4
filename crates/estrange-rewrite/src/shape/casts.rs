//! Casts that change nothing: `add-cast`, `remove-cast`.
//!
//! A variable that is read is cast to the type that it has, and a cast to the type that its operand has is left out.

use estrange_clang::{NodeKind, Shape, ThingKind};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::site::{Site, choose, choose_share};
use crate::shape::view::View;

pub(super) fn add(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = view.all().filter_map(|node| {
        let thing = view.node(node).thing.filter(|_| view.kind(node) == NodeKind::Name)?;
        let is_variable = matches!(view.tree.thing(thing).kind, ThingKind::Local | ThingKind::Parameter);
        // Around what is read stands the conversion to its value.
        let parent = view.node(node).parent.filter(|parent| view.kind(*parent) == NodeKind::Implicit)?;
        let (of, read) = (view.type_of(node)?, view.type_of(parent)?);
        let is_read = read.canonical == of.canonical.trim_start_matches("const ") && !of.is_volatile;
        let is_number = matches!(of.shape, Shape::Integer { .. } | Shape::Pointer { .. } | Shape::Floating { .. });
        if !is_variable
            || !is_read
            || !is_number
            || of.is_const
            || !view.node(node).is_written
            || takes_place(view, parent)
        {
            return None;
        }
        let name = view.type_name(of).filter(|name| !name.contains('('))?;
        Some(Site::replace(view.range(node), format!("(({name}){})", view.slice(node))))
    });
    choose_share(sites.collect(), draw, 30)
}

/// Whether what is around needs a place in memory and no value.
fn takes_place(view: &View<'_>, node: u32) -> bool {
    let around = view.ancestors(node).find(|around| view.kind(*around) != NodeKind::Parentheses);
    around.is_some_and(|around| {
        matches!(view.kind(around), NodeKind::Size | NodeKind::Assembly | NodeKind::Other | NodeKind::Lambda)
    }) || view.language.is_cpp()
        && around
            .is_some_and(|around| matches!(view.kind(around), NodeKind::Call | NodeKind::Implicit | NodeKind::Variable))
}

pub(super) fn remove(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = view.all().filter_map(|node| {
        let operand = view.children(node).last().copied().filter(|_| view.kind(node) == NodeKind::Cast)?;
        let bare = view.bare(operand);
        let (of, before) = (view.type_of(node)?, view.type_of(bare)?);
        let is_same = of.canonical == before.canonical && is_scalar(&of.shape) && !of.is_volatile;
        // By the length of a bit-field its value is promoted, by a cast it is not.
        let is_field = view.kind(view.inner(bare)) == NodeKind::Member;
        let text = view.slice(node);
        if !is_same || is_field || !view.is_plain(node) || !text.starts_with('(') {
            return None;
        }
        Some(Site::replace(view.range(node), view.operand(operand)))
    });
    choose(sites.collect(), draw)
}
