//! Which documents are relevant to which query, and how much.

use super::{Lists, RetrievalError, Seen};

/// The relevant documents of each query with their grades, in the order of the queries.
#[derive(Debug, Clone)]
pub struct Judgements {
    pub(super) documents: usize,
    /// Only relevant documents, in the order of their numbers.
    pub(super) relevant: Lists<(u32, u32)>,
    seen: Seen,
}

impl Judgements {
    /// No judgements yet, over so many documents.
    pub fn new(documents: usize) -> Self {
        Self { documents, relevant: Lists::new(), seen: Seen::new(documents) }
    }

    /// Adds the next query's documents, each with its grade, in any order; 0 is "not relevant".
    ///
    /// After an error nothing has been added.
    pub fn push(&mut self, graded: &[(u32, u32)]) -> Result<(), RetrievalError> {
        let query = self.relevant.len();
        self.seen.next_list();
        graded.iter().try_for_each(|&(document, _)| self.seen.check(query, document))?;
        let start = self.relevant.items.len();
        self.relevant.push(graded.iter().copied().filter(|&(_, grade)| grade > 0));
        self.relevant.items[start..].sort_unstable();
        Ok(())
    }

    /// How many queries have been judged.
    pub fn queries(&self) -> usize {
        self.relevant.len()
    }

    /// How many documents there are.
    pub fn documents(&self) -> usize {
        self.documents
    }

    /// A query's relevant documents with their grades, in the order of their numbers.
    ///
    /// # Panics
    /// Where there is no such query.
    pub fn relevant(&self, query: usize) -> &[(u32, u32)] {
        self.relevant.get(query)
    }

    /// The queries for which no document is relevant; no ranking can do them justice, and all score 0.
    pub fn without_relevant(&self) -> impl Iterator<Item = usize> {
        (0..self.queries()).filter(|&query| self.relevant.get(query).is_empty())
    }
}
