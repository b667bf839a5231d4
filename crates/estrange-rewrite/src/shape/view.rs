//! A function in its text, as rewrites see it: the tree with the tokens, and what neither alone can tell.

use std::ops::Range;

use estrange_clang::{Body, Node, NodeKind, ThingKind, Tree, Type};
use estrange_text::lexer::{Kind, Token, lex};
use estrange_words::Language;

use crate::refusal::Refusal;
use crate::shape::Subject;

/// A function whose body can be edited.
pub(crate) struct View<'a> {
    pub(crate) text: &'a str,
    pub(crate) tree: &'a Tree,
    pub(crate) function: &'a Body,
    /// The node of its body.
    pub(crate) body: u32,
    pub(crate) language: Language,
    /// The function's tokens, without comments; their places are those of the whole text.
    pub(crate) tokens: Vec<Token>,
}

impl<'a> View<'a> {
    pub(crate) fn new(subject: &Subject<'a>) -> Result<Self, Refusal> {
        let Subject { text, tree, function, language, .. } = *subject;
        if let Some(trouble) = tree.troubles.first() {
            return Err(Refusal::DoesNotParse(trouble.message.clone()));
        }
        let function = tree.functions.get(function).ok_or_else(|| Refusal::NoFunction(function.to_string()))?;
        let body = function.body.ok_or_else(|| Refusal::NoFunction(tree.thing(function.thing).name.clone()))?;
        let start = function.start;
        let own = text.get(start as usize..function.end as usize).unwrap_or_default();
        let tokens = lex(own).into_iter().filter(|token| token.kind != Kind::Comment);
        let tokens =
            tokens.map(|token| Token { start: token.start + start, end: token.end + start, ..token }).collect();
        let view = Self { text, tree, function, body, language, tokens };
        let node = tree.node(body);
        if !node.is_written || !view.slice(body).starts_with('{') || !view.slice(body).ends_with('}') {
            return Err(match is_defaulted(&text[start as usize..]) {
                true => Refusal::NoPlace,
                false => Refusal::FromMacro("the function's body".to_owned()),
            });
        }
        if view.tokens_in(view.range(body)).iter().any(|token| token.kind == Kind::Directive) {
            return Err(Refusal::Directive);
        }
        // It stands before all other declarations of its block.
        if view.function_has(&["__label__"]) {
            return Err(Refusal::Uses("__label__".to_owned()));
        }
        Ok(view)
    }

    /// From the function's start to its end.
    pub(crate) fn place(&self) -> Range<usize> {
        self.function.start as usize..self.function.end as usize
    }

