//! A text in which one function is defined and the others are declared only.

use std::ops::Range;

use super::{Definition, Form, definitions};
use crate::lexer::{Kind, Token, lex};

/// The parts of a text that make definitions of functions, each with what is left of it where they are declared only: of all
/// functions but the one in this place. A definition stays where what is left of it would be no declaration.
pub fn bodies(text: &str, kept: &Range<usize>) -> Vec<(Range<usize>, &'static str)> {
    let tokens = lex(text);
    let others = definitions(text, &tokens).into_iter().filter(|definition| {
        let whole = definition.start as usize..definition.end as usize;
        definition.form == Form::Function && (whole.end <= kept.start || kept.end <= whole.start)
    });
    others.filter_map(|definition| body(text, &tokens, &definition)).collect()
}

fn body(text: &str, tokens: &[Token], definition: &Definition) -> Option<(Range<usize>, &'static str)> {
    let Definition { start, name, body, end, .. } = *definition;
    let words = |from: u32, to: u32| {
        let first = tokens.partition_point(|token| token.start < from);
        let own = tokens[first..].iter().take_while(move |token| token.start < to);
        own.filter(|token| token.kind != Kind::Comment).map(|token| token.text(text))
    };
    let is_needed = words(start, name.0).any(|word| matches!(word, "constexpr" | "consteval" | "auto"));
    // Initialisers of a constructor, or parameters that are declared behind the head.
    let has_more = words(name.1, body).any(|word| matches!(word, ":" | ";" | "try"));
    if is_needed || has_more {
        return None;
    }
    let is_member = words(start, name.0).last() == Some("::");
    if is_member {
        return Some((start as usize..end as usize, ""));
    }
    let head = text.get(..body as usize)?.trim_end().len();
    Some((head..end as usize, ";"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splice::splice;

    fn declared(text: &str, kept: &str) -> String {
        let start = text.find(kept).unwrap();
        splice(text, &bodies(text, &(start..start + kept.len())), &mut [])
    }

    #[test]
    fn others_lose_their_bodies_and_the_one_in_the_place_keeps_it() {
        let text = "static int g(int a) /* b */ {\n  return a;\n}\nint table[] = {1};\nint f(int a) { return g(a); }\nint h(void)\n{\n}\n";
        assert_eq!(
            declared(text, "int f(int a) { return g(a); }"),
            "static int g(int a) /* b */;\nint table[] = {1};\nint f(int a) { return g(a); }\nint h(void);\n"
        );
    }

    #[test]
    fn what_would_be_no_declaration_stays_or_goes() {
        let text = "struct A { A(int a) : a_(a) {} int get() const { return a_; } int far(); int a_; };\n\
                    int A::far() { return 1; }\nconstexpr int one() { return 1; }\nint old(a) int a; { return a; }\n\
                    template <class T> T same(T t) { return t; }\nA operator+(A a, A b) { return a; }\nint f() { return one(); }\n";
        assert_eq!(
            declared(text, "int f() { return one(); }"),
            "struct A { A(int a) : a_(a) {} int get() const; int far(); int a_; };\n\
             \nconstexpr int one() { return 1; }\nint old(a) int a; { return a; }\n\
             template <class T> T same(T t);\nA operator+(A a, A b);\nint f() { return one(); }\n"
        );
    }
}
