//! The task on a small bench of pairs that is made here.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use estrange_bench::{
    Bench, BugPair, End, Function, Label, Lock, Problem, Provenance, Run, Rung, RungEvidence, Score, Side, Source,
    Split, Verdict, Writer, put_pairs,
};
use estrange_model::{ModelError, Silent, Watch};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::seen::Seen;
use crate::task::{self, Task};

/// A bench of four pairs at L0, L1 and L4, the fourth of which nothing was run of.
struct Playground {
    folder: TempDir,
    bench: Bench,
}

fn function(id: &str) -> Function {
    serde_json::from_value(json!({
        "id": id, "lineage": id, "source": "a", "version": "1", "path": "a.c", "line_start": 1, "line_end": 2, "name": id,
        "qualified_name": id, "kind": "function", "language": "c", "role": "library", "licence": "MIT",
        "licence_class": "permissive", "group": "1", "split": "train", "text": "int f;", "unit": "int f;",
        "linkable": false, "flags": ["-std=c99"], "helpers": [], "types": [], "includes": [], "loc": 1,
        "cyclomatic_complexity": 1, "tokens": 3, "unique_keywords": 1, "unit_lines": 1, "evidence": "{}", "duplicates": [],
    }))
    .unwrap()
}

fn pair(name: &str, label: Label) -> BugPair {
    BugPair {
        name: name.to_owned(),
        lineage: name.to_owned(),
        vulnerable_id: format!("{name}-v"),
        patched_id: format!("{name}-p"),
        fix: name.to_owned(),
        changed_functions: 1,
        patch: String::new(),
        description: format!("{name} adds without a check."),
        cves: Vec::new(),
        cwe: Some(190),
        label,
        reason: None,
        detail: None,
        trigger: None,
        class: (label == Label::CrashConfirmed).then_some(End::AddOverflow),
        fault_function: None,
        fault_line: Some(4),
        fault_text: None,
    }
}

/// The function begins on the third line of its unit, and the fault is on the fifth: the third of its own.
fn rung(pair: &str, setting: &str) -> Rung {
    let unit = |sum: &str| {
        format!("#include <limits.h>\n\nint {setting}_{pair}(int a)\n{{\n    return {sum};\n}}\n\nint g;\n")
    };
    let place = |unit: &str| (unit.find("int ").unwrap() as u32, unit.find("\n\nint g").unwrap() as u32);
    let (vulnerable, patched) = (unit("a + 1"), unit("a < INT_MAX ? a + 1 : a"));
    Rung {
        pair: pair.to_owned(),
        setting: setting.to_owned(),
        seed: 0,
        vulnerable_start: place(&vulnerable).0,
        vulnerable_end: place(&vulnerable).1,
        vulnerable_unit: vulnerable,
        fault_line: Some(5),
        patched_start: place(&patched).0,
        patched_end: place(&patched).1,
        patched_unit: patched,
        surface_distance: 0.0,
        expansion: 1.0,
        evidence: RungEvidence::default().into(),
    }
}

impl Playground {
    fn new() -> Self {
        let names = ["p0", "p1", "p2", "p3"];
        let label = |name: &str| if name == "p3" { Label::Reasoned } else { Label::CrashConfirmed };
        let rungs = names.iter().flat_map(|name| ["L0", "L1", "L4"].map(|setting| rung(name, setting)));
        Self::of(names.iter().map(|name| pair(name, label(name))).collect(), rungs.collect())
    }

