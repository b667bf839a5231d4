//! Functions chosen by when they changed: what is left of them after each step, up to those that are asked for.

use std::collections::BTreeMap;

use estrange_history::{Asked, Of, Past, Step};
use estrange_report::generate::{FunnelSheet, ProjectFunnelSheet, StepSheet};
use estrange_words::NotAsked;

/// Why functions are left out, and how many.
type Lost = BTreeMap<&'static str, usize>;

/// How many functions are left at each stage of reading what is asked for, and what was lost until then.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stages {
    /// Those that can be run and are described.
    pub described: (usize, Lost),
    /// Those whose inputs are good evidence, as many as are wanted.
    pub ready: (usize, Lost),
    /// Those that are asked for.
    pub asked: usize,
}

impl Stages {
    /// The steps from the functions of the bench that changed, of which there are so many.
    fn steps(&self, in_bench: u64) -> Vec<Step> {
        let all = |lost: &Lost| lost.values().sum::<usize>() as u64;
        let (described, lost) = (self.described.0 as u64, &self.described.1);
        let considered = described + all(lost);
        let mut cannot: BTreeMap<&'static str, u64> = lost.iter().map(|(why, count)| (*why, *count as u64)).collect();
        let undescribed = cannot.remove(NotAsked::NotDescribed.as_str()).unwrap_or(0);
        let ready = self.ready.0 as u64;
        let mut unfit: BTreeMap<&'static str, u64> = BTreeMap::new();
        for (why, count) in &self.ready.1 {
            let here = count.saturating_sub(lost.get(why).copied().unwrap_or(0));
            if here > 0 {
                unfit.insert(why, here as u64);
            }
        }
        let over = described.saturating_sub(ready + unfit.values().sum::<u64>());
        let asked = self.asked as u64;
        let step = |name, left| Step::new(name, Of::Functions, left);
        vec![
            step("as-asked", considered).losing("not-as-asked", in_bench.saturating_sub(considered)),
            Step { lost: cannot, ..step("can-be-run", described + undescribed) },
            step("described", described).losing(NotAsked::NotDescribed.as_str(), undescribed),
            Step { lost: unfit, ..step("good-inputs", ready) }.losing("over-the-limit", over),
            step("asked", asked).losing("in-no-setting", ready.saturating_sub(asked)),
        ]
    }
}

/// How functions were chosen by their changes; none where they were not. `asked` says of each source how many functions of it
/// are asked for.
pub(super) fn funnel(
    past: &Past,
    options: &Asked,
    stages: &Stages,
    asked: &BTreeMap<String, usize>,
) -> Option<FunnelSheet> {
    let since = options.since.as_ref()?;
    let in_bench = past.chosen()? as u64;
    let projects = past.sources.iter().map(|source| ProjectFunnelSheet {
        name: source.source.clone(),
        steps: source.steps.iter().map(sheet).collect(),
        asked: asked.get(&source.source).copied().unwrap_or(0) as u64,
        left_out: source.left_out.as_ref().map(|why| (why.reason.to_string(), why.detail.clone())),
        unread: source.unread,
    });
    Some(FunnelSheet {
        since: since.to_string(),
        with: options.with.to_string(),
        projects: projects.collect(),
        steps: past.steps().iter().chain(&stages.steps(in_bench)).map(sheet).collect(),
    })
}

fn sheet(step: &Step) -> StepSheet {
    let counts = |counts: &BTreeMap<&'static str, u64>| {
        counts.iter().map(|(word, count)| ((*word).to_owned(), *count)).collect()
    };
    StepSheet {
        name: step.name.to_owned(),
        of: step.of.to_string(),
        left: step.left,
        kinds: counts(&step.kinds),
        lost: counts(&step.lost),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_and_what_was_lost_is_what_there_was() {
        let lost = |all: &[(&'static str, usize)]| -> Lost { all.iter().copied().collect() };
        let first = lost(&[("not-linkable", 5), ("no-plain-head", 1), ("not-described", 4)]);
        let second = first.clone().into_iter().chain(lost(&[("weak-inputs", 3), ("cannot-be-run", 2)])).collect();
        let stages = Stages { described: (20, first), ready: (8, second), asked: 7 };
        let steps = stages.steps(32);
        let of: Vec<(&str, u64, u64)> =
            steps.iter().map(|step| (step.name, step.left, step.lost.values().sum())).collect();
        let expected =
            [("as-asked", 30, 2), ("can-be-run", 24, 6), ("described", 20, 4), ("good-inputs", 8, 12), ("asked", 7, 1)];
        assert_eq!(of, expected);
        assert_eq!(steps[3].lost, BTreeMap::from([("weak-inputs", 3), ("cannot-be-run", 2), ("over-the-limit", 7)]));
        assert_eq!(steps[4].lost, BTreeMap::from([("in-no-setting", 1)]));
    }
}
