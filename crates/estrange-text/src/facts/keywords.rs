//! The keywords of C and C++.

use estrange_words::Language;

/// The words of C, up to C23. Sorted, for the search.
const C: [&str; 59] = [
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_BitInt",
    "_Bool",
    "_Complex",
    "_Decimal128",
    "_Decimal32",
    "_Decimal64",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "alignas",
    "alignof",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "nullptr",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "struct",
    "switch",
    "thread_local",
    "true",
    "typedef",
    "typeof",
    "typeof_unqual",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
];

/// Sorted, for the search.
const CPP: [&str; 92] = [
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
];

/// Whether `word` is a keyword of the language: C up to C23, or C++ up to C++20 with its words for operators.
pub fn is_keyword(word: &str, language: Language) -> bool {
    index(word, language).is_some()
}

/// The number of a keyword within its language, below 128.
pub(super) fn index(word: &str, language: Language) -> Option<usize> {
    match language {
        Language::C => C.binary_search(&word).ok(),
        Language::Cpp => CPP.binary_search(&word).ok(),
    }
}

/// A set of keywords.
#[derive(Default)]
pub(super) struct Seen(u128);

impl Seen {
    pub(super) fn mark(&mut self, index: usize) {
        self.0 |= 1 << index;
    }

    pub(super) fn count(&self) -> usize {
        self.0.count_ones() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found() {
        for (language, words) in [(Language::C, C.as_slice()), (Language::Cpp, CPP.as_slice())] {
            assert!(words.len() < 128 && words.is_sorted());
            assert!(words.iter().all(|word| is_keyword(word, language)));
        }
        assert!(!is_keyword("class", Language::C) && !is_keyword("restrict", Language::Cpp));
    }
}
