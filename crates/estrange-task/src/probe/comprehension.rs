//! The task: which questions there are, what was answered, and what each answer is worth.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use estrange_bench::{Bench, Item, Question, Run, RunPart, RunPartWriter, RunTable, RunTables, Rung, Score};
use estrange_model::openai::Estimate;
use serde_json::json;

use super::catalogue::Catalogue;
use super::error::ProbeError;
use super::judged::{Judged, judged};
use super::reading::{Meant, Reading};
use super::records::Response;
use super::respondent::{Respondent, Said, Shown};
use super::value::Value;
use crate::detect::STANDARD;
use crate::given::Key;
use crate::seen::{Seen, View};
use crate::task::{Headline, Keep, Progress, Stage, Task, parted};

/// How many items are asked before they are kept.
const IN_A_PART: usize = 24;

/// Which questions are asked, and what is shown with them.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The settings; all that there are where none is named.
    pub settings: Vec<String>,
    /// What the respondent sees.
    pub seen: Seen,
}

/// Questions about the pairs of a bench.
pub struct Comprehension {
    /// By setting and seed, then by item, each with its code.
    entries: Vec<(Question, String)>,
    /// Every question, asked or not.
    known: HashSet<Key>,
    /// What is seen, where something is shown.
    seen: Option<Seen>,
    reading: Reading,
    parts: Vec<(RunPart, Range<usize>)>,
}

impl Comprehension {
    /// The task of asking those questions about calls that were chosen. The code is read from the bench.
    pub fn of(bench: &Bench, questions: Vec<Question>, chosen: &Chosen) -> Result<Self, ProbeError> {
        Self::read(bench, questions, chosen, Reading::Values)
    }

    /// The task of asking what the functions of these pairs do, and of finding them by what is said.
    pub fn of_summaries(
        bench: &Bench,
        pairs: &HashSet<String>,
        catalogue: Catalogue,
        chosen: &Chosen,
    ) -> Result<Self, ProbeError> {
        let questions = catalogue.questions(bench, pairs)?;
        Self::read(bench, questions, chosen, Reading::Functions(catalogue))
    }

    fn read(bench: &Bench, questions: Vec<Question>, chosen: &Chosen, reading: Reading) -> Result<Self, ProbeError> {
        check_settings(&questions, &chosen.settings)?;
        let known = questions.iter().map(key_of).collect();
        let codes = codes(bench, chosen.seen)?;
        let is_chosen = |question: &Question| chosen.settings.is_empty() || chosen.settings.contains(&question.setting);
        let with_code = |question: Question| {
            let key = (question.pair.clone(), question.setting.clone(), question.seed);
            let code = codes.get(&key).cloned().ok_or_else(|| wrong(&question, "the bench does not have its code"))?;
            match Value::read(&question.answer) {
                Some(_) => Ok((question, code)),
                None => Err(wrong(&question, "its answer is no value")),
            }
        };
        let mut entries: Vec<(Question, String)> =
            questions.into_iter().filter(is_chosen).map(with_code).collect::<Result<_, ProbeError>>()?;
        entries.sort_by(|(one, _), (other, _)| place(one).cmp(&place(other)));
        let keys = entries.iter().map(|(question, _)| (question.setting.as_str(), question.seed));
        let parts = parted(&keys.collect::<Vec<_>>(), IN_A_PART);
        Ok(Self { entries, known, seen: Some(chosen.seen), reading, parts })
    }

    /// The task of a run that is there, to score it anew: it shows nothing, and asks for nothing.
    pub fn of_run(run: &Run) -> Result<Self, ProbeError> {
        is_one(run)?;
        let parts = run.facts().parts.iter().map(|part| (part.clone(), 0..0)).collect();
        Ok(Self { entries: Vec::new(), known: HashSet::new(), seen: None, reading: Reading::Values, parts })
    }

    /// How many items there are.
    pub fn size(&self) -> usize {
        self.entries.len()
    }

