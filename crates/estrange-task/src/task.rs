//! The shape of a task: what is asked, what is answered, and what that is worth.
//!
//! A task is a value that knows what it asks: it was made from a bench and from what a user chose. It says which items
//! there are, part by part; it asks a model for a part and hands over what came back; and it scores what is on the disk.
//! Everything else is shared: [`perform`] keeps each part as soon as it is answered, so that whoever is killed goes on
//! there; [`rescore`] does the scoring again without the model. Scoring never sees a model, and sees answers only as the run
//! has them: what a run says can be computed again from its files.
//!
//! What a task brings, and where:
//!
//! | what | how |
//! |---|---|
//! | items, answers, scores | rows of `estrange-bench`'s [`Item`], [`Answer`] and [`Score`], the same for all tasks |
//! | tables of its own | records with a file, `record! { pub struct Ranking in "rankings.parquet" { … } }`, listed in [`Task::TABLES`] |
//! | its part of the report | an `estrange_report::Panel` |
//! | its part of a model's profile | [`Task::HEADLINE`], and a line in `profile.rs` |
//!
//! [`Answer`]: estrange_bench::Answer

use std::ops::Range;

use estrange_bench::{
    Bench, BenchError, Item, Run, RunFacts, RunFolder, RunPart, RunPartWriter, RunTable, RunTables, Score,
};
use estrange_model::Watch;
use estrange_model::openai::Estimate;
use serde_json::{Value, json};

/// Takes the scores of a task.
pub type Keep<'k> = &'k mut dyn FnMut(Score) -> Result<(), BenchError>;

/// What is shown of a task beside others: one of its measures, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Headline {
    /// What a model can do that is good at it, in a word such as `search`.
    pub skill: &'static str,
    /// The measure, as it is called in the scores.
    pub measure: &'static str,
    /// What whoever guesses gets by it.
    pub chance: f64,
    /// The setting in which functions are as they were written.
    pub baseline: &'static str,
}

/// Something that models are asked about the functions of a bench.
pub trait Task {
    /// What it is called in runs, in scores and on the command line.
    const NAME: &'static str;
    /// The tables of its own.
    const TABLES: &'static [RunTable];
    /// By what it stands in a model's profile; without one it has no place there.
    const HEADLINE: Option<Headline> = None;
    /// What is asked.
    type Model: ?Sized;
    /// What can go wrong.
    type Error: From<BenchError>;

    /// What is asked, part by part. Answers are kept by the part: what a kill may cost is one of them.
    fn parts(&self) -> Vec<RunPart>;

    /// The items of a part.
    fn items(&self, part: usize) -> Vec<Item>;

    /// Told which parts will be asked, before the first is: a model that is better asked for everything at once is asked here.
    fn begin(&self, _parts: &[usize], _: &Self::Model, _: &dyn Progress) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Asks for a part, and hands over what came back: answers, and rows of the task's own tables.
    fn ask(
        &self,
        part: usize,
        model: &Self::Model,
        rows: &mut RunPartWriter<'_, '_>,
        progress: &dyn Progress,
    ) -> Result<(), Self::Error>;

    /// Hands over rows that are about all parts together, when these are answered.
    fn conclude(
        &self,
        _: &Self::Model,
        _rows: &mut RunPartWriter<'_, '_>,
        _: &dyn Progress,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Says what the answers of a run are worth.
    fn score(&self, answered: &RunTables, keep: Keep<'_>) -> Result<(), Self::Error>;

    /// What a server will have to be asked for all of it, less what was answered before; nothing where nothing is paid for.
    fn estimate(&self, _: &Self::Model) -> Result<Option<Estimate>, Self::Error> {
        Ok(None)
    }

    /// What a run has that another in its place would not have, besides its parts and items.
    fn lost(_before: &RunFacts, _after: &RunFacts) -> Option<String> {
        None
    }
}

/// What a run is busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A model is asked for everything at once.
    Preparing,
    /// Parts are asked.
    Asking,
    /// What is about all parts together is found.
    Concluding,
}

/// Somebody who wants to know what a run is busy with, and how far it is.
pub trait Progress: Watch {
    /// Told when a stage begins, and how many texts it is about, if that can be said.
    fn begins(&self, stage: Stage, texts: Option<usize>);
}

impl Progress for estrange_model::Silent {
    fn begins(&self, _: Stage, _: Option<usize>) {}
}

/// Parts of so many items at most, each of one setting and seed; the items are in this order.
pub(crate) fn parted(items: &[(&str, u32)], most: usize) -> Vec<(RunPart, Range<usize>)> {
    let mut parts = Vec::new();
    let mut begin = 0;
    for level in items.chunk_by(|one, other| one == other) {
        for (number, chunk) in level.chunks(most).enumerate() {
            let (setting, seed) = chunk[0];
            let part = RunPart {
                name: format!("{setting}-{seed}-{number}"),
                setting: setting.to_owned(),
                seed,
                items: chunk.len() as u64,
                facts: json!({}),
            };
            parts.push((part, begin..begin + chunk.len()));
            begin += chunk.len();
        }
    }
    parts
}

/// What a run of a task is known by. `bench` is where the bench is, for whoever looks for it later.
pub fn facts<T: Task>(
    task: &T,
    named: (&str, Value),
    (bench, path): (&Bench, &std::path::Path),
    options: Value,
) -> Result<RunFacts, BenchError> {
    Ok(facts_about(task, named, (bench.hash()?, path), options))
}

/// The same of a task about something else than a bench, by its hash and where it is.
pub fn facts_about<T: Task>(
    task: &T,
    (model, card): (&str, Value),
    (hash, path): (String, &std::path::Path),
    options: Value,
) -> RunFacts {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let path = path.to_string_lossy().into_owned();
    let mut facts = RunFacts::new(T::NAME, model.to_owned(), card, path, hash, options);
    facts.parts = task.parts();
    facts
}

/// Takes the folder for a run. Unless `replace` is said, nothing is lost for it that was there.
pub fn folder<T: Task>(path: &std::path::Path, facts: &RunFacts, replace: bool) -> Result<RunFolder, BenchError> {
    let folder = RunFolder::take(path)?;
    if !replace {
        folder.check_loss(facts, T::lost)?;
    }
    Ok(folder)
}

/// Asks a model what a task asks, and scores that. Parts that were answered before, by the same run that was ended, are not
/// asked again.
pub fn perform<T: Task>(
    task: &T,
    model: &T::Model,
    folder: &RunFolder,
    facts: RunFacts,
    progress: &dyn Progress,
) -> Result<Run, T::Error> {
    let end = facts.parts.len();
    let mut draft = folder.draft(facts)?;
    let missing: Vec<usize> = (0..end).filter(|part| !draft.has(*part)).collect();
    if !draft.has(end) {
        task.begin(&missing, model, progress)?;
    }
    for part in missing {
        let Some(mut rows) = draft.part(part)? else { continue };
        task.items(part).into_iter().try_for_each(|item| rows.push(item))?;
        task.ask(part, model, &mut rows, progress)?;
        rows.keep()?;
    }
    if let Some(mut rows) = draft.part(end)? {
        task.conclude(model, &mut rows, progress)?;
        rows.keep()?;
    }
    draft.finish(T::TABLES, |tables, keep| task.score(tables, keep))
}

/// Scores a run anew, without the model.
pub fn rescore<T: Task>(task: &T, run: &Run, folder: &RunFolder, facts: RunFacts) -> Result<Run, T::Error> {
    folder.rescore(run, facts, |tables, keep| task.score(tables, keep))
}
