//! The function definitions of a text, as far as its tokens show them.
//!
//! Nothing here knows the language's grammar as a parser does: it counts what a parser should have delivered, so that
//! what it did not can be told. What stands in macros is not seen; what looks like a definition and is none may be.

mod declared;
mod scopes;
#[cfg(test)]
mod tests;

use crate::lexer::{Kind, Token};

pub use declared::bodies;
use scopes::Outliner;

/// What seems to be defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A function.
    Function,
    /// A function without a name, as the value of a variable or member.
    Lambda,
}

/// What looks like the definition of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// What it is.
    pub form: Form,
    /// The name: of the function, or of the variable.
    pub name: (u32, u32),
    /// Where the declaration starts.
    pub start: u32,
    /// Where the body starts, which is in braces.
    pub body: u32,
    /// Where the body ends.
    pub end: u32,
}

impl Definition {
    /// The name as it is spelled, without what qualifies it.
    pub fn name<'t>(&self, text: &'t str) -> &'t str {
        &text[self.name.0 as usize..self.name.1 as usize]
    }
}

/// The definitions in a text that was cut into these tokens, outside of functions, in order.
pub fn definitions(text: &str, tokens: &[Token]) -> Vec<Definition> {
    let tokens: Vec<Token> =
        tokens.iter().filter(|token| !matches!(token.kind, Kind::Comment | Kind::Directive)).copied().collect();
    Outliner::of(text, &tokens).definitions()
}
