//! Which lines of a function in LLVM's language are in loops.

use std::collections::HashMap;

/// For each line whether it is in a block from which a way leads back to it.
pub(super) fn in_loops(lines: &[&str]) -> Vec<bool> {
    let mut blocks: Vec<usize> = Vec::with_capacity(lines.len());
    let mut labels: HashMap<&str, usize> = HashMap::new();
    let mut block = 0;
    for line in lines {
        if let Some(label) = line.strip_suffix(':') {
            block += 1;
            labels.insert(label, block);
        }
        blocks.push(block);
    }
    let mut ways: Vec<Vec<usize>> = vec![Vec::new(); block + 1];
    for (line, block) in lines.iter().zip(&blocks) {
        let to = line.split("label %").skip(1).filter_map(|rest| {
            let end = rest.find([',', ' ', ']']).unwrap_or(rest.len());
            labels.get(&rest[..end])
        });
        ways[*block].extend(to);
    }
    let looped: Vec<bool> = (0..=block).map(|block| leads_back(&ways, block)).collect();
    blocks.into_iter().map(|block| looped[block]).collect()
}

fn leads_back(ways: &[Vec<usize>], block: usize) -> bool {
    let mut seen = vec![false; ways.len()];
    let mut open = ways[block].clone();
    while let Some(next) = open.pop() {
        if next == block {
            return true;
        }
        if !std::mem::replace(&mut seen[next], true) {
            open.extend(&ways[next]);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_reached_again_is_in_a_loop() {
        let lines = ["br label %a", "a:", "br i1 %x, label %b, label %c", "b:", "br label %a", "c:", "ret void"];
        assert_eq!(in_loops(&lines), [false, true, true, true, true, false, false]);
    }
}