    fn of(pairs: Vec<BugPair>, rungs: Vec<Rung>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::acquire(folder.path().join("bench")).unwrap();
        let mut writer = Writer::new(&lock).unwrap();
        let mut ids: Vec<String> =
            pairs.iter().flat_map(|pair| [&pair.vulnerable_id, &pair.patched_id]).cloned().collect();
        ids.sort();
        ids.iter().for_each(|id| writer.keep(function(id)).unwrap());
        let source = Source {
            spec: "a".to_owned(),
            pinned: "a".to_owned(),
            version: "1".to_owned(),
            tree: "0".to_owned(),
            licences: Default::default(),
            split: Split::Train,
            counts: Default::default(),
        };
        writer.finish(Provenance { sources: vec![source], ..Provenance::default() }).unwrap();
        put_pairs(&lock, pairs, rungs, []).unwrap();
        drop(lock);
        let bench = Bench::open(folder.path().join("bench")).unwrap();
        Self { folder, bench }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ladder(&self, settings: &[&str], label: Label, seen: Seen) -> Result<Ladder, DetectError> {
        let settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
        Ladder::read(&self.bench, &Chosen { settings, label, seen })
    }

    fn all(&self) -> Ladder {
        self.ladder(&[], Label::CrashConfirmed, Seen::Function).unwrap()
    }

    fn run(&self, name: &str, ladder: Ladder, detector: &(dyn Detector + 'static)) -> Result<Run, DetectError> {
        let task = Detection::of(ladder);
        let named = ("detector", task.card(detector));
        let facts = task::facts(&task, named, (&self.bench, self.bench.folder()), json!({}))?;
        let folder = task::folder::<Detection>(&self.path(name), &facts, false)?;
        task::perform(&task, detector, &folder, facts, &Silent)
    }
}

/// Says what a function of the item and the sample says, and counts how often it was asked.
struct Told<F> {
    say: F,
    samples: u32,
    asked: AtomicUsize,
    fails_at: usize,
}

fn told<F: Fn(&Shown<'_>, u32) -> Said + Sync>(samples: u32, say: F) -> Told<F> {
    Told { say, samples, asked: AtomicUsize::new(0), fails_at: usize::MAX }
}

impl<F: Fn(&Shown<'_>, u32) -> Said + Sync> Detector for Told<F> {
    fn card(&self) -> Value {
        json!({ "model": "told", "samples": self.samples })
    }

    fn detect(&self, shown: &[Shown<'_>], _: &dyn Watch) -> Result<Vec<Vec<Said>>, DetectError> {
        let mut all = Vec::new();
        for one in shown {
            if self.asked.fetch_add(1, Ordering::SeqCst) + 1 >= self.fails_at {
                return Err(ModelError::Stopped.into());
            }
            all.push((0..self.samples).map(|sample| (self.say)(one, sample)).collect());
        }
        Ok(all)
    }
}

fn sum(run: &Run, measure: &str) -> (usize, f64) {
    let scores = run.rows::<Score>().unwrap().map(Result::unwrap);
    let own: Vec<f64> = scores.filter(|score| score.measure == measure).map(|score| score.value).collect();
    (own.len(), own.iter().sum())
}

fn document_of(place: &Playground, runs: &[Run]) -> estrange_report::detect::DetectResults {
    document(&place.bench, runs, &DocumentOptions { rounds: 200, ..DocumentOptions::default() }).unwrap()
}

#[test]
fn what_is_shown_says_nothing_of_its_side_and_lines_are_those_of_the_view() {
    let place = Playground::new();
    let ladder = place.all();
    assert_eq!(ladder.len(), 3 * 2 * 3);
    for shown in ladder.shown() {
        assert!(shown.text.starts_with("int L") && !shown.text.contains("vulnerable"), "{}", shown.text);
        let is_vulnerable = shown.case.side == Side::Vulnerable;
        assert_eq!(shown.case.fault_line, is_vulnerable.then_some(3));
        assert_eq!(shown.flags, ["-std=c99"]);
    }
    let units = place.ladder(&["L4"], Label::Reasoned, Seen::LinkedUnit).unwrap();
    assert_eq!(units.len(), 2);
    assert!(units.shown().all(|shown| shown.text.starts_with("#include") && shown.case.label == Label::Reasoned));
    assert_eq!(units.shown().filter_map(|shown| shown.case.fault_line).collect::<Vec<_>>(), [5]);
}

#[test]
fn what_cannot_be_shown_is_told() {
    let place = Playground::new();
    let ladder = |settings: &[&str]| place.ladder(settings, Label::CrashConfirmed, Seen::Function);
    let error = ladder(&["L0", "L3"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no pair that is crash-confirmed has a rung in the setting `L3`; there is L0, L1, L4"
    );
    let lock = Lock::acquire(place.path("bench")).unwrap();
    let broken = Rung { vulnerable_end: 10_000, ..rung("p0", "L0") };
    let chosen = place.all().chosen().clone();
    for (pairs, rungs, words) in [
        (vec![], vec![], "the bench has no pairs"),
        (vec![pair("p0", Label::Reasoned)], vec![], "none of the 1 pairs of the bench is crash-confirmed"),
        (vec![pair("p0", Label::CrashConfirmed)], vec![], "there is no rung at all"),
        (vec![pair("p0", Label::CrashConfirmed)], vec![broken], "its function is not where it says"),
        (vec![pair("p0", Label::CrashConfirmed)], vec![rung("p9", "L0")], "the bench has no such pair"),
        (vec![pair("p0", Label::CrashConfirmed)], vec![rung("p0", "L0"), rung("p0", "L0")], "it is there twice"),
    ] {
        put_pairs(&lock, pairs, rungs, []).unwrap();
        let error = Ladder::read(&Bench::open(place.path("bench")).unwrap(), &chosen).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert!(estrange_words::Hint::hint(&error).is_some());
    }
}

#[test]
fn answers_are_scored_and_a_kill_costs_a_part() {
    let place = Playground::new();
    let honest = |shown: &Shown<'_>, _: u32| match shown.text.contains("INT_MAX") {
        true => Said::plain(Verdict::Safe),
        false => Said { line: Some(4), cwe: Some(190), ..Said::plain(Verdict::Vulnerable) },
    };
    let stopped = Told { fails_at: 8, ..told(1, honest) };
    place.run("run", place.all(), &stopped).unwrap_err();
    let detector = told(1, honest);
    let run = place.run("run", place.all(), &detector).unwrap();
    assert_eq!(detector.asked.load(Ordering::SeqCst), 12, "the first part of six was kept");
    assert_eq!(sum(&run, "correct"), (18, 18.0));
    assert_eq!(sum(&run, "flagged"), (18, 9.0));
    assert_eq!(sum(&run, "located"), (9, 9.0), "one line off is near enough");
    assert_eq!(sum(&run, "agreement").0, 0);

    let again = Detection::of_run(&run).unwrap();
    let folder = task::folder::<Detection>(&place.path("run"), run.facts(), false).unwrap();
    let rescored = task::rescore(&again, &run, &folder, run.facts().clone()).unwrap();
    assert_eq!(sum(&rescored, "correct"), (18, 18.0));

    let results = document_of(&place, &[rescored]);
    assert_eq!(results.settings, ["L0", "L1", "L4"]);
    let level = &results.levels[2];
    assert_eq!((level.f1.value, level.flips.unwrap().value, level.outcomes.both_right), (1.0, 0.0, 3));
    assert_eq!((level.fall.unwrap().lost.value, level.fall.unwrap().p_value), (0.0, 1.0));
    assert_eq!(results.pairs.len(), 3);
    assert_eq!(results.pairs[0].rungs[0].vulnerable.fault_line, Some(3));
    assert_eq!(results.classes[0].class, "add-overflow");
}

#[test]
fn no_verdict_is_never_taken_for_one() {
    let place = Playground::new();
    // At L0 right; at L1 the sides swapped; at L4 no answer about the vulnerable sides.
    let detector = told(1, |shown, _| {
        let is_patched = shown.text.contains("INT_MAX");
        match (shown.case.setting.as_str(), is_patched) {
            ("L0", true) | ("L1", false) | ("L4", true) => Said::plain(Verdict::Safe),
            ("L4", false) => Said::problem(Problem::Refusal, "no"),
            _ => Said::plain(Verdict::Vulnerable),
        }
    });
    let run = place.run("run", place.all(), &detector).unwrap();
    let results = document_of(&place, &[run]);
    let [l0, l1, l4] = &results.levels[..] else { panic!("{:?}", results.levels) };
    assert_eq!((l0.f1.value, l0.pairwise.value), (1.0, 1.0));
    assert_eq!((l1.f1.value, l1.outcomes.swapped, l1.flips.unwrap().value, l1.false_alarms.value), (0.0, 3, 1.0, 1.0));
    assert_eq!(l1.fall.unwrap().lost.value, 1.0);
    assert_eq!(l1.fall.unwrap().p_value, 0.25, "all of three pairs changed: two of eight ways are as large");
    assert_eq!((l4.answered, l4.items, l4.recall.value, l4.accuracy.value), (3, 6, 0.0, 0.5));
    assert_eq!((l4.outcomes.unanswered, l4.problems.clone()), (3, vec![("refusal".to_owned(), 3)]));
    assert_eq!(l4.flips.unwrap().value, 0.0, "only what has a verdict in both is compared");
}

#[test]
fn of_several_samples_most_decide_and_a_tie_is_none() {
    let place = Playground::new();
    let detector = told(4, |shown, sample| match (shown.case.pair.as_str(), sample) {
        ("p0", 0) => Said { line: Some(1), ..Said::plain(Verdict::Vulnerable) },
        ("p0", 3) => Said::problem(Problem::NoObject, ""),
        ("p0", _) => Said { line: Some(3), ..Said::plain(Verdict::Vulnerable) },
        ("p1", 0 | 1) => Said::plain(Verdict::Vulnerable),
        _ => Said::plain(Verdict::Safe),
    });
    let run = place.run("run", place.all(), &detector).unwrap();
    let judged = judged(run.tables()).unwrap();
    let of = |pair: &str| judged.iter().find(|item| item.case.pair == pair).unwrap();
    assert_eq!((of("p0").verdict, of("p0").line, of("p0").agreement), (Some(Verdict::Vulnerable), Some(3), Some(0.75)));
    assert_eq!((of("p1").verdict, of("p1").agreement), (None, Some(0.0)));
    assert_eq!((of("p2").verdict, of("p2").agreement), (Some(Verdict::Safe), Some(1.0)));
    assert_eq!(sum(&run, "answered").1, 12.0);
}

#[test]
fn trivial_detectors_do_what_they_say() {
    let place = Playground::new();
    let runs: Vec<Run> = vec![
        place.run("always", place.all(), &Constant(Verdict::Vulnerable)).unwrap(),
        place.run("never", place.all(), &Constant(Verdict::Safe)).unwrap(),
        place.run("length", place.all(), &Length::of(&place.all()).unwrap()).unwrap(),
        place.run("chance", place.all(), &Chance { seed: 1 }).unwrap(),
    ];
    let results = document_of(&place, &runs);
    let f1 = |detector: usize| {
        let own = results.levels.iter().filter(|level| level.detector == detector);
        own.map(|level| level.f1.value).collect::<Vec<_>>()
    };
    assert!(f1(0).iter().all(|f1| (f1 - 2.0 / 3.0).abs() < 1e-12));
    assert_eq!(f1(1), [0.0, 0.0, 0.0]);
    // The patched sides are the longer ones.
    assert_eq!(f1(2), [0.0, 0.0, 0.0]);
    let coin = sum(&runs[3], "flagged").1;
    assert!((2.0..17.0).contains(&coin), "{coin}");
    let page = estrange_report::Report::new("Detection")
        .with(estrange_report::DetectPanel::new(&results).unwrap())
        .page(&Default::default());
    assert!(page.contains("<mark>   3      return a + 1;</mark>"), "{page}");
}

#[test]
fn verdicts_of_a_file_are_those_of_the_bench_or_an_error() {
    let place = Playground::new();
    let file = place.path("verdicts.jsonl");
    let line = |item: &str| json!({ "item": item, "setting": "L0", "verdict": "vulnerable", "line": 3 }).to_string();
    std::fs::write(&file, format!("{}\n\n{}\n", line("p0/vulnerable"), line("p3/patched"))).unwrap();
    let ladder = place.all();
    let detector = Precomputed::open(&file, &ladder).unwrap();
    let run = place.run("run", ladder, &detector).unwrap();
    assert_eq!((sum(&run, "answered").1, sum(&run, "located")), (1.0, (1, 1.0)));
    for (text, words) in [
        (line("p7/vulnerable"), "line 1: the bench has no item `p7/vulnerable` in L0, seed 0"),
        (format!("{0}\n{0}", line("p0/patched")), "line 2: it has a verdict already"),
        (line("p3/patched"), "has no verdict on any item that is asked"),
        ("{}".to_owned(), "line 1: missing field"),
    ] {
        std::fs::write(&file, text).unwrap();
        let error = Precomputed::open(&file, &place.all()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn parts_are_some_dozens_of_items_and_have_their_own_names() {
    let names: Vec<String> = (0..30).map(|number| format!("q{number:02}")).collect();
    let pairs = names.iter().map(|name| pair(name, Label::CrashConfirmed)).collect();
    let rungs = names.iter().flat_map(|name| ["L0", "L2"].map(|setting| rung(name, setting))).collect();
    let place = Playground::of(pairs, rungs);
    let parts = Detection::of(place.all()).parts();
    let all: Vec<(&str, u64)> = parts.iter().map(|part| (part.name.as_str(), part.items)).collect();
    assert_eq!(all, [("L0-0-0", 24), ("L0-0-1", 24), ("L0-0-2", 12), ("L2-0-0", 24), ("L2-0-1", 24), ("L2-0-2", 12)]);
}

#[test]
fn pairs_that_look_the_same_are_left_out_in_every_setting_and_named() {
    let alike = Rung { patched_unit: rung("p1", "L4").vulnerable_unit, ..rung("p1", "L4") };
    let alike = Rung { patched_start: alike.vulnerable_start, patched_end: alike.vulnerable_end, ..alike };
    let pairs = || ["p0", "p1"].map(|name| pair(name, Label::CrashConfirmed)).to_vec();
    let rungs = vec![rung("p0", "L0"), rung("p0", "L4"), rung("p1", "L0"), alike.clone()];
    let place = Playground::of(pairs(), rungs);
    let ladder = place.ladder(&["L0"], Label::CrashConfirmed, Seen::Function).unwrap();
    assert_eq!((ladder.len(), ladder.alike().iter().map(String::as_str).collect::<Vec<_>>()), (2, vec!["p1"]));
    let place = Playground::of(pairs(), vec![alike]);
    let error = place.ladder(&[], Label::CrashConfirmed, Seen::Function).unwrap_err();
    assert!(error.to_string().starts_with("of 1 pairs, both sides look the same"), "{error}");
}
