//! What a report of written functions is made of: plain data. Things refer to each other by their place in the document's
//! lists.
//!
//! Shares are fractions of 1; tables and pages show them as percentages.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::funnel::FunnelSheet;
use super::seen::{CutoffSheet, SeenSheet};
use crate::detect::FallSheet;
use crate::document::{Estimate, Fact};

/// Everything that the panel of generation shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerateResults {
    /// What the report is called.
    pub title: String,
    /// What was run, in the order in which it is shown.
    pub made: Vec<Fact>,
    /// The level of confidence of all intervals.
    pub confidence: f64,
    /// What intervals were drawn from: `functions` or `projects`.
    pub drawn: String,
    /// The settings, in the order in which they stand side by side; the first one is what others are compared with.
    pub settings: Vec<String>,
    /// Who wrote, in the order in which they stand below each other: a run each.
    pub authors: Vec<AuthorSheet>,
    /// The projects (sources) that functions are from.
    pub projects: Vec<String>,
    /// What answers are worth in each setting, over all projects and in each of them.
    pub levels: Vec<WritingSheet>,
    /// How many functions there are in all.
    pub all_functions: usize,
    /// How far the order of the models is the same in a setting as in the first one.
    pub orders: Vec<OrderSheet>,
    /// Functions with their answers, side by side.
    pub shown: Vec<FunctionSheet>,
}

/// Who wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorSheet {
    /// Its name.
    pub name: String,
    /// What it was asked for: `generation`, `completion` or `infill`.
    pub asked: String,
    /// How answers are graded: `function` or `project`.
    pub graded: String,
    /// How it was used.
    pub facts: Vec<Fact>,
    /// Until when it was trained, where that is known.
    #[serde(default)]
    pub cutoff: Option<CutoffSheet>,
    /// How functions were chosen, where that was by their changes.
    #[serde(default)]
    pub funnel: Option<FunnelSheet>,
}

/// What answers in a setting are worth.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WritingSheet {
    /// The author's place.
    pub author: usize,
    /// The setting's place.
    pub setting: usize,
    /// The project's place; none for all together.
    pub project: Option<usize>,
    /// How many functions were asked for.
    pub functions: usize,
    /// How many answers were graded; several of each function where it was asked several times.
    pub answers: u64,
    /// How many of them compile and link.
    pub compiled: u64,
    /// How many of them pass.
    pub passed: u64,
    /// How many could not be graded, or not clearly; they count nowhere else.
    pub ungraded: u64,
    /// The compile pass rate (CPR).
    pub cpr: Estimate,
    /// The test pass rate (TPR).
    pub tpr: Estimate,
    /// Where each function was asked for several times: k, and the share of functions of which one of k answers passes.
    pub pass_at: Vec<(u32, f64)>,
    /// What became of answers, by word, and how many: all but those that could not be graded.
    pub outcomes: Vec<(String, u64)>,
    /// Why answers do not compile, by the word of the mistake as gcc's messages tell it, and how many.
    pub mistakes: Vec<MistakeSheet>,
    /// What is lost of the test pass rate since the first setting, on the functions that both have (the matched baseline).
    pub fall: Option<FallSheet>,
    /// The same of the compile pass rate.
    pub cpr_fall: Option<FallSheet>,
    /// What is found of answers that pass.
    pub quality: QualitySheet,
    /// What the author may have seen beside what it cannot have seen, where it is known until when it was trained.
    #[serde(default)]
    pub seen: Option<SeenSheet>,
}

/// A mistake for which answers do not compile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MistakeSheet {
    /// Its category: one of the five of the published table, or `told-apart`.
    pub category: String,
    /// Its word.
    pub mistake: String,
    /// How many answers, as gcc tells it.
    pub by_gcc: u64,
    /// How many answers, as clang tells it.
    pub by_clang: u64,
}

/// What is found of answers that pass.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct QualitySheet {
    /// How many pass: what the others are counted of.
    pub passed: u64,
    /// How many leave memory in use that the function does not.
    pub leaves_memory: u64,
    /// How many fault where memory is short and the function survives: error handling that is missing.
    pub not_robust: u64,
    /// How many take at least twice the function's steps.
    pub slow: u64,
    /// The median of the steps for each of the function's; none where nothing passes.
    pub steps: Option<f64>,
}

/// How far the order of the models by their test pass rate in a setting is that of the first one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OrderSheet {
    /// The setting's place.
    pub setting: usize,
    /// How many models.
    pub models: usize,
    /// Kendall's tau-b, with its interval.
    pub kendall: Estimate,
}

/// A function with what was written in its place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionSheet {
    /// What it is called: its name and where it is from.
    pub name: String,
    /// The same in each setting that it was asked for in.
    pub settings: Vec<WorldSheet>,
}

/// A function in a setting.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldSheet {
    /// The setting's place.
    pub setting: usize,
    /// The function as it is there.
    pub text: String,
    /// What was written, by whom.
    pub answers: Vec<AnswerSheet>,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerSheet {
    /// The author's place.
    pub author: usize,
    /// The code that was taken from the reply, or the reply where there is none.
    pub text: String,
    /// What became of it.
    pub outcome: String,
    /// What the compiler or the test said.
    pub detail: Option<String>,
}

