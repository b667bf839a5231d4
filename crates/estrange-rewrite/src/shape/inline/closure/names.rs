//! The names in a function's body, as they must be written in another place.

use std::collections::HashSet;

use estrange_clang::{FunctionKind, NodeKind, Shape, Thing, ThingKind};
use estrange_text::facts::is_keyword;
use estrange_text::lexer::{Kind, lex, macro_name};

use crate::refusal::Refusal;
use crate::shape::edits::Edits;
use crate::shape::view::View;

/// The names of one function in the place of another.
struct Names<'v, 'a> {
    caller: &'v View<'a>,
    view: &'v View<'a>,
    object: Option<&'v str>,
    /// Whether both are of the same class, so that nothing of it is private to the caller.
    is_of_same_class: bool,
    edits: Edits,
    /// Where names stand that are known to mean the same.
    settled: HashSet<usize>,
    /// Where names stand that are written in full.
    edited: HashSet<usize>,
}

/// The body of a function with every name such that it means the same in another function, and with its object's name.
pub(super) fn rewritten(caller: &View<'_>, view: &View<'_>, object: Option<&str>) -> Result<String, Refusal> {
    let is_of_same_class = view.function.of.is_some() && view.function.of == caller.function.of;
    let (edits, settled, edited) = (Edits::default(), HashSet::new(), HashSet::new());
    let mut names = Names { caller, view, object, is_of_same_class, edits, settled, edited };
    for node in view.all() {
        names.node(node)?;
    }
    names.tokens()?;
    names.directives()?;
    Ok(names.edits.within(view.text, view.range(view.body)))
}

fn taken(name: &str) -> Refusal {
    Refusal::Uses(format!("`{name}`, which means something else there"))
}

