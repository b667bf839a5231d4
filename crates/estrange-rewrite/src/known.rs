//! Parts of a function that are found again after new names and another layout: these change no token's place among the others.

use std::ops::Range;

use estrange_text::lexer::{Kind, lex};

/// Some tokens in a row, counted from the function's first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stretch {
    tokens: Range<usize>,
    /// How many tokens the function has.
    of: usize,
}

/// Where texts stand in a function's text, token for token: what a later rewrite has changed is not found.
pub(crate) fn stretches(function: &str, texts: &[String]) -> Vec<Stretch> {
    let own = words(function);
    let mut found: Vec<Stretch> = Vec::new();
    for text in texts {
        let text = words(text);
        let starts = own.windows(text.len().max(1)).enumerate().filter(|(_, window)| *window == text.as_slice());
        found.extend(starts.map(|(start, _)| Stretch { tokens: start..start + text.len(), of: own.len() }));
    }
    found.sort_by_key(|stretch| (stretch.tokens.start, stretch.tokens.end));
    found.dedup();
    found
}

impl Stretch {
    /// Where it stands in a text that has the function with its tokens in the same order; nothing if it has another number of them.
    pub(crate) fn place(&self, text: &str, function: &Range<usize>) -> Option<Range<usize>> {
        let own = text.get(function.clone())?;
        let tokens: Vec<_> = lex(own).into_iter().filter(|token| token.kind != Kind::Comment).collect();
        let (first, last) = (tokens.get(self.tokens.start)?, tokens.get(self.tokens.end.checked_sub(1)?)?);
        let place = function.start + first.start as usize..function.start + last.end as usize;
        (tokens.len() == self.of).then_some(place)
    }
}

fn words(text: &str) -> Vec<&str> {
    lex(text).into_iter().filter(|token| token.kind != Kind::Comment).map(|token| token.text(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_other_names_is_found_again() {
        let old = "int f(int n) { if (n / 2 <= n) { n++; } return n; }";
        let found = stretches(old, &["if (n/2 <= n)".to_owned(), "if (n > 3)".to_owned()]);
        let new = "int a;\nint g(int x)\n{\n    if ( x/2 <= x ) {\n x++; } return x; }";
        let places: Vec<&str> =
            found.iter().filter_map(|one| one.place(new, &(7..new.len()))).map(|at| &new[at]).collect();
        assert_eq!(places, ["if ( x/2 <= x )"]);
        assert_eq!(found[0].place("int f(int n) { return n; }", &(0..26)), None);
    }
}
