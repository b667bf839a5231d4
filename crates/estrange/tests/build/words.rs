//! What a user reads: results, errors with hints, exit codes.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::place::{Playground, assert_whole};
use crate::support::{json, run, shape, whole};

#[test]
fn help_teaches() {
    insta::assert_snapshot!("help_build", whole(&run(&["build", "--help"])));
}

#[test]
fn a_build_says_what_it_made() {
    let place = Playground::new();
    let output = place.run(&["adder", "--out", "B"]);
    assert_whole("built", &place, &output);
    assert!(!output.stdout.contains(&0x1b));
    let built = crate::place::Built::open(&place.path("B"));
    assert_eq!(built.kept(), ["add", "sum"]);
    assert_eq!(built.losses(), ["adder.c broken unit-does-not-compile"]);
    insta::assert_snapshot!("unit_of_sum", built.function("sum").unit);
    insta::assert_snapshot!("linked_unit_of_sum", built.function("sum").linked_unit.as_deref().unwrap());
}

#[test]
fn a_method_within_its_class_is_linked_with_what_it_calls() {
    let place = Playground::new();
    place.write(
        "adder/big.h",
        "class Big {\npublic:\n  explicit Big(int value) : value_(value) {}\n\
         \x20 static bool less(const Big &a, const Big &b) { return compare(a, b) < 0; }\n\
         private:\n  static int compare(const Big &a, const Big &b);\n  int value_;\n};\n",
    );
    place.write(
        "adder/big.cpp",
        "#include \"big.h\"\nint Big::compare(const Big &a, const Big &b) { return a.value_ - b.value_; }\n",
    );
    let built = place.build(&["adder", "--out", "B"]);
    let linked = built.function("less").linked_unit.as_deref().unwrap_or_default();
    assert!(linked.contains("return a.value_ - b.value_;"), "{linked}");
}

#[test]
fn trials_of_what_has_none_are_refused() {
    let place = Playground::new();
    let said = |settings: &str, trials: &str| {
        let output = place.run(&["adder", "--out", "B", "--settings", settings, "--trials", trials]);
        assert_eq!(output.status.code(), Some(2), "{}", whole(&output));
        whole(&output)
    };
    assert!(said("symbol", "semantic:3").contains("--trials speaks of `semantic`, which is not among the settings"));
    assert!(said("neutralized", "neutralized:3").contains("`neutralized` draws nothing"));
    assert!(said("symbol", "0").contains("`0` is no number of trials"));
}

