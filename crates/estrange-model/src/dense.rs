//! Rankings by the likeness of vectors.

use serde_json::Value;

use crate::{
    error::ModelError,
    traits::{Embedder, Item, Ranker, Role, Scored, Watch},
};

/// Ranks documents by the cosine of the angle between their vectors and the query's.
pub struct Dense<E> {
    embedder: E,
}

impl<E: Embedder> Dense<E> {
    /// A ranker that goes by the vectors of an embedder.
    pub fn new(embedder: E) -> Self {
        Self { embedder }
    }
}

impl<E: Embedder> Ranker for Dense<E> {
    fn card(&self) -> Value {
        self.embedder.card()
    }

    fn rank(
        &self,
        queries: &[Item<'_>],
        documents: &[Item<'_>],
        depth: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Vec<Scored>>, ModelError> {
        let documents = unit_length(self.embedder.embed(documents, Role::Document, watch)?);
        let queries = unit_length(self.embedder.embed(queries, Role::Query, watch)?);
        Ok(queries.iter().map(|query| best(documents.iter().map(|document| product(query, document)), depth)).collect())
    }

    fn embedder(&self) -> Option<&dyn Embedder> {
        Some(&self.embedder)
    }
}

fn unit_length(mut vectors: Vec<Vec<f32>>) -> Vec<Vec<f32>> {
    for vector in &mut vectors {
        let length = product(vector, vector).sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|value| *value /= length);
        }
    }
    vectors
}

fn product(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// The best of some scores, best first; of equal ones the last first.
pub(crate) fn best(scores: impl Iterator<Item = f32>, depth: usize) -> Vec<Scored> {
    if depth == 0 {
        return Vec::new();
    }
    // Twice as many as are wanted are gathered before the worse half goes. Then most scores are below all that is left.
    let mut kept: Vec<Scored> = Vec::new();
    let mut bar = f32::NEG_INFINITY;
    for (document, score) in scores.enumerate() {
        if score >= bar {
            kept.push(Scored { document: document as u32, score });
            if kept.len() == 2 * depth {
                bar = kept.select_nth_unstable_by(depth - 1, Scored::order).1.score;
                kept.truncate(depth);
            }
        }
    }
    kept.sort_unstable_by(Scored::order);
    kept.truncate(depth);
    kept
}
