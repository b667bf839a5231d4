//! Garbage in the files of a bench is an error, never a panic, even where the manifest vouches for it.

#![allow(clippy::unwrap_used)]

mod common;
#[path = "common/damage.rs"]
mod damage;

use std::collections::BTreeMap;
use std::fs;
use std::sync::OnceLock;

use common::*;
use damage::{put_file, set_cell};
use estrange_bench::funnel::Funnel;
use estrange_bench::*;
use proptest::collection::vec;
use proptest::prelude::*;

/// The files of a bench, written once: writing one waits for the disk.
fn whole() -> &'static BTreeMap<String, Vec<u8>> {
    static FILES: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        sample(folder.path());
        files(folder.path())
    })
}

/// Puts other bytes in place of a file, with a manifest that says they are right, and reads everything.
fn read_with(name: &str, bytes: &[u8]) -> Result<usize, BenchError> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, bytes) in whole() {
        fs::write(folder.join(name), bytes).unwrap();
    }
    put_file(folder, name, bytes);
    let bench = Bench::open(folder)?;
    let mut read = 0;
    for function in bench.functions()? {
        read += function?.helpers.len();
    }
    for rejected in bench.rejected()? {
        read += rejected?.detail.len();
    }
    read += bench.function("a2")?.map_or(0, |function| function.text.len());
    Ok(read + Funnel::of(&bench)?.total.found as usize)
}

#[test]
fn evidence_that_is_damaged_is_refused_and_never_taken_for_none() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    sample(folder);
    let with_evidence = |text: &str| {
        set_cell(folder, "functions.parquet", "evidence", 1, text);
        let bench = Bench::open(folder).unwrap();
        let read = [
            bench.functions().unwrap().collect::<Result<Vec<_>, _>>().map(drop),
            bench.function("a2").map(drop),
            Funnel::of(&bench).map(drop),
        ];
        read.map(|read| read.map_err(|error| error.to_string()))
    };
    assert_eq!(with_evidence("{}"), [Ok(()), Ok(()), Ok(())]);
    for (text, wrong) in [
        ("", "it is no JSON object"),
        ("{", "EOF while parsing an object at line 1 column 1"),
        (r#"{"same_code":{"o0":"samt"}}"#, "`samt` is none of same, explained,"),
        (r#"{"same-code":{}}"#, "unknown field `same-code`"),
    ] {
        for said in with_evidence(text).map(Result::unwrap_err) {
            let expected = format!("functions.parquet is damaged: column `evidence`, row 2: {wrong}");
            assert!(said.contains(&expected), "{text}: {said}");
        }
    }
}

#[test]
fn every_truncation_is_an_error() {
    let whole = &whole()["functions.parquet"];
    for length in (0..whole.len()).step_by(23) {
        let error = read_with("functions.parquet", &whole[..length]).unwrap_err();
        assert!(matches!(error, BenchError::Damaged { .. }), "{length}: {error}");
    }
    read_with("functions.parquet", whole).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wrong_bytes_do_not_panic(
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        in_functions: bool,
        near_the_end: bool,
    ) {
        let name = if in_functions { "functions.parquet" } else { "rejected.parquet" };
        let mut bytes = whole()[name].clone();
        // The footer says where everything is, and is the easier to get wrong.
        let start = if near_the_end { bytes.len() * 2 / 3 } else { 0 };
        for (index, byte) in changes {
            let place = start + index.index(bytes.len() - start);
            bytes[place] = byte;
        }
        let _ = read_with(name, &bytes);
    }

    #[test]
    fn any_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..200), framed: bool) {
        let bytes = if framed { [b"PAR1", &bytes[..], b"\x10\0\0\0PAR1"].concat() } else { bytes };
        prop_assert!(read_with("rejected.parquet", &bytes).is_err());
    }
}
