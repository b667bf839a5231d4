//! Orders, rules and refusals, on rankings small enough to be checked by hand.

use super::*;

fn measure(name: &str) -> Measure {
    name.parse().unwrap()
}

/// One query's value.
fn value(relevant: &[(u32, u32)], ranking: &[u32], name: &str) -> f64 {
    let mut judgements = Judgements::new(100);
    judgements.push(relevant).unwrap();
    let mut run = Run::new(100);
    run.push_ranked(ranking).unwrap();
    evaluate(&judgements, &run, &[measure(name)]).unwrap().mean(&measure(name)).unwrap()
}

#[test]
fn rankings_go_by_score_then_by_document_last_first() {
    let mut run = Run::new(10);
    run.push(&[(3, 0.5), (1, -1.0), (4, 0.5), (0, 7.0), (2, -0.0), (5, 0.0), (6, f32::NEG_INFINITY), (7, -2.0)])
        .unwrap();
    assert_eq!(run.ranking(0), [0, 4, 3, 5, 2, 1, 7, 6]);
}

#[test]
fn names_are_numbered_as_their_bytes_are_ordered() {
    let names = Names::new(["b", "a10", "a9", "B", "b"]);
    let numbers: Vec<_> = ["B", "a10", "a9", "b"].map(|name| names.number(name).unwrap()).to_vec();
    assert_eq!(numbers, [0, 1, 2, 3]);
    assert_eq!((names.name(1), names.number("c"), names.len()), (Some("a10"), None, 4));
}

#[test]
fn every_name_is_found_and_no_other() {
    let name = |each: u32| format!("{}{each}", ["", "f", "a-longer-name/", "é"][each as usize % 4]);
    let names = Names::new((0..5000).map(name));
    assert_eq!(names.len(), 5000);
    for each in 0..5000 {
        let number = names.number(&name(each)).unwrap();
        assert_eq!(names.name(number), Some(&*name(each)));
        assert_eq!(names.number(&name(each + 5000)), None);
    }
    assert_eq!((names.name(5000), names.number("")), (None, None));
    let nothing = Names::new([""; 0]);
    assert!(nothing.is_empty() && nothing.number("").is_none() && nothing.name(0).is_none());
    assert_eq!(Names::new([""]).number(""), Some(0));
}

#[test]
fn values_by_hand() {
    let relevant = [(1, 2), (2, 1), (3, 1)];
    let ranking = [9, 1, 8, 2];
    let discounted = 2.0 / 3_f64.log2() + 1.0 / 5_f64.log2();
    let best = 2.0 + 1.0 / 3_f64.log2() + 1.0 / 4_f64.log2();
    for (name, wanted) in [
        ("ndcg", discounted / best),
        ("ndcg@10", discounted / best),
        ("ndcg@2", 2.0 / 3_f64.log2() / (2.0 + 1.0 / 3_f64.log2())),
        ("ndcg@1", 0.0),
        ("ndcg_burges@2", 3.0 / 3_f64.log2() / (3.0 + 1.0 / 3_f64.log2())),
        ("mrr@10", 0.5),
        ("mrr@1", 0.0),
        ("map", (1.0 / 2.0 + 2.0 / 4.0) / 3.0),
        ("map@2", 0.5 / 3.0),
        ("map-l2", 0.5),
        ("recall@4", 2.0 / 3.0),
        ("recall@3", 1.0 / 3.0),
        ("recall-l2", 1.0),
        ("precision", 0.5),
        ("precision@10", 0.2),
        ("success@1", 0.0),
        ("success@2", 1.0),
    ] {
        let found = value(&relevant, &ranking, name);
        assert!((found - wanted).abs() < 1e-12, "{name}: {found} is not {wanted}");
    }
}

