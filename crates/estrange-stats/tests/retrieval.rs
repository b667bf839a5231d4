//! The metrics of rankings against the real pytrec_eval, to 1e-9, on random rankings with many ties.

#![allow(clippy::unwrap_used)]

mod peers;

use estrange_stats::retrieval::{Classes, Measure, Names, evaluate};
use peers::{Case, Package, Random};

const DOCUMENTS: usize = 300;

/// Every kind of measure that trec_eval has, at many cuts and grades.
fn measures() -> Vec<Measure> {
    let mut names: Vec<String> = Vec::new();
    for kind in ["ndcg", "mrr", "map", "recall", "precision", "success"] {
        let grades = if kind == "ndcg" { &[""][..] } else { &["", "-l2", "-l3"] };
        for grade in grades {
            let cuts = ["", "@1", "@2", "@3", "@5", "@7", "@10", "@20", "@100", "@1000"];
            names.extend(cuts.map(|cut| format!("{kind}{cut}{grade}")));
        }
    }
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// Rankings of any length, even none, with scores of many kinds: few different ones, ones that differ only in double
/// precision, negative ones, zeros of both signs; judgements of any kind, even none that is relevant.
fn random_case(seed: u64, queries: usize) -> Case {
    let mut random = Random::new(seed);
    let letters = ["d", "D", "a/", "z_", "é"];
    let names = Names::new((0..DOCUMENTS).map(|each| format!("{}{}", letters[each % letters.len()], each * 7)));
    let mut case = Case { names, judgements: Vec::new(), results: Vec::new() };
    for _ in 0..queries {
        let length = [0, 1, 5, 30, 100, 250][random.below(6)];
        let found = random.documents(DOCUMENTS, length);
        let kind = random.below(5);
        let score = |random: &mut Random| match kind {
            0 => 0.5,
            1 => random.below(4) as f64 / 3.0,
            2 => 1.0 + random.below(1000) as f64 * 1e-10,
            3 => [0.0, -0.0, -1.0, 1e300, -1e300, f64::MIN_POSITIVE][random.below(6)],
            _ => random.below(1_000_000) as f64 / 1e5 - 5.0,
        };
        case.results.push(found.iter().map(|&document| (document, score(&mut random))).collect());
        // At least one judgement, since pytrec_eval leaves out queries without.
        let count = 1 + random.below(12);
        let mut judged = random.documents(DOCUMENTS, count);
        judged.extend(found.iter().filter(|_| random.below(8) == 0));
        judged.sort_unstable();
        judged.dedup();
        let highest = random.below(5);
        let grade = |random: &mut Random| u32::try_from(random.below(highest + 1)).unwrap();
        case.judgements.push(judged.into_iter().map(|document| (document, grade(&mut random))).collect());
    }
    case
}

/// Compares all values of all queries.
fn compare(case: &Case, ours: &estrange_stats::retrieval::Scores, measures: &[Measure]) {
    let theirs = case.ask(Package::PytrecEval, measures);
    let mut above_zero = 0;
    for (measure, theirs) in measures.iter().zip(theirs.values.chunks(case.results.len())) {
        for (query, (ours, theirs)) in ours.of(measure).unwrap().iter().zip(theirs).enumerate() {
            assert!((ours - theirs).abs() < 1e-9, "query {query}, {measure}: {ours}, but pytrec_eval has {theirs}");
            above_zero += usize::from(*theirs > 0.0);
        }
        let mean = theirs.iter().sum::<f64>() / theirs.len() as f64;
        assert!((ours.mean(measure).unwrap() - mean).abs() < 1e-9, "{measure}");
    }
    assert!(above_zero > measures.len() * case.results.len() / 8, "the rankings are too bad to show anything");
}

#[test]
fn values_are_those_of_pytrec_eval() {
    let case = random_case(1, 400);
    let measures = measures();
    compare(&case, &evaluate(&case.judged(), &case.ranked(), &measures).unwrap(), &measures);
}

#[test]
fn copies_count_as_pytrec_eval_would_count_one_document() {
    let mut case = random_case(2, 200);
    let mut random = Random::new(3);
    let mut classes = Classes::new(DOCUMENTS);
    for _ in 0..60 {
        let count = 2 + random.below(3);
        classes.unite(&random.documents(DOCUMENTS, count));
    }
    let judgements = case.judged().merged(&classes).unwrap();
    let run = case.ranked().merged(&classes).unwrap();
    let measures = measures();
    let ours = evaluate(&judgements, &run, &measures).unwrap();
    // For pytrec_eval the first of each class stands for it, and the others are not there.
    let ranked = case.ranked();
    for query in 0..case.results.len() {
        let first_of = |class: u32| {
            let first = ranked.ranking(query).iter().find(|&&document| classes.class(document) == class);
            first.copied().unwrap_or(class)
        };
        case.results[query].retain(|&(document, _)| first_of(classes.class(document)) == document);
        let graded = case.judgements[query].iter();
        let mut graded: Vec<(u32, u32)> =
            graded.map(|&(document, grade)| (first_of(classes.class(document)), grade)).collect();
        graded.sort_unstable_by(|one, two| two.cmp(one));
        graded.dedup_by_key(|&mut (document, _)| document);
        case.judgements[query] = graded;
    }
    assert!(case.results.iter().flatten().count() < ranked.queries() * 55, "some copies were left out");
    compare(&case, &ours, &measures);
}
