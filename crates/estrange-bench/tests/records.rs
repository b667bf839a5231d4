//! Records come back from batches and from disk as they went in, and the same records give the same bytes.

#![allow(clippy::unwrap_used)]

mod common;

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array};
use common::*;
use estrange_bench::*;
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn the_columns_are_the_contract() {
    let expected = "id lineage source version path line_start line_end name qualified_name kind language role licence \
                    licence_class group split text unit unit_start unit_end linked_unit linked_start linked_end \
                    linkable unlinkable_reason flags helpers long_text long_start types includes comment loc cyclomatic_complexity tokens model_tokens unique_keywords unit_lines \
                    linked_lines evidence duplicates";
    assert_eq!(columns::<Function>().join(" "), expected);
    let expected = "id source version path line_start line_end name kind language role stage reason detail text";
    assert_eq!(columns::<Rejected>().join(" "), expected);
}

#[test]
fn the_narrow_records_are_part_of_the_wide_ones() {
    fn check<Narrow: Rows, Wide: Rows>() {
        let wide = schema::<Wide>();
        for field in schema::<Narrow>().fields() {
            assert_eq!(field.as_ref(), wide.field_with_name(field.name()).unwrap());
        }
    }
    check::<FunctionFacts, Function>();
    check::<RejectedFacts, Rejected>();
}

#[test]
fn a_batch_that_is_not_of_the_type_says_which_column() {
    let refuse = |name: &str, array: Option<ArrayRef>| {
        let batch = to_batch(&[rejected("a")]).unwrap();
        let schema = batch.schema();
        let columns = schema.fields().iter().zip(batch.columns()).filter_map(|(field, column)| {
            let column = if field.name() == name { array.clone()? } else { column.clone() };
            Some((field.name().clone(), column))
        });
        from_batch::<Rejected>(&RecordBatch::try_from_iter(columns).unwrap()).unwrap_err().to_string()
    };
    assert_eq!(refuse("stage", None), "column `stage`: it is not there");
    let number: ArrayRef = Arc::new(UInt32Array::from(vec![1]));
    assert_eq!(refuse("stage", Some(number)), "column `stage`: it has the type UInt32, not Utf8");
    let missing: ArrayRef = Arc::new(StringArray::new_null(1));
    assert_eq!(refuse("stage", Some(missing)), "column `stage`, row 1: a value is missing");
    let word: ArrayRef = Arc::new(StringArray::from(vec!["fortran"]));
    assert_eq!(refuse("language", Some(word)), "column `language`, row 1: `fortran` is none of c, c++");
}

#[test]
fn an_empty_bench_is_a_bench() {
    let folder = tempfile::tempdir().unwrap();
    let lock = Lock::acquire(folder.path()).unwrap();
    write(&lock, Provenance::default(), [], []).unwrap();
    let bench = Bench::open(folder.path()).unwrap();
    assert_eq!(bench.functions().unwrap().count(), 0);
    assert_eq!(bench.function_facts().unwrap().count(), 0);
    assert_eq!(bench.function("a").unwrap(), None);
    assert_eq!(to_batch::<Function>(&[]).unwrap().num_rows(), 0);
}

#[test]
fn a_function_is_found_by_its_id_among_many() {
    let folder = tempfile::tempdir().unwrap();
    let lock = Lock::acquire(folder.path()).unwrap();
    // More than a batch, more than a row group, and texts enough for several pages.
    let functions = (0..9000).map(|n| Function { unit: format!("{n} ").repeat(100), ..function(&format!("{n:x}")) });
    write(&lock, provenance(&["deb:example"]), functions, []).unwrap();
    let bench = Bench::open(folder.path()).unwrap();
    for n in [0, 255, 256, 8191, 8192, 8999] {
        let found = bench.function(&format!("{n:x}")).unwrap().unwrap();
        assert_eq!((found.id, found.unit), (format!("{n:x}"), format!("{n} ").repeat(100)));
    }
    assert_eq!(bench.function("9000").unwrap(), None);
    let ids: Vec<String> = bench.function_facts().unwrap().map(|facts| facts.unwrap().id).collect();
    assert!(ids.iter().enumerate().all(|(n, id)| *id == format!("{n:x}")) && ids.len() == 9000);
}

