//! What a function takes and gives, from its signature and from what is said of its pointers.

use std::collections::BTreeMap;

use estrange_words::Language;
use serde::Deserialize;

use crate::length::Length;
use crate::types::{Kind, Record, Type, split_name, split_outside, without_const};

/// A function's signature with a meaning for each parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interface {
    /// The function's name.
    pub name: String,
    /// What it returns.
    pub result: Returned,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
}

/// What a function returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returned {
    /// Nothing.
    Nothing,
    /// A value.
    Value(Type),
    /// A pointer to the first of so many elements; it may be null.
    Array(Type, Length),
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What its argument is cast to.
    pub cast: String,
    /// How its argument is made.
    pub passing: Passing,
    /// Whether what it leads to is looked at after the call.
    pub is_output: bool,
}

/// How an argument is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passing {
    /// A value, or a reference to one.
    Value(Type),
    /// A pointer to one value.
    Cell(Type),
    /// A pointer to elements.
    Array(Array),
    /// A pointer to a text that may be written to, in a buffer of so many bytes, or of exactly as many as the text takes.
    Buffer(Option<Length>),
}

/// An array that is passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Array {
    /// What its elements are.
    pub element: Type,
    /// How many there is room for, in each dimension.
    pub dimensions: Vec<Length>,
    /// Whether it is an array of pointers to its rows.
    pub is_rows: bool,
    /// How many the function has written; all unless told.
    pub filled: Option<Length>,
}

/// What is said of a pointer, or of `return`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// It leads to elements: how many there is room for, in each dimension.
    pub array: Option<Vec<String>>,
    /// How many of them the function has written.
    pub filled: Option<String>,
    /// It leads to a buffer for a text: how many bytes.
    pub buffer: Option<String>,
}

/// A structure, as it is declared in a problem.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Structure {
    /// How it is spelled, such as `struct node`.
    pub name: String,
    /// Its fields as they are declared.
    pub fields: Vec<String>,
}

impl Interface {
    /// Reads a signature such as `size_t count(const int *values, size_t length)`.
    pub(crate) fn read(
        signature: &str,
        roles: &BTreeMap<String, Role>,
        structures: &[Structure],
        language: Language,
    ) -> Result<Self, String> {
        let mut known = Vec::new();
        for each in structures {
            known.push(Record::read(&each.name, &each.fields, &known)?);
        }
        let (before, declared) = divided(signature)?;
        let (result, name) = split_name(before)?;
        let declared: Vec<&str> = split_outside(declared, ',');
        let declared = if declared == ["void"] || declared == [""] { Vec::new() } else { declared };
        let mut split = Vec::new();
        for parameter in &declared {
            // The dimensions of an array come behind its name.
            let (front, dimensions) = parameter.split_at(parameter.find('[').unwrap_or(parameter.len()));
            let (type_, name) = split_name(front)?;
            split.push((type_, name, dimensions.replace(' ', "")));
        }
        let names: Vec<String> = split.iter().map(|(_, name, _)| name.clone()).collect();
        for (place, name) in names.iter().enumerate() {
            if names[..place].contains(name) {
                return Err(format!("there are two parameters named `{name}`"));
            }
        }
        if let Some(other) = roles.keys().find(|role| *role != "return" && !names.contains(role)) {
            return Err(format!("`{other}` is no parameter"));
        }
        let reader = Reader { known: &known, names: &names, language };
        let parameters = split
            .iter()
            .map(|(type_, name, dimensions)| reader.parameter(type_, name, dimensions, roles.get(name)))
            .collect::<Result<_, _>>()?;
        let result = reader.result(&result, roles.get("return"))?;
        Ok(Self { name, result, parameters })
    }

    /// The type of a parameter's value, as cases write it.
    pub(crate) fn value_type(&self, number: usize) -> Type {
        match &self.parameters[number].passing {
            Passing::Value(of) | Passing::Cell(of) => of.clone(),
            Passing::Array(array) => array.nested(),
            Passing::Buffer(_) => text(),
        }
    }

