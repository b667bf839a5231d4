//! A project that was built and tested untouched, and grades edits.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::{End, Sandbox, Usage};
use estrange_words::counted;

use crate::archive::{self, Image, Kind};
use crate::doubt::Doubt;
use crate::edit::{self, Replacement};
use crate::elf;
use crate::error::{GradeError, SuiteError};
use crate::grade::{self, Grade, Graded, Runs};
use crate::guest::{Guest, Mode, Ran};
use crate::judge::{Bar, asked};
use crate::mapping::Tests;
use crate::project_file::{ProjectFile, TESTS};
use crate::symptoms;
use crate::untouched::Untouched;

/// How many times as long as the slowest untouched run an edit's tests may take, if the project's limit is not less.
const PATIENCE: u32 = 10;
/// An edit's tests may always take as long as this, if the project's limit is not less.
const LEAST_PATIENCE: Duration = Duration::from_secs(10);

/// A project that is ready to grade edits. Any number of threads may ask it at once.
#[derive(Debug)]
pub struct Suite {
    pub(crate) sandbox: Sandbox,
    pub(crate) file: ProjectFile,
    pub(crate) tree: PathBuf,
    pub(crate) image: Image,
    /// The files of the source, and what each was after the build.
    pub(crate) source: BTreeMap<String, blake3::Hash>,
    /// All symbols that any object file of the project wants of others.
    pub(crate) wanted: BTreeSet<String>,
    pub(crate) untouched: Untouched,
    pub(crate) built: Usage,
}

impl Suite {
    /// Builds a project, and runs its tests untouched so many times; five, if in doubt. `tree` is only read.
    pub fn prepare(sandbox: &Sandbox, file: &ProjectFile, tree: &Path, runs: u32) -> Result<Self, SuiteError> {
        if !sandbox.is_protected() {
            return Err(SuiteError::Unprotected);
        }
        let unreadable = |source: io::Error| SuiteError::Tree { path: tree.to_owned(), source };
        let guest = Guest { sandbox, file };
        let (packed, paths) = archive::pack_tree(tree).map_err(unreadable)?;
        let witness = if file.witness { Guest::witness()? } else { Vec::new() };
        let commands = [file.configure.as_slice(), &file.build].concat();
        let ran = guest.run(Mode::Image, &[&packed, &witness], &commands, Duration::from_secs(file.limits.build))?;
        let image = image_of(&ran, &commands, file)?;
        let files: BTreeSet<String> = image.files().keys().cloned().collect();
        let (runs, seconds) = (runs.max(1), file.limits.test);
        let wall = Duration::from_secs(seconds);
        let mut tested = Vec::new();
        for _ in 0..runs {
            tested.push(guest.test(&[image.bytes()], &file.test, wall)?);
            // Tests that hang need not hang five times.
            if tested.last().is_some_and(|run| run.end == End::TimedOut) {
                break;
            }
        }
        let untouched = Untouched::sum_up(&tested, &files, &file.exclude, seconds)?;
        let digests = paths.into_iter().filter_map(|path| Some((path.clone(), image.digest(&path)?)));
        Ok(Self {
            sandbox: sandbox.clone(),
            file: file.clone(),
            tree: tree.to_owned(),
            source: digests.collect(),
            wanted: wanted(&image),
            untouched,
            built: ran.outcome.usage,
            image,
        })
    }

    /// What the tests do while nobody has touched the project.
    pub fn untouched(&self) -> &Untouched {
        &self.untouched
    }

    /// The project file.
    pub fn file(&self) -> &ProjectFile {
        &self.file
    }

    /// What the clean build used: time on the clock, and of processors.
    pub fn built(&self) -> Usage {
        self.built
    }

