//! Declarations moved to a function's top, and their first values as assignments.

use std::collections::HashMap;
use std::ops::Range;

use estrange_clang::{NodeKind, Shape, ThingKind, Type};

use crate::refusal::Refusal;
use crate::shape::declare::Declarator;
use crate::shape::edits::Edits;
use crate::shape::view::View;

/// What becomes of the names of variables that move, and what has moved so far.
#[derive(Debug, Default)]
pub(super) struct Hoist {
    /// New names where two would meet.
    pub(super) renames: Edits,
    /// Variables that cannot have the new name that they need.
    stuck: Vec<u32>,
    /// Variables that can be one with others of their name.
    alike: Vec<u32>,
    /// The declarations, in order, each with the names that it declares.
    pub(super) declarations: Vec<(Vec<String>, String)>,
    new_names: HashMap<u32, String>,
}

/// A variable below the function's own scope or behind other statements.
struct Moving {
    thing: u32,
    scope: Range<usize>,
}

impl Hoist {
    /// Chooses the names of all variables that could move. `kept` are the first statements, which stay.
    pub(super) fn new(view: &View<'_>, kept: &[u32]) -> Self {
        let mut hoist = Self::default();
        let is_kept = |node: u32| kept.iter().any(|kept| view.tree.subtree(*kept).contains(&node));
        let variables = view.all().filter(|node| view.kind(*node) == NodeKind::Variable && !is_kept(*node));
        let mut settled: Vec<Moving> = Vec::new();
        let mut new_names = Vec::new();
        for node in variables {
            let Some(thing) = view.node(node).thing else { continue };
            if view.tree.thing(thing).kind == ThingKind::Parameter {
                continue;
            }
            let moving = Moving { thing, scope: scope(view, node) };
            match hoist.meets(view, &moving, &settled) {
                Meeting::Nothing => {}
                Meeting::Alike => hoist.alike.push(thing),
                Meeting::Other => {
                    let new = view.fresh_beside(&view.tree.thing(thing).name, &new_names);
                    match occurrences(view, &moving) {
                        Some(places) => {
                            for place in places {
                                hoist.renames.replace(place, new.as_str());
                            }
                            hoist.new_names.insert(thing, new.clone());
                            new_names.push(new);
                        }
                        None => hoist.stuck.push(thing),
                    }
                }
            }
            settled.push(moving);
        }
        hoist
    }

    /// Whether the name means something else elsewhere in the function.
    fn meets(&self, view: &View<'_>, moving: &Moving, settled: &[Moving]) -> Meeting {
        let thing = view.tree.thing(moving.thing);
        let body = view.range(view.body);
        let is_outside = |at: usize| !moving.scope.contains(&at);
        let outside = |node: &u32| {
            let named = view.node(*node);
            let is_variable = matches!(named.kind, NodeKind::Name | NodeKind::Variable | NodeKind::TypeName);
            let other = named.thing.filter(|other| is_variable && *other != moving.thing);
            let other = other.map(|other| view.tree.thing(other));
            other.is_some_and(|other| other.name == thing.name && other.kind != ThingKind::Label)
        };
        let others: Vec<u32> = view.all().filter(outside).collect();
        let tokens = view.tokens_in(view.function.start as usize..body.end);
        let words = tokens.iter().enumerate().filter(|(at, token)| {
            let before = at.checked_sub(1).map(|at| tokens[at].text(view.text)).unwrap_or_default();
            token.text(view.text) == thing.name
                && is_outside(token.start as usize)
                && !matches!(before, "." | "->" | "struct" | "union" | "enum" | "goto")
        });
        let words: Vec<usize> = words.map(|(_, token)| token.start as usize).collect();
        if others.is_empty() && words.is_empty() {
            return Meeting::Nothing;
        }
        // Another variable of the same type whose scope is elsewhere can be the same one.
        let of = thing.type_.map(|of| view.tree.type_(of));
        let is_plain = |of: &Type| !of.is_const && view.is_assignable(of);
        let alike: Vec<&Moving> = settled
            .iter()
            .filter(|other| {
                let declared = view.tree.thing(other.thing);
                let is_apart = other.scope.end <= moving.scope.start || moving.scope.end <= other.scope.start;
                let is_same_type = match (of, declared.type_.map(|of| view.tree.type_(of))) {
                    (Some(one), Some(other)) => one.canonical == other.canonical && is_plain(one),
                    _ => false,
                };
                declared.name == thing.name
                    && is_apart
                    && is_same_type
                    && !thing.is_static
                    && !declared.is_static
                    && !self.stuck.contains(&other.thing)
                    && !self.new_names.contains_key(&other.thing)
            })
            .collect();
        let is_alike = |thing: u32| alike.iter().any(|other| other.thing == thing);
        let all_alike = others.iter().all(|node| view.node(*node).thing.is_some_and(is_alike))
            && words.iter().all(|at| alike.iter().any(|other| other.scope.contains(at)));
        if all_alike && !alike.is_empty() {
            Meeting::Alike
        } else if all_alike || self.later_ones_only(view, moving, &others, &words, settled) {
            Meeting::Nothing
        } else {
            Meeting::Other
        }
    }

