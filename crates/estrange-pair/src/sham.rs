//! Shams: pairs without a bug. A patched function is held against itself and against its own rewrites, with a search for
//! triggers and the same gate as real pairs have. None of them may be confirmed.

use std::collections::BTreeMap;

use estrange_build::{BuildError, Text};
use estrange_oracle::Oracle;

use crate::pair::Task;
use crate::runner::{Rewritten, ready};
use crate::seek::Sought;

/// What a function is called that is held against itself.
const ITSELF: &str = "itself";

/// How many shams of a kind were tried, and how many of them were taken for bugs: none, or labels are worth nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shams {
    /// Those that were tried.
    pub tried: usize,
    /// Those that were confirmed.
    pub confirmed: usize,
}

impl Task<'_, '_> {
    /// The patched side against itself and each of its rewrites: what it was held against, and whether that was confirmed.
    /// Nothing where it cannot be run.
    pub(crate) fn shams(&self, seeker: &Oracle) -> Result<Vec<(String, bool)>, BuildError> {
        let (side, function) = (&self.sides[1], &self.couple.patched);
        let (language, flags) = (function.language, function.flags.as_slice());
        let sought = Sought::of(seeker, side, function, self.work.seed)?;
        let (Ok(sought), Ok(ready)) = (sought, ready(self.work.oracle, side, &function.name, language, flags)?) else {
            return Ok(Vec::new());
        };
        let Ok(own) = ready.build(None)? else { return Ok(Vec::new()) };
        let id = &self.couple.vulnerable.lineage;
        let text = Text { id, unit: &side.unit, function: &side.function, language, flags };
        let rewritten = self.work.workbench.rewrite(text, self.work.rungs)?;
        let none = BTreeMap::new();
        let mut others = vec![(ITSELF.to_owned(), Rewritten { unit: &side.unit, names: &none })];
        for ((setting, _), text) in self.work.rungs.iter().zip(&rewritten) {
            if let Ok(text) = text {
                others.push((setting.to_string(), Rewritten { unit: &text.unit, names: &text.names }));
            }
        }
        let mut shams = Vec::new();
        for (kind, other) in others {
            let mut confirmed = false;
            let Ok(inputs) = sought.faults_unlike(other)? else { continue };
            if !inputs.is_empty() {
                let Ok(built) = ready.build(Some(other))? else { continue };
                for input in &inputs {
                    confirmed = confirmed || self.fault_on([&own, &built], input, &side.unit)?.is_ok();
                }
            }
            shams.push((kind, confirmed));
        }
        Ok(shams)
    }
}

/// The sums of all pairs, by what they were held against.
pub(crate) fn summed<'s>(shams: impl Iterator<Item = &'s (String, bool)>) -> BTreeMap<String, Shams> {
    let mut sums: BTreeMap<String, Shams> = BTreeMap::new();
    for (kind, confirmed) in shams {
        let sum = sums.entry(kind.clone()).or_default();
        sum.tried += 1;
        sum.confirmed += usize::from(*confirmed);
    }
    sums
}
