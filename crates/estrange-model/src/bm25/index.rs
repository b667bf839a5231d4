//! An index of documents by their words, with the scores that each word gives.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::options::{Options, Variant};
use super::terms::{self, Terms};
use crate::dense::best;
use crate::error::ModelError;
use crate::traits::{Item, Scored, Watch};

/// How many queries are ranked before whoever watches is asked again.
const AT_ONCE: usize = 256;

/// Documents by their words.
pub struct Index {
    documents: usize,
    terms: Terms,
    k3: f64,
    /// The number of each word.
    numbers: FxHashMap<String, u32>,
    /// Where each word's scores are.
    lists: Vec<List>,
    postings: Vec<Posting>,
    rows: Vec<f32>,
    /// What each word adds to a document that does not have it. Empty where that is nothing.
    absent: Vec<f32>,
}

/// What a word adds to a document's score, beyond what it adds to one that does not have it.
#[derive(Clone, Copy, Default)]
struct Posting {
    document: u32,
    score: f32,
}

/// Where a word's scores are.
enum List {
    /// Of a word that at most half of the documents have: its postings, in the order of documents.
    Postings(Range<usize>),
    /// Of any other: where a row begins that has a score for each document. It takes less room, and less time.
    Row(usize),
}

impl Index {
    /// An index of some documents.
    pub fn new(options: &Options, documents: &[Item<'_>]) -> Self {
        // Words get their numbers in the order in which they come, however many parts there are.
        let part = documents.len().div_ceil(rayon::current_num_threads()).max(1);
        let counted: Vec<Counted> =
            documents.par_chunks(part).map(|documents| Counted::new(&Terms::new(options), documents)).collect();

        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut frequencies: Vec<u32> = Vec::new();
        let mut counts = Vec::with_capacity(counted.len());
        for Counted { terms, frequencies: own, documents } in counted {
            let mut number_of = Vec::with_capacity(terms.len());
            for (term, own) in terms.into_iter().zip(own) {
                let next = numbers.len() as u32;
                let number = *numbers.entry(term).or_insert(next);
                if number == next {
                    frequencies.push(0);
                }
                frequencies[number as usize] += own;
                number_of.push(number);
            }
            counts.push((number_of, documents));
        }

        let all = documents.len() as f64;
        let length = |counts: &Counts| f64::from(counts.length);
        let mean_length = counts.iter().flat_map(|(_, documents)| documents).map(length).sum::<f64>() / all;
        let formula = Formula { options, all, mean_length };
        let weights: Vec<f64> = frequencies.iter().map(|&frequency| formula.weight(f64::from(frequency))).collect();
        let absent: Vec<f32> = match formula.count(0.0, mean_length) {
            0.0 => Vec::new(),
            score => weights.iter().map(|weight| (weight * score) as f32).collect(),
        };

        let (mut end_of_postings, mut end_of_rows) = (0, 0);
        let list = |&frequency: &u32| {
            let frequency = frequency as usize;
            if frequency > documents.len() / 2 {
                end_of_rows += documents.len();
                List::Row(end_of_rows - documents.len())
            } else {
                end_of_postings += frequency;
                List::Postings(end_of_postings - frequency..end_of_postings - frequency)
            }
        };
        let mut lists: Vec<List> = frequencies.iter().map(list).collect();
        let mut postings = vec![Posting::default(); end_of_postings];
        let mut rows = vec![0.0; end_of_rows];
        let mut document = 0;
        for (number_of, documents) in counts {
            for counts in documents {
                for &(term, count) in &counts.terms {
                    let term = number_of[term as usize] as usize;
                    let score = weights[term] * formula.count(f64::from(count), f64::from(counts.length));
                    let score = score as f32 - absent.get(term).copied().unwrap_or(0.0);
                    match &mut lists[term] {
                        List::Row(start) => rows[*start + document as usize] = score,
                        List::Postings(places) => {
                            postings[places.end] = Posting { document, score };
                            places.end += 1;
                        }
                    }
                }
                document += 1;
            }
        }
        Self {
            documents: documents.len(),
            terms: Terms::new(options),
            k3: options.k3,
            numbers,
            lists,
            postings,
            rows,
            absent,
        }
    }

    /// For each query the best `depth` documents, as [`Ranker`](crate::Ranker) orders them.
    pub fn rank(&self, queries: &[Item<'_>], depth: usize, watch: &dyn Watch) -> Result<Vec<Vec<Scored>>, ModelError> {
        let mut rankings = Vec::with_capacity(queries.len());
        for queries in queries.chunks(AT_ONCE) {
            if watch.should_stop() {
                return Err(ModelError::Stopped);
            }
            let scores = || vec![0.0; self.documents];
            let rank = |scores: &mut Vec<f32>, query: &Item<'_>| self.best(query.text, depth, scores);
            rankings.par_extend(queries.par_iter().map_init(scores, rank));
            watch.done(queries.len());
        }
        Ok(rankings)
    }

    /// The best documents for a query. `scores` has a place for each document, all 0, and is left so.
    fn best(&self, query: &str, depth: usize, scores: &mut [f32]) -> Vec<Scored> {
        let mut found: Vec<u32> = terms::words(query)
            .flat_map(|word| self.terms.of(word))
            .filter_map(|term| self.numbers.get(&term).copied())
            .collect();
        found.sort_unstable();
        let mut absent = 0.0;
        for same in found.chunk_by(|left, right| left == right) {
            let term = same[0] as usize;
            let count = same.len() as f64;
            let weight = if self.k3.is_infinite() { count } else { count * (self.k3 + 1.0) / (self.k3 + count) } as f32;
            match &self.lists[term] {
                List::Row(start) => {
                    let row = &self.rows[*start..*start + self.documents];
                    scores.iter_mut().zip(row).for_each(|(score, added)| *score += weight * added);
                }
                List::Postings(places) => {
                    for posting in &self.postings[places.clone()] {
                        scores[posting.document as usize] += weight * posting.score;
                    }
                }
            }
            absent += weight * self.absent.get(term).copied().unwrap_or(0.0);
        }
        let mut best = best(scores.iter().copied(), depth);
        best.iter_mut().for_each(|scored| scored.score += absent);
        scores.fill(0.0);
        best
    }
}

/// How a word is scored.
struct Formula<'a> {
    options: &'a Options,
    /// How many documents there are.
    all: f64,
    mean_length: f64,
}

impl Formula<'_> {
    /// What a word is worth that so many documents have.
    fn weight(&self, frequency: f64) -> f64 {
        let odds = (self.all - frequency + 0.5) / (frequency + 0.5);
        match self.options.variant {
            Variant::Robertson => odds.max(1.0).ln(),
            Variant::Lucene => odds.ln_1p(),
            Variant::Atire => (self.all / frequency).ln(),
            Variant::Plus => ((self.all + 1.0) / frequency).ln(),
            Variant::L => ((self.all + 1.0) / (frequency + 0.5)).ln(),
        }
    }

