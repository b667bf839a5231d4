//! What kind of type a message names.

/// The words that integers are made of, and names of theirs that a compiler may not resolve.
const INTEGERS: &[&str] = &[
    "int",
    "long",
    "short",
    "char",
    "signed",
    "unsigned",
    "bool",
    "_Bool",
    "__int128",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "wchar_t",
    "char8_t",
    "char16_t",
    "char32_t",
];

/// Whether it is a pointer, or an array or a function, which become pointers.
pub fn is_pointer(name: &str) -> bool {
    let name = bare(name);
    name.ends_with('*') || name.contains("(*)") || is_array(name) || is_function(name)
}

/// Whether it is an array, or a reference to one.
pub fn is_array(name: &str) -> bool {
    let name = bare(name);
    name.ends_with(']') && !name.contains("(*)") && !name.contains("lambda")
}

/// Whether it is a function or a pointer to one.
pub fn is_function(name: &str) -> bool {
    let name = bare(name);
    name.ends_with(')') && name.contains('(') && !name.ends_with("(anonymous)") && !name.contains("lambda")
}

/// Whether it is an integer or an enumeration of C.
pub fn is_integer(name: &str) -> bool {
    let mut words = bare(name).split_whitespace().filter(|word| !matches!(*word, "const" | "volatile")).peekable();
    if words.peek() == Some(&"enum") {
        return !name.contains('*');
    }
    words.peek().is_some() && words.all(|word| INTEGERS.contains(&word))
}

/// A type without a reference or qualifiers at its end.
fn bare(name: &str) -> &str {
    let mut name = name.trim();
    loop {
        let cut = ["const", "volatile", "restrict", "__restrict", "&", "noexcept"]
            .iter()
            .find_map(|end| name.strip_suffix(end));
        match cut.map(str::trim_end) {
            Some(shorter)
                if !shorter.is_empty() && !shorter.ends_with(|c: char| c.is_alphanumeric() && name.ends_with('_')) =>
            {
                name = shorter;
            }
            _ => return name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_types_are_told_apart() {
        for pointer in ["char*", "const char *const", "int (*)(void *, int)", "char [16]", "char (&)[3]", "void (int)"]
        {
            assert!(is_pointer(pointer) && !is_integer(pointer), "{pointer}");
        }
        for integer in ["int", "const unsigned long", "bool &", "enum level", "long unsigned int", "char"] {
            assert!(is_integer(integer) && !is_pointer(integer), "{integer}");
        }
        for other in ["double", "struct a", "std::vector<int*>", "interval", "store::Point", "const"] {
            assert!(!is_integer(other) && !is_pointer(other), "{other}");
        }
        assert!(is_array("int [2][3]") && !is_array("int (*)[3]") && is_function("int (*)(int)"));
    }
}
