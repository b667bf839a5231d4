//! The command line as its users meet it: whole outputs of the real binary, and its exit codes.
//!
//! The outputs are snapshots in `snapshots/`. After a change on purpose: `INSTA_UPDATE=always cargo test -p estrange`.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs::File;
use std::io::Read;
use std::process::{Output, Stdio};

use support::{estrange, json, run, shape, whole};

#[test]
fn help_teaches() {
    insta::assert_snapshot!("help", whole(&run(&["--help"])));
    insta::assert_snapshot!("help_sources", whole(&run(&["sources", "--help"])));
    insta::assert_snapshot!("help_doctor", whole(&run(&["doctor", "--help"])));
}

#[test]
fn short_and_long_help_are_the_same() {
    for command in [&["sources"][..], &["doctor"], &[]] {
        let long = run(&[command, &["--help"]].concat());
        let short = run(&[command, &["-h"]].concat());
        assert_eq!(whole(&long), whole(&short));
    }
}

#[test]
fn no_command_shows_the_help_as_wrong_usage() {
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert_eq!(output.stderr, [run(&["--help"]).stdout, b"\n".to_vec()].concat());
}

#[test]
fn wrong_usage_gets_a_hint_and_exit_code_2() {
    insta::assert_snapshot!("unknown_command", whole(&run(&["doctr"])));
    insta::assert_snapshot!("unknown_option", whole(&run(&["doctor", "--jsn"])));
    insta::assert_snapshot!("no_source", whole(&run(&["sources"])));
    insta::assert_snapshot!("unknown_kind_of_source", whole(&run(&["sources", "debian:zlib"])));
    insta::assert_snapshot!("no_jobs", whole(&run(&["doctor", "--jobs", "0"])));
}

