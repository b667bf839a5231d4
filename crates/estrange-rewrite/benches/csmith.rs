//! Every recipe on whole programs that nobody wrote: each rewritten program must compile and print the checksum that it printed.
//!
//! `cargo bench -p estrange-rewrite --bench csmith -- [PROGRAMS] [FIRST] [RECIPE …]` has csmith (the Debian packages `csmith` and
//! `libcsmith-dev`) make programs by the seeds from FIRST on, puts all functions of each through every recipe, one after the
//! other, compiles the result with gcc, lets clang look at it, and runs it. It prints for each recipe how many functions were
//! rewritten, and of how many programs; what does not compile or prints something else is shown, and the bench fails.

#![allow(missing_docs, reason = "nobody but this binary uses its modules")]

#[path = "../tests/program/mod.rs"]
#[allow(dead_code, reason = "tests ask for more of it")]
mod program;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use estrange_clang::Clang;
use estrange_rewrite::Setting;
use estrange_sandbox::Tool;
use program::{Language, Program};

/// The recipes that are tried unless others are named.
const RECIPES: [&str; 16] = [
    "L1",
    "L2",
    "L3",
    "L4",
    "L4-sparse",
    "structure",
    "restructure",
    "semantic",
    "distract",
    "symbol",
    "neutralized",
    "randomized",
    "symbol+structure",
    "symbol+semantic",
    "structure,flatten,opaque,mangle",
    "semantic*3,distract,inline,randomize",
];

/// Where csmith's headers are.
const HEADERS: &str = "-I/usr/include/csmith";

/// How long a program may run: csmith makes some that never end.
const WALL: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
struct Row {
    functions: usize,
    rewritten: usize,
    programs: usize,
    wrong: Vec<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let number = |at: usize, default| arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, first): (u64, u64) = (number(0, 200), number(1, 1));
    let named: Vec<&str> = arguments.iter().skip(2).map(String::as_str).collect();
    let recipes = if named.is_empty() { RECIPES.to_vec() } else { named };
    let settings: Vec<Setting> = recipes.iter().map(|recipe| recipe.parse()).collect::<Result<_, _>>()?;
    let rows: Mutex<BTreeMap<usize, Row>> = Mutex::default();
    let (next, done) = (AtomicU64::new(first), AtomicU64::new(0));
    let work = || -> Result<(), Box<dyn Error>> {
        let clang = Clang::load()?;
        let folder = tempfile::tempdir()?;
        while done.load(Ordering::Relaxed) < count {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let Some((program, wanted)) = made(seed, folder.path())? else { continue };
            if done.fetch_add(1, Ordering::Relaxed) >= count {
                break;
            }
            for (at, setting) in settings.iter().enumerate() {
                let (new, refused) = program.rewritten(&clang, setting, seed);
                let functions = defined(&clang, &program);
                let verdict = checksum(&new.text, folder.path());
                let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
                let row = rows.entry(at).or_default();
                row.functions += functions;
                row.rewritten += functions.saturating_sub(refused.len());
                row.programs += 1;
                let wrong = match verdict? {
                    Ok(printed) if printed == wanted => continue,
                    Ok(printed) => format!("seed {seed}: prints {printed:?}, not {wanted:?}"),
                    Err(complaint) => format!("seed {seed}: {complaint}"),
                };
                println!("{setting}, {wrong}");
                row.wrong.push(wrong);
            }
        }
        Ok(())
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(|| work().map_err(|error| error.to_string()))).collect();
        running.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| Err("a thread failed".to_owned())))
    })?;
    let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (at, Row { functions, rewritten, programs, wrong }) in &rows {
        println!("{}: {rewritten} of {functions} functions, {programs} programs, {} wrong", settings[*at], wrong.len());
    }
    if rows.values().all(|row| row.wrong.is_empty()) { Ok(()) } else { Err("some programs became others".into()) }
}

/// A program by a seed, and what it prints; nothing if it does not end.
fn made(seed: u64, folder: &Path) -> Result<Option<(Program, String)>, Box<dyn Error>> {
    let small = ["--max-funcs", "6", "--max-block-depth", "3", "--max-block-size", "3", "--no-argc"];
    let made = Tool::new("csmith").arguments(["--seed", &seed.to_string()]).arguments(small).directory(folder).run()?;
    let program = Program { flags: vec![HEADERS.to_owned()], ..Program::new(Language::C, &made.text()) };
    Ok(checksum(&program.text, folder)?.ok().map(|printed| (program, printed)))
}

/// What a program prints; or why it does not compile or end.
fn checksum(text: &str, folder: &Path) -> Result<Result<String, String>, Box<dyn Error>> {
    std::fs::write(folder.join("program.c"), text)?;
    let checks: [(&str, &[&str]); 2] = [("clang-19", &["-fsyntax-only"]), ("gcc", &["-O1", "-o", "program"])];
    for (compiler, flags) in checks {
        let call = Tool::new(compiler).arguments(["-w", HEADERS]).arguments(flags).argument("program.c");
        let output = call.directory(folder).run()?;
        if !output.success() {
            return Ok(Err(format!("{compiler}: {}", output.last_words(4))));
        }
    }
    let ran = Tool::new(folder.join("program")).directory(folder).wall(WALL).run()?;
    Ok(if ran.success() { Ok(ran.text()) } else { Err("it does not end well".to_owned()) })
}

/// How many functions a program defines but `main`.
fn defined(clang: &Clang, program: &Program) -> usize {
    clang.tree(&program.text, &["-xc".to_owned(), HEADERS.to_owned()]).functions.len().saturating_sub(1)
}
