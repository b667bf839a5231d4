//! `estrange rewrite` and `estrange check` on files of a user's, with the real compilers.

use std::fs;
use std::path::Path;

use estrange_sandbox::{Tool, ToolOutput};
use serde_json::Value;

const LIST: &str = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n\
    struct list { int first; int second; struct list *next; };\n\
    /* Inserts. */\n\
    struct list *insert(struct list *list, int value, const char *text)\n{\n\
        assert(value > 0);\n\
        struct list *fresh = malloc(sizeof *fresh);\n\
        if (!fresh)\n        return list;\n\
        fresh->first = value; // here\n\
        fresh->second = (int)strlen(text);\n\
        fresh->next = list;\n    return fresh;\n}\n";

fn estrange(folder: &Path, arguments: &[&str]) -> ToolOutput {
    Tool::new(env!("CARGO_BIN_EXE_estrange")).arguments(arguments).directory(folder).run().expect("it starts")
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

#[test]
fn a_file_gets_new_names_and_is_shown_to_be_the_same_code() {
    for recipe in ["neutralize", "randomize", "symbol"] {
        let folder = folder(&[("list.c", LIST)]);
        let rewrite = ["rewrite", "list.c", "--function", "insert", "--recipe", recipe, "--check", "--json"];
        let output = estrange(folder.path(), &rewrite);
        assert!(output.success(), "{recipe}: {}", output.last_words(3));
        let document: Value = serde_json::from_str(&output.text()).expect("JSON");
        // The names in what `assert` prints are explained.
        assert_eq!(document["evidence"]["verdict"], "explained", "{recipe}");
        let text = document["text"].as_str().expect("a text");
        for old in ["insert", "fresh", "struct list", "Inserts", "here"] {
            assert!(!text.contains(old), "{recipe}: {old} stays\n{text}");
        }
        assert!(text.contains("strlen") && text.contains("malloc"), "{recipe}\n{text}");
        fs::write(folder.path().join("new.c"), text).expect("a file");
        let output = estrange(folder.path(), &["check", "list.c", "new.c", "--function", "insert"]);
        assert!(output.success(), "{recipe}: {}", output.text());
    }
}

#[test]
fn wrong_texts_are_refused_with_the_place_where_they_differ() {
    let wrong = [
        ("two fields swapped in one place", LIST.replace("fresh->first = value", "fresh->second = value")),
        ("another function of the library", LIST.replace("strlen(text)", "atoi(text)")),
        ("a captured variable", LIST.replace("fresh->next = list", "fresh->next = fresh")),
        ("another constant", LIST.replace("value > 0", "value > 1")),
    ];
    for (what, text) in wrong {
        let folder = folder(&[("list.c", LIST), ("new.c", &text)]);
        let output = estrange(folder.path(), &["check", "list.c", "new.c", "--function", "insert"]);
        assert!(!output.success(), "{what}");
        let first = "not the same: old and new do not do the same on this call:\n";
        assert!(output.text().starts_with(first), "{what}: {}", output.text());
        assert!(output.text().contains("  the code is not the same:\n    gcc -O0: "), "{what}: {}", output.text());
    }
}

const BEST: &str = "#include <stddef.h>\n\
    struct item { int weight; struct item *next; };\n\
    static int is_better(const struct item *one, const struct item *other)\n{\n\
        if (!other)\n        return 1;\n\
        return one->weight > other->weight;\n}\n\
    int best(const struct item *list, int fallback)\n{\n\
        const struct item *found = NULL;\n\
        for (const struct item *at = list; at; at = at->next) {\n\
            if (is_better(at, found))\n            found = at;\n        }\n\
        return found ? found->weight : fallback + 2;\n}\n";

#[test]
fn a_function_gets_another_shape_and_is_shown_to_do_the_same() {
    let shapes = [("L1", "identical"), ("L3", "agrees"), ("L4", "agrees"), ("semantic*3,inline,neutralize", "agrees")];
    for (recipe, verdict) in shapes {
        let folder = folder(&[("best.c", BEST)]);
        let rewrite = ["rewrite", "best.c", "--function", "best", "--recipe", recipe, "--check", "--json"];
        let output = estrange(folder.path(), &rewrite);
        assert!(output.success(), "{recipe}: {}{}", output.text(), output.last_words(9));
        let document: Value = serde_json::from_str(&output.text()).expect("JSON");
        assert_eq!(document["evidence"]["verdict"], verdict, "{recipe}: {document}");
        assert_ne!(document["function_text"], BEST, "{recipe}");
    }
    let folder = folder(&[("best.c", BEST), ("new.c", &BEST.replace("weight > other", "weight >= other"))]);
    let output = estrange(folder.path(), &["check", "best.c", "new.c", "--function", "is_better"]);
    assert!(!output.success() && output.text().starts_with("not the same: "), "{}", output.text());
    let same = BEST
        .replace("at; at = at->next", "at != NULL; at = at->next")
        .replace("found ? found->weight : fallback + 2", "!found ? 2 + fallback : found->weight");
    let folder = self::folder(&[("best.c", BEST), ("new.c", &same)]);
    let output = estrange(folder.path(), &["check", "best.c", "new.c", "--function", "best"]);
    assert!(output.success(), "{}", output.text());
}

#[test]
fn what_cannot_be_rewritten_has_a_reason_and_a_hint() {
    let folder = folder(&[("list.c", LIST), ("broken.c", "int broken(int x) { return x + ; }\n"), ("bytes.c", "")]);
    fs::write(folder.path().join("bytes.c"), b"int f(void) { return '\xff'; }\n").expect("a file");
    let cases = [
        (["list.c", "nowhere", "neutralize"], "error: list.c defines no function `nowhere`", Some(1)),
        (["broken.c", "broken", "neutralize"], "error: broken.c does not parse: expected expression", Some(1)),
        (["bytes.c", "f", "neutralize"], "error: bytes.c is not UTF-8", Some(1)),
        (["missing.c", "f", "neutralize"], "error: missing.c cannot be read", Some(1)),
        (["list.c", "insert", "sideways"], "error: there is no rewrite `sideways`", Some(2)),
    ];
    for ([file, function, recipe], said, code) in cases {
        let output = estrange(folder.path(), &["rewrite", file, "--function", function, "--recipe", recipe]);
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(words.starts_with(said), "{file}: {words}");
        assert!(words.contains("hint: ") || file == "missing.c", "{file}: {words}");
        assert_eq!(output.end, estrange_sandbox::ToolEnd::Exited(code.expect("a code")), "{file}");
        assert!(output.text().is_empty(), "{file}");
    }
}

fn stderr(output: &ToolOutput) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn our_own_output_is_checked_though_the_function_has_another_name() {
    let folder = folder(&[("best.c", BEST)]);
    let output = estrange(folder.path(), &["rewrite", "best.c", "--function", "best", "--recipe", "L4", "--check"]);
    assert!(stderr(&output).starts_with("the same behaviour: old and new did the same on all "), "{}", stderr(&output));
    fs::write(folder.path().join("new.c"), output.text()).expect("a file");
    for more in [&[][..], &["--new-function", "func_0"]] {
        let output = estrange(folder.path(), &[&["check", "best.c", "new.c", "--function", "best"], more].concat());
        assert!(output.success(), "{}{}", output.text(), stderr(&output));
        assert!(output.text().contains("`best` is `func_0` in new.c\n"), "{}", output.text());
    }
    let wrong = ["check", "best.c", "new.c", "--function", "best", "--new-function", "func_7"];
    let output = estrange(folder.path(), &wrong);
    assert!(
        stderr(&output).starts_with("error: new.c defines no function `func_7`\nhint: there is "),
        "{}",
        stderr(&output)
    );
}

const OVERLOADS: &str = "namespace n { int f(int x) { return x + 1; } int f(double x) { return x > 2 ? 1 : 0; } }\n\
    struct S { int v; int f(int k) const { return v + k; } };\nint g(int a) { return n::f(a); }\n";

#[test]
fn a_function_is_named_in_one_way_for_all_commands() {
    let wrong = OVERLOADS.replace("x > 2", "x > 3");
    let folder = folder(&[("old.cpp", OVERLOADS), ("new.cpp", &wrong)]);
    let said = |arguments: &[&str]| {
        let output = estrange(folder.path(), arguments);
        (output.success(), output.text() + &stderr(&output))
    };
    // The others are the same, so that only what is named can differ.
    for (name, is_same) in [("n::f(double)", false), ("n::f( int )", true), ("S::f", true)] {
        let (success, words) = said(&["check", "old.cpp", "new.cpp", "--function", name]);
        assert_eq!(success, is_same, "{name}: {words}");
    }
    let text = |name: &str| {
        let rewrite = ["rewrite", "old.cpp", "--function", name, "--recipe", "locals", "--json", "--check"];
        let document: Value = serde_json::from_str(&estrange(folder.path(), &rewrite).text()).expect("JSON");
        assert_eq!(document["evidence"]["verdict"], "identical", "{name}");
        document["function_text"].as_str().expect("a text").to_owned()
    };
    assert_eq!(text("n::f(int)"), "int f(int var_0) { return var_0 + 1; }");
    assert_eq!(text("f(double)"), "int f(double var_0) { return var_0 > 2 ? 1 : 0; }");
    assert!(text("S::f").contains("v + var_0"));
    let (_, lowered) = said(&["lower", "old.cpp", "--function", "f(double)", "--target", "x86_64"]);
    assert!(lowered.contains("xmm0"), "{lowered}");
    let commands: [&[&str]; 3] = [
        &["rewrite", "old.cpp", "--recipe", "locals", "--function", "n::f"],
        &["check", "old.cpp", "new.cpp", "--function", "n::f"],
        &["lower", "old.cpp", "--target", "x86_64", "--function", "n::f"],
    ];
    for command in commands {
        let choices =
            "error: `n::f` may be any of 2 functions of old.cpp:\n    n::f(int), line 1\n    n::f(double), line 1\n";
        let (success, words) = said(command);
        assert!(!success && words.starts_with(choices), "{words}");
    }
}

#[test]
fn a_mark_of_the_encoding_and_lines_of_windows_change_nothing() {
    let marked = format!("\u{feff}{}", BEST.replace('\n', "\r\n"));
    let folder = folder(&[("best.c", BEST), ("marked.c", &marked)]);
    let commands: [&[&str]; 4] = [
        &["rewrite", "marked.c", "--function", "best", "--recipe", "neutralize", "--check"],
        &["check", "marked.c", "best.c", "--function", "best"],
        &["check", "best.c", "marked.c", "--function", "best"],
        &["lower", "marked.c", "--function", "best", "--target", "x86_64"],
    ];
    for command in commands {
        let output = estrange(folder.path(), command);
        assert!(output.success(), "{command:?}: {}{}", output.text(), stderr(&output));
    }
}

#[test]
fn a_question_mark_lists_what_there_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = |arguments: &[&str]| {
        let output = estrange(folder.path(), arguments);
        assert!(output.success(), "{arguments:?}: {}", stderr(&output));
        output.text()
    };
    let settings = ["L1", "L4", "structure", "semantic", "neutralize", "for-to-while", "outline", "locals", "layout"];
    let lists: [(&[&str], &[&str]); 9] = [
        (&["rewrite", "--recipe", "?"], &settings),
        (&["rewrite", "--recipe", "help"], &settings),
        (&["build", "--settings", "?"], &[&settings[..], &["standard", "x86_64", "llvm-ir"]].concat()),
        (&["lower", "--target", "?"], &["x86_64", "aarch64", "riscv64", "wasm32", "llvm-ir"]),
        (&["search", "--model", "?"], &["bm25[:VARIANT,...]", "local:DIR", "openai:NAME"]),
        (&["queries", "--model", "?"], &["comment", "file:FILE"]),
        (&["stats", "--table", "?"], &["funnel", "not-lowered"]),
        (&["stats", "--format", "?"], &["markdown", "latex", "csv"]),
        (&["export", "--format", "?"], &["beir", "croissant"]),
    ];
    for (arguments, words) in lists {
        let text = said(arguments);
        for word in words {
            let line = text.lines().find(|line| line.split_whitespace().next() == Some(word));
            assert!(line.is_some_and(|line| line.trim() != *word), "{arguments:?}: {word}\n{text}");
        }
    }
}

