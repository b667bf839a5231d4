//! Functions chosen by when they changed, and what a model may have seen of them: from a repository that is made here to tables.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use support::{estrange, json, whole};
use tempfile::TempDir;

/// A function that sums up something, with or without a comment.
fn function(comment: &str, name: &str, each: &str) -> String {
    format!(
        "{comment}int {name}(int last)\n{{\n    int sum = 0;\n    if (last < 1 || last > 99)\n        return -1;\n    for \
         (int each = 1; each <= last; each++)\n        sum += {each};\n    return sum;\n}}\n\n"
    )
}

const SQUARES: &str =
    "/* Sums up the squares of all numbers from one to a last one, which is less than a hundred. */\n";
const CUBES: &str = "/* Sums up the cubes of all numbers from one to a last one, which is less than a hundred. */\n";

/// A repository with a bench of it: `sum_of_squares` is old, `sum_of_cubes` changed in a request with a test, `sum_of_doubles`, which nobody describes,
/// too, and `sum_of_odds` without a test.
struct Playground {
    folder: TempDir,
}

impl Playground {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.path("project/tests")).unwrap();
        let git = |day: &str, arguments: &[&str]| git(&place.path("project"), day, arguments);
        let commit = |day: &str, title: &str, cubes: &str, doubles: &str, odds: &str, test: &str| {
            let odd = "/* Sums up every other number from one to a last one, which is less than a hundred. */\n";
            let text = function(SQUARES, "sum_of_squares", "each * each")
                + &function(CUBES, "sum_of_cubes", cubes)
                + &function("", "sum_of_doubles", doubles)
                + &function(odd, "sum_of_odds", odds);
            fs::write(place.path("project/sums.c"), text).unwrap();
            fs::write(place.path("project/tests/run.sh"), test).unwrap();
            git(day, &["add", "-A"]);
            git(day, &["commit", "--quiet", "-m", title]);
        };
        git("2020-01-01", &["init", "--quiet"]);
        commit("2020-01-01", "Begin", "each", "each", "each", "1\n");
        git("2024-03-01", &["checkout", "--quiet", "-b", "side"]);
        commit("2024-03-01", "Mend two sums", "each * each * each", "each * 2", "each", "1\n");
        commit("2024-03-02", "Test them", "each * each * each", "each * 2", "each", "2\n");
        git("2024-04-01", &["checkout", "--quiet", "main"]);
        git("2024-04-01", &["merge", "--quiet", "--no-ff", "-m", "Merge pull request #1 from x/side", "side"]);
        commit("2024-05-01", "Only odd ones (#2)", "each * each * each", "each * 2", "each % 2 ? each : 0", "2\n");
        let (project, bench) = (place.text("project"), place.text("bench"));
        let build = ["build", &project, "--out", &bench, "--configure", "never", "--settings", "standard"];
        let built = place.command(&build);
        assert!(built.status.success(), "{}", whole(&built));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn command(&self, arguments: &[&str]) -> Output {
        estrange(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    fn generate(&self, out: &str, more: &[&str]) -> Output {
        let (bench, out) = (self.text("bench"), self.text(out));
        self.command(&[&["generate", &bench, "--model", "gold", "--out", &out], more].concat())
    }

    fn document(&self, out: &str, more: &[&str]) -> Value {
        let output = self.generate(out, &[more, &["--json"]].concat());
        assert!(output.status.success(), "{}", whole(&output));
        json(&output)
    }
}

/// Runs git in a repository on a day, as a user with no configuration.
fn git(repository: &Path, day: &str, arguments: &[&str]) {
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
}

/// The names of the steps with what is left after each.
fn left(funnel: &Value) -> Vec<(String, u64)> {
    let steps = funnel["steps"].as_array().unwrap().iter();
    steps.map(|step| (step["name"].as_str().unwrap().to_owned(), step["left"].as_u64().unwrap())).collect()
}

#[test]
fn functions_are_chosen_by_their_changes_and_each_step_says_where_the_others_went() {
    let place = Playground::new();
    let document = place.document("run", &["--changed-since", "2024-01-01"]);
    let funnel = &document["authors"][0]["funnel"];
    let expected = [
        ("landed", 3),
        ("since", 2),
        ("with-tests", 1),
        ("found", 4),
        ("with-history", 4),
        ("changed", 2),
        ("in-the-bench", 2),
        ("as-asked", 2),
        ("can-be-run", 2),
        ("described", 1),
        ("good-inputs", 1),
        ("asked", 1),
    ];
    assert_eq!(left(funnel), expected.map(|(name, left)| (name.to_owned(), left)), "{funnel:#}");
    assert_eq!(funnel["steps"][9]["lost"]["not-described"], 1);
    assert_eq!(
        (&funnel["steps"][1]["kinds"]["merge"], &funnel["steps"][1]["kinds"]["squashed"]),
        (&1.into(), &1.into())
    );
    assert_eq!((&document["all_functions"], &document["levels"][0]["passed"]), (&1.into(), &1.into()));

    // Any change, with a limit, in words.
    let any = ["--changed-since", "2024-01-01", "--changed-with", "any", "--undescribed", "--limit", "2"];
    let output = place.generate("any", &any);
    assert!(output.status.success(), "{}", whole(&output));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for words in
        ["How functions were chosen by their changes", "1 merge, 1 squashed", "1 over-the-limit", "1 not-changed"]
    {
        assert!(text.contains(words), "{words} is not in:\n{text}");
    }
    // The report of the run has it, too, and so has what only looks.
    let report = place.command(&["report", &place.text("any"), "--out", &place.text("page.html")]);
    assert!(report.status.success(), "{}", whole(&report));
    assert!(fs::read_to_string(place.path("page.html")).unwrap().contains("over-the-limit"));
    let dry = place.generate("dry", &["--changed-since", "2024-01-01", "--dry-run"]);
    assert!(String::from_utf8_lossy(&dry.stdout).contains("with-tests"), "{}", whole(&dry));
}

#[test]
fn what_a_model_may_have_seen_stands_beside_what_it_cannot_have_seen() {
    let place = Playground::new();
    let document = place.document("run", &["--cutoff", "2024-04-01", "--undescribed"]);
    let seen = &document["levels"][0]["seen"];
    assert_eq!(
        (&seen["before"]["functions"], &seen["after"]["functions"], &seen["undated"]),
        (&3.into(), &1.into(), &0.into())
    );
    assert_eq!((&seen["before"]["tpr"]["value"], &seen["tpr"]["p_value"]), (&1.0.into(), &1.0.into()));
    assert_eq!(document["authors"][0]["cutoff"]["day"], "2024-04-01");
    // It is kept with the run: graded again, it is still known, and may be said anew.
    let again = place.document("run", &["--regrade", "--undescribed"]);
    assert_eq!(again["levels"][0]["seen"], *seen);
    let other = place.document("run", &["--regrade", "--undescribed", "--cutoff", "2024-05-01"]);
    assert_eq!(other["levels"][0]["seen"]["before"]["functions"], 4);
    // Nobody knows it of whom nothing is said.
    let unknown = place.document("unknown", &["--undescribed", "--dates", "always"]);
    assert!(unknown["levels"][0]["seen"].is_null() && unknown["authors"][0]["cutoff"].is_null());
    let file = place.path("cutoffs.toml");
    fs::write(&file, "[[model]]\nnames = [\"gold\"]\nuntil = \"2019-12-31\"\nsource = \"me\"\n").unwrap();
    let known = place.document("known", &["--undescribed", "--cutoffs", &file.display().to_string()]);
    assert_eq!(known["levels"][0]["seen"]["after"]["functions"], 4);
    assert_eq!(known["authors"][0]["cutoff"]["source"], "me");
    let undated = place.document("undated", &["--undescribed", "--cutoff", "2024-04-01", "--dates", "never"]);
    assert!(undated["levels"][0]["seen"].is_null(), "without days there are no sides");
}

#[test]
fn what_cannot_be_chosen_says_why() {
    let place = Playground::new();
    for (arguments, words) in [
        (&["--changed-since", "yesterday"][..], "`yesterday` is no day"),
        (&["--changed-with", "any"], "--changed-since <DATE>"),
        (
            &["--changed-since", "2025-01-01"],
            "no function of the bench changed since 2025-01-01: 3 changes landed, 0 changes since",
        ),
        (&["--cutoffs", "nowhere.toml"], "cannot read nowhere.toml"),
    ] {
        let output = place.generate("run", arguments);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && stderr.contains(words), "{arguments:?}: {stderr}");
    }
    fs::remove_dir_all(place.path("project/.git")).unwrap();
    let output = place.generate("run", &["--changed-since", "2024-01-01"]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(stderr.contains("is not known") && stderr.contains("0 functions with-history"), "{stderr}");
    // Where only days are wanted, the rest goes on without them.
    let output = place.generate("run", &["--cutoff", "2024-01-01"]);
    assert!(
        output.status.success() && String::from_utf8_lossy(&output.stderr).contains("is not known"),
        "{}",
        whole(&output)
    );
}
