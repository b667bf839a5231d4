//! The installed gcc: where its compilers proper are, and how the driver would call them.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use estrange_sandbox::{Tool, ToolError, Workshop};
use estrange_words::{Hint, Language};
use serde::{Deserialize, Serialize};

use crate::precompiled::Precompiled;

/// How far a unit is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// Checked only: no code.
    Syntax,
    /// Code without optimisation, `-O0`.
    O0,
    /// Code with `-O2`, each function by itself: see [`FUNCTION_BY_ITSELF`].
    O2,
    /// Code with the flags that are given, and no others.
    Given,
}

/// Why gcc cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GccError {
    /// It could not be started.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// It gave an answer that cannot be used.
    #[error("gcc could not be used: {0}")]
    Answer(String),
    /// The folder for its files cannot be used.
    #[error("the folder for compiling cannot be used: {0}")]
    Folder(#[from] std::io::Error),
}

impl Hint for GccError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Tool(error) => error.hint(),
            Self::Answer(_) => Some("`estrange doctor` says which version is wanted, and how to install it".into()),
            Self::Folder(_) => Some("free some space, or name another folder with --cache".into()),
        }
    }
}

/// The longest time that one run may take.
pub(crate) const WALL: Duration = Duration::from_secs(600);

/// The flags that make a function's code depend on nothing but the function, its types, and the declarations of what
/// it uses. They turn off interprocedural optimisation, on both sides of a comparison, since a unit has only the
/// declarations of other functions; and code for debugging, hardening and position independence.
///
/// For most of them a test shows a function whose code differs without the flag. Those of the last group change nothing in C
/// as long as the others are there; they are here since nothing promises that.
pub const FUNCTION_BY_ITSELF: &[&str] = &[
    // Inlining, and facts derived from a callee's body.
    "-fno-inline",
    "-fno-ipa-ra",
    "-fno-ipa-pure-const",
    "-fno-ipa-modref",
    "-fno-ipa-stack-alignment",
    // Folding of identical functions.
    "-fno-ipa-icf",
    // Which functions read or write a static variable.
    "-fno-ipa-reference",
    "-fno-ipa-reference-addressable",
    // The callers of a static function, and whether there are any.
    "-fkeep-static-functions",
    "-fno-ipa-cp",
    "-fno-ipa-bit-cp",
    "-fno-ipa-vrp",
    "-fno-ipa-sra",
    "-fno-ipa-profile",
    "-fno-ipa-strict-aliasing",
    "-fno-partial-inlining",
    "-fno-devirtualize",
];

/// The flags of every compilation that gives code.
pub const PLAIN_CODE: &[&str] = &[
    "-fno-pic",
    "-fno-pie",
    "-fno-stack-protector",
    "-fcf-protection=none",
    "-fno-asynchronous-unwind-tables",
    "-fno-lto",
    "-g0",
    "-U_FORTIFY_SOURCE",
];

/// The installed gcc and g++.
#[derive(Debug, Clone)]
pub struct Gcc {
    pub(crate) c: Proper,
    pub(crate) cpp: Proper,
    version: String,
    workshop: Workshop,
    pub(crate) folder: Arc<tempfile::TempDir>,
    pub(crate) splitter: Option<PathBuf>,
    pub(crate) precompiled: Arc<Precompiled<Level>>,
}

/// A compiler proper: what the driver starts to turn a text into assembly.
#[derive(Debug, Clone)]
pub(crate) struct Proper {
    pub program: PathBuf,
    /// What the driver always passes, such as the folder of the machine's own headers.
    pub arguments: Vec<String>,
}

impl Gcc {
    /// Finds gcc and g++. Files needed while compiling are kept in a new folder of the workshop, which goes with the last
    /// clone; it stays only if this process is killed.
    pub fn find(workshop: &Workshop) -> Result<Self, GccError> {
        Self::cross(workshop, "")
    }

