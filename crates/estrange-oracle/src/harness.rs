//! The few lines that are compiled behind a unit's text: they call the function, and say where its variables are.
//!
//! They name as little as possible of the unit, since a rewrite may have renamed it: a pointer is a `void *`, a number is
//! one of its size. What must be named goes through the names of the rewrite.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use estrange_clang::{Body, Shape, Tree};
use estrange_words::Language;

use crate::callee::{Callee, entries};
use crate::calls::Calls;
use crate::copies;
use crate::instance::Instance;
use crate::plan::Plan;
use crate::renaming::{renamed_function, renamed_variable, with_names_in_c};

/// What a harness calls, and what it hands over.
#[derive(Debug, Clone)]
pub(crate) enum Harness {
    /// A function of C.
    C(InC),
    /// A function of C++.
    Cpp(Calls),
}

impl Harness {
    /// The harness of a function with its plan.
    pub(crate) fn of(
        tree: &Tree,
        text: &str,
        body: &Body,
        plan: &Plan,
        language: Language,
        instance: Option<&Instance>,
    ) -> Self {
        match language {
            Language::C => Self::C(InC::of(tree, body, plan)),
            Language::Cpp => Self::Cpp(Calls::of(tree, text, body, plan, instance)),
        }
    }

    /// The lines for functions, each of which takes what the function takes. Names of the unit that are used go through
    /// `names`.
    pub(crate) fn text(&self, functions: &[Callee], names: &BTreeMap<String, String>) -> String {
        match self {
            Self::C(harness) => harness.text(functions, names),
            Self::Cpp(harness) => harness.text(functions, names),
        }
    }
}

/// What a harness of C calls.
#[derive(Debug, Clone)]
pub(crate) struct InC {
    name: String,
    /// The types of the parameters, as the call writes them.
    parameters: Vec<String>,
    returns: bool,
    globals: Vec<String>,
    /// The functions whose addresses follow those of the variables.
    handed: Vec<String>,
}

impl InC {
    fn of(tree: &Tree, body: &Body, plan: &Plan) -> Self {
        let name = tree.thing(body.thing).name.clone();
        let type_of = |thing: u32| tree.thing(thing).type_;
        let parameters = body.parameters.iter().filter_map(|thing| type_of(*thing)).map(|type_| machine(tree, type_));
        let result = type_of(body.thing).map(|type_| &tree.type_(type_).shape);
        let returns = match result {
            Some(Shape::Function { result, .. }) => tree.type_(*result).shape != Shape::Void,
            _ => false,
        };
        let (globals, handed) = (plan.global_names.clone(), plan.function_names.clone());
        Self { name, parameters: parameters.collect(), returns, globals, handed }
    }

    fn text(&self, functions: &[Callee], names: &BTreeMap<String, String>) -> String {
        let functions: Vec<String> = functions
            .iter()
            .map(|function| match function {
                Callee::Itself(name) => name.clone(),
                Callee::Copy(number) => copies::name_in_c(&self.name, *number),
            })
            .collect();
        let mut text = String::from("\n\n/* The harness. */\n");
        let renamed = |name: &String| renamed_variable(name, names).clone();
        let handed: Vec<String> = self
            .parameters
            .iter()
            .enumerate()
            .map(|(number, type_)| format!("*({} *)estrange_a[{number}]", with_names_in_c(type_, names)))
            .collect();
        let handed = handed.join(", ");
        for (number, function) in functions.iter().enumerate() {
            let call = format!("({function})({handed})");
            let whole = match self.returns {
                true => format!("*(__typeof__({call}) *)estrange_r = {call}"),
                false => call,
            };
            let _ = writeln!(
                text,
                "static __attribute__((__no_sanitize_address__, __no_sanitize_undefined__)) void \
                 estrange_call_{number}(void **estrange_a, void *estrange_r) {{ (void)estrange_a; (void)estrange_r; \
                 {whole}; }}"
            );
        }
        let _ = write!(text, "static void *const estrange_globals[] = {{");
        for global in &self.globals {
            let _ = write!(text, "(void *)&{}, ", renamed(global));
        }
        for function in &self.handed {
            let _ = write!(text, "(void *){}, ", renamed_function(function, names));
        }
        let _ = writeln!(text, "(void *)0}};");
        text.push_str(&entries(&functions, "0"));
        text
    }
}

/// A type as the processor sees it; a struct by its name.
fn machine(tree: &Tree, type_: u32) -> String {
    let described = tree.type_(type_);
    match &described.shape {
        Shape::Boolean => "_Bool".to_owned(),
        Shape::Integer { bits, is_signed, .. } => {
            let name = match bits {
                8 => "char",
                16 => "short",
                32 => "int",
                64 => "long",
                _ => "__int128",
            };
            format!("{} {name}", if *is_signed { "signed" } else { "unsigned" })
        }
        Shape::Floating { bits: 32 } => "float".to_owned(),
        Shape::Floating { bits: 64 } => "double".to_owned(),
        Shape::Floating { .. } => "long double".to_owned(),
        Shape::Enumeration(number) => machine(tree, tree.enumerations[*number as usize].of),
        Shape::Pointer { .. } | Shape::Array { .. } | Shape::Function { .. } => "void *".to_owned(),
        _ => described.spelling.clone(),
    }
}
