//! Lambdas as objects of a class: `lambda-to-object`.
//!
//! `auto add = [&sum, n](int x) { sum += x * n; };` becomes an object of a local class that has what the lambda captures as
//! members and its body as `operator()`.
//!
//! Left alone: lambdas with parameters of any type, that capture `this`, packs or with values of their own, that hold other
//! lambdas, or that take copies of more than numbers and addresses; and lambdas without captures that are handed on, since
//! they may become the address of a function.

use std::collections::BTreeSet;
use std::ops::Range;

use estrange_clang::{NodeKind, Shape, ThingKind};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

/// A lambda that a variable holds, cut into its parts.
struct Lambda {
    /// Between the square brackets, as tokens.
    captures: Range<usize>,
    parameters: String,
    /// What stands between its parameters and its body: where it returns what.
    result: String,
    is_mutable: bool,
    body: Range<usize>,
}

pub(super) fn to_object(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut names = Vec::new();
    let mut sites = Vec::new();
    let declarations =
        view.all().filter(|node| view.kind(*node) == NodeKind::Declaration && view.is_whole_statement(*node));
    for node in declarations {
        let name = view.fresh_beside("Call", &names);
        if let Some(site) = site(view, node, &name) {
            names.push(name);
            sites.push(site);
        }
    }
    choose(sites, draw)
}

fn site(view: &View<'_>, declaration: u32, name: &str) -> Option<Site> {
    let declarators = view.declarators(declaration).ok()?;
    let [declarator] = declarators.as_slice() else { return None };
    let words = view.specifiers(declaration, declarator);
    let variable = view.variable_node(declaration, declarator.thing)?;
    let node = view.tree.children(variable).last().map(|value| view.inner(value))?;
    let is_lambda = view.kind(node) == NodeKind::Lambda && view.node(node).is_written;
    let is_alone = view.range(node) == trimmed_value(view, declarator.value.clone()?);
    if !is_lambda || !is_alone || !matches!(words.as_slice(), ["auto"] | ["const", "auto"] | ["auto", "const"]) {
        return None;
    }
    let lambda = parts(view, node)?;
    let captured = captured(view, node, &lambda)?;
    let is_handed_on = view.all().any(|used| view.node(used).thing == Some(declarator.thing) && !is_called(view, used));
    if captured.is_empty() && is_handed_on {
        return None;
    }
    let mut members = String::new();
    let mut values = Vec::new();
    for (thing, is_reference) in &captured {
        let variable = view.tree.thing(*thing);
        let of = variable.type_.map(|of| view.tree.type_(of))?;
        let of = match of.shape {
            Shape::Reference { to, .. } => view.tree.type_(to),
            _ => of,
        };
        let is_known = !matches!(of.shape, Shape::Dependent | Shape::Other | Shape::Function { .. });
        let declared = match is_reference {
            true => {
                view.declaration_of(of, &format!("&{}", variable.name)).filter(|_| !of.spelling.contains(['(', '[']))
            }
            false => view.declaration_of(of, &variable.name).filter(|_| is_scalar(&of.shape)),
        };
        members += &format!("{}; ", declared.filter(|_| is_known && !variable.name.is_empty())?);
        values.push(variable.name.as_str());
    }
    let is_const = if lambda.is_mutable { "" } else { " const" };
    let Lambda { parameters, result, body, .. } = lambda;
    let range = view.statement(declaration);
    let gap = view.line_break(range.start);
    let kept = if words.contains(&"const") { "const " } else { "" };
    let text = format!(
        "struct {name} {{ {members}auto operator()({parameters}){is_const}{result} {} }};{gap}{kept}{name} {}{{{}}};",
        view.cut(body),
        view.tree.thing(declarator.thing).name,
        values.join(", ")
    );
    Some(Site::replace(range, text))
}

