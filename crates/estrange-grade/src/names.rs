//! Code in the names of a variant, in the names of the original again.

use std::collections::{BTreeMap, HashMap, HashSet};

use estrange_text::lexer::{Kind, lex, lex_body};

/// What stands behind a name that an answer chose itself and that the original has for something else.
const OWN: &str = "_own";

/// A text in the old names, in the new ones.
pub fn forth(text: &str, names: &BTreeMap<String, String>) -> String {
    let by_old: HashMap<&str, &str> =
        names.iter().rev().map(|(old, new)| (old.rsplit(' ').next().unwrap_or(old), new.as_str())).collect();
    let mut mapped = String::with_capacity(text.len());
    let mut at = 0;
    for token in lex(text).into_iter().filter(|token| token.kind == Kind::Identifier) {
        mapped.push_str(&text[at..token.start as usize]);
        let own = token.text(text);
        mapped.push_str(by_old.get(own).copied().unwrap_or(own));
        at = token.end as usize;
    }
    mapped + &text[at..]
}

/// New names and the old ones that they stand for.
#[derive(Debug, Clone, Default)]
pub struct Back {
    old_by_new: HashMap<String, String>,
    old: HashSet<String>,
}

impl Back {
    /// Of a map from old names to new ones. A key that says what kind of thing it names, `struct node`, ends with the name.
    pub fn of(names: &BTreeMap<String, String>) -> Self {
        let plain = |key: &str| key.rsplit(' ').next().unwrap_or(key).to_owned();
        let old_by_new: HashMap<String, String> =
            names.iter().filter(|(_, new)| !new.is_empty()).map(|(old, new)| (new.clone(), plain(old))).collect();
        let old = old_by_new.values().cloned().collect();
        Self { old_by_new, old }
    }

    /// The old name of something.
    pub fn name<'n>(&'n self, new: &'n str) -> &'n str {
        self.old_by_new.get(new).map_or(new, String::as_str)
    }

    /// A text in the old names. A name that the answer chose itself, and that stands for something else in the original, gets
    /// another one: in the world that the answer was written in there is no such thing.
    pub fn text(&self, text: &str) -> String {
        self.mapped(text, lex(text))
    }

    fn mapped(&self, text: &str, tokens: Vec<estrange_text::lexer::Token>) -> String {
        let mut mapped = String::with_capacity(text.len());
        let mut at = 0;
        for token in tokens {
            let own = token.text(text);
            mapped.push_str(&text[at..token.start as usize]);
            at = token.end as usize;
            match token.kind {
                Kind::Identifier => match self.old_by_new.get(own) {
                    Some(old) => mapped.push_str(old),
                    None if self.old.contains(own) => mapped.extend([own, OWN]),
                    None => mapped.push_str(own),
                },
                // A macro of the answer's own.
                Kind::Directive if own.contains("define") => mapped.push_str(&self.mapped(own, lex_body(own))),
                _ => mapped.push_str(own),
            }
        }
        mapped.push_str(&text[at..]);
        mapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_back_and_what_an_answer_calls_alike_is_told_apart() {
        let names = BTreeMap::from([
            ("count".to_owned(), "var_a".to_owned()),
            ("struct node".to_owned(), "class_b".to_owned()),
            ("walk".to_owned(), "func_c".to_owned()),
        ]);
        let back = Back::of(&names);
        assert_eq!(back.name("func_c"), "walk");
        assert_eq!(
            back.text(
                "int func_c(struct class_b *at) { int count = var_a; /* var_a */ return walk(\"var_a\", count); }"
            ),
            "int walk(struct node *at) { int count_own = count; /* var_a */ return walk_own(\"var_a\", count_own); }"
        );
        assert_eq!(back.text("#define TWICE (var_a * 2)\n"), "#define TWICE (count * 2)\n");
    }
}
