//! The task: an item is a function in a setting; its answers are graded as soon as they are there.

use std::ops::Range;

use estrange_bench::{Item, Outcome, Run, RunPart, RunPartWriter, RunTable, RunTables, Score};
use estrange_grade::Graded;
use estrange_model::openai::Estimate;
use rayon::prelude::*;
use serde_json::Value;

use super::assignments::Assignments;
use super::author::{Author, Wanted, Wrote};
use super::entry::Entry;
use super::error::GenerateError;
use super::judge::{Judge, Verdict};
use super::judged::{Judged, judged};
use super::records::{Assignment, Mark};
use crate::task::{Headline, Keep, Progress, Stage, Task, parted};

/// How many items are asked for at once: what a kill may cost.
const AT_ONCE: usize = 16;

/// Writing functions.
pub struct Generation<'g, S> {
    assignments: Assignments<S>,
    parts: Vec<(RunPart, Range<usize>)>,
    judge: &'g dyn Judge<S>,
}

impl<'g, S> Generation<'g, S> {
    /// Of these assignments; the judge says what answers are worth.
    pub fn of(assignments: Assignments<S>, judge: &'g dyn Judge<S>) -> Self {
        let keys: Vec<(&str, u32)> = assignments
            .entries
            .iter()
            .map(|entry| (entry.assignment.setting.as_str(), entry.assignment.seed))
            .collect();
        let parts = parted(&keys, AT_ONCE);
        Self { assignments, parts, judge }
    }

    /// How many items there are.
    pub fn size(&self) -> usize {
        self.assignments.len()
    }

    /// What is asked for.
    pub fn assignments(&self) -> &Assignments<S> {
        &self.assignments
    }

    /// An author's card, with what it was asked for.
    pub fn card(&self, author: &dyn Author) -> Value {
        let mut card = author.card();
        if let Some(card) = card.as_object_mut() {
            card.insert("asks".to_owned(), self.assignments.writing.as_str().into());
            card.insert("graded".to_owned(), self.judge.word().into());
        }
        card
    }
}

/// Refuses a run of another task.
pub(super) fn is_one(run: &Run) -> Result<(), GenerateError> {
    if run.facts().task == super::NAME {
        return Ok(());
    }
    Err(GenerateError::OtherTask { run: run.folder().to_owned(), task: run.facts().task.clone() })
}

impl<S> Entry<S> {
    fn wanted(&self) -> Wanted<'_> {
        Wanted { assignment: &self.assignment, prompt: &self.prompt, cut: self.cut.as_ref(), wrong: &self.wrong }
    }

    /// The marks of what was written.
    fn marks(&self, judge: &dyn Judge<S>, wrote: &[Wrote]) -> Result<Vec<Mark>, GenerateError> {
        let replies: Vec<&str> = wrote.iter().filter_map(|wrote| wrote.text.as_deref().ok()).collect();
        let mut verdicts = judge.graded(self, &replies)?.into_iter();
        let marks = wrote.iter().enumerate().map(|(sample, wrote)| {
            let (code, graded, problem) = match &wrote.text {
                Ok(_) => {
                    let none = || Verdict { code: None, graded: Graded::plain(Outcome::NotRun, None) };
                    let Verdict { code, graded } = verdicts.next().unwrap_or_else(none);
                    (code, graded, None)
                }
                Err((problem, detail)) => {
                    let detail = Some(detail.clone()).filter(|detail| !detail.is_empty());
                    (None, Graded::plain(Outcome::NoReply, detail), Some(*problem))
                }
            };
            let [gcc_mistake, clang_mistake] = graded.mistakes;
            let Assignment { item, setting, seed, .. } = &self.assignment;
            Mark {
                item: item.clone(),
                setting: setting.clone(),
                seed: *seed,
                sample: sample as u32,
                outcome: graded.outcome,
                problem,
                end: graded.end,
                gcc_mistake,
                clang_mistake,
                code,
                detail: graded.detail,
                steps: graded.steps,
                left: graded.left,
                short_of_memory: graded.short_of_memory,
            }
        });
        Ok(marks.collect())
    }
}

