//! Whether the rounds of a loop can be done in any order.
//!
//! They can if a round writes to nothing that another reads or writes, but for sums: to variables of its own, and to one
//! element of arrays, that with the number of the round. Arrays that nobody else knows are apart from all others; of those
//! that others may know one may be written, if nothing else is read whose type it could share its memory with. Variables
//! around the loop may be sums, whose order does not matter: by `+`, `-` and `*` of unsigned numbers, by `^`, `|` and `&`.

use std::collections::{HashMap, HashSet};

use estrange_clang::{Binary, NodeKind, Shape, ThingKind, Type, Unary};

use super::{depends, is_plain};
use crate::refusal::Refusal;
use crate::shape::effects::is_scalar;
use crate::shape::view::View;

/// The variables around the loop that its rounds write to, if their order does not matter.
pub(super) fn written(
    view: &View<'_>,
    body: u32,
    counter: u32,
    shared: &HashSet<u32>,
) -> Result<HashSet<u32>, Refusal> {
    let jumps = view.jumps(&[body]);
    if jumps.breaks || jumps.returns || jumps.cases || jumps.is_wild {
        return Err(depends("it can be left early"));
    }
    if !jumps.gotos.is_empty() || !jumps.labels.is_empty() {
        return Err(depends("something jumps in it"));
    }
    let mut rounds = Rounds { view, counter, shared, own: HashSet::new(), sums: HashMap::new(), accesses: Vec::new() };
    rounds.variables(body)?;
    rounds.node(body)?;
    rounds.are_apart(body)?;
    Ok(rounds.sums.into_keys().collect())
}

/// Assignments that may be done in any order among each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sum {
    Add,
    Multiply,
    Xor,
    Or,
    And,
}

/// A part of memory that a round reads or writes.
struct Access<'a> {
    /// The array or address that it is a part of, where that is a variable.
    root: Option<u32>,
    /// Whether it is a part of the element with the round's number.
    is_own: bool,
    is_written: bool,
    of: &'a Type,
}

struct Rounds<'v, 'a> {
    view: &'v View<'a>,
    counter: u32,
    shared: &'v HashSet<u32>,
    /// The variables that a round declares.
    own: HashSet<u32>,
    /// The variables around it that it adds to.
    sums: HashMap<u32, Sum>,
    accesses: Vec<Access<'a>>,
}