#[test]
fn the_version_is_printed() {
    assert_eq!(run(&["--version"]).stdout, format!("estrange {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
}

#[test]
fn the_doctor_speaks_json() {
    let document = json(&run(&["doctor", "--json"]));
    insta::assert_snapshot!("doctor_json", serde_json::to_string_pretty(&shape(&document)).unwrap());
}

#[test]
fn the_doctor_finds_what_the_set_up_installed() {
    let output = run(&["doctor"]);
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
}

#[test]
fn the_doctor_names_what_is_missing_and_what_mends_it() {
    let empty = tempfile::tempdir().unwrap();
    let output = estrange(&["doctor"]).env("PATH", empty.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8(output.stdout).unwrap();
    for line in ["missing  cmake ", "missing  libclang1-19 ", "missing  cargo "] {
        assert!(stdout.contains(line), "{line:?} is not in {stdout}");
    }
    let mut settings = insta::Settings::clone_current();
    // Who runs the tests decides about sudo, and the list of packages grows.
    settings.add_filter("sudo ", "");
    settings.add_filter("(--no-install-recommends .*?) .*", "$1 […]");
    settings.bind(|| insta::assert_snapshot!("doctor_mend", String::from_utf8(output.stderr).unwrap()));
}

#[test]
fn a_tool_that_is_too_old_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let fake = folder.path().join("cmake");
    std::fs::write(&fake, "#!/bin/sh\necho cmake version 3.9.2\n").unwrap();
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let output = estrange(&["doctor", "--json"]).env("PATH", path).output().unwrap();
    let document = json(&output);
    let cmake = document["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "cmake").unwrap();
    assert_eq!((cmake["state"].as_str(), cmake["found"].as_str()), (Some("too_old"), Some("3.9.2")));
    assert_eq!(output.status.code(), Some(1));
    assert!(document["mend"].to_string().contains("cmake"), "{document}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = estrange(&["doctor"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{stderr}");
    assert_eq!(stderr, "");
}

#[test]
fn a_full_disk_is_an_error() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = estrange(&["doctor"]).stdout(full).output().unwrap();
    insta::assert_snapshot!("full_disk", whole(&output));
}

#[test]
fn colour_is_used_only_when_asked_for() {
    let escape = |output: Output| output.stdout.contains(&0x1b);
    assert!(!escape(run(&["doctor"])));
    assert!(escape(run(&["doctor", "--color", "always"])));
    assert!(!escape(estrange(&["doctor"]).env("NO_COLOR", "1").output().unwrap()));
}

#[test]
fn logs_come_only_when_asked_for() {
    assert_eq!(run(&["doctor"]).stderr, b"");
    let output = estrange(&["doctor"]).env("RUST_LOG", "estrange=debug,nonsense=").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", whole(&output));
}

#[test]
fn usage_does_not_ask_for_what_the_environment_says() {
    let mut command = estrange(&["search"]);
    let output = command.env("ESTRANGE_CACHE", "/nowhere").output().unwrap();
    assert_eq!(whole(&output), whole(&run(&["search"])));
    assert!(whole(&output).contains("usage: estrange search --model <MODEL> <BENCH>"), "{}", whole(&output));
}

#[test]
fn every_document_has_the_number_of_its_shape() {
    let folder = tempfile::tempdir().unwrap();
    let code =
        "/* Adds two numbers to each other, and one more to that. */\nint add(int a, int b) { return a + b + 1; }\n";
    std::fs::create_dir(folder.path().join("project")).unwrap();
    std::fs::write(folder.path().join("project/add.c"), code).unwrap();
    let mut tried = std::collections::BTreeSet::new();
    let mut document = |arguments: &[&str]| {
        let mut command = estrange(arguments);
        command.arg("--json").current_dir(folder.path()).env("ESTRANGE_CACHE", folder.path().join("cache"));
        let output = command.output().unwrap();
        let document = json(&output);
        assert!(document["format"].is_u64(), "{arguments:?}: {}", whole(&output));
        // Of two fields with one name, readers take either.
        let text = String::from_utf8(output.stdout).unwrap();
        let fields = text.lines().filter(|line| line.starts_with("  \"")).count();
        assert_eq!(fields, document.as_object().unwrap().len(), "{arguments:?}: {text}");
        tried.insert(arguments[0].to_owned());
        document
    };
    let built = document(&["build", "project", "--out", "B", "--settings", "standard,neutralized,x86_64"]);
    assert_eq!(built["counts"]["kept"], 1);
    document(&["build", "project", "--out", "P", "--part", "1/1"]);
    document(&["merge", "P", "--out", "M"]);
    document(&["sources", "project"]);
    document(&["stats", "B"]);
    document(&["show", "B", "add"]);
    let variant = document(&["show", "B", "add", "--setting", "neutralized"]);
    assert_eq!(variant["rename_map"]["add"], "func_0");
    document(&["show", "B", "add", "--setting", "x86_64"]);
    document(&["rewrite", "project/add.c", "--function", "add", "--recipe", "neutralize"]);
    document(&["check", "project/add.c", "project/add.c", "--function", "add"]);
    document(&["lower", "project/add.c", "--function", "add", "--target", "x86_64"]);
    document(&["queries", "B"]);
    document(&["search", "B", "--model", "bm25"]);
    let written = document(&["generate", "B", "--model", "gold"]);
    assert_eq!((&written["settings"][1], &written["levels"][1]["passed"]), (&"neutralized".into(), &1.into()));
    document(&["review", "runs/generate-gold", "--sample", "sample.csv"]);
    let pair = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pairs/acc");
    let made = document(&["pairs", pair, "--out", "Q", "--settings", "L1"]);
    assert_eq!((&made["crash_confirmed"], &made["rungs"]["L1"]), (&1.into(), &1.into()));
    document(&["detect", "Q", "--model", "always"]);
    let probed = document(&["probe", "Q", "--model", "gold"]);
    assert_eq!(probed["levels"][1]["accuracy"]["value"], 1.0);
    document(&["export", "B", "--format", "clarc", "--out", "C"]);
    document(&["import", "clarc", "C", "--out", "D"]);
    document(&["cache"]);
    document(&["cache", "verify"]);
    document(&["cache", "prune"]);
    document(&["doctor"]);
    document(&["explain", "L4"]);
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    let commands = help.split_once("Commands:").unwrap().1.split_once("\n\n").unwrap().0;
    for command in commands.lines().filter_map(|line| line.split_whitespace().next()) {
        let has_json = whole(&run(&[command, "--help"])).contains("--json");
        assert_eq!(has_json, tried.contains(command), "{command}");
    }
}
