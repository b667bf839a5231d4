//! Several workers for many threads: started when first needed, replaced when one ends.

use std::ffi::OsString;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::process::Process;
use super::{Service, Setup, Worker, WorkerEnd, WorkerLimits, WorkerWalls};
use crate::launcher::Launcher;
use crate::outcome::Usage;

/// A number of workers for one service; asked from any thread. All of them end with the pool.
#[derive(Debug)]
pub struct Pool {
    setup: Setup,
    size: usize,
    state: Mutex<State>,
    /// Told when a worker or a permit is free.
    free: Condvar,
}

#[derive(Debug, Default)]
struct State {
    idle: Vec<Worker>,
    /// How many requests are being answered.
    busy: usize,
    /// Every worker that is there, busy or idle.
    alive: Vec<Arc<Process>>,
    /// What those used that are gone.
    buried: Usage,
    stopped: bool,
}

impl Pool {
    /// A pool of at most `size` workers, at least one. None is started yet.
    pub fn new(launcher: &Launcher, service: &'static Service, limits: WorkerLimits, size: usize) -> Self {
        let setup = Setup::new(launcher, service, limits);
        Self { setup, size: size.max(1), state: Mutex::default(), free: Condvar::new() }
    }

    /// The same, of workers that are confined.
    pub(crate) fn confined(mut self, walls: WorkerWalls) -> Self {
        self.setup.walls = Some(walls);
        self
    }

    /// The same, where workers have this variable in their environment.
    pub fn with_variable(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.setup.variables.push((name, value.into()));
        self
    }

    /// Has one request answered by a free worker, waiting for one if all are busy; `wall` begins when one has it.
    ///
    /// An error is about this request, unless it is [`WorkerEnd::CouldNotStart`] or [`WorkerEnd::Stopped`]. What other
    /// requests left behind does not count: a worker that died of itself, or has kept more than half of its memory,
    /// is replaced first.
    pub fn ask(&self, request: &[u8], wall: Duration, note: &mut dyn FnMut(&[u8])) -> Result<Vec<u8>, WorkerEnd> {
        let permit = self.take_permit()?;
        let mut worker = match permit.idle() {
            Some(worker) => worker,
            None => permit.start()?,
        };
        let answer = worker.ask(request, wall, note);
        let fresh = answer.is_ok() && !worker.has_kept_more_than(self.setup.limits.memory / 2);
        match fresh {
            true => permit.state().idle.push(worker),
            false => permit.bury(worker),
        }
        match answer {
            Err(_) if permit.state().stopped => Err(WorkerEnd::Stopped),
            answer => answer,
        }
    }

    /// Ends all workers now, and answers this and every further request with [`WorkerEnd::Stopped`].
    pub fn stop(&self) {
        let mut state = self.state();
        state.stopped = true;
        for process in &state.alive {
            process.kill();
        }
        drop(state);
        self.free.notify_all();
    }

    /// What all workers have used so far, those that are gone included; the peak is that of the largest.
    pub fn usage(&self) -> Usage {
        let state = self.state();
        state.alive.iter().map(|process| process.usage()).fold(state.buried, sum)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until fewer requests are under way than there may be workers.
    fn take_permit(&self) -> Result<Permit<'_>, WorkerEnd> {
        let is_full = |state: &mut State| state.busy >= self.size && !state.stopped;
        let mut state = self.free.wait_while(self.state(), is_full).unwrap_or_else(PoisonError::into_inner);
        if state.stopped {
            return Err(WorkerEnd::Stopped);
        }
        state.busy += 1;
        Ok(Permit(self))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // All at once, and then each is waited for.
        self.stop();
    }
}

/// The right to have one worker busy, given back when dropped, even by a panic in a caller's function for notes.
struct Permit<'a>(&'a Pool);

impl Permit<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state()
    }

    /// A worker that waits for work, if there is one.
    fn idle(&self) -> Option<Worker> {
        loop {
            let worker = self.state().idle.pop()?;
            if worker.is_ready() {
                return Some(worker);
            }
            self.bury(worker);
        }
    }

    fn start(&self) -> Result<Worker, WorkerEnd> {
        let worker = Worker::start_as(&self.0.setup)?;
        let mut state = self.state();
        state.alive.push(Arc::clone(&worker.process));
        if state.stopped {
            worker.process.kill();
        }
        drop(state);
        Ok(worker)
    }

    /// Ends a worker, and adds what it used to what is known of the dead.
    fn bury(&self, worker: Worker) {
        let process = Arc::clone(&worker.process);
        drop(worker);
        let mut state = self.state();
        state.alive.retain(|alive| !Arc::ptr_eq(alive, &process));
        state.buried = sum(state.buried, process.usage());
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.state().busy -= 1;
        self.0.free.notify_one();
    }
}

fn sum(one: Usage, other: Usage) -> Usage {
    Usage { wall: one.wall + other.wall, cpu: one.cpu + other.cpu, peak_memory: one.peak_memory.max(other.peak_memory) }
}
