//! Control flow as one loop over a `switch`: `flatten`.
//!
//! The statements become blocks, a variable says which block is next, and the blocks stand in any order:
//!
//! ```c
//! unsigned state = 3;
//! while (state != 0)
//!     switch (state) {
//!     case 1: s += i; i++; state = 2; break;
//!     case 3: s = 0; i = 0; state = 2; break;
//!     case 2: state = i < n ? 1 : 0; break;
//!     }
//! ```
//!
//! Variables are declared at the top, where their first values become assignments; two that have the same name become
//! one if they are never there at the same time and have the same type, or else one gets another name. What cannot be
//! declared at the top (arrays whose length is known only when the program runs, constants made of others, objects with
//! constructors) stays where it is with all before it, and the rest is flattened; within a statement that nothing jumps
//! into or out of, the statement stays whole.
//!
//! Refused: `setjmp`, jumps to addresses, assembly that jumps, coroutines, attributes that act at the end of a scope, literals
//! whose address may be kept until then.

mod graph;
mod hoist;
mod write;

use estrange_clang::NodeKind;

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::view::View;
use graph::Graph;
use hoist::Hoist;
use write::Written;

/// How long a statement may be that is left whole: a short branch costs more as blocks of its own than it hides.
const WHOLE: usize = 60;

/// What a loop over a `switch` does not keep.
const UNKEPT: &[&str] = &[
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "__builtin_setjmp",
    "vfork",
    "cleanup",
    "__cleanup__",
    "co_await",
    "co_yield",
    "co_return",
    "__try",
    "__COUNTER__",
];

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    if let Some(word) = UNKEPT.iter().find(|word| view.function_has(&[word])) {
        return Err(Refusal::Uses((*word).to_owned()));
    }
    let is_wild = |node: u32| matches!(view.kind(node), NodeKind::ComputedGoto | NodeKind::LabelAddress);
    if view.all().any(is_wild) || view.jumps(&[view.body]).is_wild {
        return Err(Refusal::Jump("to an address".to_owned()));
    }
    if !view.language.is_cpp() && view.lends_literals(view.body) {
        return Err(Refusal::Uses("a literal that has an address".to_owned()));
    }
    let statements = view.children(view.body);
    let kept = kept(view, &statements)?;
    let (first, rest) = statements.split_at(kept);
    // What does nothing is a loop that ends at once.
    if rest.is_empty() && !first.is_empty() {
        return Err(Refusal::NoPlace);
    }
    let graph = Graph::new(view, Hoist::new(view, first), rest, WHOLE)?;
    let kept_until = first.last().map_or(view.range(view.body).start + 1, |last| view.statement(*last).end);
    let Written { text, dispatch } = write::write(view, graph, draw);
    let mut edits = Edits::default();
    edits.replace(kept_until..view.range(view.body).end - 1, text);
    dispatch.into_iter().for_each(|part| edits.known(part));
    Ok(edits)
}

/// How many of the first statements stay as they are.
fn kept(view: &View<'_>, statements: &[u32]) -> Result<usize, Refusal> {
    let is_declaration = |node: u32| view.kind(node) == NodeKind::Declaration;
    let mut kept = 0;
    let mut reason = None;
    for (at, statement) in statements.iter().enumerate().filter(|(_, statement)| is_declaration(**statement)) {
        if let Err(refusal) = Hoist::new(view, &[]).declaration(view, *statement) {
            kept = at + 1;
            reason = Some(refusal);
        }
    }
    if !view.is_closed(&statements[..kept]) {
        return Err(reason.unwrap_or(Refusal::NoPlace));
    }
    // Of one macro call, all or nothing.
    while kept > 0 && kept < statements.len() {
        let end = view.statement(statements[kept - 1]).end;
        if view.statement(statements[kept]).start >= end {
            break;
        }
        kept += 1;
    }
    // Variables without a value are at the top already.
    let is_bare = |node: u32| {
        let bare = view.declarators(node).is_ok_and(|all| all.iter().all(|each| each.value.is_none()));
        is_declaration(node) && bare
    };
    while statements.get(kept).is_some_and(|statement| is_bare(*statement)) {
        kept += 1;
    }
    match reason {
        Some(reason) if kept == statements.len() => Err(reason),
        _ => Ok(kept),
    }
}
