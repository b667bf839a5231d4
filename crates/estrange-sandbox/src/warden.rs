//! The first process of a run's namespace: it starts the guest, watches it, ends everything, and reports.
//!
//! Nothing in its namespace can signal or trace it, and nothing there outlives it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, Instant};

use libc::pid_t;

use crate::confinement::Confinement;
use crate::processes::Processes;
use crate::sys::{self, Ended, Fork};
use crate::walls::Walls;
use crate::wire::{self, Descriptors, RawEnd, Report, Request, Role};
use crate::{guest, view, wait};

/// How fast one processor can fill memory, at most, in bytes a second: the watch looks again before the room that is
/// left could be gone.
const FILL_RATE: u64 = 4 << 30;
/// Bounds of the time between two looks at the guest's memory.
const SHORTEST_LOOK: Duration = Duration::from_millis(1);
const LONGEST_LOOK: Duration = Duration::from_millis(100);

/// Runs the request to its end and reports. Never returns.
pub fn serve(confinement: &Confinement, descriptors: Descriptors) -> ! {
    let Descriptors { request, stdin, stdout, stderr, report } = descriptors;
    let (told, scratch) = match Watch::start(confinement, request, [stdin, stdout, stderr]) {
        Ok(watch) => watch.finish(&report),
        Err(why) => (Report::not_started(why), None),
    };
    let scratch: Vec<_> = scratch.iter().map(AsFd::as_fd).collect();
    // Nobody to report to is no reason to stay.
    let _ = wire::send(&report, &told, &scratch);
    sys::exit_now(0)
}

/// A guest under watch.
struct Watch {
    walls: Walls,
    request: Request,
    processes: Processes,
    guest: pid_t,
    child_signals: OwnedFd,
    scratch: OwnedFd,
    started: Instant,
    peak_memory: u64,
}

