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
        assert!(output.text().starts_with("different code:\n  gcc -O0: "), "{what}: {}", output.text());
        assert!(output.text().contains("they do not do the same on this input:"), "{what}: {}", output.text());
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
    assert!(!output.success() && output.text().contains("they do not do the same"), "{}", output.text());
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
        (["list.c", "nowhere", "neutralize"], "error: the text defines no function `nowhere`", Some(1)),
        (["broken.c", "broken", "neutralize"], "error: the text does not parse: expected expression", Some(1)),
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
