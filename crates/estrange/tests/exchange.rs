//! Benches in the formats of others and back, read by the packages that others use.
//!
//! The Python packages are pinned in `tools/python/exchange.txt` and installed by the first test that needs them.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use estrange_bench::{Bench, Lock, Provenance, Run, Score, Variant, Writer, put_queries};
use estrange_sandbox::Tool;
use serde_json::{Value, json};
use support::{estrange, json as document, run as run_estrange, whole};
use tempfile::TempDir;

/// A folder in which data of CLARC's kind lies, and a bench out of it.
struct Playground {
    folder: TempDir,
}

impl Playground {
    /// Data that is small and has everything: three groups, two views, helpers, settings that lack something, texts that
    /// are the same, and what a model left at the front of a query.
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.path("clarc")).unwrap();
        let shapes = ["sum", "largest", "smallest", "length", "middle"];
        let code = |group: u32, at: usize, name: &str| {
            format!("int {name}_{group}(const int *values, int count) {{\n\treturn {name}(values, count, {at});\n}}")
        };
        let row = |group: u32, at: usize, text: String, relevance: u32, code_at: usize| {
            let query = format!("Gives the {} of \"numbers\" – group {group}.", shapes[at]);
            let query = if at == 0 { format!("SUMMARY:  \n{query}") } else { query };
            json!({
                "query_id": format!("q_group_{group}_id_{at}"), "query_text": query,
                "code_id": format!("c_group_{group}_id_{code_at}"), "code_text": text, "relevance": relevance,
            })
        };
        let rows = |group: u32, text: &dyn Fn(usize) -> Option<String>| -> Vec<Value> {
            (0..shapes.len()).filter_map(|at| Some(row(group, at, text(at)?, 2, at))).collect()
        };
        for group in [1, 2] {
            place.write(group, "standard", rows(group, &|at| Some(code(group, at, shapes[at]))));
            // The last two are the same.
            place.write(group, "neutralized", rows(group, &|at| Some(code(group, at.min(3), "func_0"))));
            place.write(group, "randomized", rows(group, &|at| Some(code(group, at, &format!("x{at}f9")))));
            place.write(
                group,
                "asm_short",
                rows(group, &|at| (at != 2).then(|| format!("push %rbp\nmov ${at},%eax\nret "))),
            );
            place.write(group, "asm_long", rows(group, &|at| Some(format!("push %rbp\nmov ${at},%eax\nret \nret "))));
        }
        let helpers = |standard: &dyn Fn(usize) -> String| -> Vec<Value> {
            let own = (0..shapes.len()).map(|at| row(3, at, standard(at), 2, at));
            let theirs = (0..shapes.len()).map(|at| row(3, at, standard(10 + at / 2), 1, 10 + at / 2));
            own.chain(theirs).collect()
        };
        let name = |at: usize| shapes.get(at).copied().unwrap_or("helper");
        place.write(3, "short_standard", helpers(&|at| code(3, at, name(at))));
        place.write(3, "short_neutralized", helpers(&|at| code(3, at, "func_0")));
        place.write(3, "long_standard", rows(3, &|at| Some(code(3, at, "helper") + &code(3, at, shapes[at]))));
        place.write(3, "asm_short", helpers(&|at| format!("mov ${at},%ecx\nret ")));
        place.write(3, "asm_long", rows(3, &|at| Some(format!("mov ${at},%ecx\nret \nmov $1,%edx\nret "))));
        place.write(3, "long_neutralized", rows(3, &|at| Some(code(3, at, "func_0"))));
        fs::write(place.path("clarc/notes.json"), "{}").unwrap();
        place.succeeds(&["import", "clarc", "clarc", "--out", "bench"]);
        place
    }

    fn write(&self, group: u32, name: &str, rows: Vec<Value>) {
        let path = self.path(&format!("clarc/group{group}_{name}.json"));
        fs::write(path, serde_json::to_string_pretty(&rows).unwrap()).unwrap();
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

    fn fails(&self, arguments: &[&str], code: i32, words: &str) {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{}", whole(&output));
        assert!(whole(&output).contains(words), "{words}\n{}", whole(&output));
    }

    fn bench(&self, name: &str) -> Bench {
        Bench::open(self.path(name)).unwrap()
    }

    /// What the script beside this says of exports, with the packages that others use.
    fn asked(&self, arguments: &[&str]) -> Value {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let environment = Tool::new(here.join("../../tools/python-environment")).argument("exchange");
        let environment = environment.wall(Duration::from_secs(900)).run().unwrap();
        assert!(environment.success(), "{}", environment.last_words(20));
        let asked = Tool::new(environment.text().trim()).argument(here.join("tests/exchange/load.py"));
        let asked = asked.arguments(arguments).directory(self.path("")).environment("HF_HOME", self.path("hub"));
        let asked = asked.environment("HF_HUB_OFFLINE", "1").wall(Duration::from_secs(300)).run().unwrap();
        assert!(asked.success(), "{}", asked.last_words(30));
        serde_json::from_str(&asked.text()).unwrap()
    }
}

