//! A comment's words, without its marks.

use crate::lexer::{Kind, lex_body, without_splices};

/// The words of a comment, or of several in a row, line by line: without comment marks, borders of stars and lines of
/// dashes, and without the indentation that all lines share.
pub fn clean(comment: &str) -> String {
    let mut lines = Vec::new();
    for token in lex_body(comment).iter().filter(|token| token.kind == Kind::Comment) {
        let text = token.text(comment);
        if text.starts_with("/*") {
            block_lines(text, &mut lines);
        } else {
            let text = without_splices(text);
            let words = text.trim_start_matches('/');
            let words = words.strip_prefix('!').unwrap_or(words);
            lines.push(words.strip_prefix('<').unwrap_or(words).trim_end().to_owned());
        }
    }
    let is_rule =
        |line: &str| !line.trim().is_empty() && !line.chars().any(|c| c.is_alphanumeric() || c == '\\' || c == '@');
    lines.retain(|line| !is_rule(line) || line.trim().len() < 3);
    let shared = lines.iter().filter(|line| !line.is_empty()).map(|line| indentation(line)).min().unwrap_or(0);
    let lines: Vec<&str> = lines.iter().map(|line| line.get(shared..).unwrap_or_default()).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// Adds the lines of a block comment.
fn block_lines(text: &str, lines: &mut Vec<String>) {
    let inside = text.strip_suffix("*/").filter(|inside| inside.len() >= 2).unwrap_or(text);
    let inside = inside.get(2..).unwrap_or_default();
    let inside = inside.trim_end_matches('*');
    let mut rows = inside.split('\n').map(str::trim_end);
    let first = rows.next().unwrap_or_default().trim_start_matches('*');
    let first = first.strip_prefix('!').unwrap_or(first);
    let first = first.strip_prefix('<').unwrap_or(first);
    let rest: Vec<&str> = rows.collect();
    // A list with stars as its bullets is no border: a border has a star on every line.
    let has_border = rest.iter().map(|row| row.trim_start()).all(|row| row.is_empty() || row.starts_with('*'));
    // What shares the first line with `/*` is indented by chance.
    lines.push(first.trim().to_owned());
    let start = lines.len();
    for row in rest {
        let row = if has_border { row.trim_start().trim_start_matches('*') } else { row };
        lines.push(if has_border { row.trim_end_matches('*').trim_end() } else { row }.to_owned());
    }
    let shared = lines[start..].iter().filter(|row| !row.is_empty()).map(|row| indentation(row)).min().unwrap_or(0);
    for row in &mut lines[start..] {
        *row = row.get(shared..).unwrap_or_default().to_owned();
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_come_without_marks() {
        for (comment, words) in [
            ("// Does.", "Does."),
            ("/// Does.\n///   Much.\n///", "Does.\n  Much."),
            ("//!< Does.", "Does."),
            ("/* Does. */", "Does."),
            ("/** Does. **/", "Does."),
            ("/*\n * Does.\n *\n *   Much.\n */", "Does.\n\n  Much."),
            ("/* Does\n   much:\n     * one\n*/", "Does\nmuch:\n  * one"),
            ("/***********\n * Does.   *\n ***********/", "Does."),
            ("//-----\n// Does.\n//=====", "Does."),
            ("/* One. */\n/* Two. */", "One.\nTwo."),
            ("// One \\\n two", "One  two"),
            ("/**\n * @param x The x.\r\n */", "@param x The x."),
            ("/**/", ""),
            ("/*/", "/"),
            ("", ""),
        ] {
            assert_eq!(clean(comment), words, "{comment:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "[/*\\\\\n !<a\"é-]{0,40}") {
            let words = clean(&text);
            prop_assert!(words.len() <= text.len());
        }
    }
}
