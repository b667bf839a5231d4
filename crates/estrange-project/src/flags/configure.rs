//! The project's own configure step, run in the sandbox: which build systems there are, in which order they are
//! tried, how good the flags of each are, and what is taken from each.

mod harvest;
mod remedy;
mod step;
mod trials;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use estrange_sandbox::Sandbox;

use super::includes::is_own;
use super::normalise::is_source;
use super::paths::{folder, name};
use super::preprocess::{Chosen, Offers, choose};
use super::tree::Tree;
use super::understood::Understood;
use super::{Attempt, FlagOrigin, Flags, SourceFile};
use harvest::{Harvest, lay_out};
use step::{Guest, Step};
use trials::Trials;

/// How many folders of one tree are configured, where its root is not enough.
const FOLDERS: usize = 6;

/// How often one build system is tried again with other options.
const TRIES: usize = 6;

/// What share of the time left a check by the preprocessor may take, as a divisor: it must leave time for what it asks for.
const CHECK: u32 = 4;

/// What configuring a tree gave.
#[derive(Debug, Default)]
pub(crate) struct Configured {
    /// The flags of the files that its builds compile, with paths in the configured tree.
    pub files: BTreeMap<PathBuf, Flags>,
    /// The configured tree, if any step got so far.
    pub root: Option<PathBuf>,
    /// Whether time ran out on a step, so that another run may find more.
    pub cut_short: bool,
}

/// Configures the tree: a copy with all that the configure steps made is put into the folder `made`.
///
/// A build system that has worked may still have made headers that are wrong for the tree. Where the preprocessor
/// refuses files, the further build systems of the same folder are tried too; the one with the better flags goes first,
/// and the files that are refused by its flags take those of another.
pub(crate) fn configure(
    tree: &Tree,
    files: &[SourceFile],
    sandbox: &Sandbox,
    wall: Duration,
    made: &Path,
    attempts: &mut Vec<Attempt>,
    progress: &dyn Fn(&str),
) -> io::Result<Configured> {
    let guest = Guest::new(tree, sandbox, wall)?;
    let (root, left) = (made.join("tree"), made.join("left"));
    let mut understood = Understood::new(sandbox, &root);
    let mut check = |harvests: &[&Harvest]| {
        lay_out(tree, harvests.iter().copied(), &root)?;
        let mut offers = Offers::new();
        harvests.iter().for_each(|harvest| harvest.offer(&root, files, &mut offers));
        let now = Instant::now();
        let deadline = now + guest.deadline().saturating_duration_since(now) / CHECK;
        io::Result::Ok(choose(offers, &root, deadline, &mut understood))
    };
    let mut harvests: Vec<Harvest> = Vec::new();
    let mut last: Option<Chosen> = None;
    let mut runs = 0;
    let mut waiting: VecDeque<String> = projects(tree, None).into();
    for _ in 0..FOLDERS {
        let Some(project) = waiting.pop_front() else { break };
        let mut worked: BTreeSet<FlagOrigin> = BTreeSet::new();
        let mut trials = Trials::new(sources(tree, &project));
        for step in steps(tree, &project) {
            if worked.contains(&step.origin) {
                continue;
            }
            progress(&format!("configuring with {}", step.describe()));
            let Some(run) = attempt(&guest, step, attempts) else { continue };
            runs += 1;
            let harvest = run.harvest(left.join(runs.to_string()))?;
            worked.insert(harvest.origin);
            let chosen = check(&[&harvest])?;
            if chosen.checked > 0 {
                note(attempts, &format!(", {chosen}"));
            }
            if !trials.add(harvest, &chosen) {
                note(attempts, "; not used: it mends none");
            }
            last = Some(chosen);
            if trials.are_settled() {
                break;
            }
        }
        if worked.is_empty() {
            // What lies further in may be complete in itself.
            waiting.extend(projects(tree, Some(&project)));
        }
        harvests.extend(trials.into_harvests());
    }
    let chosen = match last {
        None => return Ok(Configured { cut_short: guest.cut_short(), ..Configured::default() }),
        // The only run there was: what was checked is what is left.
        Some(chosen) if runs == 1 => chosen,
        Some(_) => check(&harvests.iter().collect::<Vec<_>>())?,
    };
    if left.exists() {
        fs::remove_dir_all(&left)?;
    }
    Ok(Configured { files: chosen.files, root: Some(root), cut_short: guest.cut_short() })
}

