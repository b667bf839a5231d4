//! What expressions read and write.

use std::collections::HashSet;

use estrange_clang::{Binary, NodeKind, Shape, ThingKind, Unary};

use crate::shape::view::View;

/// What evaluating something may do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Effects {
    /// It calls something, or does what cannot be told: anything may be read and written.
    pub(crate) calls: bool,
    /// It writes through a pointer, or to a global, a member, an element.
    pub(crate) writes_memory: bool,
    /// It reads through a pointer, or a global, a member, an element.
    pub(crate) reads_memory: bool,
    /// The variables of the function that it writes to.
    pub(crate) writes: HashSet<u32>,
    /// Those that it reads.
    pub(crate) reads: HashSet<u32>,
    /// It reads or writes something `volatile`.
    pub(crate) is_volatile: bool,
    /// It may be undefined, by its values: a division, a shift, arithmetic with a sign, an access.
    pub(crate) may_fail: bool,
}

impl Effects {
    /// Whether nothing changes by evaluating it.
    pub(crate) fn is_pure(&self) -> bool {
        !self.calls && !self.writes_memory && self.writes.is_empty() && !self.is_volatile
    }

    /// The same, with what something else may do.
    pub(crate) fn add(&mut self, other: Self) {
        self.calls |= other.calls;
        self.writes_memory |= other.writes_memory;
        self.reads_memory |= other.reads_memory;
        self.writes.extend(other.writes);
        self.reads.extend(other.reads);
        self.is_volatile |= other.is_volatile;
        self.may_fail |= other.may_fail;
    }

    /// Whether two things can be evaluated in either order. Variables whose address is known to others count as memory.
    pub(crate) fn commutes_with(&self, other: &Self) -> bool {
        let disturbs = |one: &Self, other: &Self| {
            let touches_memory = other.reads_memory || other.writes_memory || other.calls;
            one.calls && (touches_memory || other.may_fail)
                || one.writes_memory && touches_memory
                || one.writes.iter().any(|thing| other.reads.contains(thing) || other.writes.contains(thing))
        };
        !(disturbs(self, other) || disturbs(other, self) || self.is_volatile || other.is_volatile)
    }
}