#[test]
fn help_teaches() {
    insta::assert_snapshot!("help_import", whole(&run_estrange(&["import", "--help"])));
    insta::assert_snapshot!("help_export", whole(&run_estrange(&["export", "--help"])));
}

#[test]
fn what_clarc_published_becomes_a_bench() {
    let place = Playground::new();
    let bench = place.bench("bench");
    let functions: Vec<_> = bench.functions().unwrap().map(Result::unwrap).collect();
    // Five in each group, and three helpers.
    assert_eq!(functions.len(), 18);
    assert!(functions.iter().all(|function| function.evidence.checked.as_deref() == Some("nothing")));
    let third = functions.iter().find(|function| function.id == "c_group_3_id_1").unwrap();
    assert_eq!(third.helpers.len(), 1);
    assert_eq!(third.helpers[0].id.as_deref(), Some("c_group_3_id_10"));
    assert!(third.long_text.as_ref().unwrap().ends_with(&third.text));
    let queries: Vec<_> = bench.queries().unwrap().map(Result::unwrap).collect();
    assert_eq!(queries.len(), 15);
    assert_eq!(queries[0].text, "Gives the sum of \"numbers\" – group 1.");
    let waiting: Vec<_> = bench.waiting().unwrap().map(Result::unwrap).collect();
    let waiting: Vec<_> =
        waiting.iter().map(|each| (each.function_id.as_str(), each.setting.as_str(), each.reason.as_str())).collect();
    let not_there = "not-in-the-data";
    assert_eq!(waiting, [("c_group_1_id_2", "x86_64", not_there), ("c_group_2_id_2", "x86_64", not_there)]);
    let lowered = bench.lowered().unwrap().map(Result::unwrap).next().unwrap();
    assert_eq!(lowered.text, "push %rbp\nmov $0,%eax\nret ");
    let third = bench.lowered().unwrap().map(Result::unwrap).find(|each| each.function_id == "c_group_3_id_1").unwrap();
    assert_eq!(third.short_text.as_deref(), Some("mov $1,%ecx\nret "));
    assert!(third.text.ends_with("%edx\nret "));
    let variant = bench.variants().unwrap().map(Result::unwrap).next().unwrap();
    let names = [("sum", "func_0"), ("sum_1", "func_0_1")];
    assert!(variant.rename_map.iter().map(|(old, new)| (old.as_str(), new.as_str())).eq(names));
    assert!(variant.surface_distance > 0.0 && variant.perturbation_fraction > 0.0);
    let third =
        bench.variants().unwrap().map(Result::unwrap).find(|each| each.function_id == "c_group_3_id_1").unwrap();
    assert!(third.long_text.unwrap().contains("func_0"));

    let told = String::from_utf8(place.run(&["import", "clarc", "clarc", "--out", "again"]).stderr).unwrap();
    assert_eq!(told, "passed over: group1_asm_long.json, group2_asm_long.json, notes.json\n");
    place.succeeds(&["stats", "bench"]);
    place.succeeds(&["show", "bench", "c_group_3_id_1", "--setting", "neutralized"]);
}

