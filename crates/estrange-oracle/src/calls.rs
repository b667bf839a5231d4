//! The harness of a function of C++: lines behind the unit's text that call it, make objects, and look into them.
//!
//! All types are written with their full scopes, as code at global scope needs them, in the names of the rewrite.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use estrange_clang::{Body, FunctionKind, Shape, Tree};

use crate::callee::{Callee, entries};
use crate::copies;
use crate::instance::Instance;
use crate::plan::{Family, Maker, Plan};
use crate::renaming::{renamed_variable, with_names};
use crate::types::spelled_whole;

/// What the lines of every harness need: reading values at addresses, reporting exceptions, headers.
const OPENING: &str = r#"

/* The harness. */
#include <new>
#include <exception>
#include <sstream>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
extern "C" void estrange_threw(const char *estrange_type, const char *estrange_what);
static_assert(sizeof(std::string) == 32 && sizeof(std::stringstream) <= 512, "the layout that the runtime knows");
#define ESTRANGE_BARE __attribute__((__no_sanitize_address__, __no_sanitize_undefined__))
namespace {
template <class T> struct estrange_value {
    ESTRANGE_BARE static T &&get(void *at) { return static_cast<T &&>(*static_cast<typename std::remove_cv<T>::type *>(at)); }
};
template <class T> struct estrange_value<T &> {
    ESTRANGE_BARE static T &get(void *at) { return **static_cast<typename std::remove_reference<T>::type **>(at); }
};
template <class T> struct estrange_value<T &&> {
    ESTRANGE_BARE static T &&get(void *at) { return static_cast<T &&>(**static_cast<T **>(at)); }
};
template <class T> ESTRANGE_BARE void *estrange_default(void *at, std::true_type) { return ::new (at) T(); }
template <class T> ESTRANGE_BARE void *estrange_default(void *, std::false_type) { return 0; }
template <class T> ESTRANGE_BARE void estrange_end(T *at) { at->~T(); }
ESTRANGE_BARE void estrange_caught() {
    try { throw; }
    catch (const std::exception &error) {
        const char *type = typeid(error).name();
        estrange_threw(type[0] == 'S' || (type[0] == 'N' && type[1] == 'S') ? type : "", error.what());
    }
    catch (const std::string &text) { estrange_threw("text", text.c_str()); }
    catch (const char *text) { estrange_threw("text", text); }
    catch (...) { estrange_threw("", ""); }
}
typedef void (*estrange_see)(long which, const void *at, long length);
template <class T> ESTRANGE_BARE void estrange_see_stream(T &stream, estrange_see see) {
    see(2, 0, stream.rdstate()), see(2, 0, stream.flags()), see(2, 0, stream.precision()), see(2, 0, stream.width());
    see(2, 0, stream.fill());
}
}
"#;

/// What a harness of C++ calls.
#[derive(Debug, Clone)]
pub(crate) struct Calls {
    kind: FunctionKind,
    /// Its name, what it belongs to, and what its template is given.
    name: String,
    outer: Option<String>,
    arguments: String,
    /// The class that it is a method of, and whether its object stays as it is.
    class: Option<String>,
    is_const: bool,
    is_static: bool,
    is_friend: bool,
    parameters: Vec<String>,
    returned: Returned,
    globals: Vec<String>,
    makers: Vec<Maker>,
}

/// What a call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Returned {
    Nothing,
    Value,
    Reference,
}

impl Calls {
    pub(crate) fn of(tree: &Tree, text: &str, body: &Body, plan: &Plan, instance: Option<&Instance>) -> Self {
        let thing = tree.thing(body.thing);
        let (result, parameters) =
            match instance.map(|instance| instance.function).or(thing.type_).map(|type_| &tree.type_(type_).shape) {
                Some(Shape::Function { result, parameters, .. }) => (Some(*result), parameters.clone()),
                _ => (None, Vec::new()),
            };
        let returned = match result.map(|result| &tree.type_(result).shape) {
            None | Some(Shape::Void) => Returned::Nothing,
            Some(Shape::Reference { .. }) => Returned::Reference,
            Some(_) => Returned::Value,
        };
        let class = body.of.map(|of| tree.records[of as usize].qualified_name.clone());
        let class = class.or(instance.and_then(|instance| instance.class_name(tree)));
        let outer = thing.qualified_name.strip_suffix(&thing.name).and_then(|outer| outer.strip_suffix("::"));
        Self {
            kind: body.kind,
            name: thing.name.clone(),
            outer: class.clone().or(outer.map(str::to_owned)),
            arguments: match instance {
                Some(instance) => instance.arguments.clone(),
                None => specialized(text, body, &thing.name).unwrap_or_default(),
            },
            class,
            is_const: body.is_const_method,
            is_static: body.is_static_method,
            is_friend: body.is_friend,
            parameters: parameters.iter().map(|type_| spelled_whole(tree, *type_)).collect(),
            returned,
            globals: plan.global_names.clone(),
            makers: plan.makers.clone(),
        }
    }