impl<S: Sync> Task for Generation<'_, S> {
    const NAME: &'static str = super::NAME;
    const TABLES: &'static [RunTable] = &[RunTable::of::<Assignment>(), RunTable::of::<Mark>()];
    const HEADLINE: Option<Headline> =
        Some(Headline { skill: "writing", measure: "passed", chance: 0.0, baseline: super::STANDARD });
    type Model = dyn Author;
    type Error = GenerateError;

    fn parts(&self) -> Vec<RunPart> {
        self.parts.iter().map(|(part, _)| part.clone()).collect()
    }

    fn items(&self, part: usize) -> Vec<Item> {
        let item = |entry: &Entry<S>| Item {
            task: Self::NAME.to_owned(),
            item: entry.assignment.item.clone(),
            setting: entry.assignment.setting.clone(),
            seed: entry.assignment.seed,
            function_id: Some(entry.assignment.item.clone()),
        };
        self.assignments.entries[self.parts[part].1.clone()].iter().map(item).collect()
    }

    fn begin(&self, parts: &[usize], _: &dyn Author, progress: &dyn Progress) -> Result<(), GenerateError> {
        progress.begins(Stage::Asking, Some(parts.iter().map(|part| self.parts[*part].1.len()).sum()));
        Ok(())
    }

    fn ask(
        &self,
        part: usize,
        author: &dyn Author,
        rows: &mut RunPartWriter<'_, '_>,
        progress: &dyn Progress,
    ) -> Result<(), GenerateError> {
        if progress.should_stop() {
            return Err(estrange_model::ModelError::Stopped.into());
        }
        let entries = &self.assignments.entries[self.parts[part].1.clone()];
        let wanted: Vec<Wanted<'_>> = entries.iter().map(Entry::wanted).collect();
        let wrote = author.write(&wanted, progress)?;
        let marks: Vec<Vec<Mark>> = entries
            .par_iter()
            .zip(wrote.par_iter())
            .map(|(entry, wrote)| entry.marks(self.judge, wrote))
            .collect::<Result<_, GenerateError>>()?;
        for ((entry, wrote), marks) in entries.iter().zip(wrote).zip(marks) {
            let Assignment { item, setting, seed, .. } = &entry.assignment;
            rows.push(entry.assignment.clone())?;
            for (sample, (wrote, mark)) in wrote.into_iter().zip(marks).enumerate() {
                let mut answer = wrote.traced.kept((item, setting, *seed), sample as u32);
                // Whoever was asked nothing has not read it.
                answer.prompt.get_or_insert_with(|| entry.prompt.clone());
                rows.push(answer)?;
                rows.push(mark)?;
            }
        }
        Ok(())
    }

    fn score(&self, answered: &RunTables, keep: Keep<'_>) -> Result<(), GenerateError> {
        for judged in judged(answered)? {
            scores(&judged).into_iter().try_for_each(&mut *keep)?;
        }
        Ok(())
    }

    fn estimate(&self, author: &dyn Author) -> Result<Option<Estimate>, GenerateError> {
        author.estimate(&self.assignments.entries.iter().map(Entry::wanted).collect::<Vec<_>>())
    }
}

/// What the answers to an item are worth: the shares of them that compile, and that pass.
fn scores(judged: &Judged) -> Vec<Score> {
    let tally = judged.tally();
    let share = |count: u64| (tally.answers > 0).then(|| count as f64 / tally.answers as f64);
    let values = [("compiled", share(tally.compiled)), ("passed", share(tally.passed))];
    let score = |(measure, value): (&str, Option<f64>)| {
        Some(Score {
            task: super::NAME.to_owned(),
            item: judged.assignment.item.clone(),
            setting: judged.assignment.setting.clone(),
            seed: judged.assignment.seed,
            measure: measure.to_owned(),
            value: value?,
        })
    };
    values.into_iter().filter_map(score).collect()
}
