//! The order of evaluation around a call: in its own place a body is evaluated at the moment of its call, but C leaves open
//! whether other operands of the same expression come before it or behind it.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use estrange_clang::{Binary, NodeKind, Shape, Unary};

use super::callee;
use crate::shape::Subject;
use crate::shape::effects::Effects;
use crate::shape::view::View;

/// What evaluating the parts of a function may do, calls of functions of the text included.
pub(super) struct Order<'v, 'a> {
    view: &'v View<'a>,
    reached: HashSet<u32>,
    /// What the bodies of functions may do to what their callers see; nothing while that is being found out.
    bodies: RefCell<HashMap<usize, Option<Effects>>>,
}

impl<'v, 'a> Order<'v, 'a> {
    pub(super) fn of(view: &'v View<'a>) -> Self {
        Self { view, reached: view.reached(), bodies: RefCell::default() }
    }

    /// What evaluating a node may do.
    fn effects(&self, node: u32) -> Effects {
        self.effects_in(self.view, node, &self.reached)
    }

    fn effects_in(&self, view: &View<'a>, node: u32, reached: &HashSet<u32>) -> Effects {
        let known = |node: u32| match view.kind(node) {
            NodeKind::Call => self.of_body(callee(view, node)?),
            // Of what stands in a block that has a value, only expressions do something.
            NodeKind::StatementExpression | NodeKind::Variable => Some(Effects::default()),
            NodeKind::Assembly | NodeKind::Try => None,
            _ => view.is_statement(node).then(Effects::default),
        };
        view.effects_knowing(node, reached, &known)
    }

    /// What a function's body may do to what its callers see; nothing if that cannot be told.
    pub(super) fn of_body(&self, function: usize) -> Option<Effects> {
        if let Some(known) = self.bodies.borrow().get(&function) {
            return known.clone();
        }
        self.bodies.borrow_mut().insert(function, None);
        let View { text, tree, language, .. } = *self.view;
        let view = View::new(&Subject { text, tree, function, language, parts: &[] }).ok()?;
        let effects = self.effects_in(&view, view.body, &view.reached());
        self.bodies.borrow_mut().insert(function, Some(effects.clone()));
        Some(effects)
    }

    /// Whether some nodes may be evaluated one after the other, in any order.
    pub(super) fn is_any(&self, nodes: &[u32]) -> bool {
        let effects: Vec<Effects> = nodes.iter().map(|node| self.effects(*node)).collect();
        effects.iter().enumerate().all(|(at, one)| effects[..at].iter().all(|other| one.commutes_with(other)))
    }

    /// Whether what a body does comes to the same before and behind every operand of the expression that its call is a part
    /// of.
    pub(super) fn is_free(&self, call: u32, function: usize) -> bool {
        let view = self.view;
        let anything = Effects { calls: true, ..Effects::default() };
        let body = self.of_body(function).unwrap_or(anything);
        let mut at = call;
        while let Some(parent) = view.node(at).parent.filter(|parent| !view.is_statement(*parent)) {
            let children = view.children(parent);
            let is_free = match view.kind(parent) {
                NodeKind::Variable => break,
                NodeKind::Binary(Binary::And | Binary::Or | Binary::Comma) | NodeKind::Conditional => true,
                NodeKind::Binary(Binary::Assign) if children.last() == Some(&at) => {
                    children.first().is_none_or(|place| self.of_place(*place).commutes_with(&body))
                }
                _ => children.iter().all(|other| *other == at || self.effects(*other).commutes_with(&body)),
            };
            if !is_free {
                return false;
            }
            at = parent;
        }
        true
    }

    /// What it takes to find a place, without reading what stands there.
    fn of_place(&self, place: u32) -> Effects {
        let view = self.view;
        let inner = view.inner(place);
        let children = view.children(inner);
        let is_address =
            |node: u32| view.type_of(view.inner(node)).is_some_and(|of| matches!(of.shape, Shape::Pointer { .. }));
        let base = |node: u32| if is_address(node) { self.effects(node) } else { self.of_place(node) };
        let mut effects = match (view.kind(inner), children.as_slice()) {
            (NodeKind::Name, _) => Effects::default(),
            (NodeKind::Member, [object]) => base(*object),
            (NodeKind::Subscript, [array, index]) => {
                let mut effects = base(*array);
                effects.add(self.effects(*index));
                effects
            }
            (NodeKind::Unary(Unary::Dereference), [address]) => self.effects(*address),
            _ => self.effects(inner),
        };
        // Where the place is cannot be found out but by looking; that it is there shows when it is written to.
        effects.may_fail = false;
        effects
    }
}
