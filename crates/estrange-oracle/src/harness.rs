//! The few lines that are compiled behind a unit's text: they call the function, and say where its variables are.
//!
//! They name as little as possible of the unit, since a rewrite may have renamed it: a pointer is a `void *`, a number is
//! one of its size. What must be named goes through the names of the rewrite.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use estrange_clang::{Body, Shape, Tree};
use estrange_evidence::Language;

use crate::calls::Calls;
use crate::copies;
use crate::instance::Instance;
use crate::plan::Plan;

/// What a harness calls, and what it hands over.
#[derive(Debug, Clone)]
pub(crate) enum Harness {
    /// A function of C.
    C(InC),
    /// A function of C++.
    Cpp(Calls),
}

/// Which of the functions of a text a harness calls.
#[derive(Debug, Clone)]
pub(crate) enum Callee {
    /// The function itself, by its name.
    Itself(String),
    /// A copy of it.
    Copy(usize),
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

/// The table by which the runtime finds functions: each with its call, its variables, where its code is, and what makes
/// objects.
pub(crate) fn entries(codes: &[String], makers: &str) -> String {
    let mut text = String::from(
        "struct estrange_function { void (*call)(void **, void *); void *const *globals; void *code; \
         const void *makers; } __attribute__((__aligned__(16)));\n\
         static struct estrange_function estrange_entries[] \
         __attribute__((__section__(\"estrange_functions\"), __used__)) = {\n",
    );
    for (number, code) in codes.iter().enumerate() {
        let _ = writeln!(text, "{{estrange_call_{number}, estrange_globals, (void *)({code}), {makers}}},");
    }
    text + "};\n"
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

/// A type of C++ with its identifiers renamed.
pub(crate) fn with_names(text: &str, names: &BTreeMap<String, String>) -> String {
    renamed(text, |before, word| {
        // What belongs to the standard library has its own names.
        let is_standard = before.ends_with("std::") || before.ends_with("std::__cxx11::");
        renamed_type(word, names).filter(|_| !is_standard)
    })
}

/// A type of C with its identifiers renamed: what stands behind `struct` is a tag, and all else the name of a type.
fn with_names_in_c(text: &str, names: &BTreeMap<String, String>) -> String {
    renamed(text, |before, word| {
        let tag = ["struct", "union", "enum"].into_iter().find(|tag| before.trim_end().ends_with(tag));
        let of_kind = names.get(&format!("{} {word}", tag.unwrap_or("typedef")));
        of_kind.or(names.get(word)).map(String::as_str)
    })
}

/// A text in which `rename` has a new name for some words, by what stands before them.
fn renamed<'n>(text: &str, rename: impl Fn(&str, &str) -> Option<&'n str>) -> String {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut renamed = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match is_part(first) {
            true => rest.find(|character| !is_part(character)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        let new = rename(&renamed, word).unwrap_or(word);
        renamed.push_str(new);
        rest = after;
    }
    renamed
}

/// The new name of a type or of what it belongs to. Where several kinds of things have a name, it says which it is of.
fn renamed_type<'n>(word: &str, names: &'n BTreeMap<String, String>) -> Option<&'n str> {
    const KINDS: [&str; 6] = ["struct", "class", "union", "enum", "namespace", "typedef"];
    let of_kind = || KINDS.iter().find_map(|kind| names.get(&format!("{kind} {word}")));
    // Most names are those of one thing.
    let plain = names.get(word)?;
    Some(of_kind().unwrap_or(plain))
}

/// The new name of a function. Where several kinds of things have its name, it says that it is one.
pub fn renamed_function<'n>(name: &'n str, names: &'n BTreeMap<String, String>) -> &'n str {
    names.get(&format!("function {name}")).or(names.get(name)).map_or(name, String::as_str)
}

/// The new name of a variable.
pub(crate) fn renamed_variable<'n>(name: &'n String, names: &'n BTreeMap<String, String>) -> &'n String {
    names.get(&format!("variable {name}")).or(names.get(name)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_type_are_renamed_as_whole_words() {
        let names = BTreeMap::from([("list".to_owned(), "a1".to_owned())]);
        assert_eq!(with_names("struct list *listing", &names), "struct a1 *listing");
        assert_eq!(with_names("std::list<my::list>", &names), "std::list<my::a1>");
        let names = BTreeMap::from([("list".to_owned(), "a1".to_owned()), ("struct list".to_owned(), "b1".to_owned())]);
        assert_eq!(with_names("const list &", &names), "const b1 &");
    }

    #[test]
    fn a_name_that_a_type_shares_is_told_by_its_kind() {
        let shared = |kind: &str| {
            BTreeMap::from([("list".to_owned(), "a1".to_owned()), (format!("{kind} list"), "b1".to_owned())])
        };
        // As `Renamed::map` of estrange-rewrite has it.
        assert_eq!(with_names("const list &", &shared("typedef")), "const b1 &");
        for (kind, tagged, plain) in [("typedef", "struct a1", "b1"), ("struct", "struct b1", "a1")] {
            assert_eq!(with_names_in_c("struct list", &shared(kind)), tagged);
            assert_eq!(with_names_in_c("list", &shared(kind)), plain);
        }
    }
}