#[test]
fn what_is_wrong_with_data_is_said() {
    let place = Playground::new();
    fs::create_dir(place.path("bad")).unwrap();
    let import = ["import", "clarc", "bad", "--out", "out"];
    place.fails(&import, 1, "has no file of CLARC's");
    place.fails(&["import", "clarc", "nowhere", "--out", "out"], 1, "nowhere");
    place.fails(&["import", "beir", "bad", "--out", "out"], 2, "beir");
    let row = |query: &str, code: &str| json!({ "query_id": query, "query_text": "q", "code_id": code, "code_text": "c", "relevance": 2 });
    let without = |key: &str| {
        let mut row = row("q1", "c1");
        row.as_object_mut().unwrap().remove(key);
        row
    };
    let mut other_text = row("q2", "c1");
    other_text["code_text"] = "d".into();
    let standard = || vec![row("q1", "c1"), row("q2", "c2")];
    for (name, rows, words) in [
        ("group1_standard.json", json!([without("query_text")]), "row 1 has no query_text"),
        ("group1_standard.json", json!([row("", "c1")]), "row 1 has no query_id"),
        ("group1_standard.json", json!([without("code_text")]), "row 1 has no code_text"),
        ("group1_standard.json", json!([]), "it has no rows"),
        ("group1_standard.json", json!({}), "group1_standard.json is not as CLARC publishes it"),
        ("group1_standard.json", json!([row("q1", "c1"), row("q1", "c2")]), "row 2 has the query_id q1 again"),
        ("group1_standard.json", json!([row("q1", "c1"), other_text]), "row 2 has the code_id c1 again"),
        ("group3_standard.json", json!([row("q1", "c1"), row("q1", "c2")]), "q1 has 2 codes of relevance 2"),
        ("group1_wasm.json", json!(standard()), "there is no group1_standard.json beside it"),
    ] {
        fs::remove_dir_all(place.path("bad")).unwrap();
        fs::create_dir(place.path("bad")).unwrap();
        fs::write(place.path("bad").join(name), rows.to_string()).unwrap();
        place.fails(&import, 1, words);
    }
    fs::remove_file(place.path("bad/group1_wasm.json")).unwrap();
    fs::write(place.path("bad/group1_standard.json"), "[{").unwrap();
    place.fails(&import, 1, "EOF");
    fs::write(place.path("bad/group1_standard.json"), json!(standard()).to_string()).unwrap();
    fs::write(place.path("bad/group2_standard.json"), json!(standard()).to_string()).unwrap();
    place.fails(&import, 1, "another group has the code_id c1 too");
    fs::remove_file(place.path("bad/group2_standard.json")).unwrap();
    fs::write(place.path("bad/group1_wasm.json"), json!([row("q3", "c3")]).to_string()).unwrap();
    place.fails(&import, 1, "does not have its query q3 or its code c3");
    assert!(!place.path("out").exists());
}

