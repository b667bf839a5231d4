//! Measures project mode on real projects: both gates, and what grading costs against building and testing anew.
//!
//! `cargo bench -p estrange-suite -- [--functions N] [--runs N] NAME=FOLDER...`, where `projects/NAME.toml` is a project file and FOLDER
//! has the project's tree; `docs/projects.md` says how to get them. Nothing in a folder is changed.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use estrange_sandbox::{Launcher, Protection, Sandbox};
use estrange_suite::{Coverage, Gated, Place, ProjectFile, Runs, Shut, Suite};
use estrange_text::lexer::lex;
use estrange_text::outline::{Form, definitions};
use estrange_words::Language;

/// Folders and files whose code is no library's.
const NOT_LIBRARY: [&str; 6] = ["test", "example", "fuzz", "contrib", "program", "bench"];

fn main() {
    let (mut functions, mut runs) = (25, 5);
    let mut projects = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--bench" => {}
            "--functions" => functions = words.next().unwrap().parse().unwrap(),
            "--runs" => runs = words.next().unwrap().parse().unwrap(),
            word => {
                projects.extend(word.split_once('=').map(|(name, folder)| (name.to_owned(), PathBuf::from(folder))))
            }
        }
    }
    if projects.is_empty() {
        println!("nothing to measure: name projects as NAME=FOLDER");
        return;
    }
    let sandbox = Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap();
    println!(
        "| project | tests | covered functions | tried | gold passes | no-op noticed | clean build and test | regrade, median \
         | share, median | share, worst |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for (name, folder) in projects {
        match measure(&sandbox, &name, &folder, functions, runs) {
            Ok(row) => println!("{row}"),
            Err(error) => println!("| {name} | {error} |"),
        }
    }
}

/// A row of the table. Times are of processors: others may use this machine meanwhile.
fn measure(
    sandbox: &Sandbox,
    name: &str,
    folder: &Path,
    most: usize,
    runs: u32,
) -> Result<String, Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../projects");
    let file = ProjectFile::read(&root.join(format!("{name}.toml")))?;
    let suite = Suite::prepare(sandbox, &file, folder, runs).inspect_err(|error| eprintln!("{name}: {error:?}"))?;
    let (built, untouched) = (suite.built(), suite.untouched());
    eprintln!(
        "{name}: built in {:?} ({:?}), tested in {:?} ({:?})",
        built.wall, built.cpu, untouched.slowest, untouched.cpu
    );
    for (test, does) in untouched.tests.iter().filter(|(_, does)| does.as_str() != "passes") {
        eprintln!("{name}: {test}: {does}");
    }
    let began = Instant::now();
    let coverage = suite.coverage()?;
    eprintln!("{name}: coverage of {} functions in {:?}", coverage.functions.len(), began.elapsed());
    let places = places(&suite, &coverage, folder);
    let covered = places.len();
    let mut gated: Vec<Gated> = Vec::new();
    let mut regrades: Vec<Duration> = Vec::new();
    for (place, line) in places.into_iter().take(most) {
        let tests = suite.tests_of(&place.path, &place.name, line, Some(&coverage));
        let result = suite.gates(&place, &tests, Runs { passing: runs, other: runs })?;
        let seen = |shut: Option<Shut>| shut.map_or("open", Shut::as_str);
        let no_op = result.no_op.as_ref().map_or("none", |graded| graded.grade.as_str());
        eprintln!("{name}: {} {}: {}, stub {no_op}", place.path, place.name, seen(result.shut));
        if result.shut.is_some() {
            let graded = result.no_op.as_ref().or(result.gold.as_ref());
            eprintln!("    {:?} {:?}", graded.map(|graded| graded.grade), graded.map(|graded| &graded.doubts));
        }
        if let Some(gold) = result.gold.as_ref().filter(|gold| !gold.runs.is_empty()) {
            regrades.push(gold.cpu + gold.runs[0].cpu);
        }
        gated.push(result);
    }
    let clean = built.cpu + untouched.cpu;
    regrades.sort();
    let share = |regrade: Duration| 100.0 * regrade.as_secs_f64() / clean.as_secs_f64();
    let (median, worst) = (regrades[regrades.len() / 2], regrades[regrades.len() - 1]);
    let gold_fails =
        |gated: &&Gated| matches!(gated.shut, Some(Shut::GoldFails | Shut::GoldNotBelieved | Shut::NoTests));
    Ok(format!(
        "| {name} | {} | {covered} | {} | {} | {} | {:.1} s | {:.2} s | {:.0}% | {:.0}% |",
        untouched.stable().count(),
        gated.len(),
        gated.len() - gated.iter().filter(gold_fails).count(),
        gated.iter().filter(|gated| gated.shut.is_none()).count(),
        clean.as_secs_f64(),
        median.as_secs_f64(),
        share(median),
        share(worst),
    ))
}

/// The library's functions that tests execute, in an order that their names decide by chance.
fn places(suite: &Suite, coverage: &Coverage, folder: &Path) -> Vec<(Place, u32)> {
    let mut found = BTreeMap::new();
    for covered in &coverage.functions {
        let is_library = |part: &str| !NOT_LIBRARY.iter().any(|word| part.to_ascii_lowercase().contains(word));
        if !covered.path.split('/').all(is_library) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(folder.join(&covered.path)) else { continue };
        if suite.original(&covered.path).is_err() {
            continue;
        }
        let line_of = |at: u32| 1 + text[..at as usize].matches('\n').count() as u32;
        let tokens = lex(&text);
        let definition = definitions(&text, &tokens)
            .into_iter()
            .find(|definition| definition.form == Form::Function && line_of(definition.name.0) == covered.first);
        let Some(definition) = definition else { continue };
        let language = if covered.path.ends_with(".c") { Language::C } else { Language::Cpp };
        let place = Place {
            path: covered.path.clone(),
            range: definition.start as usize..definition.end as usize,
            name: definition.name(&text).to_owned(),
            language,
        };
        let chance = *blake3::hash(format!("{}:{}", place.path, place.range.start).as_bytes()).as_bytes();
        found.insert(chance, (place, covered.first));
    }
    found.into_values().collect()
}
