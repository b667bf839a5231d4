//! What is rewritten at once: a function in its unit, or with its helpers in what they need.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use estrange_bench::{Function, Group};
use estrange_clang::Defined;
use estrange_text::lexer::{Kind, Token, lex, lex_directive, macro_parts};

use crate::code::compiled_with;
use crate::helpers::in_merged;
use crate::leaks::is_feature;

/// What of a function's project is rewritten with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// What it needs to compile.
    Alone,
    /// Its helpers, too, which are shown before it.
    WithHelpers,
    /// What it needs to run, where that can be had.
    Running,
}

/// A text that compiles, and what of it is shown.
#[derive(Clone)]
pub(super) struct Whole<'a> {
    pub(super) view: View,
    pub(super) function: &'a Function,
    pub(super) unit: Cow<'a, str>,
    /// The texts of the helpers that are shown before the function, the deepest first.
    pub(super) helpers: Vec<&'a str>,
}

impl<'a> Whole<'a> {
    /// A function alone.
    pub(super) fn alone(function: &'a Function) -> Self {
        Self { view: View::Alone, function, unit: Cow::Borrowed(&function.unit), helpers: Vec::new() }
    }

    /// A function of group 3 with its helpers, where they can be had.
    pub(super) fn with_helpers(function: &'a Function) -> Option<Self> {
        let unit = function.linked_unit.as_deref().filter(|_| function.group == Group::Three)?;
        let helpers = shown_before(function);
        let unit = Cow::Borrowed(unit);
        (!helpers.is_empty()).then_some(Self { view: View::WithHelpers, function, unit, helpers })
    }

    /// A function with all that it needs to run, or else to compile.
    pub(super) fn running(function: &'a Function) -> Self {
        let unit = function.linked_unit.as_ref().unwrap_or(&function.unit);
        let is_shown_with_helpers = function.linked_unit.is_some() && function.group == Group::Three;
        let mut helpers = if is_shown_with_helpers { shown_before(function) } else { Vec::new() };
        // One whose name another file has, too, stands there under another.
        if helpers.iter().any(|helper| !unit.contains(helper)) {
            helpers.clear();
        }
        Self { view: View::Running, function, unit: Cow::Borrowed(unit), helpers }
    }

    /// What it has in common with those that are compiled together with it.
    pub(super) fn compiled_with(&self) -> Vec<&str> {
        compiled_with(self.function, &self.unit)
    }

    /// The same without the bodies of functions that are not shown: what runs needs them, what compiles does not. The
    /// functions are those that the unit defines, in C.
    pub(super) fn reduced(&self, functions: &[Defined]) -> Self {
        let texts = self.helpers.iter().copied().chain([self.function.text.as_str()]);
        let places = texts.filter_map(|text| self.unit.rfind(text).map(|at| at..at + text.len()));
        // A macro that stands for nothing may be the first word of a text and no part of the definition.
        let shown: Vec<Range<usize>> = places.collect();
        let mut unit = String::with_capacity(self.unit.len());
        let mut from = 0;
        for function in functions {
            let (start, end) = (function.start as usize, function.end as usize);
            if shown.iter().any(|shown| shown.start < end && start < shown.end) || start < from {
                continue;
            }
            if let Some(head) = self.unit.get(start..end).and_then(head) {
                unit.push_str(&self.unit[from..start + head]);
                unit.push(';');
                from = end;
            }
        }
        unit.push_str(&self.unit[from..]);
        Self { unit: Cow::Owned(without_idle_macros(unit)), ..self.clone() }
    }
}

/// The texts of a function's helpers, the deepest first.
fn shown_before(function: &Function) -> Vec<&str> {
    in_merged(&function.text, &function.helpers).iter().rev().map(|helper| helper.text.as_str()).collect()
}

/// A text without the macros that nothing in it uses any more, and without definitions that are undone before a use.
fn without_idle_macros(mut text: String) -> String {
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
            if mentions.get(name).is_some_and(|mentions| *mentions > places.len()) || is_made(name) || is_feature(name)
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
        for token in idle.iter().rev() {
            text.replace_range(token.start as usize..token.end as usize, "");
        }
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
    fn macros_that_nothing_uses_go() {
        let text = "#define A B\n#define B 1\n#define C(x) x ## _t\nint C(n);\n#define n_t 3\n#define NDEBUG\n";
        let left = "\n\n#define C(x) x ## _t\nint C(n);\n#define n_t 3\n#define NDEBUG\n";
        assert_eq!(without_idle_macros(text.to_owned()), left);
    }

    #[test]
    fn what_is_put_together_stays() {
        for text in [
            "#define JOIN(a, b) a ## b\n#define ONE 1\n",
            "#define ONE_OF(E) ONE_ ## E\n#define ONE_A 1\nint x = ONE_OF(A);\n",
        ] {
            assert_eq!(without_idle_macros(text.to_owned()), text);
        }
        let text = "#define MADE(E) E ## _t\nMADE(x) y;\n#define ONE 1\n";
        assert_eq!(without_idle_macros(text.to_owned()), "#define MADE(E) E ## _t\nMADE(x) y;\n\n");
    }

    #[test]
    fn definitions_that_are_undone_before_a_use_go() {
        let text = "#define A one\n#undef A\n#define A two\nint x = A;\n#undef A\n";
        assert_eq!(without_idle_macros(text.to_owned()), "\n\n#define A two\nint x = A;\n#undef A\n");
    }
}
