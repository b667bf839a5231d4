//! Work on many things together: in batches of those that are alike, each batch kept by itself.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::BuildError;
use crate::options::Progress;
use crate::store::{Keep, Store};

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

    /// What `make` gives for each thing, in their order. A batch that the store has under its `key` is not made again.
    pub(crate) fn made<M: Serialize + DeserializeOwned + Send>(
        &self,
        store: &Store,
        progress: &dyn Progress,
        key: impl Fn(&[&T]) -> String + Sync,
        make: impl Fn(&[&T]) -> Result<Vec<M>, BuildError> + Sync,
    ) -> Result<Vec<M>, BuildError> {
        let done = AtomicUsize::new(0);
        let results: Vec<Vec<(usize, M)>> = self
            .batches
            .par_iter()
            .map(|batch| {
                if progress.is_cancelled() {
                    return Err(BuildError::Cancelled);
                }
                let (places, members): (Vec<usize>, Vec<&T>) = batch.iter().copied().unzip();
                let made = store.get_or(&key(&members), || Ok((make(&members)?, Keep::Yes)))?;
                progress.count(done.fetch_add(batch.len(), Ordering::Relaxed) + batch.len(), self.count);
                Ok(places.into_iter().zip(made).collect())
            })
            .collect::<Result<_, _>>()?;
        let mut all: Vec<(usize, M)> = results.into_iter().flatten().collect();
        all.sort_by_key(|(place, _)| *place);
        Ok(all.into_iter().map(|(_, made)| made).collect())
    }
}
