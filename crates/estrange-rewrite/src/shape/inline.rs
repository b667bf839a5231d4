//! The bodies of functions instead of their calls: `inline` for one call, `structure` for all of them.
//!
//! A call of a function that the text defines becomes a block: its parameters are variables that each have their
//! argument's value once, and `return` becomes an assignment and a jump to the block's end. A call that is a statement, or
//! all that a variable gets or a function returns, becomes such a block itself; any other becomes a block that has a value,
//! `({ … })`, as both compilers know it.
//!
//! In C++ the body becomes a lambda that is called where it stands.
//!
//! Left alone: functions that call themselves, that keep variables between calls, that take any number of arguments or are
//! written in the old way without a prototype, whose `return` comes out of a macro, who use a name that means something
//! else where they are called, whose arguments depend on the order in which they are evaluated, or whose call depends on
//! when it happens among the other operands of its expression.

mod closure;
mod helper;
mod labels;
mod order;
mod recursion;

use std::collections::HashSet;
use std::ops::Range;

use estrange_clang::{Binary, NodeKind};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::view::View;
use helper::Helper;
use labels::Labels;
use order::Order;
use recursion::Recursion;

/// How long a helper may be that is inlined by chance, unless there are only longer ones.
const LONG: usize = 2500;

/// How long a function may become by unfolding.
const LONGEST: usize = 64 << 10;

/// A call of a function of the text that was not unfolded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// The function that is called.
    pub function: String,
    /// Why it stays.
    pub refusal: Refusal,
}

/// The calls of a function unfolded once: those within their bodies are for the next round.
pub(super) struct Round {
    pub(super) edits: Edits,
    /// How many calls were unfolded.
    pub(super) unfolded: u32,
    /// The calls that stay.
    pub(super) left: Vec<Left>,
}

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

/// A call whose body can stand in its place.
struct Call {
    /// What is replaced.
    place: Range<usize>,
    is_statement: bool,
    length: usize,
    text: String,
}

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut calls = Vec::new();
    let mut reason = Refusal::NoPlace;
    let order = Order::of(view);
    for (node, function) in called(view) {
        match call(view, node, function, &order, &mut Labels::default()) {
            Ok(call) => calls.push(call),
            Err(refusal) => reason = refusal,
        }
    }
    for wanted in
        [|call: &Call| call.length <= LONG && call.is_statement, |call: &Call| call.length <= LONG, |_: &Call| true]
    {
        let some: Vec<&Call> = calls.iter().filter(|call| wanted(call)).collect();
        if let Some(call) = draw.one(&some) {
            let mut edits = Edits::default();
            edits.replace(call.place.clone(), call.text.as_str());
            return Ok(edits);
        }
    }
    Err(reason)
}

/// Unfolds all calls that can be, but for those within what is replaced.
pub(super) fn round(view: &View<'_>) -> Result<Round, Refusal> {
    let (recursion, order) = (Recursion::of(view.tree), Order::of(view));
    let mut labels = Labels::default();
    let mut room = LONGEST.saturating_sub(view.place().len());
    let mut round = Round { edits: Edits::default(), unfolded: 0, left: Vec::new() };
    let mut replaced: Vec<Range<usize>> = Vec::new();
    for (node, function) in called(view) {
        let span = view.span(node);
        if replaced.iter().any(|place| place.start < span.end && span.start < place.end) {
            continue;
        }
        let call = match recursion.has(function) {
            true => Err(Refusal::Uses(RECURSIVE.to_owned())),
            false => call(view, node, function, &order, &mut labels),
        };
        // A statement that begins with a call that was replaced is for the next round.
        let is_free =
            |call: &Call| !replaced.iter().any(|one| one.start < call.place.end && call.place.start < one.end);
        match call {
            Ok(call) if !is_free(&call) => {}
            Ok(call) if call.text.len() <= room => {
                room -= call.text.len();
                replaced.push(call.place.clone());
                round.edits.replace(call.place, call.text);
                round.unfolded += 1;
            }
            result => {
                let refusal = result.err().unwrap_or(Refusal::TooLong);
                let left =
                    Left { function: view.tree.thing(view.tree.functions[function].thing).name.clone(), refusal };
                if !round.left.contains(&left) {
                    round.left.push(left);
                }
            }
        }
    }
    Ok(round)
}

/// What a function does that has no end of unfolding.
const RECURSIVE: &str = "a function that calls itself";

/// The calls of functions that the text defines, each with the number of that function.
fn called(view: &View<'_>) -> Vec<(u32, usize)> {
    let calls = view.all().filter(|node| view.kind(*node) == NodeKind::Call && is_evaluated(view, *node));
    calls.filter_map(|node| Some((node, callee(view, node)?))).collect()
}

