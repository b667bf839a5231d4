//! Marks in functions that tell which of their lines and branches are reached.

use std::collections::BTreeMap;
use std::ops::Range;

use estrange_clang::{Body, NodeKind, Tree};
use estrange_words::Language;

use crate::conditions::conditions;
use crate::edits::{Edit, lines, statement_end};
use crate::likeness::Likeness;
use crate::record::Share;

/// The most marks that the harness keeps.
const MOST_MARKS: u32 = 4096;

/// A branch: of a condition, or to a label of a `switch`.
#[derive(Debug, Clone)]
struct Branch {
    number: u32,
    /// What decides it; none for what is made of other conditions.
    likeness: Option<Likeness>,
}

/// What is marked in functions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coverage {
    /// The edits that put the marks in.
    pub(crate) edits: Vec<Edit>,
    /// The numbers of marks that stand for lines.
    lines: Vec<u32>,
    /// The marks that stand for branches.
    branches: Vec<Branch>,
    /// The numbers of the marks of each function.
    functions: Vec<Range<u32>>,
    /// Where statements begin that a mark stands before.
    places: BTreeMap<u32, u32>,
}

impl Coverage {
    /// The marks of functions; there are none in parts that decide always alike, as is known.
    pub(crate) fn of(tree: &Tree, text: &str, bodies: &[&Body], language: Language, known: &[Range<usize>]) -> Self {
        let mut marker = Marker {
            tree,
            text,
            language,
            known,
            next: 0,
            by_line: BTreeMap::new(),
            before: Vec::new(),
            behind: Vec::new(),
            made: Self::default(),
        };
        for body in bodies {
            let from = marker.next;
            marker.by_line.clear();
            for node in body.initializers.iter().flat_map(|root| tree.subtree(*root)) {
                marker.conditions(node);
            }
            for node in body.body.map(|block| tree.subtree(block)).into_iter().flatten() {
                marker.statement(node);
                marker.conditions(node);
            }
            marker.made.functions.push(from..marker.next);
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
        let share = |numbers: &mut dyn Iterator<Item = u32>| {
            let mut share = Share::default();
            let counted = numbers.filter(|number| self.counts(*number, marks));
            counted.for_each(|number| share.count(is_reached(number, marks)));
            share
        };
        (share(&mut self.lines.iter().copied()), share(&mut self.branches.iter().map(|branch| branch.number)))
    }

    /// Whether a mark says something of the function that is run: of several functions, one that is never entered may have
    /// nothing to do with it.
    fn counts(&self, number: u32, marks: &[u8]) -> bool {
        let mut own = self.functions.iter().filter(|function| function.contains(&number));
        let is_entered = |function: &Range<u32>| function.clone().any(|each| marks.get(each as usize) != Some(&0));
        self.functions.len() == 1 || own.any(is_entered)
    }

    /// The branches that they do not take, by what decides them.
    pub(crate) fn unreached<'c>(&'c self, marks: &'c [u8]) -> impl Iterator<Item = (u32, &'c Likeness)> {
        let open = self.branches.iter().filter(|branch| !is_reached(branch.number, marks));
        let open = open.filter(|branch| self.counts(branch.number, marks));
        open.filter_map(|branch| Some((branch.number, branch.likeness.as_ref()?)))
    }
}

/// Whether an input on which the function returns comes to a mark.
fn is_reached(number: u32, marks: &[u8]) -> bool {
    marks.get(number as usize).is_some_and(|mark| mark & 2 != 0)
}

struct Marker<'t> {
    tree: &'t Tree,
    text: &'t str,
    language: Language,
    known: &'t [Range<usize>],
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

    /// Whether nobody need wait for inputs to tell something of a node.
    fn is_known(&self, node: u32) -> bool {
        let start = self.tree.node(node).start as usize;
        self.known.iter().any(|known| known.contains(&start))
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
        if !this.is_written || matches!(this.kind, NodeKind::Block | NodeKind::Empty) || self.is_known(node) {
            return;
        }
        if matches!(above, NodeKind::Case | NodeKind::Default)
            && is_last
            && self.tree.node(parent).is_written
            && !self.is_known(parent)
            && let Some(number) = self.number(1)
        {
            let likeness = Some(Likeness::of_label(self.tree, self.text, parent));
            self.made.branches.push(Branch { number, likeness });
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
            if !this.is_written || !is_open(self.tree, condition) || self.is_known(condition) {
                continue;
            }
            // The compiler decides by it.
            let before = self.text.get(self.tree.node(node).start as usize..this.start as usize);
            if before.is_some_and(|before| before.contains("constexpr")) {
                continue;
            }
            let Some(number) = self.number(2) else { return };
            let likeness = Likeness::of_condition(self.tree, self.text, condition);
            self.made.branches.push(Branch { number, likeness: likeness.clone() });
            self.made.branches.push(Branch { number: number + 1, likeness });
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
