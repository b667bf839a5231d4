//! Whether a linked unit holds all of its project that it refers to: looked up in what gcc made of it.

use std::collections::HashSet;

use crate::translate::Translations;

/// The symbols that a project's functions and variables have in object code.
pub(crate) struct Symbols<'a>(HashSet<&'a str>);

impl<'a> Symbols<'a> {
    pub(crate) fn of(translations: &'a Translations) -> Self {
        let declarations = translations.units.iter().flat_map(|unit| &unit.translation.reading.declarations);
        Self(declarations.map(|one| one.symbol.as_str()).filter(|symbol| !symbol.is_empty()).collect())
    }

    /// The first symbol of the project that an assembly text refers to and does not define.
    pub(crate) fn undefined<'t>(&self, assembly: &'t str) -> Option<&'t str> {
        let mut defined: HashSet<&str> = HashSet::new();
        let mut used: Vec<&str> = Vec::new();
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
                _ => used.extend(words.filter(|word| self.0.contains(word) || is_class_data(word))),
            }
        }
        used.into_iter().find(|symbol| !defined.contains(symbol))
    }
}

/// The words of a line that may be symbols.
fn symbols_in(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '.' | '$'));
    // A number in an instruction begins with a dollar sign, and so does a symbol's address.
    words.map(|word| word.trim_start_matches('$')).filter(|word| !word.is_empty())
}

/// Whether a symbol is what the compiler keeps of a class of the project: its table of virtual functions, its type.
fn is_class_data(symbol: &str) -> bool {
    let Some(class) = symbol.strip_prefix("_ZT").and_then(|rest| rest.strip_prefix(['V', 'I', 'T', 'S'])) else {
        return false;
    };
    let standard = class.starts_with("St") || class.starts_with("NSt") || class.starts_with("N10__cxxabiv1");
    // Types without a name of their own: pointers, numbers.
    let named = class.starts_with('N') || class.starts_with(|letter: char| letter.is_ascii_digit());
    named && !standard
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undefined(assembly: &str) -> Option<&str> {
        Symbols(HashSet::from(["helper", "table", "function"])).undefined(assembly)
    }

    #[test]
    fn a_symbol_of_the_project_must_be_defined_and_others_need_not() {
        assert_eq!(undefined("function:\n\tcall\thelper\n\tcall\tstrlen\n"), Some("helper"));
        assert_eq!(undefined("function:\n\tcall\thelper\nhelper:\n\tret\n"), None);
        assert_eq!(undefined("\t.globl\tfunction\n\t.type\tfunction, @function\nfunction:\n\tret\n"), None);
        assert_eq!(undefined("\tmovq\ttable(%rip), %rax\n\t.comm\ttable,8,8\n"), None);
        assert_eq!(undefined("\t.quad\ttable+8\n"), Some("table"));
    }

    #[test]
    fn a_class_of_the_project_must_have_its_tables_and_a_standard_one_need_not() {
        assert_eq!(undefined("\tmovl\t$_ZTV4Node+16, %eax\n"), Some("_ZTV4Node"));
        assert_eq!(undefined("\t.quad\t_ZTVN10__cxxabiv117__class_type_infoE+16\n"), None);
        assert_eq!(undefined("\t.quad\t_ZTISt9exception\n"), None);
    }
}
