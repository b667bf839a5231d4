//! Words: those of a command line, split as a POSIX shell would without running or expanding anything, and lists of them.

/// The words of `line`: quotes and backslashes are resolved, everything else is taken as it stands.
pub(crate) fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(letters.by_ref().take_while(|&letter| letter != '\''));
            }
            '"' => double_quoted(&mut letters, word.get_or_insert_default()),
            '\\' => match letters.next() {
                Some('\n') | None => {}
                Some(escaped) => word.get_or_insert_default().push(escaped),
            },
            letter if letter.is_whitespace() => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

fn double_quoted(letters: &mut std::str::Chars<'_>, word: &mut String) {
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return,
            '\\' => match letters.next() {
                Some('\n') | None => {}
                Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                Some(other) => word.extend(['\\', other]),
            },
            letter => word.push(letter),
        }
    }
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
        assert_eq!(split("'not closed"), ["not closed"]);
    }
}
