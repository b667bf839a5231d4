//! Loops over a range, with iterators and with an index: `range-to-iterator`, `range-to-index`, `index-to-range`.
//!
//! `for (T x : list) s` becomes what the language says it means: a loop from `list.begin()` to `list.end()`, both asked for
//! once. Over an array it becomes a loop with an index, and a loop whose index only picks the elements of one array, all of
//! them, becomes one over the array.
//!
//! Left alone: ranges of types that depend on a template, or whose begin is looked for elsewhere than in their class, and
//! loops that declare something else first.

use std::ops::Range;

use estrange_clang::{Binary, NodeKind, Shape, Unary};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::statement::Control;
use crate::shape::view::View;

/// What of the standard library has its begin and end in its class.
const CONTAINERS: &[&str] = &[
    "vector",
    "basic_string",
    "basic_string_view",
    "map",
    "multimap",
    "unordered_map",
    "unordered_multimap",
    "set",
    "multiset",
    "unordered_set",
    "unordered_multiset",
    "list",
    "forward_list",
    "deque",
    "array",
    "initializer_list",
    "span",
];

/// A loop over a range, in parts.
struct Over {
    declared: Range<usize>,
    range: Range<usize>,
    range_node: u32,
    body: u32,
}

pub(super) fn to_iterator(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut names = Vec::new();
    let mut sites = Vec::new();
    for node in loops(view, NodeKind::RangeFor) {
        let Some(over) = over(view, node) else { continue };
        let Some((begin, end)) = ends(view, over.range_node) else { continue };
        let [range, at, last] = ["range", "at", "last"].map(|name| {
            let name = view.fresh_beside(name, &names);
            names.push(name.clone());
            name
        });
        let (begin, end) = (begin.replace('@', &range), end.replace('@', &range));
        let (gap, unit) = (view.line_break(view.span(node).start), view.indent_unit());
        let head = format!(
            "auto &&{range} = {};{gap}{unit}auto {at} = {begin};{gap}{unit}auto {last} = {end};",
            view.cut(over.range)
        );
        let declared = view.cut(over.declared);
        let text = format!(
            "{{{gap}{unit}{head}{gap}{unit}for (; {at} != {last}; ++{at}) {{{gap}{unit}{unit}{declared} = *{at};{gap}{unit}{unit}{}{gap}{unit}}}{gap}}}",
            view.block_text(over.body)
        );
        sites.push(Site::replace(view.statement(node), text));
    }
    choose(sites, draw)
}

pub(super) fn to_index(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut names = Vec::new();
    let mut sites = Vec::new();
    for node in loops(view, NodeKind::RangeFor) {
        let Some(over) = over(view, node) else { continue };
        let length = array_length(view, over.range_node);
        let is_name = view.kind(view.inner(over.range_node)) == NodeKind::Name && view.node(over.range_node).is_written;
        let Some(length) = length.filter(|_| is_name) else { continue };
        let at = view.fresh_beside("index", &names);
        names.push(at.clone());
        let (gap, unit) = (view.line_break(view.span(node).start), view.indent_unit());
        let (declared, list) = (view.cut(over.declared), view.cut(over.range));
        let text = format!(
            "for (unsigned long {at} = 0; {at} < {length}; {at}++) {{{gap}{unit}{declared} = {list}[{at}];{gap}{unit}{}{gap}}}",
            view.block_text(over.body)
        );
        sites.push(Site::replace(view.statement(node), text));
    }
    choose(sites, draw)
}

