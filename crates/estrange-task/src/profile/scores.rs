//! The scores of runs by setting, function and item, read from what all runs have.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use estrange_bench::{Item, Run, Score};

use super::functions::Functions;
use super::{AS_WRITTEN, ProfileError};
use crate::task::Headline;

/// The items of a function, each with its score: the mean over seeds.
pub type Items = BTreeMap<String, f64>;

/// The functions of a setting.
pub type ByFunction = BTreeMap<String, Items>;

/// A task that was asked of a model.
#[derive(Debug, Clone)]
pub struct Skill {
    /// What it is called: no other one of the model is called so.
    pub name: String,
    /// The task.
    pub task: String,
    /// By what it stands in the profile.
    pub headline: Headline,
    /// Its scores, by setting; the one in which functions are as they were written is [`AS_WRITTEN`] for all tasks.
    pub settings: BTreeMap<String, ByFunction>,
}

impl Skill {
    /// The functions that were asked about as they were written.
    pub fn as_written(&self) -> BTreeSet<&str> {
        self.settings.get(AS_WRITTEN).into_iter().flat_map(|own| own.keys().map(String::as_str)).collect()
    }
}

/// What a model was asked, a skill for each of its runs. Where one task was asked several times, the folders tell which is which.
pub fn skills(runs: &[(&Run, Headline)], functions: &Functions) -> Result<Vec<Skill>, ProfileError> {
    let is_alone = |task: &str| runs.iter().filter(|(run, _)| run.facts().task == task).count() == 1;
    let mut skills = Vec::new();
    for (run, headline) in runs {
        let task = &run.facts().task;
        let folder = run.folder().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let name = match is_alone(task) {
            true => headline.skill.to_owned(),
            false => format!("{} ({folder})", headline.skill),
        };
        skills.push(Skill { name, task: task.clone(), headline: *headline, settings: read(run, headline, functions)? });
    }
    Ok(skills)
}

/// The sum of an item's scores, and how many there are, by its name.
type Sums = BTreeMap<String, (f64, f64)>;

fn read(run: &Run, headline: &Headline, functions: &Functions) -> Result<BTreeMap<String, ByFunction>, ProfileError> {
    let mut asked: HashMap<(String, String, u32), String> = HashMap::new();
    for item in run.rows::<Item>()? {
        let Item { item, setting, seed, function_id, .. } = item?;
        if let Some(id) = function_id {
            asked.insert((item, setting, seed), functions.one(&id).to_owned());
        }
    }
    let mut sums: BTreeMap<String, BTreeMap<String, Sums>> = BTreeMap::new();
    for score in run.rows::<Score>()? {
        let Score { item, setting, seed, measure, value, .. } = score?;
        if measure != headline.measure {
            continue;
        }
        if !(0.0..=1.0).contains(&value) {
            return Err(ProfileError::NotAShare {
                run: run.folder().to_owned(),
                item,
                measure: headline.measure,
                value,
            });
        }
        let key = (item, setting, seed);
        let Some(function) = asked.get(&key) else { continue };
        let (item, setting, _) = key;
        let setting = if setting == headline.baseline { AS_WRITTEN.to_owned() } else { setting };
        let (sum, count) =
            sums.entry(setting).or_default().entry(function.clone()).or_default().entry(item).or_default();
        *sum += value;
        *count += 1.0;
    }
    let means = |items: Sums| items.into_iter().map(|(item, (sum, count))| (item, sum / count));
    let functions = |functions: BTreeMap<String, Sums>| {
        functions.into_iter().map(|(function, items)| (function, means(items).collect())).collect()
    };
    Ok(sums.into_iter().map(|(setting, own)| (setting, functions(own))).collect())
}
