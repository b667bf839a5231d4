//! A small bench of pairs: some of our own, as they were written and with another name for the function.

// Each test file uses a part of this.
#![allow(dead_code, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use estrange_bench::{
    BugPair, End, Function, Label, Lock, Provenance, Rung, RungEvidence, Source, Split, put_pairs, write,
};
use estrange_text::lexer::lex;
use estrange_text::outline::definitions;
use serde_json::json;

/// A pair in the folder of our own.
struct Own {
    name: String,
    function: String,
    line: String,
    vulnerable: String,
    patched: String,
}

/// The value of a key that stands on a line of its own.
fn value(toml: &str, key: &str) -> String {
    let line = toml.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('=')).unwrap_or_default();
    line.trim().trim_matches('"').replace("\\\"", "\"")
}

/// The first pairs in C, in the order of their names, whose fault is told by its line.
fn own(most: usize) -> Vec<Own> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pairs");
    let mut folders: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let read = |folder: &PathBuf| {
        let toml = fs::read_to_string(folder.join("pair.toml")).ok()?;
        let pair = Own {
            name: folder.file_name()?.to_str()?.to_owned(),
            function: value(&toml, "function"),
            line: value(&toml, "line"),
            vulnerable: fs::read_to_string(folder.join("vulnerable.c")).ok()?,
            patched: fs::read_to_string(folder.join("patched.c")).ok()?,
        };
        let is_once = pair.vulnerable.lines().filter(|line| line.trim() == pair.line).count() == 1;
        (is_once && place(&pair.vulnerable, &pair.function).is_some()).then_some(pair)
    };
    folders.iter().filter_map(read).take(most).collect()
}

/// Where a function is in its unit.
fn place(unit: &str, function: &str) -> Option<(u32, u32)> {
    let found = definitions(unit, &lex(unit)).into_iter().find(|each| each.name(unit) == function)?;
    Some((found.start, found.end))
}

fn function(id: &str) -> Function {
    serde_json::from_value(json!({
        "id": id, "lineage": id, "source": "pairs", "version": "1", "path": "a.c", "line_start": 1, "line_end": 2, "name": id,
        "qualified_name": id, "kind": "function", "language": "c", "role": "library", "licence": "MIT",
        "licence_class": "permissive", "group": "1", "split": "eval", "text": "int f;", "unit": "int f;",
        "linkable": false, "flags": [], "helpers": [], "types": [], "includes": [], "loc": 1,
        "cyclomatic_complexity": 1, "tokens": 3, "unique_keywords": 1, "unit_lines": 1, "evidence": "{}", "duplicates": [],
    }))
    .unwrap()
}

fn pair(own: &Own, label: Label) -> BugPair {
    BugPair {
        name: own.name.clone(),
        lineage: own.name.clone(),
        vulnerable_id: format!("{}-v", own.name),
        patched_id: format!("{}-p", own.name),
        fix: own.name.clone(),
        changed_functions: 1,
        patch: String::new(),
        description: "A check is missing.".to_owned(),
        cves: Vec::new(),
        cwe: Some(190),
        label,
        reason: None,
        detail: None,
        trigger: None,
        class: (label == Label::CrashConfirmed).then_some(End::AddOverflow),
        fault_function: Some(own.function.clone()),
        fault_line: None,
        fault_text: Some(own.line.clone()),
    }
}

fn rung(own: &Own, setting: &str) -> Rung {
    let name = if setting == "L0" { own.function.clone() } else { "func_0".to_owned() };
    let renamed = |unit: &str| unit.replace(&own.function, &name);
    let (vulnerable, patched) = (renamed(&own.vulnerable), renamed(&own.patched));
    let line = own.line.replace(&own.function, &name);
    let fault = vulnerable.lines().position(|each| each.trim() == line).map(|place| place as u32 + 1);
    let of_vulnerable = place(&vulnerable, &name).unwrap();
    let of_patched = place(&patched, &name).unwrap();
    Rung {
        pair: own.name.clone(),
        setting: setting.to_owned(),
        seed: 0,
        vulnerable_unit: vulnerable,
        vulnerable_start: of_vulnerable.0,
        vulnerable_end: of_vulnerable.1,
        fault_line: fault,
        patched_unit: patched,
        patched_start: of_patched.0,
        patched_end: of_patched.1,
        surface_distance: 0.0,
        expansion: 1.0,
        evidence: RungEvidence::default().into(),
    }
}

/// Writes a bench of so many pairs, at L0 and L1; of one more, nothing was run.
pub fn write_pairs(folder: &Path, most: usize) {
    let all = own(most + 1);
    assert_eq!(all.len(), most + 1);
    let label = |place: usize| if place < most { Label::CrashConfirmed } else { Label::Reasoned };
    let pairs: Vec<BugPair> = all.iter().enumerate().map(|(place, own)| pair(own, label(place))).collect();
    let mut ids: Vec<&String> = pairs.iter().flat_map(|pair| [&pair.vulnerable_id, &pair.patched_id]).collect();
    ids.sort();
    let lock = Lock::acquire(folder).unwrap();
    let functions: Vec<Function> = ids.into_iter().map(|id| function(id)).collect();
    let source = Source {
        spec: "pairs".to_owned(),
        pinned: "pairs".to_owned(),
        version: "1".to_owned(),
        tree: "00ff".to_owned(),
        licences: Default::default(),
        split: Split::Eval,
        counts: Default::default(),
    };
    write(&lock, Provenance { sources: vec![source], ..Provenance::default() }, functions, []).unwrap();
    let rungs: Vec<Rung> = all.iter().flat_map(|own| ["L0", "L1"].map(|setting| rung(own, setting))).collect();
    put_pairs(&lock, pairs, rungs, []).unwrap();
}
