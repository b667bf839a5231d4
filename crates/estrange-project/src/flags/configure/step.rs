//! One run of a configure step in the sandbox, and what it left behind.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use estrange_sandbox::{Command, End, Limits, Outcome, SCRATCH, Sandbox, Scratch};
use tempfile::TempDir;

use super::harvest::Harvest;
use crate::flags::database;
use crate::flags::normalise::Call;
use crate::flags::tree::Tree;
use crate::flags::words::listed;
use crate::flags::{FlagOrigin, trace};

/// The scripts that the guest runs.
const SCRIPTS: [(&str, &str); 9] = [
    ("autotools.sh", include_str!("../guest/autotools.sh")),
    ("cmake.sh", include_str!("../guest/cmake.sh")),
    ("compiler.sh", include_str!("../guest/compiler.sh")),
    ("configure.sh", include_str!("../guest/configure.sh")),
    ("make.sh", include_str!("../guest/make.sh")),
    ("meson.sh", include_str!("../guest/meson.sh")),
    ("prepare.sh", include_str!("../guest/prepare.sh")),
    ("realise.sh", include_str!("../guest/realise.sh")),
    ("thaw.sh", include_str!("../guest/thaw.sh")),
];

/// No file that a guest left is read beyond this.
const READ_BOUND: u64 = 256 * 1024 * 1024;

/// No step is started with less time than this.
const SHORTEST: Duration = Duration::from_millis(500);

/// What can be run in the sandbox for one tree.
pub(crate) struct Guest<'a> {
    root: &'a Path,
    sandbox: &'a Sandbox,
    deadline: Instant,
    scripts: TempDir,
    cut_short: Cell<bool>,
}

/// A build system in one folder of the tree, and how it is to be called.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// Which build system.
    pub origin: FlagOrigin,
    /// The script that calls it.
    pub script: &'static str,
    /// The folder, relative to the tree.
    pub folder: String,
    /// What the script itself wants to know.
    pub arguments: Vec<String>,
    /// Options for the build system.
    pub options: Vec<String>,
    /// What was already tried to mend earlier runs.
    pub remedies: BTreeSet<String>,
}

/// A finished run.
pub(crate) struct StepRun {
    /// What was run.
    pub step: Step,
    /// How it ended, in words.
    pub ended: String,
    /// How many compiler calls it showed.
    pub found: usize,
    /// All that it printed, with the scratch folder under its usual name.
    pub output: String,
    /// The build system's options, in its own words.
    pub options: String,
    calls: Vec<Call>,
    /// The tree's path as the guest knew it.
    guest: PathBuf,
    outcome: Outcome,
}

impl<'a> Guest<'a> {
    /// Lays the scripts out for the guest; all its runs together take no longer than `wall`.
    pub fn new(tree: &'a Tree, sandbox: &'a Sandbox, wall: Duration) -> io::Result<Self> {
        let scripts = tempfile::tempdir()?;
        for (name, text) in SCRIPTS {
            fs::write(scripts.path().join(name), text)?;
        }
        Ok(Self { root: tree.root(), sandbox, deadline: Instant::now() + wall, scripts, cut_short: Cell::new(false) })
    }

    /// When all its runs have to be over.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Whether time ran out on any run so far, or before it.
    pub fn cut_short(&self) -> bool {
        self.cut_short.get()
    }

    /// Runs a step to its end, whatever that is; the error says why it could not be run at all.
    pub fn run(&self, step: &Step) -> Result<StepRun, String> {
        // Half of what is left: however many steps hang, there is time for the next one.
        let wall = self.deadline.saturating_duration_since(Instant::now()) / 2;
        if wall < SHORTEST {
            self.cut_short.set(true);
            return Err("no time is left for it".to_owned());
        }
        let command = Command::new("/bin/sh")
            .argument(format!("/input/guest/{}", step.script))
            .argument(step.folder.as_str())
            .arguments(&step.arguments)
            .arguments(&step.options)
            .input(self.root, "tree")
            .input(self.scripts.path(), "guest")
            .limits(Limits { wall, ..Limits::build() })
            .keep_scratch();
        let outcome = self.sandbox.run(&command).map_err(|error| error.to_string())?;
        if outcome.end == End::TimedOut {
            self.cut_short.set(true);
        }
        let read = |path: &str| {
            let scratch = outcome.scratch.as_ref()?;
            scratch.read(path, READ_BOUND).ok()
        };
        let database = read("out/compile_commands.json").and_then(|bytes| database::parse(&bytes).ok());
        let mut calls = database.map(|database| database.calls).unwrap_or_default();
        calls.extend(trace::parse(&read("trace/calls").unwrap_or_default()));
        let options = String::from_utf8_lossy(&read("out/options").unwrap_or_default()).into_owned();
        let guest = outcome.scratch.as_ref().map_or(Path::new(SCRATCH), Scratch::guest_path).to_owned();
        let output =
            format!("{}\n{}", String::from_utf8_lossy(&outcome.stdout), String::from_utf8_lossy(&outcome.stderr));
        let output = output.replace(&*guest.to_string_lossy(), SCRATCH);
        let full = if outcome.scratch_full { ", its disk was full" } else { "" };
        Ok(StepRun {
            step: step.clone(),
            ended: format!("{}{full}", outcome.end),
            found: calls.len(),
            output,
            options,
            calls,
            guest: guest.join("tree"),
            outcome,
        })
    }
}

impl Step {
    /// The step in words, for progress.
    pub fn describe(&self) -> String {
        let system = self.origin;
        if self.folder.is_empty() { system.to_string() } else { format!("{system} in {}", self.folder) }
    }
}

impl StepRun {
    /// What came of it: the number of calls, or its last words.
    pub fn detail(&self) -> String {
        let options =
            if self.step.options.is_empty() { String::new() } else { format!(" with {}", self.step.options.join(" ")) };
        if self.found > 0 {
            return format!("{} compiler calls{options}", self.found);
        }
        let lines: Vec<&str> = self.output.lines().filter(|line| !line.trim().is_empty()).collect();
        let telling = lines.iter().rposition(|line| line.to_ascii_lowercase().contains("error"));
        let from = telling.unwrap_or(lines.len().saturating_sub(3));
        let words: String =
            lines[from..].iter().take(4).copied().collect::<Vec<_>>().join(" / ").chars().take(600).collect();
        format!("{words}{options}")
    }

    /// Keeps what it gave; the files it left go to the new folder `left`.
    pub fn harvest(self, left: PathBuf) -> io::Result<Harvest> {
        if let Some(scratch) = &self.outcome.scratch {
            scratch.copy_out("tree", &left, |path: &Path, kind| {
                if kind.is_dir() {
                    return !path.ends_with("CMakeFiles") && !path.ends_with("meson-private");
                }
                is_text_of_a_program(path)
            })?;
        }
        Ok(Harvest { origin: self.step.origin, calls: self.calls, guest: self.guest, left })
    }
}

/// Whether a file can matter to compiling.
fn is_text_of_a_program(path: &Path) -> bool {
    const KNOWN: &str = " c cc cp cpp cxx c++ h hh hp hpp hxx h++ inc inl ipp tcc txx tpp def tbl tab x ";
    path.extension().is_some_and(|extension| listed(KNOWN, &extension.to_string_lossy().to_ascii_lowercase()))
}
