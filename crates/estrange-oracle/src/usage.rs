//! What the code does with its pointers: which are indexed, what those without a type point to, which members are used.
//!
//! A type says little about a pointer. How the code uses it says more: `p[i]` wants several of them, `(struct a *) p`
//! wants a struct, and a member that no code mentions can be left alone.

use std::collections::{BTreeMap, BTreeSet};

use estrange_clang::{Binary, NodeKind, Shape, ThingKind, Tree, Unary};

/// What is known of the things of a tree.
#[derive(Debug, Default)]
pub(crate) struct Usage {
    /// Things that are indexed, or moved along.
    indexed: BTreeSet<u32>,
    /// What things are converted to: types of pointers.
    converted: BTreeMap<u32, u32>,
    /// What structs are taken for: larger ones that begin alike, by the number of each.
    wider: BTreeMap<u32, BTreeSet<u32>>,
    /// Members that are used, by where they are declared.
    used: BTreeSet<u32>,
    /// Members, by where they are declared.
    members: BTreeMap<u32, u32>,
}

impl Usage {
    /// What all functions of a tree do.
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut usage = Usage::default();
        for (number, thing) in tree.things.iter().enumerate() {
            if let (ThingKind::Field, Some(at)) = (thing.kind, thing.at) {
                usage.members.insert(at, number as u32);
            }
        }
        let mut flows = Vec::new();
        for (number, node) in tree.nodes.iter().enumerate() {
            let number = number as u32;
            usage.look(tree, number, &mut flows);
            if let (NodeKind::Member, Some(thing)) = (node.kind, node.thing) {
                usage.used.extend(tree.thing(thing).at);
            }
        }
        usage.follow(tree, &flows);
        usage
    }

    /// Whether a thing is indexed.
    pub(crate) fn is_indexed(&self, thing: u32) -> bool {
        self.indexed.contains(&thing)
    }

    /// What a thing points to when the code uses it, if that is more than its type says.
    pub(crate) fn pointed(&self, tree: &Tree, thing: u32) -> Option<u32> {
        match tree.type_(*self.converted.get(&thing)?).shape {
            Shape::Pointer { to } => Some(to),
            _ => None,
        }
    }

    /// The types of larger structs that a struct is taken for.
    pub(crate) fn wider(&self, record: u32) -> impl Iterator<Item = u32> {
        self.wider.get(&record).into_iter().flatten().copied()
    }

    /// The thing that a member is, if code uses it.
    pub(crate) fn member(&self, at: u32) -> Option<u32> {
        self.used.contains(&at).then(|| self.members.get(&at).copied()).flatten()
    }

    /// Notes what a node does, and which thing's value becomes another's.
    fn look(&mut self, tree: &Tree, number: u32, flows: &mut Vec<(u32, u32)>) {
        let node = tree.node(number);
        let children: Vec<u32> = tree.children(number).collect();
        let named = |child: Option<&u32>| child.and_then(|child| named(tree, *child));
        match node.kind {
            NodeKind::Subscript => self.indexed.extend(named(children.first())),
            NodeKind::Binary(Binary::Add | Binary::Subtract | Binary::AddAssign | Binary::SubtractAssign) => {
                let both = children.iter().filter_map(|child| named(Some(child)));
                self.indexed.extend(both.filter(|thing| is_pointer(tree, tree.thing(*thing).type_)));
            }
            NodeKind::Unary(operator) if operator.assigns() => {
                let moved = named(children.first()).filter(|thing| is_pointer(tree, tree.thing(*thing).type_));
                self.indexed.extend(moved);
            }
            NodeKind::Binary(Binary::Assign) => {
                flows.extend(named(children.last()).zip(named(children.first())));
            }
            NodeKind::Variable => flows.extend(named(children.last()).zip(node.thing)),
            NodeKind::Cast => {
                self.widen(tree, children.last().and_then(|child| tree.node(*child).type_), node.type_);
                if let (Some(thing), Some(to)) = (named(children.last()), node.type_) {
                    self.convert(tree, thing, to);
                }
            }
            NodeKind::Call => {
                // What is handed over becomes a parameter.
                let called = children.first().and_then(|child| named(Some(child)));
                let body = tree.functions.iter().find(|body| Some(body.thing) == called);
                let parameters = body.map(|body| body.parameters.as_slice()).unwrap_or_default();
                let handed = children.iter().skip(1).map(|child| named(Some(child)));
                flows.extend(handed.zip(parameters).filter_map(|(handed, parameter)| handed.zip(Some(*parameter))));
            }
            _ => {}
        }
    }

    /// What holds of a thing holds of those whose value it takes.
    fn follow(&mut self, tree: &Tree, flows: &[(u32, u32)]) {
        for _ in 0..6 {
            let before = (self.indexed.len(), self.converted.clone());
            for (from, to) in flows {
                if self.indexed.contains(to) {
                    self.indexed.insert(*from);
                }
                if let Some(type_) = self.converted.get(to).copied().or(tree.thing(*to).type_) {
                    self.convert(tree, *from, type_);
                }
            }
            if before == (self.indexed.len(), self.converted.clone()) {
                break;
            }
        }
    }

    /// Notes that a pointer to a struct becomes one to a larger struct.
    fn widen(&mut self, tree: &Tree, from: Option<u32>, to: Option<u32>) {
        let pointed = |type_: Option<u32>| match tree.type_(type_?).shape {
            Shape::Pointer { to } => match tree.type_(to).shape {
                Shape::Record(record) => Some((record, to, tree.type_(to).size?)),
                _ => None,
            },
            _ => None,
        };
        if let (Some((record, _, size)), Some((_, wider, larger))) = (pointed(from), pointed(to))
            && larger > size
        {
            self.wider.entry(record).or_default().insert(wider);
        }
    }

    /// Notes that a pointer is converted, if that tells more about what it points to.
    fn convert(&mut self, tree: &Tree, thing: u32, to: u32) {
        let pointee = |type_: u32| match tree.type_(type_).shape {
            Shape::Pointer { to } => Some(tree.type_(to)),
            _ => None,
        };
        let Some(own) = tree.thing(thing).type_ else { return };
        let known = self.converted.get(&thing).copied().unwrap_or(own);
        let (Some(known), Some(new)) = (pointee(known), pointee(to)) else { return };
        let rank = |type_: &estrange_clang::Type| match type_.shape {
            Shape::Record(record) if tree.records[record as usize].is_complete => 3,
            Shape::Pointer { .. } | Shape::Integer { is_character: false, .. } | Shape::Floating { .. } => 2,
            Shape::Integer { .. } | Shape::Enumeration(_) => 1,
            _ => 0,
        };
        // A struct that begins with another is larger than it.
        if (rank(new), new.size) > (rank(known), known.size) && rank(known) != 2 && (rank(known) != 1 || rank(new) == 3)
        {
            self.converted.insert(thing, to);
        }
    }
}

fn is_pointer(tree: &Tree, type_: Option<u32>) -> bool {
    type_.is_some_and(|type_| matches!(tree.type_(type_).shape, Shape::Pointer { .. } | Shape::Array { .. }))
}

/// The thing that an expression names, through parentheses and conversions.
pub(crate) fn named(tree: &Tree, node: u32) -> Option<u32> {
    let mut node = node;
    loop {
        let this = tree.node(node);
        match this.kind {
            NodeKind::Name | NodeKind::Member => return this.thing,
            NodeKind::Implicit | NodeKind::Parentheses | NodeKind::Cast => node = tree.children(node).last()?,
            NodeKind::Unary(Unary::PostIncrement | Unary::PostDecrement) => node = tree.children(node).next()?,
            _ => return None,
        }
    }
}
