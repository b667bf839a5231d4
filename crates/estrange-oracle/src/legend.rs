//! What the numbers of a plan are called in the unit, for people who read of a call.

use std::collections::BTreeMap;

/// The names that a plan's numbers have in the unit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Legend {
    /// How the function is called.
    pub(crate) function: Called,
    /// Its parameters; one without a name has none.
    pub(crate) parameters: Vec<String>,
    /// Structs, classes and enumerations, by the numbers of their types.
    pub(crate) types: BTreeMap<u64, String>,
    /// Members, by their places in the plan.
    pub(crate) fields: BTreeMap<u64, String>,
    /// The values of enumerations.
    pub(crate) values: BTreeMap<u64, Vec<(String, i64)>>,
    pub(crate) is_cpp: bool,
}

/// How a function is called.
#[derive(Debug, Clone, Default)]
pub(crate) enum Called {
    #[default]
    Unknown,
    /// By its name.
    Plain(String),
    /// As a method of its first argument.
    Method(String),
    /// As what makes an object of a class.
    Constructor(String),
}

impl Legend {
    /// What a parameter is called.
    pub(crate) fn parameter(&self, number: usize) -> String {
        match self.parameters.get(number).filter(|name| !name.is_empty()) {
            Some(name) => name.clone(),
            None => format!("argument_{number}"),
        }
    }

    /// The call with what is handed over.
    pub(crate) fn call(&self, handed: &[String]) -> String {
        match (&self.function, handed) {
            (Called::Method(name), [object, others @ ..]) => format!("{object}.{name}({})", others.join(", ")),
            (Called::Constructor(class), _) => format!("{class}({})", handed.join(", ")),
            (Called::Plain(name) | Called::Method(name), _) => format!("{name}({})", handed.join(", ")),
            (Called::Unknown, _) => format!("({})", handed.join(", ")),
        }
    }
}
