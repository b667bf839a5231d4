//! Types that are written and types that are deduced: `type-to-auto`, `auto-to-type`.
//!
//! `int n = size(list);` becomes `auto n = size(list);` where the value is an `int` before any conversion, and the other way
//! round where the type has a name that can be written.
//!
//! Left alone: lists, arrays, types that depend on a template or that only the compiler names.

use estrange_clang::{NodeKind, Shape, Type};
use estrange_text::lexer::Token;

use crate::refusal::Refusal;
use crate::shape::declare::Declarator;
use crate::shape::draw::Draw;
use crate::shape::edits::Edits;
use crate::shape::effects::is_scalar;
use crate::shape::site::{Site, choose};
use crate::shape::view::View;

/// What may stand before a type and stays.
const BEFORE: &[&str] = &["static", "constexpr", "const", "volatile"];

pub(super) fn to_auto(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = declared(view).filter_map(|(declaration, declarator)| {
        let tokens = specifiers(view, declaration, &declarator);
        let words: Vec<&str> = tokens.iter().map(|token| token.text(view.text)).collect();
        let first = words.iter().position(|word| !BEFORE.contains(word))?;
        // What stands behind the type belongs to the variable: `*`, `&`, and what is constant of it.
        let behind = words.iter().rposition(|word| !matches!(*word, "*" | "&" | "const"))? + 1;
        let is_named = words[first..behind].iter().all(|word| is_of_type_name(word)) && first < behind;
        let reaches = view.variable_node(declaration, declarator.thing)?;
        let value = view.tree.children(reaches).last()?;
        let declared = view.type_of(reaches)?;
        let (of, is_bound) = match declared.shape {
            Shape::Reference { to, is_rvalue: false } => (view.tree.type_(to), true),
            Shape::Reference { .. } => return None,
            _ => (declared, false),
        };
        if !is_named || !is_same(view, of, value, is_bound) || !is_deducible(of) {
            return None;
        }
        // The `*` of an address is deduced with it.
        let ends_with_star = words[behind..].contains(&"*");
        if ends_with_star && words[behind..] != ["*"] || words[behind..].iter().filter(|word| **word == "&").count() > 1
        {
            return None;
        }
        let range = tokens[first].start as usize..tokens[behind - 1].end as usize;
        // A `const` before an address would be one of the address.
        if ends_with_star {
            let start = tokens[words.iter().position(|word| !matches!(*word, "static" | "constexpr"))?].start as usize;
            return Some(Site::replace(start..tokens.last()?.end as usize, "auto ".to_owned()));
        }
        Some(Site::replace(range, "auto".to_owned()))
    });
    choose(sites.collect(), draw)
}

pub(super) fn from_auto(view: &View<'_>, draw: &mut Draw) -> Result<Edits, Refusal> {
    let sites = declared(view).filter_map(|(declaration, declarator)| {
        let tokens = specifiers(view, declaration, &declarator);
        let words: Vec<&str> = tokens.iter().map(|token| token.text(view.text)).collect();
        let at = words.iter().position(|word| *word == "auto")?;
        let is_plain =
            words.iter().enumerate().all(|(other, word)| other == at || BEFORE.contains(word) || *word == "&");
        let declared = view.type_of(view.variable_node(declaration, declarator.thing)?)?;
        let of = match declared.shape {
            Shape::Reference { to, is_rvalue: false } => view.tree.type_(to),
            Shape::Reference { .. } => return None,
            _ => declared,
        };
        if !is_plain || words.iter().filter(|word| **word == "&").count() > 1 {
            return None;
        }
        let name = written(view, of)?;
        // What is constant stays where it is said, but for that of an address.
        let name = match (of.is_const, name.strip_prefix("const ")) {
            (true, Some(bare)) if words.contains(&"const") && !name.contains('*') => bare.to_owned(),
            (true, _) if words.contains(&"constexpr") && !name.contains('*') => name,
            (true, _) => return None,
            (false, _) => name,
        };
        Some(Site::replace(tokens[at].range(), name))
    });
    choose(sites.collect(), draw)
}

