//! Metrics of rankings: how well a search put the relevant documents to the top, per query and on average.
//!
//! The values are those of trec_eval (and so of `pytrec_eval`, which BEIR and MTEB use) and of `ranx`:
//!
//! - A ranking goes by **score, highest first, then by document, last first**. Scores are compared in single
//!   precision, as trec_eval does, so they are `f32` here. The order in which results come does not matter.
//! - A grade of 0 is "not relevant", as is a document without a grade. Negative grades of TREC files are 0 here.
//! - A query whose ranking is empty, or that has no relevant document, scores 0 and is part of the mean.
//!   [`Judgements::without_relevant`] names the latter, for a caller that refuses them.
//!
//! Documents are numbers below a count that the caller knows. "Last first" then means the highest number first;
//! [`Names`] numbers strings such that this is the order trec_eval would have.
//!
//! Documents that are copies of each other can be made one by [`Classes`].
//!
//! ```
//! use estrange_stats::retrieval::{Judgements, Measure, Names, Run, evaluate};
//!
//! let names = Names::new(["adler32", "crc32", "inflate", "deflate"]);
//! let number = |name| names.number(name).unwrap();
//!
//! let mut judgements = Judgements::new(names.len());
//! judgements.push(&[(number("crc32"), 2), (number("adler32"), 1)])?;
//!
//! let mut run = Run::new(names.len());
//! run.push(&[(number("inflate"), 0.4), (number("crc32"), 0.7), (number("deflate"), 0.7)])?;
//!
//! let measures: Vec<Measure> = ["ndcg@10", "mrr@10", "recall@1"].map(|name| name.parse().unwrap()).to_vec();
//! let scores = evaluate(&judgements, &run, &measures)?;
//! assert_eq!(scores.of(&measures[1]), Some(&[0.5][..])); // of the two with 0.7, `deflate` comes first
//! assert_eq!(scores.mean(&measures[2]), Some(0.0));
//! # Ok::<(), estrange_stats::retrieval::RetrievalError>(())
//! ```

mod classes;
mod evaluate;
mod judgements;
mod measure;
mod names;
mod run;

pub use classes::Classes;
pub use evaluate::{Scores, evaluate};
pub use judgements::Judgements;
pub use measure::{Kind, Measure, MeasureError};
pub use names::Names;
pub use run::Run;

/// What is wrong with a ranking or a judgement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RetrievalError {
    /// A document's number is not below the count of documents.
    #[error("query {query} names document {document}, but there are only {documents} documents")]
    NoSuchDocument {
        /// The query, counted from 0.
        query: usize,
        /// The document that is not there.
        document: u32,
        /// How many documents there are.
        documents: usize,
    },
    /// A query names a document twice.
    #[error("query {query} names document {document} twice")]
    Twice {
        /// The query, counted from 0.
        query: usize,
        /// The document.
        document: u32,
    },
    /// A score that cannot be compared with others.
    #[error("query {query} gives document {document} a score that is not a number")]
    NotANumber {
        /// The query, counted from 0.
        query: usize,
        /// The document.
        document: u32,
    },
    /// Judgements and rankings are not of the same queries or documents.
    #[error("there are judgements for {judged} {what}, but rankings of {ranked}")]
    DoNotFit {
        /// What there is a different number of: queries or documents.
        what: &'static str,
        /// How many of them the judgements have.
        judged: usize,
        /// How many of them the rankings have.
        ranked: usize,
    },
}

/// Lists of things, one list a query, one after the other in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Lists<T> {
    items: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Lists<T> {
    fn new() -> Self {
        Self { items: Vec::new(), ends: Vec::new() }
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, list: usize) -> &[T] {
        let start = if list == 0 { 0 } else { self.ends[list - 1] };
        &self.items[start..self.ends[list]]
    }

    fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).map(|list| self.get(list))
    }

    fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.ends.push(self.items.len());
    }

    /// The length of the longest list.
    fn longest(&self) -> usize {
        self.iter().map(<[T]>::len).max().unwrap_or(0)
    }
}

/// Tells whether a list names a document twice, without sorting: each document remembers the last list that had it.
#[derive(Debug, Clone)]
struct Seen {
    last: Vec<u32>,
    list: u32,
}

impl Seen {
    fn new(documents: usize) -> Self {
        Self { last: vec![0; documents], list: 0 }
    }

    fn next_list(&mut self) {
        self.list = self.list.checked_add(1).unwrap_or_else(|| {
            self.last.fill(0);
            1
        });
    }

    /// Whether this is the first time that this list names the document, or nothing where there is no such document.
    fn is_new(&mut self, document: u32) -> Option<bool> {
        let last = self.last.get_mut(document as usize)?;
        Some(std::mem::replace(last, self.list) != self.list)
    }

    /// Accepts each document of a list once.
    fn check(&mut self, query: usize, document: u32) -> Result<(), RetrievalError> {
        match self.is_new(document) {
            Some(true) => Ok(()),
            Some(false) => Err(RetrievalError::Twice { query, document }),
            None => Err(RetrievalError::NoSuchDocument { query, document, documents: self.last.len() }),
        }
    }
}

#[cfg(test)]
mod tests;
