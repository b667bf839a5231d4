//! Changes to a text, made all at once, and copies of a function under another name.

use estrange_clang::{Body, NodeKind, Tree};

/// A change: the bytes from start to end become another text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) text: String,
}

impl Edit {
    pub(crate) fn new(start: u32, end: u32, text: impl Into<String>) -> Self {
        Self { start, end, text: text.into() }
    }
}

/// A function's definition under another name, with edits. The name is given by the preprocessor, so that it is replaced
/// wherever it stands, also within macros.
pub(crate) fn copy_of(text: &str, body: &Body, name: &str, new_name: &str, edits: &[Edit]) -> String {
    let copy = edited(text, body.start, body.end, edits);
    format!("\n#define {name} {new_name}\n{copy}\n#undef {name}\n")
}

/// A part of a text with edits that do not overlap; edits at the same place keep their order.
pub(crate) fn edited(text: &str, start: u32, end: u32, edits: &[Edit]) -> String {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.start);
    let mut copy = String::new();
    let mut at = start as usize;
    for edit in edits {
        copy.push_str(text.get(at..edit.start as usize).unwrap_or_default());
        copy.push_str(&edit.text);
        at = edit.end as usize;
    }
    copy.push_str(text.get(at..end as usize).unwrap_or_default());
    copy
}

/// How many lines a text ends.
pub(crate) fn lines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// The byte after a statement, its `;` included; none if that cannot be told.
pub(crate) fn statement_end(tree: &Tree, text: &str, node: u32) -> Option<u32> {
    let this = tree.node(node);
    match this.kind {
        NodeKind::Block | NodeKind::Switch | NodeKind::Try => Some(this.end),
        NodeKind::If
        | NodeKind::For
        | NodeKind::RangeFor
        | NodeKind::While
        | NodeKind::Label
        | NodeKind::Case
        | NodeKind::Default => statement_end(tree, text, tree.children(node).last()?),
        NodeKind::Empty => Some(this.end),
        _ => {
            let rest = text.get(this.end as usize..)?;
            let skipped = rest.len() - rest.trim_start().len();
            // A declaration has its `;` within.
            if text.get(..this.end as usize)?.ends_with(';') {
                return Some(this.end);
            }
            rest.trim_start().starts_with(';').then_some(this.end + skipped as u32 + 1)
        }
    }
}
