//! Rankings by id.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::error::{PrecomputedError, malformed};
use super::once::Once;
use super::{Source, card, files, plain, read, text};
use crate::error::ModelError;
use crate::traits::{Item, Ranker, Scored, Watch};

/// Rankings from a TREC run, looked up by the ids of queries and documents.
#[derive(Debug)]
pub struct Rankings {
    path: PathBuf,
    hash: blake3::Hash,
    /// Each query's documents with their scores.
    queries: FxHashMap<String, FxHashMap<String, f32>>,
    once: Once,
}

impl Rankings {
    /// Reads a run, or a folder of them. All scores are checked: numbers only, no document twice for a query.
    pub fn open(path: &Path) -> Result<Self, PrecomputedError> {
        let mut hasher = blake3::Hasher::new();
        let mut queries = FxHashMap::default();
        for source in files(path)? {
            let bytes = read(&source.path)?;
            hasher.update(source.before.as_bytes());
            hasher.update(&bytes);
            Self::read(&source, &bytes, &mut queries)?;
        }
        Ok(Self { path: path.to_owned(), hash: hasher.finalize(), queries, once: Once::default() })
    }

    fn read(
        source: &Source,
        bytes: &[u8],
        queries: &mut FxHashMap<String, FxHashMap<String, f32>>,
    ) -> Result<(), PrecomputedError> {
        let Source { path, before } = source;
        for (line, text) in text(path, bytes)?.lines().enumerate() {
            let wrong = |detail: &str| malformed(path, line + 1, detail);
            let [query, document, score] = match text.split_whitespace().collect::<Vec<_>>()[..] {
                [] => continue,
                [query, _, document, _, score, _] => [query, document, score],
                _ => return Err(wrong("six columns are wanted: query, Q0, document, rank, score, tag")),
            };
            let score = score.parse().ok().filter(|score: &f32| score.is_finite());
            let score = score.ok_or_else(|| wrong("the fifth column, the score, is not a number"))?;
            if queries.entry(format!("{before}{query}")).or_default().insert(document.to_owned(), score).is_some() {
                return Err(wrong(&format!("`{query}` has the document `{document}` twice")));
            }
        }
        Ok(())
    }

    /// The ranking for a query: by its id, or by its id without the collection, if no other collection has it.
    fn of(&self, query: &Item<'_>) -> Result<Option<&FxHashMap<String, f32>>, PrecomputedError> {
        let found = [Some(query.id), plain(query.id)].into_iter().flatten();
        let Some((id, ranking)) = found.into_iter().find_map(|id| self.queries.get_key_value(id)) else {
            return Ok(None);
        };
        // Another collection has other texts, even where a query is the same.
        self.once.take(&self.path, id, query.id)?;
        Ok(Some(ranking))
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
        let found: Vec<_> = queries.iter().map(|query| self.of(query)).collect::<Result<_, _>>()?;
        let mut missing = queries.iter().zip(&found).filter(|(_, ranking)| ranking.is_none());
        if let Some((first, _)) = missing.next() {
            return Err(ModelError::Precomputed(PrecomputedError::Missing {
                path: self.path.clone(),
                what: "a ranking",
                id: first.id.to_owned(),
                missing: 1 + missing.count(),
                all: queries.len(),
            }));
        }
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        for (document, number) in documents.iter().zip(0..) {
            numbers.extend([Some(document.id), plain(document.id)].into_iter().flatten().map(|id| (id, number)));
        }
        let mut rankings = Vec::with_capacity(queries.len());
        for found in found.into_iter().flatten() {
            let mut ranking = Vec::new();
            for (id, &score) in found {
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
