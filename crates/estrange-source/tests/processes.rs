//! Several processes, killed processes, other users, full disks: what the cache promises across processes.
//!
//! The children are this very test program, told by its environment to run only [`worker`].
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use common::{Bench, write_tar};
use estrange_sandbox::{Launcher, Protection, Sandbox};
use estrange_source::{Cache, Silent, Spec, fetch};

const SPEC: &str = "ESTRANGE_TEST_SPEC";
const CACHE: &str = "ESTRANGE_TEST_CACHE";

/// What a child does: fetches what its environment names, and prints the digest or the reason of the loss.
#[test]
fn worker() {
    let (Ok(spec), Ok(cache)) = (std::env::var(SPEC), std::env::var(CACHE)) else { return };
    let spec: Spec = spec.parse().unwrap();
    let sandbox = Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap();
    let result = Cache::open(cache).and_then(|cache| fetch(&spec, &cache, &sandbox, &Silent));
    match result {
        Ok(fetched) => println!("digest {}", fetched.tree),
        Err(loss) => println!("loss {} {loss}", loss.reason()),
    }
}

fn child(program: &Path, cache: &Path, spec: &str) -> Command {
    let mut command = Command::new(program);
    command.args(["worker", "--exact", "--nocapture"]).env(SPEC, spec).env(CACHE, cache);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The word behind `digest` or `loss` in what a child printed.
fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.find("digest ").or(line.find("loss ")).map(|at| &line[at..]));
    let line = line.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    line.split_whitespace().nth(1).unwrap().to_owned()
}

fn program() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// An archive that takes a while to unpack.
fn large_archive(bench: &Bench, files: usize) -> String {
    let path = bench.path("large.tar");
    let content = "int x;\n".repeat(500);
    let names: Vec<String> = (0..files).map(|number| format!("d{}/f{number}.c", number % 50)).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), content.as_str())).collect();
    write_tar(&path, &entries);
    path.to_str().unwrap().to_owned()
}

#[test]
fn processes_that_fetch_the_same_thing_at_once_all_have_it() {
    let bench = Bench::new();
    let spec = large_archive(&bench, 2000);
    let children: Vec<_> = (0..6).map(|_| child(&program(), bench.cache.path(), &spec).spawn().unwrap()).collect();
    let digests: Vec<String> = children.into_iter().map(|child| said(&child.wait_with_output().unwrap())).collect();
    assert!(digests.iter().all(|digest| *digest == bench.get(&spec).tree.to_string()), "{digests:?}");
    assert_eq!((bench.count("trees"), bench.count("tmp")), (1, 0));
}

#[test]
fn a_process_killed_at_any_moment_leaves_nothing_that_looks_whole() {
    let undisturbed = Bench::new();
    let spec = large_archive(&undisturbed, 3000);
    let expected = undisturbed.get(&spec);
    let bench = Bench::new();
    let mut killed = 0;
    for step in 0..25 {
        let mut process = child(&program(), bench.cache.path(), &spec).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(15 * step));
        let over = process.try_wait().unwrap().is_some();
        process.kill().unwrap();
        process.wait().unwrap();
        // What is under its final name is whole, always.
        for entry in fs::read_dir(bench.cache.path().join("trees")).unwrap() {
            assert_eq!(common::listing(&entry.unwrap().path().join("root")).len(), 3050);
        }
        if over {
            break;
        }
        killed += 1;
    }
    assert!(killed > 0);
    assert_eq!(bench.get(&spec).tree, expected.tree);
    assert_eq!(bench.count("tmp"), 0);
}

