//! Places where a rewrite could do something, and a choice of them.

use std::ops::Range;

use estrange_clang::{Binary, NodeKind, Shape, Unary};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::view::View;

/// A place, and what is to be done there.
pub(crate) struct Site {
    /// What no other place may touch.
    range: Range<usize>,
    edits: Vec<(Range<usize>, String)>,
}

impl Site {
    /// A part of the text becomes another.
    pub(crate) fn replace(range: Range<usize>, text: String) -> Self {
        Self { range: range.clone(), edits: vec![(range, text)] }
    }

    /// Several edits that belong together, within a part of the text.
    pub(crate) fn edits(range: Range<usize>, edits: Vec<(Range<usize>, String)>) -> Self {
        Self { range, edits }
    }
}

/// Some of the places, at least one if there is one; of two that touch, the first.
pub(crate) fn choose(sites: Vec<Site>, draw: &mut Draw) -> Result<Edits, Refusal> {
    choose_share(sites, draw, 60)
}

/// The same, with the chance of each place in a hundred.
pub(crate) fn choose_share(sites: Vec<Site>, draw: &mut Draw, share: usize) -> Result<Edits, Refusal> {
    let mut taken: Vec<Range<usize>> = Vec::new();
    let mut edits = Edits::default();
    for site in draw.some(sites, share) {
        let is_free = taken.iter().all(|other| other.end <= site.range.start || site.range.end <= other.start);
        if is_free {
            for (range, text) in site.edits {
                edits.replace(range, text);
            }
            taken.push(site.range);
        }
    }
    if edits.is_empty() { Err(Refusal::NoPlace) } else { Ok(edits) }
}

