//! Where statements may go besides the next one.

use estrange_clang::NodeKind;

use crate::shape::view::View;

/// The jumps that leave or enter a part of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Jumps {
    /// A `break` out of it.
    pub(crate) breaks: bool,
    /// A `continue` out of it.
    pub(crate) continues: bool,
    pub(crate) returns: bool,
    /// The labels, as things, that it jumps to and does not hold.
    pub(crate) gotos: Vec<u32>,
    /// The labels that it holds.
    pub(crate) labels: Vec<u32>,
    /// A `case` or `default` of a `switch` around it.
    pub(crate) cases: bool,
    /// Jumps that cannot be followed: to an address, by assembly.
    pub(crate) is_wild: bool,
}

impl Jumps {
    /// Whether it can be left only at its end or by `return`, and entered only at its start, as far as `view` knows.
    pub(crate) fn is_closed(&self, entered: &[u32]) -> bool {
        !self.breaks
            && !self.continues
            && !self.cases
            && !self.is_wild
            && self.gotos.is_empty()
            && self.labels.iter().all(|label| !entered.contains(label))
    }
}

impl View<'_> {
    /// The jumps out of and into some nodes that stand next to each other.
    pub(crate) fn jumps(&self, nodes: &[u32]) -> Jumps {
        let mut jumps = Jumps::default();
        for node in nodes {
            self.walk_jumps(*node, (false, false, false), &mut jumps);
        }
        let Jumps { gotos, labels, .. } = &mut jumps;
        gotos.retain(|label| !labels.contains(label));
        jumps
    }

    /// `inside`: whether a `break`, a `continue` and a `case` have something to belong to.
    fn walk_jumps(&self, node: u32, inside: (bool, bool, bool), jumps: &mut Jumps) {
        let (in_break, in_continue, in_switch) = inside;
        let below = match self.kind(node) {
            NodeKind::For | NodeKind::RangeFor | NodeKind::While | NodeKind::DoWhile => (true, true, in_switch),
            NodeKind::Switch => (true, in_continue, true),
            // A function of its own.
            NodeKind::Lambda => return,
            NodeKind::Break => {
                jumps.breaks |= !in_break;
                inside
            }
            NodeKind::Continue => {
                jumps.continues |= !in_continue;
                inside
            }
            NodeKind::Return => {
                jumps.returns = true;
                inside
            }
            NodeKind::Case | NodeKind::Default => {
                jumps.cases |= !in_switch;
                inside
            }
            NodeKind::Label => {
                jumps.labels.extend(self.node(node).thing);
                inside
            }
            NodeKind::Goto => {
                match self.target(node) {
                    Some(label) => jumps.gotos.push(label),
                    None => jumps.is_wild = true,
                }
                inside
            }
            NodeKind::ComputedGoto | NodeKind::LabelAddress => {
                jumps.is_wild = true;
                inside
            }
            NodeKind::Assembly => {
                let tokens = self.tokens_in(self.span(node));
                jumps.is_wild |= tokens.iter().any(|token| token.text(self.text) == "goto");
                inside
            }
            _ => inside,
        };
        for child in self.tree.children(node) {
            self.walk_jumps(child, below, jumps);
        }
    }

    /// The label that a `goto` names.
    pub(crate) fn target(&self, goto: u32) -> Option<u32> {
        self.tree.children(goto).find_map(|child| self.node(child).thing)
    }

    /// The labels that any `goto` outside of a node names.
    pub(crate) fn entered_from_outside(&self, nodes: &[u32]) -> Vec<u32> {
        let is_inside = |at: u32| nodes.iter().any(|node| self.tree.subtree(*node).contains(&at));
        let gotos = self.all().filter(|node| self.kind(*node) == NodeKind::Goto && !is_inside(*node));
        gotos.filter_map(|goto| self.target(goto)).collect()
    }

    /// Whether some nodes that stand next to each other are left only at their end or by `return`, and entered only at
    /// their start.
    pub(crate) fn is_closed(&self, nodes: &[u32]) -> bool {
        let jumps = self.jumps(nodes);
        jumps.is_closed(&if jumps.labels.is_empty() { Vec::new() } else { self.entered_from_outside(nodes) })
    }

    /// Whether what comes after a statement is never reached through it.
    pub(crate) fn never_ends(&self, node: u32) -> bool {
        match self.kind(node) {
            NodeKind::Return | NodeKind::Goto | NodeKind::Break | NodeKind::Continue | NodeKind::Throw => true,
            NodeKind::Block => self.children(node).last().is_some_and(|last| self.never_ends(*last)),
            NodeKind::If => match *self.children(node).as_slice() {
                [_, then, otherwise] => self.never_ends(then) && self.never_ends(otherwise),
                _ => false,
            },
            _ => false,
        }
    }
}
