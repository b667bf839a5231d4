//! The macros that build files define for every build, read as text.
//!
//! Only what stands under no condition and names no variable counts: the rest depends on a configure step.

/// The definitions (`NAME` or `NAME=VALUE`) that a CMake file makes for all its sources.
pub(crate) fn in_cmake(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let text = without_comments(text);
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('(') {
        let command =
            before.rsplit(|letter: char| letter.is_whitespace()).next().unwrap_or_default().to_ascii_lowercase();
        let arguments = balanced(after);
        rest = &after[arguments.len()..];
        match command.as_str() {
            "if" | "function" | "macro" | "foreach" | "while" => depth += 1,
            "endif" | "endfunction" | "endmacro" | "endforeach" | "endwhile" => depth = depth.saturating_sub(1),
            "add_definitions" | "add_compile_definitions" | "target_compile_definitions" if depth == 0 => {
                let words = arguments.split_whitespace().map(|word| word.trim_matches('"'));
                let skipped = usize::from(command == "target_compile_definitions");
                found.extend(words.skip(skipped).filter_map(definition));
            }
            _ => {}
        }
    }
    found
}

/// What follows a `#` in a line may be an example, never a statement.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split('#').next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The text up to the parenthesis that closes the one already open.
fn balanced(text: &str) -> &str {
    let mut depth = 1_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..at];
        }
    }
    text
}

/// The definitions in the flag variables of a Makefile or its template.
pub(crate) fn in_makefile(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for line in without_comments(text).replace("\\\n", " ").lines() {
        let first = line.split_whitespace().next().unwrap_or_default();
        match first {
            "if" | "ifeq" | "ifneq" | "ifdef" | "ifndef" => depth += 1,
            "endif" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let assigned = line.split_once('=').filter(|_| depth == 0 && !line.starts_with('\t'));
        if let Some((_, value)) = assigned.filter(|(name, _)| name.contains("FLAGS") || name.contains("DEF")) {
            found.extend(value.split_whitespace().filter(|word| word.starts_with("-D")).filter_map(definition));
        }
    }
    found
}

/// A definition that says the same everywhere: `-D` taken off, nothing to substitute, nothing about other systems.
fn definition(word: &str) -> Option<String> {
    let word = word.strip_prefix("-D").unwrap_or(word);
    let (name, value) = word.split_once('=').unwrap_or((word, ""));
    let plain = |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let keyword = matches!(name, "PRIVATE" | "PUBLIC" | "INTERFACE");
    let elsewhere =
        ["WIN", "DLL", "APPLE", "CRT_", "DEBUG", "TEST", "UNICODE", "FORTIFY"].iter().any(|part| name.contains(part));
    let starts = name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    (starts && plain(name) && plain(value) && !keyword && !elsewhere).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unconditional_definitions_are_found() {
        let cmake = "add_definitions(-DA # Used when building\n -DB=1 -D${C})\nif(WIN32)\nadd_definitions(-DD)\nendif()\n# add_definitions(-DE)\n\
                     target_compile_definitions(toy PRIVATE F \"G=2\" $<$<CONFIG:Debug>:H>)\nadd_definitions(-D_WIN32)\n";
        assert_eq!(in_cmake(cmake), ["A", "B=1", "F", "G=2"]);
        let make = "AM_CPPFLAGS = -DA -I. \\\n  -DB=1 -DC=$(X) -DP=\\\"x\\\"\nif W\nAM_CFLAGS = -DD\nendif\n#CFLAGS=-DE\nall:\n\tcc -DFLAGS=1\n";
        assert_eq!(in_makefile(make), ["A", "B=1"]);
    }
}
