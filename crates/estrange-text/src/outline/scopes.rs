//! Goes over the tokens once, declaration by declaration, into what may hold definitions and past all else.

use super::{Definition, Form};
use crate::lexer::{Kind, Token};

/// Names that can stand before parentheses without being a function's.
const NO_NAMES: &[&str] = &[
    "__attribute__",
    "__attribute",
    "__declspec",
    "alignas",
    "_Alignas",
    "decltype",
    "typeof",
    "__typeof__",
    "noexcept",
    "throw",
    "requires",
    "explicit",
    "asm",
    "__asm__",
    "__asm",
    "if",
    "for",
    "while",
    "switch",
    "return",
    "sizeof",
    "catch",
    "static_assert",
    "_Static_assert",
    "_Pragma",
    "__pragma",
    "defined",
    "do",
    "else",
    "co_return",
    "_Atomic",
    "_BitInt",
    "__except",
    "int",
    "char",
    "void",
    "long",
    "short",
    "unsigned",
    "signed",
    "float",
    "double",
    "bool",
    "_Bool",
    "auto",
    "const",
    "volatile",
    "static",
    "inline",
    "extern",
];

/// What a declaration has shown of itself so far.
#[derive(Debug, Clone, Copy, Default)]
struct Head {
    /// Its first token.
    start: Option<usize>,
    /// The name before what may be its parameters, as the first and last token.
    name: Option<(usize, usize)>,
    /// Whether a constructor's initialisers follow the parameters.
    initialises: bool,
    /// Whether the type of the result follows them.
    returns: bool,
    /// Whether a value follows.
    valued: bool,
    /// Whether what follows is the inside of a namespace, a linkage block, or a class.
    opens: Option<Opens>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opens {
    /// A namespace, a linkage block or a block of exports: nothing of the declaration follows it.
    Block,
    /// A class: a variable or a function of its type may follow it.
    Class,
    /// An enumeration: holds no functions.
    Values,
}

pub(super) struct Outliner<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    head: Head,
    /// Parameters in the style of before 1989 are declared after what may be the whole head.
    before: Option<Head>,
    /// The heads of the declarations around; none for what is no declaration any more when it closes.
    around: Vec<Option<Head>>,
    found: Vec<Definition>,
}

impl<'t> Outliner<'t> {
    pub(super) fn of(text: &'t str, tokens: &'t [Token]) -> Self {
        Self { text, tokens, at: 0, head: Head::default(), before: None, around: Vec::new(), found: Vec::new() }
    }

    pub(super) fn definitions(mut self) -> Vec<Definition> {
        while self.at < self.tokens.len() {
            self.step();
        }
        self.found
    }

