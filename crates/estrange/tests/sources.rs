//! `estrange sources` as its users meet it, on small projects written here; the real packages are for `make sources`.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{estrange, json, shape, whole};
use tempfile::TempDir;

/// A folder with a small project in it, and room for a cache.
struct Playground {
    folder: TempDir,
}

impl Playground {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        place.write("adder/LICENSE", "SPDX-License-Identifier: MIT\n");
        place.write("adder/include/adder.h", "// SPDX-License-Identifier: MIT\nint add(int a, int b);\n");
        place.write(
            "adder/src/adder.c",
            "// SPDX-License-Identifier: MIT\n#include \"adder.h\"\nint add(int a, int b) { return a + b; }\n",
        );
        place.write(
            "adder/tests/test_adder.c",
            "// SPDX-License-Identifier: GPL-3.0-only\n#include \"adder.h\"\nint main(void) { return add(1, -1); }\n",
        );
        place
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// `estrange sources` with these arguments, run in the folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = estrange(&["sources"]);
        command.args(arguments).current_dir(self.folder.path()).env("ESTRANGE_CACHE", self.folder.path().join("cache"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }
}

/// Compares with a snapshot, without what differs from run to run.
fn assert_whole(name: &str, place: &Playground, output: &Output) {
    let mut settings = insta::Settings::clone_current();
    let folder = place.folder.path().canonicalize().unwrap();
    settings.add_filter(&regex_quoted(&folder), "[folder]");
    settings.add_filter("tree:[0-9a-f]{12}", "tree:[digest....]");
    settings.bind(|| insta::assert_snapshot!(name, whole(output)));
}

/// A path as a regular expression that matches it.
fn regex_quoted(path: &Path) -> String {
    path.to_str().unwrap().replace('.', "\\.")
}

#[test]
fn a_project_is_shown_with_its_files_licences_and_flags() {
    let place = Playground::new();
    let output = place.run(&["--configure", "never", "--parse", "adder"]);
    assert_whole("one_source", &place, &output);
}

#[test]
fn a_folder_without_code_says_so() {
    let place = Playground::new();
    place.write("prose/README", "Nothing to compile.\n");
    assert_whole("no_code", &place, &place.run(&["prose"]));
}

#[test]
fn every_file_can_be_listed() {
    let place = Playground::new();
    let output = place.run(&["--configure", "never", "--files", "adder"]);
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    let stdout = String::from_utf8(output.stdout).unwrap();
    let line = stdout.lines().find(|line| line.contains("tests/test_adder.c")).unwrap();
    for word in ["C unit", "test", "GPL-3.0-only", "-I"] {
        assert!(line.contains(word), "{word:?} is not in {line:?}");
    }
}

#[test]
fn a_lost_source_is_shown_while_the_rest_goes_on() {
    let place = Playground::new();
    place.write("cut.tar.gz", "this is no archive");
    let output = place.run(&["--configure", "never", "nowhere", "adder", "cut.tar.gz"]);
    assert_whole("lost_sources", &place, &output);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_file_that_does_not_parse_is_named() {
    let place = Playground::new();
    place.write("adder/src/broken.c", "#include \"nowhere/to_be_found.h\"\nint broken(void) { return 1; }\n");
    let output = place.run(&["--configure", "never", "--parse", "--json", "adder"]);
    let parse = &json(&output)["sources"][0]["survey"]["parse"];
    assert_eq!(parse["units"]["files"], 2, "{parse}");
    // A header that is nowhere may be made up or missed, but it is never passed over in silence.
    let failed = parse["failed"].to_string();
    assert!(parse["units"]["without_fatal_error"] == 2 || failed.contains("broken.c"), "{parse}");
}

#[test]
fn the_document_has_its_shape() {
    let place = Playground::new();
    let output = place.run(&["--configure", "never", "--parse", "--files", "--json", "adder", "nowhere"]);
    assert_eq!(output.status.code(), Some(1));
    let document = json(&output);
    let lost = &document["sources"][1]["lost"];
    assert_eq!(lost["reason"], "not-found");
    insta::assert_snapshot!("sources_json", serde_json::to_string_pretty(&shape(&document)).unwrap());
}

#[test]
fn the_same_sources_give_the_same_document() {
    let place = Playground::new();
    let arguments = ["--configure", "never", "--parse", "--files", "--json", "adder"];
    let first = place.run(&arguments);
    let second = place.run(&arguments);
    assert_eq!(whole(&first), whole(&second));
}

#[test]
fn nothing_but_results_is_printed_without_a_terminal() {
    let place = Playground::new();
    let output = place.run(&["--configure", "never", "adder"]);
    assert_eq!(output.stderr, b"", "{}", whole(&output));
    assert!(!output.stdout.contains(&0x1b));
}

#[test]
fn a_cache_that_cannot_be_made_is_an_error_with_a_hint() {
    let place = Playground::new();
    place.write("file", "in the way");
    let output = place.run(&["--cache", "file/cache", "adder"]);
    assert_eq!(output.status.code(), Some(1));
    assert_whole("no_cache", &place, &output);
}

#[test]
fn two_processes_may_fetch_the_same_thing() {
    let place = Playground::new();
    let start = || {
        let mut command = place.command(&["--configure", "never", "--json", "adder"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let outputs: Vec<Output> =
        [start(), start(), start()].into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    for output in &outputs {
        assert_eq!(whole(output), whole(&outputs[0]));
        assert_eq!(output.status.code(), Some(0), "{}", whole(output));
    }
}

/// Starts a command and waits until the process with this mark runs.
fn start(mut command: Command, mark: &str) -> Child {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("it is at work", || is_running(mark));
    child
}

/// Writes a program that waits, under a mark by which it is found among this machine's processes.
fn write_waiting(place: &Playground, path: &str, mark: &str) {
    place.write(path, &format!("#!/bin/sh\nsleep {mark}\n"));
    fs::set_permissions(place.folder.path().join(path), fs::Permissions::from_mode(0o755)).unwrap();
}

fn is_running(mark: &str) -> bool {
    let processes =
        fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    let mut lines = processes.map(|line| String::from_utf8_lossy(&line).into_owned());
    lines.any(|line| line.starts_with("sleep\0") && line.contains(mark))
}

fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < Duration::from_secs(60), "waited a minute until {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn ctrl_c_stops_the_work_and_leaves_nothing_running() {
    let place = Playground::new();
    write_waiting(&place, "adder/configure", "31721");
    let child = start(place.command(&["adder"]), "31721");
    let started = Instant::now();
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_whole("interrupted", &place, &output);
    wait_until("the configure step is gone", || !is_running("31721"));

    fs::remove_file(place.folder.path().join("adder/configure")).unwrap();
    let output = place.run(&["adder"]);
    assert_eq!(output.status.code(), Some(0), "the same command goes on: {}", whole(&output));
}

#[test]
fn ctrl_c_ends_the_tools_that_were_started() {
    let place = Playground::new();
    write_waiting(&place, "programs/git", "31722");
    let path = format!("{}:{}", place.folder.path().join("programs").display(), std::env::var("PATH").unwrap());
    let mut command = place.command(&["git+https://localhost/repository"]);
    command.env("PATH", path);
    let child = start(command, "31722");
    interrupt(&child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    wait_until("the tool is gone", || !is_running("31722"));
}
