//! A part of a function as a function of its own: `outline`.
//!
//! A statement that nothing jumps into or out of and that does not return becomes a new static function, right before the
//! one that it is taken from. What it reads is given by value, what it may write to by address. In C++ it becomes a lambda that
//! holds what it uses by reference, and is called once.
//!
//! Refused: parts that use variables of types which only the function knows, that keep their values, or whose names
//! come out of macros.

use std::collections::{BTreeMap, BTreeSet};

use estrange_clang::{NodeKind, Shape, ThingKind, Unary};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::view::View;

/// How long a part is at least, and how many variables it is given at most.
const LENGTH: usize = 60;
const VARIABLES: usize = 6;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut parts: Vec<u32> = view.all().filter(|node| can_move(view, *node)).collect();
    draw.shuffle(&mut parts);
    let mut reason = Refusal::NoPlace;
    for part in parts {
        match if view.language.is_cpp() { closed(view, part) } else { moved(view, part) } {
            Ok(edits) => return Ok(edits),
            Err(refusal) => reason = refusal,
        }
    }
    Err(reason)
}

fn can_move(view: &View<'_>, node: u32) -> bool {
    let is_part = matches!(
        view.kind(node),
        NodeKind::If
            | NodeKind::For
            | NodeKind::RangeFor
            | NodeKind::While
            | NodeKind::DoWhile
            | NodeKind::Switch
            | NodeKind::Block
            | NodeKind::Try
    );
    let is_other = |node: u32| {
        matches!(
            view.kind(node),
            NodeKind::Label | NodeKind::StatementExpression | NodeKind::Assembly | NodeKind::LabelAddress
        )
    };
    is_part
        && node != view.body
        && view.statement(node).len() >= LENGTH
        && view.is_whole_statement(node)
        && view.node(node).is_written
        && view.is_closed(&[node])
        && !view.jumps(&[node]).returns
        && !view.tree.subtree(node).any(is_other)
}

/// What another function cannot do in place of this one.
const OWN: &[&str] = &[
    "__func__",
    "__FUNCTION__",
    "__PRETTY_FUNCTION__",
    "va_arg",
    "va_start",
    "alloca",
    "__builtin_alloca",
    "setjmp",
    "__builtin_va_arg",
    "co_await",
    "co_yield",
    "co_return",
];

fn keeps_to_itself(view: &View<'_>, part: u32) -> Result<(), Refusal> {
    let tokens = view.tokens_in(view.statement(part));
    match OWN.iter().find(|word| tokens.iter().any(|token| token.text(view.text) == **word)) {
        Some(word) => Err(Refusal::Uses((*word).to_owned())),
        None => Ok(()),
    }
}

/// In C++: a lambda that is called once.
fn closed(view: &View<'_>, part: u32) -> Result<Edits, Refusal> {
    keeps_to_itself(view, part)?;
    if view.function_has(&["__attribute__"]) || view.ancestors(part).any(|around| view.kind(around) == NodeKind::Lambda)
    {
        return Err(Refusal::Uses("a lambda or attributes around the part".to_owned()));
    }
    for node in view.tree.subtree(part) {
        let Some(thing) = view.node(node).thing.map(|thing| view.tree.thing(thing)) else { continue };
        let refuse = |why: &str| Err(Refusal::Declaration { name: thing.name.clone(), why: why.to_owned() });
        let is_ours = thing.at.is_some_and(|at| (view.function.start..view.function.end).contains(&at));
        if is_ours && thing.kind == ThingKind::Other {
            return refuse("it is bound by pieces");
        }
        if thing.type_.is_some_and(|of| view.has_open_length(view.tree.type_(of))) && is_ours {
            return refuse("its length is known only when the program runs");
        }
    }
    let range = view.statement(part);
    let name = view.fresh("part");
    let text = view.cut(range.clone());
    let body = if view.kind(part) == NodeKind::Block { text.to_owned() } else { format!("{{ {text} }}") };
    let mut edits = Edits::default();
    edits.replace(range, format!("{{ auto {name} = [&]() {body}; {name}(); }}"));
    Ok(edits)
}