    /// The lines for functions, each of which takes what the function takes.
    pub(crate) fn text(&self, functions: &[Callee], names: &BTreeMap<String, String>) -> String {
        let mut text = String::from(OPENING);
        for (number, maker) in self.makers.iter().enumerate() {
            text.push_str(&making(number, maker, names));
        }
        let _ = writeln!(
            text,
            "struct estrange_maker {{ void *(*make)(void *, long, void **); void (*add)(void *, void *, void *); \
             void (*each)(const void *, estrange_see); }};\n\
             static const struct estrange_maker estrange_makers[] = {{"
        );
        for (number, _) in self.makers.iter().enumerate() {
            let _ = writeln!(text, "{{estrange_make_{number}, estrange_add_{number}, estrange_each_{number}}},");
        }
        text.push_str("{0, 0, 0}};\n");
        for (number, function) in functions.iter().enumerate() {
            let _ = writeln!(
                text,
                "static ESTRANGE_BARE void estrange_call_{number}(void **estrange_a, void *estrange_r) {{ \
                 (void)estrange_a; (void)estrange_r; try {{ {}; }} catch (...) {{ estrange_caught(); }} }}",
                self.call(function, names)
            );
        }
        let _ = write!(text, "static void *const estrange_globals[] = {{");
        for global in &self.globals {
            let (outer, name) = global
                .rsplit_once("::")
                .map_or((String::new(), global.as_str()), |(outer, name)| (with_names(outer, names) + "::", name));
            let _ = write!(text, "(void *)&::{outer}{}, ", renamed_variable(&name.to_owned(), names));
        }
        let _ = writeln!(text, "(void *)0}};");
        let code = |(number, function): (usize, &Callee)| match function {
            // Only a copy has a name that no other function has.
            Callee::Copy(_) if self.kind != FunctionKind::Constructor && !self.is_friend => {
                format!("&::{}", self.own(function, names))
            }
            _ => format!("estrange_call_{number}"),
        };
        let codes: Vec<String> = functions.iter().enumerate().map(code).collect();
        text.push_str(&entries(&codes, "estrange_makers"));
        text
    }

    /// A function with what it belongs to.
    fn own(&self, function: &Callee, names: &BTreeMap<String, String>) -> String {
        let last = match function {
            // What is no identifier, as an operator, has the same name everywhere.
            Callee::Itself(_) if self.name.starts_with("operator") => self.name.clone(),
            Callee::Itself(name) => name.rsplit("::").next().unwrap_or(name).to_owned(),
            Callee::Copy(number) => copies::name_in_cpp(*number),
        };
        let outer = self.outer.as_ref().map(|outer| with_names(outer, names) + "::").unwrap_or_default();
        format!("{outer}{last}{}", with_names(&self.arguments, names))
    }

    /// The statement that calls a function.
    fn call(&self, function: &Callee, names: &BTreeMap<String, String>) -> String {
        let has_object = self.class.is_some() && !self.is_static && self.kind != FunctionKind::Constructor;
        let class = self.class.as_deref().map(|class| with_names(class, names)).unwrap_or_default();
        let place = |number: usize| number + usize::from(has_object);
        let mut handed: Vec<String> = self
            .parameters
            .iter()
            .enumerate()
            .map(|(number, type_)| {
                format!("estrange_value<{}>::get(estrange_a[{}])", with_names(type_, names), place(number))
            })
            .collect();
        let own = self.own(function, names);
        if let (FunctionKind::Constructor, Callee::Copy(number)) = (self.kind, function) {
            handed.insert(0, copies::tag(*number));
        }
        let handed = handed.join(", ");
        let object = || {
            let constant = if self.is_const { "const " } else { "" };
            format!("(*static_cast<{constant}{class} **>(estrange_a[0]))")
        };
        let call = match self.kind {
            FunctionKind::Constructor => return format!("::new (estrange_r) {class}({handed})"),
            FunctionKind::Destructor => return format!("estrange_end({})", object()),
            FunctionKind::Conversion => format!("{}->{}()", object(), with_names(&self.name, names)),
            _ if has_object => format!("{}->{own}({handed})", object()),
            _ if self.is_friend => format!("{}({handed})", own.rsplit("::").next().unwrap_or_default()),
            // Parentheses turn off argument-dependent lookup.
            _ if self.outer.is_none() => format!("({own})({handed})"),
            _ => format!("::{own}({handed})"),
        };
        match self.returned {
            Returned::Nothing => call,
            Returned::Value => format!("::new (estrange_r) typename std::remove_cv<decltype({call})>::type({call})"),
            Returned::Reference => format!(
                "*static_cast<const volatile void **>(estrange_r) = \
                 &reinterpret_cast<const volatile char &>({call})"
            ),
        }
    }
}

