//! Declarations apart and together: `split-declarations`, `merge-declarations`.
//!
//! `int a = 1, b;` becomes two declarations, and two that follow each other and have the same type become one.

use estrange_clang::{NodeKind, Shape};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

/// The declarations that stand in blocks.
fn declarations(view: &View<'_>) -> Vec<u32> {
    let is_in_block = |node: &u32| {
        let parent = view.node(*node).parent;
        view.kind(*node) == NodeKind::Declaration && parent.is_some_and(|parent| view.kind(parent) == NodeKind::Block)
    };
    view.all().filter(is_in_block).collect()
}

/// Whether a declaration has words that would have to be said again of each variable.
fn is_special(words: &[&str]) -> bool {
    words.iter().any(|word| {
        matches!(
            *word,
            "static"
                | "extern"
                | "register"
                | "__attribute__"
                | "auto"
                | "__auto_type"
                | "_Alignas"
                | "alignas"
                | "{"
                | "thread_local"
                | "_Thread_local"
                | "__thread"
                | "constexpr"
                | "decltype"
                | "typeof"
                | "__typeof__"
        )
    })
}

pub(super) fn split(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = declarations(view).into_iter().filter_map(|declaration| {
        let declarators = view.declarators(declaration).ok().filter(|all| all.len() > 1)?;
        if is_special(&view.specifiers(declaration, &declarators[0])) {
            return None;
        }
        let mut lines = Vec::new();
        for declarator in &declarators {
            let thing = view.tree.thing(declarator.thing);
            let of = view.tree.type_(thing.type_?);
            let is_plain =
                is_scalar(&of.shape) || matches!(of.shape, Shape::Array { length: Some(_), .. } | Shape::Record(_));
            let declared = view.declaration_of(of, &thing.name).filter(|_| is_plain)?;
            lines.push(match declarator.value_text(view) {
                Some(value) => format!("{declared} = {value};"),
                None => format!("{declared};"),
            });
        }
        let range = view.statement(declaration);
        let gap = view.line_break(range.start);
        Some(Site::replace(range, lines.join(&gap)))
    });
    choose(sites.collect(), draw)
}

pub(super) fn merge(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let all = declarations(view);
    let sites = all.iter().filter_map(|first| {
        let block = view.node(*first).parent?;
        let siblings = view.children(block);
        let second = *siblings.get(siblings.iter().position(|sibling| sibling == first)? + 1)?;
        if view.kind(second) != NodeKind::Declaration {
            return None;
        }
        let ([one], [other]) = (&view.declarators(*first).ok()?[..], &view.declarators(second).ok()?[..]) else {
            return None;
        };
        let (words, same) = (view.specifiers(*first, one), view.specifiers(second, other));
        let is_simple =
            |thing: u32| view.tree.thing(thing).type_.is_some_and(|of| is_scalar(&view.tree.type_(of).shape));
        // A `*` belongs to one variable only.
        let has_star = words.iter().any(|word| matches!(*word, "*" | "(" | "&"));
        if words != same || has_star || is_special(&words) || !is_simple(one.thing) || !is_simple(other.thing) {
            return None;
        }
        let end = view.statement(*first).end - 1;
        let rest = view.cut(other.name.start..view.statement(second).end);
        let range = view.span(*first).start..view.statement(second).end;
        Some(Site::edits(range.clone(), vec![(end..range.end, format!(", {rest}"))]))
    });
    choose(sites.collect(), draw)
}
