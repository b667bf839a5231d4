//! Records to test with, made by hand and by chance.

#![allow(dead_code, reason = "each test uses its own part of this")]

use std::collections::BTreeMap;
use std::path::Path;

use estrange_bench::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A small function with everything filled in.
pub fn function(id: &str) -> Function {
    Function {
        id: id.to_owned(),
        lineage: format!("lineage of {id}"),
        source: "deb:example".to_owned(),
        version: "1.2-3".to_owned(),
        path: "src/add.c".to_owned(),
        line_start: 3,
        line_end: 5,
        name: "add".to_owned(),
        qualified_name: "add".to_owned(),
        kind: Kind::Function,
        language: Language::C,
        role: "library".to_owned(),
        licence: "MIT".to_owned(),
        licence_class: "permissive".to_owned(),
        group: Group::Three,
        split: Split::Eval,
        text: "int add(int a, int b) {\n    return plus(a, b);\n}".to_owned(),
        unit: "int plus(int a, int b);\nint add(int a, int b) {\n    return plus(a, b);\n}\n".to_owned(),
        unit_start: Some(24),
        unit_end: Some(70),
        linked_unit: Some("int plus(int a, int b) { return a + b; }\nint add(int a, int b) {…}\n".to_owned()),
        linked_start: Some(41),
        linked_end: Some(68),
        linkable: true,
        unlinkable_reason: None,
        flags: vec!["-std=c99".to_owned()],
        helpers: vec![
            Helper {
                name: "plus".to_owned(),
                id: Some("b2".to_owned()),
                depth: 1,
                text: "int plus…".to_owned(),
                linked_start: Some(0),
                linked_end: Some(40),
            },
            Helper {
                name: "unknown".to_owned(),
                id: None,
                depth: 2,
                text: String::new(),
                linked_start: None,
                linked_end: None,
            },
        ],
        long_text: Some("int plus…\nint add…".to_owned()),
        long_start: Some(12),
        types: vec![],
        includes: vec!["stddef.h".to_owned()],
        comment: Some("/* Adds. */".to_owned()),
        loc: 3,
        cyclomatic_complexity: 1,
        tokens: 17,
        model_tokens: None,
        unique_keywords: 2,
        unit_lines: 4,
        linked_lines: Some(2),
        evidence: r#"{"same_code":{"o0":"same","o2":"same"}}"#.parse().unwrap(),
        duplicates: vec!["c3".to_owned()],
    }
}

/// A function that was lost.
pub fn rejected(id: &str) -> Rejected {
    Rejected {
        id: Some(id.to_owned()),
        source: "deb:example".to_owned(),
        version: Some("1.2-3".to_owned()),
        path: Some("src/odd.cpp".to_owned()),
        line_start: Some(1),
        line_end: Some(9),
        name: Some("odd".to_owned()),
        kind: Some(Kind::Method),
        language: Some(Language::Cpp),
        role: Some("library".to_owned()),
        stage: Stage::Compile,
        reason: Reason::GccRefuses,
        detail: "error: …".to_owned(),
        text: Some("void odd() {}".to_owned()),
    }
}

/// A whole source that was lost.
pub fn loss() -> Rejected {
    Rejected {
        id: None,
        source: "deb:gone".to_owned(),
        version: None,
        path: None,
        line_start: None,
        line_end: None,
        name: None,
        kind: None,
        language: None,
        role: None,
        stage: Stage::Source,
        reason: Reason::NotFound,
        detail: "deb:gone does not exist".to_owned(),
        text: None,
    }
}

/// A source of that name.
pub fn source(spec: &str) -> Source {
    Source {
        spec: spec.to_owned(),
        pinned: format!("{spec}=1.2-3"),
        version: "1.2-3".to_owned(),
        tree: "00ff".to_owned(),
        licences: BTreeMap::from([("MIT".to_owned(), 12)]),
        split: Split::Eval,
        counts: Counts::default(),
    }
}

/// A bench of these sources.
pub fn provenance(specs: &[&str]) -> Provenance {
    Provenance {
        estrange: "0.1.0".to_owned(),
        seed: 7,
        config: serde_json::json!({ "max_unit_lines": 5000, "balance": { "per_source": null, "by": "group" } }),
        tools: BTreeMap::from([("gcc".to_owned(), "12.2.0".to_owned())]),
        sources: specs.iter().map(|spec| source(spec)).collect(),
    }
}

