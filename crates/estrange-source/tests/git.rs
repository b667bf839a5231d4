//! Git repositories, made here and fetched over `file://`.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::Command;

use common::{Bench, listing};
use estrange_source::Omission;
use estrange_words::Reason;

/// Runs git in a repository, as a user with no configuration.
fn git(repository: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(repository)
        .args(["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A repository with two commits, a tag on the first, and a branch beside.
fn repository(bench: &Bench) -> (std::path::PathBuf, String, String) {
    let path = bench.path("project");
    std::fs::create_dir(&path).unwrap();
    git(&path, &["init", "--quiet"]);
    std::fs::create_dir(path.join("only")).unwrap();
    std::fs::write(path.join("only/a.c"), "int a;\n").unwrap();
    // Attributes that would change an archive: they must have no say.
    std::fs::write(path.join("only/.gitattributes"), "secret.c export-ignore\nid.c export-subst\n*.c eol=crlf\n")
        .unwrap();
    std::fs::write(path.join("only/secret.c"), "int s;\n").unwrap();
    std::fs::write(path.join("only/id.c"), "$Format:%H$\n").unwrap();
    git(&path, &["add", "."]);
    git(&path, &["commit", "--quiet", "-m", "one"]);
    let first = git(&path, &["rev-parse", "HEAD"]);
    git(&path, &["tag", "-a", "v1", "-m", "one"]);
    git(&path, &["branch", "side/line"]);
    std::fs::write(path.join("only/a.c"), "int b;\n").unwrap();
    git(&path, &["commit", "--quiet", "-a", "-m", "two"]);
    let second = git(&path, &["rev-parse", "HEAD"]);
    (path, first, second)
}

#[test]
fn a_revision_of_any_kind_is_found_and_pinned() {
    let bench = Bench::new();
    let (path, first, second) = repository(&bench);
    let url = format!("git+file://{}", path.display());
    for (revision, commit) in [
        ("", &second),
        ("#main", &second),
        ("#v1", &first),
        ("#side/line", &first),
        (&format!("#{first}"), &first),
        (&format!("#{}", &first[..10]), &first),
    ] {
        let fetched = bench.get(&format!("{url}{revision}"));
        assert_eq!(&fetched.version, commit, "{revision}");
        assert_eq!(fetched.pinned.to_string(), format!("{url}#{commit}#tree={}", fetched.tree));
    }
    let fetched = bench.get(&format!("{url}#v1"));
    let expected = [
        ("only", "a folder"),
        ("only/.gitattributes", "secret.c export-ignore\nid.c export-subst\n*.c eol=crlf\n"),
        ("only/a.c", "int a;\n"),
        ("only/id.c", "$Format:%H$\n"),
        ("only/secret.c", "int s;\n"),
    ];
    assert_eq!(listing(&fetched.root), expected.map(|(name, what)| (name.to_owned(), what.to_owned())));
}

#[test]
fn a_branch_is_followed_and_a_commit_needs_no_repository() {
    let bench = Bench::new();
    let (path, _, second) = repository(&bench);
    let url = format!("git+file://{}", path.display());
    let before = bench.get(&url);
    std::fs::write(path.join("only/a.c"), "int c;\n").unwrap();
    git(&path, &["commit", "--quiet", "-a", "-m", "three"]);
    let after = bench.get(&url);
    assert_ne!(after.version, before.version);
    // The repository is gone: what is pinned is still to be had, verified from the cache alone.
    std::fs::remove_dir_all(&path).unwrap();
    assert_eq!(bench.get(&before.pinned.to_string()).tree, before.tree);
    assert_eq!(bench.get(&format!("{url}#{second}")).tree, before.tree);
    assert_eq!(bench.loss(&url).reason(), Reason::NotFound);
}

#[test]
fn what_is_not_there_is_told_apart() {
    let bench = Bench::new();
    let (path, ..) = repository(&bench);
    let url = format!("git+file://{}", path.display());
    assert_eq!(bench.loss(&format!("{url}#nothing")).reason(), Reason::RevisionNotFound);
    assert_eq!(bench.loss(&format!("{url}#{}", "1".repeat(40))).reason(), Reason::RevisionNotFound);
    assert_eq!(bench.loss(&format!("{url}#1111111")).reason(), Reason::RevisionNotFound);
    assert_eq!(bench.loss("git+file:///nowhere/at/all").reason(), Reason::NotFound);
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert_eq!(bench.loss(&format!("git+http://{closed}/x")).reason(), Reason::Network);
}

#[test]
fn hooks_and_configuration_have_no_say() {
    let bench = Bench::new();
    let (path, ..) = repository(&bench);
    let mark = bench.path("mark");
    for hook in ["post-checkout", "pre-receive", "reference-transaction", "post-index-change"] {
        let file = path.join(".git/hooks").join(hook);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, format!("#!/bin/sh\ntouch {}\n", mark.display())).unwrap();
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    git(&path, &["config", "uploadpack.packObjectsHook", &format!("touch {}; git", mark.display())]);
    bench.get(&format!("git+file://{}", path.display()));
    assert!(!mark.exists());
}

#[test]
fn a_repository_that_lacks_objects_is_told_from_one_that_is_away() {
    let bench = Bench::new();
    let (path, _, _) = repository(&bench);
    let blob = git(&path, &["rev-parse", "HEAD:only/a.c"]);
    std::fs::remove_file(path.join(format!(".git/objects/{}/{}", &blob[..2], &blob[2..]))).unwrap();
    let loss = bench.loss(&format!("git+file://{}", path.display()));
    assert_eq!(loss.reason(), Reason::IncompleteRepository, "{loss}");
    assert!(loss.to_string().contains(&blob), "{loss}");
}

#[test]
fn two_threads_may_fetch_two_revisions_of_one_repository() {
    let bench = Bench::new();
    let (path, first, second) = repository(&bench);
    let url = format!("git+file://{}", path.display());
    std::thread::scope(|scope| {
        for commit in [&first, &second, &first, &second] {
            let spec = format!("{url}#{commit}");
            let bench = &bench;
            scope.spawn(move || assert_eq!(&bench.get(&spec).version, commit));
        }
    });
}

#[test]
fn submodules_that_are_not_there_are_told_by_name() {
    let bench = Bench::new();
    let (path, _, _) = repository(&bench);
    std::fs::write(
        path.join(".gitmodules"),
        "[submodule \"lib\"]\n\tpath = vendor/lib\n\turl = ../lib\n[submodule \"here\"]\n\tpath = only\n\turl = ../here\n\
         [submodule \"out\"]\n\tpath = ../outside\n",
    )
    .unwrap();
    git(&path, &["add", "."]);
    git(&path, &["commit", "--quiet", "-m", "three"]);
    for source in [format!("git+file://{}", path.display()), path.display().to_string()] {
        let fetched = bench.fetch(&source).unwrap();
        let told: Vec<_> = fetched.left_out.iter().filter(|one| one.reason == Omission::Submodule).collect();
        assert_eq!(told.len(), 1, "{:?}", fetched.left_out);
        assert_eq!(told[0].examples, ["vendor/lib"]);
    }
}