    pub(crate) fn node(&self, node: u32) -> &'a Node {
        self.tree.node(node)
    }

    pub(crate) fn kind(&self, node: u32) -> NodeKind {
        self.tree.node(node).kind
    }

    pub(crate) fn children(&self, node: u32) -> Vec<u32> {
        self.tree.children(node).collect()
    }

    /// The only child.
    pub(crate) fn only_child(&self, node: u32) -> Option<u32> {
        let mut children = self.tree.children(node);
        let first = children.next()?;
        children.next().is_none().then_some(first)
    }

    pub(crate) fn type_of(&self, node: u32) -> Option<&'a Type> {
        Some(self.tree.type_(self.tree.node(node).type_?))
    }

    /// The node below conversions that are not written.
    pub(crate) fn bare(&self, mut node: u32) -> u32 {
        while self.kind(node) == NodeKind::Implicit {
            match self.only_child(node) {
                Some(child) => node = child,
                None => break,
            }
        }
        node
    }

    /// The node below parentheses, too.
    pub(crate) fn inner(&self, mut node: u32) -> u32 {
        loop {
            node = self.bare(node);
            match self.only_child(node) {
                Some(child) if self.kind(node) == NodeKind::Parentheses => node = child,
                _ => return node,
            }
        }
    }

    /// The variable or parameter that an expression names, and nothing else.
    pub(crate) fn variable(&self, node: u32) -> Option<u32> {
        let node = self.inner(node);
        let thing = self.node(node).thing.filter(|_| self.kind(node) == NodeKind::Name)?;
        matches!(self.tree.thing(thing).kind, ThingKind::Local | ThingKind::Parameter).then_some(thing)
    }

    /// From a node's start to its end, as the parser says.
    pub(crate) fn range(&self, node: u32) -> Range<usize> {
        let node = self.tree.node(node);
        node.start as usize..node.end as usize
    }

    /// The text that a node needs: the macro calls that it comes out of, as a whole.
    pub(crate) fn span(&self, node: u32) -> Range<usize> {
        self.whole_calls(self.range(node))
    }

    fn whole_calls(&self, mut range: Range<usize>) -> Range<usize> {
        if let Some(call) = self.call_around(range.start) {
            range.start = call.start;
            range.end = range.end.max(call.end);
        }
        if let Some(call) = range.end.checked_sub(1).and_then(|last| self.call_around(last)) {
            range.end = range.end.max(call.end);
        }
        range
    }

    /// The macro call that a byte stands in.
    pub(crate) fn call_around(&self, at: usize) -> Option<Range<usize>> {
        let calls = &self.tree.expansions;
        let found = calls.partition_point(|(_, end)| *end as usize <= at);
        let (start, end) = calls.get(found).map(|(start, end)| (*start as usize, *end as usize))?;
        (start <= at).then_some(start..end)
    }

    pub(crate) fn is_in_call(&self, at: usize) -> bool {
        self.call_around(at).is_some()
    }

    /// A node's text.
    pub(crate) fn slice(&self, node: u32) -> &'a str {
        self.cut(self.span(node))
    }

    pub(crate) fn cut(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// The index of the first token that starts at or after a place.
    pub(crate) fn token_at(&self, at: usize) -> usize {
        self.tokens.partition_point(|token| (token.start as usize) < at)
    }

    /// The tokens within a part of the text.
    pub(crate) fn tokens_in(&self, range: Range<usize>) -> &[Token] {
        let first = self.token_at(range.start);
        let end = self.token_at(range.end).max(first);
        &self.tokens[first..end]
    }

    pub(crate) fn word(&self, token: usize) -> &'a str {
        self.tokens.get(token).map(|token| token.text(self.text)).unwrap_or_default()
    }

    /// The token that closes the bracket at `open`, both as indices.
    pub(crate) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Whether a word stands anywhere in the text.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        self.text.match_indices(word).any(|(at, _)| {
            let is_begun = self.text[..at].ends_with(is_part);
            let goes_on = self.text[at + word.len()..].starts_with(is_part);
            !is_begun && !goes_on
        })
    }

    /// A name that nothing in the text has.
    pub(crate) fn fresh(&self, wanted: &str) -> String {
        self.fresh_beside(wanted, &[])
    }

    /// A name that neither the text nor any of `others` has.
    pub(crate) fn fresh_beside(&self, wanted: &str, others: &[String]) -> String {
        let is_free = |name: &String| !self.has_word(name) && !others.contains(name);
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
    }

    /// Whether one of these words stands in the function.
    pub(crate) fn function_has(&self, words: &[&str]) -> bool {
        self.tokens_in(self.place()).iter().any(|token| words.contains(&token.text(self.text)))
    }

    /// What stands before a place on its line, if that is nothing but blanks.
    pub(crate) fn indentation(&self, at: usize) -> &'a str {
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        &line[..blanks]
    }

    /// How much further the body's lines stand than the function.
    pub(crate) fn indent_unit(&self) -> String {
        let outer = self.indentation(self.range(self.body).end - 1).len();
        let inner = self.tree.children(self.body).next().map(|child| self.indentation(self.span(child).start));
        match inner {
            Some(inner) if inner.len() > outer && inner.len() - outer <= 8 => inner[outer..].to_owned(),
            _ => "    ".to_owned(),
        }
    }

    /// Every node of the function, parents first.
    pub(crate) fn all(&self) -> Range<u32> {
        self.tree.subtree(self.body)
    }

    /// The nodes that something is a part of, nearest first.
    pub(crate) fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.node(node).parent, |node| self.node(*node).parent)
    }
}

/// Whether the function that begins here is left to the compiler: it may end, for a parser, before `= default`.
fn is_defaulted(text: &str) -> bool {
    let head = text.split([';', '{']).next().unwrap_or_default();
    let words: Vec<&str> = lex(head).into_iter().map(|token| token.text(head)).collect();
    words.ends_with(&["=", "default"])
}
