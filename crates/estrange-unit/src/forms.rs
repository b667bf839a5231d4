//! The forms in which a chunk can stand in a unit: whole, or only as much as declares it.
//!
//! A form is the chunk's own text with stretches left out or replaced: a function without its body, a type without
//! its members, a variable without its value.

use std::borrow::Cow;

use estrange_clang::{Declaration, DeclarationKind};
use estrange_text::lexer::{Kind, Token};
use estrange_words::Language;

use crate::slices::{Chunk, Slices};

/// How much of a chunk is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Form {
    /// Only that its names are declared.
    Declared,
    /// All of it.
    Whole,
}

/// A stretch of text that is replaced.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cut {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) instead: Cow<'static, str>,
}

impl Slices<'_> {
    /// What to cut from a chunk so that it only declares its names; nothing if that cannot be.
    pub(crate) fn declaring(&self, chunk: &Chunk) -> Option<Vec<Cut>> {
        match chunk.declarations.as_slice() {
            [only] => {
                let declaration = self.declaration(*only);
                match declaration.kind {
                    kind if kind.is_function() && declaration.is_definition => self.prototype(chunk, declaration),
                    DeclarationKind::Record if declaration.is_definition => self.without_members(chunk, declaration),
                    DeclarationKind::Variable if declaration.is_definition => self.without_value(chunk, declaration),
                    _ => None,
                }
            }
            several => {
                let declared: Vec<&Declaration> = several.iter().map(|number| self.declaration(*number)).collect();
                // `struct { … } variable = { … };`
                if let [variable] =
                    declared.iter().filter(|one| one.kind != DeclarationKind::Record).collect::<Vec<_>>()[..]
                    && variable.kind == DeclarationKind::Variable
                {
                    return if variable.is_definition { self.without_value(chunk, variable) } else { None };
                }
                // `typedef struct tag { … } alias;`
                let record = declared.iter().find(|declaration| {
                    declaration.kind == DeclarationKind::Record
                        && declaration.is_definition
                        && !self.is_unnamed(declaration)
                })?;
                let aliases = declared.iter().all(|declaration| {
                    std::ptr::eq(*declaration, *record) || declaration.kind == DeclarationKind::Alias
                });
                if aliases { self.without_members(chunk, record) } else { None }
            }
        }
    }

    /// Whether a type has no name of its own: libclang then lends it another.
    fn is_unnamed(&self, declaration: &Declaration) -> bool {
        declaration.name.is_empty() || !self.text()[declaration.at as usize..].starts_with(&declaration.name)
    }

    /// The cut that takes away the body of a function.
    pub(crate) fn without_body(&self, declaration: &Declaration) -> Option<Cut> {
        let (mut start, end) = declaration.body?;
        if end <= start || self.text().as_bytes().get(start as usize) != Some(&b'{') {
            return None;
        }
        // A constructor's initialisers go with its body; so do `try` and the space before.
        let head = self.tokens(declaration.at, start);
        if let Some(colon) = initialisers(head, self.text()) {
            start = colon;
        }
        let before = self.text()[..start as usize].trim_end().len() as u32;
        Some(Cut { start: before.max(declaration.start), end, instead: ";".into() })
    }

    fn prototype(&self, chunk: &Chunk, declaration: &Declaration) -> Option<Vec<Cut>> {
        let cut = self.without_body(declaration)?;
        let head: Vec<&Token> = self
            .tokens(declaration.at, cut.start)
            .iter()
            .filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive))
            .collect();
        // Parameters in the style of before 1989 are declared between the parentheses and the body.
        if head.iter().any(|token| token.text(self.text()) == ";") {
            let open = head.iter().find(|token| token.text(self.text()) == "(")?;
            return Some(vec![Cut { start: open.start, end: chunk.end, instead: "();".into() }]);
        }
        Some(vec![Cut { end: chunk.end, ..cut }])
    }

    fn without_members(&self, chunk: &Chunk, record: &Declaration) -> Option<Vec<Cut>> {
        if self.is_unnamed(record) {
            return None;
        }
        let tokens = self.tokens(record.at, chunk.end);
        let mut start = None;
        let mut depth = 0;
        for token in tokens.iter().filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive)) {
            match token.text(self.text()) {
                // The bases go with the members.
                ":" if start.is_none() => start = Some(token.start),
                "{" => {
                    start = start.or(Some(token.start));
                    depth += 1;
                }
                "}" => {
                    depth -= 1;
                    if depth == 0 {
                        let start = self.text()[..start? as usize].trim_end().len() as u32;
                        let start = start.max(record.at);
                        return Some(vec![Cut { start, end: token.end, instead: "".into() }]);
                    }
                }
                ";" if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// A variable's value taken away; it becomes `extern`, so that the text does not define another variable.
    fn without_value(&self, chunk: &Chunk, declaration: &Declaration) -> Option<Vec<Cut>> {
        if self.language == Language::Cpp && declaration.is_constant {
            return None;
        }
        let text = self.text();
        let tokens: Vec<&Token> = self
            .tokens(chunk.start, chunk.end)
            .iter()
            .filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive))
            .collect();
        let mut depth = 0;
        let mut cuts = Vec::new();
        let stored =
            tokens.iter().find(|token| matches!(token.text(text), "static" | "extern") && token.start < declaration.at);
        match stored {
            Some(token) if token.text(text) == "static" => {
                cuts.push(Cut { start: token.start, end: token.end, instead: "extern".into() });
            }
            Some(_) => {}
            None => cuts.push(Cut { start: chunk.start, end: chunk.start, instead: "extern ".into() }),
        }
        let after: Vec<&&Token> = tokens.iter().filter(|token| token.start > declaration.at).collect();
        for (index, token) in after.iter().enumerate() {
            match token.text(text) {
                // An array whose value tells its length is told its length.
                "[" if depth == 0 && after.get(index + 1).is_some_and(|next| next.text(text) == "]") => {
                    let length = declaration.array_length?;
                    cuts.push(Cut { start: token.start, end: token.end, instead: format!("[{length}").into() });
                    depth += 1;
                }
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                // More than one variable: all of them or none.
                "," if depth == 0 => return None,
                "=" if depth == 0 => {
                    let start = text[..token.start as usize].trim_end().len() as u32;
                    cuts.push(Cut { start, end: chunk.end, instead: ";".into() });
                    return Some(cuts);
                }
                _ => {}
            }
        }
        Some(cuts)
    }
}

/// Where the initialisers of a constructor begin, in the tokens between its name and its body.
fn initialisers(head: &[Token], text: &str) -> Option<u32> {
    let mut depth = 0;
    let mut after_parameters = false;
    for token in head.iter().filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive)) {
        match token.text(text) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth -= 1;
                after_parameters |= depth == 0;
            }
            ":" if depth == 0 && after_parameters => return Some(token.start),
            "try" if depth == 0 && after_parameters => return Some(token.start),
            _ => {}
        }
    }
    None
}