impl<'a> Names<'_, 'a> {
    fn node(&mut self, node: u32) -> Result<(), Refusal> {
        let view = self.view;
        let range = view.range(node);
        self.record(node)?;
        match view.kind(node) {
            NodeKind::This if self.object.is_none() => Err(Refusal::Uses("`this`".to_owned())),
            NodeKind::This => {
                let is_alone = view.cut(range.clone()) == "this" && self.is_spelled(node);
                match (is_alone, self.object) {
                    (true, Some(_)) if self.edited.contains(&range.start) => Ok(()),
                    (true, Some(object)) if !self.is_in_lambda(node) => {
                        self.edited.insert(range.start);
                        self.edits.replace(range, format!("(&{object})"));
                        Ok(())
                    }
                    // Before a member of a union without a name, where nothing is written.
                    _ if view.cut(range.clone()) != "this" && !self.is_in_lambda(node) => Ok(()),
                    _ => Err(Refusal::Uses("`this` in a lambda or a macro".to_owned())),
                }
            }
            NodeKind::Name | NodeKind::Member | NodeKind::TypeName | NodeKind::Call => {
                let Some(thing) = view.node(node).thing else { return Ok(()) };
                self.named(node, view.tree.thing(thing))
            }
            NodeKind::Variable => {
                let at = view.node(node).thing.and_then(|thing| view.tree.thing(thing).at);
                self.settled.extend(at.map(|at| at as usize));
                Ok(())
            }
            NodeKind::Label => {
                self.settled.insert(range.start);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A name, what it means being known.
    fn named(&mut self, node: u32, thing: &Thing) -> Result<(), Refusal> {
        let view = self.view;
        let range = view.range(node);
        if matches!(thing.kind, ThingKind::Local | ThingKind::Parameter | ThingKind::Label) {
            let is_own = thing.at.is_some_and(|at| (view.function.start..view.function.end).contains(&at));
            self.settled.insert(range.start);
            return if is_own { Ok(()) } else { Err(taken(&thing.name)) };
        }
        if !thing.is_public && !self.is_of_same_class {
            return Err(Refusal::Uses(format!("`{}`, which is private to another class", thing.name)));
        }
        if view.kind(node) == NodeKind::Call {
            return self.called(thing);
        }
        if thing.kind == ThingKind::Function || thing.kind == ThingKind::Method {
            self.called(thing)?;
        }
        let is_of_object = thing.kind == ThingKind::Field || thing.kind == ThingKind::Method && !thing.is_static;
        if view.kind(node) == NodeKind::Member && is_of_object {
            return self.member(node, thing);
        }
        self.outside(node, thing)
    }

    /// A member of an object.
    fn member(&mut self, node: u32, thing: &Thing) -> Result<(), Refusal> {
        let view = self.view;
        let range = view.range(node);
        let is_own = view.tree.children(node).all(|child| {
            let is_hidden_object = view.kind(child) == NodeKind::This && view.cut(view.range(child)) != "this";
            is_hidden_object || view.kind(child) == NodeKind::TypeName
        });
        if !is_own {
            // What stands behind `.` or `->` is looked up in the object.
            return Ok(());
        }
        if self.is_in_lambda(node) {
            return Err(Refusal::Uses("a lambda that holds its object".to_owned()));
        }
        match self.object {
            Some(object) if view.cut(range.clone()) == thing.name && self.is_spelled(node) => {
                if !self.edited.insert(range.start) {
                    return Ok(());
                }
                self.settled.insert(range.start);
                self.edits.replace(range, format!("{object}.{}", thing.name));
                Ok(())
            }
            _ if view.node(node).is_written => Err(Refusal::Uses(format!("`{}` with its class before it", thing.name))),
            _ => Err(Refusal::FromMacro(format!("`{}`", thing.name))),
        }
    }

    /// A name of a namespace or a class, written in full.
    fn outside(&mut self, node: u32, thing: &Thing) -> Result<(), Refusal> {
        let view = self.view;
        let range = view.range(node);
        self.is_there(thing)?;
        // What a header declares is where it is, or begins with `std`.
        let first = view.token_at(range.start);
        let before = first.checked_sub(1).map(|at| view.word(at)).unwrap_or_default();
        if !self.is_spelled(node) {
            let is_global = thing.qualified_name == thing.name || thing.at.is_none();
            return if is_global && !self.means_other(&thing.name) { Ok(()) } else { Err(taken(&thing.name)) };
        }
        self.settled.insert(range.start);
        let word = view.word(first);
        if matches!(before, "::" | "." | "->") {
            return Ok(());
        }
        if word != thing.name {
            // A name that begins with a namespace or a class has a node for that, too; `struct x` has none.
            return if self.means_other(word) { Err(taken(word)) } else { Ok(()) };
        }
        if thing.at.is_none() {
            return if self.means_other(word) || self.is_ours_too(word) { Err(taken(word)) } else { Ok(()) };
        }
        let is_simple =
            thing.qualified_name.split("::").all(|part| !part.is_empty() && !part.contains(['<', '(', ' ']));
        if !is_simple {
            return Err(taken(word));
        }
        // `:::` would be read otherwise.
        let gap = if before == ":" { " " } else { "" };
        if self.edited.insert(range.start) {
            self.edits.replace(view.tokens[first].range(), format!("{gap}::{}", thing.qualified_name));
        }
        Ok(())
    }

    /// A function that is called: another of its name could be meant where more are known.
    fn called(&self, thing: &Thing) -> Result<(), Refusal> {
        let (view, caller) = (self.view, self.caller);
        let (first, last) = (view.function.end, caller.function.start);
        // Methods are looked up in their class, which is known as a whole.
        let is_between = |other: &Thing| {
            thing.kind == ThingKind::Function
                && other.kind == ThingKind::Function
                && other.name == thing.name
                && other.at.is_some_and(|at| first <= at && at <= last)
        };
        match view.tree.things.iter().any(is_between) {
            true => Err(taken(&thing.name)),
            false => Ok(()),
        }
    }

    /// Whether something is declared before the caller, or in a class, whose members know each other.
    fn is_there(&self, thing: &Thing) -> Result<(), Refusal> {
        let is_late = thing.at.is_some_and(|at| at >= self.caller.function.start);
        let is_free =
            thing.kind != ThingKind::Method && !(self.is_of_same_class && thing.qualified_name.contains("::"));
        if is_late && is_free { Err(taken(&thing.name)) } else { Ok(()) }
    }

    /// Whether what a node is made of is known before the caller.
    fn record(&self, node: u32) -> Result<(), Refusal> {
        let tree = self.view.tree;
        let Some(mut of) = self.view.node(node).type_.map(|of| tree.type_(of)) else { return Ok(()) };
        while let Shape::Pointer { to } | Shape::Array { of: to, .. } | Shape::Reference { to, .. } = of.shape {
            of = tree.type_(to);
        }
        let Shape::Record(record) = of.shape else { return Ok(()) };
        let record = &tree.records[record as usize];
        let is_own = |at: u32| (self.view.function.start..self.view.function.end).contains(&at);
        let is_late = |start: &u32| *start >= self.caller.function.start && !is_own(*start);
        record.start.filter(is_late).map_or(Ok(()), |_| Err(taken(&record.name)))
    }

    /// Whether a name means something of the caller.
    fn means_other(&self, name: &str) -> bool {
        let caller = self.caller;
        let things = caller.all().filter(|node| matches!(caller.kind(*node), NodeKind::Variable | NodeKind::Other));
        let things =
            things.filter_map(|node| caller.node(node).thing).chain(caller.function.parameters.iter().copied());
        let is_declared = things.map(|thing| caller.tree.thing(thing)).any(|thing| thing.name == name);
        // Types and names that the caller declares for itself.
        let declares = caller.all().any(|node| {
            let words = caller.tokens_in(caller.range(node));
            caller.kind(node) == NodeKind::Other
                && words.iter().any(|token| {
                    matches!(token.text(caller.text), "struct" | "class" | "enum" | "union" | "using" | "typedef")
                })
                && words.iter().any(|token| token.text(caller.text) == name)
        });
        let body = caller.function;
        let mut parameters = body.template_parameters.iter().chain(&body.class_parameters);
        let is_parameter = parameters.any(|parameter| parameter.name == name);
        // What a class has that cannot be looked into nobody knows.
        let is_member = match body.of {
            Some(record) => self.has_member(record, name, 0),
            None => body.kind != FunctionKind::Free,
        };
        is_declared || declares || is_parameter || is_member && !self.is_of_same_class
    }

    /// Whether a class or one that it is made on top of may have a member of a name.
    fn has_member(&self, record: u32, name: &str, depth: usize) -> bool {
        let tree = self.view.tree;
        let of = &tree.records[record as usize];
        let is_own =
            |thing: &Thing| thing.name == name && thing.qualified_name == format!("{}::{name}", of.qualified_name);
        let in_base = |base: &u32| match tree.type_(*base).shape {
            Shape::Record(base) => depth > 8 || self.has_member(base, name, depth + 1),
            _ => true,
        };
        !of.is_ours
            || of.fields.iter().any(|field| field.name == name)
            || tree.things.iter().any(is_own)
            || of.bases.iter().any(in_base)
    }

    /// Whether the text declares something of a name, in whatever namespace.
    fn is_ours_too(&self, name: &str) -> bool {
        let is_outside = |thing: &Thing| {
            matches!(thing.kind, ThingKind::Function | ThingKind::Global | ThingKind::Type | ThingKind::Other)
        };
        let mut things = self.view.tree.things.iter();
        things.any(|thing| thing.name == name && thing.at.is_some() && is_outside(thing))
    }

    /// Every word of the body that is no keyword has been looked at, or is a macro's.
    fn tokens(&self) -> Result<(), Refusal> {
        let view = self.view;
        let own: HashSet<&str> = super::super::declared(view);
        let mut before = "";
        for token in view.tokens_in(view.range(view.body)) {
            let word = token.text(view.text);
            let is_name = token.kind == Kind::Identifier && !is_keyword(word, view.language) && !word.starts_with("__");
            let is_looked_up = !matches!(before, "." | "->" | "::" | "goto");
            before = word;
            if !is_name || !is_looked_up || own.contains(word) || self.settled.contains(&(token.start as usize)) {
                continue;
            }
            let is_macro = view.is_in_call(token.start as usize);
            if self.means_other(word) || !is_macro && word != "std" {
                return Err(taken(word));
            }
        }
        Ok(())
    }

    /// No macro means something else between the two functions.
    fn directives(&self) -> Result<(), Refusal> {
        let (one, other) = (self.view.function.start as usize, self.caller.function.start as usize);
        let between = self.view.text.get(one.min(other)..one.max(other)).unwrap_or_default();
        let words: HashSet<&str> =
            self.view.tokens_in(self.view.place()).iter().map(|token| token.text(self.view.text)).collect();
        let directives = lex(between).into_iter().filter(|token| token.kind == Kind::Directive);
        let mut changed = directives.map(|directive| macro_name(directive.text(between)));
        match changed.any(|name| name.is_none_or(|name| words.contains(name))) {
            true => Err(Refusal::Directive),
            false => Ok(()),
        }
    }

    /// Whether a name stands where it seems to: in the text or as an argument of a macro, and not in a macro's body.
    fn is_spelled(&self, node: u32) -> bool {
        let view = self.view;
        let range = view.range(node);
        match view.call_around(range.start) {
            Some(call) => call.start < range.start && !range.is_empty(),
            None => view.node(node).is_written,
        }
    }

    fn is_in_lambda(&self, node: u32) -> bool {
        self.view.ancestors(node).any(|around| self.view.kind(around) == NodeKind::Lambda)
    }
}