    /// The type of its result, as cases write it.
    pub(crate) fn result_type(&self) -> Option<Type> {
        match &self.result {
            Returned::Nothing => None,
            Returned::Value(of) => Some(of.clone()),
            Returned::Array(element, _) => Some(sequence(element.clone())),
        }
    }
}

impl Array {
    /// The type that cases write it in: lists in lists.
    fn nested(&self) -> Type {
        self.dimensions.iter().fold(self.element.clone(), |of, _| sequence(of))
    }
}

fn sequence(of: Type) -> Type {
    Type { spelling: format!("{}[]", of.spelling), kind: Kind::Sequence(Box::new(of)) }
}

fn text() -> Type {
    Type { spelling: "char *".to_owned(), kind: Kind::Text }
}

/// What is before and what is within the outermost brackets of a signature.
fn divided(signature: &str) -> Result<(&str, &str), String> {
    let text = signature.trim().trim_end_matches(';').trim_end();
    let inner = text.strip_suffix(')').and_then(|text| text.split_once('('));
    match inner {
        Some((before, inner)) if !inner.contains(['(', ')', '=']) => Ok((before.trim(), inner.trim())),
        _ => Err(format!("`{text}` is no signature of a function whose parameters are values and pointers to them")),
    }
}

/// The name of the function that a signature declares; nothing if it is none.
pub(crate) fn name_in(signature: &str) -> Option<String> {
    let before = signature.split_once('(')?.0;
    split_name(before).ok().map(|(_, name)| name)
}

/// What is needed to read a parameter.
struct Reader<'a> {
    known: &'a [Record],
    names: &'a [String],
    language: Language,
}

