//! The order of documents by words that they share with the query.
//!
//! A word counts the more, the fewer documents have it, the more often the document has it, and the shorter the document
//! is. What exactly that means is a matter of [`Variant`]s; words are found by a tokenizer that knows identifiers (see
//! [`Options`]).
//!
//! What a word adds to a document's score does not depend on the query. So it is computed while the index is made, and a
//! query only adds up, word by word.

mod index;
mod options;
mod terms;
#[cfg(test)]
mod tests;
mod words;

use rayon::prelude::*;
use serde_json::{Value, json};

pub use options::{Options, OptionsError, Variant};

use crate::error::ModelError;
use crate::traits::{Item, Ranker, Scored, Watch};
use index::Index;

/// How many queries are ranked before whoever watches is asked again.
const AT_ONCE: usize = 256;

/// A ranker that goes by words.
#[derive(Debug, Clone, Default)]
pub struct Bm25 {
    options: Options,
}

impl Bm25 {
    /// A ranker with these options.
    pub fn new(options: Options) -> Self {
        Self { options }
    }
}

impl Ranker for Bm25 {
    fn card(&self) -> Value {
        let mut card = json!({ "model": "bm25" });
        if let (Some(card), Value::Object(options)) = (card.as_object_mut(), json!(self.options)) {
            card.extend(options);
        }
        card
    }

    fn rank(
        &self,
        queries: &[Item<'_>],
        documents: &[Item<'_>],
        depth: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Vec<Scored>>, ModelError> {
        let index = Index::new(&self.options, documents);
        watch.done(documents.len());
        let mut rankings = Vec::with_capacity(queries.len());
        for queries in queries.chunks(AT_ONCE) {
            if watch.should_stop() {
                return Err(ModelError::Stopped);
            }
            let scores = || vec![0.0; documents.len()];
            rankings
                .par_extend(queries.par_iter().map_init(scores, |scores, query| index.rank(query.text, depth, scores)));
            watch.done(queries.len());
        }
        Ok(rankings)
    }
}
