//! What a report of detections is made of: plain data. Things refer to each other by their place in the document's lists.
//!
//! Shares are fractions of 1; tables and pages show them as percentages.

use serde::{Deserialize, Serialize};

use crate::document::{Estimate, Fact};

/// Everything that the panel of detections shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DetectResults {
    /// What the report is called.
    pub title: String,
    /// What was run, in the order in which it is shown.
    pub made: Vec<Fact>,
    /// The level of confidence of all intervals.
    pub confidence: f64,
    /// The settings, in the order in which they stand side by side; the first one is what others are compared with.
    pub settings: Vec<String>,
    /// The detectors, in the order in which they stand below each other.
    pub detectors: Vec<DetectorSheet>,
    /// How well it went, in each setting.
    pub levels: Vec<LevelSheet>,
    /// The same by class of bug.
    pub classes: Vec<ClassSheet>,
    /// The pairs that are shown.
    pub pairs: Vec<PairSheet>,
    /// How many pairs there are in all.
    pub all_pairs: usize,
}

/// Who was asked, and about what.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DetectorSheet {
    /// Its name, such as `cppcheck`.
    pub name: String,
    /// What stands behind the word that its pairs have a bug: numbers of different labels never stand in one block.
    pub label: String,
    /// What it saw: `function` or `unit`.
    pub sees: String,
    /// How it was used.
    pub facts: Vec<Fact>,
}

/// What a detector's verdicts in a setting are worth.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelSheet {
    /// The detector's place.
    pub detector: usize,
    /// The setting's place.
    pub setting: usize,
    /// How many items were asked.
    pub items: u64,
    /// How many of them have a verdict.
    pub answered: u64,
    /// Of what was flagged, the share with the bug.
    pub precision: Estimate,
    /// Of what has the bug, the share that was flagged.
    pub recall: Estimate,
    /// The harmonic mean of both.
    pub f1: Estimate,
    /// The share of right verdicts.
    pub accuracy: Estimate,
    /// Of patched sides, the share that was flagged.
    pub false_alarms: Estimate,
    /// The share of pairs of which both sides are right.
    pub pairwise: Estimate,
    /// What the two sides of each pair come to.
    pub outcomes: Outcomes,
    /// Of lines that were named, the share that are right.
    pub located: Option<Estimate>,
    /// How many lines were named.
    pub with_line: u64,
    /// The share of items whose verdict is another than in the first setting.
    pub flips: Option<Estimate>,
    /// What was lost since the first setting.
    pub fall: Option<FallSheet>,
    /// How far several answers to the same item agree.
    pub agreement: Option<f64>,
    /// Why answers have no verdict, and how many.
    pub problems: Vec<(String, u64)>,
}

/// What the two sides of pairs come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes {
    /// All pairs.
    pub pairs: u64,
    /// Both are right.
    pub both_right: u64,
    /// Both were flagged.
    pub both_flagged: u64,
    /// Both were said to be safe.
    pub both_safe: u64,
    /// Only the patched side was flagged.
    pub swapped: u64,
    /// A side has no verdict.
    pub unanswered: u64,
}

/// What was lost on the pairs that two settings have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct FallSheet {
    /// How many pairs.
    pub pairs: usize,
    /// F1 before, or what else is measured.
    pub before: f64,
    /// The same after.
    pub after: f64,
    /// The difference.
    pub lost: Estimate,
    /// How likely it is by chance.
    pub p_value: f64,
}

/// What a detector's verdicts on one class of bugs are worth in a setting.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassSheet {
    /// The detector's place.
    pub detector: usize,
    /// The setting's place.
    pub setting: usize,
    /// The class, such as `add-overflow`.
    pub class: String,
    /// How many pairs have it.
    pub pairs: usize,
    /// The share of vulnerable sides that were flagged.
    pub recall: f64,
    /// The share of patched sides that were flagged.
    pub false_alarms: f64,
    /// F1.
    pub f1: f64,
}

