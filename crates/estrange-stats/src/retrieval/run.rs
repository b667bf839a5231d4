//! The rankings that a search answered with, one a query.

use super::{Lists, RetrievalError, Seen};

/// Rankings of documents, one for each query, in the order of the queries.
#[derive(Debug, Clone)]
pub struct Run {
    pub(super) documents: usize,
    pub(super) rankings: Lists<u32>,
    seen: Seen,
    keys: Vec<u64>,
}

impl Run {
    /// No rankings yet, over so many documents.
    pub fn new(documents: usize) -> Self {
        Self { documents, rankings: Lists::new(), seen: Seen::new(documents), keys: Vec::new() }
    }

    /// Ranks the results of the next query, which come in any order: by score, highest first, then by document, last
    /// first.
    ///
    /// After an error nothing has been added.
    pub fn push(&mut self, results: &[(u32, f32)]) -> Result<(), RetrievalError> {
        let query = self.rankings.len();
        self.seen.next_list();
        self.keys.clear();
        for &(document, score) in results {
            self.seen.check(query, document)?;
            if score.is_nan() {
                return Err(RetrievalError::NotANumber { query, document });
            }
            self.keys.push(key(document, score));
        }
        self.keys.sort_unstable();
        // The document is the lower half of its key.
        self.rankings.push(self.keys.iter().rev().map(|&key| key as u32));
        Ok(())
    }

    /// Adds the next query's documents, the best first.
    ///
    /// After an error nothing has been added.
    pub fn push_ranked(&mut self, documents: &[u32]) -> Result<(), RetrievalError> {
        let query = self.rankings.len();
        self.seen.next_list();
        documents.iter().try_for_each(|&document| self.seen.check(query, document))?;
        self.rankings.push(documents.iter().copied());
        Ok(())
    }

    /// How many queries have a ranking.
    pub fn queries(&self) -> usize {
        self.rankings.len()
    }

    /// How many documents could have been found.
    pub fn documents(&self) -> usize {
        self.documents
    }

    /// A query's documents, the best first.
    ///
    /// # Panics
    /// Where there is no such query.
    pub fn ranking(&self, query: usize) -> &[u32] {
        self.rankings.get(query)
    }
}

/// A number that is the higher, the earlier a document with this score comes.
fn key(document: u32, score: f32) -> u64 {
    // Adding zero turns minus zero, which is the same score, into zero.
    let bits = (score + 0.0).to_bits();
    // Floating point numbers are ordered as their bits are, but for the sign: negative ones the other way round, and
    // first.
    let ordered = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    u64::from(ordered) << 32 | u64::from(document)
}
