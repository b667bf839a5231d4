//! Nothing stays: not after ten thousand runs, not after the caller is killed. Slow: some fifteen seconds.
//!
//! One test to a process is what lets it count exactly, so each part runs in a copy of this program.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use estrange_sandbox::{Command, End, Launcher, Limits, Protection, Sandbox, Tool};
use estrange_words::Hint;

/// Runs one of the ignored tests below in a copy of this program.
fn in_a_copy(test: &str) -> Process {
    let mut copy = Process::new(std::env::current_exe().expect("this program"));
    copy.args(["--ignored", "--exact", test, "--nocapture"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    copy
}

fn succeeds(mut copy: Process) {
    let output = copy.output().expect("a run");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn ten_thousand_runs_leak_nothing() {
    succeeds(in_a_copy("part_ten_thousand_runs"));
}

#[test]
#[ignore = "a part of ten_thousand_runs_leak_nothing"]
fn part_ten_thousand_runs() {
    let sandbox =
        Sandbox::start(&Launcher::this_program(), Protection::Required).expect("this machine can protect itself");
    let runs = |count: usize| {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for turn in 0..count / 4 {
                        let text = turn.to_string();
                        let outcome = sandbox.run(&Command::new("cat").stdin(text.as_bytes())).expect("a run");
                        assert_eq!((outcome.end, outcome.stdout), (End::Exited(0), text.into_bytes()));
                    }
                });
            }
        });
    };
    runs(400);
    wait_until_all_runs_are_buried();
    let (before, memory_before) = (belongings(), keepers_memory());
    runs(10_000);
    wait_until_all_runs_are_buried();
    assert_eq!(belongings(), before);
    let grown = keepers_memory().saturating_sub(memory_before);
    assert!(grown < 1 << 20, "the keeper has grown by {grown} bytes");
}

