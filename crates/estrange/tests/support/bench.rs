//! A small bench to show and count, written as a build writes one.

// Each test file uses a part of this.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::path::Path;

use estrange_bench::{
    Counts, Function, Group, Helper, Kind, Language, Lock, Provenance, Reason, Rejected, Source, Split, Stage, write,
};

/// A function in C that calls another.
pub fn clamp() -> Function {
    let text = "int clamp(int value, int low, int high)\n{\n\tif (value < low)\n\t\treturn smaller(low, 0x7f);\n\treturn value > high ? high : value;\n}";
    let unit = format!("#include <limits.h>\n/* The smaller one. */\nint smaller(int a, int b);\n\n{text}\n");
    Function {
        id: "5e0c1d2f3a4b5c6d7e8f9a0b".to_owned(),
        lineage: "b0a9f8e7d6c5b4a3f2d1c0e5".to_owned(),
        source: "deb:numbers".to_owned(),
        version: "1.2-3".to_owned(),
        path: "src/clamp.c".to_owned(),
        line_start: 10,
        line_end: 15,
        name: "clamp".to_owned(),
        qualified_name: "clamp".to_owned(),
        kind: Kind::Function,
        language: Language::C,
        role: "library".to_owned(),
        licence: "MIT".to_owned(),
        licence_class: "permissive".to_owned(),
        group: Group::Three,
        split: Split::Eval,
        text: text.to_owned(),
        linked_unit: Some(unit.replace("int b);", "int b) { return a < b ? a : b; }")),
        unit_start: place(&unit, text).0,
        unit_end: place(&unit, text).1,
        linked_start: None,
        linked_end: None,
        unit,
        linkable: true,
        unlinkable_reason: None,
        flags: vec!["-std=c99".to_owned()],
        helpers: vec![Helper {
            name: "smaller".to_owned(),
            id: Some("77aa0000".to_owned()),
            depth: 1,
            text: String::new(),
            linked_start: None,
            linked_end: None,
        }],
        long_text: None,
        long_start: None,
        types: vec![],
        includes: vec!["limits.h".to_owned()],
        comment: Some("/** Brings a value between two bounds.\n *  @param value the value */".to_owned()),
        loc: 6,
        cyclomatic_complexity: 3,
        tokens: 37,
        model_tokens: None,
        unique_keywords: 3,
        unit_lines: 10,
        linked_lines: Some(10),
        evidence:
            r#"{"compiles":{"clang":"19.1.7","gcc":"12.2.0"},"same_code":{"o0":"same","o2":"same"}}"#.parse().unwrap(),
        duplicates: vec!["d0d0".to_owned()],
    }
}

/// Where a text stands in a unit that has it once.
fn place(unit: &str, text: &str) -> (Option<u32>, Option<u32>) {
    let start = unit.find(text).map(|start| start as u32);
    (start, start.map(|start| start + text.len() as u32))
}

/// A method in C++ that cannot be linked.
pub fn push() -> Function {
    let text = "bool stack::push(const item& one) { return items.size() < limit && add(one); }";
    let unit = format!("#include <vector>\nstruct item;\nclass stack {{ std::vector<item*> items; }};\n{text}\n");
    Function {
        id: "aa00bb11".to_owned(),
        source: "crate:stacks-sys".to_owned(),
        version: "0.3.0".to_owned(),
        path: "vendor/stack.cpp".to_owned(),
        line_start: 40,
        line_end: 40,
        name: "push".to_owned(),
        qualified_name: "stack::push".to_owned(),
        kind: Kind::Method,
        language: Language::Cpp,
        licence: "GPL-3.0-only".to_owned(),
        licence_class: "restrictive".to_owned(),
        group: Group::Two,
        split: Split::Train,
        text: text.to_owned(),
        unit_start: place(&unit, text).0,
        unit_end: place(&unit, text).1,
        unit,
        linked_unit: None,
        linkable: false,
        unlinkable_reason: Some(Reason::TooManyLines),
        flags: vec![],
        helpers: vec![],
        types: vec!["item".to_owned(), "stack".to_owned()],
        comment: None,
        loc: 1,
        cyclomatic_complexity: 2,
        tokens: 25,
        model_tokens: Some(41),
        unique_keywords: 3,
        unit_lines: 4,
        linked_lines: None,
        evidence: r#"{"same_code":{"o0":"same","o2":"absent-in-original"}}"#.parse().unwrap(),
        duplicates: vec![],
        ..clamp()
    }
}

