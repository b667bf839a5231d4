//! The data card of exported pairs: what a person should know of them before using them.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::card::{Card, cell};
use super::pair_set::{ExportedPair, class_word};

/// What of pairs a card says; where they come from and how they were made says the bench's own.
pub(super) fn text(card: &Card, pairs: &[ExportedPair]) -> String {
    let confirmed = pairs.iter().filter(|pair| pair.is_confirmed()).count();
    let mut text = format!(
        "# {}\n\nFunctions in C and C++ with a bug, and the same functions without it: {} pairs, of which {confirmed} are\n\
         confirmed by running them.\n{LABEL}",
        card.name(),
        pairs.len(),
    );
    // Writing to a string cannot fail.
    let _ = counts(&mut text, pairs);
    text + LIMITS + &card.provenance()
}

const LABEL: &str = "
## How the label was made

- `crash-confirmed`: there is a trigger, an input on which the vulnerable side faults under the address and
  undefined-behaviour sanitizers of gcc and of clang, in the same class, five times of five by each, and the patched side
  never does. Each rewrite of such a pair was run on the trigger, too, and is here only if the same operation still faults
  on the vulnerable side, in the same class, and the patched side is clean.
- `reasoned`: a patch and its description say that there is a bug, and nothing that ran. The column `reason` says what was
  missing. These are in files of their own, and should not be counted together with the others.

`L0` is the code as it was written. Other settings are rewrites of both sides by the same seed: `L1` has neutral names for what
the function declares, `L2` other names for the function, too, and integers as sums, `L3` one loop over a `switch` in place of
the control flow besides, `L4` each case guarded by a condition that always holds.
";

const LIMITS: &str = "
## Known limits

- Where a fix changes several functions (`changed_functions`), a single pair may not be the whole bug.
- What no sanitizer of both compilers sees is not confirmed: logic, authorisation, leaks of information, and uninitialised
  values.
- A patched side is without this bug; nobody showed that it has no other one.
- A trigger holds for the machine and the compilers named below. Another libc or another architecture may do something else.
- Real projects' fixes are public: models may have read both sides as they were written (`L0`).
";

fn counts(text: &mut String, pairs: &[ExportedPair]) -> std::fmt::Result {
    let mut weaknesses: BTreeMap<(Option<u32>, &str), [usize; 2]> = BTreeMap::new();
    let mut levels: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut languages: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for pair in pairs {
        let label = usize::from(!pair.is_confirmed());
        weaknesses.entry((pair.pair.cwe, class_word(&pair.pair))).or_default()[label] += 1;
        languages.entry(pair.vulnerable.language.as_str()).or_default()[label] += 1;
        for rung in &pair.rungs {
            levels.entry(&rung.rung.setting).or_default()[label] += 1;
        }
    }
    writeln!(text, "\n## What is in it\n\n| weakness | class | crash-confirmed | reasoned |\n|---|---|---:|---:|")?;
    for ((cwe, class), [confirmed, reasoned]) in weaknesses {
        let cwe = cwe.map_or("not known".to_owned(), |number| {
            format!("[CWE-{number}](https://cwe.mitre.org/data/definitions/{number}.html)")
        });
        writeln!(text, "| {cwe} | {class} | {confirmed} | {reasoned} |")?;
    }
    for (what, counts) in [("setting", levels), ("language", languages)] {
        writeln!(text, "\n| {what} | pairs, crash-confirmed | pairs, reasoned |\n|---|---:|---:|")?;
        for (word, [confirmed, reasoned]) in counts {
            writeln!(text, "| {} | {confirmed} | {reasoned} |", cell(word))?;
        }
    }
    Ok(())
}
