//! What is rewritten at once: a function in its unit, or with its helpers in what they need.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use estrange_bench::{Function, Group, Language};
use estrange_clang::Defined;
use estrange_text::lexer::{Kind, Token, lex, lex_directive, macro_parts};

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
        let (unit, helpers) = match (&function.linked_unit, function.group) {
            (Some(unit), Group::Three) => (unit, shown_before(function)),
            (Some(unit), _) => (unit, Vec::new()),
            (None, _) => (&function.unit, Vec::new()),
        };
        Self { view: View::Running, function, unit: Cow::Borrowed(unit), helpers }
    }

    /// What it has in common with those that are compiled together with it: language and flags, and in C++, where
    /// reading them costs more than all else, headers.
    pub(super) fn compiled_with(&self) -> Vec<&str> {
        let flags = self.function.flags.iter().map(String::as_str);
        let includes = self.unit.lines().filter(|line| line.starts_with("#include"));
        match self.function.language {
            Language::C => ["c"].into_iter().chain(flags).collect(),
            Language::Cpp => ["c++"].into_iter().chain(flags).chain(includes).collect(),
        }
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

/// A text without the macros that nothing in it uses any more.
fn without_idle_macros(mut text: String) -> String {
    loop {
        let mut uses: HashMap<&str, usize> = HashMap::new();
        let mut macros: Vec<(Token, &str)> = Vec::new();
        // What `##` joins with something else.
        let mut joined: HashSet<&str> = HashSet::new();
        for token in lex(&text) {
            match token.kind {
                Kind::Identifier => *uses.entry(token.text(&text)).or_default() += 1,
                Kind::Directive => {
                    let words: Vec<&str> = lex_directive(&text, &token).map(|word| word.text(&text)).collect();
                    words.iter().for_each(|word| *uses.entry(word).or_default() += 1);
                    let joins = words.windows(3).filter(|words| words[1] == "##");
                    joined.extend(joins.flat_map(|words| [words[0], words[2]]));
                    macros.extend(macro_parts(token.text(&text)).map(|parts| (token, parts.name)));
                }
                _ => {}
            }
        }
        let is_made = |name: &str| joined.iter().any(|part| name.starts_with(part) || name.ends_with(part));
        let is_idle = |name: &str| uses.get(name).is_none_or(|uses| *uses <= 1) && !is_made(name) && !is_feature(name);
        let idle: Vec<Token> = macros.into_iter().filter(|(_, name)| is_idle(name)).map(|(token, _)| token).collect();
        if idle.is_empty() {
            return text;
        }
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
