//! Rankings by id.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::error::{PrecomputedError, malformed};
use super::{card, read, text};
use crate::error::ModelError;
use crate::traits::{Item, Ranker, Scored, Watch};

/// Rankings from a TREC run, looked up by the ids of queries and documents.
#[derive(Debug)]
pub struct Rankings {
    path: PathBuf,
    hash: blake3::Hash,
    /// Each query's documents with their scores.
    queries: FxHashMap<String, FxHashMap<String, f32>>,
}

impl Rankings {
    /// Reads a run. All scores are checked: numbers only, no document twice for a query.
    pub fn open(path: &Path) -> Result<Self, PrecomputedError> {
        let bytes = read(path)?;
        let mut queries: FxHashMap<String, FxHashMap<String, f32>> = FxHashMap::default();
        for (line, text) in text(path, &bytes)?.lines().enumerate() {
            let wrong = |detail: &str| malformed(path, line + 1, detail);
            let [query, document, score] = match text.split_whitespace().collect::<Vec<_>>()[..] {
                [] => continue,
                [query, _, document, _, score, _] => [query, document, score],
                _ => return Err(wrong("six columns are wanted: query, Q0, document, rank, score, tag")),
            };
            let score = score.parse().ok().filter(|score: &f32| score.is_finite());
            let score = score.ok_or_else(|| wrong("the fifth column, the score, is no number"))?;
            if queries.entry(query.to_owned()).or_default().insert(document.to_owned(), score).is_some() {
                return Err(wrong(&format!("`{query}` has the document `{document}` twice")));
            }
        }
        Ok(Self { path: path.to_owned(), hash: blake3::hash(&bytes), queries })
    }
}

impl Ranker for Rankings {
    fn card(&self) -> Value {
        card(&self.path, &self.hash)
    }

    /// Rankings are as long as they are in the file, if that is less than `depth`.
    fn rank(
        &self,
        queries: &[Item<'_>],
        documents: &[Item<'_>],
        depth: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Vec<Scored>>, ModelError> {
        let mut missing = queries.iter().filter(|query| !self.queries.contains_key(query.id));
        if let Some(first) = missing.next() {
            return Err(ModelError::Precomputed(PrecomputedError::Missing {
                path: self.path.clone(),
                what: "a ranking",
                id: first.id.to_owned(),
                missing: 1 + missing.count(),
                all: queries.len(),
            }));
        }
        let numbers: FxHashMap<&str, u32> =
            documents.iter().enumerate().map(|(number, document)| (document.id, number as u32)).collect();
        let mut rankings = Vec::with_capacity(queries.len());
        for query in queries {
            let mut ranking = Vec::new();
            for (id, &score) in self.queries.get(query.id).into_iter().flatten() {
                let unknown = || PrecomputedError::UnknownDocument { path: self.path.clone(), id: id.clone() };
                let document = *numbers.get(id.as_str()).ok_or_else(unknown)?;
                ranking.push(Scored { document, score });
            }
            ranking.sort_unstable_by(Scored::order);
            ranking.truncate(depth);
            rankings.push(ranking);
        }
        watch.done(queries.len());
        Ok(rankings)
    }
}
