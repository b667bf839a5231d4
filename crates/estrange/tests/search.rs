//! From a project to tables: descriptions, a search, a report; with a server that is only pretended.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use estrange_sandbox::Tool;
use serde_json::{Value, json};
use support::server::{Reply, said, server, vectors};
use support::{estrange, json, whole};
use tempfile::TempDir;

const PROJECT: &str = r#"
#include <stddef.h>
struct span { const char *first; size_t count; };

/* Counts how often a given letter stands in a text that ends with a zero. */
size_t count_letter(const char *text, char letter)
{
    size_t found = 0;
    for (; *text; ++text) found += *text == letter;
    return found;
}

/** @brief Tells whether a number is a power of two.
 *  @param word_value the number to look at
 *  @return nonzero if it is one */
int is_power_of_two(unsigned word_value) { return word_value && !(word_value & (word_value - 1)); }

/* Takes away the blanks at the start of a piece of text. Uses span_skip in a loop. */
struct span trim_left(struct span s)
{
    while (s.count && *s.first == ' ') { ++s.first; --s.count; }
    return s;
}

/* x */
int nothing_said(int a) { return a; }

/* Sums up how often any of two letters stands in a text. */
size_t count_either(const char *text, char a, char b) { return count_letter(text, a) + count_letter(text, b); }
"#;

/// A folder with a bench in it.
struct Playground {
    folder: TempDir,
}

impl Playground {
    fn new(settings: &str) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.path("project")).unwrap();
        fs::write(place.path("project/letters.c"), PROJECT).unwrap();
        let output = place.run(&["build", "project", "--out", "bench", "--settings", settings, "--trials", "2"]);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, &[])
    }

    fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut command = estrange(arguments);
        command.current_dir(self.path("")).env("ESTRANGE_CACHE", self.path("cache"));
        command.env_remove("OPENAI_BASE_URL").env_remove("OPENAI_API_KEY");
        command.envs(variables.iter().copied()).output().unwrap()
    }

    fn succeeds(&self, arguments: &[&str]) -> Output {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        output
    }

    fn fails(&self, arguments: &[&str], code: i32, words: &str) {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{}", whole(&output));
        assert!(whole(&output).contains(words), "{}", whole(&output));
    }
}

