//! An input as a program of its own: it compiles without this crate and hands over the same values.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::process::Command;

use estrange_evidence::Language;
use estrange_oracle::{Input, NotStandalone, Standalone, Subject};
use serde_json::{Value, json};
use support::ORACLE;

fn standalone(text: &str, language: Language, input: &Value) -> Result<Standalone, NotStandalone> {
    let subject = Subject { text, function: "f", at: None, language, flags: &[], seed: 1 };
    let replay = ORACLE.replay(&subject).unwrap().unwrap();
    let fitted = replay.fit(&Input::read(&input.to_string()).unwrap()).unwrap();
    replay.standalone(&fitted, None)
}

fn with(more: Value) -> Value {
    let mut input = json!({ "estrange-input": 1, "arguments": [] });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input
}

/// What the function prints on an input, by a program that gcc makes.
#[track_caller]
fn prints(text: &str, language: Language, input: Value) -> String {
    let made = standalone(text, language, &with(input)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (driver, call) = if language == Language::Cpp { ("g++", "call.cpp") } else { ("gcc", "call.c") };
    fs::write(folder.path().join(call), format!("{text}{}", made.call)).unwrap();
    fs::write(folder.path().join("input.c"), &made.input).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder.path()).env("ASAN_OPTIONS", "alloc_dealloc_mismatch=0");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}\n{}", made.input);
        String::from_utf8(output.stdout).unwrap()
    };
    run("gcc", &["-Wall", "-Werror", "-fno-pie", "-c", "input.c"]);
    let flags = ["-w", "-fno-pie", "-fsanitize=address,undefined", "-fno-access-control", "-fno-sanitize=vptr"];
    let flags = if language == Language::Cpp { &flags[..] } else { &flags[..3] };
    run(driver, &[flags, &["-c", call, "-o", "call.o"]].concat());
    run(driver, &["-no-pie", "-fsanitize=address,undefined", "call.o", "input.o", "-o", "program"]);
    run("./program", &[])
}

#[test]
fn numbers_texts_structs_and_variables() {
    let text = "#include <stdio.h>
        struct item { int weight; const char *name; struct item *next; };
        static int counter = 3;
        int f(long a, double b, const char *text, struct item *first) {
            counter++;
            return printf(\"%ld %g %s %d\", a, b, text, counter), printf(\" %d %s %d\\n\", first->weight, first->name, first->next == first);
        }";
    let input = json!({
        "arguments": [-5, 2.5, "it's \"a\"\\\n?", { "0 weight": 7, "1 name": "n" }],
        "globals": { "0": 41 }, "calls": 2
    });
    let said = prints(text, Language::C, input);
    assert_eq!(said, "-5 2.5 it's \"a\"\\\n? 42 7 n 0\n-5 2.5 it's \"a\"\\\n? 43 7 n 0\n");
}

#[test]
fn functions_that_are_handed_in_and_what_surrounds_the_call() {
    let text = "#include <stdio.h>
        #include <stdlib.h>
        int f(int (*next)(void *, int), FILE *in) {
            char line[16] = \"\";
            for (int call = 0; call < 3; call++) printf(\"%d \", next(line, call));
            printf(\"%s %d \", line, fgetc(in));
            FILE *file = fopen(\"notes\", \"r\");
            printf(\"%c %c %s\\n\", file ? fgetc(file) : '-', getchar(), getenv(\"PLACE\"));
            return 0;
        }";
    let input = json!({
        "arguments": [{ "answers": [4, { "returns": -1, "writes": { "0": "ab" } }] }, { "content": "!" }],
        "environment": { "PLACE": "here" }, "files": { "notes": "x" }, "stdin": "y"
    });
    assert_eq!(prints(text, Language::C, input), "4 -1 -1 ab 33 x y here\n");
}

#[test]
fn objects_of_cpp() {
    let text = "#include <cstdio>
        #include <map>
        #include <stdexcept>
        #include <string>
        #include <vector>
        namespace space { int f(const std::string &text, std::vector<int> numbers, const std::map<int, std::string> &names) {
            std::printf(\"%s %zu %d %s\\n\", text.c_str(), numbers.size(), numbers.at(1), names.at(3).c_str());
            std::fflush(stdout);
            throw std::runtime_error(\"enough\");
        } }";
    let input = json!({ "arguments": ["a text that is no short one", [1, 2], [[[3, "three"]]]] });
    assert_eq!(prints(text, Language::Cpp, input), "a text that is no short one 2 2 three\n");
}

#[test]
fn what_a_plain_program_cannot_do_is_said() {
    let text = "#include <stdlib.h>\nint f(int a) { char *p = malloc(3); int is = p != 0; free(p); return is + a; }";
    let refused = |more: Value| standalone(text, Language::C, &with(more)).unwrap_err();
    assert_eq!(refused(json!({ "arguments": [1], "no-memory": [0] })), NotStandalone::Memory);
    assert_eq!(refused(json!({ "arguments": [1], "descriptors": [-1] })), NotStandalone::Descriptors);
}
