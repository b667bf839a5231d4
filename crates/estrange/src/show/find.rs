//! Which function is meant: by id or the beginning of one, by name, or by its place.

use std::collections::BTreeSet;

use super::index::{Entry, State};
use crate::nearest::nearest;
use crate::output::printable;
use crate::table::{Align, Table};
use crate::voice::Failure;

/// How many functions are listed when several are meant.
const LISTED: usize = 20;

/// The one function that is meant, or why there is none.
pub fn find<'e>(entries: &'e [Entry], wanted: &str) -> Result<&'e Entry, Failure> {
    let found = candidates(entries, wanted);
    match found[..] {
        [] => Err(nothing(entries, wanted)),
        [one] => Ok(one),
        _ => Err(several(&found, wanted)),
    }
}

/// The functions that may be meant, by the first way of naming that fits any: an id stays an id, whatever functions are
/// called, and a name is taken for the beginning of an id only where no function has it.
fn candidates<'e>(entries: &'e [Entry], wanted: &str) -> Vec<&'e Entry> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let all = |is: &dyn Fn(&Entry) -> bool| entries.iter().filter(|entry| is(entry)).collect::<Vec<_>>();
    // A kept function's id is its own; a duplicate that was left out may have the same.
    let kept = all(&|entry| entry.state == State::Kept && entry.id == wanted);
    let ways: [&dyn Fn() -> Vec<&'e Entry>; 5] = [
        &|| kept.clone(),
        &|| all(&|entry| entry.id == wanted),
        &|| all(&|entry| entry.qualified_name == wanted || entry.name == wanted),
        &|| at_place(entries, wanted),
        &|| all(&|entry| entry.id.starts_with(wanted)),
    ];
    ways.iter().map(|way| way()).find(|found| !found.is_empty()).unwrap_or_default()
}

/// The functions at `PATH:LINE`, the innermost in each file. The path may lack its first folders.
fn at_place<'e>(entries: &'e [Entry], wanted: &str) -> Vec<&'e Entry> {
    let Some((path, line)) = wanted.rsplit_once(':') else { return Vec::new() };
    // What was lost before its lines were known stands on line 0.
    let Some(line) = line.parse::<u32>().ok().filter(|line| *line > 0) else { return Vec::new() };
    let is_file =
        |entry: &Entry| entry.path.strip_suffix(path).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    let holds = |entry: &&Entry| (entry.lines.0..=entry.lines.1).contains(&line) && is_file(entry);
    let around: Vec<&Entry> = entries.iter().filter(holds).collect();
    let length = |entry: &Entry| entry.lines.1 - entry.lines.0;
    let is_innermost = |entry: &&Entry| {
        let same_file = |other: &&&Entry| (&other.source, &other.path) == (&entry.source, &entry.path);
        around.iter().filter(same_file).all(|other| length(entry) <= length(other))
    };
    around.iter().copied().filter(is_innermost).collect()
}

fn several(found: &[&Entry], wanted: &str) -> Failure {
    let mut table = Table::new([Align::Left; 4]);
    for entry in found.iter().take(LISTED) {
        let name = if entry.qualified_name.is_empty() { &entry.name } else { &entry.qualified_name };
        let state = match &entry.state {
            State::Kept => String::new(),
            State::Rejected { why, .. } => format!("rejected, {why}"),
        };
        let place = format!("{} {}:{}", entry.source, entry.path, entry.lines.0);
        table.row([&entry.id, name, &place, &state].map(|text| printable(text).into()));
    }
    let mut message = format!("{wanted} could be any of {} functions:\n{}", found.len(), table.render(""));
    if found.len() > LISTED {
        message += &format!("and {} more", found.len() - LISTED);
    }
    Failure::new(message).hint("name one by its id, or as PATH:LINE")
}

fn nothing(entries: &[Entry], wanted: &str) -> Failure {
    let failure = Failure::new(format!("the bench has no function {wanted}"));
    let near = near(entries, wanted);
    match near.is_empty() {
        false => failure.hint(format!("there is {}", near.join(", "))),
        true => failure.hint("name it by its id or the beginning of it, by its name, or as PATH:LINE"),
    }
}

/// The names that are most like what was typed.
fn near<'e>(entries: &'e [Entry], wanted: &str) -> Vec<&'e str> {
    let names: BTreeSet<&str> = entries
        .iter()
        .flat_map(|entry| [entry.name.as_str(), entry.qualified_name.as_str()])
        .filter(|name| !name.is_empty())
        .collect();
    nearest(names, wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, name: &str, path: &str, lines: (u32, u32), state: State) -> Entry {
        let plain = name.rsplit("::").next().unwrap_or(name);
        Entry {
            id: id.to_owned(),
            name: plain.to_owned(),
            qualified_name: name.to_owned(),
            source: "deb:example".to_owned(),
            path: path.to_owned(),
            lines,
            state,
        }
    }

    fn entries() -> Vec<Entry> {
        let rejected = State::Rejected { row: 0, why: "duplicate: exact".to_owned() };
        vec![
            entry("ab12", "add", "src/add.c", (1, 20), State::Kept),
            entry("ab34", "inner", "src/add.c", (5, 6), State::Kept),
            entry("add0", "stack::push", "src/stack.cpp", (1, 3), State::Kept),
            entry("cd56", "queue::push", "src/queue.cpp", (1, 3), State::Kept),
            entry("ab12", "add", "copy/add.c", (1, 20), rejected),
        ]
    }

    fn found(wanted: &str) -> Vec<String> {
        candidates(&entries(), wanted).into_iter().map(|entry| format!("{} {}", entry.id, entry.path)).collect()
    }

    #[test]
    fn an_id_a_name_and_a_place_are_found() {
        assert_eq!(found("ab12"), ["ab12 src/add.c"], "a kept function's id is its own");
        assert_eq!(found("ab3"), ["ab34 src/add.c"]);
        assert_eq!(found("stack::push"), ["add0 src/stack.cpp"]);
        assert_eq!(found("push").len(), 2);
        assert_eq!(found("add"), ["ab12 src/add.c", "ab12 copy/add.c"], "a name goes before the beginning of an id");
        assert_eq!(found("add0"), ["add0 src/stack.cpp"]);
        assert_eq!(found("src/add.c:5"), ["ab34 src/add.c"], "the innermost");
        assert_eq!(found("add.c:7"), ["ab12 src/add.c", "ab12 copy/add.c"]);
        assert_eq!(found("copy/add.c:7"), ["ab12 copy/add.c"]);
        for nothing in ["", "dd.c:7", "add.c:99", "add.c:x", "zz"] {
            assert!(found(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn near_names_are_proposed() {
        assert_eq!(near(&entries(), "innner"), ["inner"]);
        assert_eq!(near(&entries(), "Stack::Push"), ["stack::push"]);
        assert!(near(&entries(), "0123456789").is_empty());
    }
}
