//! Functions of benches whose sources are repositories that are made here.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use estrange_bench::{
    Bench, Function, Group, Json, Kind, Language, Lock, Provenance, Reason, Rejected, Source, Split, Stage, write,
};
use estrange_history::{Asked, Past, Step, With};
use estrange_sandbox::{Launcher, Protection, Sandbox};
use estrange_source::{Cache, Silent, Spec, fetch};
use tempfile::TempDir;

/// A repository, and the bench of it.
struct Place {
    folder: TempDir,
    cache: Cache,
    sandbox: Sandbox,
}

/// A function of which one line says what it does.
fn function(name: &str, does: &str) -> String {
    format!("int {name}(int i)\n{{\n  i += 1;\n  {does};\n  return i;\n}}\n")
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("project")).unwrap();
        let place = Self {
            cache: Cache::open(folder.path().join("cache")).unwrap(),
            sandbox: Sandbox::start(&Launcher::this_program(), Protection::Required).unwrap(),
            folder,
        };
        place.git("2020-01-01", &["init", "--quiet"]);
        place
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn git(&self, day: &str, arguments: &[&str]) {
        let time = format!("{day}T12:00:00+00:00");
        let output = Command::new("git")
            .current_dir(self.project())
            .args(["-c", "user.name=A", "-c", "user.email=a@example.invalid", "-c", "init.defaultBranch=main"])
            .args(arguments)
            .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")])
            .envs([("GIT_AUTHOR_DATE", &time), ("GIT_COMMITTER_DATE", &time)])
            .output()
            .unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn write(&self, path: &str, text: &str) {
        let place = self.project().join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }

    fn commit(&self, day: &str, title: &str, files: &[(&str, &str)]) {
        files.iter().for_each(|(path, text)| self.write(path, text));
        self.git(day, &["add", "-A"]);
        self.git(day, &["commit", "--quiet", "-m", title]);
    }

    /// A bench of sources as they are now; functions are named, with the source, the file, and why they are rejected.
    fn bench(&self, specs: &[&str], functions: &[(&str, &str, &str, Option<Reason>)]) -> Bench {
        let source = |spec: &&str| {
            let fetched = fetch(&spec.parse::<Spec>().unwrap(), &self.cache, &self.sandbox, &Silent);
            let pinned = fetched.map_or_else(|_| (*spec).to_owned(), |fetched| fetched.pinned.to_string());
            Source {
                spec: (*spec).to_owned(),
                pinned,
                version: "1".to_owned(),
                tree: "t".to_owned(),
                licences: BTreeMap::new(),
                split: Split::ALL[0],
                counts: estrange_bench::Counts::default(),
            }
        };
        let provenance = Provenance {
            estrange: "0".to_owned(),
            config: serde_json::json!({}),
            sources: specs.iter().map(source).collect(),
            ..Provenance::default()
        };
        let lines = |path: &str, name: &str| {
            let text = fs::read_to_string(self.project().join(path)).unwrap_or_default();
            let first = text.lines().position(|line| line.starts_with(&format!("int {name}("))).unwrap_or(0) as u32 + 1;
            (first, first + 5)
        };
        let kept = functions.iter().filter(|(.., why)| why.is_none());
        let kept = kept.map(|(source, path, name, _)| kept_function(source, path, name, lines(path, name)));
        let lost = functions.iter().filter_map(|(source, path, name, why)| {
            Some(rejected_function(source, path, name, lines(path, name), (*why)?))
        });
        let folder = self.folder.path().join(format!("bench-{}", functions.len()));
        let lock = Lock::acquire(&folder).unwrap();
        write(&lock, provenance, kept.collect::<Vec<_>>(), lost.collect::<Vec<_>>()).unwrap();
        drop(lock);
        Bench::open(&folder).unwrap()
    }

    fn past(&self, bench: &Bench, since: Option<&str>, with: With) -> Past {
        let asked = Asked { since: since.map(|day| day.parse().unwrap()), with };
        Past::of(bench, &asked, &self.cache, &self.sandbox, &Silent).unwrap()
    }
}

