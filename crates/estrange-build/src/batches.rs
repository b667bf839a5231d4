//! Work on many things together: in batches of those that are alike, each batch kept by itself.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::BuildError;
use crate::options::Progress;
use crate::store::{Keep, Store};

/// Counts things that are done, for whoever is told.
pub(crate) struct Counter<'p> {
    progress: &'p dyn Progress,
    done: AtomicUsize,
    of: usize,
}

impl<'p> Counter<'p> {
    pub(crate) fn new(progress: &'p dyn Progress, of: usize) -> Self {
        Self { progress, done: AtomicUsize::new(0), of }
    }

    pub(crate) fn add(&self, count: usize) {
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

/// Things in batches.
pub(crate) struct Batches<'a, T> {
    /// The members of each batch, with their places among all.
    batches: Vec<Vec<(usize, &'a T)>>,
    count: usize,
}

impl<'a, T: Sync> Batches<'a, T> {
    /// At most `size` things with the same `key` together.
    pub(crate) fn alike<K: Ord>(things: &'a [T], size: usize, key: impl Fn(&'a T) -> K) -> Self {
        let mut alike: BTreeMap<K, Vec<(usize, &T)>> = BTreeMap::new();
        for (index, thing) in things.iter().enumerate() {
            alike.entry(key(thing)).or_default().push((index, thing));
        }
        let batches = alike.values().flat_map(|all| all.chunks(size).map(<[_]>::to_vec)).collect();
        Self { batches, count: things.len() }
    }

    /// What `make` gives for each thing, in their order; it may say of single things that they are done. A batch that the
    /// store has under its `key` is not made again.
    pub(crate) fn made<M: Serialize + DeserializeOwned + Send>(
        &self,
        store: &Store,
        progress: &dyn Progress,
        key: impl Fn(&[&T]) -> String + Sync,
        make: impl Fn(&[&T], &Early<'_>) -> Result<Vec<M>, BuildError> + Sync,
    ) -> Result<Vec<M>, BuildError> {
        let counter = Counter::new(progress, self.count);
        let results: Vec<Vec<(usize, M)>> = self
            .batches
            .par_iter()
            .map(|batch| {
                if progress.is_cancelled() {
                    return Err(BuildError::Cancelled);
                }
                let (places, members): (Vec<usize>, Vec<&T>) = batch.iter().copied().unzip();
                let early = Early { counter: &counter, done: AtomicUsize::new(0) };
                let made = store.get_or(&key(&members), || Ok((make(&members, &early)?, Keep::Yes)))?;
                counter.add(batch.len().saturating_sub(early.done.into_inner()));
                Ok(places.into_iter().zip(made).collect())
            })
            .collect::<Result<_, _>>()?;
        let mut all: Vec<(usize, M)> = results.into_iter().flatten().collect();
        all.sort_by_key(|(place, _)| *place);
        Ok(all.into_iter().map(|(_, made)| made).collect())
    }
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
    fn what_is_done_of_a_batch_is_told_before_all_of_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let things = [1, 2, 3, 4];
        let told = || {
            let counts = Counts::default();
            let batches = Batches::alike(&things, 4, |_| ());
            let made = batches.made(
                &store,
                &counts,
                |_| "key".to_owned(),
                |batch, early| {
                    early.one();
                    early.one();
                    Ok(batch.iter().map(|thing| **thing).collect::<Vec<i32>>())
                },
            );
            assert_eq!(made.unwrap(), things);
            counts.0.into_inner().unwrap()
        };
        assert_eq!(told(), [(1, 4), (2, 4), (4, 4)]);
        // What is kept is all done at once.
        assert_eq!(told(), [(4, 4)]);
    }
}
