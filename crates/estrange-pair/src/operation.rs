//! What faults at a place of a text: an operation and what it works on, without any name that a rewrite could change.

use std::collections::BTreeMap;

use estrange_clang::{Binary, Node, NodeKind, Shape, ThingKind, Tree, Unary};
use estrange_oracle::renamed_function;

/// An operation, such as `add of a signed number of 32 bits`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operation {
    what: &'static str,
    /// What it works on.
    on: String,
    /// The function that it calls, if it calls one.
    calls: Option<String>,
}

impl std::fmt::Display for Operation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.calls {
            Some(called) => write!(formatter, "{} of {called}", self.what),
            None => write!(formatter, "{} of {}", self.what, self.on),
        }
    }
}

impl Operation {
    /// The operation at a line and column of a text, counted from 1, as compilers name places: an operator by its own
    /// place, anything else by where it begins.
    pub(crate) fn at(text: &str, tree: &Tree, line: u32, column: u32) -> Option<Self> {
        Self::of(tree, node_at(text, tree, line, column)?)
    }

    fn of(tree: &Tree, number: u32) -> Option<Self> {
        let node = tree.node(number);
        let what = match node.kind {
            NodeKind::Binary(binary) => of_binary(binary)?,
            NodeKind::Unary(unary) => match unary {
                Unary::PostIncrement | Unary::PreIncrement => "add",
                Unary::PostDecrement | Unary::PreDecrement => "subtract",
                Unary::Minus => "negate",
                Unary::Dereference => "access",
                _ => return None,
            },
            NodeKind::Subscript | NodeKind::Member => "access",
            NodeKind::Call => "call",
            NodeKind::New => "new",
            NodeKind::Delete => "delete",
            NodeKind::Name if is_variable(tree, node) => "access",
            _ => return None,
        };
        let calls = (what == "call").then(|| called(tree, number)).flatten();
        Some(Self { what, on: type_of(tree, node), calls })
    }

    /// The same operation under new names.
    pub(crate) fn renamed(&self, names: &BTreeMap<String, String>) -> Self {
        let calls = self.calls.as_ref().map(|called| renamed_function(called, names).to_owned());
        Self { calls, ..self.clone() }
    }
}

/// The node of the operation at a line and column of a text.
pub(crate) fn node_at(text: &str, tree: &Tree, line: u32, column: u32) -> Option<u32> {
    let before: usize = text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
    let at = u32::try_from(before).ok()? + column.checked_sub(1)?;
    let holds = |node: &Node| node.start <= at && at < node.end;
    let innermost = (0..tree.nodes.len() as u32)
        .filter(|number| holds(tree.node(*number)))
        .min_by_key(|number| (tree.node(*number).end - tree.node(*number).start, std::cmp::Reverse(*number)))?;
    let mut number = Some(innermost);
    while let Some(node) = number {
        // Of what only begins here, the outermost that does so is meant: `a` of `a[i]`, `f` of `f(x)`.
        let whole = widest(tree, node, at);
        if Operation::of(tree, whole).is_some() {
            return Some(whole);
        }
        number = tree.node(node).parent;
    }
    None
}

/// The outermost node around another that begins at a place, as long as it is no operator between two others.
fn widest(tree: &Tree, node: u32, at: u32) -> u32 {
    let mut widest = node;
    while let Some(parent) = tree.node(widest).parent {
        let above = tree.node(parent);
        let is_access = matches!(
            above.kind,
            NodeKind::Subscript | NodeKind::Member | NodeKind::Call | NodeKind::Implicit | NodeKind::Parentheses
        );
        if above.start != at || !is_access {
            break;
        }
        widest = parent;
    }
    widest
}

fn of_binary(binary: Binary) -> Option<&'static str> {
    Some(match binary {
        Binary::Add | Binary::AddAssign => "add",
        Binary::Subtract | Binary::SubtractAssign => "subtract",
        Binary::Multiply | Binary::MultiplyAssign => "multiply",
        Binary::Divide | Binary::DivideAssign => "divide",
        Binary::Remainder | Binary::RemainderAssign => "remainder",
        Binary::ShiftLeft | Binary::ShiftLeftAssign => "shift to the left",
        Binary::ShiftRight | Binary::ShiftRightAssign => "shift to the right",
        Binary::Assign | Binary::AndAssign | Binary::XorAssign | Binary::OrAssign => "write",
        _ => return None,
    })
}

fn is_variable(tree: &Tree, node: &Node) -> bool {
    node.thing.is_some_and(|thing| {
        matches!(tree.thing(thing).kind, ThingKind::Local | ThingKind::Parameter | ThingKind::Global)
    })
}

/// The name of the function that a call calls.
fn called(tree: &Tree, number: u32) -> Option<String> {
    let node = tree.node(number);
    let own = node.thing.map(|thing| tree.thing(thing).name.clone());
    own.or_else(|| {
        let mut within = tree.subtree(number).skip(1).map(|number| tree.node(number));
        within.find_map(|node| Some(tree.thing(node.thing?).name.clone()))
    })
}

/// The type of a value, by what it consists of.
fn type_of(tree: &Tree, node: &Node) -> String {
    let Some(number) = node.type_ else { return "something".to_owned() };
    let type_ = tree.type_(number);
    match &type_.shape {
        Shape::Boolean => "a truth value".to_owned(),
        Shape::Integer { bits, is_signed: true, .. } => format!("a signed number of {bits} bits"),
        Shape::Integer { bits, .. } => format!("an unsigned number of {bits} bits"),
        Shape::Floating { bits } => format!("a floating-point number of {bits} bits"),
        Shape::Pointer { .. } | Shape::Reference { .. } => "an address".to_owned(),
        Shape::Enumeration(_) => "an enumeration".to_owned(),
        Shape::Record(_) | Shape::Array { .. } => match type_.size {
            Some(size) => format!("{size} bytes"),
            None => "an object".to_owned(),
        },
        _ => "something".to_owned(),
    }
}
