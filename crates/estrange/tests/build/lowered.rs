//! Benches with lowered functions: every function at every target, without names, and the same bytes again.

use std::collections::{BTreeMap, BTreeSet};

use estrange_bench::{Bench, Lowered, Reason};

use crate::place::Playground;
use crate::support::{run, whole};

const SETTINGS: &str = "x86_64,aarch64,riscv64,wasm32,llvm-ir,x86_64:clang:O2";

#[test]
fn every_function_is_lowered_and_no_name_of_its_own_stays() {
    let place = Playground::new();
    place.write(
        "adder/stack.cpp",
        "#include <vector>\nnamespace tools {\nclass Stack {\npublic:\n  int height() const { return (int)items_.size(); }\n\
         private:\n  std::vector<int> items_;\n};\ntemplate <typename Item> Item twice(Item item) { return item + item; }\n}\n\
         int both(const tools::Stack &stack) { return stack.height() + tools::twice(2); }\n",
    );
    let built = place.build(&["adder", "--out", "bench", "--settings", SETTINGS]);
    let bench = Bench::open(place.path("bench")).unwrap();
    let lowered: Vec<Lowered> = bench.lowered().unwrap().map(Result::unwrap).collect();
    let waiting: Vec<_> = bench.waiting().unwrap().map(Result::unwrap).collect();
    assert!(waiting.is_empty(), "{waiting:?}");
    let mut by_setting: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in &lowered {
        by_setting.entry(&one.setting).or_default().insert(&one.function_id);
        assert_eq!(one.surviving_names, 0, "{}", one.text);
        assert!(one.lines > 1 && one.tokens > one.lines && one.unique_instructions > 0, "{one:?}");
        for name in ["height", "twice", "both", "Stack", "items_", "tools"] {
            assert!(!one.text.contains(name), "{name}\n{}", one.text);
        }
    }
    assert_eq!(by_setting.keys().copied().collect::<BTreeSet<_>>(), SETTINGS.split(',').collect());
    for (setting, functions) in by_setting {
        assert_eq!(functions.len(), built.functions.len(), "{setting}");
    }
    let shown = whole(&run(&["stats", place.path("bench").to_str().unwrap(), "--table", "lowered"]));
    assert!(SETTINGS.split(',').all(|setting| shown.contains(setting)), "{shown}");
    let show = |more: &[&str]| {
        let bench = place.path("bench");
        let call = [&["show", bench.to_str().unwrap(), "height", "--setting", "wasm32"], more].concat();
        String::from_utf8(run(&call).stdout).unwrap()
    };
    assert!(show(&["--text"]).starts_with("(module\n"), "{}", show(&["--text"]));
    assert!(show(&[]).contains("for wasm32 at -O0") && show(&[]).contains("items_.size()"), "{}", show(&[]));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&show(&["--json"])).unwrap()["setting"], "wasm32");
}

#[test]
fn the_published_look_is_a_setting() {
    let place = Playground::new();
    place.write(
        "adder/own.c",
        "#include <stdlib.h>\n\
         /* Allocates memory for a single number and stores the number there. */\n\
         int *own(int n) { int *p = malloc(sizeof *p); if (p) *p = n; return p; }\n\
         int lost(int n) { int *p = own(n); int m = p ? *p : 0; free(p); return m; }\n",
    );
    let settings = "x86_64/paper,wasm32/paper,x86_64:gcc/paper";
    let built = place.build(&["adder", "--out", "bench", "--settings", settings]);
    let bench = Bench::open(place.path("bench")).unwrap();
    let lowered: Vec<Lowered> = bench.lowered().unwrap().map(Result::unwrap).collect();
    let one = |name: &str, setting: &str| {
        let id = &built.function(name).id;
        lowered.iter().find(|one| one.function_id == *id && one.setting == setting)
    };
    for setting in settings.split(',') {
        let sum = one("sum", setting).unwrap();
        match setting.starts_with("wasm32") {
            true => assert!(sum.text.starts_with("  (func (;"), "{}", sum.text),
            false => assert!(sum.text.starts_with("   0:\t") && sum.text.contains("\n   1:\tmov"), "{}", sum.text),
        }
        assert!(!sum.text.contains("ext_") && !sum.text.contains("fn_"), "{}", sum.text);
    }
    assert_eq!(one("sum", "x86_64/paper").map(|sum| &*sum.compiler), Some("g++"));
    assert_eq!(one("own", "x86_64:gcc/paper").map(|own| &*own.compiler), Some("gcc"));
    // C that is no C++ is lost there, and nowhere else.
    let waiting: Vec<_> = bench.waiting().unwrap().map(Result::unwrap).collect();
    let [lost] = &waiting[..] else { panic!("{waiting:?}") };
    assert_eq!((&lost.function_id, &*lost.setting), (&built.function("own").id, "x86_64/paper"));
    assert_eq!(lost.reason, Reason::DoesNotCompile);
    let folder = place.path("bench").display().to_string();
    let shown = whole(&run(&["show", &folder, "sum", "--setting", "x86_64/paper", "--text"]));
    assert!(shown.contains("   0:\t"), "{shown}");
    for (format, name) in [("beir", "group1-wasm32-paper/corpus.jsonl"), ("clarc", "group1_wasm32-paper.json")] {
        assert_eq!(run(&["queries", &folder]).status.code(), Some(0));
        let out = place.path(format);
        let exported = run(&["export", &folder, "--format", format, "--out", out.to_str().unwrap()]);
        assert_eq!(exported.status.code(), Some(0), "{}", whole(&exported));
        assert!(out.join(name).exists(), "{name}");
    }
}

#[test]
fn the_same_texts_come_again() {
    let place = Playground::new();
    let settings = "x86_64,riscv64,llvm-ir";
    let one = place.build(&["adder", "--out", "one", "--settings", settings, "--jobs", "1"]);
    let other = place.build(&["adder", "--out", "other", "--settings", settings, "--jobs", "2", "--cache", "cache2"]);
    assert_eq!(one.bytes(), other.bytes());
    place.build(&["adder", "--out", "one"]);
    assert!(!Bench::open(place.path("one")).unwrap().has_lowered());
}
