//! What landed on the main line of repositories that are made here, read from the newest change back.
#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::Bench;
use estrange_diff::Span;
use estrange_source::{Follow, Landed, Landing, Loss, Silent, Spec, Touched, follow};
use estrange_words::Reason;

/// Runs git in a repository on a day, as a user with no configuration.
fn git(repository: &Path, day: &str, arguments: &[&str]) -> String {
    let time = format!("{day}T12:00:00+00:00");
    let output = Command::new("git")
        .current_dir(repository)
        .args(["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")])
        .envs([("GIT_AUTHOR_DATE", &time), ("GIT_COMMITTER_DATE", &time)])
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

fn commit(repository: &Path, day: &str, title: &str, files: &[(&str, &str)]) -> String {
    for (name, content) in files {
        let place = repository.join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, content).unwrap();
    }
    git(repository, day, &["add", "-A"]);
    git(repository, day, &["commit", "--quiet", "--allow-empty", "-m", title]);
    git(repository, day, &["rev-parse", "HEAD"])
}

/// Writes down all that it is told.
#[derive(Default)]
struct Notes {
    line: Vec<Landed>,
    touched: Vec<(String, Vec<String>)>,
    spans: Vec<(Span, Span)>,
    most: Option<usize>,
}

impl Follow for Notes {
    fn begins(&mut self, landed: &[Landed]) {
        self.line = landed.to_vec();
    }

    fn goes_on(&self, _: &Landed) -> bool {
        self.most.is_none_or(|most| self.touched.len() < most)
    }

    fn touched(&mut self, landed: &Landed, touched: &Touched) {
        let path = |path: &Option<String>| path.clone().unwrap_or_else(|| "none".to_owned());
        let files = touched.files.iter().map(|file| format!("{} > {}", path(&file.old_path), path(&file.new_path)));
        self.touched.push((landed.commit.clone(), files.collect()));
        let touches = touched.files.iter().flat_map(|file| &file.touched);
        self.spans.extend(touches.map(|touch| (touch.old, touch.new)));
    }
}

fn notes(bench: &Bench, spec: &str) -> Result<(Spec, Notes), Loss> {
    let mut notes = Notes::default();
    let source = follow(&spec.parse().unwrap(), &bench.cache, &bench.sandbox, &Silent, &mut notes)?;
    Ok((source, notes))
}

/// A commit, a request of two commits that was merged, one that was squashed, and a file with another name.
fn repository(bench: &Bench) -> (PathBuf, Vec<String>) {
    let path = bench.path("project");
    fs::create_dir(&path).unwrap();
    git(&path, "2020-01-01", &["init", "--quiet"]);
    let first = commit(&path, "2020-01-01", "Begin (#no)", &[("a.c", "1\n2\n3\n"), (".gitattributes", "*.c -diff\n")]);
    git(&path, "2020-01-02", &["checkout", "--quiet", "-b", "side"]);
    commit(&path, "2020-01-02", "Change it", &[("a.c", "1\n2\n3\n4\n")]);
    commit(&path, "2020-01-03", "Test it (#9)", &[("test/t.py", "assert\n")]);
    git(&path, "2021-06-01", &["checkout", "--quiet", "main"]);
    git(&path, "2021-06-01", &["merge", "--quiet", "--no-ff", "-m", "Merge pull request #9 from x/side", "side"]);
    let merge = git(&path, "2021-06-01", &["rev-parse", "HEAD"]);
    let squashed = commit(&path, "2022-01-01", "Take two away (#12)", &[("a.c", "1\n3\n4\n")]);
    git(&path, "2023-01-01", &["mv", "a.c", "b.c"]);
    let renamed = commit(&path, "2023-01-01", "Call it b", &[("bin", "\0\u{1}")]);
    (path, vec![renamed, squashed, merge, first])
}

