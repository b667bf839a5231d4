//! What a sandboxed run and a confined tool cost above a bare spawn of the same trivial program, and whether many runs leak
//! anything.
//!
//! `cargo bench -p estrange-sandbox [-- RUNS]` prints the median and mean of each, in microseconds, their difference,
//! and the descriptors and processes before and after.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use estrange_sandbox::{Command, Launcher, Protection, Sandbox};

const PROGRAM: &str = "/usr/bin/true";

fn main() {
    let runs = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(10_000);
    let sandbox =
        Sandbox::start(&Launcher::this_program(), Protection::Required).expect("this machine can protect itself");
    let command = Command::new(PROGRAM);
    sandbox.run(&command).expect("a run");
    let before = state();
    let folder = tempfile::tempdir().expect("a folder");
    let tool = sandbox.tool(PROGRAM).reads(env!("CARGO_MANIFEST_DIR")).works_in(folder.path());
    let (mut bare, mut confined, mut tools) = (Vec::new(), Vec::new(), Vec::new());
    // Alternating, so that whatever else the machine does weighs on both alike.
    for _ in 0..runs {
        bare.push(timed(spawn));
        confined.push(timed(|| assert!(sandbox.run(&command).expect("a run").success())));
        tools.push(timed(|| assert!(tool.run().expect("a run").success())));
    }
    let (bare, confined, tools) = (summary(bare), summary(confined), summary(tools));
    println!("runs {runs}");
    println!("bare spawn       median {:>6.0} µs  mean {:>6.0} µs", bare.0, bare.1);
    println!("sandboxed run    median {:>6.0} µs  mean {:>6.0} µs", confined.0, confined.1);
    println!("above            median {:>6.0} µs  mean {:>6.0} µs", confined.0 - bare.0, confined.1 - bare.1);
    println!("confined tool    median {:>6.0} µs  mean {:>6.0} µs", tools.0, tools.1);
    println!("above            median {:>6.0} µs  mean {:>6.0} µs", tools.0 - bare.0, tools.1 - bare.1);
    println!("before           {before:?}");
    println!("after            {:?}", state());
}

fn spawn() {
    let status = std::process::Command::new(PROGRAM).stdin(Stdio::null()).output().expect("a spawn").status;
    assert!(status.success());
}

fn timed(action: impl FnOnce()) -> Duration {
    let started = Instant::now();
    action();
    started.elapsed()
}

/// Median and mean, in microseconds.
fn summary(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    (micros(times[times.len() / 2]), times.iter().copied().map(micros).sum::<f64>() / times.len() as f64)
}

/// Descriptors of this process, processes and mounts on the machine, and this process's resident pages.
fn state() -> [(&'static str, usize); 3] {
    let count = |path: &str| fs::read_dir(path).map_or(0, |entries| entries.count());
    let processes = fs::read_dir("/proc").map_or(0, |entries| {
        entries.flatten().filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok()).count()
    });
    let mounts = fs::read_to_string("/proc/self/mountinfo").map_or(0, |text| text.lines().count());
    [("descriptors", count("/proc/self/fd")), ("processes", processes), ("mounts", mounts)]
}
