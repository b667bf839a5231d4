//! An oracle for all tests of a file, and what is expected of its verdicts.

use std::sync::{Arc, LazyLock};

use estrange_oracle::{Oracle, Prepared, Record, Settings, Variant, Verdict};
use estrange_sandbox::Workshop;
use estrange_unit::Parser;

pub static ORACLE: LazyLock<Oracle> = LazyLock::new(|| {
    let workshop = Workshop::temporary().unwrap().keeping(concat!(env!("CARGO_TARGET_TMPDIR"), "/kept"));
    let parser = Arc::new(Parser::new(2, &workshop).unwrap());
    Oracle::new(&workshop, parser, Settings::default()).unwrap()
});

/// What is said of rewrites.
#[allow(dead_code)]
pub fn verdicts(prepared: &Prepared<'_>, variants: &[Variant<'_>]) -> Vec<Verdict> {
    prepared.check(variants).unwrap().into_iter().map(|checked| checked.verdict).collect()
}

/// The first `right` rewrites agree; the others do something else.
// Not every file of tests asks for several verdicts.
#[allow(dead_code)]
#[track_caller]
pub fn expect(record: &Record, found: &[Verdict], right: usize) {
    for (number, verdict) in found.iter().enumerate() {
        if number < right {
            assert_eq!(*verdict, Verdict::Agrees, "right one {number}: {record:#?}");
        } else {
            assert!(matches!(verdict, Verdict::Differs(_)), "wrong one {number}: {verdict:?} {record:#?}");
        }
    }
}
