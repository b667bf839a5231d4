//! Conditions that always hold: `opaque`, and `opaque-sparse`.
//!
//! Statements are guarded by a condition that is true whatever the values are, and that no operation in it can fail: it
//! is made of unsigned numbers, which wrap around. Where the function is a loop over a `switch` on an unsigned variable, as
//! `flatten` makes one, `opaque` guards each of its cases, by that variable and by parameters that are whole numbers: what the
//! case does stands behind a condition that holds, or the case is left by one that never does. `opaque-sparse` guards about one
//! case of three. Elsewhere some statements are guarded, by a variable that starts with a parameter's value.

mod predicates;

use estrange_clang::{NodeKind, Shape, ThingKind};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::statement::Control;
use crate::shape::view::View;
use predicates::{Predicate, predicate};

/// How many cases of a hundred `opaque-sparse` guards: each guard makes the text longer.
const SPARSE: usize = 35;

/// How many of a hundred cases that can be are guarded by a condition that holds; the others by one that never does.
const HOLDS: usize = 70;

pub(super) fn rewrite(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    guarded(view, 100, draw)
}

pub(super) fn sparse(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    guarded(view, SPARSE, draw)
}

fn guarded(view: &View<'_>, share: usize, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut edits = Edits::default();
    for (switch, variable) in dispatches(view) {
        let numbers: Vec<String> = [variable].into_iter().chain(parameters(view)).collect();
        for case in draw.some(cases(view, switch)?, share) {
            let predicate = predicate(&numbers, draw).ok_or(Refusal::NoPlace)?;
            match case.can_stand_behind && draw.percent(HOLDS) {
                true => case.behind(predicate, &mut edits),
                false => case.left_by(predicate, &mut edits),
            }
        }
    }
    if !edits.is_empty() {
        return Ok(edits);
    }
    let is_plain = |node: &u32| {
        let is_in_block = view.node(*node).parent.is_some_and(|parent| view.kind(parent) == NodeKind::Block);
        is_in_block && can_be_guarded(view, *node)
    };
    let places = draw.some(view.all().filter(is_plain).collect(), 40);
    if places.is_empty() {
        return Err(Refusal::NoPlace);
    }
    let name = view.fresh("token");
    let at = view.range(view.body).start + 1;
    let gap = view.line_break(view.span(view.children(view.body)[0]).start);
    let value = parameters(view).next().unwrap_or_else(|| (1 + draw.below(9999)).to_string());
    edits.insert(at, format!("{gap}unsigned {name} = {value};"));
    for place in places {
        let Some(Predicate { holds, .. }) = predicate(std::slice::from_ref(&name), draw) else { continue };
        edits.insert(view.span(place).start, format!("if ({holds}) "));
        edits.known(format!("if ({holds})"));
    }
    Ok(edits)
}

/// The `switch` statements on a name of an unsigned variable, with that name: those that are all that a loop does, if there are
/// some.
fn dispatches(view: &View<'_>) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for switch in view.all().filter(|node| view.kind(*node) == NodeKind::Switch) {
        let Some(Control::Switch { operand_node, .. }) = view.control(switch) else { continue };
        let Some(thing) = view.variable(operand_node) else { continue };
        let of = view.tree.thing(thing).type_.map(|of| view.tree.type_(of));
        let is_unsigned = of.is_some_and(|of| of.canonical == "unsigned int");
        if is_unsigned && view.tree.thing(thing).kind == ThingKind::Local {
            found.push((switch, view.tree.thing(thing).name.clone()));
        }
    }
    let is_of_loop = |(switch, _): &(u32, String)| {
        let parent = view.node(*switch).parent.map(|parent| view.kind(parent));
        matches!(parent, Some(NodeKind::For | NodeKind::While))
    };
    if found.iter().any(is_of_loop) {
        found.retain(is_of_loop);
    }
    found
}

/// What stands behind a label of a `switch`.
struct Case {
    /// From its first statement to its last, but for a `break` at its end.
    start: usize,
    end: usize,
    /// How many statements that are.
    count: usize,
    /// Whether they can stand behind a condition.
    can_stand_behind: bool,
}

