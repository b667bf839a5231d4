//! Conditions that always hold: `opaque`.
//!
//! Statements are guarded by a condition that is true whatever the values are, and that no operation in it can fail: it
//! is made of unsigned numbers, which wrap around. Where a `switch` on an unsigned variable is around, as `flatten` makes
//! one, its cases are guarded with that variable; elsewhere a variable that starts with a parameter's value is used.

use estrange_clang::{NodeKind, Shape, ThingKind};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::statement::Control;
use crate::shape::view::View;

/// How many cases of a hundred are guarded: each guard makes the text longer.
const GUARDED: usize = 35;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut edits = Edits::default();
    for (switch, variable) in dispatches(view) {
        let mut places = Vec::new();
        for case in view.tree.subtree(switch).filter(|node| view.kind(*node) == NodeKind::Case) {
            let is_own = view.ancestors(case).find(|node| view.kind(*node) == NodeKind::Switch) == Some(switch);
            let statement = view.children(case).last().copied();
            places.extend(statement.filter(|statement| is_own && can_be_guarded(view, *statement)));
        }
        for place in draw.some(places, GUARDED) {
            edits.insert(view.span(place).start, format!("if ({}) ", condition(&variable, draw)));
        }
    }
    if !edits.is_empty() {
        return Ok(edits);
    }
    let is_plain = |node: &u32| {
        let is_in_block = view.node(*node).parent.is_some_and(|parent| view.kind(parent) == NodeKind::Block);
        is_in_block && can_be_guarded(view, *node)
    };
    let places = draw.some(view.all().filter(is_plain).collect(), 40);
    if places.is_empty() {
        return Err(Refusal::NoPlace);
    }
    let name = view.fresh("token");
    let at = view.range(view.body).start + 1;
    let gap = view.line_break(view.span(view.children(view.body)[0]).start);
    let value = parameter(view).map_or_else(|| (1 + draw.below(9999)).to_string(), |name| format!("(unsigned){name}"));
    edits.insert(at, format!("{gap}unsigned {name} = {value};"));
    for place in places {
        edits.insert(view.span(place).start, format!("if ({}) ", condition(&name, draw)));
    }
    Ok(edits)
}

/// The `switch` statements on a name of an unsigned variable, with that name.
fn dispatches(view: &View<'_>) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for switch in view.all().filter(|node| view.kind(*node) == NodeKind::Switch) {
        let Some(Control::Switch { operand_node, .. }) = view.control(switch) else { continue };
        let Some(thing) = view.variable(operand_node) else { continue };
        let of = view.tree.thing(thing).type_.map(|of| view.tree.type_(of));
        let is_unsigned = of.is_some_and(|of| of.canonical == "unsigned int");
        if is_unsigned && view.tree.thing(thing).kind == ThingKind::Local {
            found.push((switch, view.tree.thing(thing).name.clone()));
        }
    }
    found
}

/// Whether `if (…)` may stand before a statement.
fn can_be_guarded(view: &View<'_>, node: u32) -> bool {
    let is_free = match view.kind(node) {
        NodeKind::Declaration | NodeKind::Label | NodeKind::Case | NodeKind::Default | NodeKind::Variable => false,
        // An attribute that stands by itself, or a macro that is nothing.
        NodeKind::Other | NodeKind::Empty => false,
        // A `case` in it would be one of something else, and a literal would be there no longer.
        _ => !view.jumps(&[node]).cases && !view.lends_literals(node),
    };
    // A lambda does not know the variable.
    let is_in_lambda = view.ancestors(node).any(|around| view.kind(around) == NodeKind::Lambda);
    is_free && !is_in_lambda && view.is_whole_statement(node)
}

/// The name of a parameter whose value is a whole number.
fn parameter<'a>(view: &View<'a>) -> Option<&'a str> {
    let things = view.function.parameters.iter().map(|parameter| view.tree.thing(*parameter));
    let mut integers = things.filter(|thing| {
        let of = thing.type_.map(|of| view.tree.type_(of));
        let is_integer = |of: &estrange_clang::Type| {
            matches!(of.shape, Shape::Integer { .. } | Shape::Boolean | Shape::Enumeration(_)) && !of.is_volatile
        };
        !thing.name.is_empty() && of.is_some_and(is_integer)
    });
    // A name that a block declares anew is still the parameter at the top.
    integers.next().map(|thing| thing.name.as_str())
}

/// A condition on an unsigned number that always holds.
fn condition(name: &str, draw: &mut Draw) -> String {
    let number = 3 + draw.below(6);
    match draw.below(5) {
        0 => format!("{name} * ~{name} % 2 == 0"),
        1 => format!("({name} | {number}) >= {number}"),
        2 => format!("{name} * {name} % 4 < 2"),
        3 => format!("({name} & {number}) <= {number}"),
        _ => format!("({name} ^ {number}) != {name}"),
    }
}
