//! The cache as its users see it: what is in it, whether it is whole, and room.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Output;

use serde_json::json;
use support::{estrange, json, run, whole};
use tempfile::TempDir;

/// A folder with a project, and a cache.
struct Playground(TempDir);

impl Playground {
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = estrange(arguments);
        command.current_dir(self.0.path()).env("ESTRANGE_CACHE", self.path("cache")).output().unwrap()
    }

    fn build(&self) -> Output {
        let output = self.run(&["build", "project", "--out", "B"]);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        output
    }
}

#[test]
fn what_is_kept_is_shown_verified_and_removed_unless_somebody_uses_it() {
    let place = Playground(tempfile::tempdir().unwrap());
    fs::create_dir(place.path("project")).unwrap();
    fs::write(place.path("project/add.c"), "int add(int a, int b) { return a + b; }\n").unwrap();
    place.build();
    fs::create_dir_all(place.path("cache/models")).unwrap();
    fs::write(place.path("cache/models/answers"), "estrange answers 1\n").unwrap();
    fs::create_dir_all(place.path("cache/tmp/half")).unwrap();

    let shown = json(&place.run(&["cache", "--json"]));
    assert!(shown["kinds"]["results"]["entries"].as_u64().unwrap() > 0, "{shown}");
    assert_eq!(shown["kinds"]["answers"], json!({ "entries": 1, "bytes": 19 }));
    let text = whole(&place.run(&["cache"]));
    assert!(text.contains("results") && text.contains("together"), "{text}");
    assert_eq!(place.run(&["cache", "verify"]).status.code(), Some(0));

    // A damaged entry is named.
    let folders = fs::read_dir(place.path("cache/built")).unwrap().map(|entry| entry.unwrap().path());
    let folder = folders.into_iter().find(|path| !path.ends_with("scratch")).unwrap();
    let entry = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&entry).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&entry, bytes).unwrap();
    let output = place.run(&["cache", "verify"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), entry.to_str().unwrap());

    // Nothing goes while a command has the cache open, nor what was used of late.
    let in_use = File::open(place.path("cache/locks/in-use")).unwrap();
    in_use.lock_shared().unwrap();
    let refused = place.run(&["cache", "prune", "--unused", "0"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(whole(&refused).contains("another command uses the cache"), "{}", whole(&refused));
    assert!(place.path("cache/tmp/half").exists());
    drop(in_use);
    let removed =
        |arguments: &[&str]| json(&place.run(&[&["cache", "prune", "--json"], arguments].concat()))["removed"].clone();
    assert_eq!(removed(&["--dry-run"])["entries"], 1);
    assert_eq!(removed(&[])["entries"], 1, "what was left half done");
    assert!(entry.exists() && !place.path("cache/tmp/half").exists());
    assert_eq!(removed(&["--unused", "0", "--kind", "repositories"])["entries"], 0);
    assert!(removed(&["--unused", "0"])["entries"].as_u64().unwrap() > 0);
    assert!(!entry.exists());
    assert!(place.path("cache/models/answers").exists(), "what may have been paid for goes only by its name");
    assert_eq!(removed(&["--unused", "0", "--kind", "answers"])["entries"], 1);
    place.build();
}

#[test]
fn shells_are_told_what_can_be_completed() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        let script = String::from_utf8(output.stdout).unwrap();
        assert!(script.contains("estrange") && script.contains("rescore"), "{script}");
    }
    // A real shell takes it, and completes by it.
    let script = "source <(\"$0\" completions bash); COMP_WORDS=(estrange se); COMP_CWORD=1; _estrange estrange se estrange; echo \"${COMPREPLY[*]}\"";
    let mut bash = std::process::Command::new("bash");
    let output = bash.args(["-c", script, env!("CARGO_BIN_EXE_estrange")]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "search", "{}", whole(&output));
    assert_eq!(run(&["completions", "tcsh"]).status.code(), Some(2));
}