/// What stands behind the `=` of a first value.
fn trimmed_value(view: &View<'_>, value: Range<usize>) -> Range<usize> {
    let text = view.cut(value.start + 1..value.end);
    let start = value.start + 1 + text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

fn parts(view: &View<'_>, node: u32) -> Option<Lambda> {
    let range = view.range(node);
    let open = view.token_at(range.start);
    let close = view.closing(open).filter(|_| view.word(open) == "[")?;
    let mut at = close + 1;
    let mut parameters = String::new();
    if view.word(at) == "(" {
        let end = view.closing(at)?;
        let inside = view.tokens[at].end as usize..view.tokens[end].start as usize;
        // A parameter of any type makes a template, which a local class cannot have.
        if view.tokens_in(inside.clone()).iter().any(|token| matches!(token.text(view.text), "auto" | "...")) {
            return None;
        }
        parameters = view.cut(inside).to_owned();
        at = end + 1;
    }
    let is_mutable = view.word(at) == "mutable";
    at += usize::from(is_mutable);
    let from = at;
    let body = view.tree.children(node).last().filter(|body| view.kind(*body) == NodeKind::Block)?;
    let body = view.range(body);
    let end = view.token_at(body.start);
    let between = view.tokens.get(from..end)?;
    let is_result = between.is_empty() || view.word(from) == "->";
    let is_free = !between.iter().any(|token| matches!(token.text(view.text), "[" | "requires" | "decltype"));
    let result = match between.first() {
        Some(first) => format!(" {}", view.cut(first.start as usize..body.start).trim()),
        None => String::new(),
    };
    let is_written = view.tokens.get(open..end)?.iter().all(|token| !view.is_in_call(token.start as usize));
    (is_result && is_free && is_written && body.end == range.end).then_some(Lambda {
        captures: open + 1..close,
        parameters,
        result,
        is_mutable,
        body,
    })
}

/// The variables that a lambda captures, in the order of the text, and whether by reference.
fn captured(view: &View<'_>, node: u32, lambda: &Lambda) -> Option<Vec<(u32, bool)>> {
    let body = view.tree.children(node).last()?;
    let is_open = |below: u32| {
        view.is_of_own_object(below)
            || matches!(view.kind(below), NodeKind::This | NodeKind::Lambda | NodeKind::Assembly | NodeKind::Other)
    };
    if view.tree.subtree(body).any(is_open) {
        return None;
    }
    let own: BTreeSet<u32> = view
        .tree
        .subtree(node)
        .filter(|below| view.kind(*below) == NodeKind::Variable)
        .filter_map(|below| view.node(below).thing)
        .collect();
    let mut used: Vec<u32> = Vec::new();
    for below in view.tree.subtree(body).filter(|below| view.kind(*below) == NodeKind::Name) {
        let Some(thing) = view.node(below).thing.filter(|thing| !own.contains(thing)) else { continue };
        let variable = view.tree.thing(thing);
        match variable.kind {
            ThingKind::Local | ThingKind::Parameter if variable.is_static => {}
            ThingKind::Local | ThingKind::Parameter if !used.contains(&thing) => used.push(thing),
            // What a variable is bound by pieces to.
            ThingKind::Other => return None,
            _ => {}
        }
    }
    let mut by_default = None;
    let mut said: Vec<(&str, bool)> = Vec::new();
    let words: Vec<&str> = lambda.captures.clone().map(|at| view.word(at)).collect();
    for capture in words.split(|word| *word == ",") {
        match capture {
            [] => {}
            ["="] => by_default = Some(false),
            ["&"] => by_default = Some(true),
            ["&", name] => said.push((name, true)),
            ["this"] => return None,
            [name] => said.push((name, false)),
            _ => return None,
        }
    }
    let named = |name: &str| used.iter().copied().find(|thing| view.tree.thing(*thing).name == name);
    let mut all = Vec::new();
    for (name, is_reference) in &said {
        // What is captured and not used does nothing, unless it is copied.
        match named(name) {
            Some(thing) => all.push((thing, *is_reference)),
            None if *is_reference => {}
            None => return None,
        }
    }
    for thing in &used {
        let is_said = all.iter().any(|(said, _)| said == thing);
        match by_default {
            Some(is_reference) if !is_said => all.push((*thing, is_reference)),
            None if !is_said => return None,
            _ => {}
        }
    }
    Some(all)
}

/// Whether a variable is named to be called, or where it is declared.
fn is_called(view: &View<'_>, node: u32) -> bool {
    if view.kind(node) == NodeKind::Variable {
        return true;
    }
    let around = view.ancestors(node).find(|around| view.kind(*around) != NodeKind::Implicit);
    around.is_some_and(|around| {
        let called = view.tree.children(around).next().map(|first| view.inner(first));
        view.kind(around) == NodeKind::Call && called == Some(node)
    })
}
