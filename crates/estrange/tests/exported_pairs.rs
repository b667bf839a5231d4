//! Pairs in the formats of others: a data set that is read back, a log whose faults are found again, folders that build.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use estrange_analyser::sarif::Sarif;
use estrange_bench::exchange::datasets::SideRow;
use estrange_bench::{Bench, BugPair, Function, Label, Rung, Side, from_batch};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};
use support::pairs::write_pairs;
use support::{estrange, json as document, whole};
use tempfile::TempDir;

/// Of our own pairs one of numbers, one of the heap, one that is called through another function, and one in C++.
const CONFIRMED: [&str; 4] = ["acc", "off-by-one", "heap-insert", "gap-buffer"];
const SETTINGS: [&str; 2] = ["L0", "L2"];

struct Playground {
    folder: TempDir,
}

impl Playground {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    /// A bench of our own pairs, and of one that nothing confirms.
    fn with_pairs() -> Self {
        let place = Self::new();
        for name in CONFIRMED {
            place.pair(name, name, &|_, text| text);
        }
        place.pair("acc", "unconfirmed", &|file, text| match file {
            "trigger.json" => text.replace("9223372036854775807", "3"),
            _ => text,
        });
        let output = place.run(&["pairs", "set", "--settings", "L2", "--out", "pairs", "--quiet"]);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        place
    }

    /// A pair of the repository, under another name if need be, with some of its texts changed.
    fn pair(&self, of: &str, name: &str, change: &dyn Fn(&str, String) -> String) {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pairs").join(of);
        let folder = self.path("set").join(name);
        fs::create_dir_all(&folder).unwrap();
        for entry in fs::read_dir(own).unwrap() {
            let path = entry.unwrap().path();
            let file = path.file_name().unwrap().to_str().unwrap();
            fs::write(folder.join(file), change(file, fs::read_to_string(&path).unwrap())).unwrap();
        }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = estrange(arguments);
        command.current_dir(self.path("")).env("ESTRANGE_CACHE", self.path("cache")).output().unwrap()
    }

