//! A copy of a function that tells which of its lines and branches are reached.

use std::collections::BTreeMap;

use estrange_clang::{Binary, Body, NodeKind, Tree};
use estrange_words::Language;

use crate::edits::{Edit, lines, statement_end};
use crate::record::Share;

/// The most marks that the harness keeps.
const MOST_MARKS: u32 = 4096;

/// What is marked in a function.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coverage {
    /// The edits that put the marks in.
    pub(crate) edits: Vec<Edit>,
    /// The numbers of marks that stand for lines.
    lines: Vec<u32>,
    /// The numbers of marks that stand for branches.
    branches: Vec<u32>,
    /// Where statements begin that a mark stands before.
    places: BTreeMap<u32, u32>,
}

impl Coverage {
    /// The marks of a function.
    pub(crate) fn of(tree: &Tree, text: &str, body: &Body, language: Language) -> Self {
        let Some(block) = body.body else { return Self::default() };
        let mut marker = Marker {
            tree,
            text,
            language,
            next: 0,
            by_line: BTreeMap::new(),
            before: Vec::new(),
            behind: Vec::new(),
            made: Self::default(),
        };
        for node in body.initializers.iter().flat_map(|root| tree.subtree(*root)) {
            marker.conditions(node);
        }
        for node in tree.subtree(block) {
            marker.statement(node);
            marker.conditions(node);
        }
        let Marker { before, behind, mut made, .. } = marker;
        // At one place, what ends comes before what begins; what ends inside before what ends outside.
        made.edits = behind.into_iter().rev().chain(before).collect();
        made
    }

    /// Whether inputs on which the function returns come to a place: to the statement that it is in.
    pub(crate) fn is_reached(&self, at: u32, marks: &[u8]) -> bool {
        let mark = self.places.range(..=at).next_back().map(|(_, number)| *number as usize);
        mark.and_then(|mark| marks.get(mark)).is_none_or(|mark| mark & 2 != 0)
    }

    /// How many marks there are.
    pub(crate) fn marks(&self) -> u64 {
        (self.lines.len() + self.branches.len()) as u64
    }

    /// The lines and branches that inputs reach on which the function returns.
    pub(crate) fn shares(&self, marks: &[u8]) -> (Share, Share) {
        let share = |numbers: &[u32]| Share {
            of: numbers.iter().filter(|number| marks.get(**number as usize).is_some_and(|mark| mark & 2 != 0)).count()
                as u32,
            all: numbers.len() as u32,
        };
        (share(&self.lines), share(&self.branches))
    }
}

struct Marker<'t> {
    tree: &'t Tree,
    text: &'t str,
    language: Language,
    next: u32,
    by_line: BTreeMap<usize, u32>,
    before: Vec<Edit>,
    behind: Vec<Edit>,
    made: Coverage,
}