impl Case {
    fn behind(&self, Predicate { holds, .. }: Predicate, edits: &mut Edits) {
        match self.count {
            1 => edits.insert(self.start, format!("if ({holds}) ")),
            _ => {
                edits.insert(self.start, format!("if ({holds}) {{ "));
                edits.insert(self.end, " }");
            }
        }
        edits.known(format!("if ({holds})"));
    }

    fn left_by(&self, Predicate { fails, .. }: Predicate, edits: &mut Edits) {
        edits.insert(self.start, format!("if ({fails}) break; "));
        edits.known(format!("if ({fails}) break;"));
    }
}

/// The cases of a `switch` that do something.
fn cases(view: &View<'_>, switch: u32) -> Result<Vec<Case>, Refusal> {
    let is_label = |node: u32| matches!(view.kind(node), NodeKind::Case | NodeKind::Default);
    let mut cases = Vec::new();
    for label in view.tree.subtree(switch).filter(|node| is_label(*node)) {
        let is_own = view.ancestors(label).find(|node| view.kind(*node) == NodeKind::Switch) == Some(switch);
        let Some(first) = view.children(label).last().copied().filter(|first| is_own && !is_label(*first)) else {
            continue;
        };
        if view.is_in_call(view.node(label).start as usize) {
            return Err(Refusal::FromMacro("a case".to_owned()));
        }
        // Labels in a row are within each other.
        let outermost = view.ancestors(label).take_while(|node| is_label(*node)).last().unwrap_or(label);
        let siblings = view.node(outermost).parent.map(|parent| view.children(parent)).unwrap_or_default();
        let behind = siblings.into_iter().skip_while(|node| *node <= outermost).take_while(|node| !is_label(*node));
        let mut statements: Vec<u32> = [first].into_iter().chain(behind).collect();
        if statements.len() > 1 && statements.last().is_some_and(|last| view.kind(*last) == NodeKind::Break) {
            statements.pop();
        }
        let end = statements.last().map_or(0, |last| view.statement(*last).end);
        let can_stand_behind = statements.iter().all(|statement| can_be_guarded(view, *statement));
        cases.push(Case { start: view.span(first).start, end, count: statements.len(), can_stand_behind });
    }
    Ok(cases)
}

/// Whether `if (…)` may stand before a statement.
fn can_be_guarded(view: &View<'_>, node: u32) -> bool {
    let is_free = match view.kind(node) {
        NodeKind::Declaration | NodeKind::Label | NodeKind::Case | NodeKind::Default | NodeKind::Variable => false,
        // An attribute that stands by itself, or a macro that is nothing.
        NodeKind::Other | NodeKind::Empty => false,
        // A `case` in it would be one of something else, and a literal would be there no longer.
        _ => !view.jumps(&[node]).cases && !view.lends_literals(node),
    };
    // A lambda does not know the variable.
    let is_in_lambda = view.ancestors(node).any(|around| view.kind(around) == NodeKind::Lambda);
    is_free && !is_in_lambda && view.is_whole_statement(node)
}

/// The parameters that are whole numbers, as numbers without a sign.
fn parameters<'v>(view: &'v View<'_>) -> impl Iterator<Item = String> + 'v {
    let things = view.function.parameters.iter().map(|parameter| view.tree.thing(*parameter));
    let is_number = |of: &estrange_clang::Type| matches!(of.shape, Shape::Integer { .. }) && !of.is_volatile;
    let is_hidden = |name: &str| {
        let variables = view.all().filter(|node| view.kind(*node) == NodeKind::Variable);
        variables.filter_map(|node| view.node(node).thing).any(|thing| view.tree.thing(thing).name == name)
    };
    let numbers = things.filter(move |thing| {
        let of = thing.type_.map(|of| view.tree.type_(of));
        !thing.name.is_empty() && of.is_some_and(is_number) && !is_hidden(&thing.name)
    });
    numbers.map(|thing| format!("(unsigned){}", thing.name))
}