    /// What `--json` says of an export.
    fn export(&self, format: &str, more: &[&str]) -> Value {
        let arguments = ["export", "pairs", "--format", format, "--out", format, "--quiet", "--json"];
        let output = self.run(&[&arguments[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        document(&output)["pairs"].clone()
    }

    fn rows<R: estrange_bench::TableRow>(&self) -> Vec<R> {
        Bench::open(self.path("pairs")).unwrap().rows().unwrap().map(Result::unwrap).collect()
    }
}

#[test]
fn pairs_leave_in_three_formats() {
    let place = Playground::with_pairs();
    let rungs: Vec<Rung> = place.rows();
    for name in CONFIRMED {
        assert_eq!(rungs.iter().filter(|rung| rung.pair == name).count(), SETTINGS.len(), "{name}");
    }
    is_a_data_set(&place, &rungs);
    is_a_log_whose_faults_are_found_again(&place, &rungs);
    builds_and_shows_each_fault(&place);
}

fn is_a_data_set(place: &Playground, rungs: &[Rung]) {
    let said = place.export("hf", &[]);
    assert_eq!((&said["pairs"], &said["crash_confirmed"]), (&json!(5), &json!(4)), "{said}");
    let (pairs, functions): (Vec<BugPair>, Vec<Function>) = (place.rows(), place.rows());
    for (label, split, count) in [("crash-confirmed", "L0", 8), ("crash-confirmed", "L2", 8), ("reasoned", "L0", 2)] {
        let rows = rows_of(&place.path(&format!("hf/data/{label}/{split}.parquet")));
        assert_eq!(rows.len(), count, "{label} {split}");
        for row in rows {
            let rung = rungs.iter().find(|rung| rung.pair == row.pair && rung.setting == split).unwrap();
            let pair = pairs.iter().find(|pair| pair.name == row.pair).unwrap();
            assert_eq!((row.label.as_str(), row.vulnerable), (label, row.side == Side::Vulnerable));
            assert_eq!((&row.trigger, row.class, row.cwe), (&pair.trigger, pair.class, pair.cwe));
            let id = if row.vulnerable { &pair.vulnerable_id } else { &pair.patched_id };
            let function = functions.iter().find(|function| function.id == *id).unwrap();
            assert_eq!((&row.licence, &row.source), (&function.licence, &function.source));
            assert!(row.code.ends_with('}') && row.unit.contains(&row.code));
            assert_eq!(row.unit[row.unit_start as usize..row.unit_end as usize], row.code);
            let is_confirmed = row.label == Label::CrashConfirmed && row.vulnerable;
            assert_eq!(row.fault_line, rung.fault_line.filter(|_| is_confirmed));
            if let Some(line) = row.fault_line_in_code {
                let in_code = row.code.lines().nth(line as usize - 1).unwrap().trim();
                let in_unit = row.unit.lines().nth(row.fault_line.unwrap() as usize - 1).unwrap();
                assert!(in_unit.contains(in_code), "{in_unit}\n{in_code}");
            }
        }
    }
    let card = fs::read_to_string(place.path("hf/README.md")).unwrap();
    for words in [
        "---\npretty_name: \"pairs\"\n",
        "- config_name: \"crash-confirmed\"\n  default: true\n  data_files:\n  - split: \"L0\"\n    path: \"data/crash-confirmed/L0.parquet\"\n  - split: \"L2\"\n",
        "- config_name: \"reasoned\"\n  data_files:\n  - split: \"L0\"\n    path: \"data/reasoned/L0.parquet\"\n---\n",
        "size_categories:\n- n<1K\n",
        "| [CWE-190](https://cwe.mitre.org/data/definitions/190.html) | add-overflow | 1 | 0 |",
        "## How the label was made",
        "## Known limits",
    ] {
        assert!(card.contains(words), "{words}\n{card}");
    }
}

fn rows_of(path: &Path) -> Vec<SideRow> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().build().unwrap();
    reader.flat_map(|batch| from_batch(&batch.unwrap()).unwrap()).collect()
}

fn is_a_log_whose_faults_are_found_again(place: &Playground, rungs: &[Rung]) {
    let said = place.export("sarif", &[]);
    assert_eq!(said["rungs"], json!({ "L0": 4, "L2": 4 }));
    let text = fs::read(place.path("sarif/faults.sarif")).unwrap();
    let log: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let driver = &run["tool"]["driver"];
    let (rules, results) = (driver["rules"].as_array().unwrap(), run["results"].as_array().unwrap());
    let taxa = run["taxonomies"][0]["taxa"].as_array().unwrap();
    assert_eq!((driver["name"].as_str(), results.len()), (Some("estrange"), 8));
    let sarif = Sarif::read(&text).unwrap();
    let mut prints = Vec::new();
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["shortDescription"]["text"].is_string() && rule["help"]["text"].is_string());
        assert!(taxa.iter().any(|taxon| taxon["id"] == result["taxa"][0]["id"]));
        let message = result["message"]["text"].as_str().unwrap();
        assert!(message.contains("gcc: ") && message.contains("clang: "), "{message}");
        prints.push(result["partialFingerprints"]["estrangeFault/v1"].as_str().unwrap().to_owned());
        let properties = &result["properties"];
        assert!(properties["trigger"]["arguments"].is_array() || properties["trigger"]["arguments"].is_object());
        let place_of = &result["locations"][0]["physicalLocation"];
        let (uri, region) = (place_of["artifactLocation"]["uri"].as_str().unwrap(), &place_of["region"]);
        let rung = |each: &&Rung| properties["pair"] == each.pair && properties["setting"] == each.setting;
        let rung = rungs.iter().find(rung).unwrap();
        assert!(uri.starts_with(&format!("pairs/{}/{}/vulnerable.c", rung.pair, rung.setting)), "{uri}");
        assert_eq!(region["startLine"].as_u64(), rung.fault_line.map(u64::from));
        assert!(region["startColumn"].as_u64() > Some(0), "{result:#}");
        assert_eq!(fs::read_to_string(place.path("sarif").join(uri)).unwrap(), rung.vulnerable_unit);
        // Each file has its one fault.
        let found = sarif.findings(&|file| file == uri).unwrap();
        let here: Vec<u32> = found.iter().filter_map(|finding| finding.line).collect();
        assert_eq!(here, [rung.fault_line.unwrap()]);
    }
    prints.sort();
    prints.dedup();
    assert_eq!(prints.len(), 8);
    is_right_as_a_detector(place, results);
}

/// A program that answers out of the log, by the text of what it is shown.
const ANSWERS: &str = "import json, sys
known = json.load(open(sys.argv[1]))
path = sys.argv[2]
results = known.get(open(path).read(), [])
for result in results:
    result['locations'][0]['physicalLocation']['artifactLocation']['uri'] = path
driver = {'name': 'log'}
print(json.dumps({'version': '2.1.0', 'runs': [{'tool': {'driver': driver}, 'results': results}]}))
";

