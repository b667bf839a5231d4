//! The functions that a fix changes, each with itself before and after.

use std::collections::HashMap;
use std::ops::Range;

use estrange_bench::{Function, Unpaired};
use estrange_words::{Reason, Stage};

use crate::candidate::{Candidate, unpaired};

/// A function before a fix and after it.
#[derive(Debug, Clone)]
pub(crate) struct Couple<'c> {
    /// What the pair is called.
    pub(crate) name: String,
    pub(crate) candidate: &'c Candidate,
    /// How many functions the fix changes.
    pub(crate) changed: u32,
    pub(crate) vulnerable: Function,
    pub(crate) patched: Function,
}

/// One side: a function in a text that compiles by itself.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    pub(crate) unit: String,
    /// Where the function stands there.
    pub(crate) function: Range<usize>,
    /// The function that the trigger is an input of, where that is another one.
    pub(crate) entry: Option<String>,
}

/// The functions of states, by these and by their files.
pub(crate) struct Functions(HashMap<(String, String), Vec<Function>>);

impl Functions {
    pub(crate) fn new(all: impl IntoIterator<Item = Function>) -> Self {
        let mut functions: HashMap<_, Vec<Function>> = HashMap::new();
        for function in all {
            functions.entry((function.source.clone(), function.path.clone())).or_default().push(function);
        }
        Self(functions)
    }

    fn of(&self, state: &str, path: &str) -> &[Function] {
        self.0.get(&(state.to_owned(), path.to_owned())).map_or(&[], Vec::as_slice)
    }
}

/// What a candidate changes: the functions that are there on both sides and are not the same, in the order of the files.
pub(crate) fn couples<'c>(candidate: &'c Candidate, functions: &Functions) -> Result<Vec<Couple<'c>>, Unpaired> {
    let mut found = Vec::new();
    let mut alone = 0;
    for (old, new) in &candidate.paths {
        let (before, after) = (functions.of(&candidate.before, old), functions.of(&candidate.after, new));
        let mut taken = vec![false; after.len()];
        for function in before {
            let same_name = |other: &Function| other.qualified_name == function.qualified_name;
            let partner = after.iter().enumerate().position(|(at, other)| !taken[at] && same_name(other));
            match partner {
                Some(at) => {
                    taken[at] = true;
                    if function.text != after[at].text {
                        found.push((function, &after[at]));
                    }
                }
                None => alone += 1,
            }
        }
        alone += taken.iter().filter(|taken| !**taken).count();
    }
    if let Some(written) = candidate.written.as_ref().filter(|_| found.is_empty()) {
        // What it changes stands outside of functions, or in one that cannot be taken out.
        found.extend(called(candidate, functions, &written.entry));
    }
    if found.is_empty() {
        let detail = "no function that it changes is there on both sides".to_owned();
        return Err(unpaired(&candidate.fix, Stage::Unit, Reason::NoFunction, detail));
    }
    // Of a pair that somebody wrote one function counts: the one that is called, or else the first.
    if let Some(written) = &candidate.written {
        found.sort_by_key(|(function, _)| !is_called(function, &written.entry));
        found.truncate(1);
        alone = 0;
    }
    let changed = u32::try_from(found.len() + alone).unwrap_or(u32::MAX);
    let couple = |(vulnerable, patched): (&Function, &Function)| Couple {
        name: match candidate.written {
            Some(_) => candidate.prefix.clone(),
            None => format!("{}/{}", candidate.prefix, vulnerable.qualified_name),
        },
        candidate,
        changed,
        vulnerable: vulnerable.clone(),
        patched: patched.clone(),
    };
    Ok(found.into_iter().map(couple).collect())
}

/// The function that is called by a name, on both sides.
fn called<'f>(candidate: &Candidate, functions: &'f Functions, name: &str) -> Option<(&'f Function, &'f Function)> {
    let (old, new) = candidate.paths.first()?;
    let of = |state: &str, path: &str| functions.of(state, path).iter().find(|function| is_called(function, name));
    Some((of(&candidate.before, old)?, of(&candidate.after, new)?))
}

fn is_called(function: &Function, name: &str) -> bool {
    function.name == name || function.qualified_name == name
}

impl Couple<'_> {
    /// Both sides as they were written.
    pub(crate) fn sides(&self) -> [Side; 2] {
        let written = self.candidate.written.as_ref();
        [
            side(&self.vulnerable, written.map(|written| (&written.vulnerable, &written.entry))),
            side(&self.patched, written.map(|written| (&written.patched, &written.entry))),
        ]
    }
}

fn side(function: &Function, written: Option<(&String, &String)>) -> Side {
    if let Some((text, entry)) = written
        && let Some(start) = text.find(&function.text)
    {
        let entry = (!is_called(function, entry)).then(|| entry.clone());
        return Side { unit: text.clone(), function: start..start + function.text.len(), entry };
    }
    let (unit, start, end) = match &function.linked_unit {
        Some(linked) => (linked, function.linked_start, function.linked_end),
        None => (&function.unit, function.unit_start, function.unit_end),
    };
    let place = |at: Option<u32>, none: usize| at.map_or(none, |at| at as usize);
    Side { unit: unit.clone(), function: place(start, 0)..place(end, unit.len()), entry: None }
}
