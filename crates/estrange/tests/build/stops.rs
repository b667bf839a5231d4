//! Builds that are stopped, killed, or done side by side: the bench is the same, or there is none.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::place::{Built, Playground, assert_same, assert_whole};
use crate::support::whole;

/// A source that takes a while: files that share a header, functions that call each other, C and C++.
fn write_long(place: &Playground) {
    place.write("long/common.h", "struct item { int key; struct item *next; };\nint shared(int a);\n");
    for file in 0..4 {
        let functions: String = (0..30)
            .map(|n| {
                let (ending, number) = (" + a".repeat(n % 7), file * 1000 + n * n);
                format!(
                    "static int inner{n}(int a) {{ return a ^ {number}{ending}; }}\n\
                     int f{file}_{n}(struct item *i, int a)\n{{\n\tfor (; i; i = i->next)\n\
                     \t\ta += inner{n}(i->key) * shared({n});\n\treturn a{ending};\n}}\n"
                )
            })
            .collect();
        let ending = if file == 3 { "cpp" } else { "c" };
        let shared = if file == 0 { "int shared(int a) { return a * 3; }\n" } else { "" };
        place.write(&format!("long/file{file}.{ending}"), format!("#include \"common.h\"\n{shared}{functions}"));
    }
}

/// The results that a build has put away so far.
fn entries(cache: &Path) -> Vec<(String, std::time::SystemTime)> {
    let folders = fs::read_dir(cache.join("built")).into_iter().flatten().flatten();
    let files = folders.filter(|folder| folder.file_name().len() == 2).flat_map(|folder| fs::read_dir(folder.path()));
    let mut found: Vec<_> = files
        .flatten()
        .flatten()
        .filter(|file| !file.file_name().to_string_lossy().starts_with('.'))
        .map(|file| (file.file_name().to_string_lossy().into_owned(), file.metadata().unwrap().modified().unwrap()))
        .collect();
    found.sort();
    found
}

fn start(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until a build has done something, while it is at work.
fn wait_for(what: &str, child: &mut Child, condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(100), "waited too long for {what}");
        assert!(child.try_wait().unwrap().is_none(), "it ended before {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// Whether a process works for a build in this folder: it is there, or has a file of it among its arguments.
fn is_at_work(place: &Playground) -> bool {
    let folder = place.path("");
    let name = folder.to_str().unwrap().as_bytes();
    fs::read_dir("/proc").unwrap().flatten().any(|process| {
        let there = fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(&folder));
        let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
        there || words.windows(name.len()).any(|part| part == name)
    })
}

#[test]
fn stopped_killed_or_with_other_jobs_the_bench_is_the_same() {
    let place = Playground::new();
    write_long(&place);
    let undisturbed = place.build(&["long", "--out", "B", "--jobs", "2"]);
    assert_eq!(undisturbed.functions.len() + undisturbed.rejected.len(), 241);

    // Stopped by Ctrl-C, then killed twice, each time a little further on; with another number of jobs.
    let arguments = ["long", "--out", "C", "--jobs", "1", "--cache", "other"];
    let cache = place.path("other");
    let mut before = Vec::new();
    for (name, more) in [("-INT", 3), ("-KILL", 2), ("-KILL", 2)] {
        let mut child = start(place.command(&arguments));
        wait_for(name, &mut child, || entries(&cache).len() >= before.len() + more);
        assert!(place.path("C/.estrange-lock").exists());
        signal(&child, name);
        let started = Instant::now();
        let output = child.wait_with_output().unwrap();
        while is_at_work(&place) {
            assert!(started.elapsed() < Duration::from_secs(20), "something runs on after {name}");
            thread::sleep(Duration::from_millis(20));
        }
        if name == "-INT" {
            assert_whole("interrupted", &place, &output);
            // The lock, and the hidden folder that records stream to.
            assert!(!place.path("C").exists() || fs::read_dir(place.path("C")).unwrap().count() <= 2);
        }
        assert!(estrange_bench::Bench::open(place.path("C")).is_err(), "there is no bench yet");
        before = entries(&cache);
    }
    let went_on = place.build(&arguments);
    assert_same(&undisturbed, &went_on);
    let after = entries(&cache);
    assert!(before.iter().all(|entry| after.contains(entry)), "what was done is not done again");

    // And once more: nothing is left to do, and the bench is replaced by its equal.
    let again = place.build(&arguments);
    assert_same(&undisturbed, &again);
    assert_eq!(entries(&cache), after);
}

#[test]
fn two_builds_into_one_folder_do_not_meet() {
    let place = Playground::new();
    write_long(&place);
    let mut first = start(place.command(&["long", "--out", "B"]));
    wait_for("the lock", &mut first, || place.path("B/.estrange-lock").exists());
    assert_whole("locked", &place, &place.run(&["adder", "--out", "B"]));
    // In another folder, with the same cache, it is welcome.
    let other = place.build(&["long", "--out", "C"]);
    let output = first.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    assert_same(&Built::open(&place.path("B")), &other);
}

#[test]
fn a_bench_that_is_there_stays_until_the_new_one_is_whole() {
    let place = Playground::new();
    write_long(&place);
    let old = place.build(&["adder", "--out", "B"]).bytes();
    let mut child = start(place.command(&["long", "--out", "B"]));
    wait_for("some work", &mut child, || entries(&place.path("cache")).len() > 5);
    signal(&child, "-KILL");
    child.wait_with_output().unwrap();
    let _ = fs::remove_file(place.path("B/.estrange-lock"));
    assert!(Built::open(&place.path("B")).bytes() == old);
}

/// The processor time of a command and of all that it started and waited for, in the system's ticks.
fn ticks(command: Command) -> u64 {
    let mut child = start(command);
    let pid = rustix::process::Pid::from_child(&child);
    let ended = rustix::process::WaitIdOptions::EXITED | rustix::process::WaitIdOptions::NOWAIT;
    rustix::process::waitid(rustix::process::WaitId::Pid(pid), ended).unwrap();
    let facts = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    assert!(child.wait().unwrap().success());
    // After the name, which may hold anything: the 14th to 17th field of the line.
    let fields: Vec<&str> = facts.rsplit_once(") ").unwrap().1.split(' ').collect();
    fields[11..15].iter().map(|field| field.parse::<u64>().unwrap()).sum()
}

#[test]
fn many_functions_in_one_file_take_time_in_proportion() {
    let place = Playground::new();
    let time = |count: usize| {
        let (name, out) = (format!("many{count}"), format!("out{count}"));
        let functions: String =
            (0..count).map(|n| format!("int g{n}(int a) {{ return a * {n} + {}; }}\n", n * n % 8191)).collect();
        place.write(&format!("{name}/a.c"), functions);
        let ticks = ticks(place.command(&[&name, "--out", &out]));
        let built = Built::open(&place.path(&out));
        assert_eq!(built.functions.len() + built.rejected.len(), count);
        ticks
    };
    let (nothing, few, many) = (time(1), time(200), time(800));
    // Four times as many; a square would take sixteen times as long.
    assert!(many - nothing < (few - nothing) * 8, "{nothing} for 1, {few} for 200, {many} for 800");
}
