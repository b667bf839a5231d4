//! A function whose body can stand in place of a call.

use std::collections::HashSet;

use estrange_clang::{NodeKind, Shape, Thing, ThingKind, Type};
use estrange_text::lexer::{Kind, lex};

use super::labels::Labels;
use super::{RECURSIVE, declared, known_at};
use crate::refusal::Refusal;
use crate::shape::Subject;
use crate::shape::edits::Edits;
use crate::shape::view::View;

/// What a function does that it cannot do in another.
const OWN: &[&str] = &[
    "__func__",
    "__FUNCTION__",
    "__PRETTY_FUNCTION__",
    "va_start",
    "__builtin_va_start",
    "alloca",
    "__builtin_alloca",
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "__builtin_return_address",
    "__builtin_frame_address",
    "__builtin_apply_args",
    "no_sanitize",
];

/// What becomes of the value that a body returns.
pub(super) enum Result {
    /// It is not needed.
    Dropped,
    /// It is what the caller returns.
    Returned,
    /// A variable of this name gets it.
    Stored(String),
}

pub(super) struct Helper<'a> {
    view: View<'a>,
    declared: HashSet<&'a str>,
    /// The type of what it returns; nothing if that is nothing.
    gives: Option<u32>,
    /// The types of its parameters, where arrays are addresses.
    parameters: Vec<u32>,
    /// Its `return` statements.
    returns: Vec<u32>,
}

impl<'a> Helper<'a> {
    pub(super) fn new(caller: &View<'a>, function: usize, call: u32) -> std::result::Result<Self, Refusal> {
        let subject = Subject { text: caller.text, tree: caller.tree, function, language: caller.language, parts: &[] };
        let view = View::new(&subject)?;
        let thing = view.tree.thing(view.function.thing);
        if let Some(word) = OWN.iter().find(|word| view.function_has(&[word])) {
            return Err(Refusal::Uses((*word).to_owned()));
        }
        let Some(Shape::Function { result, parameters, is_variadic: false }) =
            thing.type_.map(|of| view.tree.type_(of).shape.clone())
        else {
            return Err(Refusal::Uses("any number of arguments".to_owned()));
        };
        let count = view.tree.children(call).count() - 1;
        if parameters.len() != count || view.function.parameters.len() != count {
            return Err(Refusal::Uses("a function without a prototype".to_owned()));
        }
        let names = |node: u32, thing: u32| view.kind(node) == NodeKind::Name && view.node(node).thing == Some(thing);
        if view.all().any(|node| names(node, view.function.thing)) {
            return Err(Refusal::Uses(RECURSIVE.to_owned()));
        }
        let is_static = |node: u32| {
            let thing = view.node(node).thing.map(|thing| view.tree.thing(thing));
            view.kind(node) == NodeKind::Variable
                && thing.is_some_and(|thing| {
                    thing.is_static || thing.kind != ThingKind::Local && thing.kind != ThingKind::Parameter
                })
        };
        if view.all().any(is_static) {
            return Err(Refusal::Uses("variables that are kept between calls".to_owned()));
        }
        if view.jumps(&[view.body]).is_wild {
            return Err(Refusal::Jump("to an address".to_owned()));
        }
        let returns: Vec<u32> = view.all().filter(|node| view.kind(*node) == NodeKind::Return).collect();
        let is_plain = |node: &u32| view.is_written_return(*node) && view.is_whole_statement(*node);
        if !returns.iter().all(is_plain) {
            return Err(Refusal::FromMacro("a return".to_owned()));
        }
        // An array is an address here.
        let is_open = |of: &u32| match view.tree.type_(*of).shape {
            Shape::Array { of, .. } => view.has_open_length(view.tree.type_(of)),
            _ => view.has_open_length(view.tree.type_(*of)),
        };
        if parameters.iter().any(is_open) {
            return Err(Refusal::Uses("a length that is known only when the program runs".to_owned()));
        }
        let gives = (view.tree.type_(result).shape != Shape::Void).then_some(result);
        if returns.iter().any(|node| view.only_child(*node).is_some() != gives.is_some()) {
            return Err(Refusal::Uses("a return without its value".to_owned()));
        }
        let helper = Self { declared: declared(&view), view, gives, parameters, returns };
        helper.fits(caller, call)?;
        Ok(helper)
    }

