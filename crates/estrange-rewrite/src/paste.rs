//! Names that the preprocessor puts together with `##`.
//!
//! A name made of parts gets a new name made of the parts' new names, so that the macro still makes it. Which names macros
//! make is found by expanding the text as a preprocessor does, with every token remembering where it comes from. Macros of
//! headers are not known here and stay as they are.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use estrange_text::lexer::{Kind, Token, directive_name, lex, lex_directive, macro_parts};

/// A name that was put together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Pasted {
    /// The whole.
    pub(crate) name: String,
    /// Its parts.
    pub(crate) parts: Vec<Part>,
}

/// A part of a name: a token somewhere in the text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Part {
    pub(crate) start: u32,
    pub(crate) text: String,
    pub(crate) is_identifier: bool,
}

/// So many tokens are looked at: macros can make any number of them.
const BUDGET: usize = 4_000_000;

/// So deep are arguments expanded within arguments.
const DEPTH: u32 = 200;

/// All names that the macros of a text put together.
pub(crate) fn pasted(text: &str) -> Vec<Pasted> {
    if !["##", "%:%:"].iter().any(|sign| text.contains(sign)) {
        return Vec::new();
    }
    let mut expander = Expander { text, macros: HashMap::new(), found: HashSet::new(), budget: BUDGET };
    let mut code = VecDeque::new();
    for token in lex(text) {
        match token.kind {
            Kind::Comment => {}
            Kind::Directive => {
                expander.expand(std::mem::take(&mut code), DEPTH);
                expander.directive(&token);
            }
            _ => code.push_back(Piece::of(text, &token)),
        }
    }
    expander.expand(code, DEPTH);
    let mut found: Vec<Pasted> = expander.found.into_iter().collect();
    let places = |pasted: &Pasted| -> Vec<u32> { pasted.parts.iter().map(|part| part.start).collect() };
    found.sort_by_cached_key(|pasted| (pasted.name.clone(), places(pasted)));
    found
}

/// A macro of the text.
struct Macro {
    name: String,
    /// The names of its parameters; nothing if it takes no arguments.
    parameters: Option<Vec<String>>,
    is_variadic: bool,
    body: Vec<Piece>,
}

impl Macro {
    fn parameter(&self, piece: &Piece) -> Option<usize> {
        let name = piece.text();
        self.parameters.as_ref()?.iter().position(|parameter| parameter == name)
    }
}

/// The macros that a token is not expanded by any more.
type Hidden = Option<Rc<Hiding>>;

struct Hiding {
    name: Rc<Macro>,
    rest: Hidden,
}

fn hides(mut hidden: &Hidden, name: &str) -> bool {
    while let Some(hiding) = hidden {
        if hiding.name.name == name {
            return true;
        }
        hidden = &hiding.rest;
    }
    false
}

/// A token on its way through macros.
#[derive(Clone)]
struct Piece {
    /// What it is made of: nothing for an argument that is empty.
    parts: Rc<[Part]>,
    whole: Option<Rc<str>>,
    hidden: Hidden,
}

impl Piece {
    fn of(text: &str, token: &Token) -> Self {
        let is_identifier = token.kind == Kind::Identifier;
        let part = Part { start: token.start, text: token.spelling(text).into_owned(), is_identifier };
        Self { parts: Rc::new([part]), whole: None, hidden: None }
    }

    fn text(&self) -> &str {
        match (&self.whole, &*self.parts) {
            (Some(whole), _) => whole,
            (None, [part]) => &part.text,
            (None, _) => "",
        }
    }

    fn is_name(&self) -> bool {
        self.parts.first().is_some_and(|first| first.is_identifier)
    }

    /// Two tokens as one.
    fn joined(&self, other: &Self) -> Self {
        let parts: Vec<Part> = self.parts.iter().chain(other.parts.iter()).cloned().collect();
        let whole = Some(Rc::from(format!("{}{}", self.text(), other.text())));
        Self { parts: parts.into(), whole, hidden: None }
    }
}

struct Expander<'t> {
    text: &'t str,
    macros: HashMap<String, Rc<Macro>>,
    found: HashSet<Pasted>,
    budget: usize,
}

