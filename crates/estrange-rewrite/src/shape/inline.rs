//! A helper's body instead of its call: `inline`.
//!
//! One call of a function that the text defines becomes a block: its parameters are variables that each have their
//! argument's value once, and `return` becomes an assignment and a jump to the block's end. A call that is a statement, or
//! all that a variable gets or a function returns, becomes such a block itself; any other becomes a block that has a value,
//! `({ … })`, as both compilers know it.
//!
//! Refused: functions that call themselves, that keep variables between calls, that take any number of arguments or are
//! written in the old way without a prototype, whose `return` comes out of a macro, who use a name that means something
//! else where they are called, or whose arguments depend on the order in which they are evaluated.

mod helper;

use std::collections::HashSet;

use estrange_clang::{Binary, NodeKind};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::view::View;
use helper::Helper;

/// How long a helper may be, unless there are only longer ones.
const LONG: usize = 2500;

/// What is done with what a call gives.
enum Use {
    /// Nothing.
    Nothing,
    /// A variable gets it.
    Assigned(u32),
    /// A new variable gets it, declared here.
    Declared(u32),
    /// The function returns it.
    Returned,
    /// Something else.
    Other,
}

struct Call {
    node: u32,
    /// The statement that is replaced, or the call itself.
    place: u32,
    use_: Use,
    length: usize,
    text: String,
}

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    if view.language.is_cpp() {
        return Err(Refusal::only_c());
    }
    let mut calls = Vec::new();
    let mut reason = Refusal::NoPlace;
    for node in view.all().filter(|node| view.kind(*node) == NodeKind::Call && view.node(*node).is_written) {
        match call(view, node) {
            Ok(Some(call)) => calls.push(call),
            Ok(None) => {}
            Err(refusal) => reason = refusal,
        }
    }
    for wanted in [
        |call: &Call| call.length <= LONG && !matches!(call.use_, Use::Other),
        |call: &Call| call.length <= LONG,
        |_: &Call| true,
    ] {
        let some: Vec<&Call> = calls.iter().filter(|call| wanted(call)).collect();
        if let Some(call) = draw.one(&some) {
            let mut edits = Edits::default();
            let range = match call.use_ {
                Use::Other => view.range(call.node),
                _ => view.statement(call.place),
            };
            edits.replace(range, call.text.as_str());
            return Ok(edits);
        }
    }
    Err(reason)
}

/// A call of a function that the text defines; nothing if it is not one.
fn call(view: &View<'_>, node: u32) -> Result<Option<Call>, Refusal> {
    let Some(thing) = view.node(node).thing else { return Ok(None) };
    let children = view.children(node);
    let Some((called, arguments)) = children.split_first() else { return Ok(None) };
    let is_direct =
        view.kind(view.inner(*called)) == NodeKind::Name && view.node(view.inner(*called)).thing == Some(thing);
    let helper = view.tree.functions.iter().rposition(|body| body.thing == thing && body.body.is_some());
    let (Some(helper), true) = (helper, is_direct) else { return Ok(None) };
    let is_evaluated = view.ancestors(node).all(|around| match view.kind(around) {
        NodeKind::Size | NodeKind::Lambda | NodeKind::StatementExpression | NodeKind::Case => false,
        NodeKind::Variable => view.node(around).thing.is_none_or(|thing| !view.tree.thing(thing).is_static),
        _ => true,
    });
    if thing == view.function.thing || !is_evaluated || view.is_in_call(view.range(node).start) {
        return Ok(None);
    }
    if view.lends_literals(node) {
        return Err(Refusal::Uses("a literal that has an address".to_owned()));
    }
    let helper = Helper::new(view, helper, node)?;
    if !are_in_order(view, arguments) {
        return Err(Refusal::Uses("arguments whose order matters".to_owned()));
    }
    let (place, use_) = used(view, node, &helper);
    let length = helper.length();
    let text = match use_ {
        Use::Nothing => helper.block(view, arguments, &helper::Result::Dropped)?,
        Use::Returned => helper.block(view, arguments, &helper::Result::Returned)?,
        Use::Assigned(thing) => {
            let name = view.tree.thing(thing).name.clone();
            helper.block(view, arguments, &helper::Result::Stored(name))?
        }
        Use::Declared(thing) => {
            let variable = view.tree.thing(thing);
            let of = variable.type_.map(|of| view.tree.type_(of));
            let declared = of.and_then(|of| view.declaration_of(of, &variable.name)).ok_or(Refusal::NoPlace)?;
            let gap = view.line_break(view.span(place).start);
            let block = helper.block(view, arguments, &helper::Result::Stored(variable.name.clone()))?;
            format!("{declared};{gap}{block}")
        }
        Use::Other => helper.value(view, arguments)?,
    };
    Ok(Some(Call { node, place, use_, length, text }))
}