impl View<'_> {
    /// An expression as an operand of any operator but a postfix one: in parentheses, unless it holds together by itself.
    pub(crate) fn operand(&self, node: u32) -> String {
        let bare = self.bare(node);
        let holds = match self.kind(bare) {
            NodeKind::Name
            | NodeKind::Member
            | NodeKind::Subscript
            | NodeKind::Parentheses
            | NodeKind::Integer
            | NodeKind::Floating
            | NodeKind::Character
            | NodeKind::Text
            | NodeKind::This
            | NodeKind::Null
            | NodeKind::Boolean => self.node(bare).is_written && !self.is_macro_call(bare),
            NodeKind::Call => self.node(bare).is_written && !self.is_macro_call(bare) && self.is_written_as_call(bare),
            _ => false,
        };
        let text = self.slice(node);
        if holds { text.to_owned() } else { format!("({text})") }
    }

    /// Whether a node is the whole of a macro's call: what is in it cannot be told from its text.
    fn is_macro_call(&self, node: u32) -> bool {
        let range = self.range(node);
        self.call_around(range.start).is_some_and(|call| call == range)
    }

    /// Whether a call has parentheses: in C++ an operator may be one, too.
    fn is_written_as_call(&self, node: u32) -> bool {
        let Some(called) = self.tree.children(node).next() else { return false };
        let open = self.token_at(self.span(called).end);
        let close = self.closing(open).filter(|_| self.word(open) == "(");
        !self.language.is_cpp() || close.is_some_and(|close| self.tokens[close].end as usize == self.range(node).end)
    }

    /// A condition that holds when another does not.
    pub(crate) fn negated(&self, node: u32) -> String {
        let inner = self.inner(node);
        let children = self.children(inner);
        // A `!` of its own could do something else than the condition.
        let operand = match self.kind(inner) {
            NodeKind::Unary(Unary::Not) => children.first().map_or(inner, |operand| self.inner(*operand)),
            _ => inner,
        };
        if self.language.is_cpp() && !self.is_scalar_value(operand) {
            return format!("!static_cast<bool>({})", self.slice(inner));
        }
        match (self.kind(inner), children.as_slice()) {
            (NodeKind::Unary(Unary::Not), [operand]) if self.is_plain(inner) => self.operand(*operand),
            (NodeKind::Binary(operator), [left, right]) if self.is_plain(inner) => {
                match self.opposite(operator, *left, *right) {
                    Some(opposite) => {
                        let (left, right) = (self.operand(*left), self.operand(*right));
                        format!("{left} {} {right}", opposite.sign())
                    }
                    None => format!("!({})", self.slice(inner)),
                }
            }
            _ => format!("!{}", self.operand(node)),
        }
    }

    /// Whether a node, its operands and what stands between them are written where they stand.
    pub(crate) fn is_plain(&self, node: u32) -> bool {
        let is_written = |node: u32| self.node(self.bare(node)).is_written;
        self.node(node).is_written
            && !self.is_macro_call(node)
            && self.tree.children(node).all(is_written)
            && self.has_its_sign(node)
    }

    /// Whether an operator stands by itself. In `64 KB`, where `KB` is `*1024`, it does not.
    fn has_its_sign(&self, node: u32) -> bool {
        match (self.kind(node), self.children(node).as_slice()) {
            (NodeKind::Binary(_), [left, right]) => {
                !self.tokens_in(self.range(*left).end..self.range(*right).start).is_empty()
            }
            _ => true,
        }
    }

    /// The comparison that holds when another does not.
    fn opposite(&self, operator: Binary, left: u32, right: u32) -> Option<Binary> {
        // What is not a number is neither less than another, nor not less.
        let is_exact = |node: u32| {
            self.type_of(node).is_some_and(|of| is_scalar(&of.shape) && !matches!(of.shape, Shape::Floating { .. }))
        };
        if !is_exact(left) || !is_exact(right) {
            return None;
        }
        Some(match operator {
            Binary::Less => Binary::GreaterOrEqual,
            Binary::Greater => Binary::LessOrEqual,
            Binary::LessOrEqual => Binary::Greater,
            Binary::GreaterOrEqual => Binary::Less,
            Binary::Equal => Binary::NotEqual,
            Binary::NotEqual => Binary::Equal,
            _ => return None,
        })
    }

    /// A statement as a block.
    pub(crate) fn block_text(&self, node: u32) -> String {
        let text = self.cut(self.statement(node));
        match self.kind(node) {
            NodeKind::Block if self.node(node).is_written => text.to_owned(),
            _ => format!("{{ {text} }}"),
        }
    }

    /// What stands in a block, or the statement itself.
    pub(crate) fn inside_text(&self, node: u32) -> String {
        match self.kind(node) {
            NodeKind::Block if self.node(node).is_written => {
                let range = self.range(node);
                self.cut(range.start + 1..range.end - 1).trim().to_owned()
            }
            _ => self.cut(self.statement(node)).to_owned(),
        }
    }

    /// Whether a statement can be given another text: it is all of what stands there.
    pub(crate) fn is_whole_statement(&self, node: u32) -> bool {
        let range = self.statement(node);
        let start = self.call_around(range.start);
        let ends_well = range.end == range.start
            || self.cut(range.end - 1..range.end) == ";"
            || self.cut(range.end - 1..range.end) == "}";
        let is_call = start.is_none_or(|call| call.start == range.start && call.end <= range.end);
        let Some(parent) = self.node(node).parent else { return false };
        let is_alone = self.tree.children(parent).filter(|other| *other != node).all(|other| {
            let other = self.span(other);
            other.end <= range.start || range.end <= other.start
        });
        // The last statement of a block that has a value is that value.
        let is_value = self.ancestors(node).any(|around| self.kind(around) == NodeKind::StatementExpression);
        ends_well && is_call && is_alone && !is_value && self.is_in_statement_place(node)
    }

    /// Whether a node is a statement of its own whose value nobody uses.
    pub(crate) fn is_unused(&self, node: u32) -> bool {
        let Some(parent) = self.node(node).parent else { return false };
        match self.kind(parent) {
            NodeKind::Block => {
                !matches!(self.node(parent).parent.map(|around| self.kind(around)), Some(NodeKind::StatementExpression))
            }
            NodeKind::For => match self.control(parent) {
                Some(crate::shape::statement::Control::For { step, body, .. }) => step == Some(node) || body == node,
                _ => false,
            },
            _ => self.is_in_statement_place(node) && !self.is_statement(node),
        }
    }

    /// Whether an expression's value is one number or address.
    pub(crate) fn is_scalar_value(&self, node: u32) -> bool {
        self.type_of(node).is_some_and(|of| is_scalar(&of.shape))
    }

    /// The indentation of the line that a place stands on, behind a line break.
    pub(crate) fn line_break(&self, at: usize) -> String {
        format!("\n{}", self.indentation(at))
    }
}