impl Expander<'_> {
    fn directive(&mut self, directive: &Token) {
        let whole = directive.text(self.text);
        if directive_name(whole) == "undef" {
            let names = lex_directive(self.text, directive).filter(|token| token.kind == Kind::Identifier);
            if let Some(name) = names.skip(1).map(|token| token.spelling(self.text).into_owned()).next() {
                self.macros.remove(&name);
            }
        }
        let Some(parts) = macro_parts(whole) else { return };
        let from = directive.start + parts.body.start as u32;
        let body =
            lex_directive(self.text, directive).filter(|token| token.start >= from && token.kind != Kind::Comment);
        let body = body.map(|token| Piece::of(self.text, &token)).collect();
        let is_variadic = parts.parameters.iter().flatten().any(|name| name.ends_with("..."));
        let name_of = |written: &&str| match written.trim_end_matches('.').trim_end() {
            "" => "__VA_ARGS__".to_owned(),
            name => name.to_owned(),
        };
        let parameters = parts.parameters.as_ref().map(|all| all.iter().map(name_of).collect());
        let known = Macro { name: parts.name.to_owned(), parameters, is_variadic, body };
        self.macros.insert(parts.name.to_owned(), Rc::new(known));
    }

    /// What tokens become.
    fn expand(&mut self, mut tokens: VecDeque<Piece>, depth: u32) -> Vec<Piece> {
        let mut done = Vec::new();
        while let Some(piece) = tokens.pop_front() {
            if self.budget == 0 {
                return done;
            }
            self.budget -= 1;
            let called = self.macros.get(piece.text()).filter(|_| piece.is_name());
            let Some(called) = called.filter(|called| !hides(&piece.hidden, &called.name)).cloned() else {
                done.push(piece);
                continue;
            };
            let arguments = match &called.parameters {
                None => Vec::new(),
                Some(_) => match arguments(&mut tokens, &called) {
                    Some(arguments) => arguments,
                    None => {
                        done.push(piece);
                        continue;
                    }
                },
            };
            let hidden = Some(Rc::new(Hiding { name: called.clone(), rest: piece.hidden.clone() }));
            for made in self.substituted(&called, &arguments, depth).into_iter().rev() {
                // What an argument was kept from, it still is.
                let hidden = made.hidden.iter().fold(hidden.clone(), both);
                tokens.push_front(Piece { hidden, ..made });
            }
        }
        done
    }

    /// A macro's body with arguments in the place of parameters, and its names put together.
    fn substituted(&mut self, called: &Macro, arguments: &[Vec<Piece>], depth: u32) -> Vec<Piece> {
        let empty = Piece { parts: Rc::new([]), whole: None, hidden: None };
        let is_paste = |piece: Option<&Piece>| piece.is_some_and(|piece| matches!(piece.text(), "##" | "%:%:"));
        let mut made: Vec<Piece> = Vec::new();
        let mut expanded: HashMap<usize, Vec<Piece>> = HashMap::new();
        let mut joins = false;
        let mut at = 0;
        while let Some(piece) = called.body.get(at) {
            let is_start = at == 0;
            at += 1;
            if is_paste(Some(piece)) && !is_start {
                joins = true;
                continue;
            }
            let parameter = called.parameter(piece);
            let makes_text = matches!(piece.text(), "#" | "%:") && called.parameters.is_some();
            if makes_text && called.body.get(at).is_some_and(|next| called.parameter(next).is_some()) {
                // A text is made of it, in which names change by themselves.
                at += 1;
                made.push(empty.clone());
                joins = false;
                continue;
            }
            let mut pieces = match parameter {
                None => vec![piece.clone()],
                Some(number) if joins || is_paste(called.body.get(at)) => {
                    let own = arguments.get(number).cloned().unwrap_or_default();
                    if own.is_empty() { vec![empty.clone()] } else { own }
                }
                Some(number) => match expanded.get(&number) {
                    Some(known) => known.clone(),
                    None => {
                        let own: VecDeque<Piece> = arguments.get(number).cloned().unwrap_or_default().into();
                        let new = if depth == 0 { own.into() } else { self.expand(own, depth - 1) };
                        expanded.insert(number, new.clone());
                        new
                    }
                },
            };
            // `, ## __VA_ARGS__` is no name, but a comma that may be left out.
            let is_comma = made.last().is_some_and(|last| last.text() == ",");
            if joins && !is_comma && !pieces.is_empty() {
                let last = made.pop().unwrap_or_else(|| empty.clone());
                pieces[0] = last.joined(&pieces[0]);
            }
            joins = false;
            self.budget = self.budget.saturating_sub(pieces.len());
            made.append(&mut pieces);
        }
        made.retain(|piece| !piece.text().is_empty());
        for piece in made.iter().filter(|piece| piece.parts.len() > 1) {
            self.found.insert(Pasted { name: piece.text().to_owned(), parts: piece.parts.to_vec() });
        }
        made
    }
}

