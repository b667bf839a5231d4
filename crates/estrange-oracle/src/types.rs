//! Types of a tree, as code writes them.

use estrange_clang::{Shape, Tree};

/// The type of a class as it is written, which the tree has somewhere.
pub(crate) fn type_of_record(tree: &Tree, record: u32) -> Option<u32> {
    let is_it = |type_: &estrange_clang::Type| type_.shape == Shape::Record(record) && !type_.is_const;
    tree.types.iter().position(is_it).map(|number| number as u32)
}

/// A class as code outside of everything writes it, without `const`.
pub(crate) fn spelled(tree: &Tree, type_: u32) -> String {
    let whole = spelled_whole(tree, type_);
    let whole = whole.strip_prefix("const ").unwrap_or(&whole);
    whole.strip_prefix("volatile ").unwrap_or(whole).to_owned()
}

/// A type as code outside of everything writes it.
pub(crate) fn spelled_whole(tree: &Tree, type_: u32) -> String {
    tree.type_(type_).canonical.replace("(anonymous namespace)::", "")
}
