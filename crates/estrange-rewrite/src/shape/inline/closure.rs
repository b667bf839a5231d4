//! A function of C++ whose body stands in place of a call: as a lambda that is called where it stands.
//!
//! Parameters, conversions of arguments, what is returned and when objects end are a lambda's as they are a function's. A
//! method gets its object as one more parameter, and its members are that object's. Names that belong to a namespace or class
//! are written in full.
//!
//! An object that must be evaluated before the arguments is captured.
//!
//! Left alone: what is called through a table of virtual methods, templates, constructors and operators, members that are private
//! to another class, default arguments that are more than a literal, functions of which others of the same name are
//! declared in between, and lambdas that hold the object.

mod names;

use std::ops::Range;

use estrange_clang::{FunctionKind, NodeKind, Shape, ThingKind, Type};
use estrange_text::lexer::{Kind, lex};

use crate::refusal::Refusal;
use crate::shape::Subject;
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
    "__builtin_return_address",
    "__builtin_frame_address",
    "no_sanitize",
    "co_await",
    "co_yield",
    "co_return",
    "__COUNTER__",
];

/// A function and a call of it.
struct Closure<'c, 'a> {
    caller: &'c View<'a>,
    view: View<'a>,
    call: u32,
    /// What the object is called in the lambda, if the function has one.
    object: Option<String>,
    result: &'a Type,
    parameters: Vec<&'a Type>,
}

/// An object that a method is called with.
struct Object {
    text: String,
    /// Whether it ends with the call.
    ends: bool,
    /// Whether it makes a difference that it is evaluated before the arguments.
    is_first: bool,
}

/// Where a call of a function that the text defines stands, and what becomes of it.
pub(super) fn text(caller: &View<'_>, call: u32, function: usize) -> Result<(Range<usize>, String), Refusal> {
    let closure = Closure::new(caller, call, function)?;
    let range = caller.range(call);
    let before = caller.token_at(range.start).checked_sub(1).map(|at| caller.word(at)).unwrap_or_default();
    let text = closure.text()?;
    // Two square brackets in a row begin an attribute, and `delete []` is one word.
    let needs_both = matches!(before, "[" | "delete");
    Ok((range, if needs_both { format!("({text})") } else { text }))
}

/// The function that a call names, where it is one that is known before the program runs.
pub(super) fn named(view: &View<'_>, call: u32) -> Option<u32> {
    let thing = view.node(call).thing?;
    let called = view.inner(view.tree.children(call).next()?);
    let is_direct = view.node(called).thing == Some(thing)
        && matches!(view.kind(called), NodeKind::Name | NodeKind::Member)
        && !view.tree.thing(thing).name.starts_with("operator");
    is_direct.then_some(thing)
}

impl<'c, 'a> Closure<'c, 'a> {
    fn new(caller: &'c View<'a>, call: u32, function: usize) -> Result<Self, Refusal> {
        let subject = Subject { text: caller.text, tree: caller.tree, function, language: caller.language, parts: &[] };
        let view = View::new(&subject)?;
        let (body, thing) = (view.function, view.tree.thing(view.function.thing));
        let uses = |what: &str| Err(Refusal::Uses(what.to_owned()));
        if !matches!(body.kind, FunctionKind::Free | FunctionKind::Method) || body.is_template || body.is_friend {
            return uses("a constructor, an operator or a template");
        }
        if thing.is_virtual && !is_qualified(caller, call) {
            return uses("a virtual method");
        }
        if let Some(word) = OWN.iter().find(|word| view.function_has(&[word])) {
            return uses(word);
        }
        let of = thing.type_.map(|of| view.tree.type_(of));
        let Some(Shape::Function { result, parameters, is_variadic: false }) = of.map(|of| &of.shape) else {
            return uses("any number of arguments");
        };
        if parameters.len() != body.parameters.len() || caller.tree.children(call).count() != parameters.len() + 1 {
            return uses("any number of arguments");
        }
        if view.all().any(|node| view.node(node).thing == Some(body.thing)) {
            return uses("a function that calls itself");
        }
        if view.jumps(&[view.body]).is_wild {
            return Err(Refusal::Jump("to an address".to_owned()));
        }
        let is_kept = |node: u32| {
            let thing = view.node(node).thing.map(|thing| view.tree.thing(thing));
            view.kind(node) == NodeKind::Variable
                && thing.is_none_or(|thing| {
                    thing.is_static || !matches!(thing.kind, ThingKind::Local | ThingKind::Parameter)
                })
        };
        if view.all().any(is_kept) {
            return uses("variables that are kept between calls");
        }
        if view.all().any(|node| view.is_in_local_class(node)) {
            return uses("a class of its own");
        }
        let has_object = body.of.is_some() && !body.is_static_method;
        let (result, parameters) =
            (view.tree.type_(*result), parameters.iter().map(|of| view.tree.type_(*of)).collect());
        let object = has_object.then(|| caller.fresh("self"));
        let closure = Self { caller, view, call, object, result, parameters };
        closure.head()?;
        Ok(closure)
    }

