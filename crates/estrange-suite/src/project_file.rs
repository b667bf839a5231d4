//! Project files: which source, how it is built and tested, and how its tests report. `docs/projects.md` describes them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::Limits;
use estrange_words::Hint;
use serde::{Deserialize, Serialize};

use crate::mapping::Mapping;
use crate::pattern::Pattern;
use crate::report::Reading;

/// What stands for the names of tests in [`ProjectFile::some`].
pub const TESTS: &str = "{tests}";

/// How one project is built and tested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProjectFile {
    /// Where the project comes from, as `estrange sources` takes it. Getting it is the caller's.
    pub source: String,
    /// The folder of the tree in which every command runs; the tree's own folder unless told.
    #[serde(default)]
    pub folder: String,
    /// The commands that run once, before the first build.
    #[serde(default)]
    pub configure: Vec<String>,
    /// The commands that build library and tests, and build again what depends on a file that changed.
    pub build: Vec<String>,
    /// The command that runs all tests.
    pub test: String,
    /// The command that runs only the tests that stand in the place of `{tests}`.
    #[serde(default)]
    pub some: Option<String>,
    /// What stands between the names of several tests in `some`.
    #[serde(default = "space")]
    pub join: String,
    /// How the tests report.
    pub report: Reading,
    /// Which tests are which functions'.
    #[serde(default)]
    pub map: Mapping,
    /// Tests that do not count, by patterns.
    #[serde(default)]
    pub exclude: Vec<Pattern>,
    /// Files of the source that a build may write anew, by patterns of their paths.
    #[serde(default)]
    pub rewrites: Vec<Pattern>,
    /// Whether a library is loaded into the project's programs, while they are tested, that notes how each ended. Programs
    /// that are linked statically or with a sanitizer cannot have it.
    #[serde(default = "yes")]
    pub witness: bool,
    /// Variables of the commands' environment.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// What the commands may use.
    #[serde(default)]
    pub limits: ProjectLimits,
}

/// What a project's commands may use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProjectLimits {
    /// Seconds for configuring and the clean build together.
    pub build: u64,
    /// Seconds for building again after an edit.
    pub rebuild: u64,
    /// Seconds for one run of all tests.
    pub test: u64,
    /// Mebibytes of memory.
    pub memory: u64,
    /// Mebibytes of disk, which is memory too.
    pub disk: u64,
    /// Processes and threads at once.
    pub processes: u32,
    /// How many of `build`'s jobs may run at once: `$JOBS`.
    pub jobs: u32,
}

impl Default for ProjectLimits {
    fn default() -> Self {
        Self { build: 600, rebuild: 120, test: 120, memory: 2048, disk: 2048, processes: 256, jobs: 2 }
    }
}

impl ProjectLimits {
    /// The limits of one guest.
    pub(crate) fn guest(&self, wall: Duration) -> Limits {
        const MIB: u64 = 1024 * 1024;
        Limits { wall, memory: self.memory * MIB, disk: self.disk * MIB, processes: self.processes, ..Limits::build() }
    }
}

fn space() -> String {
    " ".to_owned()
}

fn yes() -> bool {
    true
}

/// Why a project file is none.
#[derive(Debug, thiserror::Error)]
pub enum ProjectFileError {
    /// It cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// It is no TOML, or has keys or values that mean nothing.
    #[error("{} is no project file: {}", path.display(), source.message())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        source: Box<toml::de::Error>,
    },
    /// What it says cannot be.
    #[error("{}: {problem}", path.display())]
    Meaning {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
        /// What to do about it.
        hint: &'static str,
    },
}

impl Hint for ProjectFileError {
    fn hint(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Read { .. } => None,
            Self::Syntax { .. } => Some("docs/projects.md lists every key".into()),
            Self::Meaning { hint, .. } => Some((*hint).into()),
        }
    }
}

impl ProjectFile {
    /// Reads a project file.
    pub fn read(path: &Path) -> Result<Self, ProjectFileError> {
        let text =
            fs::read_to_string(path).map_err(|source| ProjectFileError::Read { path: path.to_owned(), source })?;
        Self::parse(&text, path)
    }

    /// Reads the text of a project file; `path` is for errors.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ProjectFileError> {
        let file: Self = toml::from_str(text)
            .map_err(|source| ProjectFileError::Syntax { path: path.to_owned(), source: Box::new(source) })?;
        file.check().map_err(|(problem, hint)| ProjectFileError::Meaning { path: path.to_owned(), problem, hint })?;
        Ok(file)
    }

    /// What its keys cannot mean together.
    fn check(&self) -> Result<(), (String, &'static str)> {
        let is_empty = |text: &String| text.trim().is_empty();
        if is_empty(&self.source) {
            return Err(("`source` is empty".into(), "name a source, such as \"deb:zlib\""));
        }
        if Path::new(&self.folder).is_absolute()
            || Path::new(&self.folder).components().any(|part| part.as_os_str() == "..")
        {
            return Err((
                format!("`folder` leaves the tree: {}", self.folder),
                "give it relative to the tree, without `..`",
            ));
        }
        if self.build.is_empty() || self.build.iter().chain(&self.configure).any(is_empty) {
            return Err((
                "`build` has no command, or an empty one".into(),
                "give the commands as a list, such as [\"make\"]",
            ));
        }
        if is_empty(&self.test) {
            return Err(("`test` is empty".into(), "give the command that runs the project's tests"));
        }
        if self.some.as_ref().is_some_and(|some| some.matches(TESTS).count() != 1) {
            return Err((
                "`some` has not one place for tests".into(),
                "write {tests} where the names of the tests go, once",
            ));
        }
        let limits = &self.limits;
        let amounts = [limits.build, limits.rebuild, limits.test, limits.memory, limits.disk];
        if amounts.contains(&0) || limits.processes == 0 || limits.jobs == 0 {
            return Err(("a limit is 0".into(), "leave it out for the usual one"));
        }
        if let Some(name) = self.environment.keys().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
            return Err((format!("{name:?} is no name for a variable"), "a name has no `=` in it, and is not empty"));
        }
        if let Some(name) =
            self.environment.keys().find(|name| ["HOME", "LD_PRELOAD", "REPORT"].contains(&name.as_str()))
        {
            return Err((format!("`{name}` is set by the suite itself"), "leave it out of [environment]"));
        }
        self.report.check()?;
        self.map.check()
    }
}
