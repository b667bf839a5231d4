//! What is searched: the same documents in every setting where that is asked for, and vectors of one's own for each corpus.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

use serde_json::{Value, json};
use support::{estrange, json, whole};
use tempfile::TempDir;

/// A folder with a bench: group 1, and group 3 of which settings lack something.
struct Playground {
    folder: TempDir,
}

impl Playground {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.path("clarc")).unwrap();
        let row = |group: u32, at: usize, document: usize, text: String| {
            json!({
                "query_id": format!("q{group}_{at}"), "query_text": format!("Adds {at} to a number."),
                "code_id": format!("c{group}_{document}"), "code_text": text,
                "relevance": if at == document { 2 } else { 1 },
            })
        };
        let code = |name: &str, at: usize| format!("int {name}_{at}(int a) {{ return a + {at}; }}");
        for setting in ["standard", "neutralized"] {
            let rows = (0..6).map(|at| row(1, at, at, code(setting, at)));
            place.write(&format!("group1_{setting}"), rows.collect());
            // Of six functions the setting lacks one, and one of the two that these call.
            let has = |at: usize| setting == "standard" || (at != 2 && at != 11);
            let own = (0..6).filter(|at| has(*at)).map(|at| row(3, at, at, code(setting, at)));
            let called = (0..6).map(|at| (at, 10 + at % 2)).filter(|(at, called)| has(*at) && has(*called));
            let called = called.map(|(at, called)| row(3, at, called, code(setting, called)));
            place.write(&format!("group3_short_{setting}"), own.chain(called).collect());
            // And of one it has no long text.
            let long = (0..6).filter(|at| has(*at) && (setting == "standard" || *at != 4));
            let long = long.map(|at| row(3, at, at, code(setting, at) + &code(setting, 10 + at % 2)));
            place.write(&format!("group3_long_{setting}"), long.collect());
        }
        place.succeeds(&["import", "clarc", "clarc", "--out", "bench"]);
        place
    }

    fn write(&self, name: &str, rows: Vec<Value>) {
        fs::write(self.path(&format!("clarc/{name}.json")), json!(rows).to_string()).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = estrange(arguments);
        command.current_dir(self.path("")).env("ESTRANGE_CACHE", self.path("cache")).output().unwrap()
    }

    fn succeeds(&self, arguments: &[&str]) -> Output {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        output
    }

    fn fails(&self, arguments: &[&str], words: &str) {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{}", whole(&output));
        assert!(whole(&output).contains(words), "{words}: {}", whole(&output));
    }

    /// The rows of a file with a JSON object a line.
    fn rows(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn common_documents_are_the_same_in_every_setting() {
    let place = Playground::new();
    let counts = |more: &[&str], out: &str| {
        place.succeeds(&[&["search", "bench", "--model", "bm25", "--out", out], more].concat());
        let run: Value = serde_json::from_str(&fs::read_to_string(place.path(out).join("run.json")).unwrap()).unwrap();
        let mut counts: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
        for part in run["parts"].as_array().unwrap() {
            let counted = (part["facts"]["documents"].as_u64().unwrap(), part["items"].as_u64().unwrap());
            counts.entry(format!("{} {}", part["facts"]["group"], part["facts"]["view"])).or_default().push(counted);
        }
        counts.into_values().collect::<Vec<_>>()
    };
    // Group 1, group 3 long, group 3 short; each in both settings.
    assert_eq!(counts(&[], "all"), [[(6, 6), (6, 6)], [(6, 6), (4, 4)], [(8, 6), (6, 5)]]);
    assert_eq!(counts(&["--common"], "common"), [[(6, 6), (6, 6)], [(4, 4), (4, 4)], [(6, 5), (6, 5)]]);
}

#[test]
fn vectors_of_ones_own_are_those_of_each_corpus() {
    let place = Playground::new();
    place.succeeds(&["export", "bench", "--format", "beir", "--out", "beir"]);
    // In the standard setting a function is where its query is; in the other all are in one place.
    let vector = |corpus: &str, id: &str| {
        let at: f64 = id.rsplit('_').next().unwrap().parse().unwrap();
        if corpus.ends_with("standard") || id.starts_with('q') { [at.sin(), at.cos()] } else { [1.0, 1.0] }
    };
    fs::create_dir(place.path("vectors")).unwrap();
    let (mut named, mut plain) = (String::new(), String::new());
    for folder in fs::read_dir(place.path("beir")).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        let corpus = folder.file_name().into_string().unwrap();
        let mut own = String::new();
        for row in
            ["corpus.jsonl", "queries.jsonl"].iter().flat_map(|file| place.rows(&format!("beir/{corpus}/{file}")))
        {
            let id = row["_id"].as_str().unwrap();
            let line = |id: &str| json!({ "id": id, "embedding": vector(&corpus, row["_id"].as_str().unwrap()) });
            named += &format!("{}\n", line(&format!("{corpus}/{id}")));
            own += &format!("{}\n", line(id));
        }
        fs::write(place.path(&format!("vectors/{corpus}.jsonl")), &own).unwrap();
        if corpus == "group1-standard" {
            plain = own;
        }
    }
    fs::write(place.path("named.jsonl"), named).unwrap();
    fs::write(place.path("plain.jsonl"), plain).unwrap();
    let scores = |model: &str, out: &str| {
        let told = json(&place.succeeds(&["search", "bench", "--model", model, "--out", out, "--json"]));
        (told["results"].clone(), told["shifts"].clone())
    };
    let (results, shifts) = scores("precomputed:named.jsonl", "named");
    assert_eq!(scores("precomputed:vectors", "folder").0, results);
    assert!(!shifts.as_array().unwrap().is_empty(), "vectors moved");
    let lost = |result: &Value| result["drop"]["value"].as_f64().is_some_and(|drop| drop > 0.1);
    assert!(results.as_array().unwrap().iter().any(lost), "{results}");

    // One vector a function is enough for one of its texts, and not for two.
    place.succeeds(&[
        "search",
        "bench",
        "--model",
        "precomputed:plain.jsonl",
        "--group",
        "1",
        "--setting",
        "standard",
        "--out",
        "p",
    ]);
    let both = ["search", "bench", "--model", "precomputed:plain.jsonl", "--group", "1", "--out", "q"];
    place.fails(&both, "stands for texts of more than one corpus");

    // What a run found is what its exported rankings find.
    place.succeeds(&["export", "named", "--format", "trec", "--out", "trec"]);
    assert_eq!(scores("precomputed:trec", "again").0, results);
}
