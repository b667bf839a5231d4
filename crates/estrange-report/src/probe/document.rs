//! What a report of the probe is made of: plain data. Things refer to each other by their place in the document's lists.
//!
//! Shares are fractions of 1; tables and pages show them as percentages.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::detect::FallSheet;
use crate::document::{Estimate, Fact};

/// What respondents are asked.
pub(super) const CALL: &str = "call";
pub(super) const SUMMARY: &str = "summary";

/// Everything that the panel of the probe shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProbeResults {
    /// What the report is called.
    pub title: String,
    /// What was run, in the order in which it is shown.
    pub made: Vec<Fact>,
    /// The level of confidence of all intervals.
    pub confidence: f64,
    /// The settings, in the order in which they stand side by side; the first one is what others are compared with.
    pub settings: Vec<String>,
    /// Who was asked, in the order in which they stand below each other.
    pub respondents: Vec<RespondentSheet>,
    /// How well it went, in each setting.
    pub levels: Vec<LevelSheet>,
    /// How many pairs there are in all.
    pub all_pairs: usize,
    /// How many questions; in every setting it is the same one.
    pub all_questions: usize,
}

/// Who was asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RespondentSheet {
    /// Its name.
    pub name: String,
    /// What it was asked: `call` or `summary`.
    pub asked: String,
    /// What it saw: `function` or `unit`.
    pub sees: String,
    /// How it was used.
    pub facts: Vec<Fact>,
}

/// What answers in a setting are worth.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelSheet {
    /// The respondent's place.
    pub respondent: usize,
    /// The setting's place.
    pub setting: usize,
    /// How many pairs were asked about.
    pub pairs: usize,
    /// How many questions were asked.
    pub questions: u64,
    /// How many of them have a value.
    pub answered: u64,
    /// How many of these are right.
    pub right: u64,
    /// The share of questions whose answer is right.
    pub accuracy: Estimate,
    /// Of summaries, one by where the right function stands, on average.
    pub reciprocal_rank: Option<f64>,
    /// What was lost since the first setting, as a share of right answers.
    pub fall: Option<FallSheet>,
    /// How far several answers to the same question agree.
    pub agreement: Option<f64>,
    /// Why answers give no value, and how many.
    pub problems: Vec<(String, u64)>,
}

/// Why a document of the probe cannot be shown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProbeResultsError {
    /// Something refers to what is not there.
    #[error("level {level} refers to {what} {place}, but there are only {count} (places count from 0)")]
    Place {
        /// The level.
        level: usize,
        /// The list that it refers to.
        what: &'static str,
        /// The place.
        place: usize,
        /// How long the list is.
        count: usize,
    },
    /// A number is infinite or not a number.
    #[error("level {level} has {value}, which is not finite (places count from 0)")]
    NotFinite {
        /// The level.
        level: usize,
        /// The number.
        value: f64,
    },
    /// A respondent has two results in one setting.
    #[error("level {0} is the second one of its model and setting (places count from 0)")]
    Twice(usize),
}

impl RespondentSheet {
    /// Its name, with what it was asked unless that is what calls come to.
    pub(crate) fn title(&self) -> Cow<'_, str> {
        match self.asked == SUMMARY {
            true => format!("{} (summaries)", self.name).into(),
            false => (&self.name).into(),
        }
    }
}

impl ProbeResults {
    /// Refuses a document in which a place is not there or a number is not finite.
    pub(crate) fn check(&self) -> Result<(), ProbeResultsError> {
        let mut seen = Vec::new();
        for (level, sheet) in self.levels.iter().enumerate() {
            self.check_places(level, sheet)?;
            if seen.contains(&(sheet.respondent, sheet.setting)) {
                return Err(ProbeResultsError::Twice(level));
            }
            seen.push((sheet.respondent, sheet.setting));
            let estimates = [Some(sheet.accuracy), sheet.fall.map(|fall| fall.lost)].into_iter().flatten();
            let mut numbers = estimates.flat_map(|estimate| [estimate.value, estimate.low, estimate.high]);
            if let Some(value) = numbers.find(|number| !number.is_finite()) {
                return Err(ProbeResultsError::NotFinite { level, value });
            }
        }
        Ok(())
    }

    fn check_places(&self, level: usize, sheet: &LevelSheet) -> Result<(), ProbeResultsError> {
        let places =
            [("model", sheet.respondent, self.respondents.len()), ("setting", sheet.setting, self.settings.len())];
        match places.into_iter().find(|(_, place, count)| place >= count) {
            Some((what, place, count)) => Err(ProbeResultsError::Place { level, what, place, count }),
            None => Ok(()),
        }
    }
}
