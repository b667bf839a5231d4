//! Problem mode: standalone problems in a folder or a file.

use std::path::Path;

use estrange_problem::import::{self, Layout};
use estrange_problem::{Grader, Set};
use estrange_sandbox::Workshop;
use estrange_task::generate::{Assignments, ChosenProblems, ProblemTemplate};
use serde_json::json;

use super::{Asking, Order, ask, failure, say_lost, store};
use crate::prepare::sandbox;
use crate::runs::words_of;
use crate::voice::Failure;
use crate::{Ending, arguments};

/// Whether a folder or a file holds problems, and is no bench.
pub fn are_in(path: &Path) -> bool {
    let is_problem = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.is_ok_and(|entry| entry.path().join("problem.toml").is_file())
    };
    path.is_file() || std::fs::read_dir(path).is_ok_and(|mut entries| entries.any(is_problem))
}

/// Has problems solved.
pub fn run(order: Order<'_>) -> Result<Ending, Failure> {
    let arguments = order.arguments;
    check(arguments)?;
    order.watching.begins("reading the problems", None);
    let (set, hash) = read(arguments)?;
    let template = match &arguments.interview.prompt {
        Some(file) => ProblemTemplate::open(file).map_err(|error| Failure::of(&error))?,
        None => ProblemTemplate::default(),
    };
    let chosen = ChosenProblems {
        shots: arguments.shots.clone(),
        limit: arguments.limit.map(|limit| limit as usize),
        seed: arguments.seed,
    };
    if let Some(most) = chosen.shots.iter().max().filter(|most| usize::from(**most) > set.examples.len()) {
        let words = format!("{most} solved examples were asked for; there are {}", set.examples.len());
        return Err(Failure::new(words).hint("docs/problems.md says where examples stand").usage());
    }
    let assignments = Assignments::of_problems(&set, &chosen, &template).map_err(|error| failure(&error))?;
    say_lost(&assignments);
    let workshop = Workshop::new(sandbox(order.shared)?, order.scratch).keeping(store(order.shared)?.folder());
    let grader = Grader::new(&workshop).map_err(|error| Failure::of(&error))?;
    let options = json!({
        "ask": arguments.ask, "shots": arguments.shots, "limit": arguments.limit, "seed": arguments.seed,
        "lost": assignments.lost(),
    });
    let cutoff = order.cutoff()?;
    let (template, bench, funnel) = (template.text(), None, None);
    ask(order, Asking { assignments, judge: &grader, template, hash, bench, options, cutoff, funnel })
}

/// Refuses what is said about functions of benches.
fn check(arguments: &arguments::Generate) -> Result<(), Failure> {
    let said = [
        ("--setting", !arguments.setting.is_empty()),
        ("--project", !arguments.project.is_empty()),
        ("--group", !arguments.group.is_empty()),
        ("--split", arguments.split.is_some()),
        ("--licence", !arguments.licence.is_empty()),
        ("--source", !arguments.source.is_empty()),
        ("--ask", arguments.ask != "generation"),
    ];
    match said.into_iter().find(|(_, is_said)| *is_said) {
        Some((option, _)) => {
            Err(Failure::new(format!("{option} is about the functions of a bench; these are problems"))
                .hint("problems are asked as they are, with --shots solved examples")
                .usage())
        }
        None => Ok(()),
    }
}

/// The problems, and what stands for them.
fn read(arguments: &arguments::Generate) -> Result<(Set, String), Failure> {
    let path = &arguments.bench;
    if path.is_dir() {
        let set = Set::read(path).map_err(|error| Failure::of(&error))?;
        return Ok((set, Set::digest(path).map_err(|error| Failure::of(&error))?));
    }
    let layout = words_of::<Layout>(std::slice::from_ref(&arguments.layout))?;
    let layout = layout.first().copied().unwrap_or(Layout::Generic);
    let published = arguments.published.as_deref();
    let imported = import::read(path, layout, published).map_err(|error| Failure::of(&error))?;
    let bytes = std::fs::read(path)
        .map_err(|error| Failure::new(format!("{} cannot be read", path.display())).because(&error))?;
    let hash = blake3::hash(&bytes).to_hex().to_string();
    Ok((Set { problems: imported.problems, examples: Vec::new(), losses: imported.losses }, hash))
}
