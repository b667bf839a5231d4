//! Detection from the command line: detectors of every kind on a small bench of our own pairs, and their report.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_bench::{Lock, Provenance, write};
use serde_json::{Value, json};
use support::pairs::write_pairs;
use support::server::{Reply, said, server};
use support::{estrange, json, whole};
use tempfile::TempDir;

/// How many pairs are crash-confirmed, each at two levels.
const PAIRS: usize = 15;

struct Playground {
    folder: TempDir,
}

impl Playground {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        write_pairs(&place.path("pairs"), PAIRS);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = estrange(arguments);
        command.current_dir(self.path("")).env("ESTRANGE_CACHE", self.path("cache"));
        command.env_remove("OPENAI_API_KEY").env_remove("OPENAI_BASE_URL");
        command
    }

    fn detect(&self, arguments: &[&str]) -> Output {
        self.command(&[&["detect", "pairs", "--quiet"], arguments].concat()).output().unwrap()
    }

    fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.detect(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    fn fails(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.detect(arguments);
        assert_eq!(output.status.code(), Some(code), "{}", whole(&output));
        String::from_utf8(output.stderr).unwrap()
    }
}

/// The levels of a document, by setting.
fn levels(document: &Value) -> Vec<(String, Value)> {
    let name =
        |level: &Value| document["settings"][level["setting"].as_u64().unwrap() as usize].as_str().unwrap().to_owned();
    document["levels"].as_array().unwrap().iter().map(|level| (name(level), level.clone())).collect()
}