fn moved(view: &View<'_>, part: u32) -> Result<Edits, Refusal> {
    keeps_to_itself(view, part)?;
    let range = view.statement(part);
    let inside = |at: u32| (view.function.start..view.function.end).contains(&at) && !range.contains(&(at as usize));
    let is_ours = |node: u32| {
        let thing = view.node(node).thing.map(|thing| view.tree.thing(thing));
        thing.filter(|thing| {
            !matches!(thing.kind, ThingKind::Local | ThingKind::Parameter) && thing.at.is_some_and(inside)
        })
    };
    if let Some(thing) = view.tree.subtree(part).find_map(is_ours) {
        return Err(Refusal::Declaration { name: thing.name.clone(), why: "it is known only here".to_owned() });
    }
    let shared = view.shared();
    let own: BTreeSet<u32> = view
        .tree
        .subtree(part)
        .filter(|node| view.kind(*node) == NodeKind::Variable)
        .filter_map(|node| view.node(node).thing)
        .collect();
    // The variables from outside, with the places that name them.
    let mut given: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for node in view.tree.subtree(part) {
        let Some(thing) = view.node(node).thing.filter(|thing| !own.contains(thing)) else { continue };
        let is_variable = matches!(view.tree.thing(thing).kind, ThingKind::Local | ThingKind::Parameter);
        if is_variable && view.kind(node) == NodeKind::Name {
            given.entry(thing).or_default().push(node);
        }
    }
    if given.len() > VARIABLES {
        return Err(Refusal::Uses("many variables".to_owned()));
    }
    let written = view.effects_of_statements(part);
    let mut edits = Edits::default();
    let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
    for (thing, places) in &given {
        let variable = view.tree.thing(*thing);
        let name = variable.name.as_str();
        let refuse = |why: &str| Refusal::Declaration { name: name.to_owned(), why: why.to_owned() };
        let of = variable.type_.map(|of| view.tree.type_(of)).ok_or_else(|| refuse("its type is not known"))?;
        if variable.is_static || of.canonical.contains("va_list") || is_local_type(view, of) {
            return Err(refuse("it is known only here"));
        }
        if matches!(of.shape, Shape::Array { .. }) {
            return Err(refuse("it is an array"));
        }
        if view.has_open_length(of) {
            return Err(refuse("its length is known only when the program runs"));
        }
        let by_value = crate::shape::effects::is_scalar(&of.shape)
            && !matches!(of.shape, Shape::Boolean | Shape::Enumeration(_))
            && !of.is_volatile
            && !shared.contains(thing)
            && !written.contains(thing);
        if by_value {
            let declared = view.writable_declaration(of, name).ok_or_else(|| refuse("its type has no name"))?;
            parameters.push(declared);
            arguments.push(name.to_owned());
            continue;
        }
        for place in places {
            let at = view.range(*place);
            if view.is_in_call(at.start) || view.cut(at.clone()) != name {
                return Err(Refusal::FromMacro(format!("`{name}`")));
            }
            edits.replace(at, format!("(*{name})"));
        }
        let is_register = view.function_has(&["register"]);
        let declared = view.declaration_of(of, &format!("*{name}")).filter(|_| !of.spelling.contains('('));
        let declared = declared.filter(|_| !is_register).ok_or_else(|| refuse("it has no address"))?;
        parameters.push(declared);
        arguments.push(format!("&{name}"));
    }
    let name = view.fresh("part");
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let body = edits.within(view.text, range.clone());
    let body = if view.kind(part) == NodeKind::Block { body } else { format!("{{\n{body}\n}}") };
    let mut all = Edits::default();
    all.insert(view.function.start as usize, format!("static void {name}({parameters})\n{body}\n\n"));
    all.replace(range, format!("{name}({});", arguments.join(", ")));
    Ok(all)
}

/// Whether a type is declared in the function itself.
fn is_local_type(view: &View<'_>, of: &estrange_clang::Type) -> bool {
    let mut of = of;
    while let Shape::Pointer { to } | Shape::Array { of: to, .. } = of.shape {
        of = view.tree.type_(to);
    }
    let inside = |at: u32| (view.function.start..view.function.end).contains(&at);
    let has_no_name = view.type_name(of).is_none();
    match of.shape {
        Shape::Record(record) => has_no_name || view.tree.records[record as usize].start.is_some_and(inside),
        _ => has_no_name,
    }
}

impl View<'_> {
    /// The variables that a part of the function assigns to, or whose address it takes.
    fn effects_of_statements(&self, part: u32) -> BTreeSet<u32> {
        let mut written = BTreeSet::new();
        for node in self.tree.subtree(part) {
            let assigns = match self.kind(node) {
                NodeKind::Binary(operator) => operator.assigns(),
                NodeKind::Unary(operator) => operator.assigns() || operator == Unary::AddressOf,
                _ => false,
            };
            // Of what stands on the left, the variable that it is a part of.
            let mut place = self.tree.children(node).next().filter(|_| assigns);
            while let Some(at) = place {
                let at = self.inner(at);
                written.extend(self.variable(at));
                place = match self.kind(at) {
                    NodeKind::Member | NodeKind::Subscript => self.tree.children(at).next(),
                    _ => None,
                };
            }
        }
        written
    }
}
