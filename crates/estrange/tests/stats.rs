//! `estrange stats` as its users meet it, on a small bench written here.

#![allow(clippy::unwrap_used)]

#[path = "support/bench.rs"]
mod bench;
mod support;

use std::fs;
use std::process::Output;

use bench::{provenance, write_bench};
use estrange_bench::Lock;
use support::{estrange, json, shape, whole};
use tempfile::TempDir;

/// A folder with a bench `B` in it.
fn place() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_bench(&folder.path().join("B"));
    folder
}

fn run(place: &TempDir, arguments: &[&str]) -> Output {
    estrange(&["stats"]).args(arguments).current_dir(place.path()).output().unwrap()
}

#[test]
fn a_bench_is_counted() {
    insta::assert_snapshot!("stats", whole(&run(&place(), &["B"])));
}

#[test]
fn a_bench_is_counted_in_colour() {
    let output = run(&place(), &["B", "--color", "always"]);
    insta::assert_snapshot!("stats_colour", String::from_utf8_lossy(&output.stdout).replace('\x1b', "␛"));
}

#[test]
fn an_empty_bench_has_numbers_too() {
    let place = tempfile::tempdir().unwrap();
    let lock = Lock::acquire(place.path().join("B")).unwrap();
    estrange_bench::write(&lock, provenance(), [], []).unwrap();
    drop(lock);
    insta::assert_snapshot!("stats_empty", whole(&run(&place, &["B"])));
    assert_eq!(json(&run(&place, &["B", "--json"]))["functions"]["kept_share"], serde_json::Value::Null);
}

#[test]
fn help_teaches() {
    insta::assert_snapshot!("help_stats", whole(&run(&place(), &["--help"])));
    assert_eq!(whole(&run(&place(), &["--help"])), whole(&run(&place(), &["-h"])));
}

#[test]
fn tables_go_into_a_paper() {
    let place = place();
    for format in ["markdown", "latex", "csv"] {
        insta::assert_snapshot!(format!("stats_{format}"), whole(&run(&place, &["B", "--format", format])));
    }
}

#[test]
fn every_table_has_every_format() {
    let place = place();
    for table in ["funnel", "classes", "sources", "roles", "reasons", "losses", "unlinkable", "same-code", "groups"] {
        for format in [&[][..], &["--format", "csv"], &["--format", "latex"], &["--format", "markdown"]] {
            let output = run(&place, &[&["B", "--table", table], format].concat());
            assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
            assert!(output.stdout.len() > 20, "{}", whole(&output));
        }
    }
    let csv = run(&place, &["B", "--table", "reasons", "--format", "csv"]);
    let lines = String::from_utf8(csv.stdout).unwrap();
    assert!(lines.starts_with("functions,share,stage,reason,meaning\n1,20.0%,compile,gcc-refuses,\"gcc "), "{lines}");
}

#[test]
fn the_document_has_its_shape() {
    let document = json(&run(&place(), &["B", "--json"]));
    insta::assert_snapshot!("stats_json", serde_json::to_string_pretty(&shape(&document)).unwrap());
}

#[test]
fn the_help_names_every_key_of_the_document() {
    let help = String::from_utf8(run(&place(), &["--help"]).stdout).unwrap();
    let document = json(&run(&place(), &["B", "--json"]));
    let keys = help.split("The keys of --json: ").nth(1).unwrap().split('.').next().unwrap();
    let mut named: Vec<&str> = keys.split(',').map(str::trim).collect();
    let mut there: Vec<&String> = document.as_object().unwrap().keys().collect();
    named.sort();
    there.sort();
    assert_eq!(named, there);
}

#[test]
fn numbers_add_up_in_every_cut() {
    let place = place();
    let number = |numbers: &serde_json::Value, key: &str| numbers[key].as_u64().unwrap();
    for cut in [&[][..], &["--role", "library"], &["--source", "deb:numbers"], &["--without", "deb:numbers"]] {
        let document = json(&run(&place, &[&["B", "--json"], cut].concat()));
        let all = &document["functions"];
        let lost: u64 = document["rejected"].as_array().unwrap().iter().map(|reason| number(reason, "count")).sum();
        assert_eq!(number(all, "found"), number(all, "kept") + lost, "{document}");
        let last = document["stages"].as_array().unwrap().last().map(|stage| number(stage, "left"));
        assert_eq!(last.unwrap_or(number(all, "found")), number(all, "kept"), "{document}");
        for key in ["by_class", "by_role"] {
            let found: u64 = document[key].as_object().unwrap().values().map(|one| number(one, "found")).sum();
            assert_eq!(found, number(all, "found"), "{key} {document}");
        }
    }
    let library = json(&run(&place, &["B", "--json", "--role", "library", "--without", "crate:stacks-sys"]));
    let counted = ["found", "usable", "kept"].map(|key| number(&library["functions"], key));
    assert_eq!(counted, [3, 2, 1], "a copy could have been kept");
}

#[test]
fn what_is_no_bench_is_refused_in_words() {
    let place = place();
    fs::create_dir(place.path().join("empty")).unwrap();
    insta::assert_snapshot!("stats_not_a_bench", whole(&run(&place, &["empty"])));
    insta::assert_snapshot!("stats_nowhere", whole(&run(&place, &["nowhere"])));
    insta::assert_snapshot!("stats_unknown_source", whole(&run(&place, &["B", "--without", "deb:number"])));

    let manifest = place.path().join("B/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let version = format!("\"format_version\": {}", estrange_bench::FORMAT_VERSION);
    fs::write(&manifest, text.replace(&version, "\"format_version\": 99")).unwrap();
    insta::assert_snapshot!("stats_unknown_version", whole(&run(&place, &["B"])));
    fs::write(&manifest, text).unwrap();

    let table = place.path().join("B/functions.parquet");
    let mut bytes = fs::read(&table).unwrap();
    bytes[100] ^= 1;
    fs::write(&table, bytes).unwrap();
    insta::assert_snapshot!("stats_damaged", whole(&run(&place, &["B"])));
}

#[test]
fn wrong_usage_is_told() {
    let place = place();
    for wrong in [&["B", "--json", "--format", "csv"][..], &["B", "--format", "html"], &["B", "--table", "x"], &[]] {
        let output = run(&place, wrong);
        assert_eq!(output.status.code(), Some(2), "{}", whole(&output));
    }
}
