//! Work on many things: what the store has of each is taken from there; the others are worked on in batches of those
//! that are alike, and each is kept by itself.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::BuildError;
use crate::options::Progress;
use crate::store::Store;

/// Counts things that are done, for whoever is told.
pub(crate) struct Counter<'p> {
    pub(crate) progress: &'p dyn Progress,
    done: AtomicUsize,
    of: usize,
}

impl<'p> Counter<'p> {
    pub(crate) fn new(progress: &'p dyn Progress, of: usize) -> Self {
        Self { progress, done: AtomicUsize::new(0), of }
    }

    /// One that counts towards nothing, and tells nobody.
    pub(crate) fn silent(&self) -> Self {
        Self { progress: self.progress, done: AtomicUsize::new(0), of: 0 }
    }

    pub(crate) fn add(&self, count: usize) {
        if self.of == 0 {
            return;
        }
        let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
        self.progress.count(done.min(self.of), self.of);
    }
}

/// Counts the things of one batch that are done before all of it is.
pub(crate) struct Early<'c> {
    counter: &'c Counter<'c>,
    done: AtomicUsize,
}

impl Early<'_> {
    /// One is done.
    pub(crate) fn one(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.counter.add(1);
    }
}

/// How things are worked on.
pub(crate) struct InBatches<'a> {
    /// Where results are kept; nothing where they may not be, nor found.
    pub(crate) store: Option<&'a Store>,
    pub(crate) counter: &'a Counter<'a>,
    /// How many things are worked on together, at most.
    pub(crate) size: usize,
    /// How many bytes of texts they may have.
    pub(crate) bytes: usize,
}

impl InBatches<'_> {
    /// What becomes of each of some things, in their order: what the store has under its `key`, or else what `make`
    /// gives for it and others with which it is `alike`. `make` may say of single things that they are done.
    pub(crate) fn made<T: Sync, K: Ord, M: Serialize + DeserializeOwned + Send>(
        &self,
        things: &[T],
        key: impl Fn(&T) -> String + Sync,
        alike: impl Fn(&T) -> K,
        bytes: impl Fn(&T) -> usize,
        make: impl Fn(&[&T], &Early<'_>) -> Result<Vec<M>, BuildError> + Sync,
    ) -> Result<Vec<M>, BuildError> {
        let keys: Vec<String> = things.par_iter().map(&key).collect();
        let mut made: Vec<Option<M>> = keys.par_iter().map(|key| self.store?.get(key)).collect();
        let mut missing: BTreeMap<K, Vec<usize>> = BTreeMap::new();
        for (index, thing) in things.iter().enumerate().filter(|(index, _)| made[*index].is_none()) {
            missing.entry(alike(thing)).or_default().push(index);
        }
        let bytes = |index: &usize| bytes(&things[*index]);
        let batches: Vec<&[usize]> =
            missing.values().flat_map(|all| bounded(all, self.size, self.bytes, bytes)).collect();
        self.counter.add(things.len() - batches.iter().map(|batch| batch.len()).sum::<usize>());
        let results: Vec<Vec<(usize, M)>> = batches
            .par_iter()
            .map(|batch| {
                if self.counter.progress.is_cancelled() {
                    return Err(BuildError::Cancelled);
                }
                let members: Vec<&T> = batch.iter().map(|index| &things[*index]).collect();
                let early = Early { counter: self.counter, done: AtomicUsize::new(0) };
                let results = make(&members, &early)?;
                for (index, result) in batch.iter().zip(&results) {
                    self.store.map_or(Ok(()), |store| store.put(&keys[*index], result))?;
                }
                self.counter.add(batch.len().saturating_sub(early.done.into_inner()));
                Ok(batch.iter().copied().zip(results).collect())
            })
            .collect::<Result<_, _>>()?;
        for (index, result) in results.into_iter().flatten() {
            made[index] = Some(result);
        }
        // Each was in the store, or in one batch.
        Ok(made.into_iter().flatten().collect())
    }
}

/// Things in their order, in pieces of at most so many of them, and so many bytes if they are several.
pub(crate) fn bounded<T>(mut things: &[T], size: usize, bytes: usize, bytes_of: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let mut pieces = Vec::new();
    while !things.is_empty() {
        let mut sum = 0;
        let fits = |thing: &&T| {
            sum += bytes_of(thing);
            sum <= bytes
        };
        let count = things.iter().take(size).take_while(fits).count().max(1);
        let (piece, rest) = things.split_at(count);
        pieces.push(piece);
        things = rest;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Counts(Mutex<Vec<(usize, usize)>>);

    impl Progress for Counts {
        fn source(&self, _: &str) {}
        fn step(&self, _: &str) {}
        fn count(&self, done: usize, of: usize) {
            self.0.lock().unwrap().push((done, of));
        }
        fn source_done(&self, _: &str, _: usize, _: usize) {}
        fn source_lost(&self, _: &str, _: &str, _: Option<&str>) {}
        fn fetching(&self) -> &dyn estrange_source::Progress {
            &estrange_source::Silent
        }
        fn is_cancelled(&self) -> bool {
            false
        }
    }

    #[test]
    fn pieces_are_bounded_in_number_and_in_bytes() {
        let pieces = |things: &[usize]| -> Vec<Vec<usize>> {
            bounded(things, 3, 10, |thing| *thing).into_iter().map(<[usize]>::to_vec).collect()
        };
        assert_eq!(pieces(&[1, 1, 1, 1]), [vec![1, 1, 1], vec![1]]);
        assert_eq!(pieces(&[6, 5, 4, 50, 2]), [vec![6], vec![5, 4], vec![50], vec![2]]);
        assert_eq!(pieces(&[]), [[0; 0]; 0]);
    }

    #[test]
    fn what_is_done_of_a_batch_is_told_before_all_of_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let told = |things: &[i32]| {
            let counts = Counts::default();
            let asked = Mutex::new(Vec::new());
            let counter = Counter::new(&counts, things.len());
            let made = InBatches { store: Some(&store), counter: &counter, size: 4, bytes: 100 }.made(
                things,
                |thing| crate::store::key("test", &[&thing.to_le_bytes()]),
                |_| (),
                |_| 1,
                |batch, early| {
                    asked.lock().unwrap().extend(batch.iter().map(|thing| **thing));
                    early.one();
                    Ok(batch.iter().map(|thing| **thing).collect::<Vec<i32>>())
                },
            );
            assert_eq!(made.unwrap(), things);
            (asked.into_inner().unwrap(), counts.0.into_inner().unwrap())
        };
        assert_eq!(told(&[1, 2, 3, 4]), (vec![1, 2, 3, 4], vec![(0, 4), (1, 4), (4, 4)]));
        // What is kept is all done at once, and one that is new costs one.
        assert_eq!(told(&[1, 2, 3, 4]), (vec![], vec![(4, 4)]));
        assert_eq!(told(&[1, 7, 2, 4]), (vec![7], vec![(3, 4), (4, 4), (4, 4)]));
    }
}
