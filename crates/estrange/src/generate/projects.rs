//! Project mode: the projects are fetched, built and tested untouched, once.

use estrange_evidence::Gcc;
use estrange_sandbox::{Sandbox, Workshop};
use estrange_source::Cache;
use estrange_store::{Store, key};
use estrange_suite::{Coverage, Kept, MapBy, ProjectFile, Suite, VERSION};
use estrange_task::generate::{Project, Projects};

use super::Order;
use crate::prepare::{cache, sandbox, spec};
use crate::voice::Failure;

/// How often the tests of an untouched project are run.
const UNTOUCHED_RUNS: u32 = 5;

/// The projects that were named, ready to grade.
pub fn prepared(order: &Order<'_>, store: Store) -> Result<Projects, Failure> {
    let (cache, sandbox) = (cache(order.shared)?, sandbox(order.shared)?);
    let gcc = Gcc::find(&Workshop::new(sandbox.clone(), order.scratch)).map_err(|error| Failure::of(&error))?;
    let mut projects = Vec::new();
    for path in &order.arguments.project {
        let file = ProjectFile::read(path).map_err(|error| Failure::of(&error))?;
        order.watching.begins(format!("building and testing {}", file.source), None);
        projects.push(project(&file, (&cache, &sandbox, &gcc), &store)?);
    }
    Ok(Projects::new(projects, store))
}

/// What was found out about a project: itself, and which tests execute which functions.
type Found = (Kept, Option<Coverage>);

fn project(
    file: &ProjectFile,
    (cache, sandbox, gcc): (&Cache, &Sandbox, &Gcc),
    store: &Store,
) -> Result<Project, Failure> {
    let fetched = estrange_source::fetch(&spec(&file.source)?, cache, sandbox, &estrange_source::Silent)
        .map_err(|loss| Failure::of(&loss))?;
    let written = format!("{file:?}");
    let key = key("suite", &[VERSION, &fetched.tree.to_string(), &written, gcc.version()].map(str::as_bytes));
    if let Some((kept, coverage)) = store.get::<Found>(&key)
        && let Ok(suite) = Suite::of_kept(kept, sandbox, file, &fetched.root)
    {
        return Ok(Project { suite, coverage, key });
    }
    let failed =
        |error: estrange_suite::SuiteError| Failure::new(format!("{} cannot grade", file.source)).because(&error);
    let suite = Suite::prepare(sandbox, file, &fetched.root, UNTOUCHED_RUNS).map_err(failed)?;
    let coverage = (file.map.by == MapBy::Coverage).then(|| suite.coverage()).transpose().map_err(failed)?;
    let found: Found = (suite.kept(), coverage);
    if let Err(error) = store.put(&key, &found) {
        tracing::info!(%error, "what was found about a project is not kept");
    }
    Ok(Project { suite, coverage: found.1, key })
}
