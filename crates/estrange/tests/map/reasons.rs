//! Finds the reasons that the code can give for what is lost: by its tokens, in the places where reasons are written.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Functions that are given a reason, and which of the texts that they are given it is.
const TOLD: [(&str, usize); 5] = [("lose", 0), ("lost_source", 1), ("lost", 1), ("rejected", 1), ("waiting", 1)];

/// Each reason that a file can give.
pub fn find(source: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let tokens: TokenStream = source.parse().unwrap();
    scan(tokens, &mut found);
    found
}

fn scan(tokens: TokenStream, found: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut is_test = false;
    for (index, token) in tokens.iter().enumerate() {
        let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.to_string() == word);
        match token {
            TokenTree::Group(group) if is_test && group.delimiter() == Delimiter::Brace => is_test = false,
            TokenTree::Group(group) => {
                is_test |=
                    group.delimiter() == Delimiter::Bracket && group.to_string().replace(' ', "") == "[cfg(test)]";
                scan(group.stream(), found);
            }
            TokenTree::Ident(name) if name == "reason" && index > 0 && is(index - 1, "fn") => {
                let body = tokens[index..].iter().find_map(|token| match token {
                    TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
                    _ => None,
                });
                found.extend(texts(body.unwrap_or_default()));
            }
            TokenTree::Ident(name) if name == "reason" && is(index + 1, ":") => {
                found.extend(tokens.get(index + 2).and_then(text));
            }
            TokenTree::Ident(name) => {
                let told = TOLD.iter().find(|(function, _)| name == function);
                if let (Some((_, place)), Some(TokenTree::Group(given))) = (told, tokens.get(index + 1)) {
                    found.extend(texts(given.stream()).into_iter().nth(*place));
                }
            }
            TokenTree::Punct(sign) if sign.as_char() == ';' => is_test = false,
            _ => {}
        }
    }
}

/// The texts among tokens that are short words with hyphens or underscores between them, in order.
fn texts(tokens: TokenStream) -> Vec<String> {
    let tokens = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Group(group) => texts(group.stream()),
        other => text(&other).into_iter().collect(),
    });
    tokens.collect()
}

fn text(token: &TokenTree) -> Option<String> {
    let text = token.to_string();
    let text = text.strip_prefix('"')?.strip_suffix('"')?;
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
    (!text.is_empty() && text.chars().all(is_word)).then(|| text.to_owned())
}

#[test]
fn planted_reasons_are_found() {
    let source = r#"
        mod tests;
        impl Loss { pub fn reason(&self) -> &'static str { match self { Loss::A { .. } => "one-a", Loss::B => "two_b" } } }
        fn f() { all.lose(&path, "three", "in words"); self.lost("stage", "four-d", ""); }
        fn g() -> Made { Made::Lost { reason: "five".to_owned(), detail: "six".to_owned() } }
        #[cfg(test)]
        mod tests { fn h() { all.lose(&path, "seven", ""); } }
    "#;
    assert_eq!(find(source).into_iter().collect::<Vec<_>>(), ["five", "four-d", "one-a", "three", "two_b"]);
}