    /// Whether only variables that come later have the same name, each in a scope of its own: they give way.
    fn later_ones_only(
        &self,
        view: &View<'_>,
        moving: &Moving,
        others: &[u32],
        words: &[usize],
        settled: &[Moving],
    ) -> bool {
        let name = &view.tree.thing(moving.thing).name;
        if settled.iter().any(|other| view.tree.thing(other.thing).name == *name) {
            return false;
        }
        let is_later =
            |node: &u32| view.kind(*node) == NodeKind::Variable && view.node(*node).start as usize > moving.scope.start;
        let scopes: Vec<(u32, Range<usize>)> = others
            .iter()
            .filter(|node| is_later(node))
            .filter_map(|node| Some((view.node(*node).thing?, scope(view, *node))))
            .filter(|(thing, _)| view.tree.thing(*thing).kind == ThingKind::Local)
            .collect();
        let is_theirs = |thing: u32| scopes.iter().any(|(other, _)| *other == thing);
        let is_in_theirs = |at: &usize| scopes.iter().any(|(_, scope)| scope.contains(at));
        others.iter().all(|node| view.node(*node).thing.is_some_and(is_theirs)) && words.iter().all(is_in_theirs)
    }

    /// Moves a declaration, and gives the assignments that stay in its place.
    pub(super) fn declaration(&mut self, view: &View<'_>, declaration: u32) -> Result<Vec<String>, Refusal> {
        let declarators = view.declarators(declaration)?;
        let specifiers = match declarators.first() {
            Some(first) => view.specifiers(declaration, first),
            None => return Err(Refusal::NoPlace),
        };
        let mut declared = Vec::new();
        let mut assigned = Vec::new();
        for declarator in &declarators {
            let thing = view.tree.thing(declarator.thing);
            let refuse = |why: &str| Refusal::Declaration { name: thing.name.clone(), why: why.to_owned() };
            if self.stuck.contains(&declarator.thing) {
                return Err(refuse("something else has its name, and a macro stands between"));
            }
            if thing.kind != ThingKind::Local {
                return Err(refuse("it is no variable of the function"));
            }
            if specifiers.iter().any(|word| matches!(*word, "__attribute__" | "cleanup" | "alignas" | "_Alignas")) {
                return Err(refuse("it has attributes"));
            }
            let of = thing.type_.map(|of| view.tree.type_(of)).ok_or_else(|| refuse("its type is not known"))?;
            let name = self.name(view, declarator.thing);
            if thing.is_static {
                if declarators.len() > 1 {
                    return Err(refuse("several static variables are declared at once"));
                }
                declared.push(self.renames.within(view.text, view.range(declaration)));
                continue;
            }
            if view.language.is_cpp() && !of.is_plain {
                return Err(refuse("it has a constructor or destructor"));
            }
            if view.language.is_cpp() && of.is_const && is_constant(view, declaration, declarator.thing) {
                return Err(refuse("others may need it as a constant"));
            }
            if view.has_open_length(of) {
                return Err(refuse("its length is known only when the program runs"));
            }
            if !view.is_assignable(of) {
                return Err(refuse("a value of its type cannot be assigned"));
            }
            if !self.is_there(declarator.thing, &name) {
                let written = match of.is_const {
                    true => view.writable_declaration(of, &name),
                    false => view.declaration_of(of, &name),
                };
                declared.push(format!("{};", written.ok_or_else(|| refuse("its type has no name"))?));
            }
            if let Some(value) = declarator.value.clone() {
                let is_list = is_list(view, declaration, declarator.thing);
                assigned.push(self.assignment(view, of, &name, value, is_list)?);
            }
        }
        // Variables of a type that is written the same stay together.
        let names: Vec<String> = declarators.iter().map(|each| self.name(view, each.thing)).collect();
        match self.together(view, declaration, &declarators, &declared) {
            Some(whole) => self.declarations.push((names, whole)),
            None => self.declarations.extend(declared.into_iter().map(|text| (names.clone(), text))),
        }
        Ok(assigned)
    }

