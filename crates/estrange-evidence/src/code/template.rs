//! Templates as text: their parameters, and what a use of one with certain arguments looks like.

use std::collections::HashMap;
use std::ops::Range;

use estrange_text::lexer::{Kind, Token, lex};
use estrange_text::piece::Piece;

/// A parameter of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parameter {
    /// What it is called; nothing if it has no name.
    pub(super) name: String,
    pub(super) kind: ParameterKind,
    pub(super) is_pack: bool,
    /// What stands for it where nothing else does.
    pub(super) default: Option<Range<usize>>,
}

/// What an argument for a parameter is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ParameterKind {
    Type,
    Value,
    Template,
}

/// What stands for each parameter, by name.
pub(super) type Values = HashMap<String, Vec<Piece>>;

/// The tokens of a part of a text that mean something to a compiler proper.
pub(super) fn tokens(text: &str, range: Range<usize>) -> Vec<Token> {
    let start = range.start as u32;
    let shift = |token: Token| Token { start: token.start + start, end: token.end + start, ..token };
    let is_code = |token: &Token| !matches!(token.kind, Kind::Comment | Kind::Directive);
    lex(&text[range]).into_iter().filter(is_code).map(shift).collect()
}

/// The lists of parameters that some tokens begin with, and how many tokens they are.
pub(super) fn lists(text: &str, tokens: &[Token]) -> (Vec<Vec<Parameter>>, usize) {
    let mut lists = Vec::new();
    let mut at = 0;
    while word(text, tokens, at) == "template" && word(text, tokens, at + 1) == "<" {
        let Some(close) = closing(text, tokens, at + 1) else { break };
        let parts = split(text, &tokens[at + 2..close]);
        lists.push(parts.into_iter().filter_map(|part| parameter(text, part)).collect());
        at = close + 1;
    }
    (lists, at)
}

/// How many tokens of attributes stand at the start.
pub(super) fn attributes(text: &str, tokens: &[Token]) -> usize {
    let mut at = 0;
    loop {
        let open = match (word(text, tokens, at), word(text, tokens, at + 1)) {
            ("[", "[") => at,
            ("__attribute__" | "__attribute" | "alignas" | "__declspec", "(") => at + 1,
            _ => return at,
        };
        match closing(text, tokens, open) {
            Some(close) => at = close + 1,
            None => return at,
        }
    }
}

/// The token at a place; nothing if there is none.
pub(super) fn word<'t>(text: &'t str, tokens: &[Token], at: usize) -> &'t str {
    tokens.get(at).map_or("", |token| token.text(text))
}

/// Where the bracket at `open` is closed.
pub(super) fn closing(text: &str, tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = Depth::default();
    for at in open..tokens.len() {
        if !depth.pass(word(text, tokens, at)) {
            return None;
        }
        if depth.is_outside() {
            return Some(at);
        }
    }
    None
}

