//! Checks flags by the preprocessor: a configuration header that is wrong for the tree shows there first.
//!
//! It sees what a compiler would see of a wrong header, a macro without a value or a header that is nowhere, in a
//! fraction of the time. That the rest of the file compiles is not its business.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use estrange_sandbox::{Sandbox, ToolEnd};
use rayon::prelude::*;

use super::Flags;
use super::includes::is_own;
use super::understood::Understood;

/// The longest time that one file may take.
const WALL: Duration = Duration::from_secs(20);

/// The flags that builds offer for each file, the best first.
pub(crate) type Offers = BTreeMap<PathBuf, Vec<Flags>>;

/// The flags that were taken for each file.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    /// The flags by the path relative to the tree.
    pub files: BTreeMap<PathBuf, Flags>,
    /// How many of the files were checked: those that a library is built from.
    pub checked: usize,
    /// The files that are refused with all flags offered, each with the first complaint.
    pub refused: BTreeMap<PathBuf, String>,
}

/// Counts the refused files, in words, with the first complaint.
impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} files refused by the preprocessor", self.refused.len(), self.checked)?;
        self.refused.values().next().map_or(Ok(()), |complaint| write!(f, " ({complaint})"))
    }
}

enum Answer {
    Accepted,
    Refused(String),
    /// There was no time, or no preprocessor.
    None,
}

/// Takes for each file of the tree at `root` the first of the flags offered that the preprocessor accepts; the very
/// first where it accepts none or the file is not one that a library is built from. Files that are not checked by the
/// `deadline` count as accepted.
pub(crate) fn choose(mut offers: Offers, root: &Path, deadline: Instant, understood: &mut Understood) -> Chosen {
    let mut chosen = Chosen::default();
    let mut waiting: Vec<PathBuf> = offers.keys().filter(|path| is_own(&path.to_string_lossy())).cloned().collect();
    let mut better: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for round in 0.. {
        let offered = |path: PathBuf| offers.get(&path)?.get(round).cloned().map(|flags| (path, flags));
        let mut tried: BTreeMap<PathBuf, Flags> = waiting.into_iter().filter_map(offered).collect();
        if tried.is_empty() {
            break;
        }
        understood.purge(&mut tried);
        let answers: Vec<Answer> =
            tried.par_iter().map(|(path, flags)| ask(understood.sandbox(), root, path, flags, deadline)).collect();
        waiting = Vec::new();
        for (path, answer) in tried.into_keys().zip(answers) {
            chosen.checked += usize::from(round == 0 && !matches!(answer, Answer::None));
            match answer {
                Answer::Refused(complaint) => {
                    chosen.refused.entry(path.clone()).or_insert(complaint);
                    waiting.push(path);
                }
                Answer::Accepted if round > 0 => {
                    chosen.refused.remove(&path);
                    better.insert(path, round);
                }
                Answer::Accepted | Answer::None => {}
            }
        }
    }
    for (path, flags) in &mut offers {
        let place = better.get(path).copied().unwrap_or_default();
        if place < flags.len() {
            chosen.files.insert(path.clone(), flags.swap_remove(place));
        }
    }
    chosen
}

fn ask(sandbox: &Sandbox, root: &Path, path: &Path, flags: &Flags, deadline: Instant) -> Answer {
    let wall = WALL.min(deadline.saturating_duration_since(Instant::now()));
    if wall.is_zero() {
        return Answer::None;
    }
    let tool = sandbox
        .tool("gcc")
        .reads(root)
        // Conditions are evaluated, and the text between them is passed over.
        .arguments([
            "-E",
            "-fdirectives-only",
            "-w",
            "-fdiagnostics-color=never",
            "-fno-diagnostics-show-caret",
            "-o",
            "/dev/null",
        ])
        .arguments(flags.command_line())
        .argument(root.join(path))
        .directory(flags.directory_in(root))
        .environment("LC_ALL", "C")
        .wall(wall);
    match tool.run() {
        Ok(output) if output.end == ToolEnd::Exited(0) => Answer::Accepted,
        Ok(output) if matches!(output.end, ToolEnd::Exited(_)) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let telling = text.lines().find(|line| line.contains("error: ")).or(text.lines().next());
            // The tree's place on this machine is nobody's business.
            let complaint = telling.unwrap_or("without a word").replace(&format!("{}/", root.display()), "");
            Answer::Refused(complaint.chars().take(200).collect())
        }
        _ => Answer::None,
    }
}