#[test]
fn an_export_is_new_and_an_import_of_it_is_the_same() {
    let place = Playground::new();
    place.succeeds(&["export", "bench", "--format", "clarc", "--out", "out"]);
    place.fails(&["export", "bench", "--format", "beir", "--out", "out"], 1, "is not empty");
    assert!(place.path("out/group3_standard_short.json").exists());
    place.succeeds(&["import", "clarc", "out", "--out", "again"]);
    let (one, two) = (place.bench("bench"), place.bench("again"));
    let texts = |bench: &Bench| {
        let mut texts: Vec<_> =
            bench.functions().unwrap().map(Result::unwrap).map(|each| (each.id, each.text, each.long_text)).collect();
        texts.sort();
        texts
    };
    assert_eq!(texts(&one), texts(&two));
    let variants = |bench: &Bench| {
        let mut all: Vec<_> = bench
            .variants()
            .unwrap()
            .map(Result::unwrap)
            .map(|each| (each.function_id, each.setting, each.seed, each.text))
            .collect();
        all.sort();
        all
    };
    assert_eq!(variants(&one), variants(&two));
    let lowered = |bench: &Bench| {
        let mut all: Vec<_> = bench.lowered().unwrap().map(Result::unwrap).collect();
        all.sort_by(|one, two| one.function_id.cmp(&two.function_id));
        all
    };
    assert_eq!(lowered(&one), lowered(&two));
    let judged = |bench: &Bench| {
        let mut all: Vec<_> = bench
            .judgements()
            .unwrap()
            .map(Result::unwrap)
            .map(|each| (each.query_id, each.view, each.document_id, each.grade))
            .collect();
        all.sort();
        all
    };
    assert_eq!(judged(&one), judged(&two));
    let queries = |bench: &Bench| {
        let mut all: Vec<_> =
            bench.queries().unwrap().map(Result::unwrap).map(|each| (each.id, each.function_id, each.text)).collect();
        all.sort();
        all
    };
    assert_eq!(queries(&one), queries(&two));

    for (arguments, code, words) in [
        (
            &["export", "bench", "--format", "beir", "--out", "new", "--setting", "wasm32"][..],
            1,
            "the bench has no setting `wasm32`",
        ),
        (&["export", "bench", "--format", "beir", "--out", "new", "--group", "4"], 2, "`4` is none of 1, 2, 3"),
        (&["export", "bench", "--format", "beir", "--out", "new", "--author", "nobody"], 1, "no corpus has a query"),
        (
            &["export", "bench", "--format", "croissant", "--out", "new", "--group", "1"],
            2,
            "croissant takes the whole bench",
        ),
        (&["export", "bench", "--format", "parquet", "--out", "new"], 2, "parquet"),
        (&["export", "nowhere", "--format", "beir", "--out", "new"], 1, "is not a bench"),
    ] {
        place.fails(arguments, code, words);
    }
    assert!(!place.path("new").exists());
    put_queries(&Lock::acquire(place.path("again")).unwrap(), [], []).unwrap();
    place.fails(&["export", "again", "--format", "beir", "--out", "new"], 1, "no corpus has a query");
}

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

/* Takes away the blanks at the start of a piece of text. */
struct span trim_left(struct span s)
{
    while (s.count && *s.first == ' ') { ++s.first; --s.count; }
    return s;
}

static int three_more(int a) { return a + 3; }
/* Adds three to a number twice and gives what comes out of it. */
int six_more(int a) { return three_more(three_more(a)); }
/* Adds six to a number twice and gives what comes out of that. */
int twelve_more(int a) { return six_more(six_more(a)); }
/* Sums up how often any of two letters stands in a text. */
size_t count_either(const char *text, char a, char b) { return count_letter(text, a) + count_letter(text, b); }
"#;

#[test]
fn a_bench_of_ours_in_clarcs_files_is_read_again() {
    let place = Playground { folder: tempfile::tempdir().unwrap() };
    fs::create_dir(place.path("project")).unwrap();
    fs::write(place.path("project/letters.c"), PROJECT).unwrap();
    let settings = "standard,neutralized,randomized,x86_64,wasm32";
    place.succeeds(&["build", "project", "--out", "bench", "--settings", settings, "--trials", "3"]);
    place.succeeds(&["queries", "bench"]);
    place.succeeds(&["export", "bench", "--format", "clarc", "--out", "one"]);
    place.succeeds(&["import", "clarc", "one", "--out", "again"]);
    place.succeeds(&["export", "again", "--format", "clarc", "--out", "two"]);
    let files = |folder: &str| -> BTreeMap<String, String> {
        let files = fs::read_dir(place.path(folder)).unwrap().map(|entry| entry.unwrap());
        let files =
            files.map(|file| (file.file_name().into_string().unwrap(), fs::read_to_string(file.path()).unwrap()));
        files.filter(|(name, _)| name != "README.md").collect()
    };
    let (one, two) = (files("one"), files("two"));
    // Seven of settings and seeds, of three groups, of which one has two views.
    assert_eq!((one.len(), two.len()), (28, 28));
    for (name, text) in &one {
        let rows = |text: &str| -> Vec<Value> {
            let mut rows: Vec<Value> = serde_json::from_str(text).unwrap();
            rows.sort_by_key(|row| (row["query_id"].to_string(), row["code_id"].to_string()));
            rows
        };
        assert_eq!(rows(text), rows(&two[name]), "{name}");
    }
    // A function of group 1 is called in group 3.
    let called: Vec<Value> = serde_json::from_str(&one["group3_standard_short.json"]).unwrap();
    let group_1: Vec<Value> = serde_json::from_str(&one["group1_standard.json"]).unwrap();
    assert!(called.iter().any(|row| row["code_id"] == group_1[0]["code_id"]));
}

