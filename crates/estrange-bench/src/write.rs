//! Writing a bench so that a kill, a full disk or a power cut never leaves one that looks whole and is not.
//!
//! Everything is first written to a hidden folder inside the bench's. Then the old manifest goes, the files are moved
//! into place, and the new manifest comes last: without a manifest a folder is not a bench. Until the old manifest
//! goes, an old bench is untouched.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::counts::Counts;
use crate::error::BenchError;
use crate::folder::{Lock, MANIFEST, PARTIAL, State, remove_file, state, sync_folder};
use crate::manifest::{Manifest, Provenance};
use crate::record::{Function, Lowered, Rejected, Variant, Waiting};
use crate::table::TableWriter;
use crate::tables::{Table, TableRow};

/// Writes a bench, record by record. The records stand in the files in the order in which they come; the same records
/// in the same order give the same bytes.
///
/// Dropped before [`Writer::finish`], it leaves the folder as it was.
pub struct Writer<'l> {
    functions: TableWriter<Function, File>,
    rejected: TableWriter<Rejected, File>,
    variants: Option<TableWriter<Variant, File>>,
    lowered: Option<TableWriter<Lowered, File>>,
    waiting: Option<TableWriter<Waiting, File>>,
    ids: HashSet<String>,
    counts: BTreeMap<String, SourceCounts>,
    partial: Partial<'l>,
}

#[derive(Default)]
struct SourceCounts {
    counts: Counts,
    first_function: Option<String>,
}

/// Writes a bench in one go.
pub fn write(
    lock: &Lock,
    provenance: Provenance,
    functions: impl IntoIterator<Item = Function>,
    rejected: impl IntoIterator<Item = Rejected>,
) -> Result<Manifest, BenchError> {
    let mut writer = Writer::new(lock)?;
    functions.into_iter().try_for_each(|function| writer.keep(function))?;
    rejected.into_iter().try_for_each(|rejected| writer.reject(rejected))?;
    writer.finish(provenance)
}

impl<'l> Writer<'l> {
    /// Begins to write a bench into the folder that is locked. A bench that is there stays until the new one is whole.
    pub fn new(lock: &'l Lock) -> Result<Self, BenchError> {
        Staging::new(lock)?.writer()
    }

    fn within(partial: Partial<'l>) -> Result<Self, BenchError> {
        Ok(Self {
            functions: partial.table()?,
            rejected: partial.table()?,
            variants: None,
            lowered: None,
            waiting: None,
            ids: HashSet::new(),
            counts: BTreeMap::new(),
            partial,
        })
    }

    /// Adds a function that was kept.
    pub fn keep(&mut self, function: Function) -> Result<(), BenchError> {
        if !self.ids.insert(function.id.clone()) {
            return Err(BenchError::DoubleId { id: function.id });
        }
        self.source(&function.source, Some(&function.id)).keep();
        self.functions.push(function)
    }

    /// Adds something that was not kept.
    pub fn reject(&mut self, rejected: Rejected) -> Result<(), BenchError> {
        let counts = self.source(&rejected.source, rejected.id.as_deref());
        match rejected.is_function() {
            true => counts.reject(rejected.stage, rejected.reason),
            false => counts.lose(rejected.stage, rejected.reason),
        }
        self.rejected.push(rejected)
    }

    /// Adds the variants of functions: those with evidence, and those that wait for some. A bench to which they are
    /// never added has no tables for them.
    pub fn add_variants(
        &mut self,
        variants: impl IntoIterator<Item = Variant>,
        waiting: impl IntoIterator<Item = Waiting>,
    ) -> Result<(), BenchError> {
        let table = match &mut self.variants {
            Some(table) => table,
            none => none.insert(self.partial.table()?),
        };
        variants.into_iter().try_for_each(|variant| table.push(variant))?;
        self.add_waiting(waiting)
    }

    /// Adds functions as what compilers make of them, and those of which nothing could be made. A bench to which they
    /// are never added has no table for them.
    pub fn add_lowered(
        &mut self,
        lowered: impl IntoIterator<Item = Lowered>,
        waiting: impl IntoIterator<Item = Waiting>,
    ) -> Result<(), BenchError> {
        let table = match &mut self.lowered {
            Some(table) => table,
            none => none.insert(self.partial.table()?),
        };
        lowered.into_iter().try_for_each(|lowered| table.push(lowered))?;
        self.add_waiting(waiting)
    }