/// The parts between commas that stand in no brackets.
fn split<'t>(text: &str, tokens: &'t [Token]) -> Vec<&'t [Token]> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (Depth::default(), 0);
    for at in 0..tokens.len() {
        if depth.is_outside() && word(text, tokens, at) == "," {
            parts.push(&tokens[from..at]);
            from = at + 1;
        } else if !depth.pass(word(text, tokens, at)) {
            break;
        }
    }
    parts.push(&tokens[from..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The brackets that are open, those of templates among them.
#[derive(Default)]
struct Depth(Vec<char>);

impl Depth {
    fn is_outside(&self) -> bool {
        self.0.is_empty()
    }

    /// Passes a token; false if it closes what is not open.
    fn pass(&mut self, word: &str) -> bool {
        let closes = |depth: &mut Self, open: char| {
            // What looks like an open template was a comparison.
            while depth.0.last() == Some(&'<') && open != '<' {
                depth.0.pop();
            }
            depth.0.pop() == Some(open)
        };
        match word {
            "(" | "[" | "{" | "<" => self.0.extend(word.chars()),
            ")" => return closes(self, '('),
            "]" => return closes(self, '['),
            "}" => return closes(self, '{'),
            ">" | ">>" => {
                for _ in 0..word.len() {
                    if self.0.last() == Some(&'<') {
                        self.0.pop();
                    }
                }
            }
            _ => {}
        }
        true
    }
}

fn parameter(text: &str, part: &[Token]) -> Option<Parameter> {
    let mut depth = Depth::default();
    let mut equals = None;
    for at in 0..part.len() {
        if depth.is_outside() && word(text, part, at) == "=" {
            equals = Some(at);
            break;
        }
        depth.pass(word(text, part, at));
    }
    let head = &part[..equals.unwrap_or(part.len())];
    let first = word(text, head, 0);
    let kind = match first {
        "template" => ParameterKind::Template,
        "typename" | "class" if !head.iter().any(|token| token.text(text) == "::") => ParameterKind::Type,
        _ => ParameterKind::Value,
    };
    let last = head.last()?;
    let is_named = last.kind == Kind::Identifier && head.len() > 1;
    let default = equals.and_then(|at| Some(part.get(at + 1)?.start as usize..part.last()?.end as usize));
    Some(Parameter {
        name: if is_named { last.text(text).to_owned() } else { String::new() },
        kind,
        is_pack: head.iter().any(|token| token.text(text) == "..."),
        default,
    })
}

/// Some tokens with values for parameters; `packs` says whether a pack of one thing stands in them.
pub(super) fn filled(text: &str, tokens: &[Token], values: &Values, packs: bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if packs && token.text(text) == "..." {
            continue;
        }
        let is_member = at > 0 && matches!(word(text, tokens, at - 1), "::" | "." | "->");
        match values.get(token.text(text)) {
            Some(value) if token.kind == Kind::Identifier && !is_member => pieces.extend(value.iter().cloned()),
            _ => pieces.push(Piece::Own(token.range())),
        }
        pieces.push(Piece::Text(" ".to_owned()));
    }
    pieces
}

/// What stands for the parameters of a list: the values given, one for each that has no default, then the defaults.
pub(super) fn values(text: &str, list: &[Parameter], given: &mut dyn Iterator<Item = Vec<Piece>>, all: &mut Values) {
    for parameter in list {
        let value = match &parameter.default {
            Some(default) => filled(text, &tokens(text, default.clone()), all, false),
            None => given.next().unwrap_or_default(),
        };
        if !parameter.name.is_empty() {
            all.insert(parameter.name.clone(), value);
        }
    }
}

/// The head of a function, from after its lists of parameters to its body, in parts.
pub(super) struct Head<'t> {
    /// What it returns; nothing if it is a constructor, destructor or conversion.
    pub(super) returned: Vec<Token>,
    /// What stands before its name: `ns::Ring<Item>::`.
    pub(super) qualified: &'t [Token],
    /// Its name: `push`, `operator [ ]`, `~Ring`.
    pub(super) name: &'t [Token],
    /// The parameters, without their default arguments.
    pub(super) parameters: Vec<Token>,
    /// `const`, `&`.
    pub(super) after: Vec<Token>,
}

impl<'t> Head<'t> {
    /// Reads a head whose name stands at `name`.
    pub(super) fn read(text: &str, tokens: &'t [Token], name: usize) -> Option<Self> {
        let at = tokens.iter().position(|token| token.start as usize == name)?;
        let qualified = qualified(text, tokens, at);
        let mut open = at + 1;
        if word(text, tokens, at) == "operator" && word(text, tokens, open) == "(" {
            // Its name has parentheses itself.
            open += 2;
        }
        while word(text, tokens, open) != "(" {
            if open >= tokens.len() || matches!(word(text, tokens, open), "{" | ";") {
                return None;
            }
            open += 1;
        }
        let close = closing(text, tokens, open)?;
        let mut head = Self {
            returned: specifiers(text, &tokens[..qualified]),
            qualified: &tokens[qualified..at],
            name: &tokens[at..open],
            parameters: without_defaults(text, &tokens[open + 1..close]),
            after: Vec::new(),
        };
        let mut at = close + 1;
        while at < tokens.len() {
            match word(text, tokens, at) {
                "const" | "volatile" | "&" | "&&" => head.after.push(tokens[at]),
                "noexcept" | "throw" | "__attribute__" if word(text, tokens, at + 1) == "(" => {
                    at = closing(text, tokens, at + 1)?;
                }
                "noexcept" | "override" | "final" => {}
                "->" => {
                    let is_end = |token: &Token| matches!(token.text(text), "{" | "requires" | "try");
                    let end = tokens[at..].iter().position(is_end).map_or(tokens.len(), |end| at + end);
                    head.returned = tokens[at + 1..end].to_vec();
                    break;
                }
                _ => break,
            }
            at += 1;
        }
        Some(head)
    }
}