#[test]
fn comments_become_queries_and_models_are_put_side_by_side() {
    let place = Playground::new("standard,neutralized,randomized,x86_64:clang:O2");
    place.fails(&["search", "bench", "--model", "bm25"], 1, "the bench has no queries");
    let told = json(&place.succeeds(&["queries", "bench", "--json"]));
    assert_eq!((&told["queries"], &told["functions"]), (&json!(4), &json!(5)), "{told}");
    assert_eq!(told["lost"], json!({ "comment-says-too-little": 1 }));

    let searched = json(&place.succeeds(&["search", "bench", "--model", "bm25", "--out", "one", "--json"]));
    let settings = |searched: &Value| -> Vec<String> {
        let settings = searched["settings"].as_array().unwrap().iter();
        settings.map(|setting| setting["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(settings(&searched), ["standard", "neutralized", "randomized", "x86_64:clang:O2"]);
    // A compiler's text stands among those, whoever compiled it.
    assert_eq!(searched["settings"][3]["kind"], "lowered", "{}", searched["settings"]);

    // What only renames is the same code, so that nothing had to agree by being run.
    let weaker = ["search", "bench", "--model", "bm25", "--tier", "agrees,agrees-weakly", "--out", "weaker", "--json"];
    assert_eq!(settings(&json(&place.succeeds(&weaker))), ["standard", "x86_64:clang:O2"]);
    place.fails(&["search", "bench", "--model", "bm25", "--tier", "strong"], 2, "identical-code");
    // Nor is anything of it checked otherwise.
    let shown = |word| {
        let arguments = ["search", "bench", "--model", "bm25", "--undefinedness", word, "--out", word, "--json"];
        settings(&json(&place.succeeds(&arguments)))
    };
    assert_eq!(shown("same-checks"), ["standard", "neutralized", "randomized", "x86_64:clang:O2"]);
    assert_eq!(shown("same-runs,not-shown"), ["standard", "x86_64:clang:O2"]);
    place.succeeds(&["search", "bench", "--model", "bm25:atire,stem=no", "--out", "other"]);
    let text =
        String::from_utf8(place.succeeds(&["search", "bench", "--model", "bm25", "--out", "one"]).stdout).unwrap();
    assert!(text.contains("NDCG@10") && text.contains("Group 1"), "{text}");

    // The same rankings, scored anew by another measure, without a model.
    let again = json(&place.succeeds(&[
        "search",
        "bench",
        "--model",
        "bm25",
        "--out",
        "one",
        "--rescore",
        "--measure",
        "recall@3",
        "--json",
    ]));
    assert_eq!(again["measures"], json!(["recall@3"]));

    place.fails(&["search", "bench", "--model", "none", "--out", "one", "--rescore"], 2, "is by `bm25`, not by `none`");
    // A run that was asked less is scored anew on that.
    place.succeeds(&["search", "bench", "--model", "bm25", "--out", "less", "--setting", "standard", "--common"]);
    let again = ["search", "bench", "--model", "bm25", "--out", "less", "--rescore", "--json"];
    assert_eq!(settings(&json(&place.succeeds(&again))), ["standard"]);

    for file in ["report.html", "tables.md", "tables.tex", "tables.csv"] {
        place.succeeds(&["search", "bench", "--model", "bm25", "--out", "one"]);
        place.succeeds(&["report", "one", "other", "--out", file]);
        assert!(fs::metadata(place.path(file)).unwrap().len() > 500, "{file}");
    }
    place.fails(&["report", "one", "--out", "report.doc"], 2, ".html, .md, .tex or .csv");
    place.fails(&["report", "bench", "--out", "report.html"], 1, "is not a run");

    // A bench that is not the same any more is not shown.
    place.succeeds(&["queries", "bench", "--limit", "2"]);
    place.fails(&["report", "one", "--out", "report.html"], 1, "the bench has changed");
    place.fails(&["search", "bench", "--model", "bm25", "--out", "one", "--rescore"], 1, "the bench has changed");
    place.fails(&["search", "bench", "--model", "bm25", "--setting", "wasm32"], 1, "the bench has no setting `wasm32`");
    place.fails(&["search", "bench", "--model", "bm25", "--group", "4"], 2, "`4` is none of 1, 2, 3");
    place.fails(&["search", "bench", "--model", "bm26"], 2, "bm26");
    place.fails(&["search", "bench", "--model", "local:nowhere"], 1, "nowhere");
    place.fails(&["search", "bench", "--model", "openai:any"], 1, "OPENAI");
}

#[test]
fn a_report_is_whole_or_stays_as_it_was() {
    let place = Playground::new("standard");
    place.succeeds(&["queries", "bench"]);
    place.succeeds(&["search", "bench", "--model", "bm25", "--out", "one"]);
    let folder = || fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    for file in ["report.html", "tables.md", "tables.tex", "tables.csv"] {
        fs::write(place.path(file), "old").unwrap();
        let before = folder().len();
        // Where a file may have no byte, or the program is ended for writing one.
        for trap in ["trap '' XFSZ;", ""] {
            let mut command = std::process::Command::new("sh");
            command.args(["-c", &format!("{trap} ulimit -f 0; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_estrange")]);
            command.args(["report", "one", "--out", file]).current_dir(place.path(""));
            let output = command.output().unwrap();
            assert!(!output.status.success(), "{}", whole(&output));
            assert!(trap.is_empty() || whole(&output).contains("hint: make room"), "{}", whole(&output));
            assert_eq!(fs::read_to_string(place.path(file)).unwrap(), "old");
        }
        // A program that is ended leaves what it had begun with.
        let begun = folder().into_iter().filter(|name| name.to_string_lossy().starts_with(".estrange-"));
        let begun: Vec<_> = begun.collect();
        assert_eq!(folder().len(), before + begun.len());
        begun.iter().for_each(|name| fs::remove_file(place.path("").join(name)).unwrap());
        place.succeeds(&["report", "one", "--out", file]);
        assert!(fs::metadata(place.path(file)).unwrap().len() > 500);
    }
    std::os::unix::fs::symlink("tables.md", place.path("link.md")).unwrap();
    place.succeeds(&["report", "one", "--out", "link.md"]);
    assert!(fs::symlink_metadata(place.path("link.md")).unwrap().is_symlink());
    place.fails(&["report", "one", "--out", "nowhere/report.html"], 1, "No such file or directory");
}

#[test]
fn what_people_wrote_is_taken_unless_it_names_the_function() {
    let place = Playground::new("standard");
    let line = |function: &str, text: &str| json!({ "function": function, "text": text }).to_string() + "\n";
    fs::write(place.path("mine.jsonl"), line("trim_left", "Removes blanks on the left side.")).unwrap();
    let told = json(&place.succeeds(&["queries", "bench", "--model", "file:mine.jsonl", "--json"]));
    assert_eq!(told["queries"], 1);
    let two = line("trim_left", "Removes blanks on the left side.") + &line("trim_left", "Takes blanks off the start.");
    fs::write(place.path("mine.jsonl"), two).unwrap();
    let told = json(&place.succeeds(&["queries", "bench", "--model", "file:mine.jsonl", "--json"]));
    assert_eq!((&told["queries"], &told["described"]), (&json!(2), &json!(1)), "two descriptions of one function");
    for (text, words) in [
        (line("trim_left", "This is what trim_left does."), "names `trim_left`"),
        (line("trim_left", "Trimleft takes blanks away."), "names `Trimleft`"),
        (line("nowhere", "Anything."), "has no function `nowhere`"),
        ("{".to_owned(), "line 1"),
    ] {
        fs::write(place.path("mine.jsonl"), text).unwrap();
        place.fails(&["queries", "bench", "--model", "file:mine.jsonl"], 1, words);
    }
    place.fails(&["queries", "bench", "--model", "sphinx"], 2, "is no model that writes");
}

fn answer(asked: &Value, number: usize) -> Value {
    if let Some(vectors) = vectors(asked) {
        return vectors;
    }
    let user = asked["messages"][0]["content"].as_str().unwrap_or_default();
    // The first answer names the function, and has to be asked for again.
    said(Some(&match number {
        0 => "SUMMARY: count_letter and is_power_of_two and trim_left and count_either and nothing_said are here."
            .to_owned(),
        _ => format!("Let me see.\nSUMMARY: The function number {} does something with text.", user.len()),
    }))
}

#[test]
fn a_server_is_asked_once_for_everything() {
    let place = Playground::new("standard,neutralized");
    let requests = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&requests);
    let address = server(move |asked| Reply::Answer(answer(asked, own.fetch_add(1, Ordering::SeqCst))));
    let variables = [("OPENAI_BASE_URL", address.as_str())];
    let run = |arguments: &[&str]| {
        let output = place.run_with(arguments, &variables);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        output
    };
    let price = ["--price", "2", "--answer-price", "8", "--at-once", "1"];
    let dry = run(&[&["queries", "bench", "--model", "openai:writer", "--dry-run"], &price[..]].concat());
    assert!(whole(&dry).contains("5 descriptions: 10 requests"), "{}", whole(&dry));
    assert_eq!(requests.load(Ordering::SeqCst), 0);
    let told = json(&run(&[&["queries", "bench", "--model", "openai:writer", "--json"], &price[..]].concat()));
    assert_eq!(told["queries"], 5, "{told}");
    // Each is asked for and aligned; one was asked for again.
    let asked = requests.load(Ordering::SeqCst);
    assert_eq!(asked, 11);
    assert_eq!(told["prompt_tokens"], 1100);
    assert!((told["cost"].as_f64().unwrap() - 11.0 * (100.0 * 2.0 + 20.0 * 8.0) / 1e6).abs() < 1e-9, "{told}");
    run(&[&["queries", "bench", "--model", "openai:writer"], &price[..]].concat());
    assert_eq!(requests.load(Ordering::SeqCst), asked, "everything was kept");

    let search = ["search", "bench", "--model", "openai:embedder", "--out", "run"];
    let dry = run(&[&search[..], &["--dry-run"]].concat());
    assert!(whole(&dry).contains("tokens"), "{}", whole(&dry));
    assert_eq!(requests.load(Ordering::SeqCst), asked);
    // Where a run cannot be written, nothing is asked for.
    fs::create_dir_all(place.path("full")).unwrap();
    fs::write(place.path("full/novel.txt"), "Once").unwrap();
    for (out, words) in [("full", "neither empty nor a run: it holds novel.txt"), ("full/novel.txt", "Not a directory")]
    {
        let refused = place.run_with(&["search", "bench", "--model", "openai:embedder", "--out", out], &variables);
        assert_eq!(refused.status.code(), Some(1), "{}", whole(&refused));
        assert!(whole(&refused).contains(words), "{}", whole(&refused));
    }
    assert_eq!(requests.load(Ordering::SeqCst), asked);
    let document = json(&run(&[&search[..], &["--json"]].concat()));
    assert!(!document["shifts"].as_array().unwrap().is_empty(), "vectors moved");
    let after = requests.load(Ordering::SeqCst);
    assert!(after > asked);
    run(&search);
    assert_eq!(requests.load(Ordering::SeqCst), after, "everything was kept");
    let refused = place.run_with(&[&search[..], &["--token-budget", "0"]].concat(), &variables);
    assert_eq!(refused.status.code(), Some(1), "{}", whole(&refused));
    assert!(whole(&refused).contains("budget"), "{}", whole(&refused));
}

#[test]
fn a_run_is_its_own_and_is_not_lost_for_another() {
    let place = Playground::new("standard,neutralized");
    place.succeeds(&["queries", "bench"]);
    place.succeeds(&["search", "bench", "--model", "bm25"]);
    let search = |more: &[&str]| place.run(&[&["search", "bench", "--model", "bm25"], more].concat());
    let told = |output: &Output, words: &str| {
        assert_eq!(output.status.code(), Some(1), "{}", whole(output));
        assert!(whole(output).contains(words) && whole(output).contains("--replace"), "{}", whole(output));
    };
    // The same again is fine; a part, and the same model on another bench, are not.
    let before = fs::read(place.path("runs/bm25/run.json")).unwrap();
    assert_eq!(search(&[]).status.code(), Some(0));
    told(&search(&["--setting", "standard"]), "runs/bm25 holds a run that would be lost: it has");
    told(&search(&["--setting", "standard", "--rescore"]), "would be lost");
    told(&search(&["--depth", "1"]), "its rankings have 100 documents");
    place.succeeds(&["build", "project", "--out", "other"]);
    place.succeeds(&["queries", "other"]);
    told(&place.run(&["search", "other", "--model", "bm25"]), "it is on another bench");
    told(&place.run(&["search", "bench", "--model", "bm25:atire", "--out", "runs/bm25"]), "it is by `bm25`");
    assert_eq!(fs::read(place.path("runs/bm25/run.json")).unwrap(), before);
    place.succeeds(&["search", "bench", "--model", "bm25:atire", "--out", "atire", "--measure", "recall@3"]);

    // What another model scored is not shown under this one's name.
    fs::copy(place.path("atire/scores.parquet"), place.path("runs/bm25/scores.parquet")).unwrap();
    for arguments in [
        &["report", "runs/bm25", "--out", "report.html"][..],
        &["search", "bench", "--model", "bm25", "--rescore"],
        &["export", "runs/bm25", "--format", "trec", "--out", "trec"],
    ] {
        place.fails(arguments, 1, "runs/bm25/scores.parquet is damaged");
        place.fails(arguments, 1, "hint: search again");
    }
    assert_eq!(search(&[]).status.code(), Some(0));
    place.succeeds(&["report", "runs/bm25", "--out", "report.html"]);
    assert_eq!(search(&["--setting", "standard", "--replace"]).status.code(), Some(0));
}

/// The file of a real language model, which is fetched if it is not there.
fn language_model() -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/model");
    let output = Tool::new(script).argument("smollm2").wall(Duration::from_secs(900)).run().unwrap();
    assert!(output.success(), "{}", output.last_words(20));
    output.text().trim().to_owned()
}

#[test]
fn a_model_on_this_machine_describes_functions_and_its_failures_are_counted() {
    let place = Playground::new("standard");
    let model = format!("local:{}", language_model());
    let options = ["queries", "bench", "--model", &model, "--limit", "3", "--attempts", "2", "--json"];
    let run = |more: &[&str]| place.run(&[&options[..], more].concat());
    let dry = run(&["--dry-run"]);
    assert!(whole(&dry).contains("3 descriptions: nothing has to be paid for"), "{}", whole(&dry));

    // A model this small writes what it likes. Each function is described, or counted with the reason why it is not.
    let output = run(&["--answer-tokens", "64"]);
    let text = whole(&output);
    let described = match output.status.code() {
        Some(0) => {
            let told = json(&output);
            assert_eq!((&told["author"], &told["cost"]), (&json!("local:SmolLM2-135M-Instruct.Q4_1"), &json!(0.0)));
            let lost = told["lost"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>();
            told["queries"].as_u64().unwrap() + lost
        }
        _ => {
            assert!(text.contains("there is no description; the bench stays as it was"), "{text}");
            let counts = text.lines().filter_map(|line| line.strip_prefix("hint: ")?.split_once(": "));
            let reasons = ["no-marker-in-the-answer", "names-the-function"];
            counts.filter(|(_, reason)| reasons.contains(reason)).map(|(count, _)| count.parse::<u64>().unwrap()).sum()
        }
    };
    assert_eq!(described, 3, "{text}");

    // The same again is answered out of the cache.
    let answers = || fs::metadata(place.path("cache/models/answers")).unwrap().len();
    let written = answers();
    assert!(written > 300, "{written}");
    // What a slow machine says meanwhile is another matter.
    let again = run(&["--answer-tokens", "64"]);
    assert_eq!((again.status.code(), again.stdout), (output.status.code(), output.stdout.clone()));
    assert_eq!(answers(), written);

    // With so long an answer, nothing fits into the model's context.
    let output = run(&["--answer-tokens", "8192"]);
    assert_eq!(output.status.code(), Some(1), "{}", whole(&output));
    assert!(whole(&output).contains("3: too-long-for-the-model"), "{}", whole(&output));

    place.fails(&["queries", "bench", "--model", "local:nowhere.gguf"], 1, "there is no file nowhere.gguf");
    place.fails(&["queries", "bench", "--model", "local:project"], 1, "is not a file in GGUF format");
    place.fails(&["queries", "bench", "--model", "local:project/letters.c"], 1, "is not a file in GGUF format");
}