#[test]
fn a_request_is_one_change_however_it_came_to_the_main_line() {
    let bench = Bench::new();
    let (path, commits) = repository(&bench);
    let spec = format!("git+file://{}", path.display());
    let (source, notes) = notes(&bench, &spec).unwrap();
    assert_eq!(source.to_string(), format!("{spec}#{}", commits[0]));
    let line: Vec<(&str, &str, Landing)> =
        notes.line.iter().map(|landed| (landed.commit.as_str(), landed.day.as_str(), landed.landing)).collect();
    let expected = [
        (commits[0].as_str(), "2023-01-01", Landing::Commit),
        (&commits[1], "2022-01-01", Landing::Squashed),
        (&commits[2], "2021-06-01", Landing::Merge),
        (&commits[3], "2020-01-01", Landing::Commit),
    ];
    assert_eq!(line, expected);
    let touched: Vec<(&str, Vec<&str>)> = notes
        .touched
        .iter()
        .map(|(commit, files)| (commit.as_str(), files.iter().map(String::as_str).collect()))
        .collect();
    let expected = [
        (commits[0].as_str(), vec!["a.c > b.c", "bin > bin"]),
        (&commits[1], vec!["a.c > a.c"]),
        (&commits[2], vec!["a.c > a.c", "none > test/t.py"]),
        (&commits[3], vec!["none > .gitattributes", "none > a.c"]),
    ];
    assert_eq!(touched, expected, "attributes of the tree have no say, and the first commit is one, too");
    let gone = (Span::Lines { first: 2, last: 2 }, Span::Gap { after: 1 });
    assert_eq!(notes.spans[0], gone, "without lines around it");
}

#[test]
fn a_history_ends_at_the_revision_and_where_nobody_asks_for_more() {
    let bench = Bench::new();
    let (path, commits) = repository(&bench);
    // A folder with a repository is one; what it has checked out is the revision.
    let (source, own) = notes(&bench, &path.display().to_string()).unwrap();
    assert!(source.to_string().ends_with(&format!("project#{}", commits[0])), "{source}");
    assert_eq!(own.line.len(), 4);
    let older = notes(&bench, &format!("git+file://{}#{}", path.display(), commits[2])).unwrap().1;
    assert_eq!((older.line.len(), older.touched.len()), (2, 2));
    let mut nothing = Notes { most: Some(0), ..Notes::default() };
    let spec: Spec = format!("git+file://{}", path.display()).parse().unwrap();
    follow(&spec, &bench.cache, &bench.sandbox, &Silent, &mut nothing).unwrap();
    assert_eq!((nothing.line.len(), nothing.touched.len()), (4, 0));
}

#[test]
fn a_copy_without_its_whole_history_does_not_make_its_oldest_commit_the_beginning() {
    let bench = Bench::new();
    let (path, commits) = repository(&bench);
    let copy = bench.path("copy");
    let from = format!("file://{}", path.display());
    git(bench.folder.path(), "2024-01-01", &["clone", "--quiet", "--depth=2", &from, "copy"]);
    let notes = notes(&bench, &copy.display().to_string()).unwrap().1;
    assert_eq!(notes.line.len(), 2);
    let read: Vec<&String> = notes.touched.iter().map(|(commit, _)| commit).collect();
    assert_eq!(read, [&commits[0]], "what the other one holds was there before");
}

#[test]
fn what_has_no_history_says_so() {
    let bench = Bench::new();
    fs::create_dir(bench.path("plain")).unwrap();
    for spec in
        [bench.path("plain").display().to_string(), "deb:zlib".to_owned(), "git+file:///nowhere/at/all".to_owned()]
    {
        assert_eq!(notes(&bench, &spec).err().unwrap().reason(), Reason::NotFound, "{spec}");
    }
}

#[test]
fn hundreds_of_changes_are_read_in_a_few_calls() {
    let bench = Bench::new();
    let path = bench.path("long");
    fs::create_dir(&path).unwrap();
    git(&path, "2020-01-01", &["init", "--quiet"]);
    // A stream of commits is faster than a process each.
    let mut stream = String::new();
    for number in 0..300 {
        let text = format!("int x = {number};\n");
        stream += &format!(
            "commit refs/heads/main\nmark :{}\ncommitter A <a@example.invalid> {} +0000\ndata 1\nx\nM 100644 inline f{}.c\ndata {}\n{text}\n",
            number + 1,
            1_600_000_000 + number * 86_400,
            number % 7,
            text.len()
        );
    }
    let file = bench.path("stream");
    fs::write(&file, stream).unwrap();
    let mut import = Command::new("git");
    import.current_dir(&path).args(["fast-import", "--quiet"]).stdin(fs::File::open(&file).unwrap());
    assert!(import.status().unwrap().success());
    let notes = notes(&bench, &format!("git+file://{}", path.display())).unwrap().1;
    assert_eq!((notes.line.len(), notes.touched.len()), (300, 300));
    let all: Vec<&String> = notes.line.iter().map(|landed| &landed.commit).collect();
    let read: Vec<&String> = notes.touched.iter().map(|(commit, _)| commit).collect();
    assert_eq!(all, read, "in the order of the line");
    assert_eq!((notes.line[299].day.as_str(), notes.touched[299].1[0].as_str()), ("2020-09-13", "none > f0.c"));
}