    /// Adds variants and lowered texts that are not there.
    pub fn add_waiting(&mut self, waiting: impl IntoIterator<Item = Waiting>) -> Result<(), BenchError> {
        let table = match &mut self.waiting {
            Some(table) => table,
            none => none.insert(self.partial.table()?),
        };
        waiting.into_iter().try_for_each(|waiting| table.push(waiting))
    }

    fn source(&mut self, spec: &str, function: Option<&str>) -> &mut Counts {
        let source = self.counts.entry(spec.to_owned()).or_default();
        if source.first_function.is_none() {
            source.first_function = function.map(str::to_owned);
        }
        &mut source.counts
    }

    /// Makes it a bench. Every source that a function names has to be among those of the provenance.
    pub fn finish(self, provenance: Provenance) -> Result<Manifest, BenchError> {
        let (manifest, mut partial) = self.close(provenance)?;
        partial.moving = true;
        for step in Step::all() {
            step.perform(partial.folder)?;
        }
        Ok(manifest)
    }

    /// Completes everything in the hidden folder.
    fn close(self, mut provenance: Provenance) -> Result<(Manifest, Partial<'l>), BenchError> {
        let Self { functions, rejected, variants, lowered, waiting, ids: _, mut counts, partial } = self;
        let mut total = Counts::default();
        counts.values().for_each(|source| total.add(&source.counts));
        for source in &mut provenance.sources {
            source.counts = counts.remove(&source.spec).unwrap_or_default().counts;
        }
        for (spec, source) in counts {
            if let Some(id) = source.first_function {
                return Err(BenchError::UnlistedSource { id, spec });
            }
        }
        let mut files = vec![
            (Table::Functions, functions.finish(File::sync_all)?),
            (Table::Rejected, rejected.finish(File::sync_all)?),
        ];
        if let Some(variants) = variants {
            files.push((Table::Variants, variants.finish(File::sync_all)?));
        }
        if let Some(lowered) = lowered {
            files.push((Table::Lowered, lowered.finish(File::sync_all)?));
        }
        if let Some(waiting) = waiting {
            files.push((Table::Waiting, waiting.finish(File::sync_all)?));
        }
        let files = files.into_iter().map(|(table, facts)| (table.file_name().to_owned(), facts)).collect();
        let manifest = Manifest::new(provenance, total, files);
        partial.write_manifest(&manifest)?;
        Ok((manifest, partial))
    }
}

/// A bench that is being made: room for a part of which it will be put together, and then the writer.
pub struct Staging<'l> {
    partial: Partial<'l>,
}

impl<'l> Staging<'l> {
    /// Begins a bench in the folder that is locked.
    pub fn new(lock: &'l Lock) -> Result<Self, BenchError> {
        Ok(Self { partial: Partial::new(lock)? })
    }

    /// A folder for a part; it goes with the hidden folder.
    pub fn part_folder(&self) -> PathBuf {
        self.partial.path.join("part")
    }

    /// What writes the bench.
    pub fn writer(self) -> Result<Writer<'l>, BenchError> {
        Writer::within(self.partial)
    }
}

/// The hidden folder in which a bench is under way; gone when this is dropped.
pub(crate) struct Partial<'l> {
    folder: &'l Path,
    path: PathBuf,
    /// From the first step on the hidden folder is what tells an unfinished bench from somebody's files: it stays,
    /// should a step fail.
    moving: bool,
}

impl<'l> Partial<'l> {
    pub(crate) fn new(lock: &'l Lock) -> Result<Self, BenchError> {
        let folder = lock.folder();
        let path = folder.join(PARTIAL);
        if state(folder)? == State::Unfinished {
            // What was moved so far goes before the hidden folder, which tells that it is ours.
            Table::ALL.iter().try_for_each(|table| remove_file(&folder.join(table.file_name())))?;
            sync_folder(folder)?;
        }
        if path.exists() {
            fs::remove_dir_all(&path).map_err(BenchError::io("remove", &path))?;
        }
        fs::create_dir(&path).map_err(BenchError::io("make the folder", &path))?;
        Ok(Self { folder, path, moving: false })
    }

    /// The file of a record's table.
    pub(crate) fn table<R: TableRow>(&self) -> Result<TableWriter<R, File>, BenchError> {
        let path = self.path.join(R::TABLE.file_name());
        let file = File::create(&path).map_err(BenchError::io("make", &path))?;
        TableWriter::new(file, &path)
    }

    pub(crate) fn write_manifest(&self, manifest: &Manifest) -> Result<(), BenchError> {
        let path = self.path.join(MANIFEST);
        let write = || {
            let mut file = File::create(&path)?;
            file.write_all(&manifest.to_json().map_err(io::Error::other)?)?;
            file.sync_all()
        };
        write().map_err(BenchError::io("write", &path))?;
        sync_folder(&self.path)
    }
}

