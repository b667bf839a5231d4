//! Which functions of a text come to call themselves: there is no end of unfolding them.

use std::collections::HashMap;

use estrange_clang::Tree;

/// Who names whom among the functions of a text.
pub(super) struct Recursion {
    named: Vec<Vec<usize>>,
}

impl Recursion {
    pub(super) fn of(tree: &Tree) -> Self {
        let defined = tree.functions.iter().enumerate().filter(|(_, function)| function.body.is_some());
        let numbers: HashMap<u32, usize> = defined.map(|(number, function)| (function.thing, number)).collect();
        let named = tree.functions.iter().map(|function| {
            let nodes = function.body.into_iter().flat_map(|body| tree.subtree(body));
            let mut named: Vec<usize> =
                nodes.filter_map(|node| numbers.get(&tree.node(node).thing?).copied()).collect();
            named.sort_unstable();
            named.dedup();
            named
        });
        Self { named: named.collect() }
    }

    /// Whether a function names itself, or one that comes to name it.
    pub(super) fn has(&self, function: usize) -> bool {
        let mut seen = vec![false; self.named.len()];
        let mut waiting = self.named[function].clone();
        while let Some(next) = waiting.pop() {
            if next == function {
                return true;
            }
            if !std::mem::replace(&mut seen[next], true) {
                waiting.extend(&self.named[next]);
            }
        }
        false
    }
}
