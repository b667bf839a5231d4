//! Values with a name of their own, and without: `name-result`, `unname-result`.
//!
//! `return e;` becomes a variable of the function's type that is returned, and a variable that is only made to be returned
//! becomes the value itself. In C++ the variable may be a reference, or an object if nobody can tell how often it is copied.

use estrange_clang::{NodeKind, Shape, Type};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

/// The type of what the function returns, if it can be a variable first: a number, an address, a reference, or an object of
/// which nobody can tell how often it is copied.
fn result<'a>(view: &View<'a>) -> Option<&'a Type> {
    let of = view.tree.thing(view.function.thing).type_?;
    let Shape::Function { result, .. } = view.tree.type_(of).shape else { return None };
    let result = view.tree.type_(result);
    let can_be_named = match result.shape {
        Shape::Record(_) if !view.language.is_cpp() => true,
        Shape::Record(record) => is_copied_quietly(view, record, 0),
        Shape::Reference { to, is_rvalue: false } => {
            let to = view.tree.type_(to);
            match to.shape {
                Shape::Array { .. } | Shape::Function { .. } => false,
                Shape::Dependent => !to.spelling.contains("::"),
                _ => true,
            }
        }
        ref shape => is_scalar(shape),
    };
    can_be_named.then_some(result)
}

/// Whether copies of an object are told by nothing: it is of the standard library, or has neither a constructor for copies nor a
/// destructor of its own, and neither has any part of it.
fn is_copied_quietly(view: &View<'_>, record: u32, depth: usize) -> bool {
    let of = &view.tree.records[record as usize];
    if !of.is_ours {
        return of.qualified_name.starts_with("std::")
            && of.arguments.iter().flatten().all(|of| is_quiet(view, *of, depth));
    }
    let is_own = |of: u32| match view.tree.type_(of).shape {
        Shape::Reference { to, .. } => view.tree.type_(to).shape == Shape::Record(record),
        _ => false,
    };
    let copies = of.constructors.iter().any(|constructor| constructor.parameters.iter().any(|of| is_own(*of)));
    let ends = view.text.contains(&format!("~{}", of.name));
    let parts = of.fields.iter().map(|field| field.type_).chain(of.bases.iter().copied());
    of.is_complete && !copies && !ends && !of.has_virtual_base && parts.into_iter().all(|of| is_quiet(view, of, depth))
}

fn is_quiet(view: &View<'_>, of: u32, depth: usize) -> bool {
    let of = view.tree.type_(of);
    match of.shape {
        Shape::Record(record) => depth < 8 && is_copied_quietly(view, record, depth + 1),
        Shape::Array { of, .. } => is_quiet(view, of, depth),
        Shape::Function { .. } => true,
        ref shape => is_scalar(shape),
    }
}

/// The values that are returned, with their statements.
fn returns(view: &View<'_>) -> Vec<(u32, u32)> {
    let is_own = |node: &u32| !view.ancestors(*node).any(|around| view.kind(around) == NodeKind::Lambda);
    let returns = view.all().filter(|node| view.is_written_return(*node));
    let value = |node: u32| Some((node, view.only_child(node)?));
    returns.filter(is_own).filter(|node| view.is_whole_statement(*node)).filter_map(value).collect()
}

pub(super) fn name(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let of = result(view).ok_or(Refusal::NoPlace)?;
    let name = view.fresh(["result", "answer", "value"][draw.below(3)]);
    let declared = view.declaration_of(of, &name).ok_or(Refusal::NoPlace)?;
    let sites = returns(view).into_iter().filter_map(|(node, value)| {
        let is_simple = matches!(view.kind(view.inner(value)), NodeKind::Integer | NodeKind::Name | NodeKind::List);
        if is_simple && returns(view).len() > 1 || view.kind(view.inner(value)) == NodeKind::List {
            return None;
        }
        // A variable that is returned is moved; if it were copied first, it would not be.
        let is_object = matches!(of.shape, Shape::Record(_)) && view.language.is_cpp();
        if is_object && (view.variable(value).is_some() || view.kind(view.inner(value)) == NodeKind::Implicit) {
            return None;
        }
        let value = view.slice(value);
        Some(Site::replace(view.statement(node), format!("{{ {declared} = {value}; return {name}; }}")))
    });
    choose(sites.collect(), draw)
}

pub(super) fn unname(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    // A reference that is returned names something else.
    let is_value = |of: &&Type| is_scalar(&of.shape) || !view.language.is_cpp();
    let of = result(view).filter(is_value).ok_or(Refusal::NoPlace)?;
    let sites = returns(view).into_iter().filter_map(|(node, value)| {
        let thing = view.variable(value)?;
        let block = view.node(node).parent.filter(|parent| view.kind(*parent) == NodeKind::Block)?;
        let siblings = view.children(block);
        let before = siblings.iter().position(|sibling| *sibling == node)?.checked_sub(1)?;
        let declaration = siblings[before];
        let declarators =
            view.declarators(declaration).ok().filter(|_| view.kind(declaration) == NodeKind::Declaration)?;
        let [declarator] = declarators.as_slice() else { return None };
        let first = declarator.value_text(view).filter(|value| !value.starts_with('{'))?;
        let declared = view.tree.thing(thing);
        let is_same = declared.type_.is_some_and(|declared| view.tree.type_(declared).canonical == of.canonical);
        let uses = view.all().filter(|node| view.node(*node).thing == Some(thing)).count();
        if declarator.thing != thing || uses != 2 || !is_same || declared.is_static {
            return None;
        }
        let range = view.span(declaration).start..view.statement(node).end;
        Some(Site::replace(range, format!("return {first};")))
    });
    choose(sites.collect(), draw)
}
