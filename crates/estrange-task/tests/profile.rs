//! Profiles of models: numbers that were worked out by hand, of tasks that are not there.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use estrange_bench::{Bench, BenchError, Item, Lock, Provenance, Run, RunFacts, RunFolder, RunPart, Score, write};
use estrange_report::profile::{ProfileResults, Takes};
use estrange_report::{PageOptions, ProfilePanel, Report};
use estrange_task::profile::{self, DocumentOptions, ProfileError};
use estrange_task::task::Headline;
use serde_json::json;
use tempfile::TempDir;

const FOUND: Headline = Headline { skill: "finding", measure: "found", chance: 0.0, baseline: "standard" };
const TOLD: Headline = Headline { skill: "telling", measure: "told", chance: 0.5, baseline: "L0" };

/// What a task says of an item: its name, its setting, its function, its score.
type Row = (String, &'static str, String, f64);

struct Playground {
    folder: TempDir,
    bench: Bench,
}

impl Playground {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        write(&Lock::acquire(folder.path().join("bench")).unwrap(), Provenance::default(), [], []).unwrap();
        let bench = Bench::open(folder.path().join("bench")).unwrap();
        Self { folder, bench }
    }

    /// A run of a task that nobody has written yet.
    fn run(&self, name: &str, (task, model): (&str, &str), measure: &str, rows: &[Row]) -> Run {
        let hash = self.bench.hash().unwrap();
        let mut facts = RunFacts::new(task, model.to_owned(), json!({}), "bench".to_owned(), hash, json!({}));
        facts.parts = vec![RunPart {
            name: "all".to_owned(),
            setting: "standard".to_owned(),
            seed: 0,
            items: rows.len() as u64,
            facts: json!({}),
        }];
        let folder = RunFolder::take(&Path::new(self.folder.path()).join(name)).unwrap();
        let mut draft = folder.draft(facts).unwrap();
        let mut part = draft.part(0).unwrap().unwrap();
        for (item, setting, function, _) in rows {
            let (item, setting, function_id) = (item.clone(), (*setting).to_owned(), Some(function.clone()));
            part.push(Item { task: task.to_owned(), item, setting, seed: 0, function_id }).unwrap();
        }
        part.keep().unwrap();
        draft.part(1).unwrap().unwrap().keep().unwrap();
        let scored = draft.finish(&[], |_, keep| {
            for (item, setting, _, value) in rows {
                let (item, setting) = (item.clone(), (*setting).to_owned());
                keep(Score {
                    task: task.to_owned(),
                    item,
                    setting,
                    seed: 0,
                    measure: measure.to_owned(),
                    value: *value,
                })?;
                let (item, setting) = (rows[0].0.clone(), rows[0].1.to_owned());
                keep(Score { task: task.to_owned(), item, setting, seed: 0, measure: "other".to_owned(), value: 7.0 })?;
            }
            Ok::<(), BenchError>(())
        });
        scored.unwrap()
    }

    fn document(&self, runs: &[(&Run, Headline)]) -> ProfileResults {
        self.try_document(runs).unwrap().unwrap()
    }

    fn try_document(&self, runs: &[(&Run, Headline)]) -> Result<Option<ProfileResults>, ProfileError> {
        profile::document(&self.bench, runs, &DocumentOptions::of(&takes))
    }
}

fn takes(setting: &str) -> Takes {
    match setting {
        "neutral" | "L1" => Takes::Names,
        "machine" => Takes::Language,
        _ => Takes::Shape,
    }
}

/// An item for each function, with a score that depends on its number.
fn each(setting: &'static str, numbers: std::ops::Range<usize>, score: impl Fn(usize) -> f64) -> Vec<Row> {
    numbers.map(|number| (format!("i{number}"), setting, format!("f{number}"), score(number))).collect()
}

/// Both sides of a pair for each function.
fn sides(setting: &'static str, numbers: std::ops::Range<usize>, score: impl Fn(usize) -> [f64; 2]) -> Vec<Row> {
    let both = |number: usize| {
        let sides = ["vulnerable", "patched"].into_iter().zip(score(number));
        sides.map(move |(side, score)| (format!("p{number}/{side}"), setting, format!("f{number}"), score))
    };
    numbers.flat_map(both).collect()
}

fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
}

/// Everything is found as written, half of it in other names; of what is told half of what is above chance goes.
fn two_runs(place: &Playground) -> [Run; 2] {
    let found = [
        each("standard", 0..12, |_| 1.0),
        each("neutral", 0..12, |number| (number % 2) as f64),
        each("machine", 0..12, |_| 0.0),
    ];
    let told = [
        sides("L0", 2..14, |_| [1.0, 1.0]),
        sides("neutral", 2..14, |number| if number.is_multiple_of(2) { [1.0, 0.0] } else { [1.0, 1.0] }),
        sides("twisted", 2..14, |_| [1.0, 0.0]),
    ];
    [
        place.run("found", ("to-find", "one"), "found", &found.concat()),
        place.run("told", ("to-tell", "one"), "told", &told.concat()),
    ]
}

