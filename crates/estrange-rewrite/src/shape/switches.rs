//! `switch` and a chain of `if`s for each other: `switch-to-if`, `if-to-switch`.
//!
//! A `switch` whose cases stand right in it and each leave it becomes a chain that compares a copy of the value. A chain that
//! compares one variable with different numbers becomes a `switch`, unless something in it breaks off a loop around.

use std::collections::HashSet;

use estrange_clang::{Binary, NodeKind, Shape, Type};

use crate::refusal::Refusal;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::site::{Site, choose};
use crate::shape::statement::Control;
use crate::shape::view::View;

pub(super) fn to_if(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let mut names = Vec::new();
    let mut sites = Vec::new();
    for node in view.all().filter(|node| view.kind(*node) == NodeKind::Switch && view.is_whole_statement(*node)) {
        let name = view.fresh_beside("chosen", &names);
        if let Some(site) = to_if_site(view, node, &name) {
            names.push(name);
            sites.push(site);
        }
    }
    choose(sites, draw)
}

/// Statements behind one or more labels.
#[derive(Default)]
struct Arm {
    labels: Vec<String>,
    is_default: bool,
    statements: Vec<u32>,
}

fn to_if_site(view: &View<'_>, node: u32, name: &str) -> Option<Site> {
    let Control::Switch { operand, operand_node, body } = view.control(node)? else { return None };
    // In C++ a value of an enumeration is no number, nor may a class be one.
    let own = view.type_of(view.inner(operand_node))?;
    let is_number = |of: &&Type| match of.shape {
        Shape::Integer { .. } => true,
        Shape::Enumeration(_) => !view.language.is_cpp(),
        _ => false,
    };
    let of = view.type_of(operand_node).filter(|of| is_number(of) && (!view.language.is_cpp() || is_number(&own)))?;
    // Values of types that are shorter than `int` are compared as `int`.
    let of = if of.size? < 4 { "int".to_owned() } else { view.type_name(of)? };
    if view.language.is_cpp() && !matches!(of.as_str(), "int" | "unsigned int" | "long" | "unsigned long") {
        return None;
    }
    let arms = arms(view, body)?;
    let gap = view.line_break(view.span(node).start);
    let inner = format!("{gap}{}", view.indent_unit());
    let mut text = format!("{{{gap}{of} {name} = {};{gap}", view.cut(operand));
    let mut otherwise = None;
    let mut word = "if";
    for (at, arm) in arms.iter().enumerate() {
        let (last, all_but_last) = arm.statements.split_last()?;
        let is_break = view.kind(*last) == NodeKind::Break;
        let leaves = is_break || view.never_ends(*last) && !view.jumps(&[*last]).breaks || at + 1 == arms.len();
        let kept = if is_break { all_but_last } else { &arm.statements[..] };
        // Only at its end may an arm break off.
        if !leaves || view.jumps(kept).breaks || !view.is_closed_but(kept) {
            return None;
        }
        let lines: Vec<&str> = kept.iter().map(|statement| view.cut(view.statement(*statement))).collect();
        let block = format!("{{{inner}{}{gap}}}", lines.join(&inner));
        if arm.is_default {
            otherwise = Some(block);
            continue;
        }
        let tests: Vec<String> = arm.labels.iter().map(|label| format!("{name} == {label}")).collect();
        text += &format!("{word} ({}) {block}", tests.join(" || "));
        word = " else if";
    }
    match otherwise {
        Some(block) if word == "if" => text += &block,
        Some(block) => text += &format!(" else {block}"),
        None => {}
    }
    text += &format!("{gap}}}");
    Some(Site::replace(view.statement(node), text))
}

impl View<'_> {
    /// Whether statements can move to another block: nothing jumps to a label in them, and no case is in them.
    fn is_closed_but(&self, statements: &[u32]) -> bool {
        let jumps = self.jumps(statements);
        let is_plain = |node: &u32| self.is_whole_statement(*node) || self.kind(*node) == NodeKind::Declaration;
        jumps.labels.is_empty() && !jumps.cases && statements.iter().all(is_plain)
    }
}

