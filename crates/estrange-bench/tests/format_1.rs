//! A bench of format version 1, as it was written when that version began, still opens.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};

use common::*;
use estrange_bench::*;

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format-1")
}

#[test]
fn the_fixture_opens_and_says_what_was_written() {
    let bench = Bench::open(fixture()).unwrap();
    let fresh = tempfile::tempdir().unwrap();
    let manifest = sample(fresh.path());
    assert_eq!(bench.manifest().counts, manifest.counts);
    assert_eq!(bench.manifest().sources, manifest.sources);
    let again = Bench::open(fresh.path()).unwrap();
    let functions = |bench: &Bench| bench.functions().unwrap().map(Result::unwrap).collect::<Vec<_>>();
    assert_eq!(functions(&bench), functions(&again));
    let rejected = |bench: &Bench| bench.rejected().unwrap().map(Result::unwrap).collect::<Vec<_>>();
    assert_eq!(rejected(&bench), rejected(&again));
}

/// How the fixture came about. It is not to be written again within a format version: that is its point.
#[test]
#[ignore = "writes the fixture"]
fn write_the_fixture() {
    sample(&fixture());
}
