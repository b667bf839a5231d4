//! Runs that take each other's place, go on after a kill, or were changed by somebody else.

use estrange_words::Hint;

use super::*;
use crate::manifest::FileFacts;
use crate::rows::record;
use crate::run::{Answer, Item, RunPartWriter, RunTable};

record! {
    /// A table that only this test's task has.
    pub struct Guess in "guesses.parquet" {
        /// The item.
        pub item: String,
        /// What was guessed.
        pub guess: u32,
    }
}

fn part(setting: &str) -> RunPart {
    let facts = serde_json::json!({ "rooms": 5 });
    RunPart { name: format!("first-{setting}"), setting: setting.to_owned(), seed: 0, items: 3, facts }
}

fn facts(setting: &str) -> RunFacts {
    let card = serde_json::json!({ "model": "oracle" });
    let (bench, hash) = ("/b".to_owned(), "00".to_owned());
    let mut facts = RunFacts::new("guess", "oracle".to_owned(), card, bench, hash, serde_json::json!({}));
    facts.parts = vec![part("standard"), part(setting)];
    facts
}

fn answer(part: &RunPart, text: &str) -> Answer {
    Answer {
        item: part.name.clone(),
        setting: part.setting.clone(),
        seed: 0,
        sample: 0,
        prompt: None,
        parameters: "{}".to_owned(),
        text: Some(text.to_owned()),
        prompt_tokens: None,
        answer_tokens: None,
        cost: None,
        seconds: None,
    }
}

fn fill(part: &RunPart, text: &str, writer: &mut RunPartWriter<'_, '_>) {
    let (item, setting) = (part.name.clone(), part.setting.clone());
    let task = "guess".to_owned();
    writer.push(Item { task, item: item.clone(), setting, seed: 0, function_id: None }).unwrap();
    writer.push(answer(part, text)).unwrap();
    writer.push(Guess { item, guess: text.len() as u32 }).unwrap();
}

const TABLES: &[RunTable] = &[RunTable::of::<Guess>()];

/// A guess is worth what was guessed.
fn score(tables: &RunTables, keep: &mut dyn FnMut(Score) -> Result<(), BenchError>) -> Result<(), BenchError> {
    for guess in tables.rows::<Guess>()? {
        let Guess { item, guess } = guess?;
        let (task, setting) = ("guess".to_owned(), "standard".to_owned());
        keep(Score { task, item, setting, seed: 0, measure: "size".to_owned(), value: f64::from(guess) })?;
    }
    Ok(())
}

/// Writes a run, and says how many parts had to be asked.
fn write(folder: &Path, facts: RunFacts, text: &str) -> (Run, usize) {
    let folder = RunFolder::take(folder).unwrap();
    let mut draft = folder.draft(facts.clone()).unwrap();
    let mut asked = 0;
    for (place, part) in facts.parts.iter().enumerate() {
        if let Some(mut writer) = draft.part(place).unwrap() {
            asked += 1;
            fill(part, text, &mut writer);
            writer.keep().unwrap();
        }
    }
    (draft.finish(TABLES, score).unwrap(), asked)
}

#[test]
fn a_run_takes_the_place_of_one_that_had_no_more() {
    let before = facts("symbol");
    let lost = |change: &dyn Fn(&mut RunFacts)| {
        let mut after = before.clone();
        change(&mut after);
        super::lost(&before, &after)
    };
    assert_eq!(lost(&|facts| facts.bench = "/moved".to_owned()), None);
    assert_eq!(lost(&|facts| facts.bench_hash = "01".to_owned()), None);
    assert_eq!(lost(&|facts| facts.parts.push(part("semantic"))), None);
    assert_eq!(lost(&|facts| facts.parts.truncate(1)), Some(LostRun::Part(part("symbol"))));
    assert_eq!(lost(&|facts| facts.parts[0].items = 2), Some(LostRun::Part(part("standard"))));
    assert!(matches!(lost(&|facts| facts.card = 1.into()), Some(LostRun::Model(_))));
    assert!(matches!(lost(&|facts| facts.task = "search".to_owned()), Some(LostRun::Model(_))));
    let elsewhere = |facts: &mut RunFacts| (facts.bench, facts.bench_hash) = ("/c".to_owned(), "01".to_owned());
    assert!(matches!(lost(&elsewhere), Some(LostRun::Bench(_))));
    // What only a task knows of is lost as well.
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), before.clone(), "one");
    let taken = RunFolder::take(folder.path()).unwrap();
    taken.check_loss(&before, |_, _| None).unwrap();
    let error = taken.check_loss(&before, |_, _| Some("its guesses are longer".to_owned())).unwrap_err();
    assert!(error.to_string().ends_with("its guesses are longer"), "{error}");
}

