//! Ctrl-C ends every command within two seconds, whatever it waits for: a file that never comes to an end, a server that
//! never answers.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use support::{estrange, whole};

/// A pipe in the place of a file: whoever reads it waits for what is never written.
fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The other end of a pipe, as soon as somebody reads it.
fn other_end(path: &Path) -> File {
    const WITHOUT_WAITING: i32 = 0o4000;
    wait_for("a reader", || OpenOptions::new().write(true).custom_flags(WITHOUT_WAITING).open(path).ok())
}

fn wait_for<T>(what: &str, found: impl Fn() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "waited too long for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Starts a command in a folder, waits until it waits, and presses Ctrl-C.
fn stop(folder: &Path, arguments: &[&str], waits: impl FnOnce() -> Option<File>) {
    let mut command = estrange(arguments);
    command.current_dir(folder).env("ESTRANGE_CACHE", folder.join("cache"));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let _open = waits();
    let started = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let took = started.elapsed();
    assert_eq!(output.status.code(), Some(130), "{arguments:?}: {}", whole(&output));
    assert!(took < Duration::from_secs(2), "{arguments:?} took {took:?}: {}", whole(&output));
}

#[test]
fn ctrl_c_ends_every_command_that_reads() {
    // Each has a folder of its own, so that all can wait at once.
    let commands: [(&str, &[&str]); 13] = [
        ("bench/manifest.json", &["stats", "bench"]),
        ("bench/manifest.json", &["show", "bench", "insert"]),
        ("bench/manifest.json", &["queries", "bench"]),
        ("bench/manifest.json", &["search", "bench", "--model", "bm25"]),
        ("bench/manifest.json", &["search", "bench", "--model", "local:model"]),
        ("bench/manifest.json", &["export", "bench", "--format", "beir", "--out", "beir"]),
        ("run/run.json", &["export", "run", "--format", "trec", "--out", "trec"]),
        ("run/run.json", &["report", "run", "--out", "report.html"]),
        ("clarc/group1_standard.json", &["import", "clarc", "clarc", "--out", "bench"]),
        ("a.c", &["rewrite", "a.c", "--function", "f", "--recipe", "neutralize", "--check"]),
        ("a.c", &["check", "a.c", "a.c", "--function", "f"]),
        ("a.c", &["lower", "a.c", "--function", "f", "--target", "x86_64"]),
        ("tokenizer.json", &["build", "./project", "--out", "bench", "--tokenizer", "tokenizer.json"]),
    ];
    thread::scope(|scope| {
        for (file, arguments) in commands {
            scope.spawn(move || {
                let folder = tempfile::tempdir().unwrap();
                let file: PathBuf = folder.path().join(file);
                pipe(&file);
                fs::create_dir(folder.path().join("project")).unwrap();
                fs::write(folder.path().join("project/a.c"), "int f(int a) { return a + 1; }\n").unwrap();
                stop(folder.path(), arguments, || Some(other_end(&file)));
            });
        }
    });
}

#[test]
fn ctrl_c_ends_every_command_that_downloads() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let connections = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connections);
    thread::spawn(move || {
        for stream in listener.incoming() {
            counted.fetch_add(1, Ordering::SeqCst);
            // Until the other side has had enough.
            thread::spawn(move || while stream.as_ref().unwrap().read(&mut [0; 512]).unwrap_or(0) > 0 {});
        }
    });
    let (archive, git) = (format!("http://{address}/a.tar.gz"), format!("git+http://{address}/a"));
    for source in [archive, git] {
        for arguments in [&["sources", &source][..], &["build", &source, "--out", "bench"]] {
            let folder = tempfile::tempdir().unwrap();
            let before = connections.load(Ordering::SeqCst);
            stop(folder.path(), arguments, || {
                wait_for("a connection", || (connections.load(Ordering::SeqCst) > before).then_some(()));
                None
            });
        }
    }
}
