//! One file out of a source file and all it includes: conditionals decided, macros kept, standard headers kept as
//! `#include`s.
//!
//! `gcc -E -fdirectives-only` does the work; this module puts its output together: line markers become a table of
//! origins, and what came from a standard header becomes one `#include` line again.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::{ToolEnd, Workshop};
use estrange_words::{Language, Reason};
use serde::{Deserialize, Serialize};

use crate::flat::{Flat, LineRun};
use crate::modules::without_modules;
use crate::standard::SystemFolders;

/// Why a file could not be flattened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum FlattenLoss {
    /// The preprocessor refused it.
    #[error("{0}")]
    Refused(String),
    /// It took too long.
    #[error("the preprocessor took more than {0} s")]
    TimedOut(u64),
    /// It took too much memory.
    #[error("the preprocessor needed more than {0} bytes of memory")]
    OverMemory(u64),
    /// It is larger than we read.
    #[error("with all it includes it has {0} bytes, more than the bound of {1}")]
    TooLarge(usize, usize),
    /// gcc could not be started.
    #[error("gcc cannot be started: {0}")]
    NoCompiler(String),
}

impl FlattenLoss {
    /// The typed reason.
    pub fn reason(&self) -> Reason {
        match self {
            FlattenLoss::Refused(_) => Reason::DoesNotPreprocess,
            FlattenLoss::TimedOut(_) => Reason::PreprocessorTimedOut,
            FlattenLoss::OverMemory(_) => Reason::PreprocessorOverMemory,
            FlattenLoss::TooLarge(..) => Reason::FileTooLarge,
            FlattenLoss::NoCompiler(_) => Reason::NoCompiler,
        }
    }
}

/// The most text that one translation unit may have.
pub const LARGEST: usize = 48 << 20;

/// The longest that the preprocessor may take.
const WALL: Duration = Duration::from_secs(60);

/// The most memory that the preprocessor may take: a source may include `/dev/full`.
const MEMORY: u64 = 2 << 30;

/// Flattens `file`, compiled with `arguments` in `directory`. The workshop shows the project's tree.
///
/// # Errors
/// When gcc refuses the file, takes too long, or gives too much.
pub fn flatten(
    workshop: &Workshop,
    file: &Path,
    arguments: &[String],
    directory: &Path,
    folders: &SystemFolders,
) -> Result<Flat, FlattenLoss> {
    let stdout = match preprocessed(workshop, file, arguments, directory, &[]) {
        Err(FlattenLoss::Refused(told)) if told.contains("__COUNTER__ expanded inside directive") => {
            // Some ask whether it works, and have something else where it is not there.
            preprocessed(workshop, file, arguments, directory, &["-U__COUNTER__"])?
        }
        stdout => stdout?,
    };
    let mut flat = assemble(&String::from_utf8_lossy(&stdout), file, folders);
    if Language::of_arguments(arguments).is_cpp() {
        without_modules(&mut flat, arguments);
    }
    if flat.text.len() > LARGEST {
        return Err(FlattenLoss::TooLarge(flat.text.len(), LARGEST));
    }
    Ok(flat)
}

/// What gcc gives of a file with its directives carried out.
fn preprocessed(
    workshop: &Workshop,
    file: &Path,
    arguments: &[String],
    directory: &Path,
    more: &[&str],
) -> Result<Vec<u8>, FlattenLoss> {
    let output = workshop
        .tool("gcc")
        .arguments(arguments.iter().map(OsStr::new))
        .arguments(["-E", "-fdirectives-only", "-w"])
        .arguments(more.iter().map(OsStr::new))
        .argument(file)
        .directory(directory)
        .environment("LC_ALL", "C")
        .wall(WALL)
        .memory(MEMORY)
        .run()
        .map_err(|error| FlattenLoss::NoCompiler(error.to_string()))?;
    match output.end {
        ToolEnd::Exited(0) => Ok(output.stdout),
        ToolEnd::TimedOut => Err(FlattenLoss::TimedOut(WALL.as_secs())),
        ToolEnd::OverMemory => Err(FlattenLoss::OverMemory(MEMORY)),
        ToolEnd::OverOutput => Err(FlattenLoss::TooLarge(output.stdout.len(), LARGEST)),
        _ => {
            let said = String::from_utf8_lossy(&output.stderr);
            if said.lines().any(|line| line.contains("out of memory allocating")) {
                return Err(FlattenLoss::OverMemory(MEMORY));
            }
            let told = said.lines().find(|line| line.contains("error:")).or(said.lines().next()).unwrap_or_default();
            Err(FlattenLoss::Refused(told.to_owned()))
        }
    }
}