/// Whether a part of the function is run where it stands.
fn is_evaluated(view: &View<'_>, node: u32) -> bool {
    view.ancestors(node).all(|around| match view.kind(around) {
        NodeKind::Size | NodeKind::Case => false,
        NodeKind::Lambda => view.language.is_cpp(),
        NodeKind::Declaration if view.language.is_cpp() => {
            view.tokens_in(view.range(around)).iter().all(|token| token.text(view.text) != "constexpr")
        }
        NodeKind::Variable => view.node(around).thing.is_none_or(|thing| !view.tree.thing(thing).is_static),
        _ => true,
    })
}

/// The number of the function that a call names; nothing if the text does not define it.
fn callee(view: &View<'_>, node: u32) -> Option<usize> {
    let thing = match view.language.is_cpp() {
        true => closure::named(view, node)?,
        false => {
            let called = view.inner(view.children(node).first().copied()?);
            view.node(node)
                .thing
                .filter(|thing| view.kind(called) == NodeKind::Name && view.node(called).thing == Some(*thing))?
        }
    };
    view.tree.functions.iter().rposition(|body| body.thing == thing && body.body.is_some())
}

/// A call with the body that can stand in its place.
fn call<'a>(
    view: &View<'a>,
    node: u32,
    function: usize,
    order: &Order<'_, 'a>,
    labels: &mut Labels,
) -> Result<Call, Refusal> {
    let children = view.children(node);
    let arguments = children.get(1..).unwrap_or_default();
    if view.tree.functions[function].thing == view.function.thing {
        return Err(Refusal::Uses(RECURSIVE.to_owned()));
    }
    if !view.node(node).is_written || view.is_in_call(view.range(node).start) {
        return Err(Refusal::FromMacro("a call".to_owned()));
    }
    if view.language.is_cpp() {
        return closed_call(view, node, function);
    }
    if view.lends_literals(node) {
        return Err(Refusal::Uses("a literal that has an address".to_owned()));
    }
    let helper = Helper::new(view, function, node)?;
    if !order.is_any(arguments) {
        return Err(Refusal::Uses("arguments whose order matters".to_owned()));
    }
    let (place, use_) = used(view, node, &helper);
    let length = helper.length();
    let text = match use_ {
        Use::Nothing => helper.block(view, place, arguments, &helper::Result::Dropped, labels)?,
        Use::Returned => helper.block(view, place, arguments, &helper::Result::Returned, labels)?,
        Use::Assigned(thing) => {
            let name = view.tree.thing(thing).name.clone();
            helper.block(view, place, arguments, &helper::Result::Stored(name), labels)?
        }
        Use::Declared(thing) => {
            let variable = view.tree.thing(thing);
            let of = variable.type_.map(|of| view.tree.type_(of));
            let declared = of.and_then(|of| view.declaration_of(of, &variable.name)).ok_or(Refusal::NoPlace)?;
            let gap = view.line_break(view.span(place).start);
            let result = helper::Result::Stored(variable.name.clone());
            let block = helper.block(view, place, arguments, &result, labels)?;
            format!("{declared};{gap}{block}")
        }
        Use::Other if !order.is_free(node, function) => {
            return Err(Refusal::Uses("a call among operands whose order matters".to_owned()));
        }
        Use::Other => helper.value(view, place, arguments, labels)?,
    };
    let is_statement = !matches!(use_, Use::Other);
    let place = if is_statement { view.statement(place) } else { view.range(node) };
    Ok(Call { place, is_statement, length, text })
}

/// A call in C++ of a function that the text defines, as a lambda.
fn closed_call(view: &View<'_>, node: u32, function: usize) -> Result<Call, Refusal> {
    if view.is_in_local_class(node) {
        return Err(Refusal::Uses("a class of its own".to_owned()));
    }
    let (place, text) = closure::text(view, node, function)?;
    let length = text.len();
    Ok(Call { place, is_statement: false, length, text })
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

/// The names of the function's own variables that are known at a call.
fn known_at<'a>(view: &View<'a>, call: u32) -> HashSet<&'a str> {
    let is_known = |variable: &u32| {
        let is_scope = |kind: NodeKind| {
            matches!(
                kind,
                NodeKind::Block
                    | NodeKind::For
                    | NodeKind::RangeFor
                    | NodeKind::If
                    | NodeKind::While
                    | NodeKind::Switch
                    | NodeKind::Try
                    | NodeKind::Lambda
            )
        };
        let scope = view.ancestors(*variable).find(|around| is_scope(view.kind(*around)));
        *variable < call && scope.is_none_or(|scope| view.tree.subtree(scope).contains(&call))
    };
    let variables = view.all().filter(|node| view.kind(*node) == NodeKind::Variable).filter(is_known);
    let things = variables.filter_map(|node| view.node(node).thing).chain(view.function.parameters.iter().copied());
    things.map(|thing| view.tree.thing(thing).name.as_str()).filter(|name| !name.is_empty()).collect()
}
