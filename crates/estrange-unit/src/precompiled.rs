//! Standard headers of C++, read once for all texts that are checked after them.
//!
//! Reading them costs several times what the unit itself costs. A check against all headers that the translation
//! unit includes does not show that the unit's own includes suffice; g++, which compiles the unit as it is, does.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use estrange_clang::{Clang, Names, Trouble};
use estrange_words::Language;

use crate::slices::Slices;

/// So many sets of headers are kept, the last used ones: each takes tens of megabytes on disk.
const KEPT: usize = 12;

/// Precompiled headers, by what they include.
#[derive(Default)]
pub(crate) struct Precompiled {
    sets: Vec<Set>,
    made: usize,
}

struct Set {
    arguments: Vec<String>,
    headers: String,
    /// Where they are; nothing if they were not worth it yet, or cannot be read by themselves.
    written: Option<PathBuf>,
    uses: usize,
}

impl Precompiled {
    /// What the parser says of a unit, with all that its translation unit includes read before it.
    pub(crate) fn check_unit(
        &mut self,
        clang: &Clang,
        slices: &Slices<'_>,
        text: &str,
        arguments: &[String],
        folder: &Path,
    ) -> Vec<Trouble> {
        let headers: String = slices.includes.iter().map(|include| format!("#include <{}>\n", include.name)).collect();
        self.check_after(clang, &headers, 1, text, arguments, folder)
    }

    /// What the parser says of a text that begins with its includes.
    pub(crate) fn check_text(
        &mut self,
        clang: &Clang,
        text: &str,
        arguments: &[String],
        folder: &Path,
    ) -> Vec<Trouble> {
        let headers = leading_includes(text);
        self.check_after(clang, &headers, 2, text, arguments, folder)
    }

    /// All names in a text that begins with its includes. The macros of headers are not among them where the headers
    /// were read before.
    pub(crate) fn names(&mut self, clang: &Clang, text: &str, arguments: &[String], folder: &Path) -> Names {
        let headers = leading_includes(text);
        match self.written(clang, &headers, 2, arguments, folder) {
            Some(written) => clang.names(&without_includes(text, &headers), &after(arguments, &written)),
            None => clang.names(text, arguments),
        }
    }

    /// What the parser says of a text after these headers, which are worth writing down from so many uses on.
    fn check_after(
        &mut self,
        clang: &Clang,
        headers: &str,
        worth_it: usize,
        text: &str,
        arguments: &[String],
        folder: &Path,
    ) -> Vec<Trouble> {
        match self.written(clang, headers, worth_it, arguments, folder) {
            Some(written) => clang.check(&without_includes(text, headers), &after(arguments, &written)),
            None => clang.check(text, arguments),
        }
    }

    /// Where headers of C++ are written down, once they are worth it.
    fn written(
        &mut self,
        clang: &Clang,
        headers: &str,
        worth_it: usize,
        arguments: &[String],
        folder: &Path,
    ) -> Option<PathBuf> {
        if headers.is_empty() || !Language::of_arguments(arguments).is_cpp() {
            return None;
        }
        let at = self.sets.iter().position(|set| set.arguments == arguments && set.headers == headers);
        let mut set = match at {
            Some(at) => self.sets.remove(at),
            None => Set { arguments: arguments.to_vec(), headers: headers.to_owned(), written: None, uses: 0 },
        };
        set.uses += 1;
        if set.uses == worth_it {
            self.made += 1;
            set.written = write(clang, &set, &folder.join(format!("{}-{}", std::process::id(), self.made)));
        }
        let written = set.written.clone();
        self.sets.push(set);
        if self.sets.iter().filter(|set| set.written.is_some()).count() > KEPT
            && let Some(oldest) = self.sets.iter().position(|set| set.written.is_some())
        {
            let gone = self.sets.remove(oldest).written;
            // One that cannot be deleted goes with the folder.
            let _ = gone.map(fs::remove_file);
        }
        written
    }
}

/// The includes that a text begins with.
fn leading_includes(text: &str) -> String {
    text.split_inclusive('\n').take_while(|line| line.starts_with("#include <")).collect()
}

/// The arguments for a text that comes after headers that are written down.
fn after(arguments: &[String], written: &Path) -> Vec<String> {
    let words = ["-include-pch".to_owned(), written.to_string_lossy().into_owned()];
    arguments.iter().cloned().chain(words).collect()
}

/// Writes headers down, into files of this name.
fn write(clang: &Clang, set: &Set, name: &Path) -> Option<PathBuf> {
    let (header, out) = (name.with_extension("hpp"), name.with_extension("pch"));
    fs::write(&header, &set.headers).ok()?;
    let as_header = |word: &String| if word == Language::Cpp.flag() { "-xc++-header".to_owned() } else { word.clone() };
    let mut arguments: Vec<String> = set.arguments.iter().map(as_header).collect();
    arguments.push("-fpch-instantiate-templates".to_owned());
    clang.precompile(&header, &arguments, &out).then_some(out)
}

/// A text with the includes of these headers blanked out, every offset as it was.
fn without_includes(text: &str, headers: &str) -> String {
    let read: HashSet<&str> = headers.split_inclusive('\n').collect();
    let blank = |line: &str| " ".repeat(line.len() - 1) + "\n";
    text.split_inclusive('\n').map(|line| if read.contains(line) { blank(line) } else { line.to_owned() }).collect()
}