/// A file that is being read, and whether its text is left out.
struct Open {
    name: String,
    file: u32,
    standard: bool,
}

/// Puts the preprocessor's output together.
fn assemble(output: &str, main: &Path, folders: &SystemFolders) -> Flat {
    let mut flat = Flat { files: vec![main.to_owned()], ..Flat::default() };
    let mut stack: Vec<Open> = vec![Open { name: main.display().to_string(), file: 0, standard: false }];
    let mut line = 0;
    let mut quiet = true;
    let mut fresh = true;
    for whole in output.split_inclusive('\n') {
        let (comment, text) = glued(whole);
        if !comment.is_empty() && !quiet {
            add(&mut flat, &stack, &mut fresh, line, &format!("{comment}\n"));
        }
        if let Some(marker) = Marker::read(text) {
            fresh = true;
            match marker.change {
                Change::Enters => enter(&mut flat, &mut stack, marker.file, line, folders),
                Change::Returns if stack.iter().any(|open| open.name == marker.file) => {
                    while stack.last().is_some_and(|open| open.name != marker.file) {
                        stack.pop();
                    }
                }
                // To its own macros, or to the command line.
                Change::Returns if marker.file.starts_with('<') => stack.truncate(1),
                Change::Returns => {
                    // gcc says nothing when it enters a file that begins with an `#include`: it is known only now.
                    if stack.len() > 1 {
                        stack.pop();
                    }
                    enter(&mut flat, &mut stack, marker.file, line, folders);
                }
                Change::None => {}
            }
            let builtin = marker.line == 0 && stack.len() == 1;
            line = marker.line;
            if builtin {
                // Before the file itself, gcc lists its own macros, then those of the command line.
                quiet = !text.contains("<command-line>");
            } else {
                quiet = false;
            }
            continue;
        }
        if !quiet {
            add(&mut flat, &stack, &mut fresh, line, text);
        }
        line += 1;
    }
    if !flat.text.ends_with('\n') {
        flat.text.push('\n');
    }
    flat
}

/// Adds a line of the file that is open, unless it is a standard one. A `fresh` line does not follow the one before it.
fn add(flat: &mut Flat, stack: &[Open], fresh: &mut bool, line: u32, text: &str) {
    let Some(open) = stack.last().filter(|open| !open.standard) else { return };
    if std::mem::take(fresh) {
        flat.runs.push(LineRun { start: flat.text.len() as u32, file: open.file, line });
    }
    flat.text.push_str(text);
}

/// Goes on in another file, which the one that is open includes. A standard one becomes an `#include` again.
fn enter(flat: &mut Flat, stack: &mut Vec<Open>, path: String, line: u32, folders: &SystemFolders) {
    let outer_is_standard = stack.last().is_some_and(|open| open.standard);
    let name = folders.standard_name(Path::new(&path));
    let standard = outer_is_standard || name.is_some();
    if let (false, Some(name)) = (outer_is_standard, name)
        && name != "stdc-predef.h"
    {
        let file = stack.last().map_or(0, |open| open.file);
        flat.runs.push(LineRun { start: flat.text.len() as u32, file, line });
        flat.text.push_str(&format!("#include <{name}>\n"));
    }
    let file = file_number(&mut flat.files, &path);
    stack.push(Open { name: path, file, standard });
}

fn file_number(files: &mut Vec<PathBuf>, name: &str) -> u32 {
    let path = Path::new(name);
    let number = files.iter().position(|known| known == path).unwrap_or_else(|| {
        files.push(path.to_owned());
        files.len() - 1
    });
    number as u32
}

