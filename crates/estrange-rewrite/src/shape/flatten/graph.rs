//! A function's statements as blocks, each with what comes after it.

use std::collections::HashMap;
use std::ops::Range;

use estrange_clang::NodeKind;

use super::hoist::Hoist;
use crate::refusal::Refusal;
use crate::shape::statement::Control;
use crate::shape::view::View;

/// Statements that are run one after the other.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) lines: Vec<String>,
    pub(super) end: End,
}

/// What comes after a block. Numbers are other blocks.
#[derive(Debug, Clone)]
pub(super) enum End {
    Next(usize),
    Branch(String, usize, usize),
    /// What is looked at, the labels with their blocks, and the block of all other values.
    Switch(String, Vec<(String, usize)>, usize),
    /// The function's end.
    Exit,
    /// The last line leaves the function.
    Left,
}

/// The statements of a function as blocks.
pub(super) struct Graph<'v, 'a> {
    view: &'v View<'a>,
    pub(super) hoist: Hoist,
    pub(super) blocks: Vec<Block>,
    current: usize,
    labels: HashMap<u32, usize>,
    switches: Vec<Vec<(String, usize)>>,
    /// How long a statement may be that stays whole, if it can.
    whole: usize,
}

/// Where `break` and `continue` lead.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    break_to: Option<usize>,
    continue_to: Option<usize>,
}

impl<'v, 'a> Graph<'v, 'a> {
    /// The blocks of some statements in a row; the first is where they begin.
    pub(super) fn new(view: &'v View<'a>, hoist: Hoist, statements: &[u32], whole: usize) -> Result<Self, Refusal> {
        let mut graph =
            Self { view, hoist, blocks: Vec::new(), current: 0, labels: HashMap::new(), switches: Vec::new(), whole };
        graph.current = graph.block();
        graph.list(statements, Around::default())?;
        Ok(graph)
    }

    fn block(&mut self) -> usize {
        self.blocks.push(Block { lines: Vec::new(), end: End::Exit });
        self.blocks.len() - 1
    }

    fn end(&mut self, end: End) {
        self.blocks[self.current].end = end;
    }

    /// Goes on in a block.
    fn enter(&mut self, block: usize) {
        self.end(End::Next(block));
        self.current = block;
    }

    fn push(&mut self, line: String) {
        self.blocks[self.current].lines.push(line);
    }

    /// A part of the text, in the new names and at no indentation.
    fn text(&self, range: Range<usize>) -> String {
        let view = self.view;
        let text = self.hoist.renames.within(view.text, range.clone());
        outdented(&text, view.indentation(range.start))
    }

    fn list(&mut self, statements: &[u32], around: Around) -> Result<(), Refusal> {
        let mut rest = statements;
        while let [first, ..] = rest {
            // What one macro call makes cannot be told apart.
            let mut range = self.view.statement(*first);
            let mut count = 1;
            while let Some(next) = rest.get(count).map(|next| self.view.statement(*next)) {
                if next.start >= range.end {
                    break;
                }
                range.end = range.end.max(next.end);
                count += 1;
            }
            let (group, behind) = rest.split_at(count);
            match group {
                [one] => self.statement(*one, around)?,
                several => {
                    let is_declaration = |node: &u32| self.view.kind(*node) == NodeKind::Declaration;
                    if several.iter().any(is_declaration) || !self.view.is_closed(several) {
                        return Err(Refusal::FromMacro(short(self.view.cut(range))));
                    }
                    self.push(self.text(range));
                }
            }
            rest = behind;
        }
        Ok(())
    }

    fn statement(&mut self, node: u32, around: Around) -> Result<(), Refusal> {
        let view = self.view;
        let range = view.statement(node);
        // The compiler is told that a `case` goes on in the next one: here it does not.
        let is_empty = |child: u32| view.kind(child) == NodeKind::Empty;
        if view.kind(node) == NodeKind::Other && view.only_child(node).is_some_and(is_empty) {
            return Ok(());
        }
        let is_leaf = view.kind(node) != NodeKind::Declaration && view.is_closed(&[node]);
        if is_leaf && range.len() <= self.whole && !matches!(view.kind(node), NodeKind::Block | NodeKind::Return) {
            self.push(self.text(range));
            return Ok(());
        }
        let (blocks, current, declared) = (self.blocks.len(), self.current, self.hoist.declarations.len());
        let before = self.blocks[current].clone();
        match self.divided(node, around) {
            Err(_) if is_leaf => {
                self.blocks.truncate(blocks);
                self.blocks[current] = before;
                self.current = current;
                self.labels.retain(|_, block| *block < blocks);
                self.hoist.declarations.truncate(declared);
                self.push(self.text(range));
                Ok(())
            }
            result => result,
        }
    }

