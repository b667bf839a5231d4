//! The functions of the project that a function calls, directly and through others.

use std::collections::{HashMap, HashSet, VecDeque};

use estrange_bench::Helper;
use estrange_unit::Found;

use crate::assign::Assigned;

/// How far helpers are followed, and how many there may be: a description or a merged text of more helps nobody.
pub(crate) const DEPTH: u32 = 5;
const MOST: usize = 64;
/// The most lines that a merged text may have.
const LONGEST: usize = 400;

/// The helpers of a source's functions.
pub(crate) struct Helpers<'a> {
    by_usr: HashMap<&'a str, &'a Assigned<'a>>,
}

impl<'a> Helpers<'a> {
    pub(crate) fn of(functions: &'a [Assigned<'a>]) -> Self {
        let mut by_usr = HashMap::new();
        for function in functions {
            by_usr.entry(function.found.usr.as_str()).or_insert(function);
        }
        Self { by_usr }
    }

    /// The helpers of one function, nearest first.
    pub(crate) fn helpers(&self, function: &Found) -> Vec<Helper> {
        let mut helpers = Vec::new();
        let mut seen: HashSet<&str> = HashSet::from([function.usr.as_str()]);
        let mut queue: VecDeque<(&str, u32)> = function.calls.iter().map(|usr| (usr.as_str(), 1)).collect();
        while let Some((usr, depth)) = queue.pop_front() {
            if helpers.len() >= MOST || !seen.insert(usr) {
                continue;
            }
            let Some(found) = self.by_usr.get(usr) else { continue };
            helpers.push(Helper {
                name: found.found.name.clone(),
                id: Some(found.id.clone()),
                depth,
                text: found.found.text.clone(),
            });
            if depth < DEPTH {
                queue.extend(found.found.calls.iter().map(|usr| (usr.as_str(), depth + 1)));
            }
        }
        helpers
    }
}

/// The 3-long view: helpers first, the deepest of all foremost, the function last; the farthest are left out where the
/// text would grow too long.
pub(crate) fn merged(text: &str, helpers: &[Helper]) -> String {
    let mut lines = text.lines().count();
    let mut parts = vec![text];
    for helper in helpers {
        lines += helper.text.lines().count() + 1;
        if lines > LONGEST {
            break;
        }
        parts.push(&helper.text);
    }
    parts.reverse();
    parts.join("\n\n")
}
