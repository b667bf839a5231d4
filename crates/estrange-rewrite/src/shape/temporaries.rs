//! Values with a name of their own, and without: `name-result`, `unname-result`.
//!
//! `return e;` becomes a variable of the function's type that is returned, and a variable that is only made to be returned
//! becomes the value itself.

use estrange_clang::{NodeKind, Shape, Type};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

/// The type of what the function returns, if it is one number or address, or a struct as in C.
fn result<'a>(view: &View<'a>) -> Option<&'a Type> {
    let of = view.tree.thing(view.function.thing).type_?;
    let Shape::Function { result, .. } = view.tree.type_(of).shape else { return None };
    let result = view.tree.type_(result);
    let is_record = matches!(result.shape, Shape::Record(_)) && !view.language.is_cpp();
    (is_scalar(&result.shape) || is_record).then_some(result)
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
        let value = view.slice(value);
        Some(Site::replace(view.statement(node), format!("{{ {declared} = {value}; return {name}; }}")))
    });
    choose(sites.collect(), draw)
}

pub(super) fn unname(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let of = result(view).ok_or(Refusal::NoPlace)?;
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
