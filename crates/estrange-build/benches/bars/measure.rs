//! Runs a command and accounts for every process that comes of it.
//!
//! Each command runs below a *wrapper*, a copy of this executable that does nothing else: the kernel makes it the
//! parent of what its descendants leave behind, it waits until nothing is left, and then the kernel tells what all of
//! them used. A process could escape that count only if its parent had asked the kernel not to tell it of its
//! children; the wrapper looks for such parents while the command runs, and says how many it saw.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions};
use serde::{Deserialize, Serialize};

/// The first argument of a wrapper.
const WRAPPER: &str = "measure-one-command";
/// How often the wrapper looks at its descendants.
const TICK: Duration = Duration::from_millis(40);
/// Every so many looks it asks for the memory that processes share, which costs more.
const SHARED_EVERY: u32 = 5;
/// How long what a command leaves behind may live on.
const PATIENCE: Duration = Duration::from_secs(30);
const PAGE: u64 = 4096;

/// What a command and everything that came of it used.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Usage {
    /// The exit code; none if it was killed.
    pub code: Option<i32>,
    /// Seconds of processor time, user and system, of all processes.
    pub cpu: f64,
    /// Seconds from start to end.
    pub wall: f64,
    /// The largest process, in bytes, as the kernel counted it.
    pub largest: u64,
    /// The most that all processes held at once, in bytes, at the moments when it was looked at.
    pub together: u64,
    /// The same with what processes share counted once.
    pub together_shared_once: u64,
    /// How many processes were seen.
    pub seen: usize,
    /// How many were seen whose parent had the kernel forget them.
    pub uncounted: usize,
    /// How many had to be ended because they would not end with the command.
    pub left_behind: usize,
    /// How long what the command left behind lived on, in seconds.
    pub linger: f64,
}

/// Runs a command to its end, or kills it and its process group after some time.
pub fn run(
    program: &Path,
    arguments: &[OsString],
    log: &Path,
    kill_after: Option<Duration>,
) -> Result<Usage, Box<dyn Error>> {
    let result = log.with_extension("usage.json");
    let kill_after = kill_after.map_or(String::new(), |after| after.as_millis().to_string());
    let status = Command::new(std::env::current_exe()?)
        .arg(WRAPPER)
        .args([result.as_os_str(), OsStr::new(&kill_after), log.as_os_str(), program.as_os_str()])
        .args(arguments)
        .stdin(Stdio::null())
        .status()?;
    if !status.success() {
        return Err(format!("the wrapper of {} failed: {status}", program.display()).into());
    }
    Ok(serde_json::from_slice(&fs::read(&result)?)?)
}

/// Does the wrapper's work if this process is one.
pub fn serve_if_wrapper() -> Option<Result<(), Box<dyn Error>>> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == WRAPPER).then(|| serve(&arguments.collect::<Vec<_>>()))
}

fn serve(arguments: &[OsString]) -> Result<(), Box<dyn Error>> {
    let [result, kill_after, log, program, arguments @ ..] = arguments else { return Err("too few arguments".into()) };
    let kill_after = kill_after.to_str().and_then(|text| text.parse().ok()).map(Duration::from_millis);
    let usage = watch(program, arguments, Path::new(log), kill_after)?;
    fs::write(result, serde_json::to_vec(&usage)?)?;
    Ok(())
}