impl Marker<'_> {
    fn number(&mut self, count: u32) -> Option<u32> {
        let number = self.next;
        (number + count <= MOST_MARKS).then(|| self.next += count)?;
        Some(number)
    }

    /// The mark of the line that a place is on.
    fn line(&mut self, at: u32) -> Option<u32> {
        let line = lines(self.text.get(..at as usize)?);
        let number = match self.by_line.get(&line).copied() {
            Some(number) => number,
            None => {
                let number = self.number(1)?;
                self.by_line.insert(line, number);
                self.made.lines.push(number);
                number
            }
        };
        self.made.places.insert(at, number);
        Some(number)
    }

    /// Marks a statement, by what it is a part of.
    fn statement(&mut self, node: u32) {
        let this = self.tree.node(node);
        let Some(parent) = this.parent else { return };
        let above = self.tree.node(parent).kind;
        let is_last = self.tree.children(parent).last() == Some(node);
        let is_body = match above {
            NodeKind::If => self.tree.children(parent).next() != Some(node),
            NodeKind::For | NodeKind::RangeFor | NodeKind::While => is_last,
            NodeKind::DoWhile => !is_last,
            _ => false,
        };
        let is_in_row = above == NodeKind::Block
            || matches!(above, NodeKind::Label | NodeKind::Case | NodeKind::Default) && is_last;
        if !this.is_written || matches!(this.kind, NodeKind::Block | NodeKind::Empty) {
            return;
        }
        if matches!(above, NodeKind::Case | NodeKind::Default)
            && is_last
            && self.tree.node(parent).is_written
            && let Some(number) = self.number(1)
        {
            self.made.branches.push(number);
            self.before.push(Edit::new(this.start, this.start, format!("estrange_mark({number});")));
        }
        if matches!(this.kind, NodeKind::Case | NodeKind::Default | NodeKind::Label) {
            return;
        }
        if is_in_row {
            if let Some(number) = self.line(this.start) {
                self.before.push(Edit::new(this.start, this.start, format!("estrange_mark({number});")));
            }
        } else if is_body {
            let Some(end) = statement_end(self.tree, self.text, node) else { return };
            if let Some(number) = self.line(this.start) {
                self.before.push(Edit::new(this.start, this.start, format!("{{estrange_mark({number});")));
                self.behind.push(Edit::new(end, end, "}"));
            }
        }
    }

    /// Marks the branches of the conditions of a node.
    fn conditions(&mut self, node: u32) {
        for condition in conditions(self.tree, self.text, node) {
            let this = self.tree.node(condition);
            if !this.is_written || !is_open(self.tree, condition) {
                continue;
            }
            let Some(number) = self.number(2) else { return };
            self.made.branches.extend([number, number + 1]);
            // An object may have a conversion to `bool`.
            let (before, behind) = match self.language {
                Language::C => ("(", ")!=0)"),
                Language::Cpp => ("static_cast<bool>(", "))"),
            };
            self.before.push(Edit::new(this.start, this.start, format!("estrange_branch({number},{before}")));
            self.behind.push(Edit::new(this.end, this.end, behind));
        }
    }
}

/// The nodes that a node decides by.
pub(crate) fn conditions(tree: &Tree, text: &str, node: u32) -> Vec<u32> {
    let this = tree.node(node);
    let children: Vec<u32> = tree.children(node).collect();
    // What declares something is no condition that could be put elsewhere.
    let is_value = |child: &u32| !matches!(tree.node(*child).kind, NodeKind::Declaration | NodeKind::Variable);
    let first = || children.first().copied().filter(is_value).into_iter().collect();
    match this.kind {
        NodeKind::If | NodeKind::While | NodeKind::Conditional => first(),
        NodeKind::DoWhile => children.last().copied().into_iter().collect(),
        NodeKind::Binary(Binary::And | Binary::Or) => children,
        NodeKind::For => for_condition(tree, text, node, &children).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The condition of a `for`, whose three parts may each be missing: it stands between the two `;`.
fn for_condition(tree: &Tree, text: &str, node: u32, children: &[u32]) -> Option<u32> {
    let this = tree.node(node);
    let bytes = text.as_bytes();
    let mut at = this.start as usize + text.get(this.start as usize..this.end as usize)?.find('(')? + 1;
    let mut depth = 0;
    let mut separators = Vec::new();
    while at < this.end as usize && separators.len() < 2 {
        // What is within a child is none of our `;`, but for a declaration, which ends with it.
        let within = children
            .iter()
            .map(|child| tree.node(*child))
            .find(|child| (child.start as usize) == at && child.end as usize > at);
        if let Some(child) = within {
            at = child.end as usize;
            if bytes[at - 1] == b';' {
                separators.push(at - 1);
            }
            continue;
        }
        match bytes[at] {
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            b';' => separators.push(at),
            _ => {}
        }
        at += 1;
    }
    let [first, second] = separators[..] else { return None };
    children.iter().copied().find(|child| {
        let child = tree.node(*child);
        child.start as usize > first && child.end as usize <= second
    })
}

/// Whether a condition can go either way, as far as can be seen: it is not made of constants only.
fn is_open(tree: &Tree, node: u32) -> bool {
    tree.subtree(node).any(|each| {
        let node = tree.node(each);
        match node.kind {
            NodeKind::Name => node.value.is_none(),
            NodeKind::Call | NodeKind::Member | NodeKind::StatementExpression => true,
            _ => false,
        }
    })
}