#[test]
fn columns_can_be_read_alone() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let bench = Bench::open(folder.path()).unwrap();
    let mut batches = bench.batches(Table::Functions, Some(&["group", "helpers"])).unwrap();
    let batch = batches.next().unwrap().unwrap();
    assert_eq!((batch.num_columns(), batch.num_rows()), (2, 2));
    assert!(batches.next().is_none());
    let error = bench.batches(Table::Rejected, Some(&["colour"])).unwrap_err();
    assert_eq!(error.to_string(), "column `colour`: it is not there");
}

#[test]
fn ids_and_sources_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let lock = Lock::acquire(folder.path()).unwrap();
    let error = write(&lock, provenance(&["deb:example"]), [function("a"), function("a")], []).unwrap_err();
    assert!(matches!(&error, BenchError::DoubleId { id } if id == "a"), "{error}");
    let error = write(&lock, provenance(&[]), [function("a")], []).unwrap_err();
    assert_eq!(error.to_string(), "function a is from deb:example, which is not among the sources");
    let manifest = write(&lock, provenance(&["deb:example", "deb:example"]), [function("a")], []).unwrap();
    assert_eq!(manifest.counts.kept, 1);
    assert!(Bench::open(folder.path()).is_ok(), "a source that is named twice is counted once");
}

#[test]
fn the_manifest_counts_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = sample(folder.path());
    assert_eq!(Bench::open(folder.path()).unwrap().manifest(), &manifest);
    assert_eq!((manifest.counts.found, manifest.counts.kept), (3, 2));
    assert_eq!(manifest.counts.rejected[&Stage::Compile][&Reason::GccRefuses], 1);
    assert_eq!(manifest.counts.losses[&Stage::Source][&Reason::NotFound], 1);
    assert_eq!(manifest.sources[0].counts.found, 3);
    let text = std::fs::read_to_string(folder.path().join("manifest.json")).unwrap();
    let config = text.split("\"config\":").nth(1).unwrap();
    assert!(config.find("\"balance\"") < config.find("\"max_unit_lines\""), "keys are sorted: {config}");
    assert!(!text.contains(folder.path().to_str().unwrap()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_batch_gives_back_its_records(functions in vec(any_function(), 0..5), rejected in vec(any_rejected(), 0..5)) {
        let batch = to_batch(&functions).unwrap();
        prop_assert_eq!(from_batch::<Function>(&batch).unwrap(), functions.clone());
        let facts: Vec<FunctionFacts> = functions.iter().map(FunctionFacts::from).collect();
        prop_assert_eq!(from_batch::<FunctionFacts>(&batch).unwrap(), facts);
        // A part of a batch too, whose arrays do not begin at their beginning.
        let tail = batch.slice(functions.len() / 2, functions.len() - functions.len() / 2);
        prop_assert_eq!(&from_batch::<Function>(&tail).unwrap()[..], &functions[functions.len() / 2..]);

        let batch = to_batch(&rejected).unwrap();
        prop_assert_eq!(from_batch::<Rejected>(&batch).unwrap(), rejected.clone());
        let facts: Vec<RejectedFacts> = rejected.iter().map(RejectedFacts::from).collect();
        prop_assert_eq!(from_batch::<RejectedFacts>(&batch).unwrap(), facts);
    }

    #[test]
    fn a_bench_gives_back_its_records_and_the_same_bytes(
        functions in vec(any_function(), 0..20),
        rejected in vec(any_rejected(), 0..20),
    ) {
        let provenance = provenance(&["x", "y", "z"]);
        let [first, second] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        for folder in [&first, &second] {
            let lock = Lock::acquire(folder.path()).unwrap();
            write(&lock, provenance.clone(), functions.clone(), rejected.clone()).unwrap();
        }
        prop_assert_eq!(files(first.path()), files(second.path()));
        let bench = Bench::open(first.path()).unwrap();
        prop_assert_eq!(bench.functions().unwrap().collect::<Result<Vec<_>, _>>().unwrap(), functions.clone());
        prop_assert_eq!(bench.rejected().unwrap().collect::<Result<Vec<_>, _>>().unwrap(), rejected);
        for function in &functions {
            prop_assert_eq!(bench.function(&function.id).unwrap(), Some(function.clone()));
        }
    }
}
