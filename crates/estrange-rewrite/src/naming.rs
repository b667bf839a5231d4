//! How new names are chosen.

use std::collections::HashSet;

use estrange_text::facts::is_keyword;
use estrange_words::Language;

use crate::bind::Symbol;

/// A way to choose new names.
pub trait Naming {
    /// A new name for a symbol that is not taken; nothing if there is none. Symbols come in the order in which the
    /// function uses them, then those that only its surroundings use.
    fn name(&mut self, symbol: &Symbol, taken: &Taken<'_>) -> Option<String>;
}

/// The names that a new name must not be.
pub struct Taken<'a> {
    pub(crate) old: &'a HashSet<String>,
    pub(crate) new: HashSet<String>,
    pub(crate) is_standard: &'a dyn Fn(&str) -> bool,
}

impl Taken<'_> {
    /// Whether a name is a keyword of C or C++, one of the standard library, or already in the text or given away.
    pub fn contains(&self, name: &str) -> bool {
        self.old.contains(name)
            || self.new.contains(name)
            || is_keyword(name, Language::C)
            || is_keyword(name, Language::Cpp)
            || is_alternative(name)
            || (self.is_standard)(name)
    }
}

/// Names that compilers know besides keywords.
fn is_alternative(name: &str) -> bool {
    name.starts_with("__") || matches!(name, "main" | "asm" | "typeof" | "linux" | "unix" | "i386" | "defined")
}
