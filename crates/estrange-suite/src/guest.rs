//! One step of a project in the sandbox: a clean build, a build of an edited tree, or a run of its tests.

use std::path::Path;
use std::time::Duration;

use estrange_sandbox::{Command, End, Outcome, Sandbox};

use crate::archive;
use crate::error::SuiteError;
use crate::project_file::ProjectFile;
use crate::report::ReportFile;

/// The script that every guest runs.
const SCRIPT: &str = include_str!("guest/guest.sh");
/// What watches how the project's programs end.
const WITNESS: &[u8] = include_bytes!("guest/witness.c");

/// No file of a report, and no list of files, is read beyond this.
const READ_BOUND: u64 = 64 * 1024 * 1024;
/// More files of a report than any project has.
const MOST_REPORTS: usize = 20_000;

/// What a guest is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Build all, and pack all.
    Image,
    /// Build after an edit, and pack what was built.
    Delta,
    /// Run tests.
    Test,
}

/// A guest of a project.
pub struct Guest<'a> {
    /// The sandbox.
    pub sandbox: &'a Sandbox,
    /// The project.
    pub file: &'a ProjectFile,
}

/// How a step ended.
pub struct Ran {
    /// How its guest ended, and what it wrote.
    pub outcome: Outcome,
    /// What the script said at its end; nothing if it did not come so far.
    pub status: Option<Status>,
}

/// What the script says of the commands that it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// The exit code of the last command that ran.
    pub code: i32,
    /// Which command that was, from 1.
    pub command: usize,
    /// How many processes it left behind.
    pub left: u32,
}

impl Guest<'_> {
    /// Runs commands on what the parts of an archive hold together.
    pub fn run(&self, mode: Mode, parts: &[&[u8]], commands: &[String], wall: Duration) -> Result<Ran, SuiteError> {
        self.run_with(mode, parts, commands, wall, &[])
    }

    /// The same, with more variables.
    pub fn run_with(
        &self,
        mode: Mode,
        parts: &[&[u8]],
        commands: &[String],
        wall: Duration,
        environment: &[(&str, &str)],
    ) -> Result<Ran, SuiteError> {
        let word = match mode {
            Mode::Image => "image",
            Mode::Delta => "delta",
            Mode::Test => "test",
        };
        let reports = self.file.report.files().unwrap_or_default().replace("$REPORT", "/scratch/.report");
        let mut command = Command::new("/bin/sh")
            .arguments(["-c", SCRIPT, "guest.sh", word])
            .arguments(commands)
            .stdin(parts.concat())
            .limits(self.file.limits.guest(wall))
            .keep_scratch();
        if mode == Mode::Delta {
            // Compilers then write plain quotes, whoever reads them.
            command = command.environment("LC_ALL", "C");
        }
        for (name, value) in &self.file.environment {
            command = command.environment(name, value);
        }
        for (name, value) in environment {
            command = command.environment(*name, *value);
        }
        command = command
            .environment("JOBS", self.file.limits.jobs.to_string())
            .environment("FOLDER", &self.file.folder)
            .environment("REPORT_FILES", if mode == Mode::Test { reports } else { String::new() });
        let outcome = self.sandbox.run(&command)?;
        let mut ran = Ran { outcome, status: None };
        ran.status = ran.read_status();
        match (&ran.outcome.end, &ran.status) {
            (End::CouldNotStart(why), _) => Err(SuiteError::Guest { why: why.clone() }),
            (End::Exited(0), None) => Err(SuiteError::Guest { why: "it left no status".to_owned() }),
            (End::Exited(code @ 92..=98), _) if ran.status.is_none() => Err(SuiteError::Guest {
                why: match (code, ran.outcome.scratch_full) {
                    (_, true) => "its disk was full".to_owned(),
                    (95, _) => format!("the tree has no folder {:?}", self.file.folder),
                    _ => format!("its script gave up with code {code}: {}", ran.errors()),
                },
            }),
            _ => Ok(ran),
        }
    }

    /// What the first guest gets beside the tree.
    pub fn witness() -> Result<Vec<u8>, SuiteError> {
        archive::pack_files([(".witness/witness.c".to_owned(), WITNESS)])
            .map_err(|error| SuiteError::Guest { why: error.to_string() })
    }
}

impl Ran {
    fn read_status(&self) -> Option<Status> {
        let text = self.text(".state/status")?;
        let mut words = text.split_whitespace();
        Some(Status {
            code: words.next()?.parse().ok()?,
            command: words.next()?.parse().ok()?,
            left: words.next()?.parse().ok()?,
        })
    }

    /// A file below the scratch folder, as text.
    pub fn text(&self, path: &str) -> Option<String> {
        self.bytes(path, READ_BOUND).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A file below the scratch folder.
    pub fn bytes(&self, path: &str, bound: u64) -> Option<Vec<u8>> {
        self.outcome.scratch.as_ref()?.read(path, bound).ok()
    }

    /// A list of paths that the script wrote.
    pub fn list(&self, path: &str) -> Vec<String> {
        let text = self.text(path).unwrap_or_default();
        text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect()
    }

    /// The files of the tests' report, in order of their paths; `Err` names one that is no readable file.
    pub fn reports(&self, folder: &str) -> Result<Vec<ReportFile>, String> {
        let mut paths = self.list(".state/reports");
        paths.sort();
        paths.truncate(MOST_REPORTS);
        let place = |path: &str| match path.strip_prefix("/scratch/") {
            Some(below) => below.to_owned(),
            None => Path::new("tree").join(folder).join(path).to_string_lossy().into_owned(),
        };
        let read = |path: String| match self.text(&place(&path)) {
            Some(text) => Ok((path, text)),
            None => Err(path),
        };
        paths.into_iter().map(read).collect()
    }

    /// What it printed.
    pub fn printed(&self) -> String {
        String::from_utf8_lossy(&self.outcome.stdout).into_owned()
    }

    /// What it wrote as errors.
    pub fn errors(&self) -> String {
        String::from_utf8_lossy(&self.outcome.stderr).into_owned()
    }

    /// All that it wrote.
    pub fn all_output(&self) -> String {
        let (printed, errors) = (self.printed(), self.errors());
        if errors.is_empty() { printed } else { format!("{printed}\n{errors}") }
    }
}
