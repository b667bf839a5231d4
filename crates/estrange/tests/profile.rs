//! One function, every task: runs of a detection and of the probe by the same model become a profile, and a report of several
//! benches is refused.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use estrange_bench::{Bench, BugPair, Label, Question, Run};
use serde_json::json;
use support::pairs::write_pairs;
use support::{estrange, whole};
use tempfile::TempDir;

struct Playground {
    folder: TempDir,
}

impl Playground {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        estrange(arguments).current_dir(self.path("")).output().unwrap()
    }

    fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the model says, in a file that is another one each time.
    fn say(&self, lines: impl Iterator<Item = serde_json::Value>) {
        fs::write(self.path("said.jsonl"), lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    }
}

/// It tells all pairs apart as they were written, and none in other names; it knows the answers, and with other names those about
/// every other pair.
fn playground() -> Playground {
    let place = Playground { folder: tempfile::tempdir().unwrap() };
    write_pairs(&place.path("pairs"), 12);
    let pairs: Vec<BugPair> = Bench::open(place.path("pairs")).unwrap().rows().unwrap().map(Result::unwrap).collect();
    let confirmed: Vec<&str> =
        pairs.iter().filter(|pair| pair.label == Label::CrashConfirmed).map(|pair| pair.name.as_str()).collect();
    let verdicts = confirmed.iter().flat_map(|pair| {
        let verdict = |side: &str, setting: &str, verdict: &str| {
            json!({ "item": format!("{pair}/{side}"), "setting": setting, "verdict": verdict })
        };
        [
            verdict("vulnerable", "L0", "vulnerable"),
            verdict("patched", "L0", "safe"),
            verdict("vulnerable", "L1", "safe"),
            verdict("patched", "L1", "safe"),
        ]
    });
    place.say(verdicts);
    place.succeeds(&["detect", "pairs", "--model", "precomputed:said.jsonl", "--out", "detection", "--quiet"]);
    place.succeeds(&["probe", "pairs", "--model", "gold", "--out", "gold", "--quiet"]);
    let questions: Vec<Question> =
        Run::open(&place.path("gold")).unwrap().rows().unwrap().map(Result::unwrap).collect();
    let answers = questions.iter().map(|question| {
        let number = confirmed.iter().position(|pair| *pair == question.pair).unwrap();
        let is_right = question.setting == "L0" || number % 2 == 0;
        let answer = if is_right { question.answer.as_str() } else { "\"no idea\"" };
        json!({ "item": question.item, "setting": question.setting, "answer": answer })
    });
    place.say(answers);
    place.succeeds(&["probe", "pairs", "--model", "precomputed:said.jsonl", "--out", "probe", "--quiet"]);
    place
}

#[test]
fn the_profile_of_a_model_stands_above_its_tasks() {
    let place = playground();
    let told = place.succeeds(&["report", "detection", "probe", "gold", "--out", "report.html", "--quiet"]);
    assert!(told.contains("report.html shows 3 runs"), "{told}");
    let sentence = told.lines().find(|line| line.contains("said.jsonl:")).unwrap_or_else(|| panic!("{told}"));
    assert!(sentence.contains("of its skill at detection and comprehension went with the names"), "{sentence}");
    assert!(sentence.contains("functions that these tasks share"), "{sentence}");
    let share: f64 = sentence.split_once(": ").unwrap().1.split('%').next().unwrap().parse().unwrap();
    // All of one, and a half of the other.
    assert_eq!(share, 75.0, "{sentence}");
    let page = fs::read_to_string(place.path("report.html")).unwrap();
    let [profile, detection] = ["id=\"profile\"", "id=\"detection\""].map(|id| page.find(id).unwrap());
    assert!(profile < detection, "the profile comes first");
    assert!(page.contains("comprehension, not detection"), "{told}");

    place.succeeds(&["report", "detection", "probe", "--out", "values.csv", "--quiet"]);
    let values = fs::read_to_string(place.path("values.csv")).unwrap();
    let lost = "profile_skill_familiarity,said.jsonl,,,,,,detection correct,1.000000,1.000000,1.000000";
    assert!(values.contains(lost), "{values}");
    // The same functions stand in both.
    let n = |skill: &str| {
        let line = values.lines().find(|line| line.starts_with("profile,") && line.contains(skill)).unwrap();
        line.split(',').nth(11).unwrap().to_owned()
    };
    assert_eq!(n("detection correct"), n("comprehension correct"), "{values}");
    place.succeeds(&["report", "detection", "probe", "--out", "tables.tex", "--quiet"]);
    assert!(fs::read_to_string(place.path("tables.tex")).unwrap().contains("profile-familiarity"));
    // One task alone is no profile, and two benches are none.
    place.succeeds(&["report", "probe", "gold", "--out", "alone.html", "--quiet"]);
    assert!(!fs::read_to_string(place.path("alone.html")).unwrap().contains("id=\"profile\""));
    write_pairs(&place.path("others"), 3);
    place.succeeds(&["detect", "others", "--model", "always", "--out", "elsewhere", "--quiet"]);
    let output = place.run(&["report", "detection", "elsewhere", "--out", "both.html"]);
    assert!(whole(&output).contains("the runs are not on the same bench"), "{}", whole(&output));
}
