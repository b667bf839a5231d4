//! The fixes in repositories that are made here.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::Bench;
use estrange_diff::Span;
use estrange_source::{Fixes, Loss, Sign, Silent, Unfit, Wanted};
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

/// A repository that grows by commits of one file each.
struct Project {
    path: PathBuf,
}

impl Project {
    fn new(bench: &Bench) -> Self {
        let path = bench.path("project");
        fs::create_dir(&path).unwrap();
        git(&path, &["init", "--quiet"]);
        Self { path }
    }

    fn commit(&self, message: &str, files: &[(&str, &[u8])]) -> String {
        for (name, content) in files {
            let place = self.path.join(name);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, content).unwrap();
        }
        git(&self.path, &["add", "-A"]);
        git(&self.path, &["commit", "--quiet", "--allow-empty", "-m", message]);
        git(&self.path, &["rev-parse", "HEAD"])
    }
}

fn find(bench: &Bench, spec: &str, wanted: &Wanted) -> Result<Fixes, Loss> {
    Fixes::of(&spec.parse().unwrap(), wanted, &bench.cache, &bench.sandbox, &Silent)
}

fn names(fixes: &Fixes) -> Vec<&str> {
    fixes.fixes.iter().map(|fix| fix.name.as_str()).collect()
}

const OLD: &[u8] = b"int f(int i)\n{\n  return i;\n}\n";
const NEW: &[u8] = b"int f(int i)\n{\n  if (i < 0)\n    return 0;\n  return i;\n}\n";

#[test]
fn messages_tell_fixes_from_other_commits() {
    let bench = Bench::new();
    let project = Project::new(&bench);
    let first = project.commit("CVE-2020-1234 in the first commit", &[("src/a.c", OLD), ("x.txt", b"1\n")]);
    project.commit("Tidy up", &[("src/b.c", OLD)]);
    let cve = project.commit("Check i\n\nThis is CVE-2021-1000 (CWE-125).", &[("src/a.c", NEW), ("x.txt", b"2\n")]);
    let fuzz = project.commit("Found by oss-fuzz", &[("src/b.c", NEW), ("corpus/1", b"\0\xff")]);
    let asan = project.commit("A heap-buffer-overflow in C++", &[("src/new.cc", NEW)]);
    let text = project.commit("Tell of CVE-2021-1000", &[("x.txt", b"3\n")]);
    let test = project.commit("Test for CVE-2021-1000", &[("tests/a.c", NEW)]);
    let binary = project.commit("The reproducer of CVE-2021-1000", &[("x.png", b"\0\xff")]);
    let all: Vec<(String, String)> = (0..41).map(|n| (format!("m/{n}.c"), format!("int x{n};\n"))).collect();
    let all: Vec<(&str, &[u8])> = all.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let many = project.commit("Everything, and CVE-2021-1000", &all);
    let fixes = find(&bench, &project.path.display().to_string(), &Wanted::default()).unwrap();
    assert_eq!((fixes.seen, names(&fixes)), (9, vec![cve.as_str(), &fuzz, &asan]));
    let lost: Vec<(&str, Unfit)> =
        fixes.losses.iter().map(|passed| (passed.name.as_str(), passed.unfit.clone())).collect();
    let expected = [
        (first.as_str(), Unfit::NoParent),
        (&text, Unfit::NoCode),
        (&test, Unfit::OnlyTests),
        (&binary, Unfit::Binary),
        (&many, Unfit::TooManyFiles { files: 41, most: 40 }),
    ];
    assert_eq!(lost, expected);
    let fix = &fixes.fixes[0];
    assert_eq!(
        (fix.title.as_str(), fix.description.as_str()),
        ("Check i", "Check i\n\nThis is CVE-2021-1000 (CWE-125).")
    );
    assert_eq!(
        (fix.cves.concat(), fix.cwes.concat(), &fix.signs[..]),
        ("CVE-2021-1000".into(), "CWE-125".into(), &[Sign::Cve][..])
    );
    assert_eq!((fix.files.len(), fix.files[0].new_path.as_deref()), (1, Some("src/a.c")));
    assert_eq!(fix.files[0].touched[0].old, Span::Gap { after: 2 });
    assert_eq!(fix.files[0].touched[0].new, Span::Lines { first: 3, last: 4 });
    assert!(String::from_utf8_lossy(&fix.diff).contains("+++ b/x.txt"));
    let (before, after) = (bench.get(&fix.before.to_string()), bench.get(&fix.after.to_string()));
    assert_eq!(
        (fs::read(before.root.join("src/a.c")).unwrap(), fs::read(after.root.join("src/a.c")).unwrap()),
        (OLD.to_vec(), NEW.to_vec())
    );
    assert_eq!(fixes.fixes[2].files[0].old_path, None);
    let signs = Wanted { signs: vec![Sign::Fuzzer], ..Wanted::default() };
    assert_eq!(names(&find(&bench, &project.path.display().to_string(), &signs).unwrap()), [fuzz.as_str()]);
}

