//! What gcc and clang say of snippets, confined.

use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use estrange_diagnosis::Mistake;
use estrange_sandbox::Workshop;

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

/// How many snippets one confined run takes: to start one costs about what compiling a snippet does.
const TOGETHER: usize = 10;

/// What both compilers say of each snippet, by as many at once as there are cores.
pub fn answers(snippets: &[Snippet]) -> Vec<Answers> {
    let workshop = Workshop::temporary().unwrap();
    let parts: Vec<&[Snippet]> = snippets.chunks(TOGETHER).collect();
    let next = AtomicUsize::new(0);
    let done: Vec<OnceLock<Vec<Answers>>> = parts.iter().map(|_| OnceLock::new()).collect();
    let work = || {
        while let Some((part, answers)) = take(&next, &parts, &done) {
            answers.set(together(&workshop, part)).unwrap();
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    done.into_iter().flat_map(|answers| answers.into_inner().unwrap()).collect()
}

fn take<'a, 's, A>(next: &AtomicUsize, parts: &[&'s [Snippet]], done: &'a [A]) -> Option<(&'s [Snippet], &'a A)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((parts.get(index)?, done.get(index)?))
}

/// What both compilers say of some snippets, each by a call of its own.
fn together(workshop: &Workshop, snippets: &[Snippet]) -> Vec<Answers> {
    let place = workshop.folder("estrange-diagnosis-").unwrap();
    for header in fs::read_dir(folder("project")).unwrap().map(|entry| entry.unwrap()) {
        fs::copy(header.path(), place.path().join(header.file_name())).unwrap();
    }
    let mut script = String::new();
    for (index, snippet) in snippets.iter().enumerate() {
        let (file, programs) = match snippet.is_cpp {
            true => ("answer.cpp", ["g++", "clang++-19"]),
            false => ("answer.c", ["gcc", "clang-19"]),
        };
        // What is refused before it is linked needs no linker.
        let is_linked = snippet.label == Mistake::LinkError || snippet.code.contains(" main(");
        let stop = if is_linked { "" } else { "-c" };
        let own = place.path().join(index.to_string());
        fs::create_dir(&own).unwrap();
        fs::write(own.join(file), &snippet.code).unwrap();
        script += &format!("cd {index}\n");
        for (program, (compiler, strict)) in programs.iter().zip(COMPILERS.iter().zip(STRICT)) {
            let strict = if snippet.is_strict { strict.join(" ") } else { String::new() };
            script += &format!("TMPDIR=$PWD {program} {stop} -I .. {strict} {file} -o {compiler} 2> {compiler}.txt\n");
        }
        script += "cd ..\n";
    }
    let tool = workshop.tool("sh").environment("LC_ALL", "C").works_in(place.path());
    tool.arguments(["-c", &script]).run().unwrap();
    let of = |index: usize, compiler: &str| {
        let path = place.path().join(index.to_string()).join(compiler);
        let said = fs::read(path.with_extension("txt")).unwrap();
        Answer { said: String::from_utf8_lossy(&said).into_owned(), accepted: path.exists() }
    };
    (0..snippets.len()).map(|index| COMPILERS.map(|compiler| of(index, compiler))).collect()
}
