//! How functions were chosen by their changes: what is left after each step, and where the others went.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Functions chosen by when they changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunnelSheet {
    /// They changed on this day or later.
    pub since: String,
    /// What the changes touch besides: `tests` or `any`.
    pub with: String,
    /// The steps over all projects, in their order.
    pub steps: Vec<StepSheet>,
    /// The same for each project, as far as it is known for each.
    pub projects: Vec<ProjectFunnelSheet>,
}

/// The steps of one project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectFunnelSheet {
    /// The project (a source).
    pub name: String,
    /// Its steps, as far as each project is told apart: up to what is in the bench.
    pub steps: Vec<StepSheet>,
    /// How many of its functions are asked for.
    pub asked: u64,
    /// Why its history is not known, where it is not: a reason, and the same in words.
    pub left_out: Option<(String, String)>,
    /// How many files' changes could not be read.
    pub unread: usize,
}

/// How many are left after a step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSheet {
    /// What it is called.
    pub name: String,
    /// What it counts: `changes` or `functions`.
    pub of: String,
    /// How many are left.
    pub left: u64,
    /// How many of these are of which kind, where kinds are told apart.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<String, u64>,
    /// How many were lost in it, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lost: BTreeMap<String, u64>,
}

impl StepSheet {
    /// How many were lost in it.
    pub(super) fn lost(&self) -> u64 {
        self.lost.values().sum()
    }
}

impl FunnelSheet {
    /// The first step that does not add up with the one before it: what is left and what was lost are what there was.
    pub(super) fn wrong_step(&self) -> Option<&str> {
        let all = [&self.steps].into_iter().chain(self.projects.iter().map(|project| &project.steps));
        let mut wrong = all.flat_map(|steps| {
            let differ =
                |pair: &&[StepSheet]| pair[0].of == pair[1].of && pair[0].left != pair[1].left + pair[1].lost();
            let kinds = |step: &&StepSheet| !step.kinds.is_empty() && step.kinds.values().sum::<u64>() != step.left;
            let between = steps.windows(2).filter(differ).map(|pair| pair[1].name.as_str());
            between.chain(steps.iter().filter(kinds).map(|step| step.name.as_str()))
        });
        wrong.next()
    }

    /// How functions were chosen, in words.
    pub(super) fn words(&self) -> String {
        match self.with.as_str() {
            "tests" => format!("functions changed since {}, by changes that touch tests, too", self.since),
            _ => format!("functions changed since {}", self.since),
        }
    }
}