    /// What of the function's head behind its parameters says that it throws nothing.
    fn head(&self) -> Result<String, Refusal> {
        let view = &self.view;
        let name = view.token_at(view.function.name as usize);
        let open = (name..view.tokens.len()).find(|at| view.word(*at) == "(");
        let close = open.and_then(|open| view.closing(open)).ok_or(Refusal::NoPlace)?;
        let end = view.token_at(view.range(view.body).start);
        let mut noexcept = String::new();
        for at in close + 1..end {
            match view.word(at) {
                "noexcept" if view.word(at + 1) != "(" => noexcept += " noexcept",
                // A macro that may be one.
                word if view.is_in_call(view.tokens[at].start as usize) && view.word(at + 1) != "(" => {
                    noexcept += &format!(" {word}");
                }
                "const" | "override" | "final" => {}
                "->" => break,
                word => return Err(Refusal::Uses(format!("a head with `{word}`"))),
            }
        }
        match view.function_has(&["__attribute__", "consteval", "requires"]) {
            true => Err(Refusal::Uses("attributes".to_owned())),
            false => Ok(noexcept),
        }
    }

    fn text(&self) -> Result<String, Refusal> {
        let Self { caller, view, .. } = self;
        let children = caller.children(self.call);
        let Some((called, arguments)) = children.split_first() else { return Err(Refusal::NoPlace) };
        let mut given: Vec<String> = Vec::new();
        let mut taken: Vec<String> = Vec::new();
        let mut captured = String::new();
        if let Some(name) = &self.object {
            let Object { text, ends, is_first } = self.object_given(caller.inner(*called), arguments)?;
            let record = view.function.of.map(|record| &view.tree.records[record as usize]);
            let class = record.filter(|record| record.arguments.is_empty() && !record.name.is_empty());
            let class = class.ok_or_else(|| Refusal::Uses("a class whose name cannot be written".to_owned()))?;
            let is_const = if view.function.is_const_method { "const " } else { "" };
            let class = format!("{is_const}::{} ", class.qualified_name);
            match (is_first, ends) {
                // The object is evaluated before the arguments, as what is captured is.
                (true, true) => return Err(Refusal::Uses("arguments whose order matters".to_owned())),
                (true, false) => captured = format!("&{name} = static_cast<{class}&>({text})"),
                // What ends with the call is held until then.
                (false, _) => {
                    given.push(text);
                    taken.push(format!("{class}{}{name}", if ends && is_const.is_empty() { "&&" } else { "&" }));
                }
            }
        }
        // What stands before a method that needs no object is evaluated all the same.
        let stands_before = |node: u32| !caller.effects(node, &caller.shared()).is_pure();
        if self.object.is_none() && caller.tree.children(caller.inner(*called)).any(stands_before) {
            return Err(Refusal::Uses("an object that is needed for nothing".to_owned()));
        }
        for (at, argument) in arguments.iter().enumerate() {
            given.push(match caller.range(*argument).is_empty() {
                true => self.default_argument(at)?,
                false => caller.slice(*argument).to_owned(),
            });
        }
        for (parameter, of) in view.function.parameters.iter().zip(&self.parameters) {
            taken.push(declared(view, of, &view.tree.thing(*parameter).name)?);
        }
        let body = names::rewritten(caller, view, self.object.as_deref())?;
        let noexcept = self.head()?;
        let result = declared(view, self.result, "")?;
        Ok(format!("[{captured}]({}){noexcept} -> {} {body}({})", taken.join(", "), result.trim(), given.join(", ")))
    }

    /// The object that a method is called with.
    fn object_given(&self, called: u32, arguments: &[u32]) -> Result<Object, Refusal> {
        let Self { caller, .. } = self;
        let mut objects = caller.tree.children(called).filter(|child| caller.kind(*child) != NodeKind::TypeName);
        let Some(object) = objects.next().filter(|object| caller.range(*object) != caller.range(called)) else {
            return Ok(Object { text: "*this".to_owned(), ends: false, is_first: false });
        };
        let inner = caller.inner(object);
        if !caller.node(caller.bare(object)).is_written {
            return Err(Refusal::FromMacro("an object".to_owned()));
        }
        let shared = caller.shared();
        let effects = caller.effects(object, &shared);
        let is_free = arguments.iter().all(|argument| effects.commutes_with(&caller.effects(*argument, &shared)));
        let (text, ends) = self.place_text(object, inner)?;
        Ok(Object { text, ends, is_first: !is_free && !is_fixed(caller, inner) })
    }