/// A bench with two functions, one that was lost, and a source that was lost.
pub fn sample(folder: &Path) -> Manifest {
    let lock = Lock::acquire(folder).unwrap();
    let second = Function {
        language: Language::Cpp,
        kind: Kind::Method,
        group: Group::One,
        linkable: false,
        unlinkable_reason: Some(Reason::TooManyLines),
        linked_unit: None,
        linked_start: None,
        linked_end: None,
        linked_lines: None,
        model_tokens: Some(30),
        helpers: vec![],
        evidence: Json::default(),
        unit_lines: 40,
        ..function("a2")
    };
    write(&lock, provenance(&["deb:example"]), [function("a1"), second], [rejected("d4"), loss()]).unwrap()
}

/// Every file of a folder, by name.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect()
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-z]{1,9}", "\\PC{0,30}", Just("\0\n\r".to_owned())]
}

fn helper() -> impl Strategy<Value = Helper> {
    let place = (option::of(any::<u32>()), option::of(any::<u32>()));
    (text(), option::of(text()), any::<u32>(), text(), place).prop_map(|(name, id, depth, text, place)| Helper {
        name,
        id,
        depth,
        text,
        linked_start: place.0,
        linked_end: place.1,
    })
}

/// Any function; its id is not likely to be another's.
pub fn any_function() -> impl Strategy<Value = Function> {
    let words = (select(Kind::ALL), select(Language::ALL), select(Group::ALL), select(Split::ALL));
    let numbers = proptest::array::uniform7(any::<u32>());
    let optional = (option::of(text()), option::of(text()), option::of(text()), option::of(text()));
    let lists = (vec(text(), 0..3), vec(helper(), 0..3), vec(text(), 0..3), vec(text(), 0..3), vec(text(), 0..3));
    let texts = (text(), text(), text(), text(), text());
    let (sources, reasons) = (select(&["x", "y", "z"][..]), option::of(select(Reason::ALL)));
    let rest = (option::of(any::<u32>()), option::of(any::<u32>()), any::<bool>(), sources, reasons);
    ("[0-9a-f]{24}", words, numbers, optional, lists, texts, rest).prop_map(
        |(id, words, numbers, optional, lists, texts, rest)| Function {
            id,
            source: rest.3.to_owned(),
            version: texts.0,
            path: texts.1,
            line_start: numbers[0],
            line_end: numbers[1],
            name: texts.2,
            kind: words.0,
            language: words.1,
            group: words.2,
            split: words.3,
            text: texts.3,
            unit: texts.4,
            unit_start: rest.0,
            unit_end: rest.1,
            linked_unit: optional.0,
            linked_start: rest.1,
            linked_end: rest.0,
            linkable: rest.2,
            unlinkable_reason: rest.4,
            flags: lists.0,
            helpers: lists.1,
            long_text: optional.2,
            long_start: rest.0,
            types: lists.2,
            includes: lists.3,
            comment: optional.3,
            loc: numbers[2],
            cyclomatic_complexity: numbers[3],
            tokens: numbers[4],
            model_tokens: rest.0,
            unique_keywords: numbers[5],
            unit_lines: numbers[6],
            linked_lines: rest.1,
            duplicates: lists.4,
            ..function("")
        },
    )
}

/// Anything that was lost.
pub fn any_rejected() -> impl Strategy<Value = Rejected> {
    let identity = (option::of("[0-9a-f]{24}"), select(&["x", "y", "z"][..]), option::of(text()), option::of(text()));
    let words = (option::of(select(Kind::ALL)), option::of(select(Language::ALL)));
    let why = (select(Stage::ALL), select(Reason::ALL), text());
    let rest = (
        option::of(any::<u32>()),
        option::of(any::<u32>()),
        option::of(text()),
        option::of(text()),
        option::of(text()),
    );
    (identity, words, why, rest).prop_map(|(identity, words, why, rest)| Rejected {
        id: identity.0,
        source: identity.1.to_owned(),
        version: identity.2,
        path: identity.3,
        line_start: rest.0,
        line_end: rest.1,
        name: rest.2,
        kind: words.0,
        language: words.1,
        role: rest.3,
        stage: why.0,
        reason: why.1,
        detail: why.2,
        text: rest.4,
    })
}
