//! What stands at the top level of a text: directives, functions, other declarations.

use std::ops::Range;

use crate::lexer::{Kind, Token, lex, lex_directive};
use crate::outline::{Definition, Form, definitions};

/// Something at the top level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// What it is.
    pub what: What,
    /// Its place.
    pub place: Range<usize>,
    /// What it declares, where that can be told: the name of a function or macro, the tag of a struct, the name of a variable.
    pub name: Option<String>,
}

/// What a chunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// `#include`.
    Include,
    /// `#define`.
    Macro,
    /// Another directive.
    Directive,
    /// The definition of a function.
    Function,
    /// The declaration of one.
    Prototype,
    /// A struct, a union, an enumeration, a class, or another name for a type.
    Type,
    /// A variable, or another declaration.
    Variable,
}

/// The chunks of a text, in their order. Namespaces and linkage blocks are looked into; their braces are no chunks.
pub fn chunks(text: &str) -> Vec<Chunk> {
    let tokens = lex(text);
    let functions: Vec<Definition> =
        definitions(text, &tokens).into_iter().filter(|definition| definition.form == Form::Function).collect();
    let mut chunks = Vec::new();
    let mut at = 0;
    while let Some(first) = tokens.get(at) {
        let start = first.start as usize;
        if first.kind == Kind::Comment {
            at += 1;
            continue;
        }
        if first.kind == Kind::Directive {
            chunks.push(directive(text, first));
            at += 1;
            continue;
        }
        if let Some(function) = functions.iter().find(|function| function.start == first.start) {
            let name = Some(function.name(text).to_owned());
            chunks.push(Chunk { what: What::Function, place: start..function.end as usize, name });
            at = tokens.partition_point(|token| token.start < function.end);
            continue;
        }
        // The inside of a namespace or a linkage block is the top level, too.
        let words: Vec<&str> = tokens[at..].iter().take(4).map(|token| token.text(text)).collect();
        let opens = match words.as_slice() {
            ["namespace", "{", ..] | ["extern", "\"C\"", "{", ..] => 2 + usize::from(words[0] == "extern"),
            ["namespace", _, "{", ..] => 3,
            ["}", ..] => 1,
            _ => 0,
        };
        if opens > 0 {
            at += opens;
            continue;
        }
        let end = declaration_end(text, &tokens, at);
        let place = start..tokens[end - 1].end as usize;
        let (what, name) = declared(text, &tokens[at..end]);
        chunks.push(Chunk { what, name, place });
        at = end;
    }
    chunks
}

fn directive(text: &str, token: &Token) -> Chunk {
    let words: Vec<&str> =
        lex_directive(text, token).take(3).map(|word| &text[word.start as usize..word.end as usize]).collect();
    let what = match words.get(1).or(words.first()).copied() {
        Some("include") => What::Include,
        Some("define") => What::Macro,
        _ => What::Directive,
    };
    let name = (what == What::Macro).then(|| words.get(2).map(|name| (*name).to_owned())).flatten();
    Chunk { what, place: token.range(), name }
}

/// The token behind a declaration that begins at one.
fn declaration_end(text: &str, tokens: &[Token], from: usize) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token.text(text) {
            "{" | "(" | "[" => depth += 1,
            "}" if depth == 0 => return at.max(from + 1),
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            ";" if depth == 0 => return at + 1,
            _ if token.kind == Kind::Directive => return at.max(from + 1),
            _ => {}
        }
    }
    tokens.len()
}

/// What a declaration is, and what it declares, if that is plain.
fn declared(text: &str, tokens: &[Token]) -> (What, Option<String>) {
    let words: Vec<(&str, Kind)> =
        tokens.iter().filter(|token| token.kind != Kind::Comment).map(|token| (token.text(text), token.kind)).collect();
    let last_name = |words: &[(&str, Kind)]| {
        words.iter().rfind(|(_, kind)| *kind == Kind::Identifier).map(|(name, _)| (*name).to_owned())
    };
    let first = words.first().map_or("", |(word, _)| *word);
    if first == "typedef" {
        // A pointer to a function has its name in parentheses.
        let is_name = |pair: &&[(&str, Kind)]| pair[0].0 == "*" && pair[1].1 == Kind::Identifier && pair[2].0 == ")";
        let pointer = words.windows(3).find(is_name).map(|pair| pair[1].0.to_owned());
        return (What::Type, pointer.or_else(|| last_name(&words)));
    }
    if first == "using" {
        return (What::Type, words.get(1).map(|(name, _)| (*name).to_owned()));
    }
    let Some(ends) = words.iter().position(|(word, _)| matches!(*word, "=" | "[" | "(" | ";" | "{")) else {
        return (What::Variable, None);
    };
    let is_tag = |(word, _): &(&str, Kind)| matches!(*word, "struct" | "union" | "enum" | "class");
    let tag = words[..ends].iter().position(is_tag);
    match (words[ends].0, tag) {
        ("{" | ";", Some(tag)) if words[ends].0 == "{" || ends - tag <= 2 => {
            // What a class derives from stands behind its name.
            let until = words[..ends].iter().position(|(word, _)| *word == ":").unwrap_or(ends);
            (What::Type, last_name(&words[tag + 1..until.max(tag + 1)]))
        }
        ("(", _) => (What::Prototype, last_name(&words[..ends])),
        _ => (What::Variable, last_name(&words[..ends])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_at_the_top_level_is_there_with_its_name() {
        let text = "#include <stdio.h>\n#define MOST 3\n/* a */\nstatic int table[MOST] = {1, 2};\nstruct node { int a; };\n\
                    typedef struct { int x; } point;\nint help(int a);\nnamespace own {\nint f(int a) { return help(a); }\n}\n\
                    enum colour { RED };\nextern \"C\" { void g(void) {} }\nstruct later;\n\
                    struct node *node_of;\ntypedef int (*handler)(int a);\nclass Shape : public Base { int x; };\n";
        let found: Vec<(What, Option<String>)> =
            chunks(text).into_iter().map(|chunk| (chunk.what, chunk.name)).collect();
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(
            found,
            [
                (What::Include, None),
                (What::Macro, name("MOST")),
                (What::Variable, name("table")),
                (What::Type, name("node")),
                (What::Type, name("point")),
                (What::Prototype, name("help")),
                (What::Function, name("f")),
                (What::Type, name("colour")),
                (What::Function, name("g")),
                (What::Type, name("later")),
                (What::Variable, name("node_of")),
                (What::Type, name("handler")),
                (What::Type, name("Shape")),
            ]
        );
    }

    #[test]
    fn text_that_is_no_code_ends() {
        for text in ["", "}", "}}}}", "Here is the function:", "int f(int a", "{ { {", "a ) ; ( b"] {
            chunks(text);
        }
    }
}