impl Watch {
    fn start(confinement: &Confinement, request: OwnedFd, standard: [OwnedFd; 3]) -> Result<Self, String> {
        let walls = confinement.walls;
        let told = |what: &'static str| move |error: io::Error| format!("the sandbox could not {what}: {error}");
        sys::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as u64).map_err(told("tie itself to its keeper"))?;
        sys::ignore_children(false);
        let child_signals = sys::child_signals().map_err(told("watch its children"))?;
        let mut text = Vec::new();
        File::from(request).read_to_end(&mut text).map_err(told("read the request"))?;
        let request: Request = serde_json::from_slice(&text).map_err(|e| format!("the request is damaged: {e}"))?;
        let role = request.furniture.role;
        if let (Walls::Root { guest }, Role::Guest) = (walls, role) {
            // So that it can also open its output by name, as /dev/stdout.
            for output in &standard[1..] {
                std::os::unix::fs::fchown(output, Some(guest), Some(guest)).map_err(told("hand over its output"))?;
            }
        }
        let processes = if walls.stand() {
            sys::prctl(libc::PR_SET_DUMPABLE, 0).map_err(told("hide itself"))?;
            let processes = Processes::of_this_run().map_err(told("see the run's processes"))?;
            if role == Role::Tool {
                processes.hide().map_err(told("hide the run's processes"))?;
            }
            let user = walls.user(role);
            view::furnish(&request.furniture, &request.limits, user).map_err(told("mount the run's folders"))?;
            processes
        } else {
            sys::prctl(libc::PR_SET_CHILD_SUBREAPER, 1).map_err(told("adopt the guest's children"))?;
            Processes::of_this_machine().map_err(told("see the run's processes"))?
        };
        let scratch =
            File::open(OsStr::from_bytes(request.scratch.to_bytes())).map_err(told("open the scratch folder"))?.into();
        let (failure_reader, failure_writer) =
            rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).map_err(|e| told("make a pipe")(e.into()))?;
        let started = Instant::now();
        let guest = match sys::fork(0).map_err(told("make a process"))? {
            Fork::Child => {
                let (stage, error) = guest::become_guest(&request, confinement, &processes, standard.each_ref());
                let _ = write!(File::from(failure_writer), "the sandbox could not {stage}: {error}");
                sys::exit_now(127)
            }
            Fork::Parent(guest) => guest,
        };
        drop((failure_writer, standard));
        let mut failure = String::new();
        File::from(failure_reader).read_to_string(&mut failure).map_err(told("hear from the guest"))?;
        if !failure.is_empty() {
            return Err(failure);
        }
        Ok(Self { walls, request, processes, guest, child_signals, scratch, started, peak_memory: 0 })
    }

    /// Waits for the guest's end or brings it about, ends everything else, and says how it was.
    fn finish(mut self, caller: &OwnedFd) -> (Report, Option<OwnedFd>) {
        let mut ended = None;
        let brought_about = self.wait(caller, &mut ended);
        let wall = self.started.elapsed();
        let left_behind = match brought_about {
            None => self.all().into_iter().filter(|&pid| self.look(pid).is_some_and(|look| look.alive)).count(),
            Some(_) => 0,
        };
        let left_behind = left_behind as u32;
        self.end_everything(&mut ended);
        let (own_end, cpu) = match &ended {
            Some(ended) => {
                self.peak_memory = self.peak_memory.max(ended.peak_memory);
                (decode(ended.status), ended.cpu)
            }
            None => (RawEnd::Signalled(libc::SIGKILL), Duration::ZERO),
        };
        let end = match brought_about {
            Some(reason) => reason,
            // It was over between two looks: the limit holds all the same.
            None if self.peak_memory > self.request.limits.memory => RawEnd::OverMemory,
            None => own_end,
        };
        let scratch_full = sys::is_full(self.scratch.as_fd());
        let report = Report { end, wall, cpu, peak_memory: self.peak_memory, left_behind, scratch_full };
        (report, self.request.keep_scratch.then_some(self.scratch))
    }

    /// Waits until the guest has ended (`None`) or must be ended for a reason.
    fn wait(&mut self, caller: &OwnedFd, ended: &mut Option<Ended>) -> Option<RawEnd> {
        let limits = self.request.limits;
        let mut next_look = self.started + time_to_fill(limits.memory);
        loop {
            while let Ok(Some(child)) = sys::reap(false) {
                if child.pid == self.guest {
                    *ended = Some(child);
                }
            }
            if ended.is_some() {
                return None;
            }
            let Some(left) = limits.wall.checked_sub(self.started.elapsed()).filter(|left| !left.is_zero()) else {
                return Some(RawEnd::TimedOut);
            };
            if Instant::now() >= next_look {
                // A watch that sees nothing, not even the guest, has been blinded.
                let Some(used) = self.memory() else { return Some(RawEnd::OverMemory) };
                self.peak_memory = self.peak_memory.max(used);
                let Some(room) = limits.memory.checked_sub(used) else { return Some(RawEnd::OverMemory) };
                next_look = Instant::now() + time_to_fill(room);
            }
            if self.pause(left.min(next_look.saturating_duration_since(Instant::now())), caller) {
                return Some(RawEnd::Cancelled);
            }
        }
    }

    /// Sleeps until a child ends, the time is over, or the caller is gone (true).
    fn pause(&self, time: Duration, caller: &OwnedFd) -> bool {
        let answers = wait::first_of([Some(self.child_signals.as_fd()), Some(caller.as_fd())], time);
        let caller_gone = answers.is_ok_and(|[_, caller]| caller);
        let mut told = [0; 128];
        while matches!(rustix::io::read(&self.child_signals, &mut told), Ok(count) if count > 0) {}
        caller_gone
    }

    /// What all processes of the run hold together; `None` if none can be seen.
    fn memory(&self) -> Option<u64> {
        let looks: Vec<Look> = self.all().into_iter().filter_map(|pid| self.look(pid)).collect();
        (!looks.is_empty()).then(|| looks.iter().map(|look| look.memory).sum())
    }

    /// Every process of the run but this one.
    fn all(&self) -> Vec<pid_t> {
        match self.walls.stand() {
            true => self.processes.numbers(".").into_iter().filter(|&pid| pid != 1).collect(),
            false => self.descendants(std::process::id() as pid_t),
        }
    }

    fn descendants(&self, pid: pid_t) -> Vec<pid_t> {
        let listed = self.processes.read(&format!("{pid}/task/{pid}/children")).unwrap_or_default();
        let children = listed.split_whitespace().filter_map(|child| child.parse().ok());
        children.flat_map(|child| [vec![child], self.descendants(child)].concat()).collect()
    }

    /// What the kernel tells of a process; nothing if it is gone.
    fn look(&self, pid: pid_t) -> Option<Look> {
        let look = Look::of(&self.processes.read(&format!("{pid}/status")).ok()?);
        if look.memory > 0 || look.alive {
            return Some(look);
        }
        // Its first thread has ended; the others may go on, and each tells the same of the memory they share.
        let threads = self.processes.numbers(&format!("{pid}/task")).into_iter();
        threads
            .filter_map(|thread| Some(Look::of(&self.processes.read(&format!("{pid}/task/{thread}/status")).ok()?)))
            .max_by_key(|look| (look.alive, look.memory))
    }

    /// Ends every process of the run and waits until all are gone.
    fn end_everything(&self, ended: &mut Option<Ended>) {
        loop {
            if self.walls.stand() {
                // This process is the first of its namespace, so -1 is the namespace and nothing else.
                let _ = sys::kill(-1, libc::SIGKILL);
            } else {
                self.all().into_iter().for_each(|pid| drop(sys::kill(pid, libc::SIGKILL)));
            }
            match sys::reap(true) {
                Ok(Some(child)) if child.pid == self.guest => *ended = Some(child),
                Ok(_) => {}
                Err(_) => break,
            }
        }
    }
}

fn time_to_fill(room: u64) -> Duration {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    Duration::from_micros(room / (processors * FILL_RATE / 1_000_000)).clamp(SHORTEST_LOOK, LONGEST_LOOK)
}

/// What the kernel tells of a process.
struct Look {
    /// Bytes that it holds: resident, swapped out, in huge pages, and in the tables that map them.
    memory: u64,
    /// Whether it is more than an entry that nobody has asked for yet.
    alive: bool,
}

impl Look {
    /// Reads what the kernel tells of a process or thread in its `status`.
    fn of(status: &str) -> Self {
        let mut look = Self { memory: 0, alive: true };
        for (name, value) in status.lines().filter_map(|line| line.split_once(':')) {
            match name {
                "State" => look.alive = !value.trim_start().starts_with(['Z', 'X']),
                "VmRSS" | "VmPTE" | "VmSwap" | "HugetlbPages" => {
                    let kibibytes: u64 = value.trim().trim_end_matches(" kB").parse().unwrap_or(0);
                    look.memory += kibibytes * 1024;
                }
                _ => {}
            }
        }
        look
    }
}

fn decode(status: i32) -> RawEnd {
    if libc::WIFEXITED(status) {
        RawEnd::Exited(libc::WEXITSTATUS(status))
    } else {
        RawEnd::Signalled(libc::WTERMSIG(status))
    }
}
