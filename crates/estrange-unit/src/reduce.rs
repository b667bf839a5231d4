//! A unit of C that runs, cut down to what compiles: bodies that are not shown become declarations, and the macros that
//! nothing uses any more go.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use estrange_clang::Defined;
use estrange_text::feature_test::is_feature_test_macro;
use estrange_text::lexer::{Kind, Token, lex, lex_directive, macro_parts};
use estrange_text::splice::splice;

/// A unit of C without the bodies of the functions that are not shown: what runs needs them, what compiles does not. The
/// functions are all that the unit defines, in their order. The places of what is shown become those in the new text.
pub fn reduced(unit: &str, shown: &mut [Range<usize>], functions: &[Defined]) -> String {
    let mut bodies = Vec::new();
    let mut from = 0;
    for function in functions {
        let (start, end) = (function.start as usize, function.end as usize);
        // A macro that stands for nothing may be the first word of what is shown and no part of the definition.
        if shown.iter().any(|shown| shown.start < end && start < shown.end) || start < from {
            continue;
        }
        if let Some(head) = unit.get(start..end).and_then(head) {
            bodies.push((start + head..end, ";"));
            from = end;
        }
    }
    let mut marks: Vec<usize> = shown.iter().flat_map(|place| [place.start, place.end]).collect();
    let text = without_idle_macros(splice(unit, &bodies, &mut marks), &mut marks);
    for (place, ends) in shown.iter_mut().zip(marks.chunks(2)) {
        *place = ends[0]..ends[1];
    }
    text
}

/// A text without the macros that nothing in it uses any more, and without definitions that are undone before a use. The
/// marks are offsets of places that are found again.
fn without_idle_macros(mut text: String, marks: &mut [usize]) -> String {
    loop {
        // Where each word stands outside of directives, and how often inside of them.
        let mut uses: HashMap<&str, Vec<u32>> = HashMap::new();
        let mut mentions: HashMap<&str, usize> = HashMap::new();
        // The definitions of each macro and where they are undone, in order.
        let mut macros: HashMap<&str, Vec<(Token, bool)>> = HashMap::new();
        // What `##` joins with something else.
        let mut joined: HashSet<&str> = HashSet::new();
        for token in lex(&text) {
            match token.kind {
                Kind::Identifier => uses.entry(token.text(&text)).or_default().push(token.start),
                Kind::Directive => {
                    let words: Vec<&str> = lex_directive(&text, &token).map(|word| word.text(&text)).collect();
                    words.iter().for_each(|word| *mentions.entry(word).or_default() += 1);
                    let parts = macro_parts(token.text(&text));
                    let parameters = parts.as_ref().and_then(|parts| parts.parameters.as_deref()).unwrap_or_default();
                    for sides in words.windows(3).filter(|words| words[1] == "##") {
                        let own = [sides[0], sides[2]].into_iter().filter(|side| !parameters.contains(side));
                        let before = joined.len();
                        joined.extend(
                            own.filter(|side| side.starts_with(|first: char| first == '_' || first.is_alphabetic())),
                        );
                        // Of two parameters anything may be made.
                        if joined.len() == before && sides.iter().filter(|side| parameters.contains(side)).count() == 2
                        {
                            return text;
                        }
                    }
                    let undone = words.iter().skip_while(|word| **word != "undef").nth(1).filter(|_| parts.is_none());
                    let name = parts.as_ref().map(|parts| parts.name).or(undone.copied());
                    if let Some(name) = name {
                        macros.entry(name).or_default().push((token, parts.is_some()));
                    }
                }
                _ => {}
            }
        }
        let is_made = |name: &str| joined.iter().any(|part| name.starts_with(part) || name.ends_with(part));
        let mut idle: Vec<Token> = Vec::new();
        for (name, places) in &macros {
            // What another directive mentions may be used wherever that is.
            if mentions.get(name).is_some_and(|mentions| *mentions > places.len())
                || is_made(name)
                || is_feature_test_macro(name)
            {
                continue;
            }
            let uses = uses.get(name).map(Vec::as_slice).unwrap_or_default();
            for (number, (token, is_definition)) in places.iter().enumerate() {
                let next = places.get(number + 1);
                let end = next.map_or(u32::MAX, |(next, _)| next.start);
                if *is_definition && !uses.iter().any(|at| (token.start..end).contains(at)) {
                    idle.push(*token);
                    idle.extend(next.filter(|(_, is_definition)| !is_definition).map(|(undone, _)| *undone));
                }
            }
        }
        if idle.is_empty() {
            return text;
        }
        idle.sort_unstable_by_key(|token| token.start);
        let idle: Vec<(Range<usize>, &str)> = idle.iter().map(|token| (token.range(), "")).collect();
        text = splice(&text, &idle, marks);
    }
}

/// Where the head of a definition ends that is a declaration by itself.
fn head(definition: &str) -> Option<usize> {
    let head = definition.split_once('{')?.0.trim_end();
    head.ends_with(')').then_some(head.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_found_again_also_where_it_stands_twice() {
        let same = "static int same(void) { return ONE; }";
        let text = format!(
            "#define TWO 2\n#define ONE 1\nstatic int gone(void) {{ return 3; }}\n{same}\n#undef ONE\n#define ONE 4\n{same}\n"
        );
        let start = text.find(same).unwrap();
        let gone = text.find("static int gone").unwrap();
        let functions = [gone, start].map(|start| Defined {
            name: String::new(),
            signature: String::new(),
            start: start as u32,
            end: (start + text[start..].find('}').unwrap() + 1) as u32,
            at: start as u32,
            is_template: false,
            symbol: String::new(),
            around: Vec::new(),
        });
        let mut shown = start..start + same.len();
        let left = reduced(&text, std::slice::from_mut(&mut shown), &functions);
        assert_eq!(
            left,
            format!("\n#define ONE 1\nstatic int gone(void);\n{same}\n#undef ONE\n#define ONE 4\n{same}\n")
        );
        assert_eq!(shown.start, left.find(same).unwrap());
        assert_eq!(&left[shown.clone()], same);
    }

    #[test]
    fn macros_that_nothing_uses_go() {
        let text = "#define A B\n#define B 1\n#define C(x) x ## _t\nint C(n);\n#define n_t 3\n#define NDEBUG\n";
        let left = "\n\n#define C(x) x ## _t\nint C(n);\n#define n_t 3\n#define NDEBUG\n";
        assert_eq!(without_idle_macros(text.to_owned(), &mut []), left);
    }

    #[test]
    fn what_is_put_together_stays() {
        for text in [
            "#define JOIN(a, b) a ## b\n#define ONE 1\n",
            "#define ONE_OF(E) ONE_ ## E\n#define ONE_A 1\nint x = ONE_OF(A);\n",
        ] {
            assert_eq!(without_idle_macros(text.to_owned(), &mut []), text);
        }
        let text = "#define MADE(E) E ## _t\nMADE(x) y;\n#define ONE 1\n";
        assert_eq!(without_idle_macros(text.to_owned(), &mut []), "#define MADE(E) E ## _t\nMADE(x) y;\n\n");
    }

    #[test]
    fn definitions_that_are_undone_before_a_use_go() {
        let text = "#define A one\n#undef A\n#define A two\nint x = A;\n#undef A\n";
        assert_eq!(without_idle_macros(text.to_owned(), &mut []), "\n\n#define A two\nint x = A;\n#undef A\n");
    }
}
