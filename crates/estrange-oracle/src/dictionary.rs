//! The numbers and texts that code has: what it may compare its inputs with.

use std::collections::BTreeSet;

use estrange_clang::{Binary, Body, NodeKind, Tree};

/// Numbers and texts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dictionary {
    pub(crate) numbers: Vec<u64>,
    pub(crate) texts: Vec<Vec<u8>>,
    /// The bits of floating-point numbers.
    pub(crate) reals: Vec<u64>,
}

impl Dictionary {
    /// Those of the code around a function.
    pub(crate) fn of(tree: &Tree, text: &str, body: &Body) -> Self {
        let numbers = numbers(tree, body);
        Self { texts: texts(tree, text, &numbers), reals: reals(tree, text), numbers }
    }
}

/// The numbers of the code, each once: those of the function first, then those of its helpers and of its enumerations.
fn numbers(tree: &Tree, body: &Body) -> Vec<u64> {
    let mut numbers = BTreeSet::new();
    let own = body.body.map(|node| tree.subtree(node)).unwrap_or_default();
    let others = 0..tree.nodes.len() as u32;
    for (range, most) in [(own, 400), (others, 600)] {
        // Where the expression ends that the numbers at hand are parts of: as a whole it has been taken.
        let mut whole = 0;
        for node in range {
            let value = if node < whole { tree.node(node).value } else { constant(tree, node) };
            if let Some(value) = value.filter(|_| numbers.len() < most) {
                numbers.insert(value as u64);
                whole = whole.max(tree.subtree(node).end);
            }
        }
    }
    for enumeration in &tree.enumerations {
        if numbers.len() < 600 && enumeration.values.len() < 40 {
            numbers.extend(enumeration.values.iter().map(|(_, value)| *value as u64));
        }
    }
    numbers.into_iter().collect()
}

/// The value of a number that is written, or of what is made of such numbers.
pub(crate) fn constant(tree: &Tree, node: u32) -> Option<i64> {
    let this = tree.node(node);
    if this.value.is_some() {
        return this.value;
    }
    let mut children = tree.children(node);
    match this.kind {
        NodeKind::Implicit | NodeKind::Parentheses | NodeKind::Cast => constant(tree, children.last()?),
        NodeKind::Binary(operator) => {
            let (left, right) = (constant(tree, children.next()?)?, constant(tree, children.next()?)?);
            match operator {
                Binary::Add => left.checked_add(right),
                Binary::Subtract => left.checked_sub(right),
                Binary::Multiply => left.checked_mul(right),
                Binary::Divide => left.checked_div(right),
                Binary::ShiftLeft => left.checked_shl(u32::try_from(right).ok()?),
                Binary::BitOr => Some(left | right),
                Binary::BitXor => Some(left ^ right),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The texts that the code has, each once, and those that its numbers are, as a file's magic number is one.
fn texts(tree: &Tree, text: &str, numbers: &[u64]) -> Vec<Vec<u8>> {
    const MOST: usize = 200;
    const LONGEST: usize = 64;
    let literals = tree.nodes.iter().filter(|node| node.kind == NodeKind::Text && node.is_written);
    let written = literals.filter_map(|node| text.get(node.start as usize..node.end as usize));
    let said = written.filter_map(|literal| Some(unescaped(literal.strip_prefix('"')?.strip_suffix('"')?)));
    let fitting = said.filter(|text| !text.is_empty() && text.len() <= LONGEST);
    let packed = numbers.iter().filter_map(|number| u32::try_from(*number).ok());
    let packed = packed.flat_map(|number| [number.to_be_bytes().to_vec(), number.to_le_bytes().to_vec()]);
    let readable = packed.filter(|text| text.iter().all(|byte| matches!(byte, b' '..=b'~')));
    let texts: BTreeSet<Vec<u8>> = fitting.chain(readable).take(MOST).collect();
    texts.into_iter().collect()
}

/// The floating-point numbers that are written in the code, each once.
fn reals(tree: &Tree, text: &str) -> Vec<u64> {
    const MOST: usize = 100;
    let literals = tree.nodes.iter().filter(|node| node.kind == NodeKind::Floating);
    let written = literals.filter_map(|node| text.get(node.start as usize..node.end as usize));
    let values: BTreeSet<u64> = written.filter_map(real).map(f64::to_bits).take(MOST).collect();
    values.into_iter().collect()
}

/// The value of a floating-point number as it is written.
fn real(written: &str) -> Option<f64> {
    let plain = written.replace('\'', "").to_ascii_lowercase();
    let Some(hexadecimal) = plain.strip_prefix("0x") else { return plain.trim_end_matches(['f', 'l']).parse().ok() };
    let (digits, power) = hexadecimal.trim_end_matches(['f', 'l']).split_once('p')?;
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = u64::from_str_radix(&format!("{whole}{part}"), 16).ok()?;
    let power = power.parse::<i32>().ok()?.checked_sub(4 * i32::try_from(part.len()).ok()?)?;
    Some(digits as f64 * 2f64.powi(power))
}

/// A text without the commonest escapes; of the others the letter stays.
fn unescaped(literal: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = literal.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'\\' => match rest.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                Some(b'r') => b'\r',
                Some(other) => other,
                None => break,
            },
            other => other,
        };
        bytes.push(byte);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floating_point_numbers_are_read_as_they_are_written() {
        let written = ["1.5", "2e3f", ".25L", "0x1.8p1", "0xap-1f", "1'000.5", "DBL_MAX"];
        let values = [Some(1.5), Some(2000.0), Some(0.25), Some(3.0), Some(5.0), Some(1000.5), None];
        assert_eq!(written.map(real), values);
    }
}