#[test]
fn commits_are_named_or_taken_from_ranges() {
    let bench = Bench::new();
    let project = Project::new(&bench);
    let first = project.commit("one", &[("a.c", OLD)]);
    let second = project.commit("two", &[("a.c", NEW)]);
    git(&project.path, &["tag", "v2"]);
    let third = project.commit("three, of CVE-2020-1234", &[("a.c", OLD)]);
    let spec = format!("git+file://{}", project.path.display());
    let of = |names: &[&str], ranges: &[(&str, &str)], signs: &[Sign]| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        let ranges = ranges.iter().map(|&(from, to)| (from.to_owned(), to.to_owned())).collect();
        find(&bench, &spec, &Wanted { names, ranges, signs: signs.to_vec() })
    };
    let named = of(&["v2", &third[..10], "nowhere", &second], &[], &[]).unwrap();
    assert_eq!((named.seen, names(&named)), (2, vec![second.as_str(), &third]));
    assert_eq!((named.losses[0].name.as_str(), named.losses[0].unfit.reason()), ("nowhere", Reason::NotFound));
    assert_eq!(names(&of(&[], &[(&first, "HEAD")], &[]).unwrap()), [second.as_str(), &third]);
    assert_eq!(names(&of(&[], &[("HEAD~2", "v2")], &[]).unwrap()), [second.as_str()]);
    let overlapping = of(&[&second], &[("HEAD~2", "v2"), (&first, "HEAD")], &[]).unwrap();
    assert_eq!((overlapping.seen, names(&overlapping)), (2, vec![third.as_str(), &second]));
    assert_eq!(names(&of(&[], &[(&first, "main")], &[Sign::Cve]).unwrap()), [third.as_str()]);
    assert_eq!(of(&[], &[("gone", "main")], &[]).unwrap_err().reason(), Reason::RevisionNotFound);
    assert_eq!(of(&["--all"], &[], &[]).unwrap().losses[0].unfit, Unfit::NotThere);
    // The history ends where the source does, and goes back to its beginning even if a commit was fetched alone before.
    bench.get(&format!("{spec}#v2"));
    let early = find(&bench, &format!("{spec}#v2"), &Wanted::default()).unwrap();
    assert_eq!((early.seen, early.source.to_string()), (2, format!("{spec}#{second}")));
}

#[test]
fn a_commit_that_was_fetched_alone_gets_its_history() {
    let bench = Bench::new();
    let project = Project::new(&bench);
    project.commit("one", &[("a.c", OLD)]);
    let second = project.commit("two: CVE-2020-1234", &[("a.c", NEW)]);
    let spec = format!("git+file://{}", project.path.display());
    bench.get(&spec);
    let fixes = find(&bench, &spec, &Wanted::default()).unwrap();
    assert_eq!((fixes.seen, names(&fixes)), (2, vec![second.as_str()]));
}

#[test]
fn a_merge_stands_for_what_it_brings_unless_that_speaks_for_itself() {
    let bench = Bench::new();
    let project = Project::new(&bench);
    project.commit("one", &[("a.c", OLD), ("b.c", OLD)]);
    let on_branch = |branch: &str, message: &str, file: &str, merge: &str| {
        git(&project.path, &["checkout", "--quiet", "-b", branch]);
        let commit = project.commit(message, &[(file, NEW)]);
        git(&project.path, &["checkout", "--quiet", "main"]);
        project.commit(&format!("beside {branch}"), &[("z.txt", branch.as_bytes())]);
        git(&project.path, &["merge", "--quiet", "--no-ff", "-m", merge, branch]);
        (commit, git(&project.path, &["rev-parse", "HEAD"]))
    };
    let (spoken, merge) = on_branch("spoken", "Fix CVE-2020-1000", "a.c", "Merge the fix of CVE-2020-1000");
    let (_, silent) = on_branch("silent", "Fix it", "b.c", "Merge the fix of CVE-2020-2000");
    let (test, with_test) = on_branch("tests", "Test CVE-2020-3000", "tests/a.c", "Merge the test of CVE-2020-3000");
    let path = project.path.display().to_string();
    let fixes = find(&bench, &path, &Wanted::default()).unwrap();
    assert_eq!(names(&fixes), [spoken.as_str(), &silent]);
    assert_eq!((fixes.fixes[1].files.len(), fixes.fixes[1].files[0].new_path.as_deref()), (1, Some("b.c")));
    // What brings no fix is lost for a reason of its own.
    let lost: Vec<&str> = fixes.losses.iter().map(|passed| passed.name.as_str()).collect();
    assert_eq!(lost, [test.as_str(), &with_test]);
    // Who names a merge gets it.
    let named = find(&bench, &path, &Wanted { names: vec![merge.clone()], ..Wanted::default() }).unwrap();
    assert_eq!(names(&named), [merge.as_str()]);
}

#[test]
fn nothing_in_a_repository_changes_how_it_is_read() {
    let bench = Bench::new();
    let project = Project::new(&bench);
    let mark = bench.path("mark");
    let attributes = "*.c -diff -text\n*.cc diff=evil\n";
    project.commit("one", &[("a.c", OLD), ("b \u{e9}.cc", OLD), (".gitattributes", attributes.as_bytes())]);
    let command = format!("touch {}", mark.display());
    git(&project.path, &["config", "diff.evil.textconv", &command]);
    git(&project.path, &["config", "diff.evil.command", &command]);
    let fix = project.commit("CVE-2020-1000", &[("a.c", NEW), ("b \u{e9}.cc", NEW)]);
    let fixes = find(&bench, &project.path.display().to_string(), &Wanted::default()).unwrap();
    assert_eq!(names(&fixes), [fix.as_str()]);
    let paths: Vec<_> = fixes.fixes[0].files.iter().filter_map(|file| file.new_path.as_deref()).collect();
    assert_eq!(paths, ["a.c", "b \u{e9}.cc"]);
    assert!(!mark.exists());
}