    /// A statement taken apart.
    fn divided(&mut self, node: u32, around: Around) -> Result<(), Refusal> {
        let view = self.view;
        let range = view.statement(node);
        let head = range.start;
        match view.kind(node) {
            NodeKind::Block if view.node(node).is_written => self.list(&view.children(node), around),
            NodeKind::Declaration => {
                let assigned = self.hoist.declaration(view, node)?;
                assigned.into_iter().for_each(|line| self.push(line));
                Ok(())
            }
            NodeKind::If | NodeKind::For | NodeKind::While | NodeKind::DoWhile | NodeKind::Switch => {
                let control = view.control(node);
                let control = control.ok_or_else(|| Refusal::FromMacro(short(view.cut(range))))?;
                self.control(control, around)
            }
            NodeKind::Case | NodeKind::Default => self.case(node, around),
            NodeKind::Label => {
                if view.is_in_call(head) {
                    return Err(Refusal::FromMacro("a label".to_owned()));
                }
                let block = self.label(view.node(node).thing)?;
                self.enter(block);
                self.list(&view.children(node), around)
            }
            NodeKind::Break => self.jump(node, around.break_to),
            NodeKind::Continue => self.jump(node, around.continue_to),
            NodeKind::Goto => {
                let target = self.label(view.target(node))?;
                self.jump(node, Some(target))
            }
            NodeKind::Return => {
                self.push(self.text(range));
                self.end(End::Left);
                self.current = self.block();
                Ok(())
            }
            NodeKind::Empty => Ok(()),
            _ if view.is_closed(&[node]) => {
                self.push(self.text(range));
                Ok(())
            }
            _ => Err(Refusal::Jump(short(view.cut(range)))),
        }
    }

    fn jump(&mut self, node: u32, to: Option<usize>) -> Result<(), Refusal> {
        let range = self.view.statement(node);
        if self.view.is_in_call(range.start) {
            return Err(Refusal::FromMacro(short(self.view.cut(range))));
        }
        let to = to.ok_or_else(|| Refusal::Jump(short(self.view.cut(range))))?;
        self.end(End::Next(to));
        // What follows a jump is reached, if at all, by a label.
        self.current = self.block();
        Ok(())
    }

    fn label(&mut self, thing: Option<u32>) -> Result<usize, Refusal> {
        let thing = thing.ok_or_else(|| Refusal::Jump("a label without a name".to_owned()))?;
        if let Some(block) = self.labels.get(&thing) {
            return Ok(*block);
        }
        let block = self.block();
        self.labels.insert(thing, block);
        Ok(block)
    }

