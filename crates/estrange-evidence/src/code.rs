//! What makes compilers write code for a function that nothing calls: it is marked as used, and a template is instantiated.

mod instance;
mod opening;
mod template;

use std::ops::Range;

use estrange_clang::Defined;
use estrange_words::Language;

pub use instance::{Instances, same_instance};
pub use opening::Opening;
use template::{attributes, lists, tokens, word};

/// What makes a compiler of C++ write code for a function.
const USED: &str = "__attribute__((used)) ";

/// What a unit has in common with those that are compiled together with it: language and flags, and in C++,
/// where reading them costs more than all else, headers.
pub fn compiled_with<'a>(language: Language, flags: &'a [String], unit: &'a str) -> Vec<&'a str> {
    let flags = flags.iter().map(String::as_str);
    let includes = unit.lines().filter(|line| line.starts_with("#include"));
    match language {
        Language::C => ["c"].into_iter().chain(flags).collect(),
        Language::Cpp => ["c++"].into_iter().chain(flags).chain(includes).collect(),
    }
}

/// What stands before a function so that it has code. In C++ that is an attribute; in C only those need something that
/// are `inline` and neither static nor extern. What a macro writes cannot be marked.
pub fn mark(
    unit: &str,
    range: Range<usize>,
    found: Option<&Defined>,
    language: Language,
    flags: &[String],
) -> &'static str {
    let name_at = found.map_or(range.start, |found| (found.at as usize).clamp(range.start, range.end));
    match language {
        Language::C if is_only_inline(unit, range.start..name_at, flags) => "extern ",
        Language::Cpp if found.is_some_and(|found| is_written(unit, found)) => USED,
        _ => "",
    }
}

/// A unit of C++ with code for the function that has this name and stands here, if no macro writes it.
pub fn with_code(unit: &str, name: &str, function: Range<usize>) -> String {
    let text = unit.get(function.clone()).unwrap_or_default();
    match text.contains(name.split('<').next().unwrap_or_default()) {
        true => marked(unit, function.start, USED),
        false => unit.to_owned(),
    }
}

/// Whether a function is declared `inline` and neither `static` nor `extern`, by what stands before its name.
fn is_only_inline(unit: &str, head: Range<usize>, flags: &[String]) -> bool {
    const INLINE: [&str; 3] = ["inline", "__inline", "__inline__"];
    const OTHERWISE: [&str; 4] = ["static", "extern", "gnu_inline", "__gnu_inline__"];
    let head = tokens(unit, head);
    let has = |words: &[&str]| head.iter().any(|token| words.contains(&token.text(unit)));
    // Before C99, `extern inline` meant the opposite.
    let is_old = |flag: &String| {
        matches!(flag.as_str(), "-ansi" | "-fgnu89-inline") || flag.ends_with("89") || flag.ends_with("90")
    };
    has(&INLINE) && !has(&OTHERWISE) && !flags.iter().any(is_old)
}

/// Whether a function's name stands where it is defined, and so no macro writes it.
fn is_written(unit: &str, found: &Defined) -> bool {
    let rest = unit.get(found.at as usize..).unwrap_or_default();
    // The parser names a constructor of a template with the template's arguments, and gives an operator no name.
    match found.name.split('<').next().unwrap_or_default() {
        "" => rest.starts_with("operator"),
        name => rest.starts_with(name) || rest.starts_with('~'),
    }
}

/// A text with a mark before its function: after what must come first, such as `template<>` and `extern "C"`.
pub fn marked(text: &str, start: usize, mark: &str) -> String {
    let tokens = tokens(text, start..text.len());
    let mut at = 0;
    loop {
        let (_, lists) = lists(text, &tokens[at..]);
        let attributes = attributes(text, &tokens[at..]);
        let linkage = if word(text, &tokens, at) == "extern" && word(text, &tokens, at + 1) == "\"C\"" { 2 } else { 0 };
        match lists.max(attributes).max(linkage) {
            0 => break,
            skipped => at += skipped,
        }
    }
    let place = tokens.get(at).map_or(start, |token| token.start as usize);
    format!("{}{mark}{}", &text[..place], &text[place..])
}
