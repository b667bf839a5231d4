//! Ctrl-C: the first one stops the work cleanly, the second one ends the process at once.
//!
//! Work that does not stop by itself, such as a request that nobody answers, is not waited for: state on disk is complete
//! at any moment, so that the process may end in the middle of it.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::voice::{self, INTERRUPTED};

/// How long work has to stop by itself. What is on its way from a server and paid may still come, and be kept.
const GRACE: Duration = Duration::from_millis(1200);

/// Whether the user wants the work to stop; cheap to clone and to ask.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Whether Ctrl-C was pressed.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Watches for Ctrl-C, and for a polite request to end (SIGTERM, SIGHUP).
pub fn watch() -> Result<Interrupt, ctrlc::Error> {
    let interrupt = Interrupt::default();
    let flag = Arc::clone(&interrupt.0);
    ctrlc::set_handler(move || {
        if flag.load(Ordering::Relaxed) {
            end_tools();
            std::process::exit(i32::from(INTERRUPTED));
        }
        // Said before the work is told, so that nothing it says or does on stopping comes first.
        voice::warning("stopping; press Ctrl-C again to end at once");
        flag.store(true, Ordering::Relaxed);
        thread::spawn(|| {
            thread::sleep(GRACE);
            end_tools();
            voice::interrupted();
            std::process::exit(i32::from(INTERRUPTED));
        });
    })?;
    Ok(interrupt)
}

/// Ends the tools that still run: children of this process that lead a process group of their own, with that group.
///
/// They would finish for nobody. The sandbox needs no such help: its guests end with this process.
pub fn end_tools() {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    for child in children.collect::<String>().split_whitespace() {
        if let Some(child) = child.parse().ok().and_then(Pid::from_raw) {
            // A child that leads no group is not a tool, and is not found under this number.
            let _ = kill_process_group(child, Signal::KILL);
        }
    }
}
