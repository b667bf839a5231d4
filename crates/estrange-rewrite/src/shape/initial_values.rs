//! First values in braces and behind `=`: `equals-to-braces`, `braces-to-equals`.
//!
//! `int n = e;` becomes `int n{e};` where the value is an `int` before any conversion, so that nothing is narrowed, and
//! `int n{e};` and `int n(e);` become `int n = e;`. What a constructor begins numbers and addresses with changes its brackets
//! likewise: `Point(int x) : x_(x)` and `: x_{x}`.
//!
//! Left alone: objects, whose constructors may be chosen otherwise, and `auto`, which means a list in braces.

use estrange_clang::{FunctionKind, NodeKind, Shape, Type};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

pub(super) fn to_braces(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let variables = variables(view).into_iter().filter_map(|(node, at)| {
        let value = view.tree.children(node).last()?;
        let span = view.span(value);
        let is_equals = view.word(at) == "=" && view.tokens.get(at + 1)?.start as usize == span.start;
        (is_equals && is_same(view, node, value))
            .then(|| Site::replace(view.tokens[at].start as usize..span.end, format!("{{{}}}", view.cut(span.clone()))))
    });
    let members = initializers(view, "(").into_iter().map(|(open, close)| brackets(view, open, close, "{", "}"));
    choose(variables.chain(members).collect(), draw)
}

pub(super) fn from_braces(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let variables = variables(view).into_iter().filter_map(|(node, at)| {
        let close = view.closing(at).filter(|_| matches!(view.word(at), "{" | "("))?;
        let value = view.tree.children(node).last()?;
        let value = if view.kind(value) == NodeKind::List { view.only_child(value)? } else { value };
        let (open, close) = (view.tokens.get(at)?, view.tokens.get(close)?);
        let inside = open.end as usize..close.start as usize;
        let text = view.cut(inside.clone()).trim();
        let is_all = view.cut(view.span(value)) == text && view.span(value).start >= inside.start;
        (is_all && is_same(view, node, value))
            .then(|| Site::replace(open.start as usize..close.end as usize, format!(" = {text}")))
    });
    let members = initializers(view, "{").into_iter().map(|(open, close)| brackets(view, open, close, "(", ")"));
    choose(variables.chain(members).collect(), draw)
}

fn brackets(view: &View<'_>, open: usize, close: usize, left: &str, right: &str) -> Site {
    let (open, close) = (view.tokens[open].range(), view.tokens[close].range());
    Site::edits(open.start..close.end, vec![(open, left.to_owned()), (close, right.to_owned())])
}

/// The variables that are declared alone, each with the token behind its name.
fn variables(view: &View<'_>) -> Vec<(u32, usize)> {
    let is_cpp = view.language.is_cpp();
    let all = view.all().filter(|node| is_cpp && view.kind(*node) == NodeKind::Variable && view.node(*node).is_written);
    all.filter_map(|node| {
        let thing = view.tree.thing(view.node(node).thing?);
        let declaration = view.node(node).parent.filter(|parent| view.kind(*parent) == NodeKind::Declaration)?;
        let range = view.range(declaration);
        let at = thing.at.map(|at| at as usize).filter(|at| range.contains(at) && !view.is_in_call(*at))?;
        let name = view.token_at(at);
        let is_deduced = view.tokens_in(range.start..at).iter().any(|token| {
            matches!(token.text(view.text), "auto" | "decltype" | "typeof" | "__typeof__" | "extern" | ",")
        });
        let is_free = view.word(name) == thing.name && view.only_child(declaration) == Some(node) && !is_deduced;
        // What is declared in a condition is behind `=` or in braces as well, but there a parenthesis would be a call.
        let is_statement = view
            .node(declaration)
            .parent
            .is_some_and(|around| matches!(view.kind(around), NodeKind::Block | NodeKind::For));
        (is_free && is_statement && !view.is_in_call(view.tokens.get(name + 1)?.start as usize))
            .then_some((node, name + 1))
    })
    .collect()
}

/// Whether a variable is a number or an address, and a value has its type before any conversion.
fn is_same(view: &View<'_>, variable: u32, value: u32) -> bool {
    view.type_of(variable).is_some_and(|of| fits(view, of, value))
}

/// Whether a value has a type before any conversion, or is a small number or no address, which all such types hold.
fn fits(view: &View<'_>, of: &Type, value: u32) -> bool {
    let Some(own) = view.type_of(view.inner(value)) else { return false };
    let is_small = view.kind(view.inner(value)) == NodeKind::Integer
        && view.node(view.inner(value)).value.is_some_and(|value| (0..=127).contains(&value));
    let is_none = view.kind(view.inner(value)) == NodeKind::Null && matches!(of.shape, Shape::Pointer { .. });
    if is_none || is_small && matches!(of.shape, Shape::Integer { .. }) {
        return !of.is_volatile;
    }
    let bare = |name: &str| name.trim_end_matches("const").trim_end().to_owned();
    let plain = |of: &Type| match of.canonical.contains('*') {
        true => bare(&of.canonical),
        false => of.canonical.trim_start_matches("const ").to_owned(),
    };
    // What an operator of a class makes of an object is not written.
    let is_made = view.tree.children(view.inner(value)).any(|child| view.range(child) == view.range(view.inner(value)));
    let is_expression =
        !is_made && !matches!(view.kind(view.inner(value)), NodeKind::List | NodeKind::Other | NodeKind::TypeName);
    is_scalar(&of.shape) && !of.is_volatile && plain(of) == plain(own) && is_expression
}

/// The brackets of what a constructor begins its members with, as tokens: of numbers and addresses, from a value of
/// their own type.
fn initializers(view: &View<'_>, bracket: &str) -> Vec<(usize, usize)> {
    let Some(record) = view.function.of.filter(|_| view.function.kind == FunctionKind::Constructor) else {
        return Vec::new();
    };
    let record = &view.tree.records[record as usize];
    let nodes = view.function.initializers.iter().filter_map(|node| {
        let value = match view.kind(*node) {
            NodeKind::List => view.only_child(*node)?,
            _ => *node,
        };
        let span = view.span(value);
        let before = view.token_at(span.start).checked_sub(1)?;
        let close = view.closing(before).filter(|_| view.word(before) == bracket)?;
        let is_all = view.token_at(span.end) == close;
        let name = view.word(before.checked_sub(1)?);
        let field = record.fields.iter().find(|field| field.name == name && !name.is_empty())?;
        let of = view.tree.type_(field.type_);
        let is_same = field.bits.is_none() && fits(view, of, value);
        let is_written = [before - 1, before, close].iter().all(|at| !view.is_in_call(view.tokens[*at].start as usize));
        (is_all && is_same && is_written && !view.function.is_template).then_some((before, close))
    });
    nodes.collect()
}
