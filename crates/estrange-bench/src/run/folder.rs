//! The folder of a run: who may write to it, and what may take the place of what is there.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::{ANSWERS, CorpusFacts, FILES, RUN, Run, RunFacts, RunRecords, SCORES, SHIFTS, read_facts};
use crate::error::BenchError;
use crate::folder::{LOCK, Lock, remove_file, sync_folder};
use crate::manifest::FileFacts;
use crate::rows::Rows;
use crate::table::TableWriter;

const PARTIAL: &str = ".estrange-partial-run";

/// A folder that a run can be written to, and that no other command writes to meanwhile. To be taken before anything is
/// paid for.
#[derive(Debug)]
pub struct RunFolder {
    lock: Lock,
}

/// What a run has that another one in its place would not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LostRun {
    /// It is by another model, or by this one with other options.
    Model(String),
    /// It is on another bench.
    Bench(String),
    /// It has this corpus, or more of it.
    Corpus(CorpusFacts),
    /// Its rankings are longer: so many documents.
    Depth(u64),
}

impl fmt::Display for LostRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(model) => write!(f, "it is by `{model}` with other options, or by another model"),
            Self::Bench(bench) => write!(f, "it is on another bench, {bench}"),
            Self::Corpus(corpus) => {
                let CorpusFacts { group, view, setting, seed, documents, queries, .. } = corpus;
                write!(f, "it has {queries} queries and {documents} documents of group {group}, {view}, {setting}")?;
                if *seed > 0 { write!(f, " {seed}") } else { Ok(()) }
            }
            Self::Depth(depth) => write!(f, "its rankings have {depth} documents"),
        }
    }
}

impl RunFolder {
    /// Takes a folder that is empty, not there, or holds a run; it is made if need be.
    pub fn take(folder: &Path) -> Result<Self, BenchError> {
        Ok(Self { lock: Lock::take(folder, may_be_written)? })
    }

    /// Refuses a run in whose favour another would be lost: it has to be by the same model on the same bench, which may
    /// have been built anew in its place, and to have at least as much. What cannot be read is no loss.
    pub fn check_loss(&self, facts: &RunFacts) -> Result<(), BenchError> {
        let folder = self.lock.folder();
        match read_facts(folder).ok().and_then(|before| lost(&before, facts)) {
            Some(lost) => Err(BenchError::RunWouldBeLost { folder: folder.to_owned(), lost }),
            None => Ok(()),
        }
    }

    /// Writes a run. One that is there stays until the new one is whole.
    pub fn write(&self, mut facts: RunFacts, records: RunRecords) -> Result<Run, BenchError> {
        let folder = self.lock.folder();
        let partial = folder.join(PARTIAL);
        fs::create_dir_all(&partial).map_err(BenchError::io("make the folder", &partial))?;
        facts.files.insert(ANSWERS.to_owned(), table(&partial.join(ANSWERS), records.answers)?);
        facts.files.insert(SCORES.to_owned(), table(&partial.join(SCORES), records.scores)?);
        facts.files.insert(SHIFTS.to_owned(), table(&partial.join(SHIFTS), records.shifts)?);
        let path = partial.join(RUN);
        let write = || {
            let mut text = serde_json::to_vec_pretty(&facts).map_err(io::Error::other)?;
            text.push(b'\n');
            let mut file = File::create(&path)?;
            file.write_all(&text)?;
            file.sync_all()
        };
        write().map_err(BenchError::io("write", &path))?;
        // Each step is on the disk before the next begins: without its facts a folder is no run.
        remove_file(&folder.join(RUN))?;
        sync_folder(folder)?;
        for name in FILES {
            move_file(&partial, folder, name)?;
        }
        sync_folder(folder)?;
        move_file(&partial, folder, RUN)?;
        fs::remove_dir_all(&partial).map_err(BenchError::io("remove", &partial))?;
        sync_folder(folder)?;
        Ok(Run { folder: folder.to_owned(), facts })
    }
}

fn move_file(from: &Path, to: &Path, name: &str) -> Result<(), BenchError> {
    let place = to.join(name);
    fs::rename(from.join(name), &place).map_err(BenchError::io("move a file to", &place))
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
    let depth = |facts: &RunFacts| facts.options.get("depth").and_then(serde_json::Value::as_u64).unwrap_or_default();
    if depth(before) > depth(after) {
        return Some(LostRun::Depth(depth(before)));
    }
    let has = |corpus: &CorpusFacts| {
        after.corpora.iter().any(|other| {
            (other.group, other.view, &other.setting, other.seed)
                == (corpus.group, corpus.view, &corpus.setting, corpus.seed)
                && (!is_same_bench || (other.queries >= corpus.queries && other.documents >= corpus.documents))
        })
    };
    before.corpora.iter().find(|corpus| !has(corpus)).cloned().map(LostRun::Corpus)
}

