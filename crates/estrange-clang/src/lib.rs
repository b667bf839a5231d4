//! A safe, small view of a C or C++ translation unit over libclang 19.
//!
//! [`Clang::read`] parses one self-contained text and tells what it declares and what refers to what, as plain data
//! with byte offsets; [`Clang::tree`] gives its functions as trees; [`Clang::check`] tells only whether a text compiles;
//! [`Clang::provides`] tells what a standard header brings. Nothing of libclang's own types leaves this crate.
//!
//! libclang may crash or hang on strange input. This crate does not guard against it: callers run it in a worker
//! process. It must not know what the view is used for.

#![allow(unsafe_code, reason = "libclang is a C library: every call of it is unsafe")]

mod cursor;
mod header;
mod library;
mod names;
mod reading;
mod tree;
mod walk;

/// The version of what this crate computes, for the keys of caches: raise it whenever what texts are read as changes.
/// The test `golden` notices if that is forgotten.
pub const VERSION: &str = "4";

pub use header::Provided;
pub use library::{Clang, LIBRARY_PATH, LoadError, Severity, Trouble, library_path};
pub use names::{Around, AroundKind, Defined, Named, Names, Naming, Role};
pub use reading::{
    Container, ContainerKind, Declaration, DeclarationKind, HeaderLine, Need, Reading, Reference, Target,
};
pub use tree::{
    Binary, Body, Declared, Enumeration, Field, FunctionKind, Method, Node, NodeKind, Record, Shape, TemplateParameter,
    Thing, ThingKind, Tree, Type, Unary,
};
