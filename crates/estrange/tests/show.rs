//! `estrange show` as its users meet it, on a small bench written here.

#![allow(clippy::unwrap_used)]

#[path = "support/bench.rs"]
mod bench;
#[path = "../../estrange-bench/tests/common/damage.rs"]
mod damage;
mod support;

use std::process::Output;

use bench::{clamp, provenance, refused, write_bench};
use damage::set_cell;
use estrange_bench::{Function, Lock};
use support::{estrange, json, shape, whole};
use tempfile::TempDir;

/// A folder with a bench `B` in it.
fn place() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_bench(&folder.path().join("B"));
    folder
}

fn run(place: &TempDir, arguments: &[&str]) -> Output {
    estrange(&["show"]).args(arguments).current_dir(place.path()).output().unwrap()
}

fn colours(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).replace('\x1b', "␛")
}

#[test]
fn a_function_is_shown() {
    let place = place();
    insta::assert_snapshot!("show_c", whole(&run(&place, &["B", "5e0c"])));
    insta::assert_snapshot!("show_cpp", whole(&run(&place, &["B", "stack::push"])));
    insta::assert_snapshot!("show_colour", colours(&run(&place, &["B", "5e0c", "--color", "always"])));
}

#[test]
fn evidence_that_is_damaged_is_refused() {
    let place = place();
    set_cell(&place.path().join("B"), "functions.parquet", "evidence", 0, r#"{"same_code":{"o0":"so so"}}"#);
    insta::assert_snapshot!("show_damaged_evidence", whole(&run(&place, &["B", "5e0c"])));
    let counted = estrange(&["stats", "B"]).current_dir(place.path()).output().unwrap();
    assert_eq!(whole(&counted), whole(&run(&place, &["B", "5e0c"])));
}

#[test]
fn help_teaches() {
    insta::assert_snapshot!("help_show", whole(&run(&place(), &["--help"])));
    assert_eq!(whole(&run(&place(), &["--help"])), whole(&run(&place(), &["-h"])));
}

#[test]
fn a_rejected_function_is_shown() {
    let place = place();
    insta::assert_snapshot!("show_rejected", whole(&run(&place, &["B", "smaller"])));
    assert_eq!(json(&run(&place, &["B", "smaller", "--json"]))["rejected"]["id"], "77aa0000");
    let text = run(&place, &["B", "smaller", "--text"]).stdout;
    assert_eq!(String::from_utf8(text).unwrap(), refused().text.unwrap() + "\n");
    insta::assert_snapshot!("show_rejected_unit", whole(&run(&place, &["B", "smaller", "--unit"])));
}

#[test]
fn a_function_has_several_names() {
    let place = place();
    let whole_id = run(&place, &["B", "5e0c1d2f3a4b5c6d7e8f9a0b"]);
    for name in ["5e0c1", "src/clamp.c:10", "src/clamp.c:15"] {
        assert_eq!(whole(&run(&place, &["B", name])), whole(&whole_id), "{name}");
    }
    assert_eq!(run(&place, &["B", "push"]).stdout, run(&place, &["B", "aa"]).stdout);
}

#[test]
fn several_functions_are_listed() {
    let place = place();
    insta::assert_snapshot!("show_several_names", whole(&run(&place, &["B", "clamp"])));
    insta::assert_snapshot!("show_several_ids", whole(&run(&place, &["B", "5e"])));
    insta::assert_snapshot!("show_several_places", whole(&run(&place, &["B", "clamp.c:11"])));
}

#[test]
fn a_function_that_is_not_there_gets_a_hint() {
    let place = place();
    insta::assert_snapshot!("show_near", whole(&run(&place, &["B", "clampp"])));
    insta::assert_snapshot!("show_unknown", whole(&run(&place, &["B", "0123456789"])));
    assert_eq!(run(&place, &["B", ""]).status.code(), Some(1));
}

#[test]
fn code_goes_to_a_compiler_byte_for_byte() {
    let place = tempfile::tempdir().unwrap();
    // What looks like a colour stays in the code.
    let unit = "char *s = \"\x1b[31m\";\r\n\tint x; // é".to_owned();
    let function = Function { unit: unit.clone(), ..clamp() };
    let lock = Lock::acquire(place.path().join("B")).unwrap();
    estrange_bench::write(&lock, provenance(), [function], []).unwrap();
    drop(lock);
    let output = run(&place, &["B", "clamp", "--unit"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), unit + "\n");
    let output = run(&place, &["B", "clamp", "--unit", "--color", "always"]);
    assert!(!colours(&output).contains("␛[31m"), "{}", colours(&output));
}

#[test]
fn each_part_can_be_had_alone() {
    let place = place();
    let part = |option: &str| String::from_utf8(run(&place, &["B", "5e0c", option]).stdout).unwrap();
    assert_eq!(part("--text"), clamp().text + "\n");
    assert_eq!(part("--unit"), clamp().unit);
    assert_eq!(part("--linked"), clamp().linked_unit.unwrap());
    insta::assert_snapshot!("show_unlinkable", whole(&run(&place, &["B", "push", "--linked"])));
}

#[test]
fn the_document_has_its_shape() {
    let document = json(&run(&place(), &["B", "5e0c", "--json"]));
    assert_eq!(document["function"]["evidence"]["same_code"]["o2"], "same");
    insta::assert_snapshot!("show_json", serde_json::to_string_pretty(&shape(&document)).unwrap());
}

#[test]
fn what_is_no_bench_is_refused_in_words() {
    insta::assert_snapshot!("show_not_a_bench", whole(&run(&tempfile::tempdir().unwrap(), &["B", "x"])));
}

#[test]
fn colour_is_used_only_when_asked_for() {
    let place = place();
    let escapes = |output: Output| output.stdout.contains(&0x1b);
    assert!(escapes(run(&place, &["B", "5e0c", "--text", "--color", "always"])));
    assert!(!escapes(run(&place, &["B", "5e0c"])));
    assert!(!escapes(run(&place, &["B", "5e0c", "--text"])));
    let mut command = estrange(&["show", "B", "5e0c"]);
    assert!(!escapes(command.current_dir(place.path()).env("NO_COLOR", "1").output().unwrap()));
}
