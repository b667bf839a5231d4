//! Alive2's `alive-tv`, where it is installed: it proves that a function of C does what another does, for loops up to a
//! bound of rounds.

use std::collections::BTreeMap;
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
/// Variables in registers, so that there is less to prove.
const OPTIMISED: &str = "-O1";

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

    /// Whether a function of `old` may always be replaced by that of `new`, whose names `names` tells by those of `old`.
    /// What it cannot prove, and what is not C, is not proved.
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
        let mut flags = flags.to_vec();
        flags.push(OPTIMISED.to_owned());
        let made = clang.make(Language::C, Output::Ir, &flags, &[old, new])?;
        let [Compiled::Accepted { assembly: old }, Compiled::Accepted { assembly: new }] = &made[..] else {
            return Ok(None);
        };
        let folder = workshop.folder("estrange-alive-")?;
        let (old_file, new_file) = (folder.path().join("old.ll"), folder.path().join("new.ll"));
        std::fs::write(&old_file, old)?;
        std::fs::write(&new_file, with_old_names(&String::from_utf8_lossy(new), names))?;
        let output = workshop
            .tool(PROGRAM)
            .works_in(folder.path())
            .argument(&old_file)
            .argument(&new_file)
            .argument(format!("--func={function}"))
            .argument(format!("--src-unroll={ROUNDS}"))
            .argument(format!("--tgt-unroll={ROUNDS}"))
            .argument(format!("--smt-to={SOLVER_MILLISECONDS}"))
            .arguments(["--disable-undef-input", "--succinct"])
            .wall(WALL)
            .run();
        // One that does not come to an end proves nothing.
        let is_proved = output.is_ok_and(|output| says_correct(&output.text()));
        Ok(is_proved.then(|| Proof { by: self.version.clone(), rounds: ROUNDS }))
    }
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
    fn functions_have_their_old_names_again() {
        let names = BTreeMap::from([("sum".to_owned(), "func_0".to_owned())]);
        let text = "define i32 @func_0(i32 %0) {\n  call void @func_01()\n  ret i32 %0\n}\n";
        let old = "define i32 @sum(i32 %0) {\n  call void @func_01()\n  ret i32 %0\n}\n";
        assert_eq!(with_old_names(text, &names), old);
    }
}
