//! Asking about many things side by side.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use estrange_model::{ModelError, Watch};

/// All answers about all things, in their order, of which several are asked about at once. The first error ends it.
pub(crate) fn side_by_side<T: Sync, A: Send>(
    things: &[T],
    at_once: usize,
    watch: &dyn Watch,
    ask: impl Fn(&T) -> Result<A, ModelError> + Sync,
) -> Result<Vec<A>, ModelError> {
    let next = AtomicUsize::new(0);
    let made: Mutex<Vec<(usize, Result<A, ModelError>)>> = Mutex::new(Vec::new());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(thing) = things.get(at) else { return };
            let answer = ask(thing);
            let is_failed = answer.is_err();
            made.lock().unwrap_or_else(PoisonError::into_inner).push((at, answer));
            if is_failed {
                next.store(things.len(), Ordering::Relaxed);
                return;
            }
            watch.done(1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..at_once.clamp(1, things.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_by_key(|(at, _)| *at);
    made.into_iter().map(|(_, answer)| answer).collect()
}
