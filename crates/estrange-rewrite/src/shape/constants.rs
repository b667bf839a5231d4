//! Numbers with and without a name: `name-constant`, `unname-constant`.
//!
//! In C a number becomes a constant of an enumeration that the function declares, and a constant of an enumeration becomes
//! its number: both are of type `int`. In C++ they are not: there a number becomes a `const int`, where its value is all that
//! matters, and a `const int` of the function that begins with a number becomes that number.
//!
//! Left alone: in C++ numbers that a reference may be bound to, that a template is given, or that stand in lambdas or classes
//! of the function.

use std::collections::BTreeMap;

use estrange_clang::{FunctionKind, NodeKind, Shape, ThingKind};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

pub(super) fn name(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let is_cpp = view.language.is_cpp();
    let mut places: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
    for node in view.all().filter(|node| view.kind(*node) == NodeKind::Integer && view.node(*node).is_written) {
        let is_int = view.type_of(node).is_some_and(|of| of.canonical == "int");
        let is_number = !view.is_in_call(view.range(node).start);
        let is_bound =
            view.ancestors(node).any(|around| matches!(view.kind(around), NodeKind::Assembly | NodeKind::Other));
        if let Some(value) = view.node(node).value.filter(|value| *value > 1 && is_int && is_number && !is_bound) {
            if is_cpp && !is_value_only(view, node) {
                continue;
            }
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
        constants.push(if is_cpp { format!("const int {name} = {value};") } else { format!("{name} = {value}") });
        names.push(name);
    }
    if constants.is_empty() {
        return Err(Refusal::NoPlace);
    }
    let at = view.range(view.body).start + 1;
    let line = view.tree.children(view.body).next().map(|first| view.line_break(view.span(first).start));
    let line = line.unwrap_or_default();
    edits.insert(
        at,
        if is_cpp {
            line.clone() + &constants.join(&line)
        } else {
            format!("{line}enum {{ {} }};", constants.join(", "))
        },
    );
    Ok(edits)
}

pub(super) fn unname(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    if view.language.is_cpp() {
        return choose(of_variables(view), draw);
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

/// Whether what is around a number needs its value and nothing else: neither a reference nor a template knows it.
fn is_value_only(view: &View<'_>, node: u32) -> bool {
    let is_own = |around: u32| matches!(view.kind(around), NodeKind::Lambda | NodeKind::Other | NodeKind::List);
    if view.ancestors(node).any(|around| is_own(around) || is_constant_again(view, around)) {
        return false;
    }
    let mut at = node;
    while let Some(parent) = view.node(at).parent {
        let is_number = view.type_of(parent).is_some_and(|of| is_scalar(&of.shape));
        match view.kind(parent) {
            NodeKind::Parentheses => at = parent,
            // A conversion to another type reads the value; one to the same may be where a reference is bound.
            NodeKind::Implicit => {
                return is_number
                    && view.type_of(parent).is_some_and(|of| of.canonical != "int" && !of.canonical.contains("const"));
            }
            NodeKind::Binary(operator) => return operator != estrange_clang::Binary::Comma && is_number,
            NodeKind::Unary(_) => return is_number,
            NodeKind::Subscript => {
                let of = view.tree.children(parent).next().and_then(|base| view.type_of(base)).map(|of| &of.shape);
                return matches!(of, Some(Shape::Pointer { .. } | Shape::Array { .. }));
            }
            NodeKind::Case => return true,
            NodeKind::Return => return gives_number(view),
            NodeKind::Variable => {
                let is_array = view.type_of(parent).is_some_and(|of| matches!(of.shape, Shape::Array { .. }));
                return is_number || is_array;
            }
            NodeKind::Call => return is_taken_by_value(view, parent, at),
            NodeKind::If | NodeKind::While | NodeKind::DoWhile | NodeKind::For | NodeKind::Switch => return true,
            _ => return false,
        }
    }
    false
}

/// Whether a node is a declaration that the compiler may need to know the value of: what it is made of must be known, too.
fn is_constant_again(view: &View<'_>, node: u32) -> bool {
    let words = view.tokens_in(view.range(node));
    view.kind(node) == NodeKind::Declaration
        && words.iter().any(|token| matches!(token.text(view.text), "static" | "constexpr" | "thread_local"))
}

/// Whether the function returns a number or an address, and no reference.
fn gives_number(view: &View<'_>) -> bool {
    let is_function =
        matches!(view.function.kind, FunctionKind::Free | FunctionKind::Method | FunctionKind::Conversion);
    let of = view.tree.thing(view.function.thing).type_.map(|of| &view.tree.type_(of).shape);
    let result = match of {
        Some(Shape::Function { result, .. }) => &view.tree.type_(*result).shape,
        _ => return false,
    };
    is_function && is_scalar(result)
}

/// Whether a call takes an argument as a number.
fn is_taken_by_value(view: &View<'_>, call: u32, argument: u32) -> bool {
    let Some(thing) = view.node(call).thing.map(|thing| view.tree.thing(thing)) else { return false };
    let at = view.tree.children(call).skip(1).position(|other| other == argument);
    let parameters = match thing.type_.map(|of| &view.tree.type_(of).shape) {
        Some(Shape::Function { parameters, .. }) => parameters,
        _ => return false,
    };
    let of = at.and_then(|at| parameters.get(at)).map(|of| &view.tree.type_(*of).shape);
    // An operator of a class has its object among its operands.
    of.is_some_and(is_scalar) && !thing.name.starts_with("operator")
}

/// The variables of the function that are an `int` that never changes, where they are read.
fn of_variables(view: &View<'_>) -> Vec<Site> {
    let mut sites = Vec::new();
    for declaration in view.all().filter(|node| view.kind(*node) == NodeKind::Declaration) {
        let Ok(declarators) = view.declarators(declaration) else { continue };
        for declarator in declarators {
            let is_constant = view.tree.thing(declarator.thing).type_.is_some_and(|of| {
                let of = view.tree.type_(of);
                of.canonical == "const int" && !of.is_volatile
            });
            let value =
                view.variable_node(declaration, declarator.thing).and_then(|node| view.tree.children(node).last());
            let value = value.map(|value| view.inner(value)).filter(|value| view.kind(*value) == NodeKind::Integer);
            let number = value.and_then(|value| view.node(value).value).and_then(|number| i32::try_from(number).ok());
            let Some(number) = number.filter(|_| is_constant) else { continue };
            for node in view.all().filter(|node| view.kind(*node) == NodeKind::Name) {
                let is_it = view.node(node).thing == Some(declarator.thing) && view.node(node).is_written;
                // What is read is converted from a place to its value.
                let is_read = view.node(node).parent.is_some_and(|parent| {
                    view.kind(parent) == NodeKind::Implicit
                        && view.type_of(parent).is_some_and(|of| of.canonical == "int")
                });
                let is_bare =
                    view.ancestors(node).all(|around| !matches!(view.kind(around), NodeKind::Lambda | NodeKind::Other));
                if is_it && is_read && is_bare && !view.is_in_call(view.range(node).start) {
                    sites.push(Site::replace(view.range(node), number.to_string()));
                }
            }
        }
    }
    sites
}
