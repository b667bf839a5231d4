//! A whole task in one file: nothing of the runs on disk, of scoring anew or of the report's core had to be touched for it.
//!
//! A model is shown a word and says how many letters it has. Items are words; an answer is what it said, as it came; the
//! task's own table has what could be read out of answers; a score is 1 where it is right. Its panel is one table.

#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use estrange_bench::{
    Answer, Bench, BenchError, Item, Lock, Provenance, Run, RunPart, RunPartWriter, RunTable, RunTables, Score, record,
    write,
};
use estrange_model::Silent;
use estrange_report::table::{Column, Entry, Number, Section};
use estrange_report::{PageOptions, Panel, Report, Table};
use estrange_task::task::{self, Keep, Progress, Task};
use serde_json::json;

record! {
    /// What was read out of an answer: one row of `readings.parquet`.
    pub struct Reading in "readings.parquet" {
        /// The item.
        pub item: String,
        /// The setting.
        pub setting: String,
        /// How many letters it was said to have; none where no number was said.
        pub letters: Option<u32>,
    }
}

/// How many letters words have.
struct Letters {
    /// The words, in parts that are asked one after the other.
    parts: Vec<Vec<&'static str>>,
    /// Whether only the parity counts.
    lenient: bool,
}

/// What answers: some words, and it may fail.
type Model = dyn Fn(&str) -> Result<String, BenchError>;

const SETTINGS: [&str; 2] = ["standard", "shouted"];

impl Letters {
    /// The words of a part as they are shown.
    fn shown(&self, part: usize) -> impl Iterator<Item = (&'static str, String)> {
        let is_shouted = part >= self.parts.len();
        let words = self.parts[part % self.parts.len()].iter();
        words.map(move |word| (*word, if is_shouted { word.to_uppercase() } else { (*word).to_owned() }))
    }

    fn setting(&self, part: usize) -> String {
        SETTINGS[part / self.parts.len()].to_owned()
    }
}

impl Task for Letters {
    const NAME: &'static str = "letters";
    const TABLES: &'static [RunTable] = &[RunTable::of::<Reading>()];
    type Model = Model;
    type Error = BenchError;

    fn parts(&self) -> Vec<RunPart> {
        let part = |part| RunPart {
            name: format!("part-{}", part % self.parts.len()),
            setting: self.setting(part),
            seed: 0,
            items: self.shown(part).count() as u64,
            facts: json!({}),
        };
        (0..self.parts.len() * SETTINGS.len()).map(part).collect()
    }

    fn items(&self, part: usize) -> Vec<Item> {
        let item = |word: &str| Item {
            task: Self::NAME.to_owned(),
            item: word.to_owned(),
            setting: self.setting(part),
            seed: 0,
            function_id: None,
        };
        self.shown(part).map(|(word, _)| item(word)).collect()
    }

    fn ask(
        &self,
        part: usize,
        model: &Model,
        rows: &mut RunPartWriter<'_, '_>,
        _: &dyn Progress,
    ) -> Result<(), BenchError> {
        for (word, shown) in self.shown(part) {
            let prompt = format!("How many letters has {shown}?");
            let said = model(&prompt)?;
            let letters = said.split_whitespace().find_map(|each| each.parse().ok());
            rows.push(Reading { item: word.to_owned(), setting: self.setting(part), letters })?;
            rows.push(Answer {
                item: word.to_owned(),
                setting: self.setting(part),
                seed: 0,
                sample: 0,
                prompt: Some(prompt),
                parameters: json!({ "temperature": 0 }).to_string(),
                text: Some(said),
                prompt_tokens: Some(5),
                answer_tokens: Some(2),
                cost: Some(0.01),
                seconds: None,
            })?;
        }
        Ok(())
    }

    fn score(&self, answered: &RunTables, keep: Keep<'_>) -> Result<(), BenchError> {
        for reading in answered.rows::<Reading>()? {
            let Reading { item, setting, letters } = reading?;
            let right = item.len() as u32;
            let is_right = letters.is_some_and(|said| if self.lenient { said % 2 == right % 2 } else { said == right });
            let (task, measure) = (Self::NAME.to_owned(), "right".to_owned());
            keep(Score { task, item, setting, seed: 0, measure, value: f64::from(u8::from(is_right)) })?;
        }
        Ok(())
    }
}

fn letters(lenient: bool) -> Letters {
    Letters { parts: vec![vec!["one", "three"], vec!["seven"]], lenient }
}