fn kept_function(source: &str, path: &str, name: &str, (line_start, line_end): (u32, u32)) -> Function {
    Function {
        id: name.to_owned(),
        lineage: name.to_owned(),
        source: source.to_owned(),
        version: "1".to_owned(),
        path: path.to_owned(),
        line_start,
        line_end,
        name: name.to_owned(),
        qualified_name: name.to_owned(),
        kind: Kind::Function,
        language: Language::C,
        role: "library".to_owned(),
        licence: "MIT".to_owned(),
        licence_class: "permissive".to_owned(),
        group: Group::One,
        split: Split::ALL[0],
        text: String::new(),
        unit: String::new(),
        unit_start: None,
        unit_end: None,
        linked_unit: None,
        linked_start: None,
        linked_end: None,
        linkable: false,
        unlinkable_reason: None,
        flags: Vec::new(),
        helpers: Vec::new(),
        long_text: None,
        long_start: None,
        types: Vec::new(),
        includes: Vec::new(),
        comment: None,
        loc: 1,
        cyclomatic_complexity: 1,
        tokens: 1,
        model_tokens: None,
        unique_keywords: 1,
        unit_lines: 1,
        linked_lines: None,
        evidence: Json::default(),
        duplicates: Vec::new(),
    }
}

fn rejected_function(source: &str, path: &str, name: &str, lines: (u32, u32), reason: Reason) -> Rejected {
    Rejected {
        id: Some(name.to_owned()),
        source: source.to_owned(),
        version: Some("1".to_owned()),
        path: Some(path.to_owned()),
        line_start: Some(lines.0),
        line_end: Some(lines.1),
        name: Some(name.to_owned()),
        kind: Some(Kind::Function),
        language: Some(Language::C),
        role: Some("library".to_owned()),
        stage: Stage::Compile,
        reason,
        detail: String::new(),
        text: None,
    }
}