    /// What a variable is called.
    fn name(&self, view: &View<'_>, thing: u32) -> String {
        self.new_names.get(&thing).unwrap_or(&view.tree.thing(thing).name).clone()
    }

    /// Whether another variable that this one is one with has been declared.
    fn is_there(&self, thing: u32, name: &String) -> bool {
        self.alike.contains(&thing) && self.declarations.iter().any(|(names, _)| names.contains(name))
    }

    /// A declaration as it is written, without first values, if nothing else about it changes.
    fn together(
        &self,
        view: &View<'_>,
        declaration: u32,
        declarators: &[Declarator],
        declared: &[String],
    ) -> Option<String> {
        let changes = |declarator: &Declarator| {
            let thing = view.tree.thing(declarator.thing);
            let of = thing.type_.map(|of| view.tree.type_(of));
            self.is_there(declarator.thing, &self.name(view, declarator.thing))
                || thing.is_static
                || of.is_none_or(|of| of.is_const || matches!(of.shape, Shape::Array { .. }))
        };
        let first = view.specifiers(declaration, declarators.first()?);
        let is_deduced = first.iter().any(|word| matches!(*word, "auto" | "__auto_type" | "decltype" | "{"));
        if declared.is_empty() || is_deduced || declarators.iter().any(changes) {
            return None;
        }
        let mut edits = self.renames.clone();
        for declarator in declarators {
            if let Some(value) = declarator.value.clone() {
                let before = view.cut(0..value.start).trim_end().len();
                edits.remove(before..value.end);
            }
        }
        // Names within what is removed are gone with it.
        let removed: Vec<Range<usize>> = declarators.iter().filter_map(|each| each.value.clone()).collect();
        edits.drop_within(&removed);
        Some(edits.within(view.text, view.range(declaration)))
    }

    fn assignment(
        &self,
        view: &View<'_>,
        of: &Type,
        name: &str,
        value: Range<usize>,
        is_list: bool,
    ) -> Result<String, Refusal> {
        let refuse = |why: &str| Refusal::Declaration { name: name.to_owned(), why: why.to_owned() };
        let text = self.renames.within(view.text, value.start + 1..value.end);
        let text = text.trim();
        let is_list = is_list || text.starts_with('{');
        let type_name = || view.type_name(of).ok_or_else(|| refuse("its type has no name"));
        match &of.shape {
            Shape::Array { .. } if view.language.is_cpp() => Err(refuse("an array cannot be assigned")),
            Shape::Array { .. } => {
                let of = type_name()?;
                let text = if is_list { text.to_owned() } else { format!("{{{text}}}") };
                let copies = view.tree.things.iter().any(|thing| thing.name == "memcpy" && thing.at.is_none());
                let copy = if copies { "memcpy" } else { "__builtin_memcpy" };
                Ok(format!("{copy}({name}, ({of}){text}, sizeof {name});"))
            }
            Shape::Record(_) if is_list && view.language.is_cpp() => Ok(format!("{name} = {}{text};", type_name()?)),
            Shape::Record(_) if is_list => Ok(format!("{name} = ({}){text};", type_name()?)),
            _ if is_list => Err(refuse("its first value stands in braces")),
            _ => Ok(format!("{name} = {text};")),
        }
    }
}

