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

use serde_json::{Value, json};

pub use index::Index;
pub use options::{Options, OptionsError, Variant};

use crate::error::ModelError;
use crate::traits::{Item, Ranker, Scored, Watch};
use terms::Terms;

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

    /// An index, for who has more queries later.
    pub fn index(&self, documents: &[Item<'_>]) -> Index {
        Index::new(&self.options, documents)
    }

    /// What a text is to this ranker: its words, as they are looked up.
    pub fn terms(&self, text: &str) -> Vec<String> {
        let terms = Terms::new(&self.options);
        terms::words(text).flat_map(|word| terms.of(word)).collect()
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
        let index = self.index(documents);
        watch.done(documents.len());
        index.rank(queries, depth, watch)
    }
}
