//! Names that say what a thing is, and nothing else: `func_0`, `var_3`, `struct_1`.

use std::collections::HashMap;

use crate::bind::{Symbol, What};
use crate::naming::{Naming, Taken};

/// Numbers the things of each role in the order of their first use.
#[derive(Debug, Default)]
pub struct Neutral {
    next: HashMap<&'static str, u32>,
}

impl Naming for Neutral {
    fn name(&mut self, symbol: &Symbol, taken: &Taken<'_>) -> Option<String> {
        let word = word(symbol.what);
        let next = self.next.entry(word).or_default();
        loop {
            let name = format!("{word}_{next}");
            *next += 1;
            // A text whose own names look like these must not keep any of them.
            if !taken.contains(&name) {
                return Some(name);
            }
        }
    }
}

fn word(what: What) -> &'static str {
    use estrange_clang::Role;
    match what {
        What::Macro => "MACRO",
        What::MacroParameter => "arg",
        What::Part => "part",
        What::Thing(Role::Function) => "func",
        What::Thing(Role::Variable) => "var",
        What::Thing(Role::Field) => "field",
        What::Thing(Role::Struct) => "struct",
        What::Thing(Role::Union) => "union",
        What::Thing(Role::Class) => "class",
        What::Thing(Role::Enumeration) => "enum",
        What::Thing(Role::Enumerator) => "ENUM_VALUE",
        What::Thing(Role::Alias) => "typedef",
        What::Thing(Role::Label) => "label",
        What::Thing(Role::Namespace) => "namespace",
        What::Thing(Role::TemplateParameter) => "type",
    }
}