    /// Whether every name means the same in both functions.
    fn fits(&self, caller: &View<'_>, call: u32) -> std::result::Result<(), Refusal> {
        let view = &self.view;
        let (own, theirs) = (&self.declared, known_at(caller, call));
        let taken = |name: &str| Refusal::Uses(format!("`{name}`, which means something else there"));
        let mut before = "";
        let mut used = HashSet::new();
        for token in view.tokens_in(view.range(view.body)) {
            let word = token.text(view.text);
            if token.kind == Kind::Identifier && !matches!(before, "." | "->") {
                used.insert(word);
            }
            before = word;
        }
        // Types of parameters stand outside of the body.
        for of in self.parameters.iter().chain(&self.gives).map(|of| &view.tree.type_(*of).spelling) {
            if let Some(name) = lex(of).iter().map(|token| token.text(of)).find(|word| theirs.contains(word)) {
                return Err(taken(name));
            }
        }
        // What a macro names does not stand in the function.
        let nodes = view.all().filter(|node| matches!(view.kind(*node), NodeKind::Name | NodeKind::TypeName));
        let things: Vec<&Thing> =
            nodes.filter_map(|node| view.node(node).thing).map(|thing| view.tree.thing(thing)).collect();
        let is_local = |thing: &Thing| matches!(thing.kind, ThingKind::Local | ThingKind::Parameter | ThingKind::Label);
        used.extend(things.iter().filter(|thing| !is_local(thing)).map(|thing| thing.name.as_str()));
        if let Some(name) = used.iter().find(|name| theirs.contains(*name) && !own.contains(*name)) {
            return Err(taken(name));
        }
        if let Some(thing) = things.iter().find(|thing| !is_local(thing) && theirs.contains(thing.name.as_str())) {
            return Err(taken(&thing.name));
        }
        // What is declared after the caller is not known there.
        let start = caller.function.start;
        let is_late = |thing: &&&Thing| {
            !is_local(thing)
                && thing.at.is_some_and(|at| at >= start && !(view.function.start..view.function.end).contains(&at))
        };
        if let Some(thing) = things.iter().find(is_late) {
            return Err(taken(&thing.name));
        }
        if let Some(record) = view.all().find_map(|node| self.late_record(node, start)) {
            return Err(taken(&record));
        }
        let (first, last) = (view.function.start.min(start) as usize, view.function.start.max(start) as usize);
        let between = view.text.get(first..last).unwrap_or_default();
        let directives = lex(between).into_iter().filter(|token| token.kind == Kind::Directive);
        for directive in directives {
            let name = estrange_text::lexer::macro_name(directive.text(between));
            if name.is_none_or(|name| used.contains(name)) {
                return Err(Refusal::Directive);
            }
        }
        Ok(())
    }

    /// The name of a record that a node needs to know and that is defined only after a place.
    fn late_record(&self, node: u32, place: u32) -> Option<String> {
        let tree = self.view.tree;
        let mut of = tree.type_(self.view.node(node).type_?);
        while let Shape::Pointer { to } | Shape::Array { of: to, .. } = of.shape {
            of = tree.type_(to);
        }
        let Shape::Record(record) = of.shape else { return None };
        let record = &tree.records[record as usize];
        let is_own = |at: u32| (self.view.function.start..self.view.function.end).contains(&at);
        record.start.filter(|start| *start >= place && !is_own(*start)).map(|_| record.name.clone())
    }

    /// How long its body is.
    pub(super) fn length(&self) -> usize {
        self.view.range(self.view.body).len()
    }

    /// Whether it declares a name.
    pub(super) fn names(&self, name: &str) -> bool {
        self.declared.contains(name)
    }

    /// Whether what it gives is of a type, without conversion.
    pub(super) fn gives(&self, caller: &View<'_>, of: u32) -> bool {
        let canonical = |of: u32| caller.tree.type_(of).canonical.as_str();
        self.gives.is_some_and(|gives| canonical(gives) == canonical(of))
    }

    /// Whether it gives what the caller gives.
    pub(super) fn gives_what(&self, caller: &View<'_>) -> bool {
        let of = caller.tree.thing(caller.function.thing).type_.map(|of| &caller.tree.type_(of).shape);
        matches!(of, Some(Shape::Function { result, .. }) if self.gives(caller, *result))
    }

    /// The body as a statement, in place of another.
    pub(super) fn block(
        &self,
        caller: &View<'_>,
        place: u32,
        arguments: &[u32],
        result: &Result,
        labels: &mut Labels,
    ) -> std::result::Result<String, Refusal> {
        let (outer, bound) = self.bound(caller, arguments)?;
        let (body, done) = self.body(caller, result, labels)?;
        let mut lines: Vec<String> = bound;
        match &done {
            Some(done) if self.has_open_lengths() => {
                lines.extend(["{".to_owned(), body, "}".to_owned(), format!("{done}:;")])
            }
            Some(done) => lines.extend([body, format!("{done}:;")]),
            None => lines.push(body),
        }
        let unit = caller.indent_unit();
        let inner = braced(&lines, &unit);
        let all = match outer.is_empty() {
            true => inner,
            false => braced(&outer.into_iter().chain([inner]).collect::<Vec<_>>(), &unit),
        };
        let gap = caller.line_break(caller.span(place).start);
        Ok(if is_fixed(&all) { all } else { all.replace('\n', &gap) })
    }

    /// The body as a value.
    pub(super) fn value(
        &self,
        caller: &View<'_>,
        place: u32,
        arguments: &[u32],
        labels: &mut Labels,
    ) -> std::result::Result<String, Refusal> {
        let Some(gives) = self.gives else {
            return Ok(format!("({{ {} }})", self.block(caller, place, arguments, &Result::Dropped, labels)?));
        };
        let name = caller.fresh_beside("result", &[]);
        let of = caller.tree.type_(gives);
        let declared = caller.writable_declaration(of, &name).ok_or(Refusal::NoPlace)?;
        let block = self.block(caller, place, arguments, &Result::Stored(name.clone()), labels)?;
        Ok(format!("({{ {declared}; {block} {name}; }})"))
    }