/// Why a document of generation cannot be shown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GenerateResultsError {
    /// Something refers to what is not there.
    #[error("{of} {number} refers to {what} {place}, but there are only {count} (places count from 0)")]
    Place {
        /// The list that it stands in.
        of: &'static str,
        /// Its place there.
        number: usize,
        /// The list that it refers to.
        what: &'static str,
        /// The place.
        place: usize,
        /// How long the list is.
        count: usize,
    },
    /// A number of a level is infinite or not a number.
    #[error("level {level} has {value}, which is not finite (places count from 0)")]
    NotFinite {
        /// The level.
        level: usize,
        /// The number.
        value: f64,
    },
    /// A correlation is infinite or not a number.
    #[error("order {order} has {value}, which is not finite (places count from 0)")]
    OrderNotFinite {
        /// The order.
        order: usize,
        /// The number.
        value: f64,
    },
    /// An author has two results in one setting and project.
    #[error("level {0} is the second one of its model, setting and project (places count from 0)")]
    Twice(usize),
    /// What is left and what was lost in a step of a funnel is not what there was.
    #[error(
        "the step `{step}` of the functions that model {author} was asked for does not add up (places count from 0)"
    )]
    Funnel {
        /// The author.
        author: usize,
        /// The step.
        step: String,
    },
}

impl GenerateResults {
    /// Refuses a document in which a place is not there or a number is not finite.
    pub(crate) fn check(&self) -> Result<(), GenerateResultsError> {
        let within = |of, number, what, place: usize, count: usize| match place < count {
            true => Ok(()),
            false => Err(GenerateResultsError::Place { of, number, what, place, count }),
        };
        let (authors, settings) = (self.authors.len(), self.settings.len());
        let mut seen = BTreeSet::new();
        for (number, level) in self.levels.iter().enumerate() {
            within("level", number, "model", level.author, authors)?;
            within("level", number, "setting", level.setting, settings)?;
            if let Some(project) = level.project {
                within("level", number, "project", project, self.projects.len())?;
            }
            if !seen.insert((level.author, level.setting, level.project)) {
                return Err(GenerateResultsError::Twice(number));
            }
            if let Some(value) = level.numbers().find(|value| !value.is_finite()) {
                return Err(GenerateResultsError::NotFinite { level: number, value });
            }
        }
        for (author, sheet) in self.authors.iter().enumerate() {
            if let Some(step) = sheet.funnel.as_ref().and_then(FunnelSheet::wrong_step) {
                return Err(GenerateResultsError::Funnel { author, step: step.to_owned() });
            }
        }
        for (number, order) in self.orders.iter().enumerate() {
            within("order", number, "setting", order.setting, settings)?;
            if let Some(value) = bounds(order.kendall).find(|value| !value.is_finite()) {
                return Err(GenerateResultsError::OrderNotFinite { order: number, value });
            }
        }
        for (number, function) in self.shown.iter().enumerate() {
            for world in &function.settings {
                within("function", number, "setting", world.setting, settings)?;
                for answer in &world.answers {
                    within("function", number, "model", answer.author, authors)?;
                }
            }
        }
        Ok(())
    }

    /// What an author wrote in a setting, over all projects or in one of them.
    pub(super) fn level(&self, author: usize, setting: usize, project: Option<usize>) -> Option<&WritingSheet> {
        self.levels.iter().find(|level| (level.author, level.setting, level.project) == (author, setting, project))
    }

    /// What an author wrote in each setting over all projects, in the order of the settings.
    pub(super) fn levels_of(&self, author: usize) -> impl Iterator<Item = &WritingSheet> {
        (0..self.settings.len()).filter_map(move |setting| self.level(author, setting, None))
    }

    /// The name of an author, with as much beside it as tells it from the others.
    pub(super) fn title(&self, author: usize) -> Cow<'_, str> {
        let sheet = &self.authors[author];
        let alike = || self.authors.iter().filter(|other| other.name == sheet.name);
        match (alike().count(), alike().filter(|other| other.asked == sheet.asked).count()) {
            (..=1, _) => Cow::from(&sheet.name),
            (_, ..=1) => format!("{}, {}", sheet.name, sheet.asked).into(),
            _ => format!("{}, {} by {}", sheet.name, sheet.asked, sheet.graded).into(),
        }
    }
}

impl WritingSheet {
    /// All that must be finite.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let falls = || [self.fall, self.cpr_fall].into_iter().flatten();
        let estimates = [self.cpr, self.tpr].into_iter().chain(falls().map(|fall| fall.lost));
        let others = falls().flat_map(|fall| [fall.before, fall.after, fall.p_value]);
        estimates
            .flat_map(bounds)
            .chain(others)
            .chain(self.pass_at.iter().map(|(_, share)| *share))
            .chain(self.quality.steps)
            .chain(self.seen.iter().flat_map(SeenSheet::numbers))
    }
}

fn bounds(estimate: Estimate) -> impl Iterator<Item = f64> {
    [estimate.value, estimate.low, estimate.high].into_iter()
}