pub(super) fn from_index(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut names = Vec::new();
    let mut sites = Vec::new();
    if !view.language.is_cpp() {
        return Err(Refusal::NoPlace);
    }
    let shared = view.shared();
    for node in loops(view, NodeKind::For) {
        let name = view.fresh_beside("each", &names);
        let Some((counter, list, length, body)) = counted(view, node).filter(|(counter, ..)| !shared.contains(counter))
        else {
            continue;
        };
        let Some(places) = elements(view, body, counter, list).filter(|places| !places.is_empty()) else { continue };
        let of = view.tree.thing(list).type_.map(|of| &view.tree.type_(of).shape);
        if !matches!(of, Some(Shape::Array { length: Some(all), .. }) if *all == length) {
            continue;
        }
        names.push(name.clone());
        let head = view.node(node).start as usize..view.span(body).start;
        let list = &view.tree.thing(list).name;
        let mut edits = vec![(head, format!("for (auto &{name} : {list}) "))];
        edits.extend(places.into_iter().map(|place| (place, name.clone())));
        sites.push(Site::edits(view.statement(node), edits));
    }
    choose(sites, draw)
}

/// The loops of a kind that can be given another text.
fn loops<'v>(view: &'v View<'_>, kind: NodeKind) -> impl Iterator<Item = u32> + 'v {
    view.all().filter(move |node| view.kind(*node) == kind && view.is_whole_statement(*node))
}

/// The parts of a loop over a range, if no macro stands between them.
fn over(view: &View<'_>, node: u32) -> Option<Over> {
    let head = view.token_at(view.node(node).start as usize);
    let close = view.closing(head + 1).filter(|_| view.word(head) == "for" && view.word(head + 1) == "(")?;
    let mut colon = None;
    let mut at = head + 2;
    while at < close {
        match view.word(at) {
            "(" | "[" | "{" => at = view.closing(at)?,
            ";" => return None,
            ":" if colon.is_none() => colon = Some(at),
            _ => {}
        }
        at += 1;
    }
    let colon = colon?;
    let is_free = |at: usize| view.tokens.get(at).is_some_and(|token| !view.is_in_call(token.start as usize));
    if ![head, head + 1, colon, close].into_iter().all(is_free) {
        return None;
    }
    let range = view.tokens[colon].end as usize..view.tokens[close].start as usize;
    let children = view.children(node);
    let body = *children.last()?;
    let first = view.tokens.get(colon + 1)?.start as usize;
    let is_range = |child: &u32| *child != body && view.span(*child) == (first..view.tokens[close - 1].end as usize);
    let range_node = children.iter().copied().find(is_range)?;
    let is_behind = view.token_at(view.span(body).start) == close + 1;
    let declared = view.tokens[head + 1].end as usize..view.tokens[colon].start as usize;
    let (declared, range) = (trimmed(view, declared), trimmed(view, range));
    (is_behind && view.kind(view.inner(range_node)) != NodeKind::List).then_some(Over {
        declared,
        range,
        range_node,
        body,
    })
}

