//! What gcc and clang say of snippets, confined.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use estrange_sandbox::{Tool, Workshop};

use crate::page::{Snippet, folder};

/// The compilers, in the order of the answers.
pub const COMPILERS: [&str; 2] = ["gcc", "clang"];
/// What each compiler said of a snippet.
pub type Answers = [Answer; COMPILERS.len()];

/// Warnings that become errors where a snippet is strict.
const STRICT: [&[&str]; 2] = [
    &[
        "-Werror=implicit-function-declaration",
        "-Werror=int-conversion",
        "-Werror=incompatible-pointer-types",
        "-Werror=discarded-qualifiers",
    ],
    &["-Werror=incompatible-pointer-types", "-Werror=int-conversion"],
];

/// What a compiler said.
#[derive(Debug, Clone)]
pub struct Answer {
    /// On standard error.
    pub said: String,
    /// Whether it made a program.
    pub accepted: bool,
}

impl Answer {
    /// Its first lines.
    pub fn shortened(&self) -> String {
        self.said.lines().take(12).map(|line| format!("    {line}\n")).collect()
    }

    /// The same as a terminal shows it: with colours, and with the quotes of most languages.
    pub fn dressed(&self) -> String {
        let mut is_open = false;
        let quotes = self.said.chars().map(|letter| match letter {
            '\'' => {
                is_open = !is_open;
                if is_open { '‘' } else { '’' }
            }
            letter => letter,
        });
        let dressed: String = quotes.collect();
        let red = dressed.replace(" error: ", " \u{1b}[01;31m\u{1b}[Kerror: \u{1b}[m\u{1b}[K");
        red.replace(" warning: ", " \u{1b}[0;1;35mwarning: \u{1b}[0m").replace('\n', "\r\n")
    }
}

/// What both compilers say of each snippet, by as many at once as there are cores.
pub fn answers(snippets: &[Snippet]) -> Vec<Answers> {
    let workshop = Workshop::temporary().unwrap();
    let place = workshop.folder("estrange-diagnosis-").unwrap();
    for header in fs::read_dir(folder("project")).unwrap().map(|entry| entry.unwrap()) {
        fs::copy(header.path(), place.path().join(header.file_name())).unwrap();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some(snippet) = snippets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let answers = [0, 1].map(|compiler| answer(&workshop, place.path(), compiler, snippet));
            done.lock().unwrap().push((snippet.label, snippet.title.clone(), answers));
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    let mut done = done.into_inner().unwrap();
    let of = |snippet: &Snippet| {
        let is_it = |one: &(_, String, _)| one.0 == snippet.label && one.1 == snippet.title;
        let at = done.iter().position(is_it).unwrap();
        done.swap_remove(at).2
    };
    snippets.iter().map(of).collect()
}

fn answer(workshop: &Workshop, place: &Path, compiler: usize, snippet: &Snippet) -> Answer {
    let program = match (compiler, snippet.is_cpp) {
        (0, false) => "gcc",
        (0, true) => "g++",
        (_, false) => "clang-19",
        (_, true) => "clang++-19",
    };
    let own = tempfile::tempdir_in(place).unwrap();
    let file = own.path().join(if snippet.is_cpp { "answer.cpp" } else { "answer.c" });
    fs::write(&file, &snippet.code).unwrap();
    let strict: &[&str] = if snippet.is_strict { STRICT[compiler] } else { &[] };
    let tool: Tool = workshop.tool(program).environment("LC_ALL", "C").environment("TMPDIR", own.path());
    let tool = tool.reads(place).works_in(own.path()).arguments(["-I", ".."]).arguments(strict);
    let output = tool.arguments([file.file_name().unwrap()]).arguments(["-o", "answer"]).run().unwrap();
    Answer { said: String::from_utf8_lossy(&output.stderr).into_owned(), accepted: output.success() }
}
