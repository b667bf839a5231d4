//! Numbers with and without a name: `name-constant`, `unname-constant`.
//!
//! A number becomes a constant of an enumeration that the function declares, and a constant of an enumeration becomes its
//! number. In C both are of type `int`; in C++ they are not, so that C++ is left alone.

use std::collections::BTreeMap;

use estrange_clang::{NodeKind, ThingKind};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

pub(super) fn name(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    if view.language.is_cpp() {
        return Err(Refusal::only_c());
    }
    let mut places: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for node in view.all().filter(|node| view.kind(*node) == NodeKind::Integer && view.node(*node).is_written) {
        let is_int = view.type_of(node).is_some_and(|of| of.canonical == "int");
        let is_number = !view.is_in_call(view.range(node).start);
        let is_bound =
            view.ancestors(node).any(|around| matches!(view.kind(around), NodeKind::Assembly | NodeKind::Other));
        if let Some(value) = view.node(node).value.filter(|value| *value > 1 && is_int && is_number && !is_bound) {
            places.entry(value).or_default().push(node);
        }
    }
    let chosen = draw.some(places.into_iter().collect(), 60);
    let mut edits = Edits::default();
    let mut names = Vec::new();
    let mut constants = Vec::new();
    for (value, nodes) in chosen {
        let name = view.fresh_beside(["LIMIT", "SIZE", "COUNT", "STEP", "MARK"][draw.below(5)], &names);
        for node in nodes {
            edits.replace(view.range(node), name.as_str());
        }
        constants.push(format!("{name} = {value}"));
        names.push(name);
    }
    if constants.is_empty() {
        return Err(Refusal::NoPlace);
    }
    let at = view.range(view.body).start + 1;
    let line = view.tree.children(view.body).next().map(|first| view.line_break(view.span(first).start));
    edits.insert(at, format!("{}enum {{ {} }};", line.unwrap_or_default(), constants.join(", ")));
    Ok(edits)
}

pub(super) fn unname(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    if view.language.is_cpp() {
        return Err(Refusal::only_c());
    }
    let sites = view.all().filter_map(|node| {
        let thing = view.node(node).thing.filter(|_| view.kind(node) == NodeKind::Name)?;
        let is_enumerator = view.tree.thing(thing).kind == ThingKind::Enumerator;
        let is_int = view.type_of(node).is_some_and(|of| of.canonical == "int");
        let value = view.node(node).value.filter(|_| is_enumerator && is_int && view.node(node).is_written)?;
        let is_spelled = view.slice(node) == view.tree.thing(thing).name;
        let value = i32::try_from(value).ok().filter(|value| *value != i32::MIN && is_spelled)?;
        let text = if value < 0 { format!("({value})") } else { value.to_string() };
        Some(Site::replace(view.range(node), text))
    });
    choose(sites.collect(), draw)
}
