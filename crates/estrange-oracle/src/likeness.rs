//! What makes conditions of two texts the same one, and functions of two texts the same code: all but names, and how it is
//! written.
//!
//! A rewrite turns conditions round, splits them and gives what they compare other names. What they compare it with stays:
//! the numbers and texts of the code. So a condition that inputs do not decide both ways is told from one that only the
//! rewrite has.

use std::collections::BTreeSet;

use estrange_clang::{Binary, Body, NodeKind, Tree, Unary};
use estrange_text::lexer::{Kind, lex};

use crate::conditions::conditions;
use crate::dictionary::constant;

/// What a condition decides by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    /// What it compares with, but for zeros.
    Constants(Vec<i64>),
    /// So many things, where there is no such constant.
    Things(u32),
    /// What no case of a `switch` fits.
    Otherwise,
}

impl Likeness {
    /// That of a condition; none, if it is made of others.
    pub(crate) fn of_condition(tree: &Tree, text: &str, node: u32) -> Option<Self> {
        let this = tree.node(node);
        let within = || tree.children(node).last();
        match this.kind {
            NodeKind::Parentheses | NodeKind::Implicit => match within() {
                Some(child) => Self::of_condition(tree, text, child),
                None => Some(Self::of(tree, text, node)),
            },
            NodeKind::Unary(Unary::Not) => Self::of_condition(tree, text, within()?),
            NodeKind::Binary(Binary::And | Binary::Or) => None,
            _ => Some(Self::of(tree, text, node)),
        }
    }

    /// That of a label in a `switch`.
    pub(crate) fn of_label(tree: &Tree, text: &str, label: u32) -> Self {
        match (tree.node(label).kind, tree.children(label).next()) {
            (NodeKind::Case, Some(value)) => Self::of(tree, text, value),
            _ => Self::Otherwise,
        }
    }

    fn of(tree: &Tree, text: &str, node: u32) -> Self {
        let (mut constants, mut things) = (Vec::new(), 0);
        collect(tree, text, node, &mut constants, &mut things);
        constants.sort_unstable();
        constants.dedup();
        match constants.is_empty() {
            true => Self::Things(things.max(1)),
            false => Self::Constants(constants),
        }
    }

    /// Those of all conditions and labels of a function.
    pub(crate) fn of_function(tree: &Tree, text: &str, body: &Body) -> BTreeSet<Self> {
        let mut all = BTreeSet::new();
        for node in body.body.map(|block| tree.subtree(block)).into_iter().flatten() {
            all.extend(
                conditions(tree, text, node).into_iter().filter_map(|each| Self::of_condition(tree, text, each)),
            );
            match tree.node(node).kind {
                NodeKind::Case | NodeKind::Default => _ = all.insert(Self::of_label(tree, text, node)),
                // What no case fits may come there, too.
                NodeKind::Switch => _ = all.insert(Self::Otherwise),
                _ => {}
            }
        }
        all
    }
}

fn collect(tree: &Tree, text: &str, node: u32, constants: &mut Vec<i64>, things: &mut u32) {
    let this = tree.node(node);
    if let Some(value) = constant(tree, node) {
        constants.extend((value != 0).then_some(value));
        return;
    }
    match this.kind {
        NodeKind::Text | NodeKind::Floating => {
            let written = text.get(this.start as usize..this.end as usize).unwrap_or_default();
            constants.push(hash(written.bytes()) as i64);
        }
        NodeKind::Name | NodeKind::Member | NodeKind::Call | NodeKind::This => *things += 1,
        _ => {}
    }
    tree.children(node).for_each(|child| collect(tree, text, child, constants, things));
}

/// What stands for the code of a function: all of its tokens but names.
pub(crate) fn code_of(text: &str, body: &Body) -> u64 {
    let written = text.get(body.start as usize..body.end as usize).unwrap_or_default();
    let tokens = lex(written);
    let all = tokens.iter().filter(|token| token.kind != Kind::Comment).flat_map(|token| match token.kind {
        Kind::Identifier => vec![0],
        _ => token.spelling(written).bytes().chain([0]).collect(),
    });
    hash(all)
}

fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
