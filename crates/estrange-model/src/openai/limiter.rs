//! How fast a server may be asked, and by how many at a time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const A_MINUTE: f64 = 60.0;
/// How long a wait goes on before it is asked whether it should.
const SLICE: Duration = Duration::from_millis(50);

/// Spaces requests so that a minute has no more of them, and no more tokens, than it may.
#[derive(Debug)]
pub(super) struct RateLimiter {
    requests_a_minute: Option<u32>,
    tokens_a_minute: Option<u64>,
    /// When the next request may go.
    next: Mutex<Instant>,
}

impl RateLimiter {
    pub(super) fn new(requests_a_minute: Option<u32>, tokens_a_minute: Option<u64>) -> Self {
        Self { requests_a_minute, tokens_a_minute, next: Mutex::new(Instant::now()) }
    }

    /// Waits until a request of so many tokens may go. Says whether it may, or should stop instead.
    pub(super) fn wait(&self, tokens: u64, should_stop: &dyn Fn() -> bool) -> bool {
        let minutes_of = |count: f64, in_a_minute: Option<f64>| in_a_minute.map_or(0.0, |bound| count / bound.max(1.0));
        let by_requests = minutes_of(1.0, self.requests_a_minute.map(f64::from));
        let by_tokens = minutes_of(tokens as f64, self.tokens_a_minute.map(|bound| bound as f64));
        let until = {
            let mut next = lock(&self.next);
            let start = (*next).max(Instant::now());
            *next = start + Duration::from_secs_f64(A_MINUTE * by_requests.max(by_tokens));
            start
        };
        wait_until(until, should_stop)
    }

    /// Lets no request go for some time.
    pub(super) fn pause(&self, time: Duration) {
        let mut next = lock(&self.next);
        *next = (*next).max(Instant::now() + time);
    }
}

/// Waits for some time. Says whether it came to an end, or should stop before.
pub(super) fn wait(time: Duration, should_stop: &dyn Fn() -> bool) -> bool {
    wait_until(Instant::now() + time, should_stop)
}

fn wait_until(end: Instant, should_stop: &dyn Fn() -> bool) -> bool {
    loop {
        if should_stop() {
            return false;
        }
        match end.checked_duration_since(Instant::now()) {
            None | Some(Duration::ZERO) => return true,
            Some(rest) => std::thread::sleep(rest.min(SLICE)),
        }
    }
}

/// Lets only so many requests go at a time.
#[derive(Debug)]
pub(super) struct Semaphore {
    permits: Mutex<usize>,
    returned: Condvar,
}

/// Leave for one request, until dropped.
pub(super) struct Permit<'a>(&'a Semaphore);

impl Semaphore {
    pub(super) fn new(permits: usize) -> Self {
        Self { permits: Mutex::new(permits.max(1)), returned: Condvar::new() }
    }

    pub(super) fn acquire(&self) -> Permit<'_> {
        let permits = lock(&self.permits);
        let mut permits =
            self.returned.wait_while(permits, |permits| *permits == 0).unwrap_or_else(PoisonError::into_inner);
        *permits -= 1;
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *lock(&self.0.permits) += 1;
        self.0.returned.notify_one();
    }
}

/// Nothing panics while these are locked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