#[test]
fn the_same_functions_stand_in_all_tasks_and_one_number_says_what_went_with_the_names() {
    let place = Playground::new();
    let [found, told] = two_runs(&place);
    let document = place.document(&[(&found, FOUND), (&told, TOLD)]);
    let names: Vec<&str> = document.settings.iter().map(|setting| setting.name.as_str()).collect();
    assert_eq!(names, ["as written", "neutral", "twisted", "machine"]);
    let model = &document.models[0];
    // Functions 2 to 11 are in both.
    assert_eq!((model.name.as_str(), model.shared), ("one", Some(10)));
    let [finding, telling] = &model.skills[..] else { panic!("{model:#?}") };
    assert_eq!(
        finding.levels.iter().map(|level| (level.setting, level.functions)).collect::<Vec<_>>(),
        [(0, 10), (1, 10), (3, 10)]
    );
    // As written a coin is right about half: half of what is above that goes where one side in four is wrong.
    near(telling.levels[1].score.value, 0.75);
    near(telling.levels[1].lost.unwrap().value, 0.5);
    near(telling.levels[2].lost.unwrap().value, 1.0);
    near(finding.lost.unwrap().value, 0.5);
    near(telling.lost.unwrap().value, 0.5);
    near(finding.levels[2].lost.unwrap().value, 1.0);
    let familiarity = model.familiarity.as_ref().unwrap();
    near(familiarity.lost.value, 0.5);
    assert!(familiarity.lost.low < 0.45 && familiarity.lost.high > 0.55, "{familiarity:?}");
    assert_eq!((familiarity.functions, familiarity.is_shared, &familiarity.skills[..]), (10, true, &[0, 1][..]));
    assert_eq!(familiarity.settings, ["neutral"]);
    // The same again is the same, to the last bit.
    assert_eq!(place.document(&[(&found, FOUND), (&told, TOLD)]), document);
}

#[test]
fn functions_on_which_tasks_disagree_are_counted_and_named() {
    let place = Playground::new();
    let [found, told] = two_runs(&place);
    let document = place.document(&[(&found, FOUND), (&told, TOLD)]);
    let count = |setting: usize, can: usize| {
        let each = document.disagreements.iter().find(|each| (each.setting, each.can) == (setting, can)).unwrap();
        (each.functions, each.of)
    };
    assert_eq!((count(0, 0), count(0, 1)), ((0, 10), (0, 10)));
    // With other names the odd ones are found and told apart, the even ones neither.
    assert_eq!((count(1, 0), count(1, 1)), ((0, 10), (0, 10)));
    assert!(document.functions.is_empty());

    let told = sides("neutral", 2..14, |number| if number < 4 { [1.0, 1.0] } else { [0.0, 1.0] });
    let told = place.run("less", ("to-tell", "one"), "told", &told);
    let document = place.document(&[(&found, FOUND), (&told, TOLD)]);
    let named: Vec<(&str, Vec<usize>, Vec<usize>)> = document
        .functions
        .iter()
        .map(|each| {
            let places = |skills: &[(usize, f64)]| skills.iter().map(|(skill, _)| *skill).collect();
            (each.id.as_str(), places(&each.can), places(&each.cannot))
        })
        .collect();
    // Found and not told apart are 5, 7, 9, 11; told apart and not found is 2.
    let expected: Vec<(&str, Vec<usize>, Vec<usize>)> = ["f11", "f2", "f5", "f7", "f9"]
        .map(|id| if id == "f2" { (id, vec![1], vec![0]) } else { (id, vec![0], vec![1]) })
        .to_vec();
    assert_eq!(named, expected);
    // It was never asked about functions as they were written: it has a line, and no part in the number.
    let model = &document.models[0];
    assert_eq!(model.skills[1].levels.len(), 1);
    assert!(model.skills[1].why_not.as_ref().unwrap().contains("as they were written"), "{model:#?}");
    assert_eq!(model.familiarity.as_ref().unwrap().skills, [0]);
}

#[test]
fn only_items_that_both_settings_have_are_compared() {
    let place = Playground::new();
    // A second question about each function is easy, and is asked as written only.
    let easy = (0..10).map(|number| (format!("easy{number}"), "standard", format!("f{number}"), 1.0)).collect();
    let rows = [each("standard", 0..10, |_| 0.5), easy, each("neutral", 0..10, |_| 0.5)].concat();
    let found = place.run("found", ("to-find", "one"), "found", &rows);
    let told = place.run("told", ("to-tell", "one"), "told", &sides("L0", 0..10, |_| [1.0, 1.0]));
    let model = &place.document(&[(&found, FOUND), (&told, TOLD)]).models[0];
    near(model.skills[0].levels[0].score.value, 0.75);
    near(model.skills[0].levels[1].before.unwrap(), 0.5);
    near(model.familiarity.as_ref().unwrap().lost.value, 0.0);
}

