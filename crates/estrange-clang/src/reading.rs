//! What a translation unit declares and refers to, as plain data.
//!
//! All positions are byte offsets into the text that was read; what macros made stands where the macro was called.

use serde::{Deserialize, Serialize};

use crate::library::Trouble;

/// A translation unit, read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Namespaces and linkage blocks, parents before children.
    pub containers: Vec<Container>,
    /// What is declared in the text: at file and namespace level, and the functions inside classes; in order of
    /// appearance, parents before children.
    pub declarations: Vec<Declaration>,
    /// Every reference from the text to a declaration, sorted by position.
    pub references: Vec<Reference>,
    /// Places in headers that references point at.
    pub places: Vec<HeaderLine>,
    /// Macros that headers define and whose names occur in the text, with the places of their definitions.
    pub header_macros: Vec<(String, Vec<u32>)>,
    /// What the parser complained about, errors only.
    pub troubles: Vec<Trouble>,
}

/// A line of a header: stands for the declaration or macro there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HeaderLine {
    /// The header's path.
    pub file: String,
    /// The line, from one.
    pub line: u32,
}

/// A namespace or a linkage block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Container {
    /// Which.
    pub kind: ContainerKind,
    /// The enclosing container.
    pub parent: Option<u32>,
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
}

/// What kind of container.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ContainerKind {
    /// `namespace name`; the name is empty for an unnamed one.
    Namespace {
        /// Its name.
        name: String,
        /// Whether it is an inline namespace.
        inline: bool,
    },
    /// `extern "C"`.
    CLinkage,
}

/// One declaration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Declaration {
    /// What it declares.
    pub kind: DeclarationKind,
    /// Its name as spelled; empty if it has none.
    pub name: String,
    /// With the namespaces and classes around it.
    pub qualified_name: String,
    /// The same for all declarations of one entity, in every file.
    pub usr: String,
    /// Where its name stands.
    pub at: u32,
    /// Where it starts.
    pub start: u32,
    /// Where it ends; a closing semicolon is not part of it.
    pub end: u32,
    /// The innermost container.
    pub container: Option<u32>,
    /// The class it stands in, as an index of declarations.
    pub class: Option<u32>,
    /// Whether it defines its entity.
    pub is_definition: bool,
    /// The function's body, braces included.
    pub body: Option<(u32, u32)>,
    /// Whether only this translation unit can see it.
    pub is_internal: bool,
    /// Whether it is declared `extern` and not defined.
    pub is_extern: bool,
    /// Whether it defines a function as `inline`, without `static` or `extern`: of C, that alone makes no code.
    pub is_only_inline: bool,
    /// Whether it is a template or a member of one.
    pub is_template: bool,
    /// Whether its result type is deduced from its body.
    pub is_deduced: bool,
    /// Whether it is a virtual method, said or inherited.
    pub is_virtual: bool,
    /// Whether it is a variable of constant type.
    pub is_constant: bool,
    /// How many elements a variable has that is an array.
    pub array_length: Option<u64>,
    /// Its symbol in object code, for functions and variables that are no templates.
    pub symbol: String,
}

/// What a declaration declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DeclarationKind {
    /// A function outside a class.
    Function,
    /// A method.
    Method,
    /// A constructor.
    Constructor,
    /// A destructor.
    Destructor,
    /// A conversion operator.
    Conversion,
    /// A variable.
    Variable,
    /// A struct, union or class, or a template of one.
    Record,
    /// An enumeration.
    Enumeration,
    /// A type alias.
    Alias,
    /// A `using` declaration or directive.
    Using,
    /// An alias of a namespace.
    NamespaceAlias,
    /// Anything else.
    Other,
}

impl DeclarationKind {
    /// Whether it is code.
    pub fn is_function(self) -> bool {
        use DeclarationKind::*;
        matches!(self, Function | Method | Constructor | Destructor | Conversion)
    }
}

/// A use of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reference {
    /// Where it is used.
    pub at: u32,
    /// What is used.
    pub target: Target,
    /// How much of it the use needs.
    pub need: Need,
}

/// What a reference points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Target {
    /// The offset of the name of a declaration in the text.
    Here(u32),
    /// A place in a header, as an index of places.
    Header(u32),
}

/// How much of a declaration a use needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Need {
    /// That it is declared.
    Declared,
    /// That it is complete: a type with its members, an enumeration with its values.
    Complete,
}
