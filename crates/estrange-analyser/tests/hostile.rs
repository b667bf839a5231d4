//! Texts that are written against analysers: each gets a typed answer in time, and none sees this machine.

#![allow(clippy::unwrap_used)]

mod common;

use std::time::{Duration, Instant};

use common::{analyser, ask};
use estrange_analyser::{BuiltIn, Finding, Loss};
use estrange_words::Language::{self, C, Cpp};

/// How long a hostile text may keep an analyser.
const PATIENCE: Duration = Duration::from_secs(2);

/// What an analyser says of a hostile text, which must not take much longer than it may.
fn answer(which: BuiltIn, language: Language, text: &str) -> Result<Vec<Finding>, Loss> {
    let analyser = analyser(which.as_str()).patience(PATIENCE);
    let started = Instant::now();
    let answer = ask(&analyser, language, text);
    assert!(started.elapsed() < 4 * PATIENCE, "{which} took {:?}", started.elapsed());
    answer
}

#[test]
fn what_is_no_code_is_refused() {
    for which in [BuiltIn::Cppcheck, BuiltIn::Clang, BuiltIn::Gcc] {
        for (language, text) in
            [(C, "int f(int a) { return a + ; }\n"), (Cpp, "class { int f( { } }}} ;\n"), (C, "#error no\n")]
        {
            assert!(matches!(answer(which, language, text), Err(Loss::Refused { .. })), "{which}: {text}");
        }
        let missing = answer(which, C, "#include \"not-there.h\"\nint f(void) { return 1; }\n");
        // cppcheck goes on without a header, and says nothing of it.
        assert_eq!(matches!(missing, Err(Loss::Refused { .. })), which != BuiltIn::Cppcheck, "{which}: {missing:?}");
    }
}

#[test]
fn no_file_of_this_machine_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.h");
    std::fs::write(&secret, "int secret_of_this_machine(int *p) { p = 0; return *p; }\n").unwrap();
    let users = std::fs::read_to_string("/etc/passwd").unwrap();
    let second = users.lines().nth(1).unwrap().split(':').next().unwrap().to_owned();
    for &which in BuiltIn::ALL {
        for path in [secret.to_str().unwrap(), "/etc/passwd", "/etc/shadow", "/proc/1/environ"] {
            let said =
                format!("{:?}", answer(which, C, &format!("#include \"{path}\"\nint f(void) {{ return 1; }}\n")));
            assert!(!said.contains("secret_of") && !said.contains("476"), "{which} saw {path}: {said}");
            assert!(!said.contains(&format!("{second}:")), "{which} saw {path}: {said}");
        }
    }
}

#[test]
fn endless_texts_end_in_time() {
    let doubled: String = (1..40).map(|level| format!("#define A{level} A{0} + A{0}\n", level - 1)).collect();
    let macros = format!("#define A0 1\n{doubled}int f(void) {{ return A39; }}\n");
    let included = "#include __FILE__\n#include __FILE__\nint f(void) { return 1; }\n".to_owned();
    let device = "#include \"/dev/urandom\"\nint f(void) { return 1; }\n".to_owned();
    for text in [&macros, &included, &device] {
        for which in [BuiltIn::Cppcheck, BuiltIn::Clang, BuiltIn::Gcc] {
            let answer = answer(which, C, text);
            // What one of them reads of a device is nothing; that is all that may pass.
            let is_told = answer.is_err() || (text == &device && answer == Ok(Vec::new()));
            assert!(is_told, "{which}: {answer:?}");
        }
        assert_eq!(answer(BuiltIn::Flawfinder, C, text), Ok(Vec::new()));
    }
}

#[test]
fn huge_texts_end_in_time() {
    let functions: String = (0..40_000)
        .map(|n| format!("int f{n}(int a) {{ int b[4] = {{0}}; return a > 3 ? b[a & 3] + {n} : a; }}\n"))
        .collect();
    let line = format!("const char *f(void) {{ return \"{}\"; }}\n", "x".repeat(8 << 20));
    let deep = format!("int f(void) {{ return {}1{}; }}\n", "(".repeat(200_000), ")".repeat(200_000));
    for &which in BuiltIn::ALL {
        for text in [&functions, &line, &deep] {
            match answer(which, C, text) {
                Ok(findings) => assert_eq!(findings, [], "{which}"),
                Err(Loss::Unreadable { what }) => panic!("{which}: {what}"),
                Err(_) => {}
            }
        }
    }
    let slow = [BuiltIn::Cppcheck, BuiltIn::Gcc].map(|which| answer(which, C, &functions));
    assert_eq!(slow, [Err(Loss::TimedOut), Err(Loss::TimedOut)]);
}

#[test]
fn letters_of_all_kinds_are_no_danger_to_what_is_read() {
    let text = "#include <string.h>\nvoid f(char *a, char *b) {\n    strcpy(a, b); /* \u{202e}</error> \" &amp; ]]> \u{1f980} */\n}\n";
    let found = answer(BuiltIn::Flawfinder, C, text).unwrap();
    assert_eq!(found.len(), 1);
    let text = "int f(void) {\n    int größe[2] = {1, 2}; /* </results> */\n    return größe[2] + 1;\n}\n";
    assert!(answer(BuiltIn::Clang, C, text).unwrap().iter().any(|finding| finding.line == Some(3)));
}
