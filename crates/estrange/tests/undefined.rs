//! `estrange check` tells apart what differs only in where it is undefined: by running both, or by what clang would check.

use std::fs;
use std::path::Path;

use estrange_sandbox::{Tool, ToolEnd, ToolOutput};
use serde_json::Value;

fn check(old: &str, new: &str, more: &[&str]) -> ToolOutput {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("old.c"), old).expect("a file");
    fs::write(folder.path().join("new.c"), new).expect("a file");
    let arguments = [&["check", "old.c", "new.c"], more].concat();
    Tool::new(env!("CARGO_BIN_EXE_estrange")).arguments(arguments).directory(folder.path()).run().expect("it starts")
}

fn document(output: &ToolOutput) -> Value {
    serde_json::from_str(&output.text()).expect("JSON")
}

const ACC: &str = "long acc(long a, long b) { return a + b; }\n";
const UNSIGNED: &str = "long acc(long a, long b) { return (long)((unsigned long)a + (unsigned long)b); }\n";

#[test]
fn a_sum_of_unsigned_numbers_is_no_sum_of_signed_ones_though_the_code_is_the_same() {
    for (old, new, faulting) in [(ACC, UNSIGNED, "old"), (UNSIGNED, ACC, "new")] {
        let output = check(old, new, &[]);
        assert_eq!(output.end, ToolEnd::Exited(1), "{}", output.text());
        let text = output.text();
        assert!(
            text.starts_with("not the same: old and new do not do the same on this call:\n    long a = "),
            "{text}"
        );
        assert!(text.contains(&format!("  the {faulting} one overflowed a signed number by an addition\n")), "{text}");
        let document = document(&check(old, new, &["--json"]));
        let of = |name: &str| document[name].as_str().unwrap_or_default().to_owned();
        assert_eq!((of("verdict").as_str(), of("undefinedness").as_str()), ("differs", "not-shown"), "{document}");
        assert_eq!(document["holds"], false);
        assert_eq!(document["checks"]["different"][0]["subject"], "overflow", "{document}");
    }
}

#[test]
fn what_cannot_be_run_is_told_apart_by_what_clang_would_check() {
    let unknown = |text: &str| format!("struct s;\nstruct s *other(struct s *s);\n{text}");
    let old = unknown("long acc(struct s *s, long a, long b) { other(s); return a + b; }\n");
    let new = unknown(
        "long acc(struct s *s, long a, long b) { other(s); return (long)((unsigned long)a + (unsigned long)b); }\n",
    );
    let untestable = |text: &str| text.replace("long b)", "long b, ...)");
    let (old, new) = (untestable(&old), untestable(&new));
    let output = check(&old, &new, &[]);
    assert_eq!(output.end, ToolEnd::Exited(1), "{}", output.text());
    assert!(
        output.text().starts_with("not shown: old and new may be undefined in different ways\n"),
        "{}",
        output.text()
    );
    let lapse = "    integer overflow: `add i64 checked` became `add i64 unchecked`\n";
    assert!(output.text().contains(lapse), "{}", output.text());
    assert_eq!(document(&check(&old, &new, &["--json"]))["verdict"], "undefined-otherwise");
    assert!(check(&old, &old, &[]).success());
}

#[test]
fn an_access_by_another_type_is_not_called_the_same_though_no_sanitizer_sees_it() {
    let old = "int f(int *p) { return p ? *p : 0; }\n";
    let new = "typedef int any __attribute__((may_alias));\nint f(int *p) { return p ? *(any *)p : 0; }\n";
    let output = check(old, new, &["--json"]);
    assert_eq!(output.end, ToolEnd::Exited(1), "{}", output.text());
    assert_eq!(document(&output)["verdict"], "undefined-otherwise");
}

/// The pairs of the page that hold the same checks, of other numbers.
#[test]
fn what_is_checked_of_other_numbers_is_told_apart_by_running() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../estrange-evidence/tests/undefined/apart-c.md");
    let text = fs::read_to_string(page).expect("the page");
    let mut count = 0;
    for section in
        text.split("\n## ").filter(|section| section.lines().next().is_some_and(|name| name.ends_with(", by running")))
    {
        let blocks: Vec<&str> = section.split("```").collect();
        let code = |at: usize| blocks[at].split_once('\n').expect("a block").1;
        let output = check(code(1), code(3), &["--json"]);
        assert_eq!(
            (output.end, &document(&output)["verdict"]),
            (ToolEnd::Exited(1), &Value::from("differs")),
            "{section}"
        );
        count += 1;
    }
    assert!(count >= 3, "{count}");
}

#[test]
fn what_another_name_means_otherwise_is_no_renaming() {
    let text = "unsigned hits, misses;\nunsigned count(unsigned n) { return hits += n & 7; }\n";
    let output = check(text, &text.replace("return hits", "return misses"), &["--function", "count"]);
    assert!(output.text().starts_with("not the same: "), "{}", output.text());
    let declared = "int send_safe(int);\nint send_raw(int);\nint relay(int n) { return send_safe(n) + 1; }\n";
    let output = check(declared, &declared.replace("return send_safe", "return send_raw"), &["--function", "relay"]);
    assert_eq!(output.end, ToolEnd::Exited(1), "{}", output.text());
    // What a header owns has the name that it has.
    let rounded = "#include <math.h>\ndouble whole(double x) { return x > 0 ? nearbyint(x) : 0; }\n";
    let output = check(rounded, &rounded.replace("nearbyint(x)", "rint(x)"), &["--function", "whole"]);
    assert!(!output.text().contains("taken for renamed"), "{}", output.text());
    assert!(output.text().contains("a call of `rint` only in the new one"), "{}", output.text());
    assert!(output.text().starts_with("weak evidence"), "{}", output.text());
    let output = check(text, &text.replace("count", "tally").replace("hits", "seen"), &["--function", "count"]);
    assert!(output.text().starts_with("identical code"), "{}", output.text());
    assert!(output.text().contains("taken for renamed: `hits` as `seen`, `count` as `tally`"), "{}", output.text());
}
