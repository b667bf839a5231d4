//! Checks how well a tree's files parse with the flags found for them: the measure of how good the flags are.

use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::{Sandbox, ToolEnd};
use estrange_store::{Keep, KeyHasher, Store, StoreError};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::flags::Flags;
use crate::survey::{Project, SourceFile};

/// The longest time that one file may take to parse.
const WALL: Duration = Duration::from_secs(120);

/// How a file parsed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// Parses each of the project's files for which `wanted` holds, on all cores, and keeps the results in the `cache`
/// folder: the same files with the same flags are not parsed again.
pub fn parse_check(
    project: &Project,
    wanted: impl Fn(&SourceFile) -> bool,
    cache: &Path,
    sandbox: &Sandbox,
) -> Vec<ParseResult> {
    let files: Vec<(&Path, &Flags)> = project
        .files
        .iter()
        .filter(|file| wanted(file))
        .filter_map(|file| Some((file.path.as_path(), file.flags.as_ref()?)))
        .collect();
    let key = key(project, &files);
    let kept = Store::open(cache.join("parses"))
        .and_then(|store| store.get_or(&key, || Ok((parse_all(&project.root, &files, sandbox), Keep::Yes))));
    kept.unwrap_or_else(|error: StoreError| {
        tracing::warn!(%error, "parse results could not be kept");
        parse_all(&project.root, &files, sandbox)
    })
}

/// Changes whenever the same files may give other results than before.
const STAGE: &str = "parses 2";

fn key(project: &Project, files: &[(&Path, &Flags)]) -> String {
    let mut key = KeyHasher::new(STAGE);
    key.add(project.key.as_bytes());
    files.iter().for_each(|(path, _)| key.add(path.as_os_str().as_encoded_bytes()));
    key.finish()
}

/// Parses files on all cores. A compiler that is not installed is a fatal error of every file.
pub fn parse_all(root: &Path, files: &[(&Path, &Flags)], sandbox: &Sandbox) -> Vec<ParseResult> {
    files.par_iter().map(|(path, flags)| parse(root, path, flags, sandbox)).collect()
}

fn parse(root: &Path, path: &Path, flags: &Flags, sandbox: &Sandbox) -> ParseResult {
    let tool = sandbox
        .tool("clang-19")
        .reads(root)
        .arguments(["-fsyntax-only", "-fno-color-diagnostics", "-fno-caret-diagnostics", "-ferror-limit=0", "-w"])
        .arguments(flags.command_line())
        .argument("--")
        .argument(root.join(path))
        .directory(flags.directory_in(root))
        .wall(WALL);
    let (errors, fatal) = match tool.run() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let errors = text.lines().filter(|line| line.contains(": error: ")).count();
            let fatal = text.lines().find(|line| line.contains("fatal error: ")).map(str::to_owned);
            match output.end {
                ToolEnd::Exited(_) => (errors, fatal.or_else(|| unexplained(&output.end, errors, &text))),
                ToolEnd::TimedOut => (errors, Some(format!("took longer than {} seconds", WALL.as_secs()))),
                end => (errors, Some(format!("the compiler {end}"))),
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