    /// Puts text in the place of parts of the project's files, builds what depends on them, and runs tests: those that are
    /// asked count, as far as they pass untouched.
    pub fn grade(&self, replacements: &[Replacement], tests: &Tests, runs: Runs) -> Result<Graded, GradeError> {
        let asked = asked(tests, &self.untouched);
        if asked.is_empty() {
            return Err(GradeError::NoTests);
        }
        let edited = edit::apply(replacements, |path| self.original(path))?;
        let guest = Guest { sandbox: &self.sandbox, file: &self.file };
        let ran = self.rebuild(&guest, &edited)?;
        let built = ran.outcome.usage;
        let output = ran.printed();
        if ran.outcome.end == End::TimedOut {
            return Ok(Graded::without_tests(Grade::BuildTimedOut, output, built));
        }
        if ran.status.is_none_or(|status| status.code != 0) || ran.outcome.end != End::Exited(0) {
            let output = if ran.outcome.end == End::Exited(0) {
                output
            } else {
                format!("{output}\nthe build {}", ran.outcome.end)
            };
            let grade = if symptoms::is_linkers(&output) { Grade::DoesNotLink } else { Grade::DoesNotCompile };
            return Ok(Graded::without_tests(grade, output, built));
        }
        let delta = self.delta_of(&ran)?;
        if delta.files().keys().all(|path| edited.contains_key(path.as_str())) {
            return Ok(Graded::without_tests(Grade::NotBuilt, output, built));
        }
        let mut graded = Graded::without_tests(Grade::NotBelieved, output, built);
        if let Some(path) = self.changed_source(&delta, &edited) {
            graded.doubts.push(Doubt::Source { path });
            return Ok(graded);
        }
        let doubts = self.of_objects(&delta, &mut graded.wants);
        let files: BTreeSet<String> = self.image.files().keys().chain(delta.files().keys()).cloned().collect();
        let (command, only_asked) = self.test_command(tests, &asked);
        let bar = Bar { untouched: &self.untouched, asked: &asked, only_asked, files: &files, doubts: &doubts };
        while graded.runs.is_empty() || !runs.are_enough(&graded.runs) {
            let run = guest.test(&[self.image.bytes(), delta.bytes()], &command, self.patience())?;
            graded.runs.push(bar.judge(&run));
        }
        graded.grade = grade::together(&graded.runs);
        let mut failed = graded.runs.iter().map(|run| &run.failed);
        let first = failed.next().cloned().unwrap_or_default();
        graded.failed = failed.fold(first, |common, failed| common.intersection(failed).cloned().collect());
        if graded.grade == Grade::NotBelieved {
            graded.doubts =
                graded.runs.iter().find(|run| !run.doubts.is_empty()).map_or(doubts, |run| run.doubts.clone());
        }
        Ok(graded)
    }

    /// How long an edit's tests may take.
    fn patience(&self) -> Duration {
        let patience = (self.untouched.slowest * PATIENCE).max(LEAST_PATIENCE);
        patience.min(Duration::from_secs(self.file.limits.test))
    }

    /// A file of the tree as it came.
    pub fn original(&self, path: &str) -> Result<Vec<u8>, GradeError> {
        let after_build = self.source.get(path).ok_or_else(|| GradeError::NoFile { path: path.to_owned() })?;
        let bytes = fs::read(self.tree.join(path)).map_err(|_| GradeError::NoFile { path: path.to_owned() })?;
        match blake3::hash(&bytes) == *after_build {
            true => Ok(bytes),
            false => Err(GradeError::Generated { path: path.to_owned() }),
        }
    }

    /// Builds again with these files.
    fn rebuild(&self, guest: &Guest<'_>, edited: &BTreeMap<&str, Vec<u8>>) -> Result<Ran, SuiteError> {
        let names: Vec<u8> = edited.keys().flat_map(|path| [path.as_bytes(), b"\0"].concat()).collect();
        let files = edited.iter().map(|(path, bytes)| (format!("tree/{path}"), bytes.as_slice()));
        let packed = archive::pack_files(files.chain([(".edited".to_owned(), names.as_slice())]));
        let packed = packed.map_err(|error| SuiteError::Guest { why: error.to_string() })?;
        let wall = Duration::from_secs(self.file.limits.rebuild);
        guest.run(Mode::Delta, &[self.image.bytes(), &packed], &self.file.build, wall)
    }

    /// What a build wrote.
    fn delta_of(&self, ran: &Ran) -> Result<Image, SuiteError> {
        packed(ran, &self.file)
    }

