//! What the short words of a bench mean to a reader: classes, kinds, groups. Verdicts, stages and reasons say it themselves.

use estrange_bench::funnel::Class;
use estrange_bench::{Group, Kind, Language};

/// What a class of functions is called.
pub fn class(class: Class) -> &'static str {
    match class {
        Class::C => "C functions",
        Class::CppFree => "C++ free functions",
        Class::CppMethod => "C++ methods",
        Class::Unknown => "not known",
    }
}

/// What a function is.
pub fn kind(language: Language, kind: Kind) -> String {
    let language = language.title();
    let kind = match kind {
        Kind::Template => "function template",
        other => other.as_str(),
    };
    format!("{language} {kind}")
}

/// What a group depends on.
pub fn group(group: Group) -> &'static str {
    match group {
        Group::One => "needs the standard library only",
        Group::Two => "needs types of its project",
        Group::Three => "calls functions of its project",
    }
}

/// `o2` as a compiler's user writes it.
pub fn level(level: &str) -> String {
    match level.strip_prefix('o') {
        Some(number) if !number.is_empty() && number.len() <= 2 => format!("-O{number}"),
        _ => level.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_written_as_for_a_compiler() {
        assert_eq!(level("o2"), "-O2");
        assert_eq!(level("original"), "original");
    }
}