/// Whether a folder is free for a run, or has one.
fn may_be_written(folder: &Path) -> Result<(), BenchError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(BenchError::io("read the folder", folder)(error)),
    };
    let ours = [RUN, ANSWERS, SCORES, SHIFTS, PARTIAL, LOCK];
    for entry in entries {
        let entry =
            entry.map_err(BenchError::io("read the folder", folder))?.file_name().to_string_lossy().into_owned();
        if !ours.contains(&entry.as_str()) {
            return Err(BenchError::Occupied { folder: folder.to_owned(), wanted: "run", entry });
        }
    }
    Ok(())
}

fn table<R: Rows>(path: &Path, records: Vec<R>) -> Result<FileFacts, BenchError> {
    let file = File::create(path).map_err(BenchError::io("make", path))?;
    let mut table = TableWriter::new(file, path)?;
    records.into_iter().try_for_each(|record| table.push(record))?;
    table.finish(File::sync_all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{Group, View};

    fn facts(setting: &str) -> RunFacts {
        let card = serde_json::json!({ "model": "bm25" });
        let options = serde_json::json!({ "depth": 10 });
        let (bench, hash) = ("/b".to_owned(), "00".to_owned());
        let mut facts = RunFacts::new("search", "bm25".to_owned(), card, bench, hash, options);
        let corpus = |setting: &str| CorpusFacts {
            group: Group::One,
            view: View::Short,
            setting: setting.to_owned(),
            seed: 0,
            documents: 5,
            queries: 3,
            duplicate_classes: 0,
            left_out: 0,
        };
        facts.corpora = vec![corpus("standard"), corpus(setting)];
        facts
    }

    #[test]
    fn a_run_takes_the_place_of_one_only_if_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let place = RunFolder::take(folder.path()).unwrap();
        assert!(matches!(RunFolder::take(folder.path()), Err(BenchError::Locked { .. })));
        place.check_loss(&facts("symbol")).unwrap();
        place.write(facts("symbol"), RunRecords::default()).unwrap();
        let lost = |change: &dyn Fn(&mut RunFacts)| {
            let mut facts = facts("symbol");
            change(&mut facts);
            match place.check_loss(&facts) {
                Err(BenchError::RunWouldBeLost { lost, .. }) => Some(lost),
                other => other.map(|()| None).unwrap(),
            }
        };
        assert_eq!(lost(&|_| ()), None);
        assert_eq!(lost(&|facts| facts.corpora.extend_from_within(..1)), None);
        assert_eq!(lost(&|facts| facts.bench = "/moved".to_owned()), None);
        assert_eq!(lost(&|facts| facts.bench_hash = "built anew".to_owned()), None);
        assert!(matches!(lost(&|facts| facts.card = "other".into()), Some(LostRun::Model(_))));
        let other = |facts: &mut RunFacts| (facts.bench, facts.bench_hash) = ("/c".to_owned(), "11".to_owned());
        assert!(matches!(lost(&other), Some(LostRun::Bench(_))));
        assert!(matches!(lost(&|facts| facts.corpora.truncate(1)), Some(LostRun::Corpus(_))));
        assert!(matches!(lost(&|facts| facts.corpora[0].queries = 2), Some(LostRun::Corpus(_))));
        assert!(matches!(lost(&|facts| facts.options["depth"] = 9.into()), Some(LostRun::Depth(10))));
    }

    #[test]
    fn a_file_of_another_run_is_not_taken_for_its_own() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let score = |value| super::super::Score {
            group: Group::One,
            view: View::Short,
            setting: "standard".to_owned(),
            seed: 0,
            query_id: "q".to_owned(),
            measure: "ndcg@10".to_owned(),
            value,
        };
        for (folder, value) in [(&one, 0.25), (&two, 0.75)] {
            let records = RunRecords { scores: vec![score(value)], ..RunRecords::default() };
            RunFolder::take(folder.path()).unwrap().write(facts("symbol"), records).unwrap();
        }
        Run::open(one.path()).unwrap();
        for name in FILES {
            let own = fs::read(one.path().join(name)).unwrap();
            let mut foreign = fs::read(two.path().join(name)).unwrap();
            if foreign == own {
                let middle = foreign.len() / 2;
                foreign[middle] ^= 1;
            }
            fs::write(one.path().join(name), foreign).unwrap();
            let error = Run::open(one.path()).unwrap_err();
            assert!(matches!(&error, BenchError::Damaged { path, .. } if path.ends_with(name)), "{error}");
            assert!(error.hint().unwrap().starts_with("search again"), "{error}");
            fs::remove_file(one.path().join(name)).unwrap();
            assert!(Run::open(one.path()).unwrap_err().to_string().ends_with("is damaged: it is missing"));
            fs::write(one.path().join(name), own).unwrap();
        }
        fs::write(one.path().join(RUN), "{\"format\": \"estrange-run\", \"format_version\": 2}").unwrap();
        assert!(matches!(Run::open(one.path()), Err(BenchError::UnknownVersion { .. })));
    }
}
