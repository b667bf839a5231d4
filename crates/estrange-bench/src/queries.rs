//! Queries are added to a bench that is there already.
//!
//! At every moment the folder holds a whole bench: first the manifest is replaced by one without queries, then their
//! files come, then the manifest with them. Whoever is killed in between leaves a bench without queries.

use std::fs::File;

use crate::bench::Bench;
use crate::error::BenchError;
use crate::folder::{Lock, MANIFEST};
use crate::manifest::Manifest;
use crate::record::{Judgement, Query};
use crate::tables::Table;
use crate::write::Partial;

const QUERIES: &str = Table::Queries.file_name();
const QRELS: &str = Table::Judgements.file_name();

/// Gives the bench in a locked folder these queries, and takes away those that it had.
pub fn put_queries(
    lock: &Lock,
    queries: impl IntoIterator<Item = Query>,
    judgements: impl IntoIterator<Item = Judgement>,
) -> Result<Manifest, BenchError> {
    let mut manifest = Bench::open(lock.folder())?.manifest().clone();
    let partial = Partial::new(lock)?;
    let mut table = partial.table()?;
    queries.into_iter().try_for_each(|query| table.push(query))?;
    let queries = table.finish(File::sync_all)?;
    let mut table = partial.table()?;
    judgements.into_iter().try_for_each(|judgement| table.push(judgement))?;
    let judgements = table.finish(File::sync_all)?;

    manifest.files.remove(QUERIES);
    manifest.files.remove(QRELS);
    partial.write_manifest(&manifest)?;
    partial.move_file(MANIFEST)?;
    partial.move_file(QUERIES)?;
    partial.move_file(QRELS)?;
    manifest.files.insert(QUERIES.to_owned(), queries);
    manifest.files.insert(QRELS.to_owned(), judgements);
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
        assert!(!folder.path().join(QUERIES).exists());
    }
}
