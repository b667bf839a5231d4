//! What metrics cost here and in the packages that others use: CPU time, on the same rankings, with the same values.
//!
//! `make peers` (or `cargo bench -p estrange-stats --bench metrics`) makes rankings of 100 results for 100,000 queries, with
//! ties, and scores them by CLARC's measures here and in pytrec_eval. It also asks ranx for a tenth of them. All
//! values are compared, and one that differs by more than 1e-9 ends the run, as does a bar that is missed. The
//! packages are installed below the target folder, pinned by hash; ranx is some 700 MB.
//!
//! What is timed: in Python, the call that scores, on dictionaries that are there already, which is where these
//! packages spend their time; here, everything from results in no order to means, once with documents that are
//! numbers already, and once with documents that are strings and are looked up.

#[path = "../tests/peers/mod.rs"]
mod peers;

use std::time::Duration;

use estrange_stats::retrieval::{Judgements, Measure, Names, Run, Scores, evaluate};
use peers::{Case, Package, Random};
use rustix::time::{ClockId, clock_gettime};

const DOCUMENTS: usize = 100_000;
const QUERIES: usize = 100_000;
const RESULTS: usize = 100;
/// ranx takes long to be handed its rankings.
const QUERIES_FOR_RANX: usize = 10_000;
/// pytrec_eval's time is to be at least so many times ours.
const BAR: f64 = 10.0;
/// Ours is measured so often, and the median counts.
const TIMES: usize = 5;

fn main() {
    let measures = Measure::of_clarc(false);
    // trec_eval knows no cut for the reciprocal rank: it would need a second call for rankings that are cut.
    let without_cut = |measure: &Measure| match measure.to_string() == "mrr@10" {
        true => measure.at(0),
        false => *measure,
    };
    let for_trec: Vec<Measure> = measures.iter().map(without_cut).collect();

    let case = made(QUERIES);
    let ours = ours(&case, &for_trec);
    let theirs = case.ask(Package::PytrecEval, &for_trec);
    compare(&ours.scores, &for_trec, &theirs.values);
    println!("{QUERIES} queries × {RESULTS} results, {}: all values equal", names(&for_trec));
    println!("{:<38} {:>10} {:>8}", "", "CPU s", "ratio");
    let line = |name: &str, time: Duration| {
        println!("{name:<38} {:>10.3} {:>8.1}", time.as_secs_f64(), theirs.time.as_secs_f64() / time.as_secs_f64());
    };
    line("pytrec_eval", theirs.time);
    line("ours", ours.time);
    line("ours, of which ordering", ours.ordering);
    line("ours, from documents that are strings", ours.from_strings);

    let few = made(QUERIES_FOR_RANX);
    let graded = ["ndcg@10", "ndcg", "ndcg_burges@10", "mrr@10", "mrr@10-l2", "map@10", "map", "recall@5", "recall"];
    let graded = [&graded[..], &["precision@10", "precision", "success@1", "success@10-l2"]].concat();
    let for_ranx: Vec<Measure> = graded.iter().map(|name| name.parse().expect("a measure")).collect();
    let ours_of_few = self::ours(&few, &for_ranx);
    let theirs_of_few = few.ask(Package::Ranx, &for_ranx);
    compare(&ours_of_few.scores, &for_ranx, &theirs_of_few.values);
    println!("{QUERIES_FOR_RANX} queries × {RESULTS} results, {}: all values equal", names(&for_ranx));
    let ratio = theirs_of_few.time.as_secs_f64() / ours_of_few.time.as_secs_f64();
    println!("{:<38} {:>10.3} {:>8.1}", "ranx, both threads", theirs_of_few.time.as_secs_f64(), ratio);
    println!("{:<38} {:>10.3} {:>8.1}", "ours", ours_of_few.time.as_secs_f64(), 1.0);

    let reached = theirs.time.as_secs_f64() / ours.time.as_secs_f64();
    assert!(reached >= BAR, "pytrec_eval takes {reached:.1} times our time; the bar is {BAR}");
}

fn names(measures: &[Measure]) -> String {
    measures.iter().map(Measure::to_string).collect::<Vec<_>>().join(" ")
}

/// Rankings with ties, in which the relevant documents, a few with grades, are mostly found.
fn made(queries: usize) -> Case {
    let mut random = Random::new(1);
    let names = Names::new((0..DOCUMENTS).map(|each| format!("function-{each:x}")));
    let mut case = Case { names, judgements: Vec::with_capacity(queries), results: Vec::with_capacity(queries) };
    for _ in 0..queries {
        let found = random.documents(DOCUMENTS, RESULTS);
        let count = 1 + random.below(3);
        let mut judged = random.documents(DOCUMENTS, 1);
        judged.extend((0..count).map(|_| found[random.below(RESULTS)]));
        judged.sort_unstable();
        judged.dedup();
        let graded = judged.into_iter().map(|document| (document, 1 + u32::from(random.below(2) == 0)));
        case.judgements.push(graded.collect());
        case.results.push(found.into_iter().map(|document| (document, random.below(2000) as f64 / 1000.0)).collect());
    }
    case
}

struct Ours {
    scores: Scores,
    time: Duration,
    ordering: Duration,
    from_strings: Duration,
}

fn ours(case: &Case, measures: &[Measure]) -> Ours {
    let judgements: Judgements = case.judged();
    let results: Vec<Vec<(u32, f32)>> = case
        .results
        .iter()
        .map(|results| results.iter().map(|&(document, score)| (document, score as f32)).collect())
        .collect();
    let mut times = Vec::new();
    let mut scores = None;
    for _ in 0..TIMES {
        let started = now();
        let mut run = Run::new(case.names.len());
        results.iter().for_each(|results| run.push(results).expect("documents that exist"));
        let ordered = now();
        let scored = evaluate(&judgements, &run, measures).expect("they fit");
        let means: Vec<Option<f64>> = measures.iter().map(|measure| scored.mean(measure)).collect();
        assert!(means.iter().all(Option::is_some));
        times.push((now() - started, ordered - started));
        scores = Some(scored);
    }
    times.sort();
    let (time, ordering) = times[TIMES / 2];

    let named: Vec<Vec<(&str, f32)>> = results
        .iter()
        .map(|results| {
            let name = |document| case.names.name(document).expect("numbered");
            results.iter().map(|&(document, score)| (name(document), score)).collect()
        })
        .collect();
    let started = now();
    let mut run = Run::new(case.names.len());
    let mut numbered = Vec::new();
    for results in &named {
        numbered.clear();
        numbered.extend(results.iter().map(|&(name, score)| (case.names.number(name).expect("numbered"), score)));
        run.push(&numbered).expect("documents that exist");
    }
    let from_names = evaluate(&judgements, &run, measures).expect("they fit");
    let from_strings = now() - started;
    let scores = scores.expect("measured at least once");
    assert_eq!(scores, from_names);
    Ours { scores, time, ordering, from_strings }
}

fn compare(ours: &Scores, measures: &[Measure], theirs: &[f64]) {
    for (measure, theirs) in measures.iter().zip(theirs.chunks(ours.queries())) {
        for (query, (ours, theirs)) in ours.of(measure).expect("measured").iter().zip(theirs).enumerate() {
            assert!((ours - theirs).abs() < 1e-9, "query {query}, {measure}: {ours} is not {theirs}");
        }
    }
}

/// The CPU time that this thread has used.
fn now() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a time since the start")
}
