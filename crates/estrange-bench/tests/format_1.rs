//! A bench of format version 1 is refused with what to do about it: its functions have no lineage.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use estrange_bench::Bench;
use estrange_words::Hint;

#[test]
fn a_bench_of_the_former_version_is_refused_with_how_to_make_it_again() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format-1");
    let error = Bench::open(fixture).unwrap_err();
    assert!(error.to_string().ends_with("has the format version 1; this program knows version 2"), "{error}");
    assert!(error.hint().unwrap().contains("manifest.json has its sources and options"), "{:?}", error.hint());
}