#[test]
fn the_document_has_its_shape() {
    let place = Playground::new();
    let output = place.run(&["adder", "--out", "B", "--json"]);
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{}", whole(&output));
    let document = json(&output);
    insta::assert_snapshot!("build_json", serde_json::to_string_pretty(&shape(&document)).unwrap());
    // It is the manifest, but for the number of its own shape.
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(place.path("B/manifest.json")).unwrap()).unwrap();
    manifest["format"] = document["format"].clone();
    assert_eq!(document, manifest);

    // A lost source is told on stderr, and the document is whole all the same.
    let output = place.run(&["adder", "nowhere", "--out", "C", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", whole(&output));
    assert_eq!(json(&output)["sources"].as_array().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_done_is_told_with_a_hint() {
    let place = Playground::new();
    fs::create_dir(place.path("full")).unwrap();
    place.write("full/novel.txt", "Chapter one");
    place.write("file", "no folder");
    place.write("tokenizer.json", "{}");
    let long = ["adder", "--out", "B"];
    for (name, arguments) in [
        ("occupied", &["adder", "--out", "full"][..]),
        ("out_is_a_file", &["adder", "--out", "file"]),
        ("read_only", &["adder", "--out", "/proc/estrange/B"]),
        ("no_out", &["adder"]),
        ("no_sources", &["--out", "B"]),
        ("not_a_role", &[&long[..], &["--roles", "library,hero"]].concat()),
        ("not_a_share", &[&long[..], &["--eval-share", "2"]].concat()),
        ("not_a_bound", &[&long[..], &["--max-per-source", "200%"]].concat()),
        ("bound_cannot_be_met", &[&long[..], &["--max-per-source", "30%"]].concat()),
        ("not_a_tokenizer", &[&long[..], &["--tokenizer", "tokenizer.json"]].concat()),
        ("cache_is_a_file", &[&long[..], &["--cache", "file"]].concat()),
        ("lost_source", &["nowhere", "--out", "B"]),
    ] {
        let output = place.run(arguments);
        assert_whole(name, &place, &output);
        assert!(output.stdout.is_empty() && !place.path("B").exists(), "{name}");
        let usage = matches!(name, "no_out" | "no_sources" | "not_a_role" | "not_a_share" | "not_a_bound");
        assert_eq!(output.status.code(), Some(if usage { 2 } else { 1 }), "{name}");
    }
    assert_eq!(fs::read_dir(place.path("full")).unwrap().count(), 1);
}

#[test]
fn a_bench_of_another_version_is_not_touched() {
    let place = Playground::new();
    place.build(&["adder", "--out", "B"]);
    let manifest = place.path("B/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let version = format!("\"format_version\": {}", estrange_bench::FORMAT_VERSION);
    fs::write(&manifest, text.replace(&version, "\"format_version\": 99")).unwrap();
    assert_whole("other_version", &place, &place.run(&["adder", "--out", "B"]));
    assert!(fs::read_to_string(&manifest).unwrap().contains("99"));
}

#[test]
fn a_folder_that_may_not_be_written_is_an_error() {
    if rustix::process::geteuid().is_root() {
        eprintln!("root may write everywhere: not tried");
        return;
    }
    let place = Playground::new();
    fs::create_dir(place.path("closed")).unwrap();
    fs::set_permissions(place.path("closed"), fs::Permissions::from_mode(0o555)).unwrap();
    assert_whole("closed", &place, &place.run(&["adder", "--out", "closed/B"]));
}

#[test]
fn a_source_given_twice_is_taken_once() {
    let place = Playground::new();
    let output = place.run(&["adder", "adder", "--out", "B"]);
    assert_whole("twice", &place, &output);
    let once = place.build(&["adder", "--out", "C"]);
    crate::place::assert_same(&once, &crate::place::Built::open(&place.path("B")));

    // Under another name it is another source, of which nothing but copies is found.
    let built = place.build(&["adder", "./adder", "--out", "D"]);
    assert_eq!(built.kept(), ["add", "sum"]);
    let ids: BTreeSet<_> = built.functions.iter().map(|function| &function.id).collect();
    assert!(built.rejected.iter().all(|lost| !ids.contains(lost.id.as_ref().unwrap())));
}

#[test]
fn the_seed_decides_who_goes_and_who_is_for_what_and_nothing_else() {
    let place = Playground::new();
    for source in ["one", "two", "three", "four"] {
        let functions: String =
            (0..6).map(|n| format!("int {source}{n}(int a) {{ return a * {n} - sizeof \"{source}\"; }}\n")).collect();
        place.write(&format!("{source}/a.c"), functions);
    }
    let build = |out: &str, seed: &str| {
        let options = ["--out", out, "--seed", seed, "--max-per-source", "3", "--eval-share", "0.5"];
        place.build(&[&["one", "two", "three", "four"][..], &options].concat())
    };
    let (zero, same, other) = (build("B", "0"), build("C", "0"), build("D", "12345"));
    crate::place::assert_same(&zero, &same);
    assert_ne!(zero.kept(), other.kept());
    for built in [&zero, &other] {
        let per_source = |source: &str| built.functions.iter().filter(|function| function.source == source).count();
        assert_eq!(["one", "two", "three", "four"].map(per_source), [3; 4]);
    }
    for function in &zero.functions {
        if let Some(twin) = other.functions.iter().find(|twin| twin.id == function.id) {
            let mut twin = twin.clone();
            twin.split = function.split;
            assert_eq!(&twin, function);
        }
    }
}