/// A bench like another, whose functions have variants in settings of these names.
fn reseal(bench: &Bench, folder: &Path, settings: &[&str]) {
    let lock = Lock::acquire(folder).unwrap();
    let mut writer = Writer::new(&lock).unwrap();
    bench.functions().unwrap().for_each(|function| writer.keep(function.unwrap()).unwrap());
    let variants: Vec<_> = bench.variants().unwrap().map(Result::unwrap).collect();
    let variants = settings.iter().flat_map(|setting| {
        let neutralized = variants.iter().filter(|variant| variant.setting == "neutralized");
        neutralized.map(|variant| Variant { setting: (*setting).to_owned(), ..variant.clone() })
    });
    writer.add_variants(variants.collect::<Vec<_>>(), []).unwrap();
    let sources = bench.manifest().sources.clone();
    writer.finish(Provenance { sources, ..Provenance::default() }).unwrap();
    let queries = bench.queries().unwrap().map(Result::unwrap);
    put_queries(&lock, queries, bench.judgements().unwrap().map(Result::unwrap)).unwrap();
}

#[test]
fn a_name_out_of_a_bench_leads_nowhere_but_into_the_export() {
    let place = Playground::new();
    reseal(&place.bench("bench"), &place.path("evil"), &["x/../../../PWN"]);
    reseal(&place.bench("bench"), &place.path("twice"), &["a:b", "a-b"]);
    fs::create_dir_all(place.path("deep/er")).unwrap();
    // Such a name has become a plain one.
    for format in ["clarc", "beir", "mteb", "trec", "croissant"] {
        place.succeeds(&["export", "evil", "--format", format, "--out", &format!("deep/er/{format}")]);
        let out = format!("deep/er/{format}-twice");
        match format {
            "croissant" => drop(place.succeeds(&["export", "twice", "--format", format, "--out", &out])),
            _ => place.fails(&["export", "twice", "--format", format, "--out", &out], 1, "have the same file"),
        }
    }
    place.succeeds(&["search", "evil", "--model", "bm25", "--out", "evil-run"]);
    place.succeeds(&["export", "evil-run", "--format", "trec", "--out", "deep/er/run"]);
    let names = |folder: &str| -> Vec<String> {
        let entries = fs::read_dir(place.path(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("deep"), ["er"]);
    assert_eq!(names("deep/er"), ["beir", "clarc", "croissant", "croissant-twice", "mteb", "run", "trec"]);
    assert_eq!(names(""), ["bench", "cache", "clarc", "deep", "evil", "evil-run", "twice"]);
}

#[test]
fn what_is_exported_loads_in_the_packages_of_others() {
    let place = Playground::new();
    let corpora = document(&place.succeeds(&["export", "bench", "--format", "mteb", "--out", "many", "--json"]));
    let one = ["export", "bench", "--format", "mteb", "--group", "1", "--setting", "neutralized", "--out", "one"];
    place.succeeds(&one);
    place.succeeds(&["export", "bench", "--format", "beir", "--out", "beir"]);
    place.succeeds(&["export", "bench", "--format", "croissant", "--out", "whole"]);

    let many = place.asked(&["datasets", "many"]);
    let corpora = corpora["corpora"].as_array().unwrap();
    assert_eq!(corpora.len(), 14);
    for corpus in corpora {
        let name = corpus["name"].as_str().unwrap();
        let beir = place.path("beir").join(name);
        let lines = |file: &str| -> Vec<Value> {
            let text = fs::read_to_string(beir.join(file)).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        let plain = |rows: Vec<Value>| -> Value { rows.iter().map(|row| json!([row["_id"], row["text"]])).collect() };
        assert_eq!(many[format!("{name}-corpus")]["rows"], plain(lines("corpus.jsonl")), "{name}");
        assert_eq!(many[format!("{name}-queries")]["rows"], plain(lines("queries.jsonl")), "{name}");
        assert_eq!(many[format!("{name}-qrels")]["columns"], json!(["query-id", "corpus-id", "score"]));
        let qrels = fs::read_to_string(beir.join("qrels/test.tsv")).unwrap();
        let qrels: Value = qrels
            .lines()
            .skip(1)
            .map(|line| {
                let cells: Vec<&str> = line.split('\t').collect();
                json!([cells[0], cells[1], cells[2].parse::<u32>().unwrap()])
            })
            .collect();
        assert_eq!(many[format!("{name}-qrels")]["rows"], qrels, "{name}");
    }
    // The last two of five texts are the same.
    let one = place.asked(&["datasets", "one"]);
    assert_eq!(one.as_object().unwrap().keys().collect::<Vec<_>>(), ["corpus", "qrels", "queries"]);
    assert_eq!(one["corpus"]["rows"].as_array().unwrap().len(), 4);
    assert_eq!(one["qrels"]["rows"].as_array().unwrap().len(), 5);

    for (folder, sets) in [("one", 3), ("whole", 7)] {
        let found = place.asked(&["croissant", folder]);
        assert_eq!(found["problems"], json!([]), "{found}");
        assert_eq!(found["record_sets"].as_object().unwrap().len(), sets, "{found}");
    }
    let card = fs::read_to_string(place.path("whole/README.md")).unwrap();
    for words in
        ["# bench", "| clarc | not known | 18 | 18 |", "| not known | 18 |", "Nothing: the functions were imported"]
    {
        assert!(card.contains(words), "{words}\n{card}");
    }
    Bench::open(place.path("whole")).unwrap();
}

#[test]
fn rankings_score_the_same_in_pytrec_eval() {
    let place = Playground::new();
    place.succeeds(&["search", "bench", "--model", "bm25", "--out", "run"]);
    place.succeeds(&["export", "run", "--format", "trec", "--out", "trec"]);
    place.fails(&["export", "run", "--format", "beir", "--out", "other"], 2, "only --format trec");
    let theirs = place.asked(&["trec", "trec"]);
    let run = Run::open(&place.path("run")).unwrap();
    let mut compared = 0;
    for score in run.rows::<Score>().unwrap() {
        let score = score.unwrap();
        let (part, query) = score.item.split_once('/').unwrap();
        let corpus = &theirs[format!("{part}-{}", score.setting)];
        let measure = match score.measure.as_str() {
            "ndcg@10" => "ndcg_cut_10",
            "recall@1" => "recall_1",
            "recall@5" => "recall_5",
            "map@10" => "map_cut_10",
            _ => continue,
        };
        // A query for which nothing was found is not in their answer.
        let value = corpus[query][measure].as_f64().unwrap_or(0.0);
        assert!((value - score.value).abs() < 1e-9, "{score:?}: {value}");
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
    // An empty file would have scored nothing but zeros.
    let found: f64 =
        theirs["group1-standard"].as_object().unwrap().values().filter_map(|each| each["recall_5"].as_f64()).sum();
    assert!(found >= 4.0, "{theirs}");
}
