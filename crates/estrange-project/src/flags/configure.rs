//! The project's own configure step, run in the sandbox: which build systems there are, in which order they are
//! tried, and what is taken from each.

mod remedy;
mod step;

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use estrange_sandbox::Sandbox;

use super::normalise::{Call, is_source, normalise};
use super::paths::{folder, name};
use super::tree::Tree;
use super::{Attempt, FlagOrigin};
use step::{Guest, Step};

/// How many folders of one tree are configured, where its root is not enough.
const FOLDERS: usize = 6;

/// How often one build system is tried again with other options.
const TRIES: usize = 6;

/// A build system at work in one folder counts as good if it compiles this share of the folder's sources.
const COVERED: f64 = 0.6;

/// What configuring a tree gave.
#[derive(Debug, Default)]
pub(crate) struct Configured {
    /// The compiler calls, with paths in the configured tree, and where each came from; the best first.
    pub calls: Vec<(FlagOrigin, Vec<Call>)>,
    /// The configured tree, if any step got so far.
    pub root: Option<PathBuf>,
}

/// Configures the tree: a copy with all that the configure steps made is put into the folder `made`.
pub(crate) fn configure(
    tree: &Tree,
    sandbox: &Sandbox,
    wall: Duration,
    made: &Path,
    attempts: &mut Vec<Attempt>,
    progress: &dyn Fn(&str),
) -> io::Result<Configured> {
    let guest = Guest::new(tree, sandbox, wall)?;
    let mut configured = Configured::default();
    let mut waiting: VecDeque<String> = projects(tree, None).into();
    for _ in 0..FOLDERS {
        let Some(project) = waiting.pop_front() else { break };
        let sources = sources(tree, &project);
        let mut covered: BTreeSet<String> = BTreeSet::new();
        let mut worked: Option<FlagOrigin> = None;
        for step in steps(tree, &project) {
            if worked == Some(step.origin) {
                continue;
            }
            progress(&format!("configuring with {}", step.describe()));
            let Some(run) = attempt(&guest, step, attempts) else { continue };
            let root = made.join("tree");
            run.materialise(tree, &root, configured.root.is_none())?;
            let calls = run.calls(&root);
            let before = covered.len();
            covered.extend(compiled(&calls, &root).intersection(&sources).cloned());
            configured.root = Some(root);
            worked = Some(run.step.origin);
            // What compiles more than all before it has the better flags.
            let better = covered.len() - before > before;
            let place = if better { 0 } else { configured.calls.len() };
            configured.calls.insert(place, (run.step.origin, calls));
            if covered.len() as f64 >= COVERED * sources.len() as f64 {
                break;
            }
        }
        if worked.is_none() {
            // What lies further in may be complete in itself.
            waiting.extend(projects(tree, Some(&project)));
        }
    }
    Ok(configured)
}

/// Tries one step, again with other options as long as its complaints name any.
fn attempt(guest: &Guest<'_>, mut step: Step, attempts: &mut Vec<Attempt>) -> Option<step::Run> {
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
    let own = |path: &&str| !super::includes::is_aside(path) && !crate::systems::is_hinted_at(path);
    tree.files()
        .filter(below)
        .filter(|path| is_source(path) && !name(path).contains(".h"))
        .filter(own)
        .map(str::to_owned)
        .collect()
}

/// The files of the tree that calls compile.
fn compiled(calls: &[Call], root: &Path) -> BTreeSet<String> {
    let files = calls.iter().filter_map(normalise).flat_map(|normal| normal.files);
    files.filter_map(|file| Some(file.strip_prefix(root).ok()?.to_str()?.to_owned())).collect()
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