/// All that hides one token or another.
fn both(hidden: Hidden, own: &Rc<Hiding>) -> Hidden {
    let mut all = hidden;
    let mut next = Some(own);
    while let Some(hiding) = next {
        if !hides(&all, &hiding.name.name) {
            all = Some(Rc::new(Hiding { name: hiding.name.clone(), rest: all }));
        }
        next = hiding.rest.as_ref();
    }
    all
}

/// The arguments of a call, taken from what follows its name; nothing, and nothing taken, if it is none.
fn arguments(tokens: &mut VecDeque<Piece>, called: &Macro) -> Option<Vec<Vec<Piece>>> {
    if tokens.front()?.text() != "(" {
        return None;
    }
    let count = called.parameters.as_ref().map_or(0, Vec::len);
    let mut arguments = vec![Vec::new()];
    let mut depth = 0_usize;
    let mut end = None;
    for (at, piece) in tokens.iter().enumerate().skip(1) {
        match piece.text() {
            "(" => depth += 1,
            ")" if depth == 0 => {
                end = Some(at);
                break;
            }
            ")" => depth -= 1,
            "," if depth == 0 && !(called.is_variadic && arguments.len() >= count) => {
                arguments.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = arguments.last_mut() {
            last.push(piece.clone());
        }
    }
    tokens.drain(..=end?);
    Some(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that a text's macros put together, each with its parts.
    fn names(text: &str) -> Vec<(String, String)> {
        let parts = |one: &Pasted| one.parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("|");
        let mut names: Vec<(String, String)> = pasted(text).iter().map(|one| (one.name.clone(), parts(one))).collect();
        names.dedup();
        names
    }

    fn one(name: &str, parts: &str) -> (String, String) {
        (name.to_owned(), parts.to_owned())
    }

    #[test]
    fn arguments_are_expanded_before_they_come_to_be_joined_elsewhere() {
        let text = "#define SPACE LZ_\n#define CAT(a, b) a##b\n#define NAME(a, b) CAT(a, b)\n\
                    #define hash NAME(SPACE, hash)\nint hash(int x);\n";
        assert_eq!(names(text), [one("LZ_hash", "LZ_|hash")]);
        // Joined right away, it is not.
        assert_eq!(
            names("#define SPACE LZ_\n#define CAT(a, b) a##b\nint CAT(SPACE, x);\n"),
            [one("SPACEx", "SPACE|x")]
        );
    }

    #[test]
    fn only_what_the_text_makes_is_found() {
        assert_eq!(
            names("#define GET(x) get_##x\n#define SET(x) set_##x\nint GET(size);\n"),
            [one("get_size", "get_|size")]
        );
        assert_eq!(names("#define GET(x) get_##x\n#undef GET\nint GET(size);\n"), []);
    }

    #[test]
    fn several_parts_lists_and_recursion() {
        let lists = "#define ALL(X) X(red) X(green)\n#define MAKE(c) int color_##c##_id;\nALL(MAKE)\n";
        assert_eq!(names(lists), [one("color_green_id", "color_|green|_id"), one("color_red_id", "color_|red|_id")]);
        assert_eq!(names("#define f(x) f(x##1) + g(a, ##x)\nint y = f(z);\n"), [one("z1", "z|1")]);
        assert_eq!(
            names("#define LOG(f, ...) log_##f(__VA_ARGS__, ##__VA_ARGS__)\nint y = LOG(one, 1, 2);\n"),
            [one("log_one", "log_|one")]
        );
    }
}
