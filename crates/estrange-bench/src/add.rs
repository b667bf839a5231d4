//! Tables that are added to a bench that is there already: queries, pairs.
//!
//! At every moment the folder holds a whole bench: first the manifest is replaced by one without the tables, then their
//! files come, then the manifest with them. Whoever is killed in between leaves a bench without them.

use std::fs::File;

use crate::bench::Bench;
use crate::error::BenchError;
use crate::folder::{Lock, MANIFEST};
use crate::manifest::{FileFacts, Manifest};
use crate::pairs::{BugPair, Rung, Unpaired};
use crate::record::{Judgement, Query};
use crate::tables::TableRow;
use crate::write::Partial;

/// Gives the bench in a locked folder these queries, and takes away those that it had.
pub fn put_queries(
    lock: &Lock,
    queries: impl IntoIterator<Item = Query>,
    judgements: impl IntoIterator<Item = Judgement>,
) -> Result<Manifest, BenchError> {
    put(lock, |partial| Ok(vec![written(partial, queries)?, written(partial, judgements)?]))
}

/// Gives the bench in a locked folder these pairs, and takes away those that it had.
pub fn put_pairs(
    lock: &Lock,
    pairs: impl IntoIterator<Item = BugPair>,
    rungs: impl IntoIterator<Item = Rung>,
    unpaired: impl IntoIterator<Item = Unpaired>,
) -> Result<Manifest, BenchError> {
    put(lock, |partial| Ok(vec![written(partial, pairs)?, written(partial, rungs)?, written(partial, unpaired)?]))
}

/// A file in the hidden folder, by its name.
type Written = (&'static str, FileFacts);

fn written<R: TableRow>(partial: &Partial<'_>, rows: impl IntoIterator<Item = R>) -> Result<Written, BenchError> {
    let mut table = partial.table()?;
    rows.into_iter().try_for_each(|row| table.push(row))?;
    Ok((R::TABLE.file_name(), table.finish(File::sync_all)?))
}

fn put(
    lock: &Lock,
    write: impl FnOnce(&Partial<'_>) -> Result<Vec<Written>, BenchError>,
) -> Result<Manifest, BenchError> {
    let mut manifest = Bench::open(lock.folder())?.manifest().clone();
    let partial = Partial::new(lock)?;
    let files = write(&partial)?;
    for (name, _) in &files {
        manifest.files.remove(*name);
    }
    partial.write_manifest(&manifest)?;
    partial.move_file(MANIFEST)?;
    for (name, facts) in files {
        partial.move_file(name)?;
        manifest.files.insert(name.to_owned(), facts);
    }
    partial.write_manifest(&manifest)?;
    partial.move_file(MANIFEST)?;
    Ok(manifest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Provenance, View, WrittenBy, write};

    fn query(id: &str) -> Query {
        Query {
            id: id.to_owned(),
            function_id: "f".to_owned(),
            text: "Adds two numbers.".to_owned(),
            author: "comment".to_owned(),
            written_by: WrittenBy::Comment,
            prompt_hash: None,
            prompt_tokens: None,
            answer_tokens: None,
            cost: Some(0.25),
        }
    }

    #[test]
    fn queries_come_and_are_replaced_and_a_new_bench_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::acquire(folder.path()).unwrap();
        assert!(matches!(
            put_queries(&lock, [], []),
            Err(BenchError::Unfinished { .. } | BenchError::NotABench { .. })
        ));
        write(&lock, Provenance::default(), [], []).unwrap();
        let judgement =
            Judgement { query_id: "a".to_owned(), view: View::Short, document_id: "f".to_owned(), grade: 2 };
        put_queries(&lock, [query("a"), query("b")], [judgement.clone()]).unwrap();
        put_queries(&lock, [query("c")], [judgement.clone()]).unwrap();
        let bench = Bench::open(folder.path()).unwrap();
        assert!(bench.has_queries());
        assert_eq!(bench.queries().unwrap().map(Result::unwrap).collect::<Vec<_>>(), [query("c")]);
        assert_eq!(bench.judgements().unwrap().map(Result::unwrap).collect::<Vec<_>>(), [judgement]);
        write(&lock, Provenance::default(), [], []).unwrap();
        assert!(!Bench::open(folder.path()).unwrap().has_queries());
        assert!(!folder.path().join("queries.parquet").exists());
    }
}
