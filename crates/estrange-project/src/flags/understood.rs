//! Drops flags that one of the compilers refuses, and flags about files that do not exist.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::Tool;

use super::Flags;
use super::system::COMPILER;

/// Which flags both compilers take, as far as they were asked.
#[derive(Debug, Default)]
pub(crate) struct Understood {
    answers: BTreeMap<String, bool>,
}

impl Understood {
    /// Makes all flags such that gcc and clang both take them. Which they take is asked, once for each flag.
    pub fn purge(&mut self, files: &mut BTreeMap<PathBuf, Flags>) {
        let mut folders = BTreeMap::new();
        for flags in files.values_mut() {
            flags.standard = flags.standard.take().filter(|standard| self.takes(&format!("-std={standard}")));
            let folders_here = include_folders(flags);
            flags.arguments.retain(|argument| self.takes(argument) && leads_somewhere(argument, &mut folders));
            for argument in &mut flags.arguments {
                find_forced(argument, &folders_here);
            }
            flags.arguments.retain(|argument| forced(argument).is_none_or(|(_, file)| Path::new(file).is_file()));
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
        let answer = [COMPILER, "gcc"].iter().all(|compiler| accepts(compiler, language, argument));
        self.answers.insert(argument.to_owned(), answer);
        answer
    }
}

/// Whether the compiler takes the flag. One that is not installed has no say.
fn accepts(compiler: &str, language: &str, argument: &str) -> bool {
    let tool = Tool::new(compiler).arguments(["-fsyntax-only", "-w", "-x", language, argument, "/dev/null"]);
    tool.wall(Duration::from_secs(20)).run().is_ok_and(|output| output.success())
        || Tool::new(compiler).argument("--version").run().is_err()
}

/// Whether the folder that a flag puts on the include path exists.
fn leads_somewhere(argument: &str, known: &mut BTreeMap<String, bool>) -> bool {
    let folder = ["-isystem", "-iquote", "-idirafter", "-I"].iter().find_map(|flag| argument.strip_prefix(flag));
    folder.is_none_or(|folder| *known.entry(folder.to_owned()).or_insert_with(|| Path::new(folder).is_dir()))
}

fn include_folders(flags: &Flags) -> Vec<PathBuf> {
    flags.arguments.iter().filter_map(|argument| argument.strip_prefix("-I")).map(PathBuf::from).collect()
}

/// The flag and the file, for a flag that includes a file before all else.
fn forced(argument: &str) -> Option<(&'static str, &str)> {
    ["-include", "-imacros"].iter().find_map(|flag| Some((*flag, argument.strip_prefix(flag)?)))
}

/// A file that is forced in and not in the folder of the call is looked for on the include path, as compilers do.
fn find_forced(argument: &mut String, folders: &[PathBuf]) {
    let Some((flag, file)) = forced(argument) else { return };
    let path = Path::new(file);
    let mut tails =
        path.ancestors().filter_map(|ancestor| path.strip_prefix(ancestor).ok()).filter(|tail| tail.iter().count() > 0);
    if !path.is_file()
        && let Some(found) =
            tails.find_map(|tail| folders.iter().map(|folder| folder.join(tail)).find(|path| path.is_file()))
    {
        *argument = format!("{flag}{}", found.display());
    }
}