    /// How much of that a document gets which has the word so often and so many words in all.
    fn count(&self, count: f64, length: f64) -> f64 {
        let Options { variant, k1, b, delta, .. } = *self.options;
        // Without any word in any document, no length is longer than another.
        let relative = if self.mean_length > 0.0 { length / self.mean_length } else { 1.0 };
        let norm = 1.0 - b + b * relative;
        let saturated = |count: f64, norm: f64| if count > 0.0 { count / (k1 * norm + count) } else { 0.0 };
        match variant {
            Variant::Robertson | Variant::Lucene => saturated(count, norm),
            Variant::Atire => (k1 + 1.0) * saturated(count, norm),
            Variant::Plus => (k1 + 1.0) * saturated(count, norm) + delta,
            Variant::L => (k1 + 1.0) * saturated(count / norm + delta, 1.0),
        }
    }
}

/// Some documents, with how often each has which word. Words have numbers of their own here.
struct Counted {
    terms: Vec<String>,
    /// How many of these documents have each word.
    frequencies: Vec<u32>,
    documents: Vec<Counts>,
}

struct Counts {
    /// Each word with how often it is there.
    terms: Vec<(u32, u32)>,
    /// How many words there are in all.
    length: u32,
}

impl Counted {
    fn new(finder: &Terms, documents: &[Item<'_>]) -> Self {
        let mut counts = Vec::with_capacity(documents.len());
        let mut frequencies: Vec<u32> = Vec::new();
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        // Code says the same again and again: what a word comes to is found out once.
        let mut known: FxHashMap<&str, Range<usize>> = FxHashMap::default();
        let mut terms_of_known: Vec<u32> = Vec::new();
        let mut found: Vec<u32> = Vec::new();
        for document in documents {
            found.clear();
            for word in terms::words(document.text) {
                let terms = known.entry(word).or_insert_with(|| {
                    let start = terms_of_known.len();
                    for term in finder.of(word) {
                        let next = numbers.len() as u32;
                        terms_of_known.push(*numbers.entry(term).or_insert(next));
                    }
                    start..terms_of_known.len()
                });
                found.extend(&terms_of_known[terms.clone()]);
            }
            frequencies.resize(numbers.len(), 0);
            let length = found.len() as u32;
            found.sort_unstable();
            let same = found.chunk_by(|left, right| left == right);
            let terms: Vec<(u32, u32)> = same.map(|same| (same[0], same.len() as u32)).collect();
            terms.iter().for_each(|&(term, _)| frequencies[term as usize] += 1);
            counts.push(Counts { terms, length });
        }
        let mut terms = vec![String::new(); numbers.len()];
        numbers.into_iter().for_each(|(term, number)| terms[number as usize] = term);
        Self { terms, frequencies, documents: counts }
    }
}
