//! The independent look at a variant: which names of the project and how many comments still stand in it.
//!
//! This shares no code with the renamer: it has a scanner of its own, knows nothing of the syntax tree or of the map of
//! names, and takes for the project's every identifier that the old text has and neither the language nor any of the
//! headers that the text includes.

use std::collections::{BTreeSet, HashSet};

use estrange_text::feature_test::is_feature_test_macro;

/// What is left in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// The names of the project, in order.
    pub names: Vec<String>,
    /// How many comments there are.
    pub comments: usize,
}

/// What is left of `old` in `new`; `owned` tells the names that headers or the language have.
pub fn left(old: &str, new: &str, owned: &dyn Fn(&str) -> bool) -> Left {
    let (old, new) = (scan(old), scan(new));
    let names: BTreeSet<&str> = new.words.intersection(&old.words).copied().filter(|name| !owned(name)).collect();
    Left { names: names.into_iter().map(str::to_owned).collect(), comments: new.comments }
}

/// The names of the project in a text.
pub fn project_names(text: &str, owned: &dyn Fn(&str) -> bool) -> HashSet<String> {
    scan(text).words.into_iter().filter(|name| !owned(name)).map(str::to_owned).collect()
}

/// All words of any text, those in strings and comments included.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !(character.is_alphanumeric() || character == '_')).filter(|word| !word.is_empty())
}

/// Whether a word is the language's or the compiler's.
pub fn is_language(word: &str) -> bool {
    const WORDS: &str = " alignas alignof and and_eq asm atomic_cancel auto bitand bitor bool break case catch char \
        char16_t char32_t char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr \
        constinit continue decltype default delete do double dynamic_cast else enum explicit export extern false float \
        for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private \
        protected public register reinterpret_cast requires restrict return short signed sizeof static static_assert \
        static_cast struct switch template this thread_local throw true try typedef typeid typename typeof union \
        unsigned using virtual void volatile wchar_t while xor xor_eq override final import module _Alignas _Alignof \
        _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local main defined define undef \
        include include_next pragma ifdef ifndef elif endif line error warning once GCC clang diagnostic push pop \
        push_macro pop_macro ignored std L u U u8 R LR uR UR u8R ";
    word.starts_with("__") || WORDS.contains(&format!(" {word} ")) || is_feature_test_macro(word)
}

struct Scanned<'t> {
    words: HashSet<&'t str>,
    comments: usize,
}

/// Goes over a text once: comments, literals, attributes and words.
fn scan(text: &str) -> Scanned<'_> {
    let bytes = text.as_bytes();
    let mut words = HashSet::new();
    let mut comments = 0;
    let mut at = 0;
    let pastes_digits = text.contains("0x##") || text.contains("0x ##");
    while at < bytes.len() {
        let rest = &bytes[at..];
        at += if rest.starts_with(b"//") {
            comments += 1;
            end_of_line(rest)
        } else if rest.starts_with(b"/*") {
            comments += 1;
            text[at + 2..].find("*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with(b"R\"") {
            raw_string(&text[at..])
        } else if matches!(rest[0], b'"' | b'\'') {
            literal(rest)
        } else if rest[0].is_ascii_digit() {
            // Numbers, with their suffixes and separators.
            rest.iter().take_while(|byte| is_word(**byte) || matches!(byte, b'.' | b'\'')).count()
        } else if is_word(rest[0]) {
            let length = rest.iter().take_while(|byte| is_word(**byte)).count();
            let word = &text[at..at + length];
            if pastes_digits && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                // The digits of a number that a macro puts together.
                length
            } else if is_attribute(word) && in_attribute(&text[..at]) {
                length
            } else if word.starts_with("__attribute") {
                length + group(&rest[length..])
            } else if word == "include" {
                end_of_line(rest)
            } else {
                words.insert(word);
                length
            }
        } else {
            1
        };
    }
    Scanned { words, comments }
}

/// Whether a word is the name of a standard attribute.
fn is_attribute(word: &str) -> bool {
    const NAMES: [&str; 11] = [
        "noreturn",
        "carries_dependency",
        "deprecated",
        "fallthrough",
        "nodiscard",
        "maybe_unused",
        "no_unique_address",
        "likely",
        "unlikely",
        "gnu",
        "clang",
    ];
    NAMES.contains(&word)
}

/// Whether what follows stands in `[[` and `]]`.
fn in_attribute(before: &str) -> bool {
    before.rfind("[[").is_some_and(|open| !before[open..].contains("]]"))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The length up to the end of the line, splices included.
fn end_of_line(bytes: &[u8]) -> usize {
    let mut escaped = false;
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\n' && !escaped {
            return at;
        }
        escaped = *byte == b'\\';
    }
    bytes.len()
}

/// The length of a string or character.
fn literal(bytes: &[u8]) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == bytes[0] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn raw_string(text: &str) -> usize {
    let Some((mark, _)) = text[2..].split_once('(') else { return 2 };
    let close = format!("){mark}\"");
    text.find(&close).map_or(text.len(), |end| end + close.len())
}

/// The length of what stands in parentheses, the space before them included.
fn group(bytes: &[u8]) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            byte if depth == 0 && !byte.is_ascii_whitespace() => return at,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_in(old: &str, new: &str) -> (Vec<String>, usize) {
        let owned = |word: &str| is_language(word) || matches!(word, "size_t" | "strlen");
        let left = left(old, new, &owned);
        (left.names, left.comments)
    }

    #[test]
    fn names_and_comments_that_stay_are_found() {
        let old = "int total(int amount) { /* all */ return amount + strlen(\"amount\"); }";
        let new = "int func_0(int amount) { return amount + strlen(\"amount\"); } // done";
        assert_eq!(left_in(old, new), (vec!["amount".to_owned()], 1));
        assert_eq!(left_in(old, "int f(int a) { return a + strlen(\"amount /* total */\"); }"), (vec![], 0));
    }

    #[test]
    fn words_of_attributes_numbers_and_headers_are_no_names() {
        let old = "#include <total.h>\nint cold __attribute__((cold, format(printf, 1, 2))); int x0 = 0x10u;";
        let new = "#include <total.h>\nint a __attribute__((cold, format(printf, 1, 2))); int b = 0x10u;";
        assert_eq!(left_in(old, new), (vec![], 0));
        assert_eq!(left_in("#define TOTAL x", "#define TOTAL y").0, ["TOTAL"]);
        let old = "[[maybe_unused]] static int total(int unlikely) { return a[unlikely]; }";
        assert_eq!(left_in(old, "[[maybe_unused]] static int f(int unlikely) { return b[unlikely]; }").0, ["unlikely"]);
    }

    #[test]
    fn digits_that_a_macro_makes_a_number_of_are_no_names() {
        let old = "#define WIDE(a, b) ((a << 32) + 0x##b##u)\nlong wide = WIDE(0x7F, FFFFFFFF);";
        let new = "#define MACRO_0(arg_0, arg_1) ((arg_0 << 32) + 0x##arg_1##u)\nlong var_0 = MACRO_0(0x7F, FFFFFFFF);";
        assert_eq!(left_in(old, new), (vec![], 0));
        assert_eq!(left_in("int FACE;", "long FACE;").0, ["FACE"]);
    }
}
