//! How the project's programs ended while they were tested, as the library tells that is loaded into them.
//!
//! An answer that calls `exit(0)` before its test has checked anything looks like a test that passed. What gives it away is
//! that the program ended in a place where the untouched project never ends one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use estrange_words::words;
use serde::{Deserialize, Serialize};

use crate::elf::Functions;
use crate::guest::Ran;

words! {
    /// What a program did that the witness notes.
    pub enum Act {
        /// It returned from `main`.
        Returned = "returned",
        /// It called `exit` or one like it.
        Exited = "exited",
        /// It became another program.
        Replaced = "replaced",
        /// It ended without a word: by a signal, or by asking the kernel itself.
        Vanished = "vanished",
        /// It made a copy of itself.
        Forked = "forked",
        /// It started another program.
        Spawned = "spawned",
    }
}

/// What a program did, and where in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Deed {
    /// The program, by its path in the tree.
    pub program: String,
    /// What it did.
    pub act: Act,
    /// The function that asked for it, or the library where the function is not known.
    pub place: String,
}

impl fmt::Display for Deed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.program, self.act)?;
        if self.place.is_empty() { Ok(()) } else { write!(formatter, " in {}", self.place) }
    }
}

/// No program larger than this is looked into.
const LARGEST: u64 = 256 * 1024 * 1024;

/// What the witness noted of a run of tests.
pub fn deeds(ran: &Ran) -> BTreeSet<Deed> {
    let text = ran.text(".state/ends").unwrap_or_default();
    let mut modules: BTreeMap<String, Option<Functions>> = BTreeMap::new();
    let mut place = |module: &str, offset: &str| -> String {
        let Some(path) = module.strip_prefix("/scratch/") else {
            return module.rsplit('/').next().unwrap_or_default().to_owned();
        };
        let functions = modules
            .entry(path.to_owned())
            .or_insert_with(|| ran.bytes(path, LARGEST).and_then(|bytes| Functions::read(&bytes)));
        let offset = u64::from_str_radix(offset, 16).unwrap_or(0);
        functions.as_ref().and_then(|functions| functions.at(offset)).unwrap_or("an unknown place").to_owned()
    };
    follow(&text, &mut place)
}

/// Follows each process through its notes.
fn follow(text: &str, place: &mut dyn FnMut(&str, &str) -> String) -> BTreeSet<Deed> {
    /// A process: the program that it runs, and whether it has ended.
    struct Life {
        program: String,
        ended: bool,
        is_copy: bool,
    }
    let mut lives: BTreeMap<&str, Life> = BTreeMap::new();
    let mut deeds = BTreeSet::new();
    let mut did = |program: &str, act: Act, place: String| {
        let program =
            program.strip_prefix("/scratch/tree/").unwrap_or(program).trim_end_matches(" (deleted)").to_owned();
        deeds.insert(Deed { program, act, place });
    };
    for line in text.lines() {
        let words: Vec<&str> = line.split('\t').collect();
        let [what, process, program, module, offset] = words[..] else { continue };
        match what {
            "start" | "fork" => {
                let is_copy = what == "fork";
                if is_copy {
                    did(program, Act::Forked, String::new());
                }
                let life = Life { program: program.to_owned(), ended: false, is_copy };
                if let Some(before) = lives.insert(process, life).filter(|before| !before.ended && !before.is_copy) {
                    did(&before.program, Act::Replaced, String::new());
                }
            }
            "return" | "exit" => {
                let act = if what == "return" { Act::Returned } else { Act::Exited };
                let place = if what == "return" { String::new() } else { place(module, offset) };
                did(program, act, place);
                if let Some(life) = lives.get_mut(process) {
                    life.ended = true;
                }
            }
            "spawn" => did(program, Act::Spawned, place(module, offset)),
            _ => {}
        }
    }
    for life in lives.values().filter(|life| !life.ended && !life.is_copy) {
        did(&life.program, Act::Vanished, String::new());
    }
    deeds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_process_is_followed_to_its_end() {
        let text = "start\t5\t/scratch/tree/a\t\t0\nreturn\t5\t/scratch/tree/a\t\t0\nstart\t6\t/scratch/tree/a\t\t0\nexit\t6\t\
            /scratch/tree/a\tm\t10\nstart\t7\t/scratch/tree/b\t\t0\nstart\t8\t/scratch/tree/c\t\t0\nstart\t8\t\
            /scratch/tree/d\t\t0\nreturn\t8\t/scratch/tree/d\t\t0\n";
        let told: Vec<String> = follow(text, &mut |_, _| "f".to_owned()).iter().map(Deed::to_string).collect();
        assert_eq!(told, ["a returned", "a exited in f", "b vanished", "c replaced", "d returned"]);
    }
}