/// Where what stands before the name at `at` begins.
fn qualified(text: &str, tokens: &[Token], at: usize) -> usize {
    let mut from = at;
    while from > 0 && word(text, tokens, from - 1) == "::" {
        let mut before = from - 1;
        if before > 0 && matches!(word(text, tokens, before - 1), ">" | ">>") {
            let mut depth = 0;
            while before > 0 {
                before -= 1;
                match word(text, tokens, before) {
                    ">" => depth += 1,
                    ">>" => depth += 2,
                    "<" => depth -= 1,
                    _ => {}
                }
                if depth <= 0 {
                    break;
                }
            }
        }
        if before == 0 || tokens[before - 1].kind != Kind::Identifier {
            return from - 1;
        }
        from = before - 1;
    }
    from
}

/// What a declaration begins with, without the words that say nothing of its type.
fn specifiers(text: &str, tokens: &[Token]) -> Vec<Token> {
    const WORDS: [&str; 11] = [
        "static",
        "inline",
        "constexpr",
        "consteval",
        "virtual",
        "explicit",
        "friend",
        "extern",
        "__inline",
        "__inline__",
        "__extension__",
    ];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let skipped = attributes(text, &tokens[at..]);
        if skipped > 0 {
            at += skipped;
            continue;
        }
        if !WORDS.contains(&word(text, tokens, at)) {
            kept.push(tokens[at]);
        }
        at += 1;
    }
    kept
}

fn without_defaults(text: &str, tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut depth = Depth::default();
    let mut is_default = false;
    for (at, token) in tokens.iter().enumerate() {
        if depth.is_outside() && matches!(token.text(text), "=" | ",") {
            is_default = token.text(text) == "=";
        }
        depth.pass(word(text, tokens, at));
        if !is_default {
            kept.push(*token);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Token> {
        tokens(text, 0..text.len())
    }

    fn shown(text: &str, tokens: &[Token]) -> String {
        tokens.iter().map(|token| token.text(text)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lists_of_parameters_are_read() {
        let text =
            "template <class Item, int N = (2 > 1), typename... Rest> template <template <class> class C> void f()";
        let (lists, skipped) = lists(text, &all(text));
        let names = |list: &[Parameter]| list.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&lists[0]), ["Item", "N", "Rest"]);
        assert_eq!(names(&lists[1]), ["C"]);
        let kinds: Vec<&ParameterKind> = lists.iter().flatten().map(|one| &one.kind).collect();
        use ParameterKind::{Template, Type, Value};
        assert_eq!(kinds, [&Type, &Value, &Type, &Template]);
        assert_eq!(lists[0][1].default.clone().map(|range| &text[range]), Some("(2 > 1)"));
        assert!(lists[0][2].is_pack && !lists[0][0].is_pack);
        assert_eq!(word(text, &all(text), skipped), "void");
    }

    #[test]
    fn heads_are_read() {
        let text =
            "static inline std::map<K, V> a::Ring<K>::find(const K &key, int n = f(1, 2), V v = V()) const noexcept {";
        let tokens = all(text);
        let head = Head::read(text, &tokens, text.find("find").expect("the name")).expect("a head");
        assert_eq!(shown(text, &head.returned), "std :: map < K , V >");
        assert_eq!(shown(text, head.qualified), "a :: Ring < K > ::");
        assert_eq!(shown(text, &head.parameters), "const K & key , int n , V v");
        assert_eq!(shown(text, &head.after), "const");
        let text = "auto operator()(Item item) const -> decltype(item + 1) { return item + 1; }";
        let tokens = all(text);
        let head = Head::read(text, &tokens, text.find("operator").expect("the name")).expect("a head");
        assert_eq!(shown(text, head.name), "operator ( )");
        assert_eq!(shown(text, &head.returned), "decltype ( item + 1 )");
    }

    #[test]
    fn parameters_are_filled_in_and_members_of_their_name_are_not() {
        let text = "const Item &item, typename Ring<Item>::Item other";
        let values = Values::from([("Item".to_owned(), vec![Piece::Text("int".to_owned())])]);
        let filled = estrange_text::piece::joined(text, &filled(text, &all(text), &values, false));
        assert_eq!(filled, "const int & item , typename Ring < int > :: Item other ");
    }
}
