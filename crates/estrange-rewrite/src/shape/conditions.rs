//! Conditions with a name of their own: `name-condition`.
//!
//! `if (a < b) s` becomes `{ int holds = a < b; if (holds) s }`. The condition is evaluated once and at the same moment as
//! before, and what it decides is told in two steps.
//!
//! Left alone: `if constexpr`, conditions of a class, those that make something which lives on, and what something jumps into.

use estrange_clang::{Binary, NodeKind, Unary};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::statement::Control;
use crate::shape::view::View;

pub(super) fn name(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let name = view.fresh(["holds", "is_so", "test"][draw.below(3)]);
    let branches = view.all().filter(|node| view.kind(*node) == NodeKind::If && view.is_whole_statement(*node));
    choose(branches.filter_map(|node| site(view, node, &name)).collect(), draw)
}

fn site(view: &View<'_>, node: u32, name: &str) -> Option<Site> {
    let Some(Control::If { condition, condition_node, .. }) = view.control(node) else { return None };
    let is_constant = view.word(view.token_at(view.node(node).start as usize) + 1) == "constexpr";
    let jumps = view.jumps(&[node]);
    let is_entered = jumps.cases || !jumps.labels.is_empty();
    if is_constant || is_entered || !view.is_scalar_value(condition_node) || view.lends_literals(condition_node) {
        return None;
    }
    let range = view.statement(node);
    let is_truth = match view.kind(view.inner(condition_node)) {
        NodeKind::Binary(operator) => matches!(
            operator,
            Binary::Less
                | Binary::Greater
                | Binary::LessOrEqual
                | Binary::GreaterOrEqual
                | Binary::Equal
                | Binary::NotEqual
                | Binary::And
                | Binary::Or
        ),
        kind => kind == NodeKind::Unary(Unary::Not),
    };
    let value = match is_truth {
        true => view.slice(condition_node).to_owned(),
        false => format!("{} != 0", view.operand(condition_node)),
    };
    let gap = view.line_break(range.start);
    let edits = vec![
        (range.start..range.start, format!("{{ int {name} = {value};{gap}")),
        (condition.clone(), name.to_owned()),
        (range.end..range.end, " }".to_owned()),
    ];
    // Another `if` in one of the branches can have a name, too.
    Some(Site::edits(range.start..condition.end, edits))
}