/// Another function of the first one's source, of a test.
pub fn check() -> Function {
    let text = "int check(void) { return 0; }";
    Function {
        id: "5e99".to_owned(),
        path: "tests/check.c".to_owned(),
        line_start: 1,
        line_end: 1,
        name: "check".to_owned(),
        qualified_name: "check".to_owned(),
        role: "test".to_owned(),
        group: Group::One,
        text: text.to_owned(),
        unit: text.to_owned(),
        unit_start: place(text, text).0,
        unit_end: place(text, text).1,
        linked_unit: Some(text.to_owned()),
        helpers: vec![],
        includes: vec![],
        flags: vec![],
        comment: None,
        loc: 1,
        cyclomatic_complexity: 1,
        tokens: 10,
        unique_keywords: 3,
        unit_lines: 1,
        linked_lines: Some(1),
        duplicates: vec![],
        ..clamp()
    }
}

/// A function that gcc refused.
pub fn refused() -> Rejected {
    Rejected {
        id: Some("77aa0000".to_owned()),
        source: "deb:numbers".to_owned(),
        version: Some("1.2-3".to_owned()),
        path: Some("src/smaller.c".to_owned()),
        line_start: Some(7),
        line_end: Some(8),
        name: Some("smaller".to_owned()),
        kind: Some(Kind::Function),
        language: Some(Language::C),
        role: Some("library".to_owned()),
        stage: Stage::Compile,
        reason: Reason::GccRefuses,
        detail: "smaller.c:7: error: unknown type name ‘number’\nnumber smaller(number a)\n^~~~~~".to_owned(),
        text: Some("number smaller(number a, number b)\n{ return a < b ? a : b; }".to_owned()),
    }
}

/// A function that is a copy of another.
pub fn copy() -> Rejected {
    Rejected {
        id: Some("d0d0".to_owned()),
        path: Some("copy/clamp.c".to_owned()),
        line_start: Some(10),
        line_end: Some(15),
        name: Some("clamp".to_owned()),
        stage: Stage::Duplicate,
        reason: Reason::ExactDuplicate,
        detail: "of 5e0c1d2f3a4b5c6d7e8f9a0b, similarity 1.000".to_owned(),
        text: Some(clamp().text),
        ..refused()
    }
}

/// A file that was lost.
pub fn lost_file() -> Rejected {
    Rejected {
        id: None,
        path: Some("src/windows.c".to_owned()),
        line_start: None,
        line_end: None,
        name: None,
        kind: None,
        language: None,
        role: None,
        stage: Stage::Parse,
        reason: Reason::DoesNotPreprocess,
        detail: "windows.h: no such file".to_owned(),
        text: None,
        ..refused()
    }
}

/// A source that was lost.
pub fn lost_source() -> Rejected {
    Rejected {
        source: "deb:gone".to_owned(),
        version: None,
        path: None,
        stage: Stage::Source,
        reason: Reason::NotFound,
        detail: "deb:gone does not exist".to_owned(),
        ..lost_file()
    }
}

/// What a bench of these is made from.
pub fn provenance() -> Provenance {
    let source = |spec: &str, version: &str, split| Source {
        spec: spec.to_owned(),
        pinned: format!("{spec}={version}"),
        version: version.to_owned(),
        tree: "00ff".to_owned(),
        licences: BTreeMap::new(),
        split,
        counts: Counts::default(),
    };
    Provenance {
        estrange: "0.1.0".to_owned(),
        seed: 7,
        config: serde_json::json!({}),
        tools: BTreeMap::from([("gcc".to_owned(), "12.2.0".to_owned())]),
        sources: vec![source("deb:numbers", "1.2-3", Split::Eval), source("crate:stacks-sys", "0.3.0", Split::Train)],
    }
}

/// Writes the whole bench.
pub fn write_bench(folder: &Path) {
    let lock = Lock::acquire(folder).unwrap();
    let rejected = [refused(), copy(), lost_file(), lost_source()];
    write(&lock, provenance(), [clamp(), push(), check()], rejected).unwrap();
}
