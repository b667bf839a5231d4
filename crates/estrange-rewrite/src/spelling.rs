//! How lists of settings and rewrites are written: words with signs between them, and quotes around what has such signs in it.

/// The words of a list with commas between them, as they are written. A comma in quotes, single or double, is no end.
pub fn split_list(text: &str) -> Vec<&str> {
    split(text, &[','])
}

/// The words of a text between which any of some signs stand outside of quotes, without the blanks around them.
pub(crate) fn split<'t>(text: &'t str, signs: &[char]) -> Vec<&'t str> {
    let mut words = Vec::new();
    let mut start = 0;
    for (at, character) in outside_of_quotes(text) {
        if signs.contains(&character) {
            words.push(text[start..at].trim());
            start = at + character.len_utf8();
        }
    }
    words.push(text[start..].trim());
    words
}

/// The characters that stand outside of quotes, with their places. In double quotes a backslash lets a quote be part of
/// them; an apostrophe within a word is none. What is never closed is no quote.
pub(crate) fn outside_of_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut outside = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        match matches!(character, '"' | '\'').then(|| end_of_quote(text, at, character)).flatten() {
            Some(end) => at = end,
            None => {
                outside.push((at, character));
                at += character.len_utf8();
            }
        }
    }
    outside.into_iter()
}

/// Where the quote that begins at a place ends.
fn end_of_quote(text: &str, start: usize, quote: char) -> Option<usize> {
    let mut characters = text[start + 1..].char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if quote == '"' => drop(characters.next()),
            _ if character == quote => return Some(start + 1 + at + 1),
            _ => {}
        }
    }
    None
}

/// What a word in double quotes says, if it is one from its first sign to its last.
pub(crate) fn unquoted(word: &str) -> Option<String> {
    if !word.starts_with('"') || end_of_quote(word, 0, '"') != Some(word.len()) {
        return None;
    }
    let mut said = String::with_capacity(word.len());
    let mut characters = word[1..word.len() - 1].chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => said.extend(characters.next()),
            _ => said.push(character),
        }
    }
    Some(said)
}

/// A text as one word: in double quotes, if it would be read otherwise without them.
pub(crate) fn quoted(text: &str, signs: &[char]) -> String {
    if split(text, signs) == [text] && !text.contains('"') && !text.contains('\'') {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_stands_in_quotes_is_one_word() {
        assert_eq!(split_list("a, b:2,c"), ["a", "b:2", "c"]);
        assert_eq!(split_list(r#""x:sed 's/a,b/c/'",d"#), [r#""x:sed 's/a,b/c/'""#, "d"]);
        assert_eq!(split_list("x:sed 's/a,b/c/',d"), ["x:sed 's/a,b/c/'", "d"]);
        assert_eq!(split_list(r#""a\",b",c"#), [r#""a\",b""#, "c"]);
        // What is never closed is no quote.
        assert_eq!(split_list("it's,two"), ["it's", "two"]);
        assert_eq!(split_list(""), [""]);
    }

    proptest! {
        #[test]
        fn a_quoted_text_is_read_back(text in "[a-c,+*'\"\\\\ é]{0,12}") {
            let word = quoted(&text, &[',', '+']);
            let list = format!("z,{word}+y");
            prop_assert_eq!(split(&list, &[',', '+']), ["z", &*word, "y"]);
            prop_assert_eq!(unquoted(&word).unwrap_or(word), text);
        }
    }
}