    fn word(&self, number: usize) -> &'t str {
        self.tokens.get(number).map_or("", |token| token.text(self.text))
    }

    fn is_name(&self, number: usize) -> bool {
        self.tokens.get(number).is_some_and(|token| token.kind == Kind::Identifier)
    }

    fn step(&mut self) {
        let at = self.at;
        let word = self.word(at);
        match word {
            ";" => return self.ends_declaration(),
            "}" => return self.closes(),
            "{" => return self.braces(),
            _ => {}
        }
        if is_access(word)
            && let Some(after) = [at + 1, at + 2].into_iter().find(|&next| self.word(next) == ":")
        {
            self.head = Head::default();
            self.at = after + 1;
            return;
        }
        if self.head.start.is_none() {
            self.head.start = Some(at);
        }
        match word {
            "(" => self.parentheses(),
            "[" => {
                if self.head.valued && self.is_lambda(at) {
                    return self.lambda();
                }
                self.at = self.after_group(at);
            }
            "=" => {
                self.head.valued = true;
                self.at += 1;
            }
            ":" => {
                self.head.initialises = self.head.name.is_some();
                self.at += 1;
            }
            "->" => {
                self.head.returns = true;
                self.at += 1;
            }
            "template" if self.word(at + 1) == "<" => self.at = self.after_angles(at + 1),
            "operator" if !self.head.valued && self.head.name.is_none() => self.operator(),
            "namespace" => {
                self.head.opens = Some(Opens::Block);
                self.at += 1;
            }
            "class" | "struct" | "union" | "enum" if self.head.name.is_none() && !self.head.valued => self.class(),
            _ => self.at += 1,
        }
    }

    /// Whether square brackets begin a function without name rather than an index.
    fn is_lambda(&self, open: usize) -> bool {
        let before = self.word(open.wrapping_sub(1));
        let of_value = self.is_name(open.wrapping_sub(1)) && before != "return";
        if of_value || matches!(before, ")" | "]") || self.word(open + 1) == "[" {
            return false;
        }
        matches!(
            self.word(self.after_group(open)),
            "(" | "{" | "<" | "->" | "mutable" | "static" | "constexpr" | "consteval" | "noexcept" | "requires"
        )
    }

    fn lambda(&mut self) {
        let mut next = self.after_group(self.at);
        while next < self.tokens.len() && !matches!(self.word(next), "{" | ";" | "}") {
            next = match self.word(next) {
                "(" | "[" => self.after_group(next),
                "<" => self.after_angles(next),
                _ => next + 1,
            };
        }
        if self.word(next) != "{" {
            self.at = next;
            return;
        }
        let after = self.after_group(next);
        let start = self.head.start.unwrap_or(self.at);
        // The name is the last before the value.
        let value = (start..self.at).find(|&number| matches!(self.word(number), "=" | "{")).unwrap_or(self.at);
        let pointer = (start..value).find(|&number| self.word(number) == "(" && self.word(number + 1) == "*");
        let end = pointer.map_or(value, |open| self.after_group(open));
        let name = (start..end).rev().find(|&number| self.is_name(number)).unwrap_or(start);
        self.define(Form::Lambda, (name, name), start, next, after);
        self.at = after;
    }

    /// Parameters, or something else in parentheses.
    fn parentheses(&mut self) {
        let open = self.at;
        let after = self.after_group(open);
        self.at = after;
        if self.head.valued {
            // A value may have a function without name in it.
            self.at = open + 1;
            return;
        }
        let before = open.wrapping_sub(1);
        if self.head.initialises || self.head.returns || self.head.start == Some(open) {
            return;
        }
        let name = if self.word(after) == "(" && matches!(self.word(open + 1), "*" | "&" | "&&") {
            // `int (*f(int x))(int) {`: the name stands within.
            let inner = (open + 1..after).find(|&number| self.word(number) == "(" && self.is_name(number - 1));
            inner.map(|inner| (inner - 1, inner - 1))
        } else if self.is_name(before) && !NO_NAMES.contains(&self.word(before)) {
            let first = if self.word(before.wrapping_sub(1)) == "~" { before - 1 } else { before };
            Some((first, before))
        } else if matches!(self.word(before), ">" | ">>") {
            self.template_name(before).map(|name| (name, name))
        } else if self.is_name(open + 1) && self.word(open + 2) == ")" && self.word(after) == "(" {
            Some((open + 1, open + 1))
        } else {
            None
        };
        // A macro may stand before the function with parentheses of its own, or directly after its parameters.
        let is_after = |known: (usize, usize), name: (usize, usize)| {
            self.head.start != Some(known.0) && self.after_group(known.1 + 1) == name.0
        };
        match (self.head.name, name) {
            (Some(known), Some(name)) if is_after(known, name) => {}
            (_, Some(name)) => self.head.name = Some(name),
            (_, None) => {}
        }
    }

    /// The name before the arguments of a template that end at `close`.
    fn template_name(&self, close: usize) -> Option<usize> {
        let mut depth = 0_i32;
        for number in (self.head.start?..=close).rev() {
            match self.word(number) {
                ">" => depth += 1,
                ">>" => depth += 2,
                "<" => depth -= 1,
                _ => {}
            }
            if depth <= 0 {
                return number.checked_sub(1).filter(|&name| self.is_name(name));
            }
        }
        None
    }

    /// `operator` and what it is the operator of, up to its parameters.
    fn operator(&mut self) {
        let first = self.at;
        let mut next = first + 1;
        // `operator()` has parentheses before its parameters.
        if self.word(next) == "(" && self.word(next + 1) == ")" {
            next += 2;
        }
        while next < self.tokens.len() && !matches!(self.word(next), "(" | ";" | "{" | "}") {
            next += 1;
        }
        if self.word(next) == "(" {
            self.head.name = Some((first, next - 1));
            next = self.after_group(next);
        }
        self.at = next;
    }

    /// The head of a class or an enumeration, or the name of one.
    fn class(&mut self) {
        let opens = if self.word(self.at) == "enum" { Opens::Values } else { Opens::Class };
        let mut next = self.at + 1;
        loop {
            next = match self.word(next) {
                "(" | "[" => self.after_group(next),
                "<" => self.after_angles(next),
                "::" => next + 1,
                "{" => {
                    self.head.opens = Some(opens);
                    break;
                }
                // Bases, or what the values are; or the width of a member.
                ":" => {
                    let open = (next..self.tokens.len()).find(|&number| matches!(self.word(number), "{" | ";" | "}"));
                    if open.is_some_and(|open| self.word(open) == "{") {
                        self.head.opens = Some(opens);
                        next = open.unwrap_or(next);
                    }
                    break;
                }
                // A function whose type is named by its tag; directly after the keyword it is a macro.
                _ if self.is_name(next)
                    && self.word(next + 1) == "("
                    && !NO_NAMES.contains(&self.word(next))
                    && next > self.at + 1
                    && self.is_name(next - 1) =>
                {
                    break;
                }
                _ if self.is_name(next) => next + 1,
                _ => break,
            };
        }
        self.at = next;
    }

    fn braces(&mut self) {
        let open = self.at;
        let after = self.after_group(open);
        let before = self.word(open.wrapping_sub(1));
        let is_block = before == "export"
            || (self.tokens.get(open.wrapping_sub(1)).is_some_and(|token| token.kind == Kind::String)
                && self.word(open.wrapping_sub(2)) == "extern");
        match self.head.opens.take().or(is_block.then_some(Opens::Block)) {
            Some(Opens::Values) => {
                self.at = after;
                return;
            }
            Some(opens) => {
                self.around.push((opens == Opens::Class).then_some(self.head));
                self.head = Head::default();
                self.at = open + 1;
                return;
            }
            None => {}
        }
        if before == "requires" || self.requires_before(open) {
            self.at = after;
            return;
        }
        if self.head.valued {
            // A value may have a function without name in it; its braces close by themselves.
            self.around.push(Some(self.head));
            self.at = open + 1;
            return;
        }
        // A member that is initialised with braces.
        let of_name = self.is_name(open.wrapping_sub(1)) || matches!(before, ">" | ">>");
        if self.head.initialises && of_name && before != "try" {
            self.at = after;
            return;
        }
        let head = match (self.head.start, self.before.take()) {
            (None, Some(before)) => before,
            _ => self.head,
        };
        match (head.start, head.name) {
            (Some(start), Some(name)) => {
                let mut end = after;
                while self.word(end) == "catch" && self.word(end + 1) == "(" {
                    end = self.after_group(self.after_group(end + 1));
                }
                self.define(Form::Function, name, start, open, end);
                self.at = end;
                self.head = Head::default();
            }
            // A variable with its value, or nothing that is known.
            _ => {
                self.head.valued = true;
                self.around.push(Some(self.head));
                self.at = open + 1;
            }
        }
    }

    /// Whether the braces at `open` are those of `requires (…) {`.
    fn requires_before(&self, open: usize) -> bool {
        if self.word(open.wrapping_sub(1)) != ")" {
            return false;
        }
        let mut depth = 0_i32;
        for number in (self.head.start.unwrap_or(open)..open).rev() {
            match self.word(number) {
                ")" => depth += 1,
                "(" => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                // `requires (constraint)` of a function is not followed by braces of its own: those are the body.
                let again = number >= 2 && self.word(number - 1) == "requires";
                let value = self.word(number.wrapping_sub(2));
                return again && (value == "requires" || matches!(value, "&&" | "||" | "=" | "("));
            }
        }
        false
    }

    fn ends_declaration(&mut self) {
        let head = std::mem::take(&mut self.head);
        // Only directly after these can braces follow that belong to what stands before them.
        if head.start.is_some() {
            match (head.name, self.before) {
                (Some(_), _) if !head.valued => self.before = Some(head),
                (None, Some(_)) => {}
                _ => self.before = None,
            }
        } else {
            self.before = None;
        }
        self.at += 1;
    }

    fn closes(&mut self) {
        self.before = None;
        self.head = self.around.pop().flatten().unwrap_or_default();
        self.at += 1;
    }

    fn define(&mut self, form: Form, name: (usize, usize), start: usize, body: usize, end: usize) {
        let token = |number: usize| &self.tokens[number.min(self.tokens.len() - 1)];
        let name = (token(name.0).start, token(name.1).end);
        let (start, body, end) = (token(start).start, token(body).start, token(end.saturating_sub(1)).end);
        self.found.push(Definition { form, name, start, body, end });
        self.before = None;
    }

    /// The token after what the bracket at `open` opens.
    fn after_group(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for number in open..self.tokens.len() {
            match self.word(number) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => continue,
            }
            if depth == 0 {
                return number + 1;
            }
        }
        self.tokens.len()
    }

    /// The token after what the angle at `open` opens.
    fn after_angles(&self, open: usize) -> usize {
        let mut depth = 0_i32;
        let mut number = open;
        while number < self.tokens.len() {
            match self.word(number) {
                "<" => depth += 1,
                ">" => depth -= 1,
                ">>" => depth -= 2,
                "(" | "[" | "{" => {
                    number = self.after_group(number);
                    continue;
                }
                // It opened nothing.
                ";" | "}" => return open + 1,
                _ => {}
            }
            number += 1;
            if depth <= 0 {
                return number;
            }
        }
        open + 1
    }
}

fn is_access(word: &str) -> bool {
    matches!(word, "public" | "private" | "protected" | "signals" | "Q_SIGNALS")
}