impl<'a> Rounds<'_, 'a> {
    /// Notes the variables that are a round's own.
    fn variables(&mut self, body: u32) -> Result<(), Refusal> {
        let view = self.view;
        for node in view.tree.subtree(body).filter(|node| view.kind(*node) == NodeKind::Variable) {
            let thing = view.node(node).thing.ok_or_else(|| depends("a variable without a name"))?;
            let of = view.tree.thing(thing).type_.map(|of| view.tree.type_(of));
            let is_value = of.is_some_and(|of| is_scalar(&of.shape) && !of.is_volatile);
            if !is_value || view.tree.thing(thing).is_static || self.shared.contains(&thing) {
                return Err(depends("it declares more than numbers"));
            }
            self.own.insert(thing);
        }
        Ok(())
    }

    /// Looks at a statement or an expression that is read.
    fn node(&mut self, node: u32) -> Result<(), Refusal> {
        let view = self.view;
        if view.type_of(node).is_some_and(|of| of.is_volatile || of.shape == Shape::Dependent || !is_plain(of)) {
            return Err(depends("every access counts"));
        }
        match view.kind(node) {
            NodeKind::Name => self.read(node),
            NodeKind::Subscript | NodeKind::Member | NodeKind::Unary(Unary::Dereference) => self.access(node, false),
            NodeKind::Binary(operator) if operator.assigns() => self.assignment(node),
            NodeKind::Unary(operator) if operator.assigns() => self.assignment(node),
            NodeKind::Binary(Binary::Other) | NodeKind::Unary(Unary::AddressOf | Unary::Other) => {
                Err(depends("it uses an address or an operator of its own"))
            }
            NodeKind::Size | NodeKind::TypeName => Ok(()),
            NodeKind::Block
            | NodeKind::Declaration
            | NodeKind::Variable
            | NodeKind::If
            | NodeKind::For
            | NodeKind::While
            | NodeKind::DoWhile
            | NodeKind::Switch
            | NodeKind::Case
            | NodeKind::Default
            | NodeKind::Break
            | NodeKind::Continue
            | NodeKind::Empty
            | NodeKind::Binary(_)
            | NodeKind::Unary(_)
            | NodeKind::Conditional
            | NodeKind::Cast
            | NodeKind::Implicit
            | NodeKind::Parentheses
            | NodeKind::Integer
            | NodeKind::Floating
            | NodeKind::Character
            | NodeKind::Boolean
            | NodeKind::Null => self.below(node),
            NodeKind::Call => Err(depends("it calls something")),
            _ => Err(depends("it does something else")),
        }
    }

    fn below(&mut self, node: u32) -> Result<(), Refusal> {
        self.view.tree.children(node).try_for_each(|child| self.node(child))
    }

    /// A name that is read: what is known to others is memory.
    fn read(&mut self, node: u32) -> Result<(), Refusal> {
        let view = self.view;
        let thing = view.node(node).thing.ok_or_else(|| depends("a name without a meaning"))?;
        match view.tree.thing(thing).kind {
            ThingKind::Local | ThingKind::Parameter if !self.shared.contains(&thing) => {
                let of = view.type_of(node).filter(|of| is_scalar(&of.shape));
                of.map(|_| ()).ok_or_else(|| depends("it names a whole array or struct"))
            }
            ThingKind::Enumerator => Ok(()),
            ThingKind::Local | ThingKind::Parameter | ThingKind::Global => {
                let of = view.type_of(node).filter(|of| is_scalar(&of.shape));
                let of = of.ok_or_else(|| depends("it names a whole array or struct"))?;
                if !of.is_const {
                    self.accesses.push(Access { root: None, is_own: false, is_written: false, of });
                }
                Ok(())
            }
            _ => Err(depends("it names something else")),
        }
    }

    /// A part of memory that is read or written.
    fn access(&mut self, node: u32, is_written: bool) -> Result<(), Refusal> {
        let view = self.view;
        let of = view.type_of(node).filter(|of| is_scalar(&of.shape) || !is_written);
        let of = of.ok_or_else(|| depends("it writes more than one number"))?;
        let mut at = node;
        let mut root = None;
        let mut is_own = false;
        // From a part to the whole, as long as that is one object.
        loop {
            let children = view.children(at);
            let (base, index) = match (view.kind(at), children.as_slice()) {
                (NodeKind::Subscript, [base, index]) => (*base, Some(*index)),
                (NodeKind::Member, [base, ..]) => (*base, None),
                (NodeKind::Unary(Unary::Dereference), [base]) => (*base, None),
                _ => return Err(depends("it does something else")),
            };
            if let Some(index) = index {
                is_own = view.variable(index) == Some(self.counter);
                self.node(index)?;
            }
            let inner = view.inner(base);
            let whole = view.type_of(inner);
            let thing = view.node(inner).thing.filter(|_| view.kind(inner) == NodeKind::Name);
            if let Some(thing) = thing {
                let is_array = whole.is_some_and(|of| matches!(of.shape, Shape::Array { .. }));
                let is_variable =
                    matches!(view.tree.thing(thing).kind, ThingKind::Local | ThingKind::Parameter | ThingKind::Global);
                if !is_variable {
                    return Err(depends("it names something else"));
                }
                // What is constant and no address is never written.
                if is_array && view.type_of(node).is_some_and(|of| of.is_const) && !is_written {
                    return Ok(());
                }
                root = index.and(Some(thing));
                if !is_array && whole.is_some_and(|of| is_scalar(&of.shape)) {
                    self.read(inner)?;
                }
                break;
            }
            let is_part = whole.is_some_and(|of| matches!(of.shape, Shape::Array { .. } | Shape::Record(_)));
            let is_place = matches!(view.kind(inner), NodeKind::Subscript | NodeKind::Member);
            if !is_part || !is_place {
                is_own = false;
                self.node(inner)?;
                break;
            }
            at = inner;
        }
        is_own &= root.is_some();
        if is_written && !is_own {
            return Err(depends("it writes elsewhere than to the element of its number"));
        }
        self.accesses.push(Access { root, is_own, is_written, of });
        Ok(())
    }

    fn assignment(&mut self, node: u32) -> Result<(), Refusal> {
        let view = self.view;
        let children = view.children(node);
        let Some((&place, values)) = children.split_first() else { return Err(depends("it does something else")) };
        let is_plain = view.kind(node) == NodeKind::Binary(Binary::Assign);
        values.iter().try_for_each(|value| self.node(*value))?;
        let Some(thing) = view.variable(place) else {
            let place = view.inner(place);
            if !is_plain {
                self.access(place, false)?;
            }
            return self.access(place, true);
        };
        if self.own.contains(&thing) {
            return Ok(());
        }
        let of = view.type_of(view.inner(place)).ok_or_else(|| depends("its type is not known"))?;
        let sum = sum(view, node, of).filter(|_| thing != self.counter && !self.shared.contains(&thing));
        let sum = sum.filter(|_| view.is_unused(node) && !of.is_volatile && is_plain_value(of));
        match (sum, self.sums.get(&thing)) {
            (Some(sum), Some(other)) if sum != *other => Err(depends("it computes one variable in two ways")),
            (Some(sum), _) => {
                self.sums.insert(thing, sum);
                Ok(())
            }
            (None, _) => Err(depends("it writes to a variable around it")),
        }
    }

    /// Whether what is read and written in different rounds is not the same.
    fn are_apart(&self, body: u32) -> Result<(), Refusal> {
        let view = self.view;
        // A sum is read by nothing but its own assignments.
        for node in view.tree.subtree(body).filter(|node| view.kind(*node) == NodeKind::Name) {
            let Some(thing) = view.node(node).thing.filter(|thing| self.sums.contains_key(thing)) else { continue };
            let around = view.ancestors(node).find(|around| view.kind(*around) != NodeKind::Parentheses);
            let is_place = around.is_some_and(|around| {
                let assigns = match view.kind(around) {
                    NodeKind::Binary(operator) => operator.assigns(),
                    NodeKind::Unary(operator) => operator.assigns(),
                    _ => false,
                };
                let place = view.tree.children(around).next();
                assigns && place.and_then(|place| view.variable(place)) == Some(thing)
            });
            if !is_place {
                return Err(depends("it reads what it adds to"));
            }
        }
        for write in self.accesses.iter().filter(|access| access.is_written) {
            let alone = write.root.is_some_and(|root| self.is_known_here_only(root));
            for other in &self.accesses {
                let is_same = other.root == write.root;
                let is_apart = match is_same {
                    true => other.is_own,
                    false => {
                        let is_other_alone = other.root.is_some_and(|root| self.is_known_here_only(root));
                        alone || is_other_alone || !may_share(write.of, other.of)
                    }
                };
                if !is_apart {
                    return Err(depends("what it writes may be what it reads in another round"));
                }
            }
            // An address that a round changes is not the same in all.
            if write.root.is_some_and(|root| self.own.contains(&root) || self.sums.contains_key(&root)) {
                return Err(depends("it writes through an address of its own"));
            }
        }
        Ok(())
    }

    /// Whether a variable is an array of the function that is never named but for one of its elements.
    fn is_known_here_only(&self, thing: u32) -> bool {
        let view = self.view;
        let declared = view.tree.thing(thing);
        let is_array = declared.type_.is_some_and(|of| matches!(view.tree.type_(of).shape, Shape::Array { .. }));
        let mut named =
            view.all().filter(|node| view.kind(*node) == NodeKind::Name && view.node(*node).thing == Some(thing));
        declared.kind == ThingKind::Local
            && is_array
            && !self.shared.contains(&thing)
            && named.all(|node| is_base_of_element(view, node))
    }
}

