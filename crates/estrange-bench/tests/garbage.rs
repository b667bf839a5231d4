//! Garbage in the files of a bench is an error, never a panic, even where the manifest vouches for it.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;

use common::*;
use estrange_bench::*;
use proptest::collection::vec;
use proptest::prelude::*;

/// Puts other bytes in place of a file, with a manifest that says they are right, and reads everything.
fn read_with(folder: &Path, name: &str, bytes: &[u8]) -> Result<usize, BenchError> {
    fs::write(folder.join(name), bytes).unwrap();
    let path = folder.join("manifest.json");
    let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    manifest["files"][name]["blake3"] = blake3::hash(bytes).to_hex().as_str().into();
    manifest["files"][name]["bytes"] = bytes.len().into();
    fs::write(&path, manifest.to_string()).unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let whole = fs::read(folder.path().join("functions.parquet")).unwrap();
    for length in (0..whole.len()).step_by(7) {
        let error = read_with(folder.path(), "functions.parquet", &whole[..length]).unwrap_err();
        assert!(matches!(error, BenchError::Damaged { .. }), "{length}: {error}");
    }
    read_with(folder.path(), "functions.parquet", &whole).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wrong_bytes_do_not_panic(
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        in_functions: bool,
        near_the_end: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        sample(folder.path());
        let name = if in_functions { "functions.parquet" } else { "rejected.parquet" };
        let mut bytes = fs::read(folder.path().join(name)).unwrap();
        // The footer says where everything is, and is the easier to get wrong.
        let start = if near_the_end { bytes.len() * 2 / 3 } else { 0 };
        for (index, byte) in changes {
            let place = start + index.index(bytes.len() - start);
            bytes[place] = byte;
        }
        let _ = read_with(folder.path(), name, &bytes);
    }

    #[test]
    fn any_bytes_do_not_panic(bytes in vec(any::<u8>(), 0..200), framed: bool) {
        let folder = tempfile::tempdir().unwrap();
        sample(folder.path());
        let bytes = if framed { [b"PAR1", &bytes[..], b"\x10\0\0\0PAR1"].concat() } else { bytes };
        prop_assert!(read_with(folder.path(), "rejected.parquet", &bytes).is_err());
    }
}
