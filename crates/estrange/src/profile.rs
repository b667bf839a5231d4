//! Profiles: what the same functions come to in all tasks, as a part of reports.

use estrange_bench::{Bench, Run};
use estrange_build::Setting;
use estrange_report::ProfilePanel;
use estrange_report::profile::{ProfileResults, Takes};
use estrange_task::profile::{self, DocumentOptions, ProfileError};
use estrange_words::Target;

use crate::voice::Failure;

/// The profiles of the models that runs are by, or of all runs as one model of this name; nothing where none was asked several tasks.
pub fn document(bench: &Bench, runs: &[Run], as_one: Option<&str>) -> Result<Option<ProfileResults>, Failure> {
    let runs = runs.iter().filter_map(|run| Some((run, profile::headline(&run.facts().task)?)));
    let found =
        profile::document(bench, &runs.collect::<Vec<_>>(), &DocumentOptions { as_one, ..DocumentOptions::of(&takes) });
    found.map_err(|error| match &error {
        ProfileError::Statistics(source) => Failure::of(&error).because(source),
        error => Failure::of(error),
    })
}

/// The panel of profiles.
pub fn panel(document: &ProfileResults) -> Result<ProfilePanel<'_>, Failure> {
    ProfilePanel::new(document).map_err(|error| Failure::new("the report cannot be made").because(&error))
}

/// What a setting takes away from functions. What is no recipe of ours counts as another shape.
fn takes(setting: &str) -> Takes {
    if Target::of_setting(setting).is_some() {
        return Takes::Language;
    }
    match setting.parse::<Setting>() {
        Ok(setting) if setting.recipe().rewrites().iter().all(|rewrite| rewrite.renames()) => Takes::Names,
        _ => Takes::Shape,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_take_away_names_shape_or_language() {
        for (setting, expected) in [
            ("neutralized", Takes::Names),
            ("randomized", Takes::Names),
            ("symbol", Takes::Names),
            ("L1", Takes::Names),
            ("L2", Takes::Shape),
            ("structure", Takes::Shape),
            ("symbol+structure", Takes::Shape),
            ("distract", Takes::Shape),
            ("somebody-elses", Takes::Shape),
            ("x86_64:clang:O2", Takes::Language),
            ("wasm32/paper", Takes::Language),
        ] {
            assert_eq!(takes(setting), expected, "{setting}");
        }
    }
}
