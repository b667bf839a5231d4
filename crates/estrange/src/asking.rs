//! Asking models from the command line: what the commands of all tasks do alike.

use std::path::Path;

use estrange_bench::{BenchError, Run, RunFacts};
use estrange_model::openai::Estimate;
use estrange_task::task::{self, Stage, Task};
use serde_json::Value;

use crate::phrasing::quoted;
use crate::telling::Telling;
use crate::voice::Failure;
use crate::watching::Watching;
use crate::{Ending, bench, models, output, runs};

/// The words for a task's errors.
pub type Words<T> = fn(&<T as Task>::Error) -> Failure;

/// Which run is to be made, and where.
pub struct Order<'o> {
    /// The model's name, as it was typed.
    pub model: &'o str,
    /// What stands for all that is asked about, such as a bench's hash, and where it is.
    pub about: (String, &'o Path),
    /// What else was said.
    pub options: Value,
    /// The folder for the run.
    pub out: &'o Path,
    /// Whether it may take the place of whatever run is there.
    pub replace: bool,
}

/// Asks the model all that a task asks.
pub fn performed<T: Task>(
    task: &T,
    (model, card): (&T::Model, Value),
    order: Order<'_>,
    (watching, busy): (&Watching, fn(Stage) -> &'static str),
    words: Words<T>,
) -> Result<Run, Failure> {
    let facts = task::facts_about(task, (order.model, card), order.about, order.options);
    // Before anything is paid for.
    let folder = task::folder::<T>(order.out, &facts, order.replace).map_err(unusable)?;
    task::perform(task, model, &folder, facts, &Telling { watching, words: busy })
        .map_err(|error| words(&error).hint("what was answered is kept: run it again to go on"))
}

/// Scores what a run by this model has answered, with what its task is made of now.
pub fn rescored<T: Task>(
    (out, replace): (&Path, bool),
    model: &str,
    task_of: impl FnOnce(&Run) -> Result<(T, RunFacts), Failure>,
    words: Words<T>,
) -> Result<Run, Failure> {
    let run = runs::open(out)?;
    runs::is_by(&run, model)?;
    let (task, facts) = task_of(&run)?;
    let folder = task::folder::<T>(out, &facts, replace).map_err(unusable)?;
    task::rescore(&task, &run, &folder, facts).map_err(|error| words(&error))
}

/// Says what a server would have to be asked about so much.
pub fn rehearsed(about: &str, estimate: Option<Estimate>, has_price: bool) -> Result<Ending, Failure> {
    let words = match estimate {
        Some(estimate) => models::words(&estimate, has_price),
        None => "nothing has to be paid for".to_owned(),
    };
    output::print(&format!("{about}: {words}\n"))?;
    Ok(Ending::Done)
}

/// Says where a run is.
pub fn say_where(out: &Path) -> Result<(), Failure> {
    let page = format!("`estrange report {} --out report.html` makes a page of it", quoted(out));
    output::print(&format!("\nThe run is in {}; {page}\n", out.display()))
}

fn unusable(error: BenchError) -> Failure {
    bench::unusable(&error)
}
