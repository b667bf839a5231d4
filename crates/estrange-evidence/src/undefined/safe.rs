//! What a check could not find wrong: addresses of variables that are handed to a function of one's own, and truths.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::undefined::module::{Function, is_part, named};

/// The values of a function of which a check could not fail: addresses of its callers' variables, which are handed over at the
/// places `own`, and what is read from a variable to which only truths are written.
pub(super) fn safe_values<'a>(function: &Function<'a>, own: &BTreeSet<usize>) -> HashSet<&'a str> {
    let arguments: HashSet<String> = own.iter().map(|place| format!("%{place}")).collect();
    let truth = |line: &&'a str| Some(line.split_once(" = zext i1 ")?.0);
    let truths: HashSet<&str> = function.lines.iter().filter_map(truth).collect();
    let mut variables: HashMap<&str, bool> = HashMap::new();
    for line in &function.lines {
        let stored = line.strip_prefix("store ").and_then(|rest| rest.split_once(", ptr %"));
        let Some((value, _)) = stored else { continue };
        let value = value.rsplit(' ').next().unwrap_or_default();
        let Some(variable) = address(line) else { continue };
        *variables.entry(variable).or_insert(true) &= arguments.contains(value) || truths.contains(value);
    }
    let read = |line: &&'a str| {
        let (name, load) = line.split_once(" = load ")?;
        variables.get(address(load)?).copied().unwrap_or_default().then_some(name)
    };
    function.lines.iter().filter_map(read).collect()
}

/// The places of the arguments of a function that are addresses of variables in each call of it by these functions; none,
/// if it is not called, or handed on.
pub(super) fn own_addresses(symbol: &str, callers: &[&Function<'_>]) -> BTreeSet<usize> {
    let mut places: Option<BTreeSet<usize>> = None;
    for function in callers {
        let declared = |line: &&'_ str| line.split_once(" = alloca ").map(|(name, _)| name.to_owned());
        let variables: HashSet<String> = function.lines.iter().filter_map(declared).collect();
        for line in function.lines.iter().filter(|line| mentions(line, symbol)) {
            let Some((_, arguments)) = line.split_once(&format!("@{symbol}(")) else { return BTreeSet::new() };
            let is_own = |argument: &str| {
                let value = argument.split([' ', ')']).find(|word| word.starts_with('%'));
                argument.starts_with("ptr ") && value.is_some_and(|value| variables.contains(value))
            };
            let arguments = arguments.split(", ").enumerate();
            let here: BTreeSet<usize> = arguments.filter(|(_, one)| is_own(one)).map(|(place, _)| place).collect();
            places = Some(match places {
                None => here,
                Some(before) => before.intersection(&here).copied().collect(),
            });
        }
    }
    places.unwrap_or_default()
}

/// The address that a line reads or writes.
fn address(line: &str) -> Option<&str> {
    let at = line.find(", ptr %")?;
    Some(named(&line[at + ", ptr ".len()..]).0)
}

/// Whether a line has this symbol.
fn mentions(line: &str, symbol: &str) -> bool {
    line.split('@').skip(1).any(|rest| rest.strip_prefix(symbol).is_some_and(|next| !next.starts_with(is_part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::undefined::module::Module;

    #[test]
    fn what_every_call_hands_over_of_its_own_is_safe_to_follow() {
        let text = "define void @part(ptr noundef %0, i32 noundef %1, ptr noundef %2) {\n  %4 = alloca ptr, align 8\n  \
                    store ptr %0, ptr %4, align 8\n  %5 = load ptr, ptr %4, align 8\n  ret void\n}\n\
                    define void @f(ptr noundef %0) {\n  %2 = alloca i32, align 4\n  \
                    call void @part(ptr noundef %2, i32 noundef 1, ptr noundef %0) #5\n  \
                    call void @part(ptr noundef %2, i32 noundef 2, ptr noundef %2)\n  call void @parted(ptr noundef %0)\n  ret void\n}\n";
        let module = Module::parse(text);
        let (part, caller) = (&module.functions["part"], &module.functions["f"]);
        assert_eq!(own_addresses("part", &[caller]), BTreeSet::from([0]));
        assert_eq!(own_addresses("parted", &[caller]), BTreeSet::new());
        assert_eq!(safe_values(part, &BTreeSet::from([0])), HashSet::from(["%5"]));
        assert_eq!(safe_values(part, &BTreeSet::from([1])), HashSet::new());
    }

    #[test]
    fn what_only_truths_are_written_to_holds_a_truth() {
        let begin = "define void @f(i1 %0, i8 %1) {\n  %3 = alloca i8, align 1\n  %4 = zext i1 %0 to i8\n  store i8 %4, ptr %3, align 1\n";
        let read = "  %5 = load i8, ptr %3, align 1\n  ret void\n}\n";
        let safe = |text: &str| safe_values(&Module::parse(text).functions["f"], &BTreeSet::new()).len();
        assert_eq!(safe(&format!("{begin}{read}")), 1);
        assert_eq!(safe(&format!("{begin}  store i8 %1, ptr %3, align 1\n{read}")), 0);
    }
}
