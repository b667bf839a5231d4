//! Commands that write SARIF, and commands that do not.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use common::{analyser, answer, ask, workshop};
use estrange_analyser::{Analyser, AnalyserError, BuiltIn, Choice, Finding, Level, Loss};
use estrange_words::Hint;
use estrange_words::Language::{C, Cpp};
use tempfile::TempDir;

/// A program of a user's: it reports each line that has `strcpy` in it.
const PROGRAM: &str = r#"
import json, sys
results = []
for number, line in enumerate(open(sys.argv[1]), 1):
    if "strcpy" in line:
        place = {"artifactLocation": {"uri": "file://" + sys.argv[1]}, "region": {"startLine": number}}
        results.append({"ruleId": "copies", "level": "error", "message": {"text": "it copies"},
                        "locations": [{"physicalLocation": place}], "properties": {"tags": ["external/cwe/cwe-120"]}})
print(json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "mine"}}, "results": results}]}))
sys.exit(3 if results or "fails" in sys.argv else 0)
"#;

const WRONG: &str = "#include <string.h>\nvoid f(char *a, char *b) {\n    strcpy(a, b);\n}\n";

/// A folder with a file in it.
fn file(name: &str, text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// What a command says of a unit.
fn said(command: &str) -> Result<Vec<Finding>, Loss> {
    ask(&analyser(&format!("sarif:{command}")).patience(Duration::from_secs(5)), C, WRONG)
}

#[test]
fn a_users_program_finds_what_it_finds() {
    let (_folder, program) = file("mine.py", PROGRAM);
    let found = Finding {
        tool: "mine".to_owned(),
        rule: "copies".to_owned(),
        classes: vec![120],
        level: Level::Error,
        line: Some(3),
        message: "it copies".to_owned(),
    };
    // The path stands where it is asked for, or at the end. The exit code says that there are findings.
    for command in [format!("python3 {} {{}}", program.display()), format!("python3 '{}'", program.display())] {
        let analyser = analyser(&format!("sarif:{command}"));
        assert_eq!(ask(&analyser, C, WRONG), Ok(vec![found.clone()]));
        assert_eq!(ask(&analyser, Cpp, WRONG), Ok(vec![found.clone()]));
        assert_eq!(ask(&analyser, C, "int a;\n"), Ok(Vec::new()));
    }
    // Without findings, such a code says that it failed.
    let failing = analyser(&format!("sarif:python3 {} {{}} fails", program.display()));
    assert!(matches!(ask(&failing, C, "int a;\n"), Err(Loss::Failed { code: 3, .. })));
}

#[test]
fn clang_by_its_command_says_the_same_as_clang_by_its_name() {
    let text = "int f(int *p) {\n    if (p) return 1;\n    return *p;\n}\n";
    let by_name = answer(BuiltIn::Clang, C, text).unwrap();
    let by_command =
        ask(&analyser("sarif:clang-19 --analyze -Xclang -analyzer-output=sarif -o - {}"), C, text).unwrap();
    let parts =
        |findings: &[Finding]| -> Vec<_> { findings.iter().map(|each| (each.rule.clone(), each.line)).collect() };
    assert_eq!(parts(&by_command), parts(&by_name));
    assert_eq!(by_command[0].line, Some(3));
    assert!(by_command[0].classes.is_empty(), "clang itself says no class");
}

#[test]
fn a_program_of_the_users_own_is_started_and_sees_what_it_is_shown() {
    let (folder, program) = file("mine.sh", "#!/bin/sh\nexec cat \"$(dirname \"$0\")/answer.sarif\"\n");
    let answer = r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "mine"}}, "results": []}]}"#;
    fs::write(folder.path().join("answer.sarif"), answer).unwrap();
    fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let alone = analyser(&format!("sarif:{}", program.display()));
    assert!(matches!(ask(&alone, C, WRONG), Err(Loss::Failed { code: 1, .. })));
    assert_eq!(ask(&alone.showing([folder.path().to_owned()]), C, WRONG), Ok(Vec::new()));
}

