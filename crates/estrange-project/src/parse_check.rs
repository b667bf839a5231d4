//! Checks how well a tree's files parse with the flags found for them: the measure of how good the flags are.

use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::{Tool, ToolEnd};
use rayon::prelude::*;

use crate::flags::{Flags, FlagsReport};

/// The longest time that one file may take to parse.
const WALL: Duration = Duration::from_secs(120);

/// How a file parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseResult {
    /// The file, relative to the tree.
    pub path: PathBuf,
    /// How many errors the compiler found; it goes on after these.
    pub errors: usize,
    /// The error that ended parsing, such as a header that does not exist.
    pub fatal: Option<String>,
}

impl ParseResult {
    /// Whether there was no error at all.
    pub fn clean(&self) -> bool {
        self.errors == 0 && self.fatal.is_none()
    }
}

/// Parses each of the report's files for which `wanted` holds, on all cores. A compiler that is not installed is a
/// fatal error of every file.
pub fn parse_check(report: &FlagsReport, wanted: impl Fn(&Path) -> bool) -> Vec<ParseResult> {
    let files: Vec<(&PathBuf, &Flags)> = report.files.iter().filter(|(path, _)| wanted(path)).collect();
    files.into_par_iter().map(|(path, flags)| parse(&report.root, path, flags)).collect()
}

fn parse(root: &Path, path: &Path, flags: &Flags) -> ParseResult {
    let tool = Tool::new("clang-19")
        .arguments(["-fsyntax-only", "-fno-color-diagnostics", "-fno-caret-diagnostics", "-ferror-limit=0", "-w"])
        .arguments(flags.command_line())
        .argument("--")
        .argument(root.join(path))
        .directory(if flags.directory.is_dir() { &flags.directory } else { root })
        .wall(WALL);
    let (errors, fatal) = match tool.run() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let errors = text.lines().filter(|line| line.contains(": error: ")).count();
            let fatal = text.lines().find(|line| line.contains("fatal error: ")).map(str::to_owned);
            match output.end {
                ToolEnd::Exited(_) => (errors, fatal.or_else(|| unexplained(&output.end, errors, &text))),
                ToolEnd::Signalled(signal) => (errors, Some(format!("the compiler was ended by signal {signal}"))),
                ToolEnd::TimedOut => (errors, Some(format!("took longer than {} seconds", WALL.as_secs()))),
            }
        }
        Err(error) => (0, Some(error.to_string())),
    };
    ParseResult { path: path.to_owned(), errors, fatal }
}

/// A failure without an error in the file is one of the command line.
fn unexplained(end: &ToolEnd, errors: usize, text: &str) -> Option<String> {
    (*end != ToolEnd::Exited(0) && errors == 0).then(|| text.lines().next().unwrap_or("the compiler failed").to_owned())
}
