//! A run that comes about: part by part, each kept on the disk as soon as it is answered.
//!
//! ```text
//! RUN/.estrange-partial-run/
//!   draft.json   the run that this is for
//!   3/           the fourth part, whole, with the facts of its files in part.json
//!   part/        the part in hand; nobody reads it
//!   whole/       the tables of all parts, and run.json last; then they are moved into place
//! ```
//!
//! Whoever is killed goes on where it was: parts that are whole are not asked again. Once `whole/run.json` is there, the
//! run is whole, and whoever takes the folder next completes the moving.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::tables::{RunRow, RunTable, RunTables, TableSet, is_table_name};
use super::{Answer, Item, RUN, Run, RunFacts, Score, parse_facts};
use crate::error::BenchError;
use crate::folder::{remove_file, sync_folder};
use crate::manifest::FileFacts;

pub(super) const PARTIAL: &str = ".estrange-partial-run";
const DRAFT: &str = "draft.json";
const PART: &str = "part";
const PART_FACTS: &str = "part.json";
const WHOLE: &str = "whole";

/// A run that is not whole yet. Dropped, it stays on the disk if it has a part, for the same run to go on with.
#[derive(Debug)]
pub struct Draft<'f> {
    folder: &'f Path,
    facts: RunFacts,
    /// The parts that are whole, by their places.
    parts: BTreeMap<usize, RunTables>,
}

/// Takes the rows of a part that is being answered. Dropped before [`keep`](Self::keep), the part is asked again.
pub struct RunPartWriter<'d, 'f> {
    draft: &'d mut Draft<'f>,
    place: usize,
    tables: TableSet,
}

impl RunPartWriter<'_, '_> {
    /// Adds a row to the table that its record names.
    pub fn push<R: RunRow>(&mut self, row: R) -> Result<(), BenchError> {
        self.tables.push(row)
    }

    /// Keeps the part: from now on it is not asked again.
    pub fn keep(self) -> Result<(), BenchError> {
        let Self { draft, place, tables } = self;
        let (hand, own) = (draft.path(PART), draft.path(&place.to_string()));
        let files = tables.finish()?;
        let text = serde_json::to_vec(&files).map_err(io::Error::other);
        write(&hand.join(PART_FACTS), text)?;
        sync_folder(&hand)?;
        fs::rename(&hand, &own).map_err(BenchError::io("move a folder to", &own))?;
        sync_folder(&draft.path(""))?;
        draft.parts.insert(place, RunTables::new(&own, files));
        Ok(())
    }
}

impl<'f> Draft<'f> {
    /// Goes on with the draft of this very run, or begins one.
    pub(super) fn open(folder: &'f Path, facts: RunFacts) -> Result<Self, BenchError> {
        let mut draft = Self { folder, facts, parts: BTreeMap::new() };
        let text = serde_json::to_vec(&draft.facts).map_err(io::Error::other);
        let is_same = matches!((fs::read(draft.path(DRAFT)), &text), (Ok(there), Ok(text)) if there == *text);
        if is_same {
            draft.find_parts()?;
        } else {
            remove_all(&draft.path(""))?;
            make(&draft.path(""))?;
            write(&draft.path(DRAFT), text)?;
            sync_folder(&draft.path(""))?;
        }
        Ok(draft)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(PARTIAL).join(name)
    }

    /// The parts that are there. One that is not what was written is asked again.
    fn find_parts(&mut self) -> Result<(), BenchError> {
        let folder = self.path("");
        for entry in fs::read_dir(&folder).map_err(BenchError::io("read the folder", &folder))? {
            let own = entry.map_err(BenchError::io("read the folder", &folder))?.path();
            let Some(place) = own.file_name().and_then(|name| name.to_str()?.parse::<usize>().ok()) else { continue };
            match whole_part(&own) {
                Some(files) => drop(self.parts.insert(place, RunTables::new(&own, files))),
                None => remove_all(&own)?,
            }
        }
        Ok(())
    }

    /// Takes the rows of the part at a place, unless they are there already.
    pub fn part(&mut self, place: usize) -> Result<Option<RunPartWriter<'_, 'f>>, BenchError> {
        if self.parts.contains_key(&place) {
            return Ok(None);
        }
        let hand = self.path(PART);
        remove_all(&hand)?;
        make(&hand)?;
        Ok(Some(RunPartWriter { draft: self, place, tables: TableSet::new(&hand) }))
    }

    /// Whether the part at a place is there.
    pub fn has(&self, place: usize) -> bool {
        self.parts.contains_key(&place)
    }

    /// Puts the parts together, scores what they say, and makes it the folder's run. A run that is there stays until the
    /// new one is whole. `tables` are those of the task's own; `score` is given all tables, and where to put scores.
    pub fn finish<E: From<BenchError>>(
        self,
        tables: &[RunTable],
        score: impl FnOnce(&RunTables, &mut dyn FnMut(Score) -> Result<(), BenchError>) -> Result<(), E>,
    ) -> Result<Run, E> {
        let whole = fresh(&self.path(WHOLE))?;
        let parts: Vec<RunTables> = self.parts.values().cloned().collect();
        let mut set = TableSet::new(&whole);
        for table in [RunTable::of::<Item>(), RunTable::of::<Answer>()].iter().chain(tables) {
            table.gather(&parts, &mut set)?;
        }
        let files = set.finish()?;
        let mut facts = self.facts.clone();
        facts.files = files;
        let scores = scored(&whole, &RunTables::new(&whole, facts.files.clone()), score)?;
        facts.files.extend(scores);
        Ok(put(self.folder, &whole, facts)?)
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        // Without a part there is nothing to go on with.
        if self.parts.is_empty() && !self.path(WHOLE).join(RUN).exists() {
            let _ = fs::remove_dir_all(self.path(""));
        }
    }
}