impl Partial<'_> {
    /// Moves one of its files into the bench's folder, over one that is there.
    pub(crate) fn move_file(&self, name: &str) -> Result<(), BenchError> {
        let place = self.folder.join(name);
        fs::rename(self.path.join(name), &place).map_err(BenchError::io("move a file to", &place))?;
        sync_folder(self.folder)
    }
}

impl Drop for Partial<'_> {
    fn drop(&mut self) {
        if self.moving {
            return;
        }
        match fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(path = %self.path.display(), %error, "a temporary folder stays");
            }
            _ => (),
        }
    }
}

/// What is done, in order, to make the files under way a bench. After any of them a kill may come.
#[derive(Debug, Clone, Copy)]
enum Step {
    RemoveOldManifest,
    MoveFile(&'static str),
    RemoveHiddenFolder,
}

impl Step {
    /// Every step, in order: a table that the new bench has not is removed.
    fn all() -> Vec<Self> {
        let files = Table::ALL.iter().map(|table| table.file_name()).chain([MANIFEST]).map(Self::MoveFile);
        [Self::RemoveOldManifest].into_iter().chain(files).chain([Self::RemoveHiddenFolder]).collect()
    }

    /// Each step is on the disk before the next begins: the disk must not see them in another order.
    fn perform(self, folder: &Path) -> Result<(), BenchError> {
        let partial = folder.join(PARTIAL);
        match self {
            Self::RemoveOldManifest => remove_file(&folder.join(MANIFEST))?,
            Self::MoveFile(name) => {
                let place = folder.join(name);
                if !partial.join(name).exists() {
                    // The new bench has no such table; one that an old bench had goes.
                    return remove_file(&place);
                }
                fs::rename(partial.join(name), &place).map_err(BenchError::io("move a file to", &place))?;
            }
            Self::RemoveHiddenFolder => fs::remove_dir_all(&partial).map_err(BenchError::io("remove", &partial))?,
        }
        sync_folder(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bench, Source, Split};

    fn lost(id: &str) -> Rejected {
        Rejected {
            id: Some(id.to_owned()),
            source: "a".to_owned(),
            version: None,
            path: None,
            line_start: None,
            line_end: None,
            name: None,
            kind: None,
            language: None,
            role: None,
            stage: estrange_words::Stage::Parse,
            reason: estrange_words::Reason::ParserCrashed,
            detail: String::new(),
            text: None,
        }
    }

    fn provenance() -> Provenance {
        let text = || "a".to_owned();
        let licences = BTreeMap::new();
        let (split, counts) = (Split::Train, Counts::default());
        let source = Source { spec: text(), pinned: text(), version: text(), tree: text(), licences, split, counts };
        Provenance { sources: vec![source], ..Provenance::default() }
    }

    /// Writes a bench up to a step, as if killed there.
    fn write_and_die(folder: &Path, rejected: usize, steps: usize) {
        let lock = Lock::acquire(folder).unwrap();
        let mut writer = Writer::new(&lock).unwrap();
        (0..rejected).for_each(|n| writer.reject(lost(&n.to_string())).unwrap());
        let (_, mut partial) = writer.close(provenance()).unwrap();
        partial.moving = true;
        Step::all()[..steps].iter().for_each(|step| step.perform(folder).unwrap());
    }

    #[test]
    fn killed_at_any_step_there_is_the_old_bench_or_none_or_the_new_one() {
        let all = Step::all().len();
        for steps in 0..=all {
            let folder = tempfile::tempdir().unwrap();
            write(&Lock::acquire(folder.path()).unwrap(), provenance(), [], [lost("1")]).unwrap();
            write_and_die(folder.path(), 5, steps);
            match (steps, Bench::open(folder.path())) {
                (0, Ok(old)) => assert_eq!(old.rejected().unwrap().count(), 1),
                (_, Ok(new)) if steps + 1 >= all => assert_eq!(new.rejected().unwrap().count(), 5),
                (1.., Err(BenchError::Unfinished { .. })) if steps + 1 < all => (),
                (_, other) => panic!("after {steps} steps: {other:?}"),
            }
            // And the next build finds its way, even if it is killed as well.
            for again in [2, all] {
                write_and_die(folder.path(), 7, again);
            }
            assert_eq!(Bench::open(folder.path()).unwrap().rejected().unwrap().count(), 7);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        }
    }
}
