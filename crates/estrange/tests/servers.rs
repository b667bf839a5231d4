//! Models behind servers: what is announced is what is sent, no function is lost with another, and Ctrl-C ends a wait.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::server::{Reply, said, server, vectors};
use support::{estrange, json, whole};
use tempfile::TempDir;

/// A folder with a bench of two groups and three settings, twelve functions each.
struct Playground {
    folder: TempDir,
}

impl Playground {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.path("clarc")).unwrap();
        for (group, setting) in [1, 2].into_iter().flat_map(|group| {
            ["standard", "neutralized", "randomized"].into_iter().map(move |setting| (group, setting))
        }) {
            let row = |at: usize| {
                json!({
                    "query_id": format!("q{group}-{at}"), "query_text": format!("Adds {at} to a number."),
                    "code_id": format!("c{group}-{at}"), "relevance": 2,
                    "code_text": format!("int add_{setting}{group}(int a) {{ return a + {at}; }}"),
                })
            };
            let rows: Vec<Value> = (0..12).map(row).collect();
            fs::write(place.path(&format!("clarc/group{group}_{setting}.json")), json!(rows).to_string()).unwrap();
        }
        let output = place.command(&["import", "clarc", "clarc", "--out", "bench"], "").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn command(&self, arguments: &[&str], address: &str) -> Command {
        let mut command = estrange(arguments);
        command.current_dir(self.path("")).env("ESTRANGE_CACHE", self.path("cache"));
        command.env_remove("OPENAI_API_KEY").env("OPENAI_BASE_URL", address);
        command
    }

    fn succeeds(&self, arguments: &[&str], address: &str) -> Output {
        let output = self.command(arguments, address).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        output
    }
}

/// How many requests, and how many texts of these, a dry run announces.
fn announced(output: &Output) -> (usize, usize) {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let number = |thing: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let at = words.iter().position(|word| word.starts_with(thing)).unwrap_or_else(|| panic!("{text}"));
        words[at - 1].parse().unwrap()
    };
    (number("request"), if text.contains(" text") { number("text") } else { number("request") })
}

#[test]
fn what_is_announced_is_what_is_sent() {
    let place = Playground::new();
    let sent = Arc::new(Mutex::new((0, 0)));
    let own = Arc::clone(&sent);
    let address = server(move |asked| {
        let mut sent = own.lock().unwrap();
        sent.0 += 1;
        sent.1 += asked["input"].as_array().map_or(1, Vec::len);
        Reply::Answer(vectors(asked).unwrap_or_else(|| said(Some("SUMMARY: This adds something to a number."))))
    });
    let search = ["search", "bench", "--model", "openai:embedder", "--out", "run"];
    let parts: [&[&str]; 4] = [
        &["--group", "1", "--setting", "neutralized"],
        &["--group", "1"],
        &["--group", "2", "--setting", "standard,randomized"],
        &[],
    ];
    let mut all = 0;
    for part in parts {
        let arguments = [&search[..], part].concat();
        let said = announced(&place.succeeds(&[&arguments[..], &["--dry-run"]].concat(), &address));
        let before = *sent.lock().unwrap();
        place.succeeds(&arguments, &address);
        let after = *sent.lock().unwrap();
        assert_eq!((after.0 - before.0, after.1 - before.1), said, "{part:?}");
        all += said.1;
        fs::remove_dir_all(place.path("run")).unwrap();
    }
    // In two groups and three settings, twelve functions each; the queries of both groups say the same.
    assert_eq!(all, 2 * 3 * 12 + 12);

    let queries = ["queries", "bench", "--model", "openai:writer", "--group", "1"];
    for part in [&["--limit", "5", "--no-align"][..], &["--limit", "7"], &[], &[]] {
        let arguments = [&queries[..], part].concat();
        let said = announced(&place.succeeds(&[&arguments[..], &["--dry-run"]].concat(), &address));
        let before = *sent.lock().unwrap();
        place.succeeds(&arguments, &address);
        assert_eq!((sent.lock().unwrap().0 - before.0, said.0), (said.0, said.1), "{part:?}");
    }
}

#[test]
fn a_function_of_which_a_model_says_nothing_is_lost_alone() {
    let place = Playground::new();
    let address = server(|asked| {
        let user = asked["messages"][0]["content"].as_str().unwrap();
        let is_about = |at: usize| user.contains(&format!("return a + {at};"));
        if is_about(3) {
            return Reply::Refusal(400, json!({ "error": { "message": "we do not speak of this" } }));
        }
        if is_about(4) {
            let long = "This model's maximum context length is 9 tokens";
            return Reply::Refusal(400, json!({ "error": { "message": long, "code": "context_length_exceeded" } }));
        }
        let text = if is_about(1) {
            None
        } else if is_about(2) {
            Some("")
        } else {
            Some("SUMMARY: Adds to a number.")
        };
        let mut said = said(text);
        said["usage"] = json!({ "completion_tokens": 20 });
        Reply::Answer(said)
    });
    let arguments = ["queries", "bench", "--model", "openai:writer", "--group", "1", "--price", "1", "--json"];
    let output = place.succeeds(&arguments, &address);
    let told = json(&output);
    assert_eq!(told["queries"], 8, "{told}");
    let lost = json!({ "no-text-in-the-answer": 2, "refused-by-the-server": 1, "too-long-for-the-model": 1 });
    assert_eq!(told["lost"], lost);
    // What the server does not say is not known.
    let [read, written, cost] = ["prompt_tokens", "answer_tokens", "cost"].map(|name| told[name].clone());
    assert_eq!((read, written, cost), (Value::Null, json!(8 * 40), Value::Null));
    assert!(whole(&output).contains("the server refuses a function: we do not speak of this"), "{}", whole(&output));
}