#[test]
fn trivial_detectors_and_an_analyser_stand_in_one_report() {
    let place = Playground::new();
    let text = place.succeeds(&["--model", "always", "--out", "runs/always"]);
    assert!(text.contains("What verdicts are worth") && text.contains("66.7"), "{text}");
    assert!(text.contains("The run is in runs/always"), "{text}");
    place.succeeds(&["--model", "never", "--out", "runs/never"]);
    place.succeeds(&["--model", "length", "--out", "runs/length"]);
    place.succeeds(&["--model", "chance:3", "--out", "runs/chance"]);
    place.succeeds(&["--model", "cppcheck", "--out", "runs/cppcheck"]);
    place.succeeds(&["--model", "always", "--label", "reasoned", "--out", "runs/reasoned"]);
    let again = place.detect(&["--model", "cppcheck", "--out", "runs/cppcheck", "--rescore", "--json"]);
    let document = json(&again);
    assert_eq!(document["detectors"][0]["sees"], "linked-unit");
    for (setting, level) in levels(&document) {
        assert_eq!(level["answered"], 2 * PAIRS, "{setting}: {level}");
    }

    let report = |out: &str| {
        let runs = ["always", "never", "length", "chance", "cppcheck", "reasoned"].map(|run| format!("runs/{run}"));
        let mut arguments = vec!["report"];
        arguments.extend(runs.iter().map(String::as_str));
        let output = place.command(&[&arguments[..], &["--out", out]].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        assert!(whole(&output).contains("shows 6 runs on 16 pairs"), "{}", whole(&output));
        fs::read_to_string(place.path(out)).unwrap()
    };
    let page = report("report.html");
    assert!(page.contains("<svg") && page.contains("<mark>") && page.contains("id=\"pairs\""));
    assert!(page.contains("Which detectors see bugs in strange code"));
    let tables = report("report.md");
    assert!(
        tables.contains("pairs that are crash-confirmed") && tables.contains("pairs that are reasoned"),
        "{tables}"
    );
    assert!(report("report.csv").contains("detection_fall,always"));
}

#[test]
fn a_model_behind_a_server_is_asked_once_and_what_it_says_is_read() {
    let place = Playground::new();
    let asked = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&asked);
    let address = server(move |request| {
        let count = own.fetch_add(1, Ordering::SeqCst);
        let prompt = request["messages"][0]["content"].as_str().unwrap();
        assert!(
            prompt.contains("   1 | ") && !prompt.contains("patched") && !prompt.contains("/vulnerable"),
            "{prompt}"
        );
        Reply::Answer(said(Some(match count % 5 {
            0 => "I'm sorry, I can't help with that.",
            1 => "It looks fine to me.",
            2 => "```json\n{\"verdict\": \"safe\", \"confidence\": 0.6}\n```",
            3 => "{\"verdict\": \"safe\"}\n{\"verdict\": \"vulnerable\"}",
            _ => "{\"verdict\": \"vulnerable\", \"cwe\": 190, \"line\": 3, \"reason\": \"it overflows\"}",
        })))
    });
    let with_server = |more: &[&str]| {
        let arguments = [&["detect", "pairs", "--quiet", "--model", "openai:judge", "--out", "run"], more].concat();
        place.command(&arguments).env("OPENAI_BASE_URL", &address).output().unwrap()
    };
    let items = 2 * 2 * PAIRS;
    let dry = with_server(&["--dry-run"]);
    assert!(whole(&dry).contains(&format!("{items} functions: {items} requests")), "{}", whole(&dry));
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    let output = with_server(&["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    assert_eq!(asked.load(Ordering::SeqCst), items);
    let problems: u64 = levels(&json(&output))
        .iter()
        .flat_map(|(_, level)| level["problems"].as_array().unwrap().clone())
        .map(|problem| problem[1].as_u64().unwrap())
        .sum();
    assert_eq!(problems, items as u64 * 3 / 5);

    // In another folder it comes out of the cache.
    fs::remove_dir_all(place.path("run")).unwrap();
    let again = with_server(&["--json"]);
    assert_eq!(json(&again)["levels"], json(&output)["levels"]);
    assert_eq!(asked.load(Ordering::SeqCst), items);

    // Another prompt is another run, which takes the place of none.
    fs::write(place.path("prompt.txt"), "Verdict on {{language}}:\n{{code}}").unwrap();
    let other = with_server(&["--prompt", "prompt.txt"]);
    assert_eq!(other.status.code(), Some(1), "{}", whole(&other));
    let other = with_server(&["--prompt", "prompt.txt", "--samples", "2", "--setting", "L1", "--replace", "--json"]);
    assert_eq!(other.status.code(), Some(0), "{}", whole(&other));
    assert_eq!(asked.load(Ordering::SeqCst), items + 2 * 2 * PAIRS);
    assert!(levels(&json(&other))[0].1["agreement"].is_f64());
}

#[test]
fn verdicts_in_a_file_and_a_command_that_writes_sarif_are_detectors() {
    let place = Playground::new();
    let line = |side: &str, verdict: &str| {
        json!({ "item": format!("acc/{side}"), "setting": "L0", "verdict": verdict }).to_string()
    };
    fs::write(place.path("verdicts.jsonl"), [line("vulnerable", "vulnerable"), line("patched", "safe")].join("\n"))
        .unwrap();
    let output = place.detect(&["--model", "precomputed:verdicts.jsonl", "--setting", "L0", "--json", "--out", "file"]);
    let (_, level) = &levels(&json(&output))[0];
    assert_eq!((&level["answered"], &level["outcomes"]["both_right"]), (&json!(2), &json!(1)));
    assert_eq!(level["problems"], json!([["not-in-file", 2 * PAIRS - 2]]));

    let output = place.detect(&["--model", "sarif:echo no", "--setting", "L0", "--json", "--out", "sarif"]);
    let (_, level) = &levels(&json(&output))[0];
    assert_eq!(level["problems"], json!([["unreadable-findings", 2 * PAIRS]]), "{}", whole(&output));
}

#[test]
fn bad_input_is_said_with_a_hint() {
    let place = Playground::new();
    fs::write(place.path("prompt.txt"), "Is it safe?").unwrap();
    fs::write(place.path("unknown.csv"), "item,setting,verdict\nnone/patched,L0,safe\n").unwrap();
    for (code, arguments, words) in [
        (2, &["--model", "gpt-5"][..], "`gpt-5` is no detector"),
        (2, &["--model", "chance"], "`chance:` names no seed"),
        (2, &["--model", "cppcheck", "--view", "function"], "cppcheck reads files with all that is called"),
        (2, &["--model", "cppcheck", "--view", "unit"], "cppcheck reads files with all that is called"),
        (2, &["--model", "always", "--samples", "3"], "always is no language model"),
        (2, &["--model", "openai:x", "--samples", "3", "--temperature", "0"], "are the same one"),
        (1, &["--model", "always", "--setting", "L4"], "there is L0, L1"),
        (1, &["--model", "openai:x", "--prompt", "prompt.txt"], "prompt.txt has no place for the code"),
        (1, &["--model", "precomputed:unknown.csv"], "line 2: the bench has no item `none/patched` in L0, seed 0"),
        (1, &["--model", "sarif:no-such-program"], "there is no program `no-such-program`"),
        (1, &["--model", "openai:x"], "OPENAI_BASE_URL"),
    ] {
        let said = place.fails(code, arguments);
        assert!(said.contains(words) && said.contains("hint:"), "{arguments:?}: {said}");
    }
    let lock = Lock::acquire(place.path("plain")).unwrap();
    write(&lock, Provenance::default(), [], []).unwrap();
    drop(lock);
    let output = place.command(&["detect", "plain", "--model", "always"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(whole(&output).contains("the bench has no pairs") && whole(&output).contains("hint: `estrange pairs"));
}

#[test]
fn what_was_stopped_goes_on_and_asks_nothing_twice() {
    let place = Playground::new();
    let answered = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(40));
    let (own, limit) = (Arc::clone(&answered), Arc::clone(&most));
    let address = server(move |_| {
        if own.load(Ordering::SeqCst) >= limit.load(Ordering::SeqCst) {
            return Reply::Refusal(401, json!({ "error": { "message": "no credit is left" } }));
        }
        own.fetch_add(1, Ordering::SeqCst);
        Reply::Answer(said(Some("{\"verdict\": \"safe\"}")))
    });
    let run = || {
        let arguments = ["detect", "pairs", "--quiet", "--model", "openai:judge", "--out", "run", "--at-once", "1"];
        place.command(&arguments).env("OPENAI_BASE_URL", &address).output().unwrap()
    };
    let stopped = run();
    assert_eq!(stopped.status.code(), Some(1), "{}", whole(&stopped));
    assert!(whole(&stopped).contains("what was answered is kept: run it again to go on"), "{}", whole(&stopped));
    assert_eq!(answered.load(Ordering::SeqCst), 40);
    most.store(usize::MAX, Ordering::SeqCst);
    let output = run();
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    assert_eq!(answered.load(Ordering::SeqCst), 2 * 2 * PAIRS);

    let output = place.command(&["export", "run", "--format", "trec", "--out", "trec"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(whole(&output).contains("is a run of the task `detection`, not of a search"), "{}", whole(&output));
    let output = place.command(&["search", "pairs", "--model", "openai:judge", "--out", "run", "--rescore"]).output();
    assert!(whole(&output.unwrap()).contains("is a run of the task `detection`, not of a search"));
}

#[test]
fn what_a_server_refuses_is_lost_alone() {
    let place = Playground::new();
    let asked = AtomicUsize::new(0);
    let refusal = |words: &str| json!({ "error": { "message": words } });
    let address = server(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        3 => Reply::Refusal(400, refusal("the maximum context length is 64 tokens")),
        5 => Reply::Refusal(422, refusal("this is against our policy")),
        _ => Reply::Answer(said(Some("{\"verdict\": \"safe\"}"))),
    });
    let arguments =
        ["detect", "pairs", "--quiet", "--model", "openai:judge", "--out", "run", "--at-once", "1", "--json"];
    let output = place.command(&arguments).env("OPENAI_BASE_URL", &address).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    let (_, level) = &levels(&json(&output))[0];
    assert_eq!(level["problems"], json!([["prompt-too-long", 1], ["refused-by-server", 1]]), "{}", whole(&output));
    assert_eq!(level["answered"], 2 * PAIRS - 2);
    assert_eq!(level["outcomes"]["pairs"], PAIRS);
}