#[test]
fn a_cache_that_cannot_be_written_serves_what_it_has() {
    let bench = Bench::new();
    let had = bench.path("had.tar");
    write_tar(&had, &[("a.c", "int a;\n")]);
    let new = bench.path("new.tar");
    write_tar(&new, &[("b.c", "int b;\n")]);
    let expected = bench.get(had.to_str().unwrap());
    // Everybody may read everything, and nobody but its owner may write.
    let executable = bench.path("program");
    fs::copy(program(), &executable).unwrap();
    fs::set_permissions(bench.folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let is_root = rustix::process::geteuid().is_root();
    let folders = ["", "downloads", "trees", "records", "partial", "tmp", "locks", "git", "apt"];
    let set_mode = |mode| {
        for folder in folders.iter().filter(|_| !is_root) {
            fs::set_permissions(bench.cache.path().join(folder), fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    set_mode(0o555);
    let fetch = |cache: &Path, spec: &Path| {
        let mut command = child(&executable, cache, spec.to_str().unwrap());
        if is_root {
            command.uid(65534).gid(65534);
        }
        // A process that another test started in between may still hold the copy open for writing.
        let output = loop {
            match command.output() {
                Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
                output => break output.unwrap(),
            }
        };
        said(&output)
    };
    assert_eq!(fetch(bench.cache.path(), &had), expected.tree.to_string());
    assert_eq!(fetch(bench.cache.path(), &new), "cache-read-only");
    assert_eq!(fetch(&bench.cache.path().join("deeper"), &had), "cache-read-only");
    // What is damaged cannot be mended here.
    fs::write(expected.root.join("a.c"), "int A;\n").unwrap();
    assert_eq!(fetch(bench.cache.path(), &had), "cache-read-only");
    set_mode(0o755);
}

#[test]
fn a_full_disk_is_said_so_and_leaves_nothing() {
    let bench = Bench::new();
    let spec = large_archive(&bench, 2000);
    // A disk of four megabytes, in a mount namespace of its own.
    let disk = bench.path("disk");
    fs::create_dir(&disk).unwrap();
    let script = "mount -t tmpfs -o size=4m none \"$1\" && \"$2\" worker --exact --nocapture; ls \"$1/cache/tmp\" \"$1/cache/trees\" >&2";
    for spec in [spec.as_str(), "deb:zlib"] {
        let mut command = Command::new("unshare");
        if !rustix::process::geteuid().is_root() {
            command.args(["--user", "--map-root-user"]);
        }
        command.args(["--mount", "sh", "-c", script, "sh"]).arg(&disk).arg(program());
        let output = command.env(SPEC, spec).env(CACHE, disk.join("cache")).output().unwrap();
        assert_eq!(said(&output), "disk-full", "{spec}");
        let left = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!left.contains("archive-"), "{left}");
    }
}

#[test]
fn without_a_network_what_is_kept_is_served_and_the_rest_is_a_loss() {
    let bench = Bench::new();
    let had = bench.get("deb:utf8proc").tree.to_string();
    let fetch = |cache: &Path, spec: &str| {
        let mut command = child(&program(), cache, spec);
        // Nobody listens there.
        for variable in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
            command.env(variable, "http://127.0.0.1:9");
        }
        said(&command.env("CARGO_HOME", bench.path("cargo")).output().unwrap())
    };
    assert_eq!(fetch(bench.cache.path(), "deb:utf8proc"), had);
    std::thread::scope(|scope| {
        for spec in ["deb:zlib", "crate:slab", "https://a.example/x.tar.gz", "git+https://a.example/x"] {
            let (bench, fetch) = (&bench, &fetch);
            scope.spawn(move || assert_eq!(fetch(&bench.path(&spec.replace('/', "-")), spec), "network", "{spec}"));
        }
    });
}

#[test]
fn a_tool_that_is_not_installed_is_named() {
    let bench = Bench::new();
    // A PATH on which nothing is but `env`.
    let path = bench.path("programs");
    fs::create_dir(&path).unwrap();
    std::os::unix::fs::symlink("/usr/bin/env", path.join("env")).unwrap();
    for spec in ["deb:zlib", "crate:slab", "git+https://a.example/x"] {
        let output = child(&program(), bench.cache.path(), spec).env("PATH", &path).output().unwrap();
        assert_eq!(said(&output), "tool-missing", "{spec}");
    }
}
