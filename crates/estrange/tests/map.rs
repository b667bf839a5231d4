//! Keeps the map true: what the documents and the architecture promise about the code is checked here.

#![allow(clippy::unwrap_used)]

#[path = "map/circles.rs"]
mod circles;
#[path = "map/spawning.rs"]
mod spawning;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file longer than this has a second subject.
const LONGEST_FILE: usize = 700;

/// The one crate that may start a process.
const SANDBOX: &str = "estrange-sandbox";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every Rust file below a folder, in order.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// A crate of the workspace, and the crates of the workspace it names in any of its dependency tables.
struct Crate {
    name: String,
    folder: PathBuf,
    uses: BTreeSet<String>,
}

fn crates() -> Vec<Crate> {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeSet<String> = packages.iter().map(|package| text(&package["name"])).collect();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap();
            let uses = dependencies.iter().map(|dependency| text(&dependency["name"]));
            Crate {
                name: text(&package["name"]),
                folder: Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned(),
                uses: uses.filter(|name| names.contains(name)).collect(),
            }
        })
        .collect()
}

/// The crates that a document's table names in its first column, in order.
fn table_of_crates(document: &str) -> Vec<String> {
    let first_cells = document.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let names = first_cells.filter_map(|cell| cell.split('`').nth(1));
    names.filter(|name| name.starts_with("estrange") && !name.contains(' ')).map(str::to_owned).collect()
}

#[test]
fn every_file_opens_with_its_purpose() {
    let mut silent = Vec::new();
    for path in rust_files(&root().join("crates")) {
        let text = fs::read_to_string(&path).unwrap();
        let purpose = text.lines().next().and_then(|line| line.strip_prefix("//! "));
        if purpose.is_none_or(|purpose| purpose.split_whitespace().count() < 3) {
            silent.push(path);
        }
    }
    assert!(silent.is_empty(), "these files do not open with `//!` and what they are for: {silent:#?}");
}

#[test]
fn no_file_has_grown_a_second_subject() {
    for path in rust_files(&root().join("crates")) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= LONGEST_FILE, "{} has {lines} lines: what is its second subject?", path.display());
    }
}

#[test]
fn the_tables_name_exactly_the_crates_that_exist() {
    let table = table_of_crates(&read("ARCHITECTURE.md"));
    let existing: BTreeSet<String> = crates().into_iter().map(|each| each.name).collect();
    assert_eq!(table.iter().cloned().collect::<BTreeSet<_>>(), existing, "the table of ARCHITECTURE.md");
    assert_eq!(table.len(), existing.len(), "ARCHITECTURE.md names a crate twice");
    assert_eq!(table_of_crates(&read("crates/README.md")), table, "crates/README.md, in ARCHITECTURE.md's order");
}

#[test]
fn dependencies_only_point_down() {
    let order = table_of_crates(&read("ARCHITECTURE.md"));
    let place = |name: &str| order.iter().position(|each| each == name);
    for each in crates() {
        for used in &each.uses {
            assert!(place(&each.name) < place(used), "{} must not use {used}, which stands above it", each.name);
        }
    }
}

#[test]
fn surveying_and_fetching_do_not_know_each_other_nor_evidence_the_rewrites() {
    for each in crates() {
        let forbidden = match each.name.as_str() {
            "estrange-project" => "estrange-source",
            "estrange-source" => "estrange-project",
            // What looks for names that a rewrite left must not share its mistakes.
            "estrange-evidence" => "estrange-rewrite",
            _ => continue,
        };
        assert!(!each.uses.contains(forbidden), "{} must not use {forbidden}", each.name);
    }
}

#[test]
fn no_process_is_started_outside_the_sandbox() {
    let mut found = Vec::new();
    for each in crates().into_iter().filter(|each| each.name != SANDBOX) {
        let files = rust_files(&each.folder.join("src")).into_iter().chain([each.folder.join("build.rs")]);
        for path in files.filter(|path| path.exists()) {
            let spawns = spawning::find(&fs::read_to_string(&path).unwrap());
            found.extend(spawns.into_iter().map(|spawn| format!("{}: {spawn}", path.display())));
        }
    }
    assert!(found.is_empty(), "only {SANDBOX} starts processes: {found:#?}");
}

