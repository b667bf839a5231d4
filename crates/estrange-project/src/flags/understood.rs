//! Drops flags that one of the compilers refuses, and flags about files that do not exist.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::Sandbox;

use super::Flags;
use super::system::COMPILER;

/// Which flags both compilers take, as far as they were asked.
#[derive(Debug)]
pub(crate) struct Understood<'a> {
    sandbox: &'a Sandbox,
    root: &'a Path,
    answers: BTreeMap<String, bool>,
}

impl<'a> Understood<'a> {
    /// For the tree at `root`.
    pub fn new(sandbox: &'a Sandbox, root: &'a Path) -> Self {
        Self { sandbox, root, answers: BTreeMap::new() }
    }

    /// What confines the compilers.
    pub fn sandbox(&self) -> &'a Sandbox {
        self.sandbox
    }

    /// Makes all flags such that gcc and clang both take them. Which they take is asked, once for each flag.
    pub fn purge(&mut self, files: &mut BTreeMap<PathBuf, Flags>) {
        let mut folders = BTreeMap::new();
        for flags in files.values_mut() {
            flags.standard = flags.standard.take().filter(|standard| self.takes(&format!("-std={standard}")));
            let folders_here = include_folders(flags);
            flags.arguments.retain(|argument| self.takes(argument) && self.leads_somewhere(argument, &mut folders));
            for argument in &mut flags.arguments {
                self.find_forced(argument, &folders_here);
            }
            flags.arguments.retain(|argument| forced(argument).is_none_or(|(_, file)| self.has_file(Path::new(file))));
        }
    }

    fn takes(&mut self, argument: &str) -> bool {
        if !["-m", "-f", "-O", "-std="].iter().any(|start| argument.starts_with(start)) {
            return true;
        }
        if let Some(answer) = self.answers.get(argument) {
            return *answer;
        }
        let language = if argument.starts_with("-std=") && argument.contains("++") { "c++" } else { "c" };
        let answer = [COMPILER, "gcc"].iter().all(|compiler| self.accepts(compiler, language, argument));
        self.answers.insert(argument.to_owned(), answer);
        answer
    }

    /// Whether the compiler takes the flag. One that is not installed has no say.
    fn accepts(&self, compiler: &str, language: &str, argument: &str) -> bool {
        let tool = self.sandbox.tool(compiler);
        let asked = tool.clone().arguments(["-fsyntax-only", "-w", "-x", language, argument, "/dev/null"]);
        asked.wall(Duration::from_secs(20)).run().is_ok_and(|output| output.success())
            || tool.argument("--version").run().is_err()
    }

    /// Whether the folder that a flag puts on the include path exists.
    fn leads_somewhere(&self, argument: &str, known: &mut BTreeMap<String, bool>) -> bool {
        let folder = ["-isystem", "-iquote", "-idirafter", "-I"].iter().find_map(|flag| argument.strip_prefix(flag));
        folder.is_none_or(|folder| {
            let exists = || self.shown(Path::new(folder)).is_some_and(|folder| folder.is_dir());
            *known.entry(folder.to_owned()).or_insert_with(exists)
        })
    }

    fn has_file(&self, path: &Path) -> bool {
        self.shown(path).is_some_and(|path| path.is_file())
    }

    /// Where a path of the tree or of the system's software leads. Of what else there is on this machine, no flag tells.
    fn shown(&self, path: &Path) -> Option<PathBuf> {
        let place = path.canonicalize().ok()?;
        (place.starts_with(self.root.canonicalize().ok()?) || estrange_sandbox::is_software(&place)).then_some(place)
    }

    /// A file that is forced in and not in the folder of the call is looked for on the include path, as compilers do.
    fn find_forced(&self, argument: &mut String, folders: &[PathBuf]) {
        let Some((flag, file)) = forced(argument) else { return };
        let path = Path::new(file);
        let mut tails = path
            .ancestors()
            .filter_map(|ancestor| path.strip_prefix(ancestor).ok())
            .filter(|tail| tail.iter().count() > 0);
        let beside = |tail: &Path| folders.iter().map(|folder| folder.join(tail)).find(|path| self.has_file(path));
        if !self.has_file(path)
            && let Some(found) = tails.find_map(beside)
        {
            *argument = format!("{flag}{}", found.display());
        }
    }
}

fn include_folders(flags: &Flags) -> Vec<PathBuf> {
    flags.arguments.iter().filter_map(|argument| argument.strip_prefix("-I")).map(PathBuf::from).collect()
}

/// The flag and the file, for a flag that includes a file before all else.
fn forced(argument: &str) -> Option<(&'static str, &str)> {
    ["-include", "-imacros"].iter().find_map(|flag| Some((*flag, argument.strip_prefix(flag)?)))
}