fn is_right_as_a_detector(place: &Playground, results: &[Value]) {
    let mut known: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for result in results {
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        known.entry(fs::read_to_string(place.path("sarif").join(uri)).unwrap()).or_default().push(result);
    }
    fs::write(place.path("known.json"), serde_json::to_string(&known).unwrap()).unwrap();
    fs::write(place.path("answers.py"), ANSWERS).unwrap();
    let path = |name: &str| place.path(name).display().to_string();
    let model = format!("sarif:python3 {} {} {{}}", path("answers.py"), path("known.json"));
    let output = place.run(&["detect", "pairs", "--model", &model, "--out", "run", "--quiet", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    let levels = document(&output)["levels"].clone();
    assert_eq!(levels.as_array().unwrap().len(), SETTINGS.len());
    for level in levels.as_array().unwrap() {
        assert_eq!((&level["answered"], &level["outcomes"]["both_right"]), (&json!(8), &json!(4)), "{level:#}");
    }
}

fn make(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("make").arg("-C").arg(folder).args(arguments).env_remove("MAKEFLAGS").output().unwrap()
}

fn builds_and_shows_each_fault(place: &Playground) {
    let said = place.export("folder", &["--setting", "L0,L2"]);
    assert_eq!((&said["rungs"], &said["left_out"]), (&json!({ "L0": 4, "L2": 4 }), &json!([])));
    let folder = place.path("folder");
    for compiler in ["CC=gcc", "CC=clang-19"] {
        let output = make(&folder, &[compiler, "-j2", "reproduce"]);
        assert!(output.status.success(), "{}", whole(&output));
        assert_eq!(whole(&output).matches("reproduced ").count(), 8, "{}", whole(&output));
    }
    let of_acc = folder.join("pairs/acc/L0");
    let report = fs::read_to_string(of_acc.join("build-gcc/vulnerable.err")).unwrap();
    assert!(report.contains("vulnerable.c:5:") && report.contains("signed integer overflow"), "{report}");
    // A patch that mends nothing is noticed, and so is a bug that is not there.
    let (vulnerable, patched) = (of_acc.join("vulnerable.c"), of_acc.join("patched.c"));
    let (with, without) = (fs::read_to_string(&vulnerable).unwrap(), fs::read_to_string(&patched).unwrap());
    for (file, text, words) in [
        (&patched, &with, "the patched side is not clean"),
        (&vulnerable, &without, "the vulnerable side has no add-overflow"),
    ] {
        let before = fs::read_to_string(file).unwrap();
        fs::write(file, text).unwrap();
        for (place, compiler) in [(&of_acc, "CC=gcc"), (&folder, "CC=clang-19")] {
            let output = make(place, &["-B", compiler, "reproduce"]);
            assert!(!output.status.success() && whole(&output).contains(words), "{}", whole(&output));
        }
        fs::write(file, before).unwrap();
    }
    assert!(make(&folder, &["clean"]).status.success() && !of_acc.join("build-gcc").exists());
    let words = fs::read_to_string(folder.join("README.md")).unwrap();
    assert!(words.contains("| `pairs/acc/L0` | c | add-overflow | 190 | 5 |"), "{words}");
}

#[test]
fn what_cannot_leave_so_is_said_with_a_hint() {
    let place = Playground::new();
    write_pairs(&place.path("pairs"), 1);
    fs::create_dir(place.path("project")).unwrap();
    fs::write(place.path("project/a.c"), "int f(int a) { return a + 1; }\n").unwrap();
    let output = place.run(&["build", "project", "--out", "plain", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    for (bench, arguments, code, words, hint) in [
        ("plain", &["--format", "sarif"][..], 1, "the bench has no pairs", "`estrange pairs"),
        ("plain", &["--format", "hf"], 1, "the bench has no pairs", "`estrange pairs"),
        ("pairs", &["--format", "hf", "--group", "1"], 2, "are for corpora and runs", "--setting and --seed"),
        ("pairs", &["--format", "sarif", "--setting", "L4"], 1, "no pair has the setting `L4`", "there is L0, L1"),
        // Its pairs were never run.
        ("pairs", &["--format", "folder"], 1, "no trigger can be run by a program of its own", ""),
        ("pairs", &["--format", "beir"], 1, "no queries", ""),
    ] {
        let output = place.run(&[&["export", bench, "--out", "out", "--quiet"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", whole(&output));
        let said = whole(&output);
        assert!(said.contains(words) && said.contains(hint), "{arguments:?}: {said}");
        assert!(!place.path("out").exists());
    }
}