impl View<'_> {
    /// The variables whose address is taken, or that a reference or lambda can reach: others may write to them. What
    /// stands in blocks that have a value counts, too.
    pub(crate) fn shared(&self) -> HashSet<u32> {
        let mut shared = self.reached();
        let blocks = self.all().filter(|node| self.kind(*node) == NodeKind::StatementExpression);
        shared.extend(blocks.flat_map(|node| self.tree.subtree(node)).filter_map(|below| self.node(below).thing));
        shared
    }

    /// The same, for whoever looks into blocks that have a value.
    pub(crate) fn reached(&self) -> HashSet<u32> {
        let mut shared = HashSet::new();
        for node in self.all() {
            match self.kind(node) {
                NodeKind::Unary(Unary::AddressOf) => {
                    let mut inner = self.tree.children(node).next().map(|child| self.inner(child));
                    // The address of a part is one of the whole.
                    while let Some(part) = inner {
                        if let Some(thing) = self.variable(part) {
                            shared.insert(thing);
                            break;
                        }
                        inner = match self.kind(part) {
                            NodeKind::Member | NodeKind::Subscript => {
                                self.tree.children(part).next().map(|child| self.inner(child))
                            }
                            _ => None,
                        };
                    }
                }
                NodeKind::Assembly | NodeKind::Lambda => {
                    shared.extend(self.tree.subtree(node).filter_map(|below| self.node(below).thing));
                }
                NodeKind::Variable if self.language.is_cpp() => {
                    let is_reference = |shape: &Shape| matches!(shape, Shape::Reference { .. });
                    if self.type_of(node).is_none_or(|of| is_reference(&of.shape) || of.shape == Shape::Dependent) {
                        shared.extend(self.tree.subtree(node).filter_map(|below| self.node(below).thing));
                    }
                }
                NodeKind::Call if self.language.is_cpp() => {
                    // An argument may be bound to a reference.
                    for argument in self.tree.children(node).skip(1) {
                        shared.extend(self.variable(argument));
                    }
                }
                _ => {}
            }
        }
        // What is static, or has elements or members, others can reach, too, or is not one value.
        for node in self.all().filter(|node| self.kind(*node) == NodeKind::Variable) {
            if let Some(thing) = self.node(node).thing.filter(|thing| self.tree.thing(*thing).is_static) {
                shared.insert(thing);
            }
        }
        shared
    }

    /// What evaluating some nodes may do.
    pub(crate) fn effects(&self, node: u32, shared: &HashSet<u32>) -> Effects {
        self.effects_knowing(node, shared, &|_| None)
    }

    /// The same, where more is known of some nodes than that anything may happen: what happens there but for what is below.
    pub(crate) fn effects_knowing(
        &self,
        node: u32,
        shared: &HashSet<u32>,
        known: &dyn Fn(u32) -> Option<Effects>,
    ) -> Effects {
        let mut effects = Effects::default();
        self.walk_effects(node, shared, known, &mut effects);
        effects
    }

    fn walk_effects(
        &self,
        node: u32,
        shared: &HashSet<u32>,
        known: &dyn Fn(u32) -> Option<Effects>,
        effects: &mut Effects,
    ) {
        let is_volatile = |node: u32| self.type_of(node).is_some_and(|of| of.is_volatile);
        match self.kind(node) {
            NodeKind::Name => {
                let Some(thing) = self.node(node).thing else { return };
                match self.tree.thing(thing).kind {
                    ThingKind::Local | ThingKind::Parameter => {
                        effects.is_volatile |= is_volatile(node);
                        effects.reads.insert(thing);
                        let is_value = self.type_of(node).is_some_and(|of| is_scalar(&of.shape));
                        effects.reads_memory |= shared.contains(&thing) || !is_value;
                    }
                    ThingKind::Function | ThingKind::Enumerator | ThingKind::Type | ThingKind::Method => {}
                    _ => {
                        effects.is_volatile |= is_volatile(node);
                        effects.reads_memory = true;
                    }
                }
            }
            NodeKind::Member | NodeKind::Subscript | NodeKind::Unary(Unary::Dereference) => {
                effects.reads_memory = true;
                effects.may_fail = true;
                effects.is_volatile |= is_volatile(node);
            }
            NodeKind::Binary(operator) => {
                effects.may_fail |= self.may_fail(node, operator);
                if operator.assigns() {
                    self.written(node, shared, effects);
                }
                effects.calls |= self.language.is_cpp() && operator == Binary::Other;
            }
            NodeKind::Unary(operator) => {
                if operator.assigns() {
                    self.written(node, shared, effects);
                }
                let is_signed = self
                    .type_of(node)
                    .is_some_and(|of| matches!(of.shape, Shape::Integer { is_signed: true, bits, .. } if bits >= 32));
                let computes = matches!(operator, Unary::Minus) || operator.assigns();
                effects.may_fail |= computes && (is_signed || operator.assigns());
                effects.calls |= operator == Unary::Other;
            }
            NodeKind::Parentheses
            | NodeKind::Implicit
            | NodeKind::Conditional
            | NodeKind::Cast
            | NodeKind::Integer
            | NodeKind::Floating
            | NodeKind::Character
            | NodeKind::Text
            | NodeKind::Boolean
            | NodeKind::Null
            | NodeKind::TypeName
            | NodeKind::This
            | NodeKind::List => {
                effects.is_volatile |= is_volatile(node);
                let is_from_floating = self.kind(node) == NodeKind::Cast;
                effects.may_fail |= is_from_floating;
            }
            // Its operand is not evaluated.
            NodeKind::Size => return,
            _ => match known(node) {
                Some(known) => effects.add(known),
                None => effects.calls = true,
            },
        }
        for child in self.tree.children(node) {
            self.walk_effects(child, shared, known, effects);
        }
    }

    /// Notes what an assignment writes to.
    fn written(&self, node: u32, shared: &HashSet<u32>, effects: &mut Effects) {
        let Some(place) = self.tree.children(node).next() else { return };
        match self.variable(place) {
            Some(thing) => {
                effects.writes.insert(thing);
                let is_value = self.type_of(place).is_some_and(|of| is_scalar(&of.shape));
                effects.writes_memory |= shared.contains(&thing) || !is_value;
            }
            None => effects.writes_memory = true,
        }
    }

    fn may_fail(&self, node: u32, operator: Binary) -> bool {
        use Binary as Operator;
        let is_exact = matches!(
            operator,
            Operator::Less
                | Operator::Greater
                | Operator::LessOrEqual
                | Operator::GreaterOrEqual
                | Operator::Equal
                | Operator::NotEqual
                | Operator::And
                | Operator::Or
                | Operator::Assign
                | Operator::Comma
                | Operator::BitAnd
                | Operator::BitOr
                | Operator::BitXor
        );
        let wraps = matches!(operator, Operator::Add | Operator::Subtract | Operator::Multiply)
            && self.type_of(node).is_some_and(|of| matches!(of.shape, Shape::Integer { is_signed: false, .. }));
        !is_exact && !wraps
    }
}

/// Whether a value of this shape is one number or address.
pub(crate) fn is_scalar(shape: &Shape) -> bool {
    matches!(
        shape,
        Shape::Boolean | Shape::Integer { .. } | Shape::Floating { .. } | Shape::Pointer { .. } | Shape::Enumeration(_)
    )
}
