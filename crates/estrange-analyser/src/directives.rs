//! Taking line directives out of a text, so that its lines have the numbers that they have in it.

/// The text without directives that give lines other numbers or another file; every line stays where it is.
pub fn without_line_directives(text: &str) -> String {
    text.split_inclusive('\n').map(|line| if is_line_directive(line) { ending(line) } else { line }).collect()
}

/// Whether a line is `#line 12 "file"` or, as preprocessors write it, `# 12 "file"`.
fn is_line_directive(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('#') else { return false };
    let rest = rest.trim_start();
    let number = rest.strip_prefix("line").map_or(rest, str::trim_start);
    number.starts_with(|first: char| first.is_ascii_digit())
}

fn ending(line: &str) -> &str {
    if line.ends_with('\n') { "\n" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::without_line_directives;

    #[test]
    fn only_directives_about_lines_go() {
        let text = "#line 7 \"a.c\"\nint a;\n  # 12 \"b.h\" 3\n#define line 1\n#pragma once\nint b; // # 1\n# line 3";
        let left = "\nint a;\n\n#define line 1\n#pragma once\nint b; // # 1\n";
        assert_eq!(without_line_directives(text), left);
    }
}
