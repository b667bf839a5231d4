//! Arguments with a name of their own: `name-argument`.
//!
//! `f(g(x), y);` becomes `{ int argument = g(x); f(argument, y); }`, where `f` takes the argument as a number or an address,
//! and where it makes no difference that it is evaluated before the others.
//!
//! Left alone: arguments that are bound to references, that make objects which would end earlier, or that are a name or a
//! number already; calls through addresses or with any number of arguments.

use estrange_clang::{Binary, NodeKind, Shape, Type};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

pub(super) fn name(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut sites = Vec::new();
    let name = view.fresh("argument");
    for statement in view.all().filter(|node| view.is_whole_statement(*node) && view.node(*node).is_written) {
        let Some((call, others)) = outermost(view, statement) else { continue };
        let Some(choices) = choices(view, call, &others) else { continue };
        let Some((argument, declared)) = draw
            .one(&choices)
            .and_then(|argument| Some((*argument, view.declaration_of(plain(view, *argument)?, &name)?)))
        else {
            continue;
        };
        let whole = view.statement(statement);
        let range = view.range(argument);
        let text = format!(
            "{{ {declared} = {}; {}{name}{} }}",
            view.cut(range.clone()),
            view.cut(whole.start..range.start),
            view.cut(range.end..whole.end)
        );
        sites.push(Site::replace(whole, text));
    }
    choose(sites, draw)
}

/// The call that a statement is, returns or assigns, and what else the statement evaluates.
fn outermost(view: &View<'_>, statement: u32) -> Option<(u32, Vec<u32>)> {
    let is_call = |node: u32| view.kind(node) == NodeKind::Call;
    let bare = view.bare(statement);
    match (view.kind(bare), view.children(bare).as_slice()) {
        (NodeKind::Call, _) => Some((bare, Vec::new())),
        (NodeKind::Return, [value]) => {
            let value = view.bare(*value);
            (is_call(value) && view.is_written_return(bare)).then(|| (value, Vec::new()))
        }
        (NodeKind::Binary(Binary::Assign), [place, value]) => {
            let value = view.bare(*value);
            is_call(value).then(|| (value, vec![*place]))
        }
        _ => None,
    }
}

/// The arguments of a call that can have a name.
fn choices(view: &View<'_>, call: u32, others: &[u32]) -> Option<Vec<u32>> {
    let thing = view.node(call).thing?;
    let children = view.children(call);
    let (called, arguments) = children.split_first()?;
    // Of a method, the object is evaluated with the arguments.
    let is_direct = view.node(view.inner(*called)).thing == Some(thing)
        && matches!(view.kind(view.inner(*called)), NodeKind::Name | NodeKind::Member);
    let of = view.tree.thing(thing).type_.map(|of| &view.tree.type_(of).shape);
    let Some(Shape::Function { parameters, .. }) = of else { return None };
    if !is_direct || !view.node(call).is_written || view.is_in_call(view.range(call).start) {
        return None;
    }
    let shared = view.shared();
    let effects: Vec<_> = children.iter().chain(others).map(|node| view.effects(*node, &shared)).collect();
    let free = arguments.iter().zip(parameters).enumerate().filter(|(at, (argument, of))| {
        let is_value = is_scalar(&view.tree.type_(**of).shape);
        let own = &effects[at + 1];
        let is_first = effects.iter().enumerate().all(|(other, effects)| other == at + 1 || own.commutes_with(effects));
        is_value && is_first && can_be_named(view, **argument)
    });
    Some(free.map(|(_, (argument, _))| *argument).collect())
}

fn can_be_named(view: &View<'_>, argument: u32) -> bool {
    let inner = view.inner(argument);
    let is_telling = matches!(
        view.kind(inner),
        NodeKind::Call
            | NodeKind::Binary(_)
            | NodeKind::Conditional
            | NodeKind::Subscript
            | NodeKind::Member
            | NodeKind::Cast
    );
    let is_odd = |node: u32| {
        matches!(
            view.kind(node),
            NodeKind::Lambda
                | NodeKind::StatementExpression
                | NodeKind::New
                | NodeKind::Throw
                | NodeKind::List
                | NodeKind::Literal
                | NodeKind::Other
                | NodeKind::Assembly
        ) || makes_object(view, node)
    };
    is_telling
        && plain(view, argument).is_some()
        && view.node(view.bare(argument)).is_written
        && !view.is_in_call(view.range(argument).start)
        && !view.tree.subtree(argument).any(is_odd)
}

/// The type of an argument before any conversion, if it is a number or an address.
fn plain<'a>(view: &View<'a>, argument: u32) -> Option<&'a Type> {
    let inner = view.inner(argument);
    let of = view.type_of(inner)?;
    let is_bits = view.kind(inner) == NodeKind::Member;
    let is_value = is_scalar(&of.shape) && !of.is_volatile && !of.canonical.contains("_Atomic");
    (is_value && !of.is_const && !(is_bits && is_of_bits(view, inner))).then_some(of)
}

/// Whether a member has a number of bits of its own.
fn is_of_bits(view: &View<'_>, member: u32) -> bool {
    let at = view.node(member).thing.and_then(|thing| view.tree.thing(thing).at);
    let mut fields = view.tree.records.iter().flat_map(|record| &record.fields);
    at.is_none() || fields.any(|field| field.at == at && field.bits.is_some())
}

/// Whether a node makes an object that ends with its statement.
fn makes_object(view: &View<'_>, node: u32) -> bool {
    let is_value = |of: &Type| is_scalar(&of.shape) || matches!(of.shape, Shape::Array { .. });
    let is_object = view.type_of(node).is_none_or(|of| !is_value(of));
    let gives_reference = || {
        let of = view.node(node).thing.and_then(|thing| view.tree.thing(thing).type_);
        let Some(Shape::Function { result, .. }) = of.map(|of| &view.tree.type_(of).shape) else { return false };
        matches!(view.tree.type_(*result).shape, Shape::Reference { .. })
    };
    match view.kind(node) {
        NodeKind::Call => is_object && !gives_reference(),
        NodeKind::Cast => is_object,
        _ => false,
    }
}
