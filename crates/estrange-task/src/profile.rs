//! One function, every task: what a model can do with the same functions, task by task, as names, shape and language go.
//!
//! A profile is made from what all runs have: items with their functions, and scores. Each task says which of its measures
//! stands for it, [`Task::HEADLINE`]; a task that is added later takes part with a line in [`headline`].
//!
//! | what | where |
//! |---|---|
//! | which functions are the same: both sides of a pair are one | `functions` |
//! | the scores of a run by setting, function and item | `scores` |
//! | which functions and items two settings both have | `matched` |
//! | how much of a skill is lost, and how much went with the names | `familiarity` |
//! | on which functions tasks disagree | `disagreement` |

mod disagreement;
mod error;
mod familiarity;
mod functions;
mod levels;
mod matched;
mod scores;

use std::collections::{BTreeMap, BTreeSet};

use estrange_bench::{Bench, Run};
use estrange_report::profile::{ModelProfile, ProfileResults, SettingSheet, Takes};
use estrange_stats::bootstrap::Bootstrap;

use crate::sheets::model_name;
use crate::task::{Headline, Task};
use crate::{detect, generate, probe, search};
use functions::Functions;
use scores::Skill;

pub use error::ProfileError;

/// Of fewer functions nothing is said: resamples of them are too much alike.
pub const FEWEST: usize = 8;

/// What functions are called in the setting in which they are as they were written, whatever a task calls that.
pub const AS_WRITTEN: &str = "as written";

/// By what a task stands in a profile, if it does.
pub fn headline(task: &str) -> Option<Headline> {
    let all = [
        (search::NAME, search::Search::HEADLINE),
        (generate::NAME, generate::Generation::<generate::World>::HEADLINE),
        (detect::NAME, detect::Detection::HEADLINE),
        (probe::NAME, probe::Comprehension::HEADLINE),
    ];
    all.into_iter().find(|(name, _)| *name == task).and_then(|(_, headline)| headline)
}

/// How a document is made.
#[derive(Clone, Copy)]
pub struct DocumentOptions<'o> {
    /// How often is drawn for an interval.
    pub rounds: usize,
    /// What is drawn depends on it.
    pub seed: u64,
    /// How many functions are named on which tasks disagree, of each model.
    pub shown: usize,
    /// Under which name all runs are taken for those of one model, such as an embedder and a writer of one family.
    pub as_one: Option<&'o str>,
    /// What a setting takes away.
    pub takes: &'o dyn Fn(&str) -> Takes,
}

impl<'o> DocumentOptions<'o> {
    /// The usual ones, where settings take away what this says.
    pub fn of(takes: &'o dyn Fn(&str) -> Takes) -> Self {
        Self { rounds: 2_000, seed: 0, shown: 30, as_one: None, takes }
    }

    fn bootstrap(&self) -> Bootstrap {
        Bootstrap { resamples: self.rounds, ..Bootstrap::seeded(self.seed) }
    }
}

/// The profiles of the models that runs are by, each run with its task's headline. Nothing where no model was asked more than one
/// task: then a profile says no more than the task itself.
pub fn document(
    bench: &Bench,
    runs: &[(&Run, Headline)],
    options: &DocumentOptions<'_>,
) -> Result<Option<ProfileResults>, ProfileError> {
    let mut by_model: Vec<(&str, Vec<(&Run, Headline)>)> = Vec::new();
    for (run, headline) in runs {
        let model = options.as_one.unwrap_or(&run.facts().model);
        match by_model.iter_mut().find(|(name, _)| *name == model) {
            Some((_, own)) => own.push((run, *headline)),
            None => by_model.push((model, vec![(run, *headline)])),
        }
    }
    let tasks =
        |own: &[(&Run, Headline)]| own.iter().map(|(run, _)| run.facts().task.as_str()).collect::<BTreeSet<_>>().len();
    if !by_model.iter().any(|(_, own)| tasks(own) > 1) {
        return Ok(None);
    }
    let functions = Functions::read(bench)?;
    let mut read: Vec<(&str, Vec<Skill>)> = Vec::new();
    for (_, own) in &by_model {
        let name = options.as_one.unwrap_or(model_name(own[0].0.facts()));
        read.push((name, scores::skills(own, &functions)?));
    }
    let settings = settings(read.iter().flat_map(|(_, skills)| skills), options.takes);
    let mut document = ProfileResults {
        title: "One function, every task".to_owned(),
        confidence: options.bootstrap().level,
        ..ProfileResults::default()
    };
    for (place, (name, skills)) in read.iter().enumerate() {
        let shared = matched::shared(skills.iter().map(Skill::as_written));
        let mut sheets = Vec::new();
        for skill in skills {
            sheets.push(levels::sheet(skill, (&settings, shared.as_ref()), options)?);
        }
        let mut profile = ModelProfile {
            name: (*name).to_owned(),
            shared: shared.as_ref().map(BTreeSet::len),
            skills: sheets,
            ..ModelProfile::default()
        };
        familiarity::fill(&mut profile, skills, &settings, options)?;
        document.models.push(profile);
        let found = disagreement::of(skills, &settings);
        document.disagreements.extend(disagreement::counts(&found, place));
        document.functions.extend(disagreement::sheets(&found, place, &functions, options.shown));
    }
    document.settings = settings;
    Ok(Some(document))
}

/// All settings, by what they take away; those that take the same by their names. The first one is as written.
fn settings<'s>(skills: impl Iterator<Item = &'s Skill>, takes: &dyn Fn(&str) -> Takes) -> Vec<SettingSheet> {
    let names: BTreeSet<&String> = skills.flat_map(|skill| skill.settings.keys()).collect();
    let mut all: BTreeMap<(Takes, &str), SettingSheet> = BTreeMap::new();
    for name in names {
        let takes = if name == AS_WRITTEN { Takes::Nothing } else { takes(name).max(Takes::Names) };
        all.insert((takes, name), SettingSheet { name: name.clone(), takes });
    }
    let written = SettingSheet { name: AS_WRITTEN.to_owned(), takes: Takes::Nothing };
    all.entry((Takes::Nothing, AS_WRITTEN)).or_insert(written);
    all.into_values().collect()
}
