//! The functions of the project that a function calls, directly and through others.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use estrange_bench::Helper;
use estrange_unit::{Linked, LinkedFunction};

use crate::assign::Assigned;

/// How far helpers are followed, and how many there may be: a description or a merged text of more helps nobody.
pub(crate) const DEPTH: u32 = 5;
const MOST: usize = 64;
/// The most lines that a merged text may have.
const LONGEST: usize = 400;

/// The helpers of a source's functions.
pub(crate) struct Helpers<'a> {
    by_usr: HashMap<&'a str, Vec<&'a Assigned<'a>>>,
}

impl<'a> Helpers<'a> {
    pub(crate) fn of(functions: &'a [Assigned<'a>]) -> Self {
        let mut by_usr = HashMap::new();
        for function in functions {
            by_usr.entry(function.found.usr.as_str()).or_insert_with(Vec::new).push(function);
        }
        Self { by_usr }
    }

    /// The definition that a call in translation unit `unit` means: functions that only their own file sees may have
    /// the same name in several.
    fn definition(&self, usr: &str, unit: usize) -> Option<&'a Assigned<'a>> {
        let all = self.by_usr.get(usr)?;
        all.iter().find(|function| function.unit == unit).or(all.first()).copied()
    }

    /// The helpers of one function, nearest first, with their places in its linked unit.
    pub(crate) fn helpers(&self, caller: &Assigned<'_>, linked: Option<&Linked>) -> Vec<Helper> {
        let function = caller.found;
        let mut helpers = Vec::new();
        let mut seen: HashSet<&str> = HashSet::from([caller.id.as_str()]);
        let mut queue: VecDeque<(&str, usize, u32)> =
            function.calls.iter().map(|usr| (usr.as_str(), caller.unit, 1)).collect();
        while let Some((usr, unit, depth)) = queue.pop_front() {
            let Some(found) = self.definition(usr, unit) else { continue };
            if helpers.len() >= MOST || !seen.insert(&found.id) {
                continue;
            }
            let place = linked.and_then(|linked| place(linked, found));
            let offset = |at: usize| u32::try_from(at).ok();
            helpers.push(Helper {
                name: found.found.name.clone(),
                id: Some(found.id.clone()),
                depth,
                text: found.found.text.clone(),
                linked_start: place.as_ref().and_then(|place| offset(place.start)),
                linked_end: place.as_ref().and_then(|place| offset(place.end)),
            });
            if depth < DEPTH {
                queue.extend(found.found.calls.iter().map(|usr| (usr.as_str(), found.unit, depth + 1)));
            }
        }
        helpers
    }
}

/// Where a function stands in a linked unit. Of a function that several files define, another one than ours may be taken,
/// which is as good if it reads the same.
fn place(linked: &Linked, function: &Assigned<'_>) -> Option<Range<usize>> {
    let found = function.found;
    let of_name = || linked.functions.iter().filter(|other| other.usr == found.usr);
    let is_own = |other: &&LinkedFunction| (other.file.as_str(), other.line) == (found.file.as_str(), found.lines.0);
    let reads_the_same = |other: &&LinkedFunction| linked.text.get(other.range.clone()) == Some(found.text.as_str());
    let standing = of_name().find(is_own).or_else(|| of_name().find(reads_the_same));
    standing.map(|standing| standing.range.clone())
}

/// The helpers that the merged text has, nearest first.
pub(crate) fn in_merged<'h>(text: &str, helpers: &'h [Helper]) -> &'h [Helper] {
    let mut lines = text.lines().count();
    let fits = |helper: &&Helper| {
        lines += helper.text.lines().count() + 1;
        lines <= LONGEST
    };
    &helpers[..helpers.iter().take_while(fits).count()]
}

/// The 3-long view: helpers first, the deepest of all foremost, the function last; the farthest are left out where the
/// text would grow too long.
pub(crate) fn merged(text: &str, helpers: &[Helper]) -> String {
    let mut parts = vec![text];
    parts.extend(in_merged(text, helpers).iter().map(|helper| helper.text.as_str()));
    parts.reverse();
    parts.join("\n\n")
}