/// Whether the arguments may be evaluated one after the other.
fn are_in_order(view: &View<'_>, arguments: &[u32]) -> bool {
    let shared = view.shared();
    let effects: Vec<_> = arguments.iter().map(|argument| view.effects(*argument, &shared)).collect();
    effects.iter().enumerate().all(|(at, one)| effects[..at].iter().all(|other| one.commutes_with(other)))
}

/// What the caller does with the value, and the statement that is replaced for it.
fn used(view: &View<'_>, node: u32, helper: &Helper<'_>) -> (u32, Use) {
    let mut at = node;
    while let Some(parent) = view.node(at).parent.filter(|parent| view.kind(*parent) == NodeKind::Implicit) {
        at = parent;
    }
    let other = (node, Use::Other);
    let Some(parent) = view.node(at).parent else { return other };
    if view.is_unused(at) && view.is_whole_statement(at) {
        return (at, Use::Nothing);
    }
    let is_same = |of: Option<u32>| of.is_some_and(|of| helper.gives(view, of));
    match view.kind(parent) {
        NodeKind::Return if view.is_whole_statement(parent) && helper.gives_what(view) => (parent, Use::Returned),
        NodeKind::Binary(Binary::Assign) if view.is_whole_statement(parent) && view.is_unused(parent) => {
            let place = view.tree.children(parent).next().and_then(|place| view.variable(place));
            let is_free =
                |thing: &u32| is_same(view.tree.thing(*thing).type_) && !helper.names(&view.tree.thing(*thing).name);
            match place.filter(is_free) {
                Some(thing) => (parent, Use::Assigned(thing)),
                None => other,
            }
        }
        NodeKind::Variable => {
            let declaration = view.node(parent).parent.filter(|around| view.kind(*around) == NodeKind::Declaration);
            let Some(declaration) = declaration.filter(|around| {
                let is_in_block = view.node(*around).parent.is_some_and(|block| view.kind(block) == NodeKind::Block);
                is_in_block && view.declarators(*around).is_ok_and(|all| all.len() == 1)
            }) else {
                return other;
            };
            let thing = view.node(parent).thing.filter(|thing| {
                let variable = view.tree.thing(*thing);
                let of = variable.type_.map(|of| view.tree.type_(of));
                is_same(variable.type_)
                    && !variable.is_static
                    && of.is_some_and(|of| !of.is_const)
                    && !helper.names(&variable.name)
            });
            thing.map_or(other, |thing| (declaration, Use::Declared(thing)))
        }
        _ => other,
    }
}

/// The names that a function declares.
fn declared<'a>(view: &View<'a>) -> HashSet<&'a str> {
    let things = view.all().filter(|node| matches!(view.kind(*node), NodeKind::Variable | NodeKind::Label));
    let things = things.filter_map(|node| view.node(node).thing).chain(view.function.parameters.iter().copied());
    things.map(|thing| view.tree.thing(thing).name.as_str()).filter(|name| !name.is_empty()).collect()
}
