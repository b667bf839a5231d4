//! Words: those of a command line, split as a POSIX shell would without running or expanding anything, and lists of them.

/// The words of `line`: quotes and backslashes are resolved, `#` begins a comment, everything else is taken as it stands.
/// A line that ends in the middle of a word ends the word.
pub(crate) fn split(line: &str) -> Vec<String> {
    const ENDS: [&str; 5] = ["", "\n", "'", "\"", "\n\""];
    // Response files may come from Windows.
    let line = line.replace('\r', "");
    ENDS.iter().find_map(|end| shlex::split(&format!("{line}{end}"))).unwrap_or_default()
}

/// Whether `word` is one of the words of `list`, which stand between white space.
pub(crate) fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_and_backslashes_are_resolved_as_in_a_shell() {
        assert_eq!(
            split(r#"cc -DA="b c" -D'N="x"' -DS=\"s\" a\ b.c"#),
            ["cc", "-DA=b c", "-DN=\"x\"", "-DS=\"s\"", "a b.c"]
        );
        assert_eq!(split(r#""a\qb" '' "" x\"#), ["a\\qb", "", "", "x"]);
        assert_eq!(split("  \n\t "), Vec::<String>::new());
        assert_eq!(split("-Da\\\nb -c\r\n-O2\r\n"), ["-Dab", "-c", "-O2"]);
    }

    #[test]
    fn what_is_not_closed_is_closed() {
        assert_eq!(split("'not closed"), ["not closed"]);
        assert_eq!(split("cc \"not closed"), ["cc", "not closed"]);
        assert_eq!(split("cc \"not closed\\"), ["cc", "not closed"]);
    }
}
