//! The folder of a run: who may write to it, and what may take the place of what is there.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use super::draft::{Draft, PARTIAL, complete, rescore};
use super::tables::is_table_name;
use super::{RUN, Run, RunFacts, RunPart, RunTables, Score, read_facts};
use crate::error::BenchError;
use crate::folder::{LOCK, Lock};

/// A folder that a run can be written to, and that no other command writes to meanwhile. To be taken before anything is
/// paid for.
#[derive(Debug)]
pub struct RunFolder {
    lock: Lock,
}

/// What a run has that another one in its place would not have.
#[derive(Debug, Clone, PartialEq)]
pub enum LostRun {
    /// It is by another model, or by this one with other options.
    Model(String),
    /// It is on another bench.
    Bench(String),
    /// It has this part, or more of it.
    Part(RunPart),
    /// It has more of something that its task knows of, in words.
    More(String),
    /// It is of another version of the format.
    Version(String),
}

impl fmt::Display for LostRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(model) => write!(f, "it is by `{model}` with other options, or by another model"),
            Self::Bench(bench) => write!(f, "it is on another bench, {bench}"),
            Self::Part(RunPart { name, items, .. }) => write!(f, "it has {items} items of {name}"),
            Self::More(words) => f.write_str(words),
            Self::Version(found) => write!(f, "it has the format version {found}"),
        }
    }
}

impl RunFolder {
    /// Takes a folder that is empty, not there, or holds a run; it is made if need be. A run whose moving into place was
    /// ended by a kill is completed.
    pub fn take(folder: &Path) -> Result<Self, BenchError> {
        let taken = Self { lock: Lock::take(folder, may_be_written)? };
        complete(taken.lock.folder())?;
        Ok(taken)
    }

    /// Refuses a run in whose favour another would be lost: it has to be of the same task by the same model on the same
    /// bench, which may have been built anew in its place, and to have at least as much. `more` says what else the task
    /// counts as lost. What cannot be read is no loss.
    pub fn check_loss(
        &self,
        facts: &RunFacts,
        more: impl Fn(&RunFacts, &RunFacts) -> Option<String>,
    ) -> Result<(), BenchError> {
        let folder = self.lock.folder();
        let lost = match read_facts(folder) {
            Ok(before) => lost(&before, facts).or_else(|| more(&before, facts).map(LostRun::More)),
            Err(BenchError::UnknownRunVersion { found, .. }) => Some(LostRun::Version(found)),
            Err(_) => None,
        };
        match lost {
            Some(lost) => Err(BenchError::RunWouldBeLost { folder: folder.to_owned(), lost }),
            None => Ok(()),
        }
    }

    /// Begins a run, or goes on with the same one that was begun and not ended.
    pub fn draft(&self, facts: RunFacts) -> Result<Draft<'_>, BenchError> {
        Draft::open(self.lock.folder(), facts)
    }

    /// Scores the folder's run anew, without the model; its other tables stay. The facts take the place of those it had.
    pub fn rescore<E: From<BenchError>>(
        &self,
        run: &Run,
        facts: RunFacts,
        score: impl FnOnce(&RunTables, &mut dyn FnMut(Score) -> Result<(), BenchError>) -> Result<(), E>,
    ) -> Result<Run, E> {
        rescore(self.lock.folder(), run, facts, score)
    }
}

/// What one run has and another does not.
fn lost(before: &RunFacts, after: &RunFacts) -> Option<LostRun> {
    if (&before.task, &before.card) != (&after.task, &after.card) {
        return Some(LostRun::Model(before.model.clone()));
    }
    let is_same_bench = before.bench_hash == after.bench_hash;
    if !is_same_bench && before.bench != after.bench {
        return Some(LostRun::Bench(before.bench.clone()));
    }
    let has = |part: &RunPart| {
        after.parts.iter().any(|other| {
            (&other.name, &other.setting, other.seed) == (&part.name, &part.setting, part.seed)
                && (!is_same_bench || other.items >= part.items)
        })
    };
    before.parts.iter().find(|part| !has(part)).cloned().map(LostRun::Part)
}

/// Whether a folder is free for a run, has one, or one that is under way.
fn may_be_written(folder: &Path) -> Result<(), BenchError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(BenchError::io("read the folder", folder)(error)),
    };
    let is_a_run = folder.join(RUN).exists() || folder.join(PARTIAL).is_dir();
    for entry in entries {
        let entry =
            entry.map_err(BenchError::io("read the folder", folder))?.file_name().to_string_lossy().into_owned();
        let is_ours = [RUN, PARTIAL, LOCK].contains(&entry.as_str()) || (is_a_run && is_table_name(&entry));
        if !is_ours {
            return Err(BenchError::Occupied { folder: folder.to_owned(), wanted: "run", entry });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
