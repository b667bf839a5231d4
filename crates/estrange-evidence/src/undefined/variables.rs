//! Variables that may be read before they have a value: on some path from the beginning, whatever its conditions.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::undefined::module::{Function, named};

/// A part of a function that is run from its first line to its last.
#[derive(Debug, Default)]
struct Block<'a> {
    lines: Vec<&'a str>,
    /// The labels of what may follow.
    next: Vec<&'a str>,
}

/// How many variables of a function may be read before they have a value. Those whose addresses are used for anything else
/// than reading and writing do not count.
pub(super) fn uninitialised(function: &Function<'_>) -> usize {
    let variables = variables(function);
    if variables.is_empty() {
        return 0;
    }
    let blocks = blocks(function);
    // What has a value at the beginning of each block that can be reached, on every path.
    let mut known: HashMap<&str, HashSet<&str>> = HashMap::from([("", HashSet::new())]);
    let mut open: BTreeSet<&str> = BTreeSet::from([""]);
    let mut found: HashSet<&str> = HashSet::new();
    while let Some(label) = open.pop_first() {
        let Some(block) = blocks.get(label) else { continue };
        let mut set = known[label].clone();
        for line in &block.lines {
            step(line, &variables, &mut set);
        }
        for next in &block.next {
            let is_new = match known.get_mut(next) {
                None => {
                    known.insert(next, set.clone());
                    true
                }
                Some(before) => {
                    let count = before.len();
                    before.retain(|variable| set.contains(variable));
                    before.len() < count
                }
            };
            if is_new {
                open.insert(next);
            }
        }
    }
    for (label, set) in known {
        let mut set = set;
        for line in blocks.get(label).map(|block| block.lines.as_slice()).unwrap_or_default() {
            found.extend(step(line, &variables, &mut set));
        }
    }
    found.len()
}

/// Follows one line: the variable that it reads without a value.
fn step<'a>(line: &'a str, variables: &HashSet<&str>, set: &mut HashSet<&'a str>) -> Option<&'a str> {
    let variable = address(line).filter(|name| variables.contains(name))?;
    if line.starts_with("store ") {
        set.insert(variable);
    } else if line.contains("@llvm.lifetime.") {
        set.remove(variable);
    } else if !set.contains(variable) {
        return Some(variable);
    }
    None
}

/// The address that a line reads or writes, or whose time it begins or ends.
fn address(line: &str) -> Option<&str> {
    let is_access = line.starts_with("store ") || line.contains(" = load ") || line.contains("@llvm.lifetime.");
    let at = line.find(", ptr %").filter(|_| is_access)?;
    Some(named(&line[at + ", ptr ".len()..]).0)
}

/// The variables that are only read and written.
fn variables<'a>(function: &Function<'a>) -> HashSet<&'a str> {
    let declared = function.lines.iter().filter_map(|line| line.split_once(" = alloca ")).map(|(name, _)| name);
    let mut all: HashSet<&str> = declared.collect();
    for line in function.lines.iter().filter(|line| !line.contains(" = alloca ")) {
        let accessed = address(line).map(|name| name.as_ptr());
        let mut rest = *line;
        while let Some(at) = rest.find('%') {
            let (name, after) = named(&rest[at..]);
            if accessed != Some(name.as_ptr()) {
                all.remove(name);
            }
            rest = after;
        }
    }
    all
}

/// The blocks of a function by their labels; the first one has none.
fn blocks<'a>(function: &Function<'a>) -> BTreeMap<&'a str, Block<'a>> {
    let mut blocks: BTreeMap<&str, Block<'_>> = BTreeMap::new();
    let mut label = "";
    for line in &function.lines {
        match line.strip_suffix(':') {
            Some(next) => label = next,
            None => {
                let block = blocks.entry(label).or_default();
                block.lines.push(line);
                block.next.extend(line.split("label %").skip(1).map(|rest| {
                    let end = rest.find([',', ' ']).unwrap_or(rest.len());
                    &rest[..end]
                }));
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::undefined::module::Module;

    fn count(lines: &str) -> usize {
        let text = format!("define i32 @f(i32 %0) {{\n{lines}\n}}\n");
        uninitialised(&Module::parse(&text).functions["f"])
    }

    #[test]
    fn a_variable_needs_a_value_on_every_path() {
        let begin =
            "  %2 = alloca i32, align 4\n  br i1 true, label %3, label %4\n\n3:\n  store i32 1, ptr %2, align 4\n";
        let both = format!("{begin}  br label %5\n\n4:\n  store i32 2, ptr %2, align 4\n  br label %5\n\n5:\n");
        let one = format!("{begin}  br label %5\n\n4:\n  br label %5\n\n5:\n");
        let end = "  %6 = load i32, ptr %2, align 4\n  ret i32 %6";
        assert_eq!((count(&format!("{both}{end}")), count(&format!("{one}{end}"))), (0, 1));
    }

    #[test]
    fn what_a_loop_sets_in_its_first_round_only_has_no_value_before_it() {
        let text = "  %2 = alloca i32, align 4\n  br label %3\n\n3:\n  %4 = load i32, ptr %2, align 4\n  \
                    store i32 1, ptr %2, align 4\n  br label %3";
        assert_eq!(count(text), 1);
    }

    #[test]
    fn a_variable_whose_address_is_handed_on_does_not_count() {
        let text = "  %2 = alloca i32, align 4\n  call void @g(ptr %2)\n  %3 = load i32, ptr %2, align 4\n  ret i32 %3";
        assert_eq!(count(text), 0);
    }
}