#[test]
fn clarcs_reciprocal_rank_is_that_of_the_primary_answer() {
    let names = |graded| Measure::of_clarc(graded).iter().map(Measure::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!(names(false), "ndcg@10 mrr@10 map@10 recall@1 recall@5 recall@10 recall@20");
    assert_eq!(names(true), "ndcg@10 mrr@10-l2 map@10 recall@1 recall@5 recall@10 recall@20");
    // A helper first, the function itself third.
    assert_eq!(value(&[(5, 2), (6, 1)], &[6, 7, 5], "mrr@10-l2"), 1.0 / 3.0);
    assert_eq!(value(&[(5, 2), (6, 1)], &[6, 7, 5], "recall@1"), 0.5);
}

#[test]
fn nothing_found_and_nothing_to_find_are_zero() {
    for name in ["ndcg@10", "ndcg", "mrr", "map", "recall", "precision", "precision@5", "success", "ndcg_burges"] {
        assert_eq!(value(&[(1, 1)], &[], name), 0.0, "{name}");
        assert_eq!(value(&[], &[1, 2], name), 0.0, "{name}");
        assert_eq!(value(&[(1, 0)], &[1, 2], name), 0.0, "{name}");
    }
    let mut judgements = Judgements::new(3);
    judgements.push(&[(0, 1)]).unwrap();
    judgements.push(&[(1, 0)]).unwrap();
    judgements.push(&[]).unwrap();
    assert_eq!(judgements.without_relevant().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn copies_are_one_document() {
    let mut classes = Classes::new(10);
    classes.unite(&[7, 1]);
    classes.unite(&[8, 7]);
    classes.unite(&[2, 3]);
    assert_eq!([1, 7, 8, 2, 3, 4].map(|document| classes.class(document)), [1, 1, 1, 2, 2, 4]);

    let mut judgements = Judgements::new(10);
    judgements.push(&[(1, 1), (8, 2), (5, 1)]).unwrap();
    let judgements = judgements.merged(&classes).unwrap();
    assert_eq!(judgements.relevant(0), [(1, 2), (5, 1)]);

    // A copy of a wrong answer, a copy of the right one, another copy of each, the other right one.
    let mut run = Run::new(10);
    run.push(&[(3, 0.9), (7, 0.8), (2, 0.7), (8, 0.6), (5, 0.5)]).unwrap();
    let run = run.merged(&classes).unwrap();
    assert_eq!(run.ranking(0), [2, 1, 5]);

    let measures = ["mrr", "recall@3", "precision"].map(measure);
    let scores = evaluate(&judgements, &run, &measures).unwrap();
    assert_eq!(measures.each_ref().map(|each| scores.mean(each).unwrap()), [0.5, 1.0, 2.0 / 3.0]);
}

#[test]
fn the_order_in_which_classes_are_united_does_not_matter() {
    let united = |groups: &[&[u32]]| {
        let mut classes = Classes::new(8);
        groups.iter().for_each(|group| classes.unite(group));
        (0..8).map(|document| classes.class(document)).collect::<Vec<_>>()
    };
    assert_eq!(united(&[&[0, 1], &[2, 3], &[3, 1], &[6]]), united(&[&[3, 2, 1], &[1, 0], &[]]));
}

#[test]
fn names_of_measures_are_read_and_written() {
    for (read, written) in
        [("NDCG@10", "ndcg@10"), ("R@5", "recall@5"), ("p", "precision"), ("hit_rate@1", "success@1")]
    {
        assert_eq!(measure(read).to_string(), written);
    }
    let error = |name: &str| name.parse::<Measure>().unwrap_err();
    assert_eq!(error("nope@10"), MeasureError::Unknown("nope@10".to_owned()));
    for name in ["ndcg@", "ndcg@0", "ndcg@ten", "mrr@-1"] {
        assert_eq!(error(name), MeasureError::Cut(name.to_owned()));
    }
    for name in ["ndcg@10-l2", "mrr-l0", "mrr@10-lx"] {
        assert_eq!(error(name), MeasureError::Grade(name.to_owned()));
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_adds_nothing() {
    let mut run = Run::new(3);
    assert_eq!(run.push(&[(1, 0.5), (1, 0.4)]), Err(RetrievalError::Twice { query: 0, document: 1 }));
    assert_eq!(run.push(&[(2, f32::NAN)]), Err(RetrievalError::NotANumber { query: 0, document: 2 }));
    let missing = RetrievalError::NoSuchDocument { query: 0, document: 3, documents: 3 };
    assert_eq!(run.push(&[(3, 0.5)]), Err(missing.clone()));
    assert_eq!(run.push_ranked(&[0, 3]), Err(missing.clone()));
    assert_eq!(run.queries(), 0);
    run.push(&[(1, 0.5)]).unwrap();
    assert_eq!(run.ranking(0), [1]);

    let mut judgements = Judgements::new(3);
    assert_eq!(judgements.push(&[(3, 1)]), Err(missing));
    assert_eq!(judgements.push(&[(0, 1), (0, 1)]), Err(RetrievalError::Twice { query: 0, document: 0 }));
    let unfit = |what, judged, ranked| Err(RetrievalError::DoNotFit { what, judged, ranked });
    assert_eq!(evaluate(&judgements, &run, &[]), unfit("queries", 0, 1));
    assert_eq!(run.merged(&Classes::new(4)).unwrap_err(), unfit("documents", 3, 4).unwrap_err());
    judgements.push(&[(0, 1)]).unwrap();
    let mut other = Run::new(4);
    other.push(&[]).unwrap();
    assert_eq!(evaluate(&judgements, &other, &[]), unfit("documents", 3, 4));
}
