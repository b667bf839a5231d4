//! Alive2's `alive-tv`, where it is installed: it proves that a function of C does what another does, for loops up to a
//! bound of rounds.
//!
//! What it proves is that one function may be replaced by the other. That lets the other one define what was undefined: a
//! compiler may do so. So it is asked in both directions, and about what clang writes before any optimisation: later nothing
//! says any more which sum must not overflow. Only variables are put into registers, so that there is less to prove.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::{Tool, Workshop};
use estrange_words::Language;
use serde::{Deserialize, Serialize};

use crate::batch::Compiled;
use crate::clang::{Clang, ClangError, Output};

/// The program that is looked for in `PATH`.
const PROGRAM: &str = "alive-tv";
/// How many rounds of a loop are looked at.
const ROUNDS: u32 = 8;
/// How long it may take for two functions, and how long its solver for a question.
const WALL: Duration = Duration::from_secs(60);
const SOLVER_MILLISECONDS: u32 = 10_000;
/// What makes clang write all that an optimiser may know, and not optimise.
const NOT_OPTIMISED: [&str; 3] = ["-O1", "-Xclang", "-disable-llvm-passes"];
/// LLVM's optimiser, which does one thing only here.
const OPTIMISER: &str = "opt-19";
const REGISTERS: &str = "-passes=mem2reg";

/// The installed `alive-tv`.
#[derive(Debug, Clone)]
pub struct Alive {
    version: String,
}

/// What was proved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// What proved it.
    pub by: String,
    /// For loops of at most so many rounds.
    pub rounds: u32,
}

impl Alive {
    /// Finds it, if it is installed.
    pub fn find() -> Option<Self> {
        let output = Tool::new(PROGRAM).argument("--version").run().ok()?;
        let text = output.text();
        let version = text.lines().map(str::trim).find(|line| line.to_lowercase().contains("version"));
        Some(Self { version: version.unwrap_or(PROGRAM).to_owned() })
    }

    /// What every result depends on.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether a function of `old` may always be replaced by that of `new`, whose names `names` tells by those of `old`, and that of
    /// `new` by that of `old`: then both are undefined on the same inputs, too. What it cannot prove is not proved.
    ///
    /// # Errors
    /// When clang, which translates both, cannot be used.
    pub fn proves(
        &self,
        clang: &Clang,
        workshop: &Workshop,
        flags: &[String],
        (old, new): (&str, &str),
        function: &str,
        names: &BTreeMap<String, String>,
    ) -> Result<Option<Proof>, ClangError> {
        let Some([old, new]) = in_registers(clang, workshop, flags, [old, new])? else { return Ok(None) };
        let folder = workshop.folder("estrange-alive-")?;
        let (old_file, new_file) = (folder.path().join("old.ll"), folder.path().join("new.ll"));
        std::fs::write(&old_file, old)?;
        std::fs::write(&new_file, with_old_names(&new, names))?;
        let asks = |from: &Path, to: &Path| {
            let output = workshop
                .tool(PROGRAM)
                .works_in(folder.path())
                .argument(from)
                .argument(to)
                .argument(format!("--func={function}"))
                .argument(format!("--src-unroll={ROUNDS}"))
                .argument(format!("--tgt-unroll={ROUNDS}"))
                .argument(format!("--smt-to={SOLVER_MILLISECONDS}"))
                .arguments(["--disable-undef-input", "--succinct"])
                .wall(WALL)
                .run();
            // One that does not come to an end proves nothing.
            output.map(|output| output.text()).unwrap_or_default()
        };
        let is_proved = holds_both_ways(&old_file, &new_file, asks);
        Ok(is_proved.then(|| Proof { by: self.version.clone(), rounds: ROUNDS }))
    }
}

/// Whether one may be replaced by the other and the other by the one, as `asks` answers.
fn holds_both_ways(old: &Path, new: &Path, asks: impl Fn(&Path, &Path) -> String) -> bool {
    says_correct(&asks(old, new)) && says_correct(&asks(new, old))
}