/// What a step is called, what is left, which kinds these are, and what was lost.
type Told = (&'static str, u64, Vec<(&'static str, u64)>, Vec<(&'static str, u64)>);

fn told(steps: &[Step]) -> Vec<Told> {
    let list = |counts: &BTreeMap<&'static str, u64>| counts.iter().map(|(word, count)| (*word, *count)).collect();
    steps.iter().map(|step| (step.name, step.left, list(&step.kinds), list(&step.lost))).collect()
}

/// A history of years: `one` changes without a test, `two` in a request with a test, `four` comes with a test; then the file
/// gets another name and lines before them all, and `three` changes in a request without a test.
fn history(place: &Place) {
    let [one, two, three, four] = ["one", "two", "three", "four"].map(|name| function(name, "i *= 2"));
    let (other_one, other_two) = (function("one", "i *= 3"), function("two", "i -= 3"));
    place.commit("2020-01-01", "Begin", &[("src/a.c", &[&one[..], &two, &three].concat()), ("tests/t.py", "1\n")]);
    place.commit("2021-01-01", "Change one", &[("src/a.c", &[&other_one[..], &two, &three].concat())]);
    place.git("2021-02-01", &["checkout", "--quiet", "-b", "side"]);
    place.commit("2021-02-01", "Change two", &[("src/a.c", &[&other_one[..], &other_two, &three].concat())]);
    place.commit("2021-02-02", "Test two", &[("tests/t.py", "2\n")]);
    place.git("2022-01-01", &["checkout", "--quiet", "main"]);
    place.git("2022-01-01", &["merge", "--quiet", "--no-ff", "-m", "Merge pull request #1 from x/side", "side"]);
    let all = [&other_one[..], &other_two, &three, &four].concat();
    place.commit("2022-06-01", "Add four (#2)", &[("src/a.c", &all), ("tests/t.py", "4\n")]);
    place.git("2023-01-01", &["mv", "src/a.c", "src/b.c"]);
    place.commit("2023-01-01", "Call it b", &[("src/b.c", &format!("/* A head. */\n\n{all}")), ("tests/t.py", "5\n")]);
    place.git("2023-02-01", &["checkout", "--quiet", "-b", "other"]);
    let last = format!("/* A head. */\n\n{other_one}{other_two}{}{four}", function("three", "i += 7"));
    place.commit("2023-02-01", "Change three", &[("src/b.c", &last)]);
    place.git("2023-06-01", &["checkout", "--quiet", "main"]);
    place.git("2023-06-01", &["merge", "--quiet", "--no-ff", "-m", "Merge pull request #3 from x/other", "other"]);
}

const NAMES: [&str; 4] = ["one", "two", "three", "four"];

#[test]
fn functions_are_dated_and_chosen_by_the_changes_that_touch_them() {
    let place = Place::new();
    history(&place);
    let spec = format!("git+file://{}", place.project().display());
    let of = |name, why| (spec.as_str(), "src/b.c", name, why);
    let bench = place
        .bench(&[&spec], &[of("one", None), of("two", None), of("three", None), of("four", Some(Reason::GccRefuses))]);
    let dated = place.past(&bench, None, With::Tests);
    let days = [Some("2021-01-01"), Some("2022-01-01"), Some("2023-06-01"), None];
    assert_eq!(NAMES.map(|name| dated.day(name)), days, "a request changes on the day on which it lands");
    assert_eq!((dated.chosen(), dated.takes("one"), dated.steps()), (None, true, Vec::new()));

    let tests = place.past(&bench, Some("2022-01-01"), With::Tests);
    assert_eq!(NAMES.map(|name| tests.takes(name)), [false, true, false, false]);
    assert_eq!(NAMES.map(|name| tests.day(name)), days);
    let expected = vec![
        ("landed", 6, vec![], vec![]),
        ("since", 4, vec![("commit", 1), ("merge", 2), ("squashed", 1)], vec![("before", 2)]),
        ("with-tests", 3, vec![("commit", 1), ("merge", 1), ("squashed", 1)], vec![("no-tests", 1)]),
        ("found", 4, vec![], vec![]),
        ("with-history", 4, vec![], vec![]),
        ("changed", 2, vec![], vec![("not-changed", 2)]),
        ("in-the-bench", 1, vec![], vec![("gcc-refuses", 1)]),
    ];
    assert_eq!(told(&tests.steps()), expected);

    let any = place.past(&bench, Some("2022-01-02"), With::Any);
    assert_eq!(NAMES.map(|name| any.takes(name)), [false, false, true, false]);
    let names: Vec<&str> = any.steps().iter().map(|step| step.name).collect();
    assert_eq!(names, ["landed", "since", "found", "with-history", "changed", "in-the-bench"]);
    assert_eq!(any.steps()[1].left, 3, "the day before is too early");
    let all = place.past(&bench, Some("2020-01-01"), With::Any);
    assert_eq!((all.chosen(), all.steps()[4].left), (Some(3), 4), "what came since then changed, too");
}

#[test]
fn a_revision_has_the_history_that_leads_to_it() {
    let place = Place::new();
    history(&place);
    place.git("2024-01-01", &["tag", "v1", "HEAD~2"]);
    place.git("2024-01-01", &["checkout", "--quiet", "v1"]);
    let spec = format!("git+file://{}#v1", place.project().display());
    let bench = place.bench(&[&spec], &[(&spec, "src/a.c", "three", None)]);
    let past = place.past(&bench, Some("2021-06-01"), With::Any);
    assert_eq!((past.day("three"), past.takes("three")), (Some("2020-01-01"), false));
    assert_eq!(past.steps()[0].left, 4);
}

#[test]
fn a_folder_has_the_history_of_what_was_committed_in_it() {
    let place = Place::new();
    history(&place);
    place.write("src/c.c", &function("five", "i = 0"));
    let spec = place.project().display().to_string();
    let bench = place.bench(&[&spec], &[(&spec, "src/b.c", "two", None), (&spec, "src/c.c", "five", None)]);
    let past = place.past(&bench, Some("2022-01-01"), With::Tests);
    assert_eq!((past.day("two"), past.takes("two")), (Some("2022-01-01"), true));
    assert_eq!((past.day("five"), past.takes("five")), (None, false));
    assert_eq!(told(&past.steps())[5], ("changed", 1, vec![], vec![("not-committed", 1)]));
    // What the bench was made of is not there any more: nothing is said of it.
    place.write("src/b.c", "int other;\n");
    let past = place.past(&bench, Some("2022-01-01"), With::Tests);
    assert_eq!((past.day("two"), past.chosen()), (None, Some(0)));
    assert_eq!(past.sources[0].left_out.as_ref().map(|why| why.reason), Some(Reason::HashMismatch));
}

#[test]
fn sources_without_a_history_are_told_with_their_reason() {
    let place = Place::new();
    history(&place);
    let spec = format!("git+file://{}", place.project().display());
    let plain = place.folder.path().join("plain");
    fs::create_dir(&plain).unwrap();
    fs::write(plain.join("x.c"), function("six", "i = 6")).unwrap();
    let plain = plain.display().to_string();
    let functions =
        [(spec.as_str(), "src/b.c", "two", None), (&plain, "x.c", "six", None), ("deb:zlib", "y.c", "seven", None)];
    let bench = place.bench(&[&spec, &plain, "deb:zlib"], &functions);
    let past = place.past(&bench, Some("2022-01-01"), With::Tests);
    let reasons: Vec<Option<Reason>> =
        past.sources.iter().map(|source| source.left_out.as_ref().map(|why| why.reason)).collect();
    assert_eq!(reasons, [None, Some(Reason::NotFound), Some(Reason::NotFound)]);
    assert_eq!((past.takes("two"), past.takes("six"), past.takes("seven")), (true, false, false));
    let steps = told(&past.steps());
    assert_eq!(steps[3..5], [("found", 3, vec![], vec![]), ("with-history", 1, vec![], vec![("not-found", 2)])]);
    assert_eq!(steps[5], ("changed", 1, vec![], vec![]));
}

#[test]
fn a_function_is_as_old_as_the_newest_of_its_lines() {
    // No line goes without another that comes: so a function is as old as its newest line.
    let place = Place::new();
    let mut texts: Vec<String> = (0..12).map(|number| function(&format!("f{number}"), "i = 0")).collect();
    place.commit("2020-01-01", "Begin", &[("a.c", &texts.concat())]);
    for step in 1_usize..40 {
        let at = step * 7 % texts.len();
        match step % 4 {
            0 => texts.insert(at, function(&format!("g{step}"), "i = 1")),
            1 if texts.len() > 4 => drop(texts.remove(at)),
            2 => texts[at] = texts[at].replace("i += 1", &format!("i += {step} + 1")),
            _ => texts.swap(at, (at + 1) % 3),
        }
        place.commit(
            &format!("2021-{:02}-{:02}", step / 28 + 1, step % 28 + 1),
            "x",
            &[("a.c", &texts.concat()), ("n", &step.to_string())],
        );
    }
    let spec = format!("git+file://{}", place.project().display());
    let names: Vec<String> = texts.iter().map(|text| text[4..text.find('(').unwrap()].to_owned()).collect();
    let functions: Vec<(&str, &str, &str, Option<Reason>)> =
        names.iter().map(|name| (spec.as_str(), "a.c", name.as_str(), None)).collect();
    let bench = place.bench(&[&spec], &functions);
    let past = place.past(&bench, None, With::Any);
    for (number, name) in names.iter().enumerate() {
        let (first, last) = (number * 6 + 1, number * 6 + 6);
        let newest = blamed(&place.project(), first, last).into_iter().max();
        assert_eq!(past.day(name), newest.as_deref(), "{name}");
    }
}

/// The days of some lines of a file, as git has them.
fn blamed(project: &Path, first: usize, last: usize) -> Vec<String> {
    let range = format!("{first},{last}");
    let output = Command::new("git")
        .current_dir(project)
        .args(["blame", "--first-parent", "-s", "--date=short", "--line-porcelain", "-L", &range, "a.c"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let seconds = text.lines().filter_map(|line| line.strip_prefix("committer-time "));
    seconds
        .map(|seconds| {
            let day = Command::new("date").args(["-u", "-d", &format!("@{seconds}"), "+%Y-%m-%d"]).output().unwrap();
            String::from_utf8(day.stdout).unwrap().trim().to_owned()
        })
        .collect()
}