#[test]
fn a_wrong_word_gets_the_nearest_one() {
    let folder = folder(&[("list.c", LIST)]);
    let cases: [(&[&str], &str); 4] = [
        (&["rewrite", "list.c", "--recipe", "neutralise"], "hint: there is neutralize"),
        (&["build", "list.c", "--out", "bench", "--settings", "nuetralized"], "hint: there is neutralized"),
        (&["build", "list.c", "--out", "bench", "--settings", "x86_64:icc"], "error: `icc` is none of gcc, g++, clang"),
        (&["lower", "list.c", "--target", "x86-64"], "hint: there is x86_64"),
    ];
    for (arguments, said) in cases {
        let output = estrange(folder.path(), arguments);
        assert!(stderr(&output).contains(said), "{arguments:?}: {}", stderr(&output));
        assert_eq!(output.end, estrange_sandbox::ToolEnd::Exited(2), "{arguments:?}");
    }
}

#[test]
fn a_rewrite_that_has_no_place_says_what_it_needs() {
    let folder = folder(&[("list.c", LIST)]);
    let output = estrange(folder.path(), &["rewrite", "list.c", "--function", "insert", "--recipe", "for-to-while"]);
    let said =
        "error: for-to-while: there is no place for it in the function: it needs a `for` that nothing continues\n";
    assert!(stderr(&output).starts_with(said), "{}", stderr(&output));
}

#[test]
fn the_map_has_each_of_several_things_with_one_name() {
    let text = "struct size { int size; };\nint twice(struct size *size) { return 2 * size->size; }\n";
    let folder = folder(&[("size.c", text)]);
    let rewrite = ["rewrite", "size.c", "--function", "twice", "--recipe", "neutralize", "--json"];
    let document: Value = serde_json::from_str(&estrange(folder.path(), &rewrite).text()).expect("JSON");
    let map = document["rename_map"].as_object().expect("a map");
    let new: std::collections::BTreeSet<String> = map.values().map(Value::to_string).collect();
    assert_eq!((map.len(), new.len()), (4, 4), "{map:?}");
}