#[test]
fn a_file_of_another_run_is_not_taken_for_its_own() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(one.path(), facts("symbol"), "one");
    write(two.path(), facts("symbol"), "seven");
    let run = Run::open(one.path()).unwrap();
    assert_eq!(run.facts().files.len(), 4);
    for name in run.facts().files.keys() {
        let own = fs::read(one.path().join(name)).unwrap();
        let mut foreign = fs::read(two.path().join(name)).unwrap();
        if foreign == own {
            let middle = foreign.len() / 2;
            foreign[middle] ^= 1;
        }
        fs::write(one.path().join(name), foreign).unwrap();
        let error = Run::open(one.path()).unwrap_err();
        assert!(matches!(&error, BenchError::Damaged { path, .. } if path.ends_with(name)), "{error}");
        assert!(error.hint().unwrap().starts_with("search again"), "{error}");
        fs::remove_file(one.path().join(name)).unwrap();
        assert!(Run::open(one.path()).unwrap_err().to_string().ends_with("is damaged: it is missing"));
        fs::write(one.path().join(name), own).unwrap();
    }
    // No name leads out of the folder.
    let mut facts = run.facts().clone();
    facts.files.insert("../answers.parquet".to_owned(), FileFacts { blake3: String::new(), bytes: 0, rows: 0 });
    fs::write(one.path().join(RUN), serde_json::to_vec(&facts).unwrap()).unwrap();
    assert!(matches!(Run::open(one.path()), Err(BenchError::Damaged { .. })));
}

#[test]
fn a_run_of_the_former_shape_says_how_to_make_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let former = r#"{"format": "estrange-run", "format_version": 1, "estrange": "0.1.0", "task": "search",
        "model": "local:my model", "card": {}, "bench": "/data/bench", "bench_hash": "00", "corpora": []}"#;
    fs::write(folder.path().join(RUN), former).unwrap();
    fs::write(folder.path().join("shifts.parquet"), "").unwrap();
    let error = Run::open(folder.path()).unwrap_err();
    assert!(error.to_string().ends_with("has the format version 1; this program knows version 2"), "{error}");
    let hint = error.hint().unwrap();
    assert!(hint.contains("`estrange search /data/bench --model 'local:my model' --out /"), "{hint}");
    assert!(hint.contains("--replace"), "{hint}");
    // It is not lost for another without a word, and goes whole when it is replaced.
    let taken = RunFolder::take(folder.path()).unwrap();
    let error = taken.check_loss(&facts("symbol"), |_, _| None).unwrap_err();
    assert!(error.to_string().ends_with("it has the format version 1"), "{error}");
    drop(taken);
    write(folder.path(), facts("symbol"), "one");
    assert!(!folder.path().join("shifts.parquet").exists());
    Run::open(folder.path()).unwrap();
}

