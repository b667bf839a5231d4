//! `estrange lower` on a file of a user's, with the real compilers.

use std::fs;
use std::path::Path;

use estrange_sandbox::{Tool, ToolOutput};
use serde_json::Value;

const LIST: &str = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n\
    struct list { int first; int second; struct list *next; };\nstatic int weight = 3;\n\
    static int heavier(int value) { return value * weight; }\n\
    struct list *insert(struct list *list, int value, const char *text)\n{\n\
        assert(value > 0);\n    struct list *fresh = malloc(sizeof *fresh);\n\
        fresh->first = heavier(value);\n    fresh->second = strcmp(text, \"the end\");\n\
        fresh->next = list;\n    return fresh;\n}\n";

const TARGETS: [&str; 5] = ["x86_64", "aarch64", "riscv64", "wasm32", "llvm-ir"];

fn estrange(folder: &Path, arguments: &[&str]) -> ToolOutput {
    Tool::new(env!("CARGO_BIN_EXE_estrange")).arguments(arguments).directory(folder).run().expect("it starts")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("list.c"), LIST).expect("a file");
    folder
}

#[test]
fn a_function_is_printed_without_its_names_at_every_target() {
    let folder = folder();
    for target in TARGETS {
        let lower = ["lower", "list.c", "--function", "insert", "--target", target];
        let output = estrange(folder.path(), &lower);
        assert!(output.success(), "{target}: {}", output.last_words(3));
        let text = output.text();
        assert!(text.contains("fn_1") && text.contains("the end"), "{target}\n{text}");
        for name in ["insert", "heavier", "fresh", "weight", "value", "malloc", "strcmp"] {
            assert!(!text.contains(name), "{target}: {name}\n{text}");
        }
        let with_helper = estrange(folder.path(), &[&lower[..], &["--helper", "heavier"]].concat()).text();
        assert!(with_helper.lines().count() > text.lines().count(), "{target}\n{with_helper}");
        let kept = estrange(folder.path(), &[&lower[..], &["--keep-standard-names"]].concat()).text();
        assert!(kept.contains("malloc") && !kept.contains("heavier"), "{target}\n{kept}");
    }
}

#[test]
fn statistics_and_levels() {
    let folder = folder();
    let lines = |opt: &str| -> u64 {
        let output = estrange(folder.path(), &["lower", "list.c", "--target", "x86_64", "--opt", opt, "--json"]);
        let document: Value = serde_json::from_str(&output.text()).expect("JSON");
        assert_eq!(document["opt"], opt);
        document["statistics"]["instructions"].as_u64().expect("a number")
    };
    assert!(lines("O2") < lines("O0"));
}

#[test]
fn what_cannot_be_lowered_says_why() {
    let folder = folder();
    let output = estrange(folder.path(), &["lower", "list.c", "--function", "remove", "--target", "x86_64"]);
    assert!(!output.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no code for remove"));
    let output = estrange(folder.path(), &["lower", "list.c", "--target", "z80"]);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("`z80` is none of x86_64, aarch64, riscv64, wasm32, llvm-ir")
    );
    fs::write(folder.path().join("asm.c"), "int f(void) { int a; __asm__(\"cpuid\" : \"=a\"(a)); return a; }\n")
        .expect("a file");
    let output = estrange(folder.path(), &["lower", "asm.c", "--target", "riscv64"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("inline assembly"), "{}", output.last_words(3));
}