/// What gcc says when it enters a file stands behind a comment that stood before the `#include`: the comment, and the rest.
fn glued(text: &str) -> (&str, &str) {
    let end = text.rfind("*/").map_or(0, |at| at + 2);
    let (comment, rest) = text.split_at(end);
    let enters = Marker::read(rest.trim_start()).is_some_and(|marker| matches!(marker.change, Change::Enters));
    if end > 0 && enters { (comment, rest.trim_start()) } else { ("", text) }
}

/// A line marker: `# LINE "FILE" FLAGS`.
struct Marker {
    line: u32,
    file: String,
    change: Change,
}

enum Change {
    Enters,
    Returns,
    None,
}

impl Marker {
    fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("# ")?;
        let (line, rest) = rest.split_once(" \"")?;
        let line = line.parse().ok()?;
        let (file, flags) = rest.rsplit_once('"')?;
        let change = match flags.split_ascii_whitespace().next() {
            Some("1") => Change::Enters,
            Some("2") => Change::Returns,
            _ => Change::None,
        };
        Some(Self { line, file: file.replace("\\\"", "\"").replace("\\\\", "\\"), change })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_before_an_include_stays_where_it_was() {
        let folders = SystemFolders::from_compiler("#include <...> search starts here:\n /usr/include\nEnd\n");
        let output = "# 0 \"a.c\"\n# 0 \"<command-line>\"\n# 1 \"a.c\"\n/* one */ # 1 \"/usr/include/stdio.h\" 1 3 4\n\
                      int puts(const char *);\n# 2 \"a.c\" 2\n/* two\n   */ # 1 \"b.h\" 1\nint b;\n# 4 \"a.c\" 2\nint own;\n";
        let flat = assemble(output, Path::new("a.c"), &folders);
        assert_eq!(flat.text, "/* one */\n#include <stdio.h>\n/* two\n   */\nint b;\nint own;\n");
    }

    #[test]
    fn standard_headers_become_includes_again_and_origins_are_kept() {
        let folders = SystemFolders::from_compiler("#include <...> search starts here:\n /usr/include\nEnd\n");
        let output = "# 0 \"a.c\"\n# 0 \"<built-in>\"\n#define __x 1\n# 0 \"<command-line>\"\n#define FOO 2\n\
                      # 1 \"/usr/include/stdc-predef.h\" 1 3 4\n#define Y\n# 0 \"<command-line>\" 2\n# 1 \"a.c\"\n\
                      # 1 \"/usr/include/stdio.h\" 1 3 4\nint puts(const char *);\n# 1 \"/usr/include/bits/x.h\" 1 3 4\n\
                      int inner;\n# 3 \"/usr/include/stdio.h\" 2 3 4\nint more;\n# 2 \"a.c\" 2\n# 1 \"b.h\" 1\n\
                      typedef int number;\n# 3 \"a.c\" 2\nnumber one;\nnumber two;\n";
        let flat = assemble(output, Path::new("a.c"), &folders);
        assert_eq!(flat.text, "#define FOO 2\n#include <stdio.h>\ntypedef int number;\nnumber one;\nnumber two;\n");
        let at = |what: &str| flat.origin(flat.text.find(what).expect("it is there") as u32).expect("an origin");
        assert_eq!(at("typedef"), (Path::new("b.h"), 1));
        assert_eq!(at("number one"), (Path::new("a.c"), 3));
        assert_eq!(at("number two"), (Path::new("a.c"), 4));
        assert_eq!(at("#include"), (Path::new("a.c"), 1));
    }

    #[test]
    fn a_file_whose_beginning_is_not_announced_is_known_when_it_is_returned_to() {
        let folders = SystemFolders::from_compiler("#include <...> search starts here:\n /usr/include\nEnd\n");
        let output = "# 0 \"a.c\"\n# 1 \"a.c\"\n# 1 \"/usr/include/features.h\" 1 3 4\n#define F\n\
                      # 3 \"/usr/include/errno.h\" 2 3 4\n# 1 \"/usr/include/bits/errno.h\" 1 3 4\nint inner;\n\
                      # 4 \"/usr/include/errno.h\" 2 3 4\nint outer;\n# 2 \"a.c\" 2\nint own;\n";
        let flat = assemble(output, Path::new("a.c"), &folders);
        assert_eq!(flat.text, "#include <features.h>\n#include <errno.h>\nint own;\n");
    }
}