/// A pair, at every level.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PairSheet {
    /// Its name.
    pub name: String,
    /// What stands behind the word that it has a bug.
    pub label: String,
    /// How it ends on its trigger.
    pub class: String,
    /// Its weakness, such as `CWE-190`.
    pub weakness: String,
    /// What whoever mended it says about it.
    pub description: String,
    /// Its levels.
    pub rungs: Vec<RungSheet>,
}

/// Both sides of a pair in a setting.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RungSheet {
    /// The setting's place.
    pub setting: usize,
    /// The seed.
    pub seed: u32,
    /// The side with the bug.
    pub vulnerable: SideSheet,
    /// The side without it.
    pub patched: SideSheet,
}

/// A side of a pair, and what was said of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SideSheet {
    /// The function's text.
    pub text: String,
    /// The line on which it faults, counted from 1.
    pub fault_line: Option<u32>,
    /// What detectors said.
    pub said: Vec<SaidSheet>,
}

/// What a detector said of a side.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SaidSheet {
    /// The detector's place.
    pub detector: usize,
    /// The verdict; empty where there is none.
    pub verdict: String,
    /// Whether it is right.
    pub is_right: bool,
    /// The weakness that it names, and the line in words.
    pub detail: String,
    /// Why, in its words; or why there is no verdict.
    pub reason: String,
}

/// Why a document of detections cannot be shown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DetectResultsError {
    /// Something refers to what is not there.
    #[error("{referrer} refers to {what} {place}, but there are only {count} (places count from 0)")]
    Place {
        /// What refers to it.
        referrer: String,
        /// The list that it refers to.
        what: &'static str,
        /// The place.
        place: usize,
        /// How long the list is.
        count: usize,
    },
    /// A number is infinite or not a number.
    #[error("{referrer} has {value}, which is not finite (places count from 0)")]
    NotFinite {
        /// What has it.
        referrer: String,
        /// The number.
        value: f64,
    },
    /// A detector has two results in one setting.
    #[error("level {0} is the second one of its detector and setting (places count from 0)")]
    Twice(usize),
}

impl DetectResults {
    /// Refuses a document in which a place is not there or a number is not finite.
    pub(crate) fn check(&self) -> Result<(), DetectResultsError> {
        let mut seen = Vec::new();
        for (at, level) in self.levels.iter().enumerate() {
            let referrer = format!("level {at}");
            self.has(&referrer, level.detector, level.setting)?;
            if seen.contains(&(level.detector, level.setting)) {
                return Err(DetectResultsError::Twice(at));
            }
            seen.push((level.detector, level.setting));
            let always = [level.precision, level.recall, level.f1, level.accuracy, level.false_alarms, level.pairwise];
            let lost = level.fall.map(|fall| fall.lost);
            for estimate in always.into_iter().chain([level.located, level.flips, lost].into_iter().flatten()) {
                finite(&referrer, &[estimate.value, estimate.low, estimate.high])?;
            }
        }
        for (at, class) in self.classes.iter().enumerate() {
            let referrer = format!("class {at}");
            self.has(&referrer, class.detector, class.setting)?;
            finite(&referrer, &[class.recall, class.false_alarms, class.f1])?;
        }
        for (at, rung) in self.pairs.iter().flat_map(|pair| &pair.rungs).enumerate() {
            for said in rung.vulnerable.said.iter().chain(&rung.patched.said) {
                self.has(&format!("rung {at}"), said.detector, rung.setting)?;
            }
        }
        Ok(())
    }

    fn has(&self, referrer: &str, detector: usize, setting: usize) -> Result<(), DetectResultsError> {
        for (what, place, count) in
            [("detector", detector, self.detectors.len()), ("setting", setting, self.settings.len())]
        {
            if place >= count {
                return Err(DetectResultsError::Place { referrer: referrer.to_owned(), what, place, count });
            }
        }
        Ok(())
    }
}

fn finite(referrer: &str, values: &[f64]) -> Result<(), DetectResultsError> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(DetectResultsError::NotFinite { referrer: referrer.to_owned(), value: *value }),
        None => Ok(()),
    }
}