#[test]
fn a_task_at_chance_or_on_few_functions_has_no_share_and_says_why() {
    let place = Playground::new();
    let coin = |number: usize| if number.is_multiple_of(2) { [1.0, 0.0] } else { [0.0, 1.0] };
    let told = [sides("L0", 0..20, coin), sides("L1", 0..20, |_| [0.0, 0.0])].concat();
    let told = place.run("told", ("to-tell", "one"), "told", &told);
    let found = [each("standard", 0..7, |_| 1.0), each("neutral", 0..7, |_| 0.0)].concat();
    let found = place.run("found", ("to-find", "one"), "found", &found);
    let document = place.document(&[(&found, FOUND), (&told, TOLD)]);
    let model = &document.models[0];
    assert_eq!((model.shared, &model.familiarity), (None, &None));
    let why = model.why_not.as_ref().unwrap();
    assert!(
        why.contains("finding: 7 of the 8 functions") && why.contains("telling: as written it is not clearly above"),
        "{why}"
    );
    assert!(model.skills.iter().flat_map(|skill| &skill.levels).all(|level| level.lost.is_none()), "{model:#?}");
    let panel = ProfilePanel::new(&document).unwrap();
    assert!(
        panel.sentences()[0].starts_with("one: how much of its skill went with the names cannot be said: finding: 7")
    );
}

#[test]
fn a_task_that_was_asked_twice_counts_once() {
    let place = Playground::new();
    let rows = |after: f64| [each("standard", 0..10, |_| 1.0), each("neutral", 0..10, |_| after)].concat();
    let [all, none] = [1.0, 0.0].map(rows);
    let runs = [
        (place.run("calm", ("to-find", "one"), "found", &all), FOUND),
        (place.run("hasty", ("to-find", "one"), "found", &none), FOUND),
        (place.run("told", ("to-tell", "one"), "found", &all), Headline { skill: "telling", ..FOUND }),
    ];
    let runs: Vec<(&Run, Headline)> = runs.iter().map(|(run, headline)| (run, *headline)).collect();
    let model = &place.document(&runs).models[0];
    let names: Vec<&str> = model.skills.iter().map(|skill| skill.name.as_str()).collect();
    assert_eq!(names, ["finding (calm)", "finding (hasty)", "telling"]);
    // The mean of a half (of nothing and everything) and nothing.
    near(model.familiarity.as_ref().unwrap().lost.value, 0.25);
}

#[test]
fn models_are_told_apart_and_one_task_alone_is_no_profile() {
    let place = Playground::new();
    let [found, told] = two_runs(&place);
    assert_eq!(place.try_document(&[(&found, FOUND)]).unwrap(), None);
    let other = place.run("other", ("to-find", "local:/far/<b>two"), "found", &each("standard", 0..12, |_| 1.0));
    assert_eq!(place.try_document(&[(&found, FOUND), (&other, FOUND)]).unwrap(), None);
    let document = place.document(&[(&found, FOUND), (&other, FOUND), (&told, TOLD)]);
    let names: Vec<&str> = document.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["one", "<b>two"]);
    assert!(document.models[1].why_not.as_ref().unwrap().contains("no setting that only renames"));

    // An embedder cannot tell, and a writer cannot find: they may be taken for one.
    let options = DocumentOptions { as_one: Some("family"), ..DocumentOptions::of(&takes) };
    let one = profile::document(&place.bench, &[(&other, FOUND), (&told, TOLD)], &options).unwrap().unwrap();
    let names: Vec<&str> = one.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!((names, one.models[0].skills.len()), (vec!["family"], 2));

    let report = Report::new("Profiles").with(ProfilePanel::new(&document).unwrap());
    let page = report.page(&PageOptions::default());
    assert!(page.contains("<section id=\"profile\">") && !page.contains("<b>two"), "{page}");
    let tables: String = report.tables().iter().map(estrange_report::Table::to_markdown).collect();
    assert!(tables.contains("| one | 50.0"), "{tables}");
    assert!(report.csv().contains("profile_familiarity,one,,,,neutral,,finding+telling,0.500000"), "{}", report.csv());
}

#[test]
fn a_score_that_is_no_share_is_an_error() {
    let place = Playground::new();
    let [found, told] = two_runs(&place);
    let wrong = Headline { measure: "other", ..FOUND };
    let error = place.try_document(&[(&found, wrong), (&told, TOLD)]).unwrap_err();
    assert!(error.to_string().contains("`i0` has 7 by other"), "{error}");
}
