//! The tools for files of a user's, and what of this machine they are shown.

use std::path::{Path, PathBuf};

use estrange_sandbox::{Sandbox, Workshop};
use estrange_source::Cache;

use crate::error::BuildError;
use crate::single::FileRequest;
use crate::store::Store;
use crate::tools::Tools;

/// What of this machine serves a user's files.
#[derive(Debug)]
pub struct Host {
    /// What confines the tools.
    pub sandbox: Sandbox,
    /// Where what does not depend on the files is kept, if it can be.
    pub cache: Option<Cache>,
}

impl Host {
    fn workshop(&self, scratch: &Path) -> Workshop {
        let workshop = Workshop::new(self.sandbox.clone(), scratch);
        match self.cache.as_ref().map(|cache| Store::open(cache.path())) {
            Some(Ok(store)) => workshop.keeping(store.folder()),
            Some(Err(_)) | None => workshop,
        }
    }
}

/// Tools, and the folder for their files.
pub(crate) struct Desk {
    pub(crate) tools: Tools,
    _scratch: tempfile::TempDir,
}

impl Desk {
    /// Tools that see the folders of these files, and what the flags name: those are the user's own words.
    pub(crate) fn of(files: &[&FileRequest], host: &Host) -> Result<Self, BuildError> {
        let full = |source| BuildError::Cache { path: std::env::temp_dir(), source };
        let scratch = tempfile::tempdir().map_err(full)?;
        let named = files.iter().flat_map(|file| folder(&file.path).into_iter().chain(folders_of_flags(&file.flags)));
        let workshop = host.workshop(scratch.path()).showing(named);
        Ok(Self { tools: Tools::find(1, &workshop)?, _scratch: scratch })
    }
}

/// The flags of a file: its own folder's headers are found, and no flag depends on where a compiler runs.
pub(crate) fn flags(request: &FileRequest) -> Vec<String> {
    let include = folder(&request.path).map(|folder| format!("-I{}", folder.display()));
    include.into_iter().chain(absolute_flags(&request.flags)).collect()
}

fn folder(file: &Path) -> Option<PathBuf> {
    Some(std::path::absolute(file).ok()?.parent()?.to_owned())
}

/// Flags that name a folder or file, which may be the next word.
const NAMES_A_PATH: [&str; 8] =
    ["-include-pch", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-I"];

/// The flag and the path in a word; the path is empty where it is the next word.
fn named_path(word: &str) -> Option<(&'static str, &str)> {
    NAMES_A_PATH.iter().find_map(|flag| Some((*flag, word.strip_prefix(flag)?)))
}

fn absolute_flags(flags: &[String]) -> Vec<String> {
    let absolute = |path: &str| std::path::absolute(path).map_or(path.to_owned(), |path| path.display().to_string());
    let mut whole = Vec::with_capacity(flags.len());
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        match named_path(word) {
            Some((flag, "")) => {
                whole.push(flag.to_owned());
                whole.extend(words.next().map(|path| absolute(path)));
            }
            Some((flag, path)) => whole.push(format!("{flag}{}", absolute(path))),
            None => whole.push(word.clone()),
        }
    }
    whole
}

/// The folders that flags name, and those of the files that they name.
fn folders_of_flags(flags: &[String]) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        let path = match named_path(word) {
            Some((_, "")) => words.next().map(Path::new),
            Some((_, path)) => Some(Path::new(path)),
            None => None,
        };
        let Some(path) = path else { continue };
        folders.extend(if path.is_file() { folder(path) } else { Some(path.to_owned()) });
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn paths_in_flags_do_not_depend_on_where_a_compiler_runs() {
        let here = std::env::current_dir().unwrap().display().to_string();
        let whole = absolute_flags(&words("-Iinclude -I other -isystem /x -DI=1 -std=c99 -include a.h"));
        let expected = format!("-I{here}/include -I {here}/other -isystem /x -DI=1 -std=c99 -include {here}/a.h");
        assert_eq!(whole, words(&expected));
    }

    #[test]
    fn what_flags_name_is_shown() {
        assert_eq!(folders_of_flags(&words("-Iinclude -isystem /x -O2 -I")), [Path::new("include"), Path::new("/x")]);
    }
}