/// Scores a run that is there anew. Its other tables stay as they are.
pub(super) fn rescore<E: From<BenchError>>(
    folder: &Path,
    run: &Run,
    mut facts: RunFacts,
    score: impl FnOnce(&RunTables, &mut dyn FnMut(Score) -> Result<(), BenchError>) -> Result<(), E>,
) -> Result<Run, E> {
    remove_all(&folder.join(PARTIAL))?;
    let whole = fresh(&folder.join(PARTIAL).join(WHOLE))?;
    facts.files = run.facts().files.clone();
    let scores = match scored(&whole, run.tables(), score) {
        Ok(scores) => scores,
        Err(error) => {
            remove_all(&folder.join(PARTIAL))?;
            return Err(error);
        }
    };
    facts.files.extend(scores);
    Ok(put(folder, &whole, facts)?)
}

fn scored<E: From<BenchError>>(
    whole: &Path,
    tables: &RunTables,
    score: impl FnOnce(&RunTables, &mut dyn FnMut(Score) -> Result<(), BenchError>) -> Result<(), E>,
) -> Result<BTreeMap<String, FileFacts>, E> {
    let mut set = TableSet::new(whole);
    RunTable::of::<Score>().gather(&[], &mut set)?;
    score(tables, &mut |score| set.push(score))?;
    Ok(set.finish()?)
}

/// Makes what is in the folder under way the folder's run.
fn put(folder: &Path, whole: &Path, facts: RunFacts) -> Result<Run, BenchError> {
    // Half-written facts are none: the name comes when they are whole.
    write(&whole.join(DRAFT), facts.to_json())?;
    fs::rename(whole.join(DRAFT), whole.join(RUN)).map_err(BenchError::io("move a file to", &whole.join(RUN)))?;
    sync_folder(whole)?;
    complete(folder)?;
    Ok(Run::of(folder, facts))
}

/// Moves a run that is whole into place, wherever a kill ended that before. Each step is on the disk before the next begins:
/// without its facts a folder is no run.
pub(super) fn complete(folder: &Path) -> Result<(), BenchError> {
    let whole = folder.join(PARTIAL).join(WHOLE);
    let path = whole.join(RUN);
    let facts = match fs::read(&path) {
        Ok(text) => parse_facts(folder, &path, &text)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(BenchError::io("read", &path)(error)),
    };
    remove_file(&folder.join(RUN))?;
    sync_folder(folder)?;
    for name in tables_in(folder)?.iter().filter(|name| !facts.files.contains_key(*name)) {
        remove_file(&folder.join(name))?;
    }
    for name in facts.files.keys() {
        move_file(&whole, folder, name)?;
    }
    sync_folder(folder)?;
    move_file(&whole, folder, RUN)?;
    sync_folder(folder)?;
    remove_all(&folder.join(PARTIAL))?;
    sync_folder(folder)
}

/// Moves a file, unless it was moved before.
fn move_file(from: &Path, to: &Path, name: &str) -> Result<(), BenchError> {
    let place = to.join(name);
    match fs::rename(from.join(name), &place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && place.exists() => Ok(()),
        moved => moved.map_err(BenchError::io("move a file to", &place)),
    }
}

/// The files in a folder that are named as a run's tables are.
pub(super) fn tables_in(folder: &Path) -> Result<Vec<String>, BenchError> {
    let unreadable = || BenchError::io("read the folder", folder);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable())? {
        let name = entry.map_err(unreadable())?.file_name().to_string_lossy().into_owned();
        names.extend(is_table_name(&name).then_some(name));
    }
    Ok(names)
}

/// The files of a part, if all of them are what was written.
fn whole_part(folder: &Path) -> Option<BTreeMap<String, FileFacts>> {
    let files: BTreeMap<String, FileFacts> = serde_json::from_slice(&fs::read(folder.join(PART_FACTS)).ok()?).ok()?;
    let is_whole = |(name, file): (&String, &FileFacts)| {
        is_table_name(name) && file.verify(&folder.join(name), PART_FACTS).is_ok()
    };
    files.iter().all(is_whole).then_some(files)
}

fn write(path: &Path, text: io::Result<Vec<u8>>) -> Result<(), BenchError> {
    let write = || {
        let mut file = File::create(path)?;
        file.write_all(&text?)?;
        file.sync_all()
    };
    write().map_err(BenchError::io("write", path))
}

fn make(folder: &Path) -> Result<(), BenchError> {
    fs::create_dir_all(folder).map_err(BenchError::io("make the folder", folder))
}

/// The folder, empty.
fn fresh(folder: &Path) -> Result<PathBuf, BenchError> {
    remove_all(folder)?;
    make(folder)?;
    Ok(folder.to_owned())
}

fn remove_all(folder: &Path) -> Result<(), BenchError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(BenchError::io("remove", folder)(error)),
        _ => Ok(()),
    }
}
