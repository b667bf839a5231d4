//! The conditions of code: what its branches decide by.

use estrange_clang::{Binary, NodeKind, Tree};

/// The nodes that a node decides by.
pub(crate) fn conditions(tree: &Tree, text: &str, node: u32) -> Vec<u32> {
    let this = tree.node(node);
    let children: Vec<u32> = tree.children(node).collect();
    // What declares something is no condition that could be put elsewhere.
    let is_value = |child: &u32| !matches!(tree.node(*child).kind, NodeKind::Declaration | NodeKind::Variable);
    let first = || children.first().copied().filter(is_value).into_iter().collect();
    match this.kind {
        NodeKind::If | NodeKind::While | NodeKind::Conditional => first(),
        NodeKind::DoWhile => children.last().copied().into_iter().collect(),
        NodeKind::Binary(Binary::And | Binary::Or) => children,
        NodeKind::For => for_condition(tree, text, node, &children).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The condition of a `for`, whose three parts may each be missing: it stands between the two `;`.
fn for_condition(tree: &Tree, text: &str, node: u32, children: &[u32]) -> Option<u32> {
    let this = tree.node(node);
    let bytes = text.as_bytes();
    let mut at = this.start as usize + text.get(this.start as usize..this.end as usize)?.find('(')? + 1;
    let mut depth = 0;
    let mut separators = Vec::new();
    while at < this.end as usize && separators.len() < 2 {
        // What is within a child is none of our `;`, but for a declaration, which ends with it.
        let within = children
            .iter()
            .map(|child| tree.node(*child))
            .find(|child| (child.start as usize) == at && child.end as usize > at);
        if let Some(child) = within {
            at = child.end as usize;
            if bytes[at - 1] == b';' {
                separators.push(at - 1);
            }
            continue;
        }
        match bytes[at] {
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            b';' => separators.push(at),
            _ => {}
        }
        at += 1;
    }
    let [first, second] = separators[..] else { return None };
    children.iter().copied().find(|child| {
        let child = tree.node(*child);
        child.start as usize > first && child.end as usize <= second
    })
}