/// The template arguments of an explicit specialisation, in angle brackets.
fn specialized(text: &str, body: &Body, name: &str) -> Option<String> {
    let rest = text.get(body.name as usize..)?.strip_prefix(name)?.trim_start();
    let given = rest.starts_with('<').then(|| rest.find('(')).flatten()?;
    Some(rest[..given].trim_end().to_owned())
}

/// The lines that make objects of a class, put elements in, and look into them.
fn making(number: usize, maker: &Maker, names: &BTreeMap<String, String>) -> String {
    let class = with_names(&maker.class, names);
    let made = match maker.family {
        Family::AnyStream => "std::stringstream".to_owned(),
        _ => class.clone(),
    };
    let mut cases = String::new();
    for (which, taken) in maker.constructors.iter().enumerate() {
        let handed: Vec<String> = taken
            .iter()
            .enumerate()
            .map(|(place, (_, type_))| format!("estrange_value<{}>::get(a[{place}])", with_names(type_, names)))
            .collect();
        let value = match taken.is_empty() {
            true => "estrange_default<made>(at, std::is_default_constructible<made>())".to_owned(),
            false => format!("::new (at) made({})", handed.join(", ")),
        };
        // The wanted base class need not be at the start of the object.
        let value = match maker.family {
            Family::AnyStream => format!("static_cast<{class} *>({value})"),
            _ => value,
        };
        let _ = write!(cases, "case {which}: return {value}; ");
    }
    let first = "static_cast<typename made::value_type &&>(*static_cast<typename made::value_type *>(first))";
    let (add, each) = match maker.family {
        Family::Class | Family::Whole => (String::new(), String::new()),
        Family::Elements => (
            format!("made &into = *static_cast<made *>(at); into.insert(into.end(), {first});"),
            "for (const auto &one : *static_cast<const made *>(at)) see(0, &one, 0);".to_owned(),
        ),
        Family::Adaptor => (
            format!("static_cast<made *>(at)->push({first});"),
            "for (const auto &one : static_cast<const made *>(at)->c) see(0, &one, 0);".to_owned(),
        ),
        Family::Optional => (
            format!("static_cast<made *>(at)->emplace({first});"),
            "if (static_cast<const made *>(at)->has_value()) see(0, &**static_cast<const made *>(at), 0);".to_owned(),
        ),
        Family::Pairs => (
            "typedef typename made::key_type key; typedef typename made::mapped_type value; \
             static_cast<made *>(at)->emplace(static_cast<key &&>(*static_cast<key *>(first)), \
             static_cast<value &&>(*static_cast<value *>(second)));"
                .to_owned(),
            "for (const auto &one : *static_cast<const made *>(at)) { see(0, &one.first, 0); see(1, &one.second, 0); }"
                .to_owned(),
        ),
        Family::AnyStream | Family::StringStream => (
            String::new(),
            "const std::string all = static_cast<const made *>(at)->str(); see(3, all.data(), (long)all.size()); \
             estrange_see_stream(*static_cast<const made *>(at), see);"
                .to_owned(),
        ),
    };
    format!(
        "static ESTRANGE_BARE void *estrange_make_{number}(void *at, long which, void **a) {{ typedef {made} made; \
         (void)at; (void)a; try {{ switch (which) {{ {cases}default: return 0; }} }} catch (...) {{ return 0; }} }}\n\
         static ESTRANGE_BARE void estrange_add_{number}(void *at, void *first, void *second) {{ typedef {made} made; \
         (void)at; (void)first; (void)second; try {{ {add} }} catch (...) {{ }} }}\n\
         static ESTRANGE_BARE void estrange_each_{number}(const void *at, estrange_see see) {{ typedef {made} made; \
         (void)at; (void)see; {each} }}\n"
    )
}