/// Whether an array is named for one of its numbers, or for its size.
fn is_base_of_element(view: &View<'_>, node: u32) -> bool {
    let mut at = node;
    let mut is_element = false;
    for around in view.ancestors(node) {
        match view.kind(around) {
            NodeKind::Implicit | NodeKind::Parentheses => {}
            NodeKind::Subscript if view.tree.children(around).next() == Some(at) => is_element = true,
            NodeKind::Size => return true,
            _ => break,
        }
        at = around;
        if is_element && view.type_of(around).is_some_and(|of| is_scalar(&of.shape)) {
            return true;
        }
    }
    false
}

/// What kind of sum an assignment makes of a variable; nothing if its order matters.
fn sum(view: &View<'_>, node: u32, of: &Type) -> Option<Sum> {
    let (size, is_signed) = match of.shape {
        Shape::Integer { bits: 32.., is_signed, .. } => (of.size?, is_signed),
        _ => return None,
    };
    // What is longer, or no whole number, would be computed in another type.
    let fits = |value: &u32| {
        let own = view.type_of(*value);
        own.is_some_and(|own| {
            matches!(own.shape, Shape::Integer { .. } | Shape::Boolean | Shape::Enumeration(_))
                && own.size.is_some_and(|own| own <= size)
        })
    };
    if !view.children(node).iter().skip(1).all(fits) {
        return None;
    }
    let sum = match view.kind(node) {
        NodeKind::Binary(Binary::AddAssign | Binary::SubtractAssign) | NodeKind::Unary(_) => Sum::Add,
        NodeKind::Binary(Binary::MultiplyAssign) => Sum::Multiply,
        NodeKind::Binary(Binary::XorAssign) => Sum::Xor,
        NodeKind::Binary(Binary::OrAssign) => Sum::Or,
        NodeKind::Binary(Binary::AndAssign) => Sum::And,
        _ => return None,
    };
    // A sum with a sign may leave its range in one order and not in another.
    let is_exact = matches!(sum, Sum::Xor | Sum::Or | Sum::And);
    (is_exact || !is_signed).then_some(sum)
}

fn is_plain_value(of: &Type) -> bool {
    is_plain(of) && !of.is_const
}

/// Whether values of two types may share their memory.
fn may_share(one: &Type, other: &Type) -> bool {
    #[derive(PartialEq)]
    enum Class {
        Integer(u16),
        Floating(u16),
        Address,
        Any,
    }
    let class = |of: &Type| match of.shape {
        Shape::Integer { is_character: true, .. } | Shape::Integer { bits: ..=8, .. } => Class::Any,
        Shape::Integer { bits, .. } => Class::Integer(bits),
        Shape::Floating { bits } => Class::Floating(bits),
        Shape::Pointer { .. } => Class::Address,
        // Enumerations have the memory of an integer, and structs that of all of theirs.
        _ => Class::Any,
    };
    let (one, other) = (class(one), class(other));
    one == other || one == Class::Any || other == Class::Any
}