/// Where there are circles still. No other place may get one; a place whose circle is broken leaves the list.
const CIRCLES: [&str; 4] = ["estrange crate", "estrange-bench crate", "estrange-build crate", "estrange-model crate"];

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let mut found = BTreeMap::new();
    for each in crates() {
        for circle in circles::find(&each.folder.join("src")) {
            let (place, modules) = circle.split_once(": ").unwrap();
            found.entry(format!("{} {place}", each.name)).or_insert_with(Vec::new).push(modules.to_owned());
        }
    }
    let places: Vec<&String> = found.keys().collect();
    assert_eq!(places, CIRCLES, "what several modules need belongs into one that needs none of them: {found:#?}");
}

/// Where tools run that are not confined, since they read nothing foreign: they fetch, tell their versions, or compile what is
/// our own.
const UNCONFINED: [&str; 13] = [
    "estrange-build/src/tools.rs",
    "estrange-evidence/src/alive.rs",
    "estrange-evidence/src/clang.rs",
    "estrange-evidence/src/gcc.rs",
    "estrange-evidence/src/symbols.rs",
    "estrange-oracle/src/engine.rs",
    "estrange-oracle/src/program.rs",
    "estrange-project/src/flags/store.rs",
    "estrange-project/src/flags/system.rs",
    "estrange-source/src/debian/apt.rs",
    "estrange-source/src/git.rs",
    "estrange-source/src/registry.rs",
    "estrange/src/doctor.rs",
];

#[test]
fn what_reads_foreign_text_is_confined() {
    let mut found = Vec::new();
    for package in crates().iter().filter(|package| package.name != SANDBOX) {
        for path in rust_files(&root().join("crates").join(&package.name).join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            let product = text.split("#[cfg(test)]").next().unwrap_or_default();
            let is_test = path.components().any(|part| part.as_os_str() == "tests.rs" || part.as_os_str() == "tests");
            if product.contains("Tool::new(") && !is_test {
                found.push(path.strip_prefix(root().join("crates")).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    assert_eq!(found, UNCONFINED, "a tool that reads foreign text comes from a `Workshop` or `Sandbox::tool`");
}

#[test]
fn the_sandbox_does_start_processes() {
    let files = rust_files(&root().join("crates").join(SANDBOX).join("src"));
    let found = files.iter().any(|path| !spawning::find(&fs::read_to_string(path).unwrap()).is_empty());
    assert!(found, "the check for spawning no longer sees what {SANDBOX} does");
}

#[test]
fn every_make_target_that_documents_name_exists() {
    let makefile = read("Makefile");
    for document in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ".ci/run"] {
        let text = read(document);
        // Only what is marked as a command: at the start of a line, in backticks, or run by a script.
        for marker in ["\nmake ", "`make ", "exec make "] {
            for rest in text.split(marker).skip(1) {
                let target: String = rest.chars().take_while(char::is_ascii_lowercase).collect();
                let rule = format!("\n{target}:");
                assert!(makefile.contains(&rule), "{document} names `make {target}`, which the Makefile lacks");
            }
        }
    }
    assert!(read(".ci/run").contains("make test"), ".ci/run runs what contributors run");
}

#[test]
fn every_command_that_the_readme_names_exists() {
    let help = Command::new(env!("CARGO_BIN_EXE_estrange")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for rest in read("README.md").split("\nestrange ").skip(1) {
        let command: String = rest.chars().take_while(char::is_ascii_lowercase).collect();
        assert!(help.contains(&format!("\n  {command} ")), "README.md names `estrange {command}`, which is not there");
    }
}

#[test]
fn the_readme_names_the_version_of_rust_that_is_needed() {
    let wanted = format!("{} or newer", env!("CARGO_PKG_RUST_VERSION"));
    assert!(read("README.md").contains(&wanted), "README.md should ask for Rust {wanted}");
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "crates/README.md"] {
        let folder = root().join(document).parent().unwrap().to_owned();
        let text = read(document);
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            if !target.is_empty() && !target.contains("://") {
                assert!(folder.join(target).exists(), "{document} links to {target}, which is not there");
            }
        }
    }
}

#[test]
fn every_file_that_the_architecture_names_exists() {
    let text = read("ARCHITECTURE.md");
    for path in text.split('`').skip(1).step_by(2) {
        if path.contains('/') && !path.contains(char::is_whitespace) {
            assert!(root().join(path).exists(), "ARCHITECTURE.md names {path}, which is not there");
        }
    }
}
