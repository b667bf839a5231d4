//! Rankings by the likeness of vectors.

use rayon::prelude::*;
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

    /// The embedder.
    pub fn model(&self) -> &E {
        &self.embedder
    }

    /// All vectors are of one length, of numbers, and point somewhere.
    fn check<'a>(&self, mut vectors: impl Iterator<Item = &'a Vec<f32>>) -> Result<(), ModelError> {
        let mut length = None;
        vectors.try_for_each(|vector| {
            let expected = *length.get_or_insert(vector.len());
            if vector.len() != expected {
                let values = |count: usize| format!("a vector of {count} values");
                return Err(self.wrong(values(vector.len()), values(expected)));
            }
            match vector.iter().position(|value| !value.is_finite()) {
                None if vector.iter().all(|value| *value == 0.0) => {
                    Err(self.wrong("a vector of zeros".to_owned(), "one that points somewhere".to_owned()))
                }
                None => Ok(()),
                Some(place) => {
                    Err(self.wrong(format!("a vector whose value {place} is not a finite number"), "one".to_owned()))
                }
            }
        })
    }

    fn wrong(&self, given: String, expected: String) -> ModelError {
        ModelError::wrong(&self.embedder.card(), given, expected)
    }
}

impl<E: Embedder> Ranker for Dense<E> {
    fn card(&self) -> Value {
        self.embedder.card()
    }

    fn prepare(&self, queries: &[Item<'_>], documents: &[Item<'_>], watch: &dyn Watch) -> Result<(), ModelError> {
        self.embedder.prepare(documents, Role::Document, watch)?;
        self.embedder.prepare(queries, Role::Query, watch)
    }

    fn rank(
        &self,
        queries: &[Item<'_>],
        documents: &[Item<'_>],
        depth: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Vec<Scored>>, ModelError> {
        let vectors = |texts: &[Item<'_>], role| {
            let vectors = self.embedder.embed(texts, role, watch)?;
            match vectors.len() == texts.len() {
                true => Ok(vectors),
                false => Err(self.wrong(format!("{} vectors", vectors.len()), texts.len().to_string())),
            }
        };
        let documents = vectors(documents, Role::Document)?;
        let queries = vectors(queries, Role::Query)?;
        self.check(documents.iter().chain(&queries))?;
        let (documents, queries) = (unit_length(documents), unit_length(queries));
        let rank = |query: &Vec<f32>| best(documents.iter().map(|document| product(query, document)), depth);
        Ok(queries.par_iter().map(rank).collect())
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
    // Several sums at a time: one alone would have to be added up in order.
    const SUMS: usize = 16;
    let (left, left_rest) = left.as_chunks::<SUMS>();
    let (right, right_rest) = right.as_chunks::<SUMS>();
    let mut sums = [0.0; SUMS];
    for (left, right) in left.iter().zip(right) {
        sums.iter_mut().zip(left.iter().zip(right)).for_each(|(sum, (left, right))| *sum += left * right);
    }
    let rest = left_rest.iter().zip(right_rest).map(|(left, right)| left * right);
    sums.into_iter().chain(rest).sum()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traits::Silent;

    /// Gives the vectors that the texts spell.
    struct Spelt;

    impl Embedder for Spelt {
        fn card(&self) -> Value {
            serde_json::json!({ "model": "spelt" })
        }

        fn embed(&self, texts: &[Item<'_>], _: Role, _: &dyn Watch) -> Result<Vec<Vec<f32>>, ModelError> {
            let texts = texts.iter().filter(|text| text.text != "nothing");
            Ok(texts.map(|text| text.text.split(' ').map(|value| value.parse().unwrap()).collect()).collect())
        }
    }

    fn rank(query: &str, documents: &[&str], depth: usize) -> Result<Vec<(u32, f32)>, ModelError> {
        let documents: Vec<Item<'_>> = documents.iter().map(|text| Item { id: "", text }).collect();
        let rankings = Dense::new(Spelt).rank(&[Item { id: "", text: query }], &documents, depth, &Silent)?;
        Ok(rankings[0].iter().map(|scored| (scored.document, scored.score)).collect())
    }

    #[test]
    fn likeness_is_the_cosine() {
        let ranking = rank("2 0", &["0 1", "3 4", "5 0", "-1 0", "0 -1"], 4).unwrap();
        assert_eq!(ranking, [(2, 1.0), (1, 0.6), (4, 0.0), (0, 0.0)]);
        assert_eq!(rank("1", &["1"], 0).unwrap(), []);
    }

    #[test]
    fn products_of_any_length_are_right() {
        for length in [0, 1, 15, 16, 17, 40] {
            let values: Vec<f32> = (0..length).map(|value| value as f32).collect();
            let expected: f32 = (0..length).map(|value| (value * value) as f32).sum();
            assert_eq!(product(&values, &values), expected, "{length}");
        }
    }

    #[test]
    fn the_best_are_those_of_a_sort() {
        let scores: Vec<f32> = (0..1000_u32).map(|number| (number * 7919 % 101) as f32).collect();
        let mut all: Vec<Scored> =
            scores.iter().zip(0..).map(|(&score, document)| Scored { document, score }).collect();
        all.sort_by(Scored::order);
        for depth in [1, 2, 10, 500, 999, 1000, 2000] {
            assert_eq!(best(scores.iter().copied(), depth), all[..depth.min(1000)], "{depth}");
        }
    }

    #[test]
    fn wrong_vectors_are_no_scores() {
        for (query, documents) in [
            ("1 2", ["1 2", "1"]),
            ("1", ["1 2", "1 2"]),
            ("1", ["1", "NaN"]),
            ("1", ["nothing", "1"]),
            ("0", ["1", "1"]),
            ("1", ["0", "1"]),
        ] {
            assert!(matches!(rank(query, &documents, 1), Err(ModelError::WrongAnswer { .. })), "{documents:?}");
        }
    }
}