#[test]
fn prose_is_no_answer() {
    for command in
        ["echo 'I found no bugs.'", "true", "cat {}", "echo '[]'", "echo 7", "echo '{\"version\": \"2.1.0\"}'"]
    {
        assert!(matches!(said(command), Err(Loss::Unreadable { .. })), "{command}: {:?}", said(command));
    }
    assert!(matches!(said("echo '{\"version\": \"1.0.0\", \"runs\": []}'"), Err(Loss::Unreadable { .. })));
    assert_eq!(said("sh -c 'echo \"{\\\"version\\\": \\\"2.1.0\\\", \\\"runs\\\": []}\"'"), Err(Loss::NoRun));
}

#[test]
fn what_fails_hangs_or_floods_is_no_answer() {
    assert!(matches!(said("false"), Err(Loss::Failed { code: 1, .. })));
    let with_words = said("sh -c 'echo the licence is over >&2; exit 4'");
    assert_eq!(with_words, Err(Loss::Failed { code: 4, message: "the licence is over".to_owned() }));
    assert_eq!(said("sh -c 'kill -SEGV $$'"), Err(Loss::Signalled { signal: 11 }));
    assert_eq!(said("yes"), Err(Loss::OverOutput));
    let started = Instant::now();
    let hanging = analyser("sarif:sleep 600").patience(Duration::from_secs(1));
    // The unit's path, which `sleep` is given, is no time; it takes it as a wrong argument unless it is put elsewhere.
    assert!(matches!(ask(&hanging, C, WRONG), Err(Loss::Failed { .. })));
    let hanging = analyser("sarif:sh -c 'sleep 600' {}").patience(Duration::from_secs(1));
    assert_eq!(ask(&hanging, C, WRONG), Err(Loss::TimedOut));
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_command_sees_and_changes_nothing_of_this_machine() {
    let (_folder, secret) = file("secret", "the secret");
    let (_other, target) = file("target", "as it was");
    let script = format!(
        "cat {} && exit 9; echo changed > {}; touch /usr/changed && exit 8; exit 7",
        secret.display(),
        target.display()
    );
    assert!(matches!(said(&format!("sh -c '{script}' {{}}")), Err(Loss::Failed { code: 7, .. })));
    assert_eq!(fs::read_to_string(target).unwrap(), "as it was");
    let network = "import socket; socket.create_connection((\"127.0.0.1\", 9), 1)";
    assert!(matches!(said(&format!("python3 -c '{network}' {{}}")), Err(Loss::Failed { code: 1, .. })));
}

#[test]
fn what_cannot_be_started_is_an_error_that_can_be_mended() {
    let find = |command: &str| Analyser::find(&Choice::Sarif(command.to_owned()), workshop()).map(|_| ()).unwrap_err();
    for (command, is_it) in [
        ("'open", (|error| matches!(error, AnalyserError::Spelling(_))) as fn(&AnalyserError) -> bool),
        ("", |error| matches!(error, AnalyserError::Spelling(_))),
        ("no-such-program {}", |error| matches!(error, AnalyserError::NoProgram(_))),
        ("/no/such/program", |error| matches!(error, AnalyserError::NoProgram(_))),
    ] {
        let error = find(command);
        assert!(is_it(&error) && error.hint().is_some(), "{command}: {error}");
    }
    let missing = AnalyserError::Missing { program: "cppcheck".to_owned(), package: "cppcheck" };
    assert_eq!(missing.hint().unwrap(), "install the Debian package cppcheck");
}

#[test]
fn a_commands_stamp_follows_its_program_and_its_words() {
    let (_folder, program) = file("mine.py", PROGRAM);
    let stamp = |rest: &str| analyser(&format!("sarif:python3 {} {rest}", program.display())).stamp();
    let before = stamp("{}");
    assert_eq!(stamp("{}"), before);
    assert_ne!(stamp("{} --more"), before);
    fs::write(&program, format!("{PROGRAM}\n")).unwrap();
    assert_ne!(stamp("{}"), before);
}