    /// As [`Self::find`], for the gcc whose drivers' names begin with `prefix`, such as `aarch64-linux-gnu-`.
    pub fn cross(workshop: &Workshop, prefix: &str) -> Result<Self, GccError> {
        let folder = workshop.folder("estrange-gcc-")?;
        let version = Tool::new(format!("{prefix}gcc")).argument("--version").run()?.text();
        let splitter = match build_splitter(folder.path()) {
            Ok(library) => Some(library),
            Err(error) => {
                tracing::warn!(%error, "units are compiled one by one, which costs more");
                None
            }
        };
        Ok(Self {
            c: Proper::find(&format!("{prefix}gcc"), "c")?,
            cpp: Proper::find(&format!("{prefix}g++"), "c++")?,
            version: version.lines().next().unwrap_or_default().to_owned(),
            workshop: workshop.clone(),
            folder: Arc::new(folder),
            splitter,
            precompiled: Arc::default(),
        })
    }

    /// The first line of `gcc --version`: part of what every result depends on.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether many units can be compiled in one call. Where they cannot, the results are the same, and cost more.
    pub fn batches(&self) -> bool {
        self.splitter.is_some()
    }

    /// The same gcc, which compiles units one by one.
    pub fn one_by_one(mut self) -> Self {
        self.splitter = None;
        self
    }

    /// A run of one of gcc's programs, such as its assembler.
    pub fn tool(&self, program: impl Into<OsString>) -> Tool {
        self.workshop.tool(program).environment("LC_ALL", "C").wall(WALL)
    }

    pub(crate) fn proper(&self, language: Language) -> &Proper {
        match language {
            Language::C => &self.c,
            Language::Cpp => &self.cpp,
        }
    }
}

impl Level {
    /// The flags of this level, for gcc's driver and its compilers proper.
    pub fn flags(self, language: Language) -> Vec<&'static str> {
        let mut flags = Vec::new();
        match self {
            Level::Syntax => return vec!["-fsyntax-only"],
            Level::Given => return Vec::new(),
            Level::O0 => flags.push("-O0"),
            Level::O2 => flags.push("-O2"),
        }
        flags.extend(FUNCTION_BY_ITSELF);
        if language == Language::C {
            flags.push("-fkeep-inline-functions");
        }
        flags.extend(PLAIN_CODE);
        flags
    }
}

impl Proper {
    /// Asks the driver which compiler proper it would start, and with which arguments.
    fn find(driver: &str, language: &str) -> Result<Self, GccError> {
        let output = Tool::new(driver)
            .arguments(["-###", "-S", "-fno-pie", "-x", language, "/dev/null", "-o", "-"])
            .environment("LC_ALL", "C")
            .run()?;
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text
            .lines()
            .find(|line| line.starts_with(' ') && line.contains("/dev/null") && line.contains("cc1"))
            .ok_or_else(|| GccError::Answer(format!("{driver} names no compiler: {}", output.last_words(1))))?;
        let not_read = || GccError::Answer(format!("the call of {driver} cannot be read: {line}"));
        let mut words = shlex::split(line).ok_or_else(not_read)?.into_iter();
        let program = PathBuf::from(words.next().unwrap_or_default());
        let mut arguments = Vec::new();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-quiet" | "/dev/null" | "-fno-pie" => {}
                "-o" | "-dumpbase" | "-dumpbase-ext" | "-dumpdir" => drop(words.next()),
                _ => arguments.push(word),
            }
        }
        Ok(Self { program, arguments })
    }
}

/// Builds the library that lets one run of a compiler take many units.
fn build_splitter(folder: &Path) -> Result<PathBuf, GccError> {
    let source = folder.join("fork.c");
    let library = folder.join("fork.so");
    std::fs::write(&source, include_str!("fork.c"))?;
    let output = Tool::new("gcc")
        .arguments(["-O1", "-shared", "-fPIC", "-w", "-o"].map(OsString::from))
        .argument(&library)
        .argument(&source)
        .argument("-ldl")
        .run()?;
    if output.success() { Ok(library) } else { Err(GccError::Answer(output.last_words(3))) }
}
