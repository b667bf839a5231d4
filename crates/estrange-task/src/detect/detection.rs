//! The task: which items there are, what was said of them, and what each answer is worth.

use std::ops::Range;

use estrange_bench::{Answer, Item, Run, RunPart, RunPartWriter, RunTable, RunTables, Score};
use estrange_model::openai::Estimate;
use serde_json::{Value, json};

use super::detector::{Detector, Said, Shown};
use super::error::DetectError;
use super::judged::{Judged, judged};
use super::ladder::{Chosen, Entry, Ladder};
use super::records::{Case, Opinion};
use crate::task::{Headline, Keep, Progress, Stage, Task, parted};

/// How many items are asked before they are kept.
const IN_A_PART: usize = 24;

/// Detection on what was chosen of a bench.
#[derive(Debug)]
pub struct Detection {
    entries: Vec<Entry>,
    /// What was chosen, where something is shown.
    chosen: Option<Chosen>,
    parts: Vec<(RunPart, Range<usize>)>,
}

impl Detection {
    /// The task on what is shown.
    pub fn of(ladder: Ladder) -> Self {
        let keys = ladder.entries.iter().map(|entry| (entry.case.setting.as_str(), entry.case.seed));
        let parts = parted(&keys.collect::<Vec<_>>(), IN_A_PART);
        Self { chosen: Some(ladder.chosen().clone()), entries: ladder.entries, parts }
    }

    /// The task of a run that is there, to score it anew: it shows nothing, and asks for nothing.
    pub fn of_run(run: &Run) -> Result<Self, DetectError> {
        is_one(run)?;
        let parts = run.facts().parts.iter().map(|part| (part.clone(), 0..0)).collect();
        Ok(Self { entries: Vec::new(), chosen: None, parts })
    }

    /// How many items there are.
    pub fn size(&self) -> usize {
        self.entries.len()
    }

    /// What a run records of a detector: everything that its verdicts depend on, and what it was shown.
    pub fn card(&self, detector: &dyn Detector) -> Value {
        let mut card = detector.card();
        if let (Some(card), Some(chosen)) = (card.as_object_mut(), &self.chosen) {
            card.insert("label".to_owned(), json!(chosen.label));
            card.insert("sees".to_owned(), json!(chosen.seen));
        }
        card
    }

    fn shown(&self, part: usize) -> Vec<Shown<'_>> {
        self.entries[self.parts[part].1.clone()].iter().map(Entry::shown).collect()
    }
}

/// Refuses a run of another task.
pub(super) fn is_one(run: &Run) -> Result<(), DetectError> {
    if run.facts().task == super::NAME {
        return Ok(());
    }
    Err(DetectError::OtherTask { run: run.folder().to_owned(), task: run.facts().task.clone() })
}

impl Task for Detection {
    const NAME: &'static str = super::NAME;
    const TABLES: &'static [RunTable] = &[RunTable::of::<Case>(), RunTable::of::<Opinion>()];
    const HEADLINE: Option<Headline> =
        Some(Headline { skill: "detection", measure: "correct", chance: 0.5, baseline: super::STANDARD });
    type Model = dyn Detector;
    type Error = DetectError;

    fn parts(&self) -> Vec<RunPart> {
        self.parts.iter().map(|(part, _)| part.clone()).collect()
    }

    fn items(&self, part: usize) -> Vec<Item> {
        let item = |entry: &Entry| Item {
            task: Self::NAME.to_owned(),
            item: entry.case.item.clone(),
            setting: entry.case.setting.clone(),
            seed: entry.case.seed,
            function_id: Some(entry.function_id.clone()),
        };
        self.entries[self.parts[part].1.clone()].iter().map(item).collect()
    }

    fn begin(&self, parts: &[usize], _: &dyn Detector, progress: &dyn Progress) -> Result<(), DetectError> {
        progress.begins(Stage::Asking, Some(parts.iter().map(|part| self.parts[*part].1.len()).sum()));
        Ok(())
    }

    fn ask(
        &self,
        part: usize,
        detector: &dyn Detector,
        rows: &mut RunPartWriter<'_, '_>,
        progress: &dyn Progress,
    ) -> Result<(), DetectError> {
        if progress.should_stop() {
            return Err(estrange_model::ModelError::Stopped.into());
        }
        let shown = self.shown(part);
        for (shown, samples) in shown.iter().zip(detector.detect(&shown, progress)?) {
            rows.push(shown.case.clone())?;
            for (sample, said) in samples.into_iter().enumerate() {
                let (answer, opinion) = kept(shown.case, sample as u32, said);
                rows.push(answer)?;
                rows.push(opinion)?;
            }
        }
        Ok(())
    }

    fn score(&self, answered: &RunTables, keep: Keep<'_>) -> Result<(), DetectError> {
        for judged in judged(answered)? {
            scores(&judged).into_iter().try_for_each(&mut *keep)?;
        }
        Ok(())
    }

    fn estimate(&self, detector: &dyn Detector) -> Result<Option<Estimate>, DetectError> {
        detector.estimate(&self.entries.iter().map(Entry::shown).collect::<Vec<_>>())
    }
}

/// The rows for what was said of an item.
fn kept(case: &Case, sample: u32, said: Said) -> (Answer, Opinion) {
    let Said { verdict, cwe, line, confidence, reason, problem, traced } = said;
    let answer = traced.kept((&case.item, &case.setting, case.seed), sample);
    let (item, setting, seed) = (case.item.clone(), case.setting.clone(), case.seed);
    let (problem, detail) = problem.unzip();
    let detail = detail.filter(|detail| !detail.is_empty());
    (answer, Opinion { item, setting, seed, sample, verdict, cwe, line, confidence, reason, problem, detail })
}

/// What the answers to an item are worth.
fn scores(judged: &Judged) -> Vec<Score> {
    let yes = |is_so: bool| Some(f64::from(u8::from(is_so)));
    let values = [
        ("correct", yes(judged.is_correct())),
        ("flagged", yes(judged.is_flagged())),
        ("answered", yes(judged.verdict.is_some())),
        ("located", judged.is_located().and_then(yes)),
        ("agreement", judged.agreement),
    ];
    let score = |(measure, value): (&str, Option<f64>)| {
        Some(Score {
            task: super::NAME.to_owned(),
            item: judged.case.item.clone(),
            setting: judged.case.setting.clone(),
            seed: judged.case.seed,
            measure: measure.to_owned(),
            value: value?,
        })
    };
    values.into_iter().filter_map(score).collect()
}
