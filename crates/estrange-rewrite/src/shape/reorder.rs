//! Statements in another order: `reorder`.
//!
//! Two statements that follow each other change places if neither reads what the other writes, neither may end the function
//! or the program while the other is not done, and at most one of them can fail. Declarations without a value change
//! places, too.

use std::collections::HashSet;

use estrange_clang::NodeKind;

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::Effects;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let shared = view.shared();
    let mut sites = Vec::new();
    for block in view.all().filter(|node| view.kind(*node) == NodeKind::Block && view.node(*node).is_written) {
        let children = view.children(block);
        for pair in children.windows(2) {
            let [first, second] = *pair else { continue };
            let apart = match (effects(view, first, &shared), effects(view, second, &shared)) {
                (Some(one), Some(other)) => {
                    let both_fail = (one.may_fail || one.calls) && (other.may_fail || other.calls);
                    one.commutes_with(&other) && !both_fail
                }
                _ => false,
            };
            let (one, other) = (view.statement(first), view.statement(second));
            if apart && view.cut(one.clone()) != view.cut(other.clone()) {
                let edits = vec![
                    (one.clone(), view.cut(other.clone()).to_owned()),
                    (other.clone(), view.cut(one.clone()).to_owned()),
                ];
                sites.push(Site::edits(one.start..other.end, edits));
            }
        }
    }
    choose(sites, draw)
}

/// What a statement does, if it is one that can change its place.
fn effects(view: &View<'_>, node: u32, shared: &HashSet<u32>) -> Option<Effects> {
    if view.kind(node) == NodeKind::Declaration {
        let declarators = view.declarators(node).ok()?;
        let mut effects = Effects::default();
        for declarator in &declarators {
            // What the type of one names must not be declared after it.
            let thing = view.tree.thing(declarator.thing);
            let of = view.tree.type_(thing.type_?);
            if declarator.value.is_some() || thing.is_static || !view.is_assignable(of) {
                return None;
            }
            effects.writes.insert(declarator.thing);
        }
        return Some(effects);
    }
    let is_plain = !view.is_statement(node) && view.node(node).is_written && view.is_whole_statement(node);
    is_plain.then(|| view.effects(node, shared))
}
