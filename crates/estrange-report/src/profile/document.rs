//! What a report of profiles is made of: plain data. Things refer to each other by their place in the document's lists.
//!
//! Shares are fractions of 1; tables and pages show them as percentages.

use serde::{Deserialize, Serialize};

use crate::document::Estimate;

/// Everything that the panel of profiles shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProfileResults {
    /// What the report is called.
    pub title: String,
    /// The level of confidence of all intervals.
    pub confidence: f64,
    /// The settings, by what they take away; the first one takes nothing.
    pub settings: Vec<SettingSheet>,
    /// The models, in the order in which they stand below each other.
    pub models: Vec<ModelProfile>,
    /// How often one skill has a function that another has not.
    pub disagreements: Vec<DisagreementSheet>,
    /// Functions of which one skill has what another has not: those first that are furthest apart.
    pub functions: Vec<FunctionSheet>,
}

/// A setting, and what it takes away.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingSheet {
    /// Its name; of the first one, *as written*.
    pub name: String,
    /// What it takes away.
    pub takes: Takes,
}

/// What a setting takes away from a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Takes {
    /// Nothing: it is as it was written.
    #[default]
    Nothing,
    /// Its names, and nothing else.
    Names,
    /// Its shape, with its names or without them.
    Shape,
    /// Its language.
    Language,
}

impl Takes {
    /// In a word or two, as the heading over a column.
    pub fn words(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Names => "names go",
            Self::Shape => "shape goes",
            Self::Language => "language goes",
        }
    }
}

/// What one model can do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelProfile {
    /// Its name.
    pub name: String,
    /// How many functions all its tasks share, where everything is shown on these alone.
    pub shared: Option<usize>,
    /// Its skills.
    pub skills: Vec<SkillSheet>,
    /// How much of its skill went with the names.
    pub familiarity: Option<FamiliaritySheet>,
    /// Which skills have no part in that, and why.
    pub why_not: Option<String>,
}

/// How much of a model's skill went with the names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FamiliaritySheet {
    /// The share that went, the mean over tasks.
    pub lost: Estimate,
    /// Over which skills, by their places.
    pub skills: Vec<usize>,
    /// In which settings.
    pub settings: Vec<String>,
    /// On how many functions, over all tasks.
    pub functions: usize,
    /// Whether these are the same ones for each task.
    pub is_shared: bool,
}

/// A skill: a task that was asked of a model, by its headline measure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SkillSheet {
    /// What it is called: `search`.
    pub name: String,
    /// The measure.
    pub measure: String,
    /// What whoever guesses gets by it.
    pub chance: f64,
    /// How it goes in each setting.
    pub levels: Vec<LevelSheet>,
    /// The share of it that went with the names.
    pub lost: Option<Estimate>,
    /// Why that cannot be said, where it cannot.
    pub why_not: Option<String>,
}

impl SkillSheet {
    /// What it is called, with its measure, and what guessing gets by that if it is not nothing.
    pub(crate) fn title(&self) -> String {
        match self.chance > 0.0 {
            true => format!("{}, {} (guessing: {:.0})", self.name, self.measure, 100.0 * self.chance),
            false => format!("{}, {}", self.name, self.measure),
        }
    }
}

/// A skill in a setting.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelSheet {
    /// The setting's place.
    pub setting: usize,
    /// How many functions there are: beyond the first setting, those that are in the first one as well.
    pub functions: usize,
    /// The mean of the measure.
    pub score: Estimate,
    /// The same as written, on the same functions.
    pub before: Option<f64>,
    /// The share of the skill that is gone.
    pub lost: Option<Estimate>,
}

/// How often one skill has a function that another has not, in a setting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisagreementSheet {
    /// The model's place.
    pub model: usize,
    /// The setting's place.
    pub setting: usize,
    /// The skill that has it, by its place.
    pub can: usize,
    /// The skill that has it not.
    pub cannot: usize,
    /// How many functions are so.
    pub functions: usize,
    /// Of how many that both were asked about.
    pub of: usize,
}

/// A function that one skill has and another has not, in a setting.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FunctionSheet {
    /// The model's place.
    pub model: usize,
    /// The setting's place.
    pub setting: usize,
    /// The function's id.
    pub id: String,
    /// Its name and where it is from.
    pub name: String,
    /// The skills that have it, with their scores.
    pub can: Vec<(usize, f64)>,
    /// Those that have it not.
    pub cannot: Vec<(usize, f64)>,
}

/// Why a document of profiles cannot be shown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProfileResultsError {
    /// Something refers to what is not there.
    #[error("something refers to {what} {place}, but there are only {count} (places count from 0)")]
    Place {
        /// The list that it refers to.
        what: &'static str,
        /// The place.
        place: usize,
        /// How long the list is.
        count: usize,
    },
    /// A number is infinite or not a number.
    #[error("a number of {model} is {value}, which is not finite")]
    NotFinite {
        /// The model.
        model: String,
        /// The number.
        value: f64,
    },
}

impl ProfileResults {
    /// Refuses a document in which a place is not there or a number is not finite.
    pub(crate) fn check(&self) -> Result<(), ProfileResultsError> {
        for model in &self.models {
            self.check_model(model)?;
        }
        let skills = |model: usize| self.models.get(model).map_or(0, |model| model.skills.len());
        for each in &self.disagreements {
            is_there("model", each.model, self.models.len())?;
            is_there("setting", each.setting, self.settings.len())?;
            [each.can, each.cannot].into_iter().try_for_each(|skill| is_there("skill", skill, skills(each.model)))?;
        }
        for each in &self.functions {
            is_there("model", each.model, self.models.len())?;
            is_there("setting", each.setting, self.settings.len())?;
            let named = each.can.iter().chain(&each.cannot);
            named.into_iter().try_for_each(|(skill, _)| is_there("skill", *skill, skills(each.model)))?;
        }
        Ok(())
    }

    fn check_model(&self, model: &ModelProfile) -> Result<(), ProfileResultsError> {
        let mut estimates: Vec<Estimate> = model.familiarity.iter().map(|sheet| sheet.lost).collect();
        for skill in &model.skills {
            estimates.extend(skill.lost);
            for level in &skill.levels {
                is_there("setting", level.setting, self.settings.len())?;
                estimates.extend([level.score].into_iter().chain(level.lost));
            }
        }
        let named = model.familiarity.iter().flat_map(|sheet| &sheet.skills);
        named.into_iter().try_for_each(|skill| is_there("skill", *skill, model.skills.len()))?;
        let mut numbers = estimates.iter().flat_map(|estimate| [estimate.value, estimate.low, estimate.high]);
        match numbers.find(|number| !number.is_finite()) {
            Some(value) => Err(ProfileResultsError::NotFinite { model: model.name.clone(), value }),
            None => Ok(()),
        }
    }
}

fn is_there(what: &'static str, place: usize, count: usize) -> Result<(), ProfileResultsError> {
    if place < count { Ok(()) } else { Err(ProfileResultsError::Place { what, place, count }) }
}
