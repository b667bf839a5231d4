//! A flag instead of `break`: `exit-flag`.
//!
//! A `while` that something breaks off gets a variable that says so, and a `break` sets it and continues: the condition
//! looks at the variable first, and is not evaluated when it is set, as before.

use std::ops::Range;

use estrange_clang::NodeKind;

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::statement::Control;
use crate::shape::view::View;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut names = Vec::new();
    let mut sites = Vec::new();
    for node in view.all().filter(|node| matches!(view.kind(*node), NodeKind::While | NodeKind::For)) {
        let name = view.fresh_beside("done", &names);
        if let Some(site) = site(view, node, &name) {
            names.push(name);
            sites.push(site);
        }
    }
    choose(sites, draw)
}

fn site(view: &View<'_>, node: u32, name: &str) -> Option<Site> {
    let (condition, head, body): (Option<Range<usize>>, usize, u32) = match view.control(node)? {
        Control::While { condition, body, .. } => (Some(condition.clone()), condition.start, body),
        // A step would be taken once more.
        Control::For { first: None, condition: Some(condition), step: None, body } => {
            (Some(view.span(condition)), view.span(condition).start, body)
        }
        _ => return None,
    };
    let condition = condition?;
    let is_in_block = view.node(node).parent.is_some_and(|parent| {
        let around = view.node(parent).parent.map(|around| view.kind(around));
        view.kind(parent) == NodeKind::Block && around != Some(NodeKind::Switch)
    });
    // A jump into the loop would pass the flag by, and in C++ none may.
    let jumps = view.jumps(&[node]);
    if view.language.is_cpp() && view.all().any(|node| view.kind(node) == NodeKind::Label) {
        return None;
    }
    let is_in_block = is_in_block && jumps.labels.is_empty() && !jumps.cases;
    let breaks: Vec<u32> = view.tree.subtree(body).filter(|inner| is_break_of(view, *inner, node)).collect();
    let are_written = breaks.iter().all(|each| view.node(*each).is_written && view.is_whole_statement(*each));
    if breaks.is_empty() || !is_in_block || !are_written || !view.is_whole_statement(node) {
        return None;
    }
    let start = view.span(node).start;
    let mut edits = vec![
        (start..start, format!("int {name} = 0;{}", view.line_break(start))),
        (head..head, format!("!{name} && (")),
        (condition.end..condition.end, ")".to_owned()),
    ];
    for each in breaks {
        edits.push((view.statement(each), format!("{{ {name} = 1; continue; }}")));
    }
    Some(Site::edits(view.statement(node), edits))
}

/// Whether a node is a `break` that ends this loop.
fn is_break_of(view: &View<'_>, node: u32, of: u32) -> bool {
    let ends = |node: &u32| {
        matches!(
            view.kind(*node),
            NodeKind::While
                | NodeKind::For
                | NodeKind::RangeFor
                | NodeKind::DoWhile
                | NodeKind::Switch
                | NodeKind::Lambda
        )
    };
    view.kind(node) == NodeKind::Break && view.ancestors(node).find(ends) == Some(of)
}