enum Meeting {
    /// No one else has the name.
    Nothing,
    /// Others that it can be one with have it.
    Alike,
    /// Something else has it.
    Other,
}

/// Whether a variable's first value may be known to the compiler: it is made of constants only.
fn is_constant(view: &View<'_>, declaration: u32, thing: u32) -> bool {
    let variable = view.variable_node(declaration, thing);
    let is_open = |node: u32| match view.kind(node) {
        NodeKind::Name => {
            let thing = view.node(node).thing.map(|thing| view.tree.thing(thing).kind);
            let is_variable = !matches!(thing, Some(ThingKind::Function | ThingKind::Enumerator));
            is_variable && view.type_of(node).is_none_or(|of| !of.is_const)
        }
        NodeKind::Member | NodeKind::Subscript | NodeKind::This | NodeKind::New | NodeKind::Lambda => true,
        _ => false,
    };
    variable.is_some_and(|variable| !view.tree.subtree(variable).any(is_open))
}

/// Whether a variable's first value is a list, which a macro may stand for.
fn is_list(view: &View<'_>, declaration: u32, thing: u32) -> bool {
    let value = view.variable_node(declaration, thing).and_then(|variable| view.tree.children(variable).last());
    value.is_some_and(|value| view.kind(value) == NodeKind::List)
}

/// Where a variable can be named: from its declaration to the end of the block or loop around it.
fn scope(view: &View<'_>, variable: u32) -> Range<usize> {
    let start = view.node(variable).start as usize;
    let around = view.ancestors(variable).find(|node| {
        matches!(
            view.kind(*node),
            NodeKind::Block
                | NodeKind::For
                | NodeKind::RangeFor
                | NodeKind::Try
                | NodeKind::Lambda
                | NodeKind::StatementExpression
        )
    });
    let end = around.map_or(view.function.end as usize, |around| view.statement(around).end);
    let declared = view.ancestors(variable).find(|node| view.kind(*node) == NodeKind::Declaration);
    declared.map_or(start, |declared| view.range(declared).start)..end
}

/// Every place that names a variable, if all of them are written.
fn occurrences(view: &View<'_>, moving: &Moving) -> Option<Vec<Range<usize>>> {
    let thing = view.tree.thing(moving.thing);
    let mut named: Vec<usize> = Vec::new();
    for node in view.all().filter(|node| view.node(*node).thing == Some(moving.thing)) {
        named.push(match view.kind(node) {
            NodeKind::Variable => thing.at? as usize,
            _ => view.node(node).start as usize,
        });
    }
    named.sort_unstable();
    named.dedup();
    let tokens = view.tokens_in(moving.scope.clone());
    let spelled = tokens.iter().enumerate().filter(|(at, token)| {
        let before = at.checked_sub(1).map(|at| tokens[at].text(view.text)).unwrap_or_default();
        token.text(view.text) == thing.name && !matches!(before, "." | "->" | "struct" | "union" | "enum" | "goto")
    });
    let spelled: Vec<usize> = spelled.map(|(_, token)| token.start as usize).collect();
    let is_clear = spelled == named && named.iter().all(|at| !view.is_in_call(*at));
    is_clear.then(|| named.iter().map(|at| *at..*at + thing.name.len()).collect())
}
