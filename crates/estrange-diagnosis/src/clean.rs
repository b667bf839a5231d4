//! Takes out of a text what only terminals need, and makes its quotes alike.

/// The text without colours and links, with `'` for every single quote.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\u{1b}') {
        cleaned.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        rest = match rest.as_bytes().first() {
            // A sequence such as `[01;31m`: it ends with its first letter.
            Some(b'[') => rest[1..].find(|c: char| ('@'..='~').contains(&c)).map_or("", |end| &rest[end + 2..]),
            // A link: it ends with a bell, or with another escape and a backslash.
            Some(b']') => match rest.find(['\u{7}', '\u{1b}']) {
                Some(end) => rest[end + 1..].strip_prefix('\\').unwrap_or(&rest[end + 1..]),
                None => "",
            },
            _ => rest,
        };
    }
    cleaned.push_str(rest);
    cleaned.chars().filter(|&c| c != '\r').map(|c| if matches!(c, '‘' | '’' | '`') { '\'' } else { c }).collect()
}

/// The message with each type's own meaning where its name is followed by that: `'size_t' (aka 'unsigned long')`, or the same
/// in braces, becomes `'unsigned long'`.
pub fn resolved(message: &str) -> String {
    let mut plain = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((at, open)) = first_of(rest, &["' {aka '", "' (aka '"]) {
        let close = if open.contains('{') { "'}" } else { "')" };
        let meaning = &rest[at + open.len()..];
        let Some(end) = meaning.find(close) else { break };
        let name = rest[..at].rfind('\'').unwrap_or(at);
        plain.push_str(&rest[..name]);
        plain.push('\'');
        plain.push_str(&meaning[..end]);
        plain.push('\'');
        rest = &meaning[end + close.len()..];
    }
    plain + rest
}

/// The first place at which one of several texts stands.
pub fn first_of<'w>(text: &str, wanted: &[&'w str]) -> Option<(usize, &'w str)> {
    wanted.iter().filter_map(|wanted| Some((text.find(wanted)?, *wanted))).min_by_key(|(at, _)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_links_and_quotes_go() {
        let text = "\u{1b}[01m\u{1b}[Ka.c:1:2:\u{1b}[m\u{1b}[K ‘x’ \u{1b}]8;;https://a.example\u{7}[-Wall]\u{1b}]8;;\u{1b}\\ `y'\r";
        assert_eq!(clean(text), "a.c:1:2: 'x' [-Wall] 'y'");
        for cut in ["\u{1b}", "a\u{1b}[", "a\u{1b}[01", "a\u{1b}]8;;x", "a\u{1b}é"] {
            assert!(clean(cut).len() <= cut.len());
        }
    }

    #[test]
    fn a_type_is_what_it_means() {
        let gcc = "invalid conversion from 'handle_t' {aka 'int'} to 'name_t' {aka 'char*'} [x]";
        assert_eq!(resolved(gcc), "invalid conversion from 'int' to 'char*' [x]");
        assert_eq!(resolved("from 'size_t' (aka 'unsigned long')"), "from 'unsigned long'");
        assert_eq!(resolved("cut 'size_t' (aka 'unsigned"), "cut 'size_t' (aka 'unsigned");
    }
}
