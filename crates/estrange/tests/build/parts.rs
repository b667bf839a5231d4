//! Builds in parts, and what of a build is computed again: parts give the bench of the undivided build, and what did not
//! change costs nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Instant;

use estrange_bench::{Bench, Function, Variant};

use crate::place::{Built, Playground};
use crate::support::{estrange, whole};

/// Two sources in both languages, with functions that call each other and some that are nearly the same.
fn write_sources(place: &Playground) {
    for source in ["one", "two"] {
        let functions: String = (0..12)
            .map(|n| {
                let steps: String = (0..n % 5).map(|step| format!("\ttotal += weight({step}) * n;\n")).collect();
                format!(
                    "int {source}_{n}(struct box *box, int n)\n{{\n\tint total = box->width * {n};\n{steps}\
                     \tif (total > n)\n\t\ttotal -= helper_{source}(box);\n\treturn total;\n}}\n"
                )
            })
            .collect();
        place.write(&format!("{source}/box.h"), "struct box { int width, height; };\nint weight(int n);\n");
        let file = format!(
            "#include <stdlib.h>\n#include \"box.h\"\nint weight(int n) {{ return abs(n) % 7; }}\n\
             static int helper_{source}(const struct box *box) {{ return box->width + box->height; }}\n{functions}"
        );
        place.write(&format!("{source}/box.c"), file);
        place.write(
            &format!("{source}/list.cpp"),
            "#include <vector>\nnamespace list {\ntemplate <class T> T last(const std::vector<T> &all, T none) {\n\
             return all.empty() ? none : all.back(); }\n\
             int sum(const std::vector<int> &all) { int sum = 0; for (int one : all) sum += one; return sum; }\n}\n",
        );
    }
    place.write("two/broken.c", "#include \"nowhere.h\"\nint broken(void) { return 1; }\n");
}

const BUILD: [&str; 7] =
    ["one", "two", "--settings", "neutralized,randomized,symbol,x86_64", "--trials", "2,symbol:3", "--out"];

fn command(place: &Playground, arguments: &[&str]) -> Command {
    let mut command = estrange(arguments);
    command.current_dir(place.path("")).env("ESTRANGE_CACHE", place.path("cache"));
    command
}

fn run(place: &Playground, arguments: &[&str]) -> Output {
    command(place, arguments).output().unwrap()
}

fn merging(place: &Playground, parts: &[&str], out: &str) -> Command {
    command(place, &[&["merge"][..], parts, &["--out", out]].concat())
}

fn merge(place: &Playground, parts: &[&str], out: &str) -> Output {
    merging(place, parts, out).output().unwrap()
}

fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    Built::open(folder).bytes()
}