#[test]
fn a_server_that_refuses_everything_is_not_asked_about_every_function() {
    let place = Playground::new();
    let requests = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&requests);
    let address = server(move |_| {
        own.fetch_add(1, Ordering::SeqCst);
        Reply::Refusal(400, json!({ "error": { "message": "this is no model that writes" } }))
    });
    let arguments = ["queries", "bench", "--model", "openai:embedder", "--at-once", "1"];
    let output = place.command(&arguments, &address).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", whole(&output));
    assert!(whole(&output).contains("refuses the request (400): this is no model that writes"), "{}", whole(&output));
    assert!(requests.load(Ordering::SeqCst) < 12);
}

#[test]
fn models_that_think_are_asked_in_their_way() {
    let place = Playground::new();
    let refused = |name: &str| {
        let message = format!("Unsupported parameter: '{name}' is not supported with this model.");
        Reply::Refusal(400, json!({ "error": { "message": message, "param": name, "code": "unsupported_parameter" } }))
    };
    let seen = Arc::new(Mutex::new(Vec::new()));
    let own = Arc::clone(&seen);
    let address = server(move |asked| {
        own.lock().unwrap().push(asked.clone());
        match ["max_tokens", "temperature"].into_iter().find(|name| asked.get(name).is_some()) {
            Some(name) => refused(name),
            None => Reply::Answer(said(Some("SUMMARY: Adds to a number."))),
        }
    });
    let one = ["queries", "bench", "--model", "openai:o", "--limit", "1", "--no-align", "--answer-tokens", "99"];
    let output = place.succeeds(&one, &address);
    let text = whole(&output);
    assert!(text.contains("`max_tokens`, which is sent as `max_completion_tokens`"), "{text}");
    assert!(text.contains("`temperature`, which is left out"), "{text}");
    let last = seen.lock().unwrap().pop().unwrap();
    assert_eq!((&last["max_completion_tokens"], last.get("temperature")), (&json!(99), None));

    // Who knows it says so, and the server is asked once.
    seen.lock().unwrap().clear();
    let request = r#"{"temperature": null, "max_tokens": null, "reasoning_effort": "low"}"#;
    let output = place.succeeds(&[&one[..], &["--request", request]].concat(), &address);
    assert!(!whole(&output).contains("warning"), "{}", whole(&output));
    let sent = seen.lock().unwrap().clone();
    let [only] = &sent[..] else { panic!("{}", whole(&output)) };
    assert_eq!(only["reasoning_effort"], "low");
    for wrong in ["[1]", "{", r#"{"model": "other"}"#] {
        let output = place.command(&[&one[..], &["--request", wrong]].concat(), &address).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", whole(&output));
    }
    // The same said part by part is the same model: its answer is there, and nobody is asked.
    let apart =
        ["--parameter", "reasoning_effort=low", "--no-parameter", "max_tokens", "--no-parameter", "temperature"];
    place.succeeds(&[&one[..], &apart].concat(), &address);
    assert_eq!(seen.lock().unwrap().len(), 1);
    // Another value is another one; what is JSON is sent as such.
    let output = place.succeeds(&[&one[..], &apart, &["--parameter", "top_p=0.5"]].concat(), &address);
    let sent = seen.lock().unwrap().clone();
    let [_, other] = &sent[..] else { panic!("{}", whole(&output)) };
    assert_eq!(
        (&other["top_p"], &other["reasoning_effort"], other.get("temperature")),
        (&json!(0.5), &json!("low"), None)
    );
    for wrong in [&["--parameter", "top_p"][..], &["--parameter", "model=x"], &["--no-parameter", "input"]] {
        let output = place.command(&[&one[..], wrong].concat(), &address).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", whole(&output));
        assert!(whole(&output).contains("hint: --no-parameter"), "{}", whole(&output));
    }
}

#[test]
fn ctrl_c_ends_a_request_that_nobody_answers() {
    let place = Playground::new();
    let requests = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&requests);
    let address = server(move |_| {
        own.fetch_add(1, Ordering::SeqCst);
        Reply::Silence
    });
    for arguments in [
        ["search", "bench", "--model", "openai:x", "--out", "run"],
        ["queries", "bench", "--model", "openai:x", "--limit", "3"],
    ] {
        let before = requests.load(Ordering::SeqCst);
        let mut command = place.command(&arguments, &address);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while requests.load(Ordering::SeqCst) == before {
            std::thread::sleep(Duration::from_millis(5));
        }
        let started = Instant::now();
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert!(started.elapsed() < Duration::from_secs(2), "{:?}: {}", started.elapsed(), whole(&output));
        assert_eq!(output.status.code(), Some(130), "{}", whole(&output));
        assert!(!place.path("run/run.json").exists());
    }
}