/// Adds words to the last attempt.
fn note(attempts: &mut [Attempt], words: &str) {
    if let Some(attempt) = attempts.last_mut() {
        attempt.detail.push_str(words);
    }
}

/// Tries one step, again with other options as long as its complaints name any.
fn attempt(guest: &Guest<'_>, mut step: Step, attempts: &mut Vec<Attempt>) -> Option<step::StepRun> {
    for _ in 0..TRIES {
        let run = match guest.run(&step) {
            Ok(run) => run,
            Err(error) => {
                attempts.push(Attempt {
                    system: step.origin,
                    success: false,
                    ended: "could not be run".to_owned(),
                    detail: error,
                });
                return None;
            }
        };
        let success = run.found > 0;
        attempts.push(Attempt { system: step.origin, success, ended: run.ended.clone(), detail: run.detail() });
        if success {
            return Some(run);
        }
        if !remedy::improve(&mut step, &run) {
            return None;
        }
    }
    None
}

/// The folders that a build would start in, those with most sources first: the outermost ones that have build files,
/// in the whole tree or below a folder.
fn projects(tree: &Tree, below: Option<&str>) -> Vec<String> {
    let inside = |inner: &str, outer: &str| {
        inner != outer && (outer.is_empty() || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/')))
    };
    let folders: BTreeSet<&str> = tree
        .files()
        .filter(|path| is_build_file(name(path)))
        .map(folder)
        .filter(|folder| below.is_none_or(|below| inside(folder, below)))
        .collect();
    let outermost = folders.iter().filter(|inner| !folders.iter().any(|outer| inside(inner, outer)));
    let mut counted: Vec<(usize, &str)> =
        outermost.map(|folder| (sources(tree, folder).len(), *folder)).filter(|(count, _)| *count > 0).collect();
    counted.sort_by_key(|&(count, folder)| (Reverse(count), folder));
    counted.into_iter().map(|(_, folder)| folder.to_owned()).collect()
}

fn is_build_file(name: &str) -> bool {
    matches!(
        name,
        "CMakeLists.txt"
            | "meson.build"
            | "configure"
            | "configure.ac"
            | "configure.in"
            | "Makefile"
            | "makefile"
            | "GNUmakefile"
    )
}

/// The sources below a folder, without tests, examples and what is for other systems.
fn sources(tree: &Tree, folder: &str) -> BTreeSet<String> {
    let below = |path: &&str| folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    tree.files()
        .filter(below)
        .filter(|path| is_source(path) && !name(path).contains(".h"))
        .filter(|path| is_own(path))
        .map(str::to_owned)
        .collect()
}

/// The steps to try in a folder, in order: those that write a compile database first.
fn steps(tree: &Tree, project: &str) -> Vec<Step> {
    let has = |file: &str| super::paths::join(project, file).is_some_and(|path| tree.has(&path));
    let text = |file: &str| super::paths::join(project, file).map(|path| tree.text(&path)).unwrap_or_default();
    let step = |origin, script, arguments: &[&str]| Step {
        origin,
        script,
        folder: project.to_owned(),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        options: Vec::new(),
        remedies: BTreeSet::new(),
    };
    let mut steps = Vec::new();
    if has("CMakeLists.txt") {
        steps.push(step(FlagOrigin::Cmake, "cmake.sh", &[]));
    }
    if has("meson.build") {
        steps.push(step(FlagOrigin::Meson, "meson.sh", &[]));
    }
    let autoconf = has("configure") && text("configure").contains("Autoconf");
    if autoconf {
        steps.push(step(FlagOrigin::Autotools, "autotools.sh", &["shipped"]));
    }
    if has("configure.ac") || has("configure.in") {
        steps.push(step(FlagOrigin::Autotools, "autotools.sh", &["remake"]));
    }
    for script in ["configure", "Configure", "config"] {
        let is_script = has(script) && text(script).starts_with("#!");
        if is_script && !(script == "configure" && autoconf) {
            steps.push(step(FlagOrigin::Configure, "configure.sh", &[script]));
        }
    }
    if ["Makefile", "makefile", "GNUmakefile"].iter().any(|file| has(file)) {
        steps.push(step(FlagOrigin::Make, "make.sh", &[]));
    }
    steps
}