/// Texts of C in LLVM's language as they are before any optimisation, but for variables; nothing if one cannot be had.
fn in_registers(
    clang: &Clang,
    workshop: &Workshop,
    flags: &[String],
    texts: [&str; 2],
) -> Result<Option<[String; 2]>, ClangError> {
    let flags: Vec<String> = flags.iter().cloned().chain(NOT_OPTIMISED.map(str::to_owned)).collect();
    let made = clang.make(Language::C, Output::Ir, &flags, &texts)?;
    let folder = workshop.folder("estrange-registers-")?;
    let file: PathBuf = folder.path().join("plain.ll");
    let mut all = Vec::new();
    for compiled in &made {
        let Compiled::Accepted { assembly } = compiled else { return Ok(None) };
        std::fs::write(&file, assembly)?;
        let output =
            workshop.tool(OPTIMISER).works_in(folder.path()).arguments(["-S", REGISTERS]).argument(&file).run()?;
        if !output.success() {
            return Ok(None);
        }
        all.push(output.text());
    }
    Ok(all.try_into().ok())
}

/// Whether it looked at something and has nothing against any of it.
fn says_correct(text: &str) -> bool {
    let count = |what: &str| {
        let line = text.lines().map(str::trim).find(|line| line.ends_with(what))?;
        line.split_whitespace().next()?.parse::<u32>().ok()
    };
    count("correct transformations").is_some_and(|count| count > 0)
        && ["incorrect transformations", "failed-to-prove transformations", "Alive2 errors"]
            .iter()
            .all(|what| count(what) == Some(0))
}

/// A text in LLVM's language in which what has a new name has its old one again: functions are matched by their names.
fn with_old_names(text: &str, names: &BTreeMap<String, String>) -> String {
    let old: BTreeMap<&str, &str> = names.iter().map(|(old, new)| (new.as_str(), old.as_str())).collect();
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '.' | '$');
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, after) = rest.split_at(at + 1);
        let length = after.find(|character| !is_part(character)).unwrap_or(after.len());
        let (name, after) = after.split_at(length);
        renamed.push_str(before);
        renamed.push_str(old.get(name).unwrap_or(&name));
        rest = after;
    }
    renamed + rest
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn summary(correct: u32, incorrect: u32, failed: u32, errors: u32) -> String {
        format!(
            "Summary:\n  {correct} correct transformations\n  {incorrect} incorrect transformations\n  {failed} \
             failed-to-prove transformations\n  {errors} Alive2 errors\n"
        )
    }

    #[test]
    fn only_what_was_looked_at_and_stands_is_proved() {
        assert!(says_correct(&summary(1, 0, 0, 0)));
        for other in [summary(0, 0, 0, 0), summary(1, 1, 0, 0), summary(0, 0, 1, 0), summary(0, 0, 0, 1)] {
            assert!(!says_correct(&other), "{other}");
        }
        assert!(!says_correct("Could not read bitcode"));
    }

    #[test]
    fn what_holds_in_one_direction_only_is_not_proved() {
        let (old, new) = (Path::new("old.ll"), Path::new("new.ll"));
        let defines = |from: &Path, _: &Path| if from == old { summary(1, 0, 0, 0) } else { summary(0, 1, 0, 0) };
        assert!(!holds_both_ways(old, new, defines));
        assert!(!holds_both_ways(new, old, defines));
        assert!(holds_both_ways(old, new, |_, _| summary(1, 0, 0, 0)));
    }

    #[test]
    fn a_sum_that_must_not_overflow_still_says_so_and_variables_are_in_registers() {
        let workshop = Workshop::temporary().unwrap();
        let clang = Clang::find(&workshop).unwrap();
        let old = "long acc(long a, long b) { long c = a + b; return c; }\n";
        let new = "long acc(long a, long b) { return (long)((unsigned long)a + (unsigned long)b); }\n";
        let [old, new] = in_registers(&clang, &workshop, &[], [old, new]).unwrap().unwrap();
        assert!(old.contains("add nsw i64") && !old.contains("alloca"), "{old}");
        assert!(new.contains("add i64"), "{new}");
        assert_eq!(in_registers(&clang, &workshop, &[], ["int a;\n", "int a\n"]).unwrap(), None);
    }

    #[test]
    fn functions_have_their_old_names_again() {
        let names = BTreeMap::from([("sum".to_owned(), "func_0".to_owned())]);
        let text = "define i32 @func_0(i32 %0) {\n  call void @func_01()\n  ret i32 %0\n}\n";
        let old = "define i32 @sum(i32 %0) {\n  call void @func_01()\n  ret i32 %0\n}\n";
        assert_eq!(with_old_names(text, &names), old);
    }
}
