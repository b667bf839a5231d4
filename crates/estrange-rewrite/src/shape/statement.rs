//! Statements and their parts, as the text has them.

use std::ops::Range;

use estrange_clang::NodeKind;

use crate::shape::view::View;

/// A statement that controls others. Ranges are of the text.
pub(crate) enum Control {
    If { condition: Range<usize>, condition_node: u32, then: u32, otherwise: Option<u32> },
    For { first: Option<u32>, condition: Option<u32>, step: Option<u32>, body: u32 },
    While { condition: Range<usize>, condition_node: u32, body: u32 },
    DoWhile { body: u32, condition: Range<usize>, condition_node: u32 },
    Switch { operand: Range<usize>, operand_node: u32, body: u32 },
}

impl View<'_> {
    /// Whether a node is a statement and no expression.
    pub(crate) fn is_statement(&self, node: u32) -> bool {
        use NodeKind as Kind;
        matches!(
            self.kind(node),
            Kind::Block
                | Kind::Declaration
                | Kind::If
                | Kind::For
                | Kind::RangeFor
                | Kind::While
                | Kind::DoWhile
                | Kind::Switch
                | Kind::Case
                | Kind::Default
                | Kind::Break
                | Kind::Continue
                | Kind::Return
                | Kind::Goto
                | Kind::ComputedGoto
                | Kind::Label
                | Kind::Empty
                | Kind::Assembly
                | Kind::Try
        )
    }

    /// Whether a node is a `return` that no macro writes, not even the whole of it.
    pub(crate) fn is_written_return(&self, node: u32) -> bool {
        let is_written = self.node(node).is_written && !self.is_in_call(self.range(node).start);
        self.kind(node) == NodeKind::Return && is_written
    }

    /// Whether a node stands where a statement does: in a block, or as the body of something.
    pub(crate) fn is_in_statement_place(&self, node: u32) -> bool {
        let Some(parent) = self.node(node).parent else { return false };
        match self.kind(parent) {
            NodeKind::Block => true,
            NodeKind::Label | NodeKind::Default => true,
            NodeKind::Case => self.children(parent).last() == Some(&node),
            NodeKind::If | NodeKind::For | NodeKind::RangeFor | NodeKind::While | NodeKind::Switch => {
                self.is_statement(node) || self.body_starts_at(parent, node)
            }
            NodeKind::DoWhile => self.children(parent).first() == Some(&node),
            _ => false,
        }
    }

    /// Whether a child that is an expression is a body: it stands behind the parenthesis, or behind `else`.
    fn body_starts_at(&self, parent: u32, child: u32) -> bool {
        match self.control(parent) {
            Some(Control::If { then, otherwise, .. }) => then == child || otherwise == Some(child),
            Some(
                Control::For { body, .. }
                | Control::While { body, .. }
                | Control::DoWhile { body, .. }
                | Control::Switch { body, .. },
            ) => body == child,
            None => false,
        }
    }

    /// A statement's text with its `;`.
    pub(crate) fn statement(&self, node: u32) -> Range<usize> {
        let span = self.span(node);
        span.start..self.statement_end(node)
    }

    fn statement_end(&self, node: u32) -> usize {
        let end = self.span(node).end;
        match self.kind(node) {
            NodeKind::Block | NodeKind::Try => end,
            NodeKind::Declaration | NodeKind::Empty if self.cut(0..end).ends_with(';') => end,
            NodeKind::If
            | NodeKind::For
            | NodeKind::RangeFor
            | NodeKind::While
            | NodeKind::Switch
            | NodeKind::Label
            | NodeKind::Case
            | NodeKind::Default => self.children(node).last().map_or(end, |last| end.max(self.statement_end(*last))),
            _ => match self.tokens.get(self.token_at(end)) {
                Some(token) if token.text(self.text) == ";" => token.end as usize,
                _ => end,
            },
        }
    }

    /// The parts of a statement that controls others; nothing if a macro or something odd stands between.
    pub(crate) fn control(&self, node: u32) -> Option<Control> {
        let start = self.node(node).start as usize;
        let head = self.token_at(start);
        if self.is_in_call(start) {
            return None;
        }
        let children = self.children(node);
        match (self.kind(node), self.word(head)) {
            (NodeKind::If, "if") => {
                let (condition_node, then, otherwise) = match children.as_slice() {
                    [condition, then] => (*condition, *then, None),
                    [condition, then, otherwise] => (*condition, *then, Some(*otherwise)),
                    _ => return None,
                };
                let condition = self.parenthesised(head + 1, condition_node, Some(then))?;
                if let Some(otherwise) = otherwise {
                    let between = self.statement(then).end..self.span(otherwise).start;
                    let [token] = self.tokens_in(between) else { return None };
                    if token.text(self.text) != "else" || self.is_in_call(token.start as usize) {
                        return None;
                    }
                }
                Some(Control::If { condition, condition_node, then, otherwise })
            }
            (NodeKind::While, "while") => {
                let [condition_node, body] = *children.as_slice() else { return None };
                let condition = self.parenthesised(head + 1, condition_node, Some(body))?;
                Some(Control::While { condition, condition_node, body })
            }
            (NodeKind::Switch, "switch") => {
                let [operand_node, body] = *children.as_slice() else { return None };
                let operand = self.parenthesised(head + 1, operand_node, Some(body))?;
                Some(Control::Switch { operand, operand_node, body })
            }
            (NodeKind::DoWhile, "do") => {
                let [body, condition_node] = *children.as_slice() else { return None };
                let word = self.token_at(self.statement(body).end);
                if self.word(word) != "while" || self.is_in_call(self.tokens.get(word)?.start as usize) {
                    return None;
                }
                let condition = self.parenthesised(word + 1, condition_node, None)?;
                Some(Control::DoWhile { body, condition, condition_node })
            }
            (NodeKind::For, "for") => self.for_parts(head, &children),
            _ => None,
        }
    }

    /// The text between a parenthesis that opens at a token and the one that closes it, if that is `node` and the
    /// body comes right behind.
    fn parenthesised(&self, open: usize, node: u32, body: Option<u32>) -> Option<Range<usize>> {
        let close = self.closing(open).filter(|_| self.word(open) == "(")?;
        let (open, close) = (self.tokens[open], self.tokens[close]);
        if self.is_in_call(open.start as usize) || self.is_in_call(close.start as usize) {
            return None;
        }
        let span = self.span(node);
        let is_all = span.start == self.tokens.get(self.token_at(open.end as usize))?.start as usize
            && self.token_at(span.end) == self.token_at(close.start as usize);
        // What is declared in a condition has a scope of its own.
        let is_expression = !self.is_statement(node) && self.kind(node) != NodeKind::Variable;
        let is_behind = |body: u32| self.token_at(close.end as usize) == self.token_at(self.span(body).start);
        (is_all && is_expression && body.is_none_or(is_behind)).then_some(span)
    }

    fn for_parts(&self, head: usize, children: &[u32]) -> Option<Control> {
        let close = self.closing(head + 1).filter(|_| self.word(head + 1) == "(")?;
        let (&body, parts) = children.split_last()?;
        let close_at = self.tokens[close].start as usize;
        if self.is_in_call(close_at) || self.token_at(self.span(body).start) != close + 1 {
            return None;
        }
        let mut semicolons = Vec::new();
        let mut at = head + 2;
        while at < close {
            match self.word(at) {
                "(" | "[" | "{" => at = self.closing(at)?,
                ";" => semicolons.push(self.tokens[at].start as usize),
                _ => {}
            }
            at += 1;
        }
        let [first_end, condition_end] = *semicolons.as_slice() else { return None };
        if self.is_in_call(first_end) || self.is_in_call(condition_end) {
            return None;
        }
        let (mut first, mut condition, mut step) = (None, None, None);
        for &part in parts {
            let slot = match self.span(part) {
                span if span.start <= first_end => &mut first,
                span if span.start < condition_end => &mut condition,
                _ => &mut step,
            };
            // Two parts in one place: something is declared in the condition.
            if slot.replace(part).is_some() {
                return None;
            }
        }
        Some(Control::For { first, condition, step, body })
    }
}
