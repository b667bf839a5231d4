//! A step of a funnel: how many are left, and where the others went.

use std::collections::BTreeMap;

use estrange_words::words;
use serde::Serialize;

words! {
    /// What a step counts.
    pub enum Of {
        /// Changes on the main lines of the sources.
        Changes = "changes",
        /// Functions.
        Functions = "functions",
    }
}

/// How many are left after a step. With those that were lost in it they are as many as the step before left, if that one counts
/// the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What it is called.
    pub name: &'static str,
    /// What it counts.
    pub of: Of,
    /// How many are left.
    pub left: u64,
    /// Of these, how many are of which kind, where kinds are told apart: they add up to what is left.
    pub kinds: BTreeMap<&'static str, u64>,
    /// How many were lost in it, and why.
    pub lost: BTreeMap<&'static str, u64>,
}

impl Step {
    /// A step after which so many are left.
    pub fn new(name: &'static str, of: Of, left: u64) -> Self {
        Self { name, of, left, kinds: BTreeMap::new(), lost: BTreeMap::new() }
    }

    /// The same, with so many lost for this reason.
    pub fn losing(mut self, why: &'static str, count: u64) -> Self {
        if count > 0 {
            *self.lost.entry(why).or_default() += count;
        }
        self
    }

    /// The same, with those that are left told apart.
    pub fn told_apart(mut self, kinds: BTreeMap<&'static str, u64>) -> Self {
        self.kinds = kinds;
        self
    }
}

/// The steps of several funnels added up, step by step.
pub fn sums<'s>(funnels: impl IntoIterator<Item = &'s [Step]>) -> Vec<Step> {
    let mut all: Vec<Step> = Vec::new();
    for step in funnels.into_iter().flatten() {
        match all.iter_mut().find(|sum| (sum.name, sum.of) == (step.name, step.of)) {
            Some(sum) => {
                sum.left += step.left;
                step.kinds.iter().for_each(|(kind, count)| *sum.kinds.entry(kind).or_default() += count);
                step.lost.iter().for_each(|(why, count)| *sum.lost.entry(why).or_default() += count);
            }
            None => all.push(step.clone()),
        }
    }
    all
}