impl Reader<'_> {
    fn parameter(&self, declared: &str, name: &str, brackets: &str, role: Option<&Role>) -> Result<Parameter, String> {
        let is_reference = declared.ends_with('&');
        let base = declared.trim_end_matches('&').trim();
        if is_reference && self.language == Language::C || declared.ends_with("&&") {
            return Err(format!("`{name}` is a reference of a kind that nothing can be passed by"));
        }
        // `int grid[][4]` is `int (*grid)[4]`, and its memory that of `int *grid`.
        let inner = brackets.split_once(']').map_or("", |(_, inner)| inner);
        let (base, cast) = match (brackets, inner) {
            ("", _) => (base.to_owned(), base.to_owned()),
            (_, "") => (format!("{base} *"), format!("{base} *")),
            _ => (format!("{base} *"), format!("{base} (*){inner}")),
        };
        let is_const = match base.rfind('*') {
            // What it leads to, not the pointer itself.
            Some(at) => {
                base[..at].trim_end().ends_with("const") || base.starts_with("const") && base.matches('*').count() == 1
            }
            None => base.starts_with("const") || base.ends_with("const"),
        };
        let passing = self.passing(&base, name, role)?;
        let is_output = match &passing {
            Passing::Value(of) => !is_const && (is_reference || matches!(of.kind, Kind::List(_) | Kind::Tree(_))),
            Passing::Array(array) if array.is_rows => !is_const && !base.trim_start().starts_with("const"),
            _ => !is_const,
        };
        Ok(Parameter { name: name.to_owned(), cast, passing, is_output })
    }

    fn passing(&self, base: &str, name: &str, role: Option<&Role>) -> Result<Passing, String> {
        let length = |text: &String| Length::read(text, self.names);
        let clean = without_const(base);
        let to = clean.strip_suffix('*').map(|to| to.trim_end().to_owned());
        if let Some(role) = role {
            let Some(to) = to else { return Err(format!("`{name}` is no pointer, so that nothing can be said of it")) };
            return match (&role.array, &role.buffer) {
                (Some(dimensions), None) => {
                    let dimensions: Vec<Length> = dimensions.iter().map(length).collect::<Result<_, _>>()?;
                    let filled = role.filled.as_ref().map(length).transpose()?;
                    if dimensions.is_empty() {
                        return Err(format!("`{name}` is an array without a dimension"));
                    }
                    // Rows are pointed to only where there are two dimensions, and texts are pointers by themselves.
                    let row = to.strip_suffix('*').map(str::trim_end).filter(|_| dimensions.len() == 2);
                    let row = row.filter(|row| Type::read(row, self.known).is_ok());
                    let element = Type::read(row.unwrap_or(&to), self.known)?;
                    Ok(Passing::Array(Array { element, dimensions, is_rows: row.is_some(), filled }))
                }
                (None, Some(room)) if to == "char" => Ok(Passing::Buffer(Some(length(room)?))),
                _ => Err(format!("`{name}` must be said to be an array or a buffer of characters")),
            };
        }
        match (Type::read(base, self.known), to) {
            (Ok(of), _) if of.kind == Kind::Text && !base.contains("const") => Ok(Passing::Buffer(None)),
            (Ok(of), _) => Ok(Passing::Value(of)),
            (Err(_), Some(to)) => {
                Type::read(&to, self.known).map(Passing::Cell).map_err(|why| format!("`{name}`: {why}"))
            }
            (Err(why), None) => Err(format!("`{name}`: {why}")),
        }
    }

    fn result(&self, declared: &str, role: Option<&Role>) -> Result<Returned, String> {
        let plain = declared.trim_start_matches("static ").trim_end_matches('&').trim();
        let clean = without_const(plain);
        match role {
            Some(Role { array: Some(dimensions), filled: None, buffer: None }) if dimensions.len() == 1 => {
                let Some(to) = clean.strip_suffix('*') else { return Err("what is returned is no pointer".to_owned()) };
                Ok(Returned::Array(Type::read(to, self.known)?, Length::read(&dimensions[0], self.names)?))
            }
            Some(_) => Err("of `return`, only the length of an array can be said".to_owned()),
            None if clean == "void" => Ok(Returned::Nothing),
            None => Type::read(plain, self.known).map(Returned::Value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(signature: &str, roles: &str) -> Result<Interface, String> {
        let roles: BTreeMap<String, Role> = toml::from_str(roles).unwrap();
        Interface::read(signature, &roles, &[], Language::Cpp)
    }

    #[test]
    fn pointers_have_the_meaning_that_is_said() {
        let read = read(
            "size_t keep(const int *values, size_t count, int *kept, char *note, int grid[][4], const char *const *words)",
            "values = { array = ['count'] }\nkept = { array = ['count'], filled = 'return' }\nnote = { buffer = '8' }\n\
             grid = { array = ['count', '4'] }\nwords = { array = ['count'] }",
        )
        .unwrap();
        assert_eq!(read.name, "keep");
        assert_eq!(
            read.parameters.iter().map(|each| each.is_output).collect::<Vec<_>>(),
            [false, false, true, true, true, false]
        );
        let Passing::Array(words) = &read.parameters[5].passing else { panic!() };
        assert!(words.element.kind == Kind::Text && !words.is_rows);
        assert_eq!(
            (read.parameters[4].cast.as_str(), read.parameters[5].cast.as_str()),
            ("int (*)[4]", "const char *const *")
        );
    }

    #[test]
    fn references_are_outputs_unless_const() {
        let read = read("void f(std::vector<int> &a, const std::string& b, double *c)", "").unwrap();
        assert_eq!(read.parameters.iter().map(|each| each.is_output).collect::<Vec<_>>(), [true, false, true]);
        assert!(matches!(read.parameters[2].passing, Passing::Cell(_)) && read.result == Returned::Nothing);
    }

    #[test]
    fn what_cannot_be_passed_is_refused() {
        for signature in ["int f(int (*g)(int))", "int f(FILE *f)", "int f(int, int)", "int f", "int f(int a, int a)"] {
            assert!(read(signature, "").is_err(), "{signature}");
        }
        assert!(read("int f(int a)", "b = { buffer = '3' }").is_err());
    }
}
