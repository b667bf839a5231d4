//! The probe from the command line: questions that are made by running our own pairs, respondents of every kind, and their
//! report beside the one of detections.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_bench::{Bench, Lock, Provenance, Question, Run, Rung, write};
use serde_json::{Value, json};
use support::pairs::write_pairs;
use support::server::{Reply, said, server};
use support::{estrange, json, whole};
use tempfile::TempDir;

/// How many pairs are crash-confirmed, each at two levels.
const PAIRS: usize = 5;

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

    /// What is run of functions is kept for all tests: it is the same in each.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = estrange(arguments);
        command.current_dir(self.path("")).env_remove("OPENAI_API_KEY").env_remove("OPENAI_BASE_URL");
        command
    }

    fn probe(&self, arguments: &[&str]) -> Output {
        self.command(&[&["probe", "pairs", "--quiet"], arguments].concat()).output().unwrap()
    }

    fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.probe(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The questions of a run.
    fn questions(&self, run: &str) -> Vec<Question> {
        Run::open(&self.path(run)).unwrap().rows().unwrap().map(Result::unwrap).collect()
    }
}

/// The levels of a document: the setting, and what it says.
fn levels(document: &Value) -> Vec<(String, Value)> {
    let name =
        |level: &Value| document["settings"][level["setting"].as_u64().unwrap() as usize].as_str().unwrap().to_owned();
    document["levels"].as_array().unwrap().iter().map(|level| (name(level), level.clone())).collect()
}

/// What a compiler's program prints that calls a function as a question says, if its answer is a whole number.
fn printed(unit: &str, question: &Question) -> Option<String> {
    let (before, call) = question.call.rsplit_once('\n').unwrap_or(("", &question.call));
    let is_number = question.answer.parse::<i64>().is_ok() && question.asked.contains("return");
    let call = is_number.then(|| call.trim_end_matches(';'))?;
    let folder = tempfile::tempdir().unwrap();
    let program = format!(
        "{unit}\n#include <stdio.h>\nint main(void) {{\n{before}\nprintf(\"%lld\", (long long)({call}));\nreturn 0;\n}}\n"
    );
    fs::write(folder.path().join("a.c"), &program).unwrap();
    let built = Command::new("gcc").args(["a.c", "-o", "a"]).current_dir(folder.path()).output().unwrap();
    assert!(built.status.success(), "{}\n{program}", String::from_utf8_lossy(&built.stderr));
    let ran = Command::new("./a").current_dir(folder.path()).output().unwrap();
    Some(String::from_utf8(ran.stdout).unwrap())
}

#[test]
fn a_question_has_the_answer_that_a_plain_program_gives_at_every_level() {
    let place = Playground::new();
    place.succeeds(&["--model", "gold", "--out", "gold"]);
    let mut units = BTreeMap::new();
    for rung in Bench::open(place.path("pairs")).unwrap().rows::<Rung>().unwrap() {
        let rung = rung.unwrap();
        units.insert((rung.pair, rung.setting), rung.patched_unit);
    }
    let questions = place.questions("gold");
    let mut compared = 0;
    for question in &questions {
        let unit = &units[&(question.pair.clone(), question.setting.clone())];
        if let Some(printed) = printed(unit, question) {
            assert_eq!(printed, question.answer, "{question:#?}");
            compared += 1;
        }
    }
    assert!(compared >= 10, "{questions:#?}");
    // The same question at each level, under other names.
    let mut by_item: BTreeMap<&str, Vec<&Question>> = BTreeMap::new();
    questions.iter().for_each(|question| by_item.entry(&question.item).or_default().push(question));
    for same in by_item.values() {
        let [written, renamed] = same[..] else { panic!("{same:#?}") };
        assert_eq!((&written.answer, &*written.setting, &*renamed.setting), (&renamed.answer, "L0", "L1"));
        assert!(renamed.call.contains("func_0(") && !written.call.contains("func_0("), "{renamed:#?}");
    }
}