    /// Whether it declares something whose length is known only when the program runs: nothing may jump over that.
    fn has_open_lengths(&self) -> bool {
        let view = &self.view;
        let variables = view.all().filter(|node| view.kind(*node) == NodeKind::Variable);
        variables.filter_map(|node| view.type_of(node)).any(|of| view.has_open_length(of))
    }

    /// The parameters as variables: first what must be evaluated before their names are there, then themselves.
    fn bound(&self, caller: &View<'_>, arguments: &[u32]) -> std::result::Result<(Vec<String>, Vec<String>), Refusal> {
        let view = &self.view;
        let (mut outer, mut bound) = (Vec::new(), Vec::new());
        let mut names: Vec<String> = Vec::new();
        let hides = |argument: &u32| {
            let tokens = caller.tokens_in(caller.span(*argument));
            let is_hidden = tokens.iter().any(|token| self.declared.contains(token.text(caller.text)));
            // Within macros, too.
            let nodes = caller.tree.subtree(*argument).filter_map(|node| caller.node(node).thing);
            is_hidden || nodes.into_iter().any(|thing| self.declared.contains(caller.tree.thing(thing).name.as_str()))
        };
        let needs_both = arguments.iter().any(hides);
        for ((parameter, of), argument) in view.function.parameters.iter().zip(&self.parameters).zip(arguments) {
            let (thing, of) = (view.tree.thing(*parameter), view.tree.type_(*of));
            let unknown = || Refusal::Uses("a parameter whose type has no name".to_owned());
            let mut value = caller.slice(*argument).to_owned();
            if needs_both {
                let name = caller.fresh_beside("given", &names);
                let declared = as_variable(view, of, &name).ok_or_else(unknown)?;
                outer.push(format!("{declared} = {value};"));
                value = name.clone();
                names.push(name);
            }
            if thing.name.is_empty() {
                bound.push(format!("(void)({value});"));
                continue;
            }
            let declared = as_variable(view, of, &thing.name).ok_or_else(unknown)?;
            bound.push(format!("{declared} = {value};"));
        }
        Ok((outer, bound))
    }

    /// What stands in the body, and the label behind it if something in it jumps there.
    fn body(
        &self,
        caller: &View<'_>,
        result: &Result,
        labels: &mut Labels,
    ) -> std::result::Result<(String, Option<String>), Refusal> {
        let view = &self.view;
        let range = view.range(view.body);
        let mut last = view.children(view.body).last().copied();
        while let Some(label) = last.filter(|last| view.kind(*last) == NodeKind::Label) {
            last = view.children(label).last().copied();
        }
        let mut edits = Edits::default();
        for (place, name) in labels.apart(caller, view)? {
            edits.replace(place, name);
        }
        let mut done: Option<String> = None;
        for node in &self.returns {
            let value = view.only_child(*node).map(|value| view.slice(value));
            let stored = match (result, value) {
                (Result::Returned, _) => continue,
                (_, None) => String::new(),
                (Result::Stored(name), Some(value)) => format!("{name} = {value};"),
                (Result::Dropped, Some(value)) => format!("(void)({value});"),
            };
            if last == Some(*node) {
                edits.replace(view.statement(*node), if stored.is_empty() { ";".to_owned() } else { stored });
                continue;
            }
            let done = done.get_or_insert_with(|| labels.fresh(caller, "done"));
            let jump = if stored.is_empty() { format!("goto {done};") } else { format!("{{ {stored} goto {done}; }}") };
            edits.replace(view.statement(*node), jump);
        }
        Ok((outdented(&edits.within(view.text, range.start + 1..range.end - 1)), done))
    }
}

/// Texts in braces, each on lines of its own.
fn braced(texts: &[String], unit: &str) -> String {
    let mut written = "{".to_owned();
    for text in texts.iter().filter(|text| !text.trim().is_empty()) {
        if is_fixed(text) {
            written.push_str(&format!("\n{text}"));
            continue;
        }
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            written.push_str(&format!("\n{unit}{line}"));
        }
    }
    written + "\n}"
}

/// A text whose lines stand as far left as they can.
fn outdented(text: &str) -> String {
    if is_fixed(text) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let indentation = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let least = lines.iter().map(indentation).min().unwrap_or_default();
    lines.iter().map(|line| line[least..].trim_end()).collect::<Vec<_>>().join("\n")
}

/// Whether a string goes on in the next line, so that the indentation is a part of it.
fn is_fixed(text: &str) -> bool {
    text.contains("\\\n") || text.contains("R\"")
}

/// A parameter as a variable: an array is an address.
fn as_variable(view: &View<'_>, of: &Type, name: &str) -> Option<String> {
    match of.shape {
        Shape::Array { of, .. } => {
            let of = view.tree.type_(of);
            let is_simple = !of.spelling.contains(['(', '[']);
            view.declaration_of(of, &format!("*{name}")).filter(|_| is_simple)
        }
        _ => view.writable_declaration(of, name),
    }
}