    fn control(&mut self, control: Control, around: Around) -> Result<(), Refusal> {
        let view = self.view;
        match control {
            Control::If { condition, condition_node, then, otherwise } => {
                let condition = self.condition(condition, condition_node);
                let (yes, after) = (self.block(), self.block());
                let no = if otherwise.is_some() { self.block() } else { after };
                self.end(End::Branch(condition, yes, no));
                self.current = yes;
                self.list(&[then], around)?;
                self.end(End::Next(after));
                if let Some(otherwise) = otherwise {
                    self.current = no;
                    self.list(&[otherwise], around)?;
                    self.end(End::Next(after));
                }
                self.current = after;
            }
            Control::While { condition, condition_node, body } => {
                let condition = self.condition(condition, condition_node);
                let (test, inside, after) = (self.block(), self.block(), self.block());
                self.enter(test);
                self.end(End::Branch(condition, inside, after));
                self.current = inside;
                self.list(&[body], Around { break_to: Some(after), continue_to: Some(test) })?;
                self.end(End::Next(test));
                self.current = after;
            }
            Control::DoWhile { body, condition, condition_node } => {
                let (inside, test, after) = (self.block(), self.block(), self.block());
                self.enter(inside);
                self.list(&[body], Around { break_to: Some(after), continue_to: Some(test) })?;
                self.end(End::Next(test));
                self.current = test;
                let is_never = view.node(view.inner(condition_node)).value == Some(0);
                let condition = self.condition(condition, condition_node);
                self.end(if is_never { End::Next(after) } else { End::Branch(condition, inside, after) });
                self.current = after;
            }
            Control::For { first, condition, step, body } => {
                if let Some(first) = first {
                    match view.kind(first) {
                        NodeKind::Declaration => {
                            let assigned = self.hoist.declaration(view, first)?;
                            assigned.into_iter().for_each(|line| self.push(line));
                        }
                        _ => self.push(format!("{};", self.text(view.span(first)))),
                    }
                }
                let (test, inside, after) = (self.block(), self.block(), self.block());
                let again = if step.is_some() { self.block() } else { test };
                self.enter(test);
                match condition {
                    Some(node) => {
                        let condition = self.condition(view.span(node), node);
                        self.end(End::Branch(condition, inside, after));
                    }
                    None => self.end(End::Next(inside)),
                }
                self.current = inside;
                self.list(&[body], Around { break_to: Some(after), continue_to: Some(again) })?;
                self.end(End::Next(again));
                if let Some(step) = step {
                    self.current = again;
                    self.push(format!("{};", self.text(view.span(step))));
                    self.end(End::Next(test));
                }
                self.current = after;
            }
            Control::Switch { operand, body, .. } => {
                let operand = self.text(operand);
                let head = self.current;
                let (unreached, after) = (self.block(), self.block());
                self.switches.push(Vec::new());
                self.current = unreached;
                let around = Around { break_to: Some(after), ..around };
                let result = self.list(&[body], around);
                let mut cases = self.switches.pop().unwrap_or_default();
                result?;
                self.end(End::Next(after));
                let others = cases.iter().position(|(label, _)| label == "default:");
                let others = others.map_or(after, |at| cases.remove(at).1);
                self.current = head;
                self.end(End::Switch(operand, cases, others));
                self.current = after;
            }
        }
        Ok(())
    }

    /// A condition's text, in parentheses where it needs them before a `?`.
    fn condition(&self, range: Range<usize>, node: u32) -> String {
        let text = self.text(range);
        let view = self.view;
        let bare = view.bare(node);
        let needs = match view.kind(bare) {
            NodeKind::Binary(operator) => {
                operator.assigns() || matches!(operator, estrange_clang::Binary::Comma | estrange_clang::Binary::Other)
            }
            NodeKind::Conditional | NodeKind::Other | NodeKind::Throw => true,
            _ => false,
        };
        if needs || !view.node(bare).is_written { format!("({text})") } else { text }
    }

    fn case(&mut self, node: u32, around: Around) -> Result<(), Refusal> {
        let view = self.view;
        let start = view.node(node).start as usize;
        let label = || Refusal::FromMacro("a case".to_owned());
        let statement = view.children(node).last().copied().ok_or_else(label)?;
        let statement_start = view.span(statement).start;
        let tokens = view.tokens_in(start..statement_start);
        let colon = tokens.last().filter(|token| token.text(view.text) == ":").ok_or_else(label)?;
        if view.is_in_call(start) || view.is_in_call(colon.start as usize) {
            return Err(label());
        }
        let text = self.text(start..colon.end as usize);
        let text = if view.kind(node) == NodeKind::Default { "default:".to_owned() } else { text };
        let block = self.block();
        self.enter(block);
        match self.switches.last_mut() {
            Some(cases) => cases.push((text, block)),
            None => return Err(Refusal::Jump("a case without a switch".to_owned())),
        }
        self.list(&[statement], around)
    }
}

/// A few words of a text, for messages.
fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim();
    line.chars().take(40).collect()
}

/// A text whose further lines stand as far left as its first.
fn outdented(text: &str, indentation: &str) -> String {
    if goes_on_in_string(text) {
        return text.to_owned();
    }
    let mut lines = text.lines();
    let mut written = lines.next().unwrap_or_default().to_owned();
    for line in lines.filter(|line| !line.trim().is_empty()) {
        written.push('\n');
        written.push_str(line.strip_prefix(indentation).unwrap_or(line.trim_start()));
    }
    written
}

/// Whether a string may go on in the next line, whose indentation is a part of it then.
pub(super) fn goes_on_in_string(text: &str) -> bool {
    text.contains("\\\n") || text.contains("R\"")
}