#[test]
fn any_number_of_parts_gives_the_bench_of_the_undivided_build() {
    let place = Playground::new();
    write_sources(&place);
    let built = |more: &[&str]| {
        let output = place.run(&[&BUILD[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    };
    built(&["whole"]);
    let undivided = bytes(&place.path("whole"));
    assert_eq!(undivided.len(), 6, "all tables are there");
    for of in [2, 5] {
        let parts: Vec<String> = (1..=of).map(|part| format!("part-{part}-{of}")).collect();
        for (number, name) in (1..).zip(&parts) {
            // Each with a cache of its own, as on a machine of its own.
            let share = format!("{number}/{of}");
            built(&[name, "--part", &share, "--cache", &format!("cache-{number}-{of}")]);
        }
        // In whatever order they are named.
        let names: Vec<&str> = parts.iter().rev().map(String::as_str).collect();
        let out = format!("merged-{of}");
        let output = merge(&place, &names, &out);
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        for ((name, one), (other_name, other)) in undivided.iter().zip(bytes(&place.path(&out))) {
            assert_eq!(*name, other_name);
            assert!(*one == other, "{name} differs in {of} parts");
        }
    }
    killed_while_they_are_merged(&place, &["part-1-2", "part-2-2"], &undivided);
}

/// A merge that is killed leaves no bench or the whole one, and nothing that is in the way of the next.
fn killed_while_they_are_merged(place: &Playground, parts: &[&str], undivided: &[(String, Vec<u8>)]) {
    let started = Instant::now();
    assert_eq!(merge(place, parts, "timed").status.code(), Some(0));
    let whole_merge = started.elapsed();
    for step in 0..20 {
        let mut child = merging(place, parts, "killed").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(whole_merge * step / 20);
        child.kill().unwrap();
        child.wait().unwrap();
        if Bench::open(place.path("killed")).is_ok() {
            // Whoever is killed at the very end leaves the lock, which is nobody's.
            fs::remove_file(place.path("killed/.estrange-lock")).ok();
            assert!(bytes(&place.path("killed")) == undivided, "there is a bench, but not the whole one");
            fs::remove_dir_all(place.path("killed")).unwrap();
        }
    }
    let output = merge(place, parts, "killed");
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    assert!(bytes(&place.path("killed")) == undivided);
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let place = Playground::new();
    let part = |out: &str, more: &[&str]| {
        let output = place.run(&[&["adder", "--out", out][..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    };
    place.write("other/a.c", "int a(void) { return 1; }\n");
    part("p1", &["--part", "1/2"]);
    part("p2", &["--part", "2/2"]);
    part("seed", &["--part", "2/2", "--seed", "5"]);
    part("settings", &["--part", "2/2", "--settings", "neutralized"]);
    part("three", &["--part", "2/3"]);
    part("source", &["--part", "2/2", "other"]);
    part("bench", &[]);
    fs::create_dir(place.path("old")).unwrap();
    fs::write(place.path("old/part.json"), r#"{"format": "estrange-part", "format_version": 1}"#).unwrap();
    let refused = |parts: &[&str], why: &str| {
        let output = merge(&place, parts, "out");
        let said = whole(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(why) && said.contains("hint:"), "{said}");
        assert!(!place.path("out").exists());
    };
    refused(&["p1"], "of 2 parts, 2 is missing");
    refused(&["p1", "p2", "p1"], "part 1 of 2 is there twice");
    refused(&["p1", "seed"], "differ in their seed (0 and 5)");
    refused(&["p1", "settings"], "differ in their options (settings)");
    refused(&["p1", "three"], "differ in their number of parts (2 and 3)");
    refused(&["p1", "source"], "differ in their sources");
    refused(&["p1", "bench"], "is not a part of a build");
    refused(&["p1", "nowhere"], "is not a part of a build");
    refused(&["p1", "old"], "has the format version 1");
    let said = whole(&run(&place, &["stats", "p1"]));
    assert!(said.contains("is a part of one") && said.contains("estrange merge"), "{said}");
    for share in ["0/2", "3/2", "2", "a/b", "1/0"] {
        assert_eq!(place.run(&["adder", "--out", "x", "--part", share]).status.code(), Some(2), "{share}");
    }
}

/// How many functions a build says it computed.
fn computed(place: &Playground, more: &[&str]) -> usize {
    let output = place.run(&[&["one", "--settings", "neutralized,x86_64", "--out", "out"][..], more].concat());
    let said = whole(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    match said.split_once(" had to be computed") {
        Some((before, _)) if before.ends_with("nothing") => 0,
        Some((before, _)) => {
            let words: Vec<&str> = before.split_whitespace().collect();
            words[words.len() - 2].parse().unwrap_or_else(|_| panic!("{said}"))
        }
        None => Built::open(&place.path("out")).functions.len(),
    }
}

#[test]
fn one_function_that_changes_costs_itself_and_those_that_hold_its_text() {
    let place = Playground::new();
    write_sources(&place);
    let all = computed(&place, &[]);
    assert!(all > 12, "{all}");
    assert_eq!(computed(&place, &[]), 0);
    let path = place.path("one/box.c");
    let text = fs::read_to_string(&path).unwrap();
    // Nothing calls it; those after it stand on other lines.
    fs::write(&path, text.replace("\tint total = box->width * 3;\n", "\tint total = box->height;\n\n\ttotal ^= 1;\n"))
        .unwrap();
    assert_eq!(computed(&place, &[]), 1);
    // One is added, and one goes.
    fs::write(&path, text.clone() + "int added(int n) { return n << 3; }\n").unwrap();
    assert_eq!(computed(&place, &[]), 1);
    fs::write(&path, text.replacen("int one_0(", "int one_zero(", 1)).unwrap();
    assert_eq!(computed(&place, &[]), 1);
    fs::write(&path, &text).unwrap();
    assert_eq!(computed(&place, &[]), 0);
}

#[test]
fn a_cache_can_be_moved() {
    let place = Playground::new();
    write_sources(&place);
    computed(&place, &[]);
    let before = bytes(&place.path("out"));
    fs::rename(place.path("cache"), place.path("elsewhere")).unwrap();
    assert_eq!(computed(&place, &["--cache", "elsewhere"]), 0);
    assert!(bytes(&place.path("out")) == before);
    // And so can the source, whose name a bench has.
    let texts = |place: &Playground| -> Vec<String> {
        let bench = Bench::open(place.path("out")).unwrap();
        bench.functions().unwrap().map(|function| function.unwrap().unit).collect()
    };
    assert!(!texts(&place).is_empty());
}

#[test]
fn versions_of_one_function_have_one_lineage_and_can_be_kept() {
    let place = Playground::new();
    let body = |limit: &str| {
        let steps: String = (0..30).map(|n| format!("\ttotal += table[{n}] * {};\n", n * 7 + 1)).collect();
        format!("int sum(const int *table)\n{{\n\tint total = {limit};\n{steps}\treturn total;\n}}\n")
    };
    place.write("before/sum.c", body("1"));
    place.write("after/sum.c", body("2"));
    let kept = |more: &[&str]| -> Vec<Function> {
        let output = place.run(&[&["before", "after", "--out", "out"][..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
        Built::open(&place.path("out")).functions
    };
    assert_eq!(kept(&[]).len(), 1, "the second is nearly the same");
    assert_eq!(kept(&["--duplicate-threshold", "2"]).len(), 2);
    // Two folders are two sources; a package with and without a patch is one.
    assert_eq!(kept(&["--keep-versions"]).len(), 1);
    let both = kept(&["--duplicate-threshold", "2"]);
    assert!(both[0].id != both[1].id && both[0].lineage != both[1].lineage);
}

#[test]
fn a_header_that_is_installed_later_is_found() {
    let header = Path::new("/usr/local/include/estrange-installed-by-a-test.h");
    let _ = fs::remove_file(header);
    let place = Playground::new();
    place.write("late/a.c", "#include <estrange-installed-by-a-test.h>\nint late(void) { return LATE; }\n");
    let build = || {
        place.run(&["late", "--out", "out"]);
        Built::open(&place.path("out"))
    };
    assert_eq!(build().losses(), ["a.c does-not-preprocess"]);
    if fs::write(header, "#define LATE 7\n").is_err() {
        eprintln!("only root can install a header");
        return;
    }
    let built = std::panic::catch_unwind(build);
    fs::remove_file(header).unwrap();
    assert_eq!(built.unwrap().kept(), ["late"]);
}

#[test]
fn variants_stand_with_their_functions() {
    let place = Playground::new();
    write_sources(&place);
    let output = place.run(&[&BUILD[..], &["whole"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
    let bench = Bench::open(place.path("whole")).unwrap();
    let functions: Vec<Function> = bench.functions().unwrap().map(Result::unwrap).collect();
    let variants: Vec<Variant> = bench.variants().unwrap().map(Result::unwrap).collect();
    let order: Vec<usize> = variants
        .iter()
        .map(|variant| functions.iter().position(|function| function.id == variant.function_id).unwrap())
        .collect();
    assert!(order.is_sorted() && order.last() == Some(&(functions.len() - 1)), "{order:?}");
}
