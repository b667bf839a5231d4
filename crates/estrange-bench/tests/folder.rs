//! The folder of a bench: who may write to it, what may be replaced, and what does not open.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::*;
use estrange_bench::*;
use estrange_words::Hint;

/// The words of the error with which a folder does not open, and a check that there is a hint.
fn refusal(folder: &Path) -> String {
    let error = Bench::open(folder).unwrap_err();
    assert!(error.hint().is_some(), "{error}");
    error.to_string().replace(folder.to_str().unwrap(), "BENCH")
}

#[test]
fn a_folder_without_a_manifest_is_not_a_bench() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(refusal(folder.path()), "BENCH is not a bench: it has no manifest.json");
    assert_eq!(refusal(&folder.path().join("nowhere")), "BENCH is not a bench: it has no manifest.json");
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert_eq!(refusal(&file), "BENCH is not a bench: it has no manifest.json");
}

#[test]
fn another_version_is_named_with_ours() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let path = folder.path().join("manifest.json");
    // What another version says after its version may be anything.
    fs::write(&path, r#"{"format": "estrange-bench", "format_version": 99, "novelty": []}"#).unwrap();
    assert_eq!(refusal(folder.path()), "BENCH has the format version 99; this program knows version 2");
    let error = Lock::acquire(folder.path()).unwrap_err();
    assert!(matches!(error, BenchError::UnknownVersion { .. }), "not replaced either: {error}");
}

#[test]
fn a_damaged_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let path = folder.path().join("functions.parquet");
    let whole = fs::read(&path).unwrap();

    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let expected = format!("it has {} bytes, not {}", whole.len() - 1, whole.len());
    assert_eq!(refusal(folder.path()), format!("BENCH/functions.parquet is damaged: {expected}"));

    let mut other = whole.clone();
    other[40] ^= 1;
    fs::write(&path, &other).unwrap();
    let expected = "BENCH/functions.parquet is damaged: its hash is not the one in the manifest";
    assert_eq!(refusal(folder.path()), expected);

    fs::remove_file(&path).unwrap();
    assert_eq!(refusal(folder.path()), "BENCH/functions.parquet is damaged: it is missing");

    fs::write(&path, &whole).unwrap();
    let manifest = folder.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replacen("\"found\": 3", "\"found\": 4", 1)).unwrap();
    assert_eq!(refusal(folder.path()), "BENCH/manifest.json is damaged: its counts do not add up");
    fs::write(&manifest, &text[..text.len() / 2]).unwrap();
    assert!(refusal(folder.path()).starts_with("BENCH/manifest.json is damaged: EOF while parsing"));
}

#[test]
fn a_bench_is_replaced_and_what_else_is_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    fs::write(folder.path().join("NOTES"), "mine").unwrap();
    let lock = Lock::acquire(folder.path()).unwrap();
    let mut writer = Writer::new(&lock).unwrap();
    writer.keep(function("b1")).unwrap();
    assert_eq!(Bench::open(folder.path()).unwrap().manifest().counts.kept, 2, "the old one is there until the new is");
    writer.finish(provenance(&["deb:example"])).unwrap();
    drop(lock);
    assert_eq!(Bench::open(folder.path()).unwrap().manifest().counts.kept, 1);
    let names: Vec<String> = files(folder.path()).into_keys().collect();
    assert_eq!(names, ["NOTES", "functions.parquet", "manifest.json", "rejected.parquet"]);
}

#[test]
fn a_writer_that_is_given_up_leaves_things_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let before = files(folder.path());
    let lock = Lock::acquire(folder.path()).unwrap();
    let mut writer = Writer::new(&lock).unwrap();
    writer.keep(function("b1")).unwrap();
    drop(writer);
    drop(lock);
    assert_eq!(files(folder.path()), before);

    let fresh = folder.path().join("a/b");
    drop(Writer::new(&Lock::acquire(&fresh).unwrap()).unwrap());
    assert!(!fresh.exists(), "a folder that was made for nothing goes again");
}

#[test]
fn somebody_elses_folder_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["functions.parquet", "thesis.tex", "manifest.json"] {
        let path = folder.path().join(name);
        fs::write(&path, "{}").unwrap();
        let error = Lock::acquire(folder.path()).unwrap_err();
        let thing = if name == "manifest.json" { "a manifest.json that is no bench's" } else { name };
        let text = error.to_string().replace(folder.path().to_str().unwrap(), "FOLDER");
        assert_eq!(text, format!("FOLDER is neither empty nor a bench: it holds {thing}"));
        assert!(error.hint().is_some());
        assert_eq!(files(folder.path()), [(name.to_owned(), b"{}".to_vec())].into());
        fs::remove_file(&path).unwrap();
    }
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(matches!(Lock::acquire(&file), Err(BenchError::Io { .. })));
}

#[test]
fn two_builds_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let bench = folder.path().join("bench");
    let lock = Lock::acquire(&bench).unwrap();
    assert_eq!(refusal(&bench), "BENCH is not a bench: the build into it has not finished");
    let error = Lock::acquire(&bench).unwrap_err();
    assert_eq!(error.to_string(), format!("another command is writing to {}", bench.display()));
    assert!(error.hint().is_some());
    drop(lock);
    Lock::acquire(&bench).unwrap();
}

/// Not a test by itself: the other process of the next test.
#[test]
fn a_build_that_is_killed_helper() {
    let Some(folder) = std::env::var_os("ESTRANGE_TEST_FOLDER") else { return };
    let lock = Lock::acquire(&folder).unwrap();
    let mut writer = Writer::new(&lock).unwrap();
    writer.keep(function("a")).unwrap();
    fs::write(Path::new(&folder).join(".ready"), "").unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

#[test]
fn a_build_that_is_killed_holds_no_lock_and_leaves_no_bench() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_build_that_is_killed_helper"])
        .env("ESTRANGE_TEST_FOLDER", folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let ready = folder.path().join(".ready");
    let begin = Instant::now();
    while !ready.exists() {
        assert!(begin.elapsed() < Duration::from_secs(50), "the other process does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(matches!(Lock::acquire(folder.path()), Err(BenchError::Locked { .. })));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(refusal(folder.path()), "BENCH is not a bench: the build into it has not finished");
    fs::remove_file(ready).unwrap();
    sample(folder.path());
    assert_eq!(files(folder.path()).len(), 3, "nothing of the killed build is left");
    Bench::open(folder.path()).unwrap();
}
