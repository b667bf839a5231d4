//! Which symbols a compiled text lacks: whether a linked unit holds all of its project that it refers to.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Display;

use estrange_sandbox::Tool;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSymbol};

use crate::gcc::GccError;

/// What tells the symbols of a project from those of the standard libraries.
pub struct Symbols<'a> {
    /// Those that the project's functions and variables have in object code.
    project: HashSet<&'a str>,
    /// Those that the standard libraries define.
    library: &'a HashSet<String>,
}

impl<'a> Symbols<'a> {
    /// The symbols of a project's declarations, some of which have none, and of the standard libraries.
    pub fn new(project: impl Iterator<Item = &'a str>, library: &'a HashSet<String>) -> Self {
        Self { project: project.filter(|symbol| !symbol.is_empty()).collect(), library }
    }

    /// Of some words of an assembly text, the symbols that it has to define: see [`Self::undefined`].
    pub fn foreign(&self, words: Vec<String>) -> Vec<String> {
        words.into_iter().filter(|word| self.is_foreign(word)).collect()
    }

    /// The words of an assembly text that may be symbols, and that it does not define.
    pub fn undefined(&self, assembly: &str) -> Vec<String> {
        let mut defined: HashSet<&str> = HashSet::new();
        let mut used: BTreeSet<&str> = BTreeSet::new();
        for line in assembly.lines() {
            if let Some(label) = line.strip_suffix(':').filter(|label| !label.starts_with(char::is_whitespace)) {
                defined.insert(label);
                continue;
            }
            let mut words = symbols_in(line);
            match line.trim_start().split_ascii_whitespace().next() {
                Some(".comm" | ".lcomm" | ".set") => defined.extend(words.nth(1)),
                // What these say of a symbol is no use of it.
                Some(
                    ".globl" | ".weak" | ".type" | ".size" | ".local" | ".hidden" | ".section" | ".string" | ".ascii",
                ) => {}
                _ => used.extend(words),
            }
        }
        used.into_iter().filter(|symbol| !defined.contains(symbol)).map(str::to_owned).collect()
    }

    /// Whether a symbol is none of a standard library. That of C++ is asked; in C, what the project does not declare
    /// is taken for the library's.
    fn is_foreign(&self, symbol: &str) -> bool {
        self.project.contains(symbol) || (symbol.starts_with("_Z") && !self.library.contains(symbol))
    }
}

/// The symbols that the shared libraries of the C and C++ standard libraries define.
///
/// # Errors
/// When g++ cannot be used, or a library cannot be read.
pub fn standard_symbols() -> Result<HashSet<String>, GccError> {
    let mut symbols = HashSet::new();
    for library in ["libstdc++.so", "libc.so.6", "libm.so.6"] {
        let place = Tool::new("g++").argument(format!("-print-file-name={library}")).run()?.text();
        let unreadable = |error: &dyn Display| GccError::Answer(format!("its {library} cannot be read: {error}"));
        let bytes = std::fs::read(place.trim()).map_err(|error| unreadable(&error))?;
        let file = ElfFile64::<Endianness>::parse(&*bytes).map_err(|error| unreadable(&error))?;
        let defined = file.dynamic_symbols().filter(|symbol| !symbol.is_undefined());
        symbols.extend(defined.filter_map(|symbol| Some(symbol.name().ok()?.to_owned())));
    }
    Ok(symbols)
}

/// The words of a line that may be symbols.
fn symbols_in(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '.' | '$'));
    // A number in an instruction begins with a dollar sign, and so does a symbol's address.
    words.map(|word| word.trim_start_matches('$')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undefined(assembly: &str) -> Vec<String> {
        let library = standard_symbols().expect("g++");
        let symbols = Symbols { project: HashSet::from(["helper", "table", "function"]), library: &library };
        symbols.foreign(symbols.undefined(assembly))
    }

    #[test]
    fn a_symbol_of_the_project_must_be_defined_and_others_need_not() {
        assert_eq!(undefined("function:\n\tcall\thelper\n\tcall\tstrlen\n"), ["helper"]);
        assert!(undefined("function:\n\tcall\thelper\nhelper:\n\tret\n").is_empty());
        assert!(undefined("\t.globl\tfunction\n\t.type\tfunction, @function\nfunction:\n\tret\n").is_empty());
        assert!(undefined("\tmovq\ttable(%rip), %rax\n\t.comm\ttable,8,8\n").is_empty());
        assert_eq!(undefined("\t.quad\ttable+8\n"), ["table"]);
    }

    #[test]
    fn what_is_mangled_must_be_defined_here_or_in_the_standard_library() {
        assert_eq!(
            undefined("\tmovl\t$_ZTV4Node+16, %eax\n\tcall\t_ZN4ListIiE3addEi@PLT\n"),
            ["_ZN4ListIiE3addEi", "_ZTV4Node"]
        );
        assert!(undefined("\t.quad\t_ZTVN10__cxxabiv117__class_type_infoE+16\n").is_empty());
        assert!(undefined("\t.quad\t_ZTISt9exception\n\tcall\t_Znwm@PLT\n").is_empty());
    }
}