fn trimmed(view: &View<'_>, range: Range<usize>) -> Range<usize> {
    let text = view.cut(range.clone());
    let start = range.start + text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// How a range begins and ends; `@` stands for it.
fn ends(view: &View<'_>, range: u32) -> Option<(String, String)> {
    let inner = view.inner(range);
    match view.type_of(inner)?.shape {
        Shape::Array { length: Some(length), .. } => Some(("@ + 0".to_owned(), format!("@ + {length}"))),
        Shape::Record(record) => {
            let record = &view.tree.records[record as usize];
            let of_library =
                record.qualified_name.strip_prefix("std::").map(|name| name.rsplit("::").next().unwrap_or(name));
            let is_known = of_library.is_some_and(|name| CONTAINERS.contains(&name));
            let is_ours = record.is_ours && record.bases.is_empty() && declares_both(view, record.start?);
            (is_known || is_ours).then(|| ("@.begin()".to_owned(), "@.end()".to_owned()))
        }
        _ => None,
    }
}

/// Whether the class that begins at a place says where a range begins and ends.
fn declares_both(view: &View<'_>, start: u32) -> bool {
    let tokens = estrange_text::lexer::lex(view.text.get(start as usize..).unwrap_or_default());
    let text = &view.text[start as usize..];
    let (mut depth, mut found) = (0_usize, [false; 2]);
    for pair in tokens.windows(2) {
        match (pair[0].text(text), pair[1].text(text)) {
            ("{", _) => depth += 1,
            ("}", _) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            (";", _) if depth == 0 => break,
            ("begin", "(") if depth == 1 => found[0] = true,
            ("end", "(") if depth == 1 => found[1] = true,
            _ => {}
        }
    }
    found == [true, true]
}

fn array_length(view: &View<'_>, range: u32) -> Option<u64> {
    match view.type_of(view.inner(range))?.shape {
        Shape::Array { length, .. } => length,
        _ => None,
    }
}

/// Of a loop that counts from 0 up to a number: its counter, the array that it counts, the number and the body.
fn counted(view: &View<'_>, node: u32) -> Option<(u32, u32, u64, u32)> {
    let Control::For { first: Some(first), condition: Some(condition), step: Some(step), body } = view.control(node)?
    else {
        return None;
    };
    let declarators = view.declarators(first).ok().filter(|_| view.kind(first) == NodeKind::Declaration)?;
    let [declarator] = declarators.as_slice() else { return None };
    let counter = declarator.thing;
    let starts = declarator.value_text(view) == Some("0");
    let is_below = matches!(view.kind(condition), NodeKind::Binary(Binary::Less | Binary::NotEqual));
    let [left, right] = *view.children(condition).as_slice() else { return None };
    let length = u64::try_from(number(view, right)?).ok()?;
    let is_step = match view.kind(step) {
        NodeKind::Unary(Unary::PreIncrement | Unary::PostIncrement) => {
            view.tree.children(step).next().and_then(|place| view.variable(place)) == Some(counter)
        }
        _ => false,
    };
    let is_integer = view
        .tree
        .thing(counter)
        .type_
        .is_some_and(|of| matches!(view.tree.type_(of).shape, Shape::Integer { bits: 32.., .. }));
    let list = view.tree.subtree(body).find_map(|node| {
        let base = view.tree.children(node).next().filter(|_| view.kind(node) == NodeKind::Subscript)?;
        let index = view.children(node).get(1).copied()?;
        (view.variable(index) == Some(counter)).then(|| view.node(view.inner(base)).thing)?
    })?;
    (starts && is_below && is_step && is_integer && view.variable(left) == Some(counter))
        .then_some((counter, list, length, body))
}

/// The value of a number, or of one size divided by another.
fn number(view: &View<'_>, node: u32) -> Option<i64> {
    let inner = view.inner(node);
    match (view.kind(inner), view.children(inner).as_slice()) {
        (NodeKind::Binary(Binary::Divide), [all, one]) => number(view, *all)?.checked_div(number(view, *one)?),
        (NodeKind::Integer | NodeKind::Size, _) => view.node(inner).value,
        _ => None,
    }
}

/// The places that name an array's element with the number of a counter, if nothing else names the counter.
fn elements(view: &View<'_>, body: u32, counter: u32, list: u32) -> Option<Vec<Range<usize>>> {
    let mut places = Vec::new();
    let named = |node: &u32| view.kind(*node) == NodeKind::Name && view.node(*node).thing == Some(counter);
    for node in view.tree.subtree(body).filter(named) {
        let element = view.ancestors(node).find(|around| view.kind(*around) != NodeKind::Implicit)?;
        let [base, index] = *view.children(element).as_slice() else { return None };
        let is_element = view.kind(element) == NodeKind::Subscript && view.bare(index) == node;
        let base = view.inner(base);
        let is_list = view.kind(base) == NodeKind::Name && view.node(base).thing == Some(list);
        let is_in_lambda = view.ancestors(node).any(|around| view.kind(around) == NodeKind::Lambda);
        let range = view.range(element);
        if !is_element || !is_list || is_in_lambda || !view.node(element).is_written || view.is_in_call(range.start) {
            return None;
        }
        places.push(range);
    }
    Some(places)
}
