//! How a map from old names to new ones tells things apart that share a name: the first of them stands there by itself, each
//! of the others behind the word for its kind, as in `struct node`. Whoever writes such a map and whoever reads it use these.

/// A function or a method.
pub const FUNCTION: &str = "function";
/// A variable or a parameter of a function.
pub const VARIABLE: &str = "variable";
/// The tag of a struct.
pub const STRUCT: &str = "struct";
/// The tag of a union.
pub const UNION: &str = "union";
/// The name of a class.
pub const CLASS: &str = "class";
/// The tag of an enumeration.
pub const ENUM: &str = "enum";
/// Another name of a type.
pub const TYPEDEF: &str = "typedef";
/// A namespace.
pub const NAMESPACE: &str = "namespace";

/// What stands in a map for a thing whose name another one has by itself.
pub fn key(kind: &str, name: &str) -> String {
    format!("{kind} {name}")
}