fn arms(view: &View<'_>, body: u32) -> Option<Vec<Arm>> {
    if view.kind(body) != NodeKind::Block || !view.node(body).is_written {
        return None;
    }
    let mut arms: Vec<Arm> = Vec::new();
    let mut is_open = false;
    for child in view.tree.children(body) {
        let mut statement = child;
        while matches!(view.kind(statement), NodeKind::Case | NodeKind::Default) {
            if !is_open || arms.last().is_none_or(|arm| !arm.statements.is_empty()) {
                arms.push(Arm::default());
                is_open = true;
            }
            let arm = arms.last_mut()?;
            let children = view.children(statement);
            match (view.kind(statement), children.as_slice()) {
                (NodeKind::Case, [value, next]) => {
                    let value = view.inner(*value);
                    let is_constant = view.node(value).value.is_some() && view.node(value).is_written;
                    arm.labels.push(is_constant.then(|| view.operand(value))?);
                    statement = *next;
                }
                (NodeKind::Default, [next]) => {
                    arm.is_default = true;
                    statement = *next;
                }
                _ => return None,
            }
            if view.is_in_call(view.span(child).start) {
                return None;
            }
        }
        // What a case declares would be there in the next one, too.
        if view.kind(statement) == NodeKind::Declaration {
            return None;
        }
        arms.last_mut()?.statements.push(statement);
    }
    let count = arms.iter().filter(|arm| !arm.is_default).count();
    (count > 0 && arms.iter().all(|arm| !arm.statements.is_empty())).then_some(arms)
}

pub(super) fn from_if(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let is_first = |node: &u32| {
        let parent = view.node(*node).parent;
        view.kind(*node) == NodeKind::If && parent.is_some_and(|parent| view.kind(parent) != NodeKind::If)
    };
    let firsts = view.all().filter(is_first).filter(|node| view.is_whole_statement(*node));
    choose(firsts.filter_map(|node| from_if_site(view, node)).collect(), draw)
}

fn from_if_site(view: &View<'_>, node: u32) -> Option<Site> {
    let mut variable = None;
    let mut values = HashSet::new();
    let gap = view.line_break(view.span(node).start);
    let mut text = String::new();
    let mut name = "";
    let mut at = Some(node);
    while let Some(branch) = at {
        let (then, otherwise) = match view.control(branch) {
            Some(Control::If { condition_node, then, otherwise, .. }) => {
                let (thing, value, label) = comparison(view, condition_node)?;
                if *variable.get_or_insert(thing) != thing || !values.insert(value) {
                    return None;
                }
                name = &view.tree.thing(thing).name;
                text += &format!("{gap}case {label}:");
                (then, otherwise)
            }
            _ => return None,
        };
        let jumps = view.jumps(&[then]);
        if jumps.breaks || jumps.cases {
            return None;
        }
        let arm = |body: u32| {
            let end = if view.never_ends(body) { String::new() } else { " break;".to_owned() };
            format!(" {}{end}", view.block_text(body))
        };
        text += &arm(then);
        at = otherwise.filter(|otherwise| view.kind(*otherwise) == NodeKind::If);
        if let Some(last) = otherwise.filter(|_| at.is_none()) {
            let jumps = view.jumps(&[last]);
            if jumps.breaks || jumps.cases {
                return None;
            }
            text += &format!("{gap}default:{}", arm(last));
        }
        // The last comparison of a chain may be of another kind.
        if let Some(next) = at
            && !matches!(view.control(next), Some(Control::If { condition_node, .. }) if comparison(view, condition_node).is_some())
        {
            let jumps = view.jumps(&[next]);
            if jumps.breaks || jumps.cases {
                return None;
            }
            text += &format!("{gap}default:{}", arm(next));
            at = None;
        }
    }
    Some(Site::replace(view.statement(node), format!("switch ({name}) {{{text}{gap}}}")))
}

/// `variable == number`: the variable, the number, and its text.
fn comparison(view: &View<'_>, condition: u32) -> Option<(u32, i64, String)> {
    let equal = view.inner(condition);
    let [left, right] = *view.children(equal).as_slice() else { return None };
    if view.kind(equal) != NodeKind::Binary(Binary::Equal) || !view.is_plain(equal) {
        return None;
    }
    let (left, right) = if view.variable(left).is_some() { (left, right) } else { (right, left) };
    let thing = view.variable(left)?;
    let of = view.type_of(view.inner(left))?;
    let number = view.inner(right);
    let value = view.node(number).value.filter(|_| view.node(number).is_written)?;
    // A number that does not fit would be cut off by a `switch`, and never be equal here.
    let fits = match of.shape {
        Shape::Integer { bits: 32, is_signed: true, .. } => i32::try_from(value).is_ok(),
        Shape::Integer { bits: 64, is_signed: true, .. } => true,
        Shape::Integer { bits: 32.., is_signed: false, .. } => (0..=i64::from(u32::MAX)).contains(&value),
        _ => false,
    };
    (fits && !of.is_volatile).then(|| (thing, value, view.slice(number).to_owned()))
}