    /// An object as it is written, and whether it ends with the call.
    fn place_text(&self, object: u32, inner: u32) -> Result<(String, bool), Refusal> {
        let Self { caller, .. } = self;
        let shape_of = |of: Option<u32>| of.map(|of| &caller.tree.type_(of).shape);
        let is_address = matches!(shape_of(caller.node(inner).type_), Some(Shape::Pointer { .. }));
        let function = caller.node(inner).thing.map(|thing| caller.tree.thing(thing));
        let function = function.filter(|_| caller.kind(inner) == NodeKind::Call);
        match (caller.kind(inner), function.map(|function| function.name.as_str())) {
            // An arrow of a class gives an address.
            (_, Some("operator->")) if is_address => {
                let holder = caller.tree.children(inner).next().ok_or(Refusal::NoPlace)?;
                Ok((format!("*{}.operator->()", caller.operand(holder)), false))
            }
            (_, Some(name)) if name.starts_with("operator") => {
                Err(Refusal::Uses("an object that an operator gives".to_owned()))
            }
            _ if is_address => Ok((format!("*{}", caller.operand(object)), false)),
            (NodeKind::Name | NodeKind::Member | NodeKind::Subscript | NodeKind::Unary(_), _) => {
                Ok((caller.slice(object).to_owned(), false))
            }
            (NodeKind::Call | NodeKind::Cast, _) => {
                let is_place = match shape_of(function.and_then(|function| function.type_)) {
                    Some(Shape::Function { result, .. }) => {
                        matches!(shape_of(Some(*result)), Some(Shape::Reference { is_rvalue: false, .. }))
                    }
                    _ => false,
                };
                Ok((caller.slice(object).to_owned(), !is_place))
            }
            _ => Err(Refusal::Uses("an object whose place is not known".to_owned())),
        }
    }

    /// What a function says that it takes where nothing is given: a literal.
    fn default_argument(&self, number: usize) -> Result<String, Refusal> {
        let unknown = || Refusal::Uses("a default argument".to_owned());
        let text = self.view.text;
        let at = self.view.tree.thing(self.view.function.thing).at.ok_or_else(unknown)? as usize;
        let rest = text.get(at..).unwrap_or_default();
        let end = rest.find([';', '{']).ok_or_else(unknown)?;
        let tokens: Vec<_> = lex(&rest[..end]).into_iter().filter(|token| token.kind != Kind::Comment).collect();
        let (mut depth, mut parameter, mut value) = (0_usize, 0, None::<Vec<&str>>);
        for token in &tokens {
            let word = token.text(rest);
            match word {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "<" | ">" if value.is_none() && parameter <= number => return Err(unknown()),
                "," if depth == 1 => parameter += 1,
                "=" if depth == 1 && parameter == number => value = Some(Vec::new()),
                _ if depth == 1 && parameter == number => value.iter_mut().for_each(|words| words.push(word)),
                _ => {}
            }
            if depth == 0 && word == ")" {
                break;
            }
        }
        let is_literal = |word: &str| {
            matches!(word, "true" | "false" | "nullptr")
                || word.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '"' | '\''))
        };
        match value.as_deref() {
            Some([word]) if is_literal(word) => Ok((*word).to_owned()),
            Some(["-", word]) if is_literal(word) => Ok(format!("-{word}")),
            _ => Err(unknown()),
        }
    }
}

/// Whether a call names the class whose method it means.
fn is_qualified(view: &View<'_>, call: u32) -> bool {
    let called = view.tree.children(call).next().map(|called| view.inner(called));
    called.is_some_and(|called| view.cut(view.range(called)).contains("::"))
}

/// Whether an expression is the same place whatever happens: a variable or a part of it, but for what a reference or an address
/// leads to.
fn is_fixed(view: &View<'_>, node: u32) -> bool {
    match view.kind(node) {
        NodeKind::This => true,
        NodeKind::Name => true,
        NodeKind::Member if view.is_of_own_object(node) => !is_reference(view, node),
        NodeKind::Member => {
            let base = view.only_child(node).map(|base| view.inner(base));
            let is_object = |base: u32| {
                view.type_of(base).is_some_and(|of| matches!(of.shape, Shape::Record(_)))
                    || view.kind(base) == NodeKind::This
            };
            !is_reference(view, node) && base.is_some_and(|base| is_object(base) && is_fixed(view, base))
        }
        _ => false,
    }
}

fn is_reference(view: &View<'_>, node: u32) -> bool {
    let of = view.node(node).thing.and_then(|thing| view.tree.thing(thing).type_);
    of.is_none_or(|of| matches!(view.tree.type_(of).shape, Shape::Reference { .. }))
}

/// A parameter of a type, or the type alone, as it can be written anywhere.
fn declared(view: &View<'_>, of: &Type, name: &str) -> Result<String, Refusal> {
    let mut plain = of.clone();
    plain.spelling = of.canonical.replace("(anonymous namespace)::", "");
    let written = view.declaration_of(&plain, name).filter(|written| !written.contains("type-parameter"));
    written.ok_or_else(|| Refusal::Uses("a type that has no name".to_owned()))
}