/// The declarations of one variable with a first value behind `=`.
fn declared<'v>(view: &'v View<'_>) -> impl Iterator<Item = (u32, Declarator)> + 'v {
    let is_cpp = view.language.is_cpp();
    let all = view.all().filter(move |node| is_cpp && view.kind(*node) == NodeKind::Declaration);
    all.filter(|node| !view.is_in_local_class(*node)).filter_map(|node| {
        let declarators = view.declarators(node).ok()?;
        let [declarator] = declarators.as_slice() else { return None };
        let behind = view.word(view.token_at(declarator.name.end));
        let value = declarator.value_text(view)?;
        (behind == "=" && !value.starts_with('{')).then(|| (node, declarator.clone()))
    })
}

fn specifiers<'v>(view: &'v View<'_>, declaration: u32, declarator: &Declarator) -> &'v [Token] {
    view.tokens_in(view.range(declaration).start..declarator.name.start)
}

/// Whether a word may be a part of a type's name as it is written.
fn is_of_type_name(word: &str) -> bool {
    let is_word = word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let is_other = matches!(
        word,
        "auto"
            | "register"
            | "extern"
            | "thread_local"
            | "decltype"
            | "typeof"
            | "__typeof__"
            | "struct"
            | "class"
            | "union"
            | "enum"
            | "typename"
            | "alignas"
            | "__attribute__"
            | "const"
            | "volatile"
            | "constexpr"
            | "static"
    );
    is_word && !is_other || matches!(word, "::" | "<" | ">" | ",")
}

/// Whether `auto` can stand for a type.
fn is_deducible(of: &Type) -> bool {
    (is_scalar(&of.shape) || matches!(of.shape, Shape::Record(_))) && !of.is_volatile
}

/// Whether a value has a type before any conversion.
fn is_same(view: &View<'_>, of: &Type, value: u32, is_bound: bool) -> bool {
    let inner = as_written(view, value);
    // A number that is made for a member of some bits has another type than the member.
    let is_known = matches!(
        view.kind(inner),
        NodeKind::Name
            | NodeKind::Member
            | NodeKind::Call
            | NodeKind::Subscript
            | NodeKind::Binary(_)
            | NodeKind::Unary(_)
            | NodeKind::Integer
            | NodeKind::Floating
            | NodeKind::Character
            | NodeKind::Boolean
            | NodeKind::Cast
            | NodeKind::Conditional
            | NodeKind::This
            | NodeKind::New
    );
    let own = view.type_of(inner);
    let bare = |name: &str| -> String {
        match name.ends_with('*') {
            true => name.to_owned(),
            false => name.trim_start_matches("const ").trim_end_matches("*const").to_owned(),
        }
    };
    let is_like = own.is_some_and(|own| match is_bound {
        // What is bound has the same object; a `const` that is added is said before the type.
        true => own.canonical == of.canonical || own.canonical == bare(&of.canonical),
        false => bare(&own.canonical) == bare(&of.canonical),
    });
    is_known && is_like
}

/// The node of what is written as a value, below constructors and operators that convert it and are not.
fn as_written(view: &View<'_>, value: u32) -> u32 {
    let mut node = view.inner(value);
    loop {
        let is_all = |child: &u32| view.range(*child) == view.range(node);
        match view.tree.children(node).find(is_all) {
            Some(child) if matches!(view.kind(node), NodeKind::Call | NodeKind::Member) => node = view.inner(child),
            _ => return node,
        }
    }
}

/// A type's name as it can be written anywhere.
fn written(view: &View<'_>, of: &Type) -> Option<String> {
    let mut inner = of;
    while let Shape::Pointer { to } = inner.shape {
        inner = view.tree.type_(to);
    }
    let is_simple = match inner.shape {
        Shape::Record(record) => {
            let record = &view.tree.records[record as usize];
            record.arguments.is_empty() && !record.name.is_empty()
        }
        Shape::Enumeration(number) => !view.tree.enumerations[number as usize].name.is_empty(),
        ref shape => is_scalar(shape) || *shape == Shape::Void,
    };
    let name = &of.canonical;
    let has_none = ["unnamed", "anonymous", "lambda", "(", "<", "__"].iter().any(|part| name.contains(part));
    (is_simple && !has_none).then(|| name.clone())
}