#[test]
fn a_run_that_was_killed_goes_on_and_gives_the_same_bytes() {
    let bytes = |folder: &Path| -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        files.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
    };
    let whole = tempfile::tempdir().unwrap();
    write(whole.path(), facts("symbol"), "one");

    let killed = tempfile::tempdir().unwrap();
    let begin = |facts: &RunFacts| {
        let folder = RunFolder::take(killed.path()).unwrap();
        let mut draft = folder.draft(facts.clone()).unwrap();
        let mut writer = draft.part(0).unwrap().unwrap();
        fill(&facts.parts[0], "one", &mut writer);
        writer.keep().unwrap();
        // The second one is in hand.
        fill(&facts.parts[1], "nothing of this", &mut draft.part(1).unwrap().unwrap());
    };
    begin(&facts("symbol"));
    assert!(matches!(Run::open(killed.path()), Err(BenchError::NotARun { .. })));
    let (_, asked) = write(killed.path(), facts("symbol"), "one");
    assert_eq!(asked, 1, "the first part was there");
    assert_eq!(bytes(killed.path()), bytes(whole.path()));

    // A part that was changed is asked again, and so is all of another run.
    fs::remove_dir_all(killed.path()).unwrap();
    begin(&facts("symbol"));
    fs::write(killed.path().join(PARTIAL).join("0/answers.parquet"), "").unwrap();
    assert_eq!(write(killed.path(), facts("symbol"), "one").1, 2);
    fs::remove_dir_all(killed.path()).unwrap();
    begin(&facts("semantic"));
    assert_eq!(write(killed.path(), facts("symbol"), "one").1, 2);
    assert_eq!(bytes(killed.path()), bytes(whole.path()));
}

#[test]
fn a_run_that_is_whole_is_moved_into_place_by_whoever_comes_next() {
    let whole = tempfile::tempdir().unwrap();
    write(whole.path(), facts("symbol"), "one");
    let files: Vec<String> = Run::open(whole.path()).unwrap().facts().files.keys().cloned().collect();
    // Killed after so many files were moved, with or without the old facts.
    for moved in 0..=files.len() {
        for has_old in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), facts("semantic"), "old");
            let under_way = folder.path().join(PARTIAL).join("whole");
            fs::create_dir_all(&under_way).unwrap();
            fs::copy(whole.path().join(RUN), under_way.join(RUN)).unwrap();
            for (place, name) in files.iter().enumerate() {
                let to = if !has_old && place < moved { folder.path() } else { &under_way };
                fs::copy(whole.path().join(name), to.join(name)).unwrap();
            }
            if !has_old {
                fs::remove_file(folder.path().join(RUN)).unwrap();
            }
            drop(RunFolder::take(folder.path()).unwrap());
            let run = Run::open(folder.path()).unwrap();
            assert_eq!(run.facts().parts[1].setting, "symbol");
            assert!(!folder.path().join(PARTIAL).exists());
        }
    }
}

#[test]
fn scores_can_be_had_again_without_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let (run, _) = write(folder.path(), facts("symbol"), "seven");
    let values = |run: &Run| -> Vec<f64> { run.rows::<Score>().unwrap().map(|score| score.unwrap().value).collect() };
    assert_eq!(values(&run), [5.0, 5.0]);
    let taken = RunFolder::take(folder.path()).unwrap();
    let halved = |tables: &RunTables, keep: &mut dyn FnMut(Score) -> Result<(), BenchError>| {
        score(tables, &mut |score| keep(Score { value: score.value / 2.0, ..score }))
    };
    let mut less = facts("symbol");
    less.options = serde_json::json!({ "measure": "half" });
    let again = taken.rescore(&run, less, halved).unwrap();
    assert_eq!(values(&again), [2.5, 2.5]);
    let read = Run::open(folder.path()).unwrap();
    assert_eq!((values(&read), read.rows::<Answer>().unwrap().count()), (vec![2.5, 2.5], 2));
    assert_eq!(read.facts().options["measure"], "half");
    // Where scoring fails, the run stays as it was.
    let fails = |_: &RunTables, _: &mut dyn FnMut(Score) -> Result<(), BenchError>| {
        Err(BenchError::NotARun { folder: "nowhere".into() })
    };
    taken.rescore(&read, facts("symbol"), fails).unwrap_err();
    assert_eq!(values(&Run::open(folder.path()).unwrap()), [2.5, 2.5]);
}

#[test]
fn nothing_is_left_of_a_run_without_an_answer_and_nobody_elses_files_are_touched() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new");
    let taken = RunFolder::take(&out).unwrap();
    drop(taken.draft(facts("symbol")).unwrap());
    drop(taken);
    assert!(!out.exists());
    // Tables without a run may be anybody's.
    fs::create_dir(&out).unwrap();
    fs::write(out.join("answers.parquet"), "mine").unwrap();
    assert!(matches!(RunFolder::take(&out), Err(BenchError::Occupied { .. })));
}