    /// A file of the source that the build changed, other than by the edit.
    fn changed_source(&self, delta: &Image, edited: &BTreeMap<&str, Vec<u8>>) -> Option<String> {
        let changed = |path: &&String| {
            let found = delta.digest(path);
            match (edited.get(path.as_str()), self.source.get(*path)) {
                (Some(bytes), _) => found != Some(blake3::hash(bytes)),
                (None, Some(source)) => {
                    found != Some(*source) && !self.file.rewrites.iter().any(|pattern| pattern.matches(path))
                }
                (None, None) => false,
            }
        };
        delta.files().keys().find(changed).cloned()
    }

    /// What the object files of an edit show against those of the original.
    fn of_objects(&self, delta: &Image, wants: &mut BTreeSet<String>) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for path in delta.files().keys() {
            let Some(new) = delta.content(path).and_then(elf::symbols) else { continue };
            let old = self.image.content(path).and_then(elf::symbols).unwrap_or_default();
            wants.extend(new.wanted.difference(&old.wanted).cloned());
            let mut defines = new.defined.difference(&old.defined);
            if let Some(symbol) = defines.find(|symbol| self.wanted.contains(*symbol) || *symbol == "main") {
                doubts.push(Doubt::TakesPlace { object: path.clone(), symbol: symbol.clone() });
            }
            if let Some(section) = new.hooks.difference(&old.hooks).next() {
                doubts.push(Doubt::Hook { object: path.clone(), section: section.clone() });
            }
        }
        doubts
    }

    /// The command that runs the tests that are asked, and whether it runs only those.
    fn test_command(&self, tests: &Tests, asked: &BTreeSet<String>) -> (String, bool) {
        match (tests, &self.file.some) {
            (Tests::Named(_), Some(_)) if asked.iter().all(|test| self.is_plain(test)) => {
                (self.command_of(asked), true)
            }
            _ => (self.file.test.clone(), false),
        }
    }

    /// Whether a test's name means itself in a command.
    pub(crate) fn is_plain(&self, test: &str) -> bool {
        test.chars().all(|letter| letter.is_ascii_alphanumeric() || "_./:-".contains(letter))
    }

    /// The command that runs only these tests, where there is one.
    pub(crate) fn command_of(&self, tests: &BTreeSet<String>) -> String {
        let names: Vec<&str> = tests.iter().map(String::as_str).collect();
        self.file.some.as_ref().unwrap_or(&self.file.test).replace(TESTS, &names.join(&self.file.join))
    }
}

/// The built project that a guest packed.
pub(crate) fn image_of(ran: &Ran, commands: &[String], file: &ProjectFile) -> Result<Image, SuiteError> {
    let output = ran.printed();
    let failed = |how: String, command: usize| {
        let command = commands.get(command.saturating_sub(1)).cloned().unwrap_or_default();
        let output = symptoms::tail(&output);
        Err(symptoms::of_untouched(&output).unwrap_or(SuiteError::DoesNotBuild { command, how, output }))
    };
    match (&ran.outcome.end, ran.status) {
        (End::Exited(0), Some(status)) if status.code == 0 => packed(ran, file),
        (End::Exited(0), Some(status)) => failed(format!("exited with code {}", status.code), status.command),
        (End::TimedOut, _) => failed(format!("took longer than {}", counted(file.limits.build, "second")), 1),
        (end, _) => failed(end.to_string(), 1),
    }
}

/// The archive that a guest left.
fn packed(ran: &Ran, file: &ProjectFile) -> Result<Image, SuiteError> {
    let lost = |why: String| SuiteError::Guest { why };
    let full = if ran.outcome.scratch_full { "its disk was full" } else { "it packed nothing" };
    let bytes = ran.bytes(".state/packed.tar", file.limits.disk * 1024 * 1024).ok_or_else(|| lost(full.to_owned()))?;
    Image::read(bytes).map_err(|error| lost(format!("what it packed cannot be read: {error}")))
}

/// All symbols that object files of the project want of others.
pub(crate) fn wanted(image: &Image) -> BTreeSet<String> {
    let files = image.files().iter().filter(|(_, kind)| matches!(kind, Kind::File { .. }));
    files.filter_map(|(path, _)| elf::symbols(image.content(path)?)).flat_map(|symbols| symbols.wanted).collect()
}