    /// The items as a respondent sees them.
    pub fn shown(&self) -> impl Iterator<Item = Shown<'_>> {
        self.entries.iter().map(|entry| self.showing(entry))
    }

    fn showing<'t>(&'t self, (question, text): &'t (Question, String)) -> Shown<'t> {
        Shown { question, text, right: self.reading.right(question) }
    }

    /// Whether there is a question of this name, setting and seed, asked or not.
    pub(super) fn knows(&self, key: &Key) -> bool {
        self.known.contains(key)
    }

    /// What a run records of a respondent: everything that its answers depend on, and what it was shown.
    pub fn card(&self, respondent: &dyn Respondent) -> serde_json::Value {
        let mut card = respondent.card();
        if let (Some(card), Some(seen)) = (card.as_object_mut(), self.seen) {
            card.insert("sees".to_owned(), json!(seen));
            card.insert("questions".to_owned(), json!(self.hash()));
            if let Reading::Functions(catalogue) = &self.reading {
                card.insert("ranker".to_owned(), catalogue.card());
            }
        }
        card
    }

    /// Stands for what is asked.
    fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (question, text) in &self.entries {
            let Question { item, setting, seed, call, asked, .. } = question;
            hasher.update(json!([item, setting, seed, call, asked, text]).to_string().as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    fn of_part(&self, part: usize) -> &[(Question, String)] {
        &self.entries[self.parts[part].1.clone()]
    }
}

fn key_of(question: &Question) -> Key {
    (question.item.clone(), question.setting.clone(), question.seed)
}

fn place(question: &Question) -> (&str, u32, &str) {
    (&question.setting, question.seed, &question.item)
}

fn wrong(question: &Question, detail: &str) -> ProbeError {
    ProbeError::Question {
        item: question.item.clone(),
        setting: question.setting.clone(),
        seed: question.seed,
        detail: detail.to_owned(),
    }
}

/// Refuses settings in which nothing can be asked.
fn check_settings(questions: &[Question], wanted: &[String]) -> Result<(), ProbeError> {
    let settings: BTreeSet<&String> = questions.iter().map(|question| &question.setting).collect();
    if settings.is_empty() {
        return Err(ProbeError::NoQuestions);
    }
    match wanted.iter().find(|setting| !settings.contains(setting)) {
        Some(setting) => {
            Err(ProbeError::NoSetting { setting: setting.clone(), known: settings.into_iter().cloned().collect() })
        }
        None => Ok(()),
    }
}

/// The code of the patched sides: by pair, setting and seed.
fn codes(bench: &Bench, seen: Seen) -> Result<HashMap<Key, String>, ProbeError> {
    let mut codes = HashMap::new();
    for rung in bench.rows::<Rung>()? {
        let rung = rung?;
        let function = rung.patched_start as usize..rung.patched_end as usize;
        let view = View::of(&rung.patched_unit, function, seen).map(|view| view.text.into_owned());
        if let Some(code) = view {
            codes.insert((rung.pair, rung.setting, rung.seed), code);
        }
    }
    Ok(codes)
}

/// Refuses a run of another task.
pub(super) fn is_one(run: &Run) -> Result<(), ProbeError> {
    if run.facts().task == super::NAME {
        return Ok(());
    }
    Err(ProbeError::OtherTask { run: run.folder().to_owned(), task: run.facts().task.clone() })
}

impl Task for Comprehension {
    const NAME: &'static str = super::NAME;
    const TABLES: &'static [RunTable] = &[RunTable::of::<Question>(), RunTable::of::<Response>()];
    const HEADLINE: Option<Headline> =
        Some(Headline { skill: "comprehension", measure: "correct", chance: 0.0, baseline: STANDARD });
    type Model = dyn Respondent;
    type Error = ProbeError;

    fn parts(&self) -> Vec<RunPart> {
        self.parts.iter().map(|(part, _)| part.clone()).collect()
    }

    fn items(&self, part: usize) -> Vec<Item> {
        let item = |(question, _): &(Question, String)| Item {
            task: Self::NAME.to_owned(),
            item: question.item.clone(),
            setting: question.setting.clone(),
            seed: question.seed,
            function_id: Some(question.function_id.clone()),
        };
        self.of_part(part).iter().map(item).collect()
    }

    fn begin(&self, parts: &[usize], _: &dyn Respondent, progress: &dyn Progress) -> Result<(), ProbeError> {
        progress.begins(Stage::Asking, Some(parts.iter().map(|part| self.parts[*part].1.len()).sum()));
        Ok(())
    }

    fn ask(
        &self,
        part: usize,
        respondent: &dyn Respondent,
        rows: &mut RunPartWriter<'_, '_>,
        progress: &dyn Progress,
    ) -> Result<(), ProbeError> {
        if progress.should_stop() {
            return Err(estrange_model::ModelError::Stopped.into());
        }
        let shown: Vec<Shown<'_>> = self.of_part(part).iter().map(|entry| self.showing(entry)).collect();
        let said = respondent.answer(&shown, progress)?;
        let asked: Vec<(&Question, Vec<Said>)> = shown.iter().map(|shown| shown.question).zip(said).collect();
        let meant = self.reading.meant(&asked)?;
        for ((question, said), meant) in asked.into_iter().zip(meant) {
            rows.push(question.clone())?;
            for (sample, (said, meant)) in said.into_iter().zip(meant).enumerate() {
                rows.push(said.traced.kept((&question.item, &question.setting, question.seed), sample as u32))?;
                rows.push(response(question, sample as u32, meant))?;
            }
        }
        Ok(())
    }

    fn score(&self, answered: &RunTables, keep: Keep<'_>) -> Result<(), ProbeError> {
        for judged in judged(answered)? {
            scores(&judged).into_iter().try_for_each(&mut *keep)?;
        }
        Ok(())
    }

    fn estimate(&self, respondent: &dyn Respondent) -> Result<Option<Estimate>, ProbeError> {
        respondent.estimate(&self.shown().collect::<Vec<_>>())
    }
}

/// The row for an answer as it was understood.
fn response(question: &Question, sample: u32, meant: Meant) -> Response {
    let (value, problem) = match meant.value {
        Ok(value) => (Some(value), None),
        Err(problem) => (None, Some(problem)),
    };
    let (problem, detail) = problem.unzip();
    let (item, setting, seed) = key_of(question);
    let detail = detail.filter(|detail| !detail.is_empty());
    Response { item, setting, seed, sample, value, problem, detail, rank: meant.rank }
}

/// What the answers to an item are worth.
fn scores(judged: &Judged) -> Vec<Score> {
    let yes = |is_so: bool| Some(f64::from(u8::from(is_so)));
    let values = [
        ("correct", yes(judged.is_right)),
        ("answered", yes(judged.value.is_some())),
        ("agreement", judged.agreement),
        ("reciprocal-rank", judged.reciprocal_rank),
    ];
    let score = |(measure, value): (&str, Option<f64>)| {
        let (item, setting, seed) = key_of(&judged.question);
        Some(Score { task: super::NAME.to_owned(), item, setting, seed, measure: measure.to_owned(), value: value? })
    };
    values.into_iter().filter_map(score).collect()
}
