//! Taking directives out of a text that would change what an analyser says of it, and not what it means.

/// The text without directives that give lines other numbers or another file, and without pragmas that turn warnings off or
/// into errors. Every line stays where it is.
pub fn without_directives_for_messages(text: &str) -> String {
    let is_one = |line: &str| directive(line).is_some_and(|directive| is_line(directive) || is_pragma(directive));
    text.split_inclusive('\n').map(|line| if is_one(line) { ending(line) } else { line }).collect()
}

/// What stands behind the `#` of a directive.
fn directive(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('#').map(str::trim_start)
}

/// Whether it is `#line 12 "file"` or, as preprocessors write it, `# 12 "file"`.
fn is_line(directive: &str) -> bool {
    let number = directive.strip_prefix("line").map_or(directive, str::trim_start);
    number.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether it is `#pragma GCC diagnostic …` or clang's.
fn is_pragma(directive: &str) -> bool {
    let mut words = directive.split_whitespace();
    words.next() == Some("pragma")
        && matches!(words.next(), Some("GCC" | "clang"))
        && words.next() == Some("diagnostic")
}

fn ending(line: &str) -> &str {
    if line.ends_with('\n') { "\n" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::without_directives_for_messages;

    #[test]
    fn only_directives_about_messages_go() {
        let text = "#line 7 \"a.c\"\nint a;\n  # 12 \"b.h\" 3\n#define line 1\n#pragma once\n#pragma GCC diagnostic push\nint b; // # 1\n# line 3";
        let left = "\nint a;\n\n#define line 1\n#pragma once\n\nint b; // # 1\n";
        assert_eq!(without_directives_for_messages(text), left);
    }
}
