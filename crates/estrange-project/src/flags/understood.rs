//! Drops flags that one of the compilers refuses, and flags about files that do not exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::Tool;

use super::Flags;
use super::system::COMPILER;

/// Makes all flags such that gcc and clang both take them. Which they take is asked, once for each flag.
pub(crate) fn purge(files: &mut BTreeMap<PathBuf, Flags>) {
    let asked = |argument: &&String| ["-m", "-f", "-O"].iter().any(|start| argument.starts_with(start));
    let arguments: BTreeSet<String> =
        files.values().flat_map(|flags| &flags.arguments).filter(asked).cloned().collect();
    let refused: BTreeSet<String> = arguments.into_iter().filter(|argument| !taken(argument)).collect();
    let standards: BTreeSet<String> = files.values().filter_map(|flags| flags.standard.clone()).collect();
    let unknown: BTreeSet<String> = standards.into_iter().filter(|standard| !standard_taken(standard)).collect();
    let mut folders = BTreeMap::new();
    for flags in files.values_mut() {
        flags.standard = flags.standard.take().filter(|standard| !unknown.contains(standard));
        let folders_here = include_folders(flags);
        flags.arguments.retain(|argument| !refused.contains(argument) && leads_somewhere(argument, &mut folders));
        for argument in &mut flags.arguments {
            find_forced(argument, &folders_here);
        }
        flags.arguments.retain(|argument| forced(argument).is_none_or(|(_, file)| Path::new(file).is_file()));
    }
}

fn taken(argument: &str) -> bool {
    [COMPILER, "gcc"].iter().all(|compiler| accepts(compiler, "c", argument))
}

fn standard_taken(standard: &str) -> bool {
    let language = if standard.contains("++") { "c++" } else { "c" };
    [COMPILER, "gcc"].iter().all(|compiler| accepts(compiler, language, &format!("-std={standard}")))
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
