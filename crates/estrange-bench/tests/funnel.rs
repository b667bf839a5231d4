//! The funnel's numbers: everything found is kept or lost, whichever way it is cut.

#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use estrange_bench::evidence::SameCode;
use estrange_bench::funnel::{Class, Distribution, Funnel, Statistics};
use estrange_bench::*;
use proptest::collection::vec;
use proptest::prelude::*;

#[test]
fn the_funnel_of_a_small_bench() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let bench = Bench::open(folder.path()).unwrap();
    let funnel = Funnel::of(&bench).unwrap();
    assert_eq!(funnel.total, bench.manifest().counts);
    assert_eq!(funnel.by_class[&Class::CppMethod].found, 2);
    assert_eq!(funnel.by_class[&Class::CppMethod].kept_share(), Some(0.5));
    assert_eq!(funnel.by_source["deb:gone"].losses_in_all(), 1);
    assert_eq!(funnel.by_role["library"].found, 3);
    assert_eq!(funnel.kept_by_group, [(Group::One, 1), (Group::Three, 1)].into());
}

#[test]
fn what_is_left_out_by_choice_was_usable() {
    let lost = |stage: Stage| Rejected { stage, ..rejected("a") };
    let rejected =
        [Stage::Duplicate, Stage::Balance, Stage::Compile, Stage::Parse].map(|stage| RejectedFacts::from(&lost(stage)));
    let counts = Funnel::count(&[FunctionFacts::from(&function("b"))], &rejected).total;
    assert_eq!((counts.found, counts.kept, counts.usable()), (5, 1, 3));
    assert_eq!(counts.usable_share(), Some(0.6));
}

#[test]
fn the_statistics_of_a_small_bench() {
    let folder = tempfile::tempdir().unwrap();
    sample(folder.path());
    let facts: Vec<FunctionFacts> =
        Bench::open(folder.path()).unwrap().function_facts().unwrap().map(Result::unwrap).collect();
    let statistics = Statistics::of(&facts);
    let total = &statistics.all.total;
    assert_eq!((total.functions, total.mean_tokens, total.mean_loc), (2, Some(17.0), Some(3.0)));
    assert_eq!((total.mean_cyclomatic_complexity, total.mean_unique_keywords), (Some(1.0), Some(2.0)));
    assert_eq!(total.mean_model_tokens, Some(30.0), "the mean of those that have the number");
    assert_eq!(total.unit_lines, Some(Distribution { median: 4, p90: 40, max: 40 }));
    assert_eq!((total.linkable, total.linkable_share), (1, Some(0.5)));
    assert_eq!(total.unlinkable, [(Reason::TooManyLines, 1)].into());
    assert_eq!(total.same_code["o2"], [(SameCode::Same, 1)].into());
    assert_eq!(total.same_code_share, Some(0.5));
    assert_eq!(statistics.by_split[&Split::Eval], statistics.all);
    assert_eq!(statistics.all.groups[&Group::One].functions, 1);
    assert_eq!(statistics.by_class[&Class::C].functions, 1);
    assert!(serde_json::to_string(&statistics).unwrap().contains(r#""c++-method":{"functions":1"#));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn found_is_kept_and_rejected(functions in vec(any_function(), 0..20), rejected in vec(any_rejected(), 0..20)) {
        let kept: Vec<FunctionFacts> = functions.iter().map(FunctionFacts::from).collect();
        let lost: Vec<RejectedFacts> = rejected.iter().map(RejectedFacts::from).collect();
        let funnel = Funnel::count(&kept, &lost);
        let functions_lost = lost.iter().filter(|lost| lost.is_function()).count();
        prop_assert_eq!(funnel.total.found as usize, kept.len() + functions_lost);
        prop_assert_eq!(funnel.total.kept as usize, kept.len());
        prop_assert_eq!(funnel.total.losses_in_all() as usize, lost.len() - functions_lost);
        prop_assert!(funnel.total.adds_up());
        let cuts = [
            funnel.by_source.values().collect::<Vec<_>>(),
            funnel.by_class.values().collect(),
            funnel.by_role.values().collect(),
        ];
        for cut in cuts {
            prop_assert!(cut.iter().all(|counts| counts.adds_up()));
            let mut sum = Counts::default();
            cut.iter().for_each(|counts| sum.add(counts));
            prop_assert_eq!(&sum, &funnel.total);
        }
        for kept in [funnel.kept_by_group.values().sum::<u64>(), funnel.kept_by_split.values().sum()] {
            prop_assert_eq!(kept, funnel.total.kept);
        }
        let statistics = Statistics::of(&kept);
        prop_assert_eq!(statistics.all.groups.values().map(|group| group.functions).sum::<u64>(), funnel.total.kept);
    }
}
