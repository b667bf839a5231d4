//! Documents that are copies of each other and count as one.
//!
//! **The rule.** The documents of a class are one document. It stands where the first of them stands in a ranking;
//! the others are taken out, and what follows moves up. Its grade is the highest that any of them has. So whoever
//! finds a copy of the right answer has found it, finding all copies is no better than finding one, and copies of
//! wrong answers push nothing down either. A class is relevant once: it adds one to the count that recall divides by.

use super::{Judgements, RetrievalError, Run, Seen};

/// Which documents are one: for each document the one that stands for its class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    of: Vec<u32>,
}

impl Classes {
    /// Every document is a class of its own.
    ///
    /// # Panics
    /// With more than 2³² documents.
    pub fn new(documents: usize) -> Self {
        Self { of: (0..documents).map(|each| u32::try_from(each).expect("fewer than 2³² documents")).collect() }
    }

    /// Puts documents, and all that are already in a class with one of them, into one class.
    ///
    /// # Panics
    /// Where there is no such document.
    pub fn unite(&mut self, documents: &[u32]) {
        let Some((&first, others)) = documents.split_first() else { return };
        for &other in others {
            let (one, two) = (self.class(first), self.class(other));
            // The root is the lowest of the class, so that the result does not depend on the order of calls.
            self.of[one.max(two) as usize] = one.min(two);
        }
    }

    /// The document that stands for a document's class: the lowest of it.
    ///
    /// # Panics
    /// Where there is no such document.
    pub fn class(&self, document: u32) -> u32 {
        let mut class = document;
        while self.of[class as usize] != class {
            class = self.of[class as usize];
        }
        class
    }

    /// How many documents there are.
    pub fn documents(&self) -> usize {
        self.of.len()
    }
}

impl Judgements {
    /// The same judgements, of classes.
    pub fn merged(&self, classes: &Classes) -> Result<Judgements, RetrievalError> {
        fits(self.documents, classes)?;
        let mut merged = Judgements::new(self.documents);
        for graded in self.relevant.iter() {
            let mut graded: Vec<(u32, u32)> =
                graded.iter().map(|&(document, grade)| (classes.class(document), grade)).collect();
            // The highest grade of each class comes first, and is the one that stays.
            graded.sort_unstable_by(|one, two| two.cmp(one));
            graded.dedup_by_key(|&mut (class, _)| class);
            merged.push(&graded)?;
        }
        Ok(merged)
    }
}

impl Run {
    /// The same rankings, of classes.
    pub fn merged(&self, classes: &Classes) -> Result<Run, RetrievalError> {
        fits(self.documents, classes)?;
        let mut merged = Run::new(self.documents);
        let mut seen = Seen::new(self.documents);
        let mut ranking = Vec::new();
        for documents in self.rankings.iter() {
            seen.next_list();
            ranking.clear();
            ranking.extend(documents.iter().map(|&document| classes.class(document)));
            ranking.retain(|&class| seen.is_new(class) == Some(true));
            merged.push_ranked(&ranking)?;
        }
        Ok(merged)
    }
}

fn fits(documents: usize, classes: &Classes) -> Result<(), RetrievalError> {
    if documents == classes.documents() {
        return Ok(());
    }
    Err(RetrievalError::DoNotFit { what: "documents", judged: documents, ranked: classes.documents() })
}