/// Always says five, and counts how often it was asked; fails when it was asked so often.
fn five(asked: &Rc<Cell<usize>>, fails_at: usize) -> impl Fn(&str) -> Result<String, BenchError> + use<> {
    let asked = Rc::clone(asked);
    move |_| {
        asked.set(asked.get() + 1);
        match asked.get() == fails_at {
            true => Err(BenchError::NotARun { folder: "the line was cut".into() }),
            false => Ok("It has 5 letters".to_owned()),
        }
    }
}

fn perform(bench: &Bench, folder: &Path, task: &Letters, model: &Model) -> Result<Run, BenchError> {
    let named = ("five", json!({ "model": "five" }));
    let facts = task::facts(task, named, (bench, bench.folder()), json!({}))?;
    let taken = task::folder::<Letters>(&folder.join("run"), &facts, false)?;
    task::perform(task, model, &taken, facts, &Silent)
}

fn sum(run: &Run) -> f64 {
    run.rows::<Score>().unwrap().map(|score| score.unwrap().value).sum()
}

/// What the task shows: how much each model gets right in each setting.
struct LettersPanel {
    rows: Vec<(String, Vec<f64>)>,
}

impl LettersPanel {
    fn of(runs: &[Run]) -> Result<Self, BenchError> {
        let mut rows = Vec::new();
        for run in runs {
            let scores: Vec<Score> = run.rows()?.collect::<Result<_, _>>()?;
            let mean = |setting: &str| {
                let own: Vec<f64> =
                    scores.iter().filter(|score| score.setting == setting).map(|score| score.value).collect();
                100.0 * own.iter().sum::<f64>() / own.len() as f64
            };
            rows.push((run.facts().model.clone(), SETTINGS.map(mean).to_vec()));
        }
        Ok(Self { rows })
    }
}

impl Panel for LettersPanel {
    fn name(&self) -> &str {
        "letters"
    }

    fn title(&self) -> &str {
        "Letters"
    }

    fn tables(&self) -> Vec<Table> {
        let column = |heading: &str| Column { heading: heading.to_owned(), ..Column::default() };
        let number = |value: &f64| Entry::Number(Number { value: *value, digits: 1, ..Number::default() });
        let row = |(model, values): &(String, Vec<f64>)| {
            [Entry::Text(model.clone())].into_iter().chain(values.iter().map(number)).collect()
        };
        vec![Table {
            name: "letters".to_owned(),
            title: "Right answers, in percent".to_owned(),
            columns: ["model"].into_iter().chain(SETTINGS).map(column).collect(),
            sections: vec![Section { title: String::new(), rows: self.rows.iter().map(row).collect() }],
            ..Table::default()
        }]
    }
}

#[test]
fn items_answers_scores_a_kill_and_scoring_anew() {
    let folder = tempfile::tempdir().unwrap();
    write(&Lock::acquire(folder.path().join("bench")).unwrap(), Provenance::default(), [], []).unwrap();
    let bench = Bench::open(folder.path().join("bench")).unwrap();

    // The line is cut in the second part: the first is kept, and not asked again.
    let asked = Rc::new(Cell::new(0));
    perform(&bench, folder.path(), &letters(false), &five(&asked, 3)).unwrap_err();
    let asked = Rc::new(Cell::new(0));
    let run = perform(&bench, folder.path(), &letters(false), &five(&asked, 0)).unwrap();
    assert_eq!(asked.get(), 4, "six items, of which two were answered");

    assert_eq!(run.facts().task, "letters");
    assert_eq!(run.rows::<Item>().unwrap().count(), 6);
    let answers: Vec<Answer> = run.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(answers[1].text.as_deref(), Some("It has 5 letters"));
    assert_eq!(answers[4].prompt.as_deref(), Some("How many letters has THREE?"));
    let cost: f64 = answers.iter().filter_map(|answer| answer.cost).sum();
    assert!((cost - 0.06).abs() < 1e-9);
    // `three` and `seven` have five, in both settings.
    assert_eq!(sum(&run), 4.0);

    // By another rule, without the model.
    let lenient = letters(true);
    let taken = task::folder::<Letters>(&folder.path().join("run"), run.facts(), false).unwrap();
    let again = task::rescore(&lenient, &run, &taken, run.facts().clone()).unwrap();
    assert_eq!(sum(&again), 6.0);
    drop(taken);
    assert_eq!(sum(&Run::open(&folder.path().join("run")).unwrap()), 6.0);

    // And its panel.
    let report = Report::new("Letters").with(LettersPanel::of(&[run]).unwrap());
    assert!(report.tables()[0].to_markdown().contains("| five |"), "{}", report.tables()[0].to_markdown());
    assert!(report.page(&PageOptions::default()).contains("<section id=\"letters\">"));
}
