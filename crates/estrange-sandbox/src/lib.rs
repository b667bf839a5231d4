//! Runs foreign programs with limits, and says exactly how each one ended.
//!
//! Every build step of a foreign repository, every test harness and every model's answer runs through
//! [`Sandbox::run`]: no network, no file but the system's own software, the inputs it was given and a scratch
//! folder of its own; bounded time, memory, processes, output and disk; no privilege; and nothing left running.
//! Our own tools (`git`, `apt-get`) run through [`Tool`], with a time limit and no confinement. Those that read foreign
//! text (a compiler, an assembler, a linker) are confined as guests are: a [`Workshop`] has them.
//! Work of ours that is known to crash or hang on some input runs in a [`Worker`], or a [`Pool`] of them.
//!
//! This crate is the only place in Estrange that starts a process. It must not know what it runs or why.
//!
//! How it works: [`Sandbox::start`] starts one *keeper*, a copy of the [`Launcher`]'s executable that never reaches
//! `main`. The keeper builds the file system a guest may see, in namespaces of its own, once. For each run it forks a
//! *warden*, the first process of a new PID namespace, which forks the guest, watches its time and memory, ends
//! everything when the guest ends, and reports. A run therefore costs two small forks, however large the caller is.

mod command;
mod confinement;
mod error;
mod filter;
mod guest;
mod keeper;
mod launcher;
mod outcome;
mod places;
mod probe;
mod processes;
mod request;
mod run;
mod sandbox;
mod scratch;
mod sys;
mod tool;
mod verdict;
mod view;
mod wait;
mod walls;
mod warden;
mod wire;
mod worker;
mod workshop;

pub use command::{Command, INPUT, Input, Limits, SCRATCH};
pub use error::Error;
pub use launcher::Launcher;
pub use outcome::{End, Outcome, Sanitizer, Usage, Verdict};
pub use probe::{Probe, probe};
pub use sandbox::{Protection, Sandbox};
pub use scratch::{Copied, Scratch};
pub use tool::{Tool, ToolEnd, ToolError, ToolOutput};
pub use view::is_software;
#[doc(hidden)]
pub use worker::serve_if_marked;
pub use worker::{Answer, Crash, Pool, Service, Worker, WorkerEnd, WorkerLimits};
pub use workshop::Workshop;
