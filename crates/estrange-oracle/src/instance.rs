//! A template is run as an instance for plain types: lines behind the unit name the instance, and the parser tells its
//! types.

use std::collections::BTreeMap;

use estrange_clang::{Body, FunctionKind, Shape, TemplateParameter, Tree};

use crate::renaming::with_names;
use crate::types::spelled;

/// What is given for a type, in the order in which it is tried.
pub(crate) const TYPES: [&str; 4] = ["int", "std::string", "__typeof__(const char *)", "char"];
/// What is given for a value.
const VALUE: &str = "4";

/// Turns the type of a method into the type of a function.
const TYPE_OF_METHOD: &str = "
#include <string>
template <class F> struct estrange_type;
template <class R, class C, class... A> struct estrange_type<R (C::*)(A...)> { typedef R type(A...); };
template <class R, class C, class... A> struct estrange_type<R (C::*)(A...) const> { typedef R type(A...); };
template <class R, class... A> struct estrange_type<R (*)(A...)> { typedef R type(A...); };
#ifdef __cpp_noexcept_function_type
template <class R, class C, class... A> struct estrange_type<R (C::*)(A...) noexcept> { typedef R type(A...); };
template <class R, class C, class... A> struct estrange_type<R (C::*)(A...) const noexcept> { typedef R type(A...); };
template <class R, class... A> struct estrange_type<R (*)(A...) noexcept> { typedef R type(A...); };
#endif
";

/// An instance of a function's template.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    /// The class that it is a method of.
    pub(crate) class: Option<u32>,
    /// The type of the function.
    pub(crate) function: u32,
    /// What the function's own template is given, in angle brackets.
    pub(crate) arguments: String,
    /// What is given for a type.
    pub(crate) given: String,
}

impl Instance {
    /// Lines that name the instance with a type; none if they cannot be written.
    pub(crate) fn lines(tree: &Tree, body: &Body, type_: &str) -> Option<String> {
        let thing = tree.thing(body.thing);
        let outer = thing.qualified_name.strip_suffix(&thing.name).and_then(|outer| outer.strip_suffix("::"));
        let own = given(&body.template_parameters, type_);
        let mut lines = String::from(TYPE_OF_METHOD);
        let name = match outer {
            Some(outer) => format!("{outer}{}::{}", given(&body.class_parameters, type_), thing.name),
            None => thing.name.clone(),
        };
        if let (Some(outer), true) = (outer, body.kind != FunctionKind::Free) {
            let class = format!("{outer}{}", given(&body.class_parameters, type_));
            lines.push_str(&format!("static_assert(sizeof({class}) > 0, \"\");\nstatic {class} *estrange_class;\n"));
        }
        // What is given stands in place of what the parameters name.
        let all = body.class_parameters.iter().chain(&body.template_parameters);
        let names: BTreeMap<String, String> =
            all.map(|each| (each.name.clone(), if each.is_type { type_ } else { VALUE }.to_owned())).collect();
        let written = |thing: &u32| {
            let type_of = tree.thing(*thing).type_?;
            Some(with_names(&tree.type_(type_of).spelling, &names))
        };
        let function = match body.kind {
            // No address can be had of a constructor: its parameters as they are written.
            FunctionKind::Constructor => {
                let parameters: Option<Vec<String>> = body.parameters.iter().map(written).collect();
                format!("static void (*estrange_function)({});\n", parameters?.join(", "))
            }
            FunctionKind::Destructor => "static void (*estrange_function)();\n".to_owned(),
            FunctionKind::Conversion => return None,
            FunctionKind::Free | FunctionKind::Method => {
                format!("static estrange_type<decltype(&{name}{own})>::type *estrange_function;\n")
            }
        };
        Some(lines + &function)
    }

    /// The instance that such lines name, in the tree of a text with them.
    pub(crate) fn find(tree: &Tree, body: &Body, type_: &str) -> Option<Self> {
        let pointed = |name: &str| {
            let thing = tree.things.iter().find(|thing| thing.name == name)?;
            match tree.type_(thing.type_?).shape {
                Shape::Pointer { to } => Some(to),
                _ => None,
            }
        };
        let arguments = given(&body.template_parameters, type_);
        let class = pointed("estrange_class");
        (body.kind == FunctionKind::Free || class.is_some()).then_some(Self {
            class,
            function: pointed("estrange_function")?,
            arguments,
            given: type_.to_owned(),
        })
    }

    /// The class with what it is given.
    pub(crate) fn class_name(&self, tree: &Tree) -> Option<String> {
        self.class.map(|class| spelled(tree, class))
    }
}

/// What a template is given, in angle brackets.
fn given(parameters: &[TemplateParameter], type_: &str) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let each: Vec<&str> = parameters.iter().map(|each| if each.is_type { type_ } else { VALUE }).collect();
    format!("<{}>", each.join(", "))
}
