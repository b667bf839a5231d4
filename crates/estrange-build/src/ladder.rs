//! The ladder: a level is there only if the levels below it are, as far as they were asked for.

use std::collections::{HashMap, HashSet};

use estrange_bench::{BenchError, Placed, Variant, Waiting};
use estrange_rewrite::Setting;
use estrange_words::{Reason, Stage};

/// The settings of the ladder, each with its height.
const LEVELS: [(&str, u8); 5] = [("L1", 1), ("L2", 2), ("L3", 3), ("L4", 4), ("L4-sparse", 4)];

/// The levels that functions lack.
#[derive(Debug, Default)]
pub(crate) struct Ladder {
    /// Of each function, the levels that wait, with their seeds.
    missing: HashMap<String, HashSet<(&'static str, u32)>>,
}

fn level(setting: &str) -> Option<(&'static str, u8)> {
    LEVELS.into_iter().find(|(name, _)| *name == setting)
}

impl Ladder {
    /// What functions lack, by all that waits.
    pub(crate) fn new(waiting: impl Iterator<Item = Result<Placed<Waiting>, BenchError>>) -> Result<Self, BenchError> {
        let mut ladder = Self::default();
        for row in waiting {
            let Waiting { function_id, setting, seed, stage, .. } = row?.record;
            // Where only the text with helpers waits, the variant is there.
            if let Some((name, _)) = level(&setting).filter(|_| stage != Stage::Long) {
                ladder.missing.entry(function_id).or_default().insert((name, seed));
            }
        }
        Ok(ladder)
    }

    /// Why a variant cannot be there: the lowest level that it lacks.
    pub(crate) fn lacks(&self, variant: &Variant) -> Option<Waiting> {
        let lowest = self.lowest_missing(&variant.function_id, &variant.setting, variant.seed)?;
        Some(Waiting {
            function_id: variant.function_id.clone(),
            setting: variant.setting.clone(),
            seed: variant.seed,
            stage: Stage::Rewrite,
            reason: Reason::LowerLevelMissing,
            detail: format!("there is no {lowest} of it"),
        })
    }

    fn lowest_missing(&self, function_id: &str, setting: &str, seed: u32) -> Option<&'static str> {
        let missing = self.missing.get(function_id)?;
        let missing: Vec<(&str, u32)> = missing.iter().copied().collect();
        lowest_missing((setting, seed), &missing)
    }
}

/// The lowest level below a setting that is not there, with the same seed; `missing` are the settings and seeds of one
/// function that are not. Settings that are no levels have none below them.
pub fn lowest_missing((setting, seed): (&str, u32), missing: &[(&str, u32)]) -> Option<&'static str> {
    let (_, height) = level(setting)?;
    let is_missing = |name: &str| {
        // What draws nothing is the same for every seed, and is asked for once.
        let is_one = name.parse::<Setting>().is_ok_and(|setting| !setting.recipe().draws());
        missing.iter().any(|(other, waits)| *other == name && (is_one || *waits == seed))
    };
    let mut below = LEVELS.into_iter().filter(|(_, other)| *other < height);
    below.find(|(name, _)| is_missing(name)).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use estrange_bench::RowPlace;

    fn waiting(function_id: &str, setting: &str, seed: u32, stage: Stage) -> Result<Placed<Waiting>, BenchError> {
        let place = RowPlace { source: 0, number: 0 };
        let (function_id, setting, detail) = (function_id.to_owned(), setting.to_owned(), String::new());
        Ok(Placed { place, record: Waiting { function_id, setting, seed, stage, reason: Reason::Jump, detail } })
    }

    fn lacks(ladder: &Ladder, function_id: &str, setting: &str, seed: u32) -> Option<String> {
        ladder.lowest_missing(function_id, setting, seed).map(str::to_owned)
    }

    #[test]
    fn a_level_needs_all_levels_below_it_that_were_asked_for() {
        let rows = [
            waiting("one", "L2", 1, Stage::Rewrite),
            waiting("two", "L1", 0, Stage::Evidence),
            waiting("three", "L3", 0, Stage::Long),
            waiting("four", "L4", 0, Stage::Rewrite),
            waiting("five", "semantic", 0, Stage::Rewrite),
        ];
        let ladder = Ladder::new(rows.into_iter()).unwrap();
        let missing = |function: &str, setting: &str, seed| lacks(&ladder, function, setting, seed);
        assert_eq!(missing("one", "L4", 1).as_deref(), Some("L2"));
        assert_eq!(missing("one", "L3", 1).as_deref(), Some("L2"));
        // Another seed of a level that draws is another ladder; L1 is the same for all.
        assert_eq!(missing("one", "L4", 0), None);
        assert_eq!(missing("two", "L4-sparse", 7).as_deref(), Some("L1"));
        assert_eq!(missing("one", "L1", 1), None);
        assert_eq!(missing("three", "L4", 0), None);
        assert_eq!(missing("four", "L4-sparse", 0), None);
        assert_eq!(missing("five", "L4", 0), None);
        assert_eq!(missing("two", "semantic", 0), None);
    }
}