#[test]
fn who_knows_all_is_always_right_and_who_says_nothing_never() {
    let place = Playground::new();
    let right = |model: &str, out: &str| -> Vec<f64> {
        let output = place.probe(&["--model", model, "--out", out, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        levels(&json(&output)).iter().map(|(_, level)| level["accuracy"]["value"].as_f64().unwrap()).collect()
    };
    assert_eq!(right("gold", "runs/gold"), [1.0, 1.0]);
    assert_eq!(right("empty", "runs/empty"), [0.0, 0.0]);
    let often = place.questions("runs/gold").iter().fold(BTreeMap::new(), |mut counts, question| {
        *counts.entry(question.answer.clone()).or_insert(0) += 1;
        counts
    });
    let (most, count) = often.iter().max_by_key(|(_, count)| **count).unwrap();
    let constant = right(&format!("constant:{most}"), "runs/constant");
    let share = f64::from(*count) / place.questions("runs/gold").len() as f64;
    assert!(share < 0.9, "{often:?}");
    for right in constant {
        assert!((right - share).abs() < 1e-9 && right > 0.0, "{right} {share}");
    }

    let text = place.succeeds(&["--model", "empty", "--out", "runs/empty", "--rescore"]);
    assert!(text.contains("What answers are worth") && text.contains("empty-answer"), "{text}");
    place.command(&["detect", "pairs", "--quiet", "--model", "always", "--out", "runs/always"]).output().unwrap();
    let report = |out: &str| {
        let runs = ["runs/gold", "runs/empty", "runs/constant", "runs/always"];
        let output = place.command(&[&["report"], &runs[..], &["--out", out]].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        assert!(whole(&output).contains("shows 4 runs on 5 pairs and "), "{}", whole(&output));
        fs::read_to_string(place.path(out)).unwrap()
    };
    let page = report("report.html");
    assert!(page.contains("id=\"detection\"") && page.contains("id=\"comprehension\""));
    assert_eq!(page.matches("<figure class=\"panel curves\">").count(), 2);
    let tables = report("report.md");
    assert!(tables.contains("Right answers by level") && tables.contains("F1 by level"), "{tables}");
    assert!(report("report.csv").contains("comprehension_fall,gold,L0,,linked-unit,L1,,accuracy,0.000000"));
}

#[test]
fn a_model_behind_a_server_is_asked_once_and_what_it_says_is_read() {
    let place = Playground::new();
    place.succeeds(&["--model", "gold", "--out", "gold"]);
    let questions = place.questions("gold");
    let items = questions.len();
    let asked = Arc::new(AtomicUsize::new(0));
    let (own, credit) = (Arc::clone(&asked), Arc::new(AtomicUsize::new(7)));
    let most = Arc::clone(&credit);
    let address = server(move |request| {
        if own.load(Ordering::SeqCst) >= most.load(Ordering::SeqCst) {
            return Reply::Refusal(401, json!({ "error": { "message": "no credit is left" } }));
        }
        let count = own.fetch_add(1, Ordering::SeqCst);
        let prompt = request["messages"][0]["content"].as_str().unwrap();
        assert!(
            prompt.contains("   1 | ") && prompt.contains("ANSWER: value") && !prompt.contains("patched"),
            "{prompt}"
        );
        let is_it = |question: &&Question| {
            prompt.contains(&format!("```\n{}\n```", question.call)) && prompt.contains(&question.asked)
        };
        let question = questions.iter().find(is_it).unwrap();
        Reply::Answer(said(Some(&match count % 4 {
            0 => "I'm sorry, I can't run code.".to_owned(),
            1 => "It returns something.".to_owned(),
            2 => "ANSWER: \"certainly not this\"".to_owned(),
            _ => format!("Step by step.\n\n**ANSWER: {}**", question.answer),
        })))
    });
    let cache = place.path("cache");
    let run = |more: &[&str]| {
        let arguments = ["probe", "pairs", "--quiet", "--model", "openai:reader", "--out", "run", "--at-once", "1"];
        let mut command = place.command(&[&arguments[..], more].concat());
        command.env("OPENAI_BASE_URL", &address).env("ESTRANGE_CACHE", &cache).output().unwrap()
    };
    let dry = run(&["--dry-run"]);
    assert!(whole(&dry).contains(&format!("{items} questions: {items} requests")), "{}", whole(&dry));
    let stopped = run(&[]);
    assert_eq!(stopped.status.code(), Some(1), "{}", whole(&stopped));
    assert!(whole(&stopped).contains("what was answered is kept: run it again to go on"), "{}", whole(&stopped));
    assert_eq!(asked.load(Ordering::SeqCst), 7);
    credit.store(usize::MAX, Ordering::SeqCst);
    let output = run(&["--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    assert_eq!(asked.load(Ordering::SeqCst), items);
    let sum = |name: &str| levels(&json(&output)).iter().map(|(_, level)| level[name].as_u64().unwrap()).sum::<u64>();
    let (right, answered) = (sum("right"), sum("answered"));
    assert_eq!((right, answered), (items as u64 / 4, items as u64 / 4 + (items as u64 + 1) / 4), "{}", whole(&output));
    for (_, level) in levels(&json(&output)) {
        let problems: u64 =
            level["problems"].as_array().unwrap().iter().map(|problem| problem[1].as_u64().unwrap()).sum();
        assert_eq!(level["questions"].as_u64().unwrap(), level["answered"].as_u64().unwrap() + problems);
    }

    // Another prompt is another run, which takes the place of none.
    fs::write(place.path("prompt.txt"), "{{code}}\n```\n{{call}}\n```\n{{question}} ANSWER: value").unwrap();
    assert_eq!(run(&["--prompt", "prompt.txt"]).status.code(), Some(1));
    let several = run(&["--prompt", "prompt.txt", "--samples", "4", "--setting", "L1", "--replace", "--json"]);
    assert_eq!(several.status.code(), Some(0), "{}", whole(&several));
    assert!(levels(&json(&several))[0].1["agreement"].is_f64());
}

#[test]
fn answers_in_a_file_are_read_and_what_is_not_there_is_counted() {
    let place = Playground::new();
    place.succeeds(&["--model", "gold", "--out", "gold", "--pairs", "3", "--questions", "2"]);
    let questions = place.questions("gold");
    assert!(questions.len() <= 3 * 2 * 2, "{questions:#?}");
    let of_level: Vec<&Question> = questions.iter().filter(|question| question.setting == "L1").collect();
    let line = |question: &Question, answer: &str| {
        json!({ "item": question.item, "setting": "L1", "answer": answer }).to_string()
    };
    let lines = [line(of_level[0], &of_level[0].answer), line(of_level[1], "what?")];
    fs::write(place.path("answers.jsonl"), lines.join("\n")).unwrap();
    let arguments = ["--pairs", "3", "--questions", "2", "--setting", "L1", "--out", "file", "--json"];
    let output = place.probe(&[&["--model", "precomputed:answers.jsonl"], &arguments[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    let (_, level) = &levels(&json(&output))[0];
    assert_eq!((&level["right"], &level["answered"]), (&json!(1), &json!(1)));
    let missing = of_level.len() - 2;
    assert_eq!(level["problems"], json!([["not-in-file", missing], ["unreadable-answer", 1]]));
}

#[test]
fn a_summary_is_right_if_the_function_is_found_by_it() {
    let place = Playground::new();
    let run = |model: &str, out: &str, more: &[&str]| {
        let arguments = ["--ask", "summary", "--model", model, "--out", out, "--json"];
        let output = place.probe(&[&arguments[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        levels(&json(&output))
    };
    for (_, level) in run("gold", "runs/gold", &[]) {
        assert_eq!((&level["accuracy"]["value"], &level["reciprocal_rank"]), (&json!(1.0), &json!(1.0)));
        assert_eq!(level["questions"], json!(PAIRS));
    }
    for (_, level) in run("empty", "runs/empty", &[]) {
        assert_eq!((&level["accuracy"]["value"], &level["reciprocal_rank"]), (&json!(0.0), &json!(0.0)));
        assert_eq!(level["problems"], json!([["empty-answer", PAIRS]]));
    }
    let asked = place.questions("runs/gold");
    assert!(asked.iter().all(|question| question.call.is_empty() && question.item.ends_with("/summary")));
    let renamed = asked.iter().find(|question| question.setting == "L1").unwrap();
    assert!(renamed.asked.contains("func_0("), "what is asked about has the level's own name: {renamed:#?}");

    // The words of another function lead to it, and words that no function has lead nowhere.
    let gold: Vec<estrange_bench::Answer> =
        Run::open(&place.path("runs/gold")).unwrap().rows().unwrap().map(Result::unwrap).collect();
    assert!(gold.iter().all(|answer| answer.text.is_none()), "nothing was written by a model");
    let text = |pair: &str| {
        let rungs = Bench::open(place.path("pairs")).unwrap();
        let rung = rungs.rows::<Rung>().unwrap().map(Result::unwrap).find(|rung| rung.pair == pair).unwrap();
        rung.patched_unit[rung.patched_start as usize..rung.patched_end as usize].to_owned()
    };
    let written: Vec<&Question> = asked.iter().filter(|question| question.setting == "L0").collect();
    let line = |question: &Question, answer: &str| {
        json!({ "item": question.item, "setting": "L0", "answer": answer }).to_string()
    };
    let lines = [
        line(written[0], &text(&written[0].pair)),
        line(written[1], &text(&written[0].pair)),
        line(written[2], "zyzzyva qwyjibo"),
        line(written[3], "I'm sorry, I can't do that."),
    ];
    fs::write(place.path("summaries.jsonl"), lines.join("\n")).unwrap();
    let said = run("precomputed:summaries.jsonl", "runs/file", &["--setting", "L0", "--view", "function"]);
    let (_, level) = &said[0];
    assert_eq!((&level["right"], &level["answered"]), (&json!(1), &json!(2)), "{level:#}");
    assert_eq!(level["problems"], json!([["not-in-file", 1], ["nothing-found", 1], ["refusal", 1]]));
    let rank = level["reciprocal_rank"].as_f64().unwrap();
    assert!(rank > 0.2 && rank < 0.5, "{level:#}");

    // Both kinds stand side by side, and are not compared.
    place.succeeds(&["--model", "gold", "--out", "runs/calls"]);
    let output = place.command(&["report", "runs/gold", "runs/calls", "--out", "report.md"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    let report = fs::read_to_string(place.path("report.md")).unwrap();
    assert!(report.contains("gold (summaries)") && report.contains("what a call comes to"), "{report}");
}

#[test]
fn bad_input_is_said_with_a_hint() {
    let place = Playground::new();
    fs::write(place.path("prompt.txt"), "What does it do? {{code}} {{call}}").unwrap();
    fs::write(place.path("unknown.csv"), "item,setting,answer\nnone/1,L0,3\n").unwrap();
    fs::write(place.path("broken.jsonl"), "{\"item\": 3}\n").unwrap();
    for (code, arguments, words) in [
        (2, &["--model", "cppcheck"][..], "`cppcheck` names nobody who could be asked"),
        (2, &["--model", "constant:"], "`constant:` names no value"),
        (2, &["--model", "gold", "--samples", "3"], "gold is no language model"),
        (2, &["--model", "openai:x", "--samples", "3", "--temperature", "0"], "are the same one"),
        (2, &["--model", "gold", "--ranker", "bm25"], "--ranker has no meaning with --ask call"),
        (2, &["--model", "gold", "--ask", "summary", "--questions", "2"], "--questions has no meaning"),
        (2, &["--model", "gold", "--ask", "summary", "--ranker", "bm26"], "bm26"),
        (
            1,
            &["--model", "gold", "--setting", "L4"],
            "there is no question in the setting `L4`; there are some in L0, L1",
        ),
        (1, &["--model", "openai:x", "--prompt", "prompt.txt"], "prompt.txt has no place for the question"),
        (
            1,
            &["--ask", "summary", "--model", "openai:x", "--prompt", "prompt.txt"],
            "prompt.txt has no place for the question",
        ),
        (1, &["--model", "precomputed:unknown.csv"], "line 2: the bench has no item `none/1` in L0, seed 0"),
        (1, &["--model", "precomputed:broken.jsonl"], "line 1: "),
        (1, &["--model", "openai:x"], "OPENAI_BASE_URL"),
    ] {
        let output = place.probe(&[arguments, &["--pairs", "2"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(words) && said.contains("hint:"), "{arguments:?}: {said}");
    }
    let lock = Lock::acquire(place.path("plain")).unwrap();
    write(&lock, Provenance::default(), [], []).unwrap();
    drop(lock);
    write_pairs(&place.path("reasoned"), 0);
    for (bench, words) in
        [("plain", "the bench has no pairs"), ("reasoned", "none of the 1 pairs of the bench is crash")]
    {
        let output = place.command(&["probe", bench, "--model", "gold"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(
            whole(&output).contains(words) && whole(&output).contains("hint: `estrange pairs"),
            "{}",
            whole(&output)
        );
    }
}
