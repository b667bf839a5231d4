//! The functions of a text as trees: statements and expressions with their places, what they name, and their types.
//!
//! All is plain data with indices: a node's children come right after it, so that a subtree is a range of nodes.

mod kind;
mod types;
mod walk;

use serde::{Deserialize, Serialize};

use crate::library::{Clang, Trouble, gave_up};

pub use kind::{Binary, NodeKind, Unary};
pub use types::{Enumeration, Field, Method, Record, Shape, Type};

/// The functions of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// All nodes: a constructor's initializers, a function's body, and before each child its parent.
    pub nodes: Vec<Node>,
    /// The functions that the text defines, in its order.
    pub functions: Vec<Body>,
    /// What nodes and functions refer to by name.
    pub things: Vec<Thing>,
    /// The types of nodes and things.
    pub types: Vec<Type>,
    /// The structs, unions and classes of the types.
    pub records: Vec<Record>,
    /// The enumerations of the types.
    pub enumerations: Vec<Enumeration>,
    /// Where macros are called: start and end, the outermost calls only, in order.
    pub expansions: Vec<(u32, u32)>,
    /// What the parser complained about, errors only.
    pub troubles: Vec<Trouble>,
}

/// A statement, an expression, or a declaration within a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it starts, in bytes. A statement's `;` is no part of it.
    pub start: u32,
    /// The byte after its end.
    pub end: u32,
    /// What it is a child of; none for a function's body, nor for an initializer.
    pub parent: Option<u32>,
    /// The node after its last descendant.
    pub next: u32,
    /// An expression's type, or that of a variable that is declared.
    pub type_: Option<u32>,
    /// The thing that it names or declares.
    pub thing: Option<u32>,
    /// Whether the text from start to end is this node and nothing else: it does not come out of a macro's body, and no
    /// macro's call reaches over its bounds. Only such nodes can be edited where they stand.
    pub is_written: bool,
    /// Its value, if it is an integer that the compiler knows.
    pub value: Option<i64>,
}

/// A function that the text defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// The function itself.
    pub thing: u32,
    /// Where its definition starts.
    pub start: u32,
    /// The byte after its end.
    pub end: u32,
    /// Its parameters, in order.
    pub parameters: Vec<u32>,
    /// The node of its body, a block; none for one that a class makes by itself.
    pub body: Option<u32>,
    /// The nodes of what a constructor begins its members with, as far as that is written.
    pub initializers: Vec<u32>,
    /// The record whose method it is.
    pub of: Option<u32>,
    /// What kind of function it is.
    pub kind: FunctionKind,
    /// Where its name stands in its definition.
    pub name: u32,
    /// Where its class declares it, if it is defined outside of it.
    pub declared: Option<Declared>,
    /// Whether it is a method that is called without an object.
    pub is_static_method: bool,
    /// Whether it is a method that leaves its object as it is.
    pub is_const_method: bool,
    /// Whether a class defines it that it does not belong to.
    pub is_friend: bool,
    /// Whether it is a template or a member of one.
    pub is_template: bool,
    /// What its class takes, if that is a template and stands in no other.
    pub class_parameters: Vec<TemplateParameter>,
    /// What it takes itself, if it is a template.
    pub template_parameters: Vec<TemplateParameter>,
}

/// What kind of function something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FunctionKind {
    /// It belongs to no class.
    Free,
    /// It is a method.
    Method,
    /// It makes an object.
    Constructor,
    /// It ends an object.
    Destructor,
    /// It makes something else of an object.
    Conversion,
}

/// What a template takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateParameter {
    /// Its name; empty if it has none.
    pub name: String,
    /// Whether it is a type, and not a value or another template.
    pub is_type: bool,
}

/// Where something is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// Where the declaration starts.
    pub start: u32,
    /// The byte after its end, without the `;`.
    pub end: u32,
    /// Where the name stands.
    pub name: u32,
}

/// Something that has a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thing {
    /// Its name.
    pub name: String,
    /// Its name with what it belongs to, as code outside of any function would write it.
    pub qualified_name: String,
    /// What it is.
    pub kind: ThingKind,
    /// Its type.
    pub type_: Option<u32>,
    /// Where its name stands in the text where it is declared first; none if a header declares it.
    pub at: Option<u32>,
    /// Whether the text defines it.
    pub is_defined: bool,
    /// Whether only its own file sees it, or, for what is declared in a function, whether it lives on after a call.
    pub is_static: bool,
    /// Whether all code may name it: neither it nor a class around it is private or protected.
    pub is_public: bool,
    /// Whether it is a method that a class below its own may define anew.
    pub is_virtual: bool,
}

/// What has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ThingKind {
    /// A variable of a function.
    Local,
    /// A parameter of a function.
    Parameter,
    /// A variable outside of functions.
    Global,
    /// A function.
    Function,
    /// A method of a class.
    Method,
    /// A member of a struct, union or class.
    Field,
    /// A value of an enumeration.
    Enumerator,
    /// A label.
    Label,
    /// A type.
    Type,
    /// Something else.
    Other,
}

impl Tree {
    /// The children of a node, in order.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.nodes[node as usize].next;
        let mut at = node + 1;
        std::iter::from_fn(move || {
            let child = (at < end).then_some(at)?;
            at = self.nodes[child as usize].next;
            Some(child)
        })
    }

    /// A node and all below it, parents first.
    pub fn subtree(&self, node: u32) -> std::ops::Range<u32> {
        node..self.nodes[node as usize].next
    }

    /// A node.
    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// A thing.
    pub fn thing(&self, thing: u32) -> &Thing {
        &self.things[thing as usize]
    }

    /// A type.
    pub fn type_(&self, type_: u32) -> &Type {
        &self.types[type_ as usize]
    }
}

impl Clang {
    /// The functions of `text`, which is to be compiled with `arguments`.
    pub fn tree(&self, text: &str, arguments: &[String]) -> Tree {
        let options = clang_sys::CXTranslationUnit_DetailedPreprocessingRecord | clang_sys::CXTranslationUnit_KeepGoing;
        match self.parse(text, arguments, options) {
            Some(unit) => walk::tree(&unit),
            None => Tree { troubles: vec![gave_up()], ..Tree::default() },
        }
    }
}