fn watch(
    program: &OsStr,
    arguments: &[OsString],
    log: &Path,
    kill_after: Option<Duration>,
) -> Result<Usage, Box<dyn Error>> {
    let own = rustix::process::getpid();
    rustix::process::set_child_subreaper(Some(own))?;
    let log = fs::File::create(log)?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
    let started = Instant::now();
    let child = Pid::from_child(&command.spawn()?);
    let mut usage = Usage::default();
    let mut seen = BTreeSet::new();
    let (mut ended, mut killed, mut looks) = (None, false, 0);
    let mut next_look = Instant::now();
    loop {
        // Everything that ended is waited for, so that the kernel adds it to the sum.
        let none_left = loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == child => {
                    usage.code = status.exit_status();
                    usage.wall = started.elapsed().as_secs_f64();
                    ended = Some(Instant::now());
                }
                Ok(Some(_)) => {}
                Ok(None) => break false,
                Err(error) if error == rustix::io::Errno::CHILD => break true,
                Err(error) => return Err(error.into()),
            }
        };
        if none_left {
            break;
        }
        if ended.is_none() && !killed && kill_after.is_some_and(|after| started.elapsed() >= after) {
            rustix::process::kill_process_group(child, Signal::KILL)?;
            killed = true;
        }
        if Instant::now() >= next_look {
            let descendants = descendants(own)?;
            look(&descendants, looks % SHARED_EVERY == 0, &mut usage);
            seen.extend(descendants.into_keys());
            looks += 1;
            next_look = Instant::now() + TICK;
            if ended.is_some_and(|at| at.elapsed() > PATIENCE) {
                usage.left_behind += end_all(own)?;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    usage.linger = ended.map_or(0.0, |at| at.elapsed().as_secs_f64());
    usage.seen = seen.len();
    (usage.cpu, usage.largest) = used_by_children()?;
    Ok(usage)
}

/// What all children that were waited for used, with theirs: seconds, and the bytes of the largest.
#[allow(unsafe_code, reason = "no safe crate of ours has getrusage")]
fn used_by_children() -> io::Result<(f64, u64)> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the out-parameter is valid for writing, and a zeroed rusage is a valid one.
    let usage = unsafe {
        if libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        usage.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Ok((seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss as u64 * 1024))
}

/// The processor time, in seconds, of all children of this process that have ended so far, and of theirs.
pub fn cpu_of_children() -> io::Result<f64> {
    used_by_children().map(|(cpu, _)| cpu)
}

/// The living descendants of a process, each with its parent.
fn descendants(of: Pid) -> io::Result<BTreeMap<i32, i32>> {
    let mut parents = BTreeMap::new();
    for entry in fs::read_dir("/proc")? {
        let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        // It may be gone already.
        let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { continue };
        // The name may hold anything; what follows its parenthesis does not.
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        if let Some(parent) = rest.split_whitespace().nth(1).and_then(|word| word.parse().ok()) {
            parents.insert(pid, parent);
        }
    }
    let root = of.as_raw_nonzero().get();
    let below = |mut pid: i32| {
        // No chain of parents is longer than there are processes.
        for _ in 0..parents.len() {
            match parents.get(&pid) {
                Some(&parent) if parent == root => return true,
                Some(&parent) => pid = parent,
                None => return false,
            }
        }
        false
    };
    Ok(parents.iter().filter(|(pid, _)| below(**pid)).map(|(pid, parent)| (*pid, *parent)).collect())
}

/// Adds what these processes hold now.
fn look(descendants: &BTreeMap<i32, i32>, shared_once: bool, usage: &mut Usage) {
    let resident = |pid: &i32| {
        let pages = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
        Some(pages.split_whitespace().nth(1)?.parse::<u64>().ok()? * PAGE)
    };
    usage.together = usage.together.max(descendants.keys().filter_map(resident).sum());
    if shared_once {
        let part = |pid: &i32| {
            let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
            let line = text.lines().find_map(|line| line.strip_prefix("Pss:"))?;
            Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
        };
        usage.together_shared_once = usage.together_shared_once.max(descendants.keys().filter_map(part).sum());
    }
    let forgetful: BTreeSet<i32> = descendants.values().copied().filter(|parent| forgets_children(*parent)).collect();
    usage.uncounted += descendants.values().filter(|parent| forgetful.contains(parent)).count();
}

/// Whether a process ignores the signal that tells of a child's end: then the kernel drops what the child used.
fn forgets_children(pid: i32) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) else { return false };
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    ignored & (1 << (libc::SIGCHLD - 1)) != 0
}

/// Ends every descendant, one by one, by its id.
fn end_all(of: Pid) -> io::Result<usize> {
    let descendants = descendants(of)?;
    for pid in descendants.keys().filter_map(|pid| Pid::from_raw(*pid)) {
        // It may be gone already.
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
    Ok(descendants.len())
}

/// Shows that the count is whole: a process that burns time itself, in a child that nobody waits for, and in a
/// grandchild that outlives both. Gives the seconds counted and the seconds burnt.
pub fn check(folder: &Path) -> Result<(f64, f64), Box<dyn Error>> {
    // Each loop ends by itself after a second of its own processor time.
    let burn = "ulimit -t 1; while :; do :; done";
    let script = format!("sh -c '{burn}' & sh -c \"sh -c '{burn}' & exit\" & sh -c '{burn}'; exit 0");
    let usage = run(Path::new("sh"), &["-c".into(), script.into()], &folder.join("check.log"), None)?;
    Ok((usage.cpu, 3.0))
}