/// A run has ended for its caller a moment before the kernel has buried its warden: waits for that moment to pass.
fn wait_until_all_runs_are_buried() {
    let started = Instant::now();
    let runs = || children_of(std::process::id()).into_iter().flat_map(children_of).collect::<Vec<_>>();
    while !runs().is_empty() {
        assert!(started.elapsed() < Duration::from_secs(10), "some of {:?} still run", runs());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What this process and its keeper have: descriptors, children, mounts.
fn belongings() -> BTreeMap<String, usize> {
    let me = std::process::id();
    let children = children_of(me);
    let mut all = BTreeMap::from([("children".to_owned(), children.len())]);
    for process in [me].iter().chain(&children) {
        let count = |what: &str| fs::read_dir(format!("/proc/{process}/{what}")).map_or(0, |entries| entries.count());
        let mounts = fs::read_to_string(format!("/proc/{process}/mountinfo")).map_or(0, |text| text.lines().count());
        let role = if *process == me { "caller" } else { "keeper" };
        all.insert(format!("{role} descriptors"), count("fd"));
        all.insert(format!("{role} mounts"), mounts);
        all.insert(format!("{role} children"), children_of(*process).len());
    }
    all
}

/// The bytes of memory that the keeper holds.
fn keepers_memory() -> usize {
    let children = children_of(std::process::id());
    let keeper = children.first().expect("a keeper");
    let pages = fs::read_to_string(format!("/proc/{keeper}/statm")).expect("its memory");
    let resident: usize = pages.split(' ').nth(1).and_then(|text| text.parse().ok()).expect("a number");
    resident * 4096
}

fn children_of(parent: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

fn parent_of(pid: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    text.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

#[test]
fn a_killed_caller_leaves_nothing() {
    let mut caller = in_a_copy("part_wait_for_a_long_run").spawn().expect("a caller");
    let mut said = BufReader::new(caller.stdout.take().expect("it is piped")).lines();
    said.find(|line| line.as_ref().is_ok_and(|line| line.contains("all under way"))).expect("it runs").expect("text");
    let family = descendants(caller.id());
    assert!(family.len() >= 4, "keeper, warden, guest and a tool: {family:?}");
    caller.kill().expect("a kill");
    caller.wait().expect("its end");
    let started = Instant::now();
    while family.iter().any(|pid| fs::exists(format!("/proc/{pid}")).unwrap_or(false)) {
        assert!(started.elapsed() < Duration::from_secs(10), "some of {family:?} still run");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[ignore = "a part of a_killed_caller_leaves_nothing"]
fn part_wait_for_a_long_run() {
    let sandbox =
        Sandbox::start(&Launcher::this_program(), Protection::Required).expect("this machine can protect itself");
    let limits = Limits { wall: Duration::from_secs(600), ..Limits::default() };
    std::thread::scope(|scope| {
        scope.spawn(|| sandbox.run(&Command::new("sleep").argument("500").limits(limits)));
        scope.spawn(|| Tool::new("sleep").argument("500").run());
        while descendants(std::process::id()).len() < 4 {
            std::thread::sleep(Duration::from_millis(5));
        }
        println!("all under way");
    });
}

fn descendants(pid: u32) -> Vec<u32> {
    children_of(pid).into_iter().flat_map(|child| [vec![child], descendants(child)].concat()).collect()
}

/// In a container without root's powers, root is the only user there is.
#[test]
fn a_root_without_other_users_is_protected_too() {
    let copy = in_a_copy("part_root_alone");
    let mut alone = Process::new("unshare");
    alone.args(["--user", "--map-root-user", "--mount"]);
    alone.arg(copy.get_program()).args(copy.get_args()).stdout(Stdio::piped()).stderr(Stdio::piped());
    succeeds(alone);
}

#[test]
#[ignore = "a part of a_root_without_other_users_is_protected_too"]
fn part_root_alone() {
    assert!(is_root());
    let sandbox =
        Sandbox::start(&Launcher::this_program(), Protection::Required).expect("this machine can protect itself");
    let look = "id -u; grep CapEff /proc/self/status; touch /scratch/file";
    let outcome = sandbox.run(&Command::new("sh").argument("-c").argument(look)).expect("a run");
    let said = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert_eq!((outcome.end, said.as_str()), (End::Exited(0), "65534\nCapEff:\t0000000000000000\n"));
}

/// Without the right to make namespaces the sandbox refuses; with the explicit waiver it runs, with limits.
#[test]
fn without_protection_it_refuses_unless_told() {
    if !is_root() {
        println!("not root: the right to make namespaces cannot be taken away from a copy of this test");
        return;
    }
    let copy = in_a_copy("part_unprotected");
    let mut weak = Process::new("setpriv");
    weak.args(["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]);
    weak.arg(copy.get_program()).args(copy.get_args()).stdout(Stdio::piped()).stderr(Stdio::piped());
    succeeds(weak);
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|found| found.uid() == 0)
}

#[test]
#[ignore = "a part of without_protection_it_refuses_unless_told"]
fn part_unprotected() {
    let refused =
        Sandbox::start(&Launcher::this_program(), Protection::Required).expect_err("no namespaces, no sandbox");
    assert!(refused.to_string().contains("cannot be confined"), "{refused}");
    assert!(refused.hint().is_some());
    let sandbox = Sandbox::start(&Launcher::this_program(), Protection::Waived).expect("it was told to");
    assert!(!sandbox.is_protected());
    let shell = |script: &str| Command::new("sh").argument("-c").argument(script);
    let outcome = sandbox.run(&shell("pwd; cat /dev/null; echo hi > file").keep_scratch()).expect("a run");
    assert_eq!(outcome.end, End::Exited(0), "{outcome:?}");
    assert_eq!(outcome.scratch.expect("it was asked for").read("file", 10).expect("the file"), b"hi\n");
    let limits = Limits { wall: Duration::from_millis(200), ..Limits::default() };
    let outcome = sandbox.run(&shell("setsid sleep 77 & sleep 77").limits(limits)).expect("a run");
    assert_eq!(outcome.end, End::TimedOut);
    wait_until_all_runs_are_buried();
    let given = Command::new("cat").argument("/input/given").input("/etc/hostname", "given");
    assert_eq!(sandbox.run(&given).expect("a run").end, End::Exited(0));
}
