//! Garbage in the files of a bench is an error, never a panic, even where the manifest vouches for it.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::sync::OnceLock;

use common::*;
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
    fs::write(folder.join(name), bytes).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_slice(&whole()["manifest.json"]).unwrap();
    manifest["files"][name]["blake3"] = blake3::hash(bytes).to_hex().as_str().into();
    manifest["files"][name]["bytes"] = bytes.len().into();
    fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    let bench = Bench::open(folder)?;
    let mut read = 0;
    for function in bench.functions()? {
        read += function?.helpers.len();
    }
    for rejected in bench.rejected()? {
        read += rejected?.detail.len();
    }
    read += bench.function("a2")?.map_or(0, |function| function.text.len());
    Ok(read + funnel::Funnel::of(&bench)?.total.found as usize)
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
