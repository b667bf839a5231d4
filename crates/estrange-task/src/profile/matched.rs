//! The same functions, and of each the same items: what two settings, or several tasks, both have.

use std::collections::{BTreeMap, BTreeSet};

use super::scores::{Items, Skill};
use super::{AS_WRITTEN, FEWEST};

/// A function's score as it was written, and in other settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matched {
    /// As it was written.
    pub before: f64,
    /// The mean over the other settings.
    pub after: f64,
}

/// What a skill has of functions both as they were written and in all of these settings. Of each function those items count
/// that are in all of them: its score is the mean of these.
pub fn matched<'s>(skill: &'s Skill, settings: &[&str]) -> BTreeMap<&'s str, Matched> {
    let Some(written) = skill.settings.get(AS_WRITTEN) else { return BTreeMap::new() };
    let others: Option<Vec<_>> = settings.iter().map(|setting| skill.settings.get(*setting)).collect();
    let Some(others) = others.filter(|others| !others.is_empty()) else { return BTreeMap::new() };
    let one = |(function, before): (&'s String, &'s Items)| {
        let after: Vec<&Items> = others.iter().map(|setting| setting.get(function)).collect::<Option<_>>()?;
        let common: Vec<&String> =
            before.keys().filter(|item| after.iter().all(|items| items.contains_key(*item))).collect();
        let mean = |items: &Items| common.iter().map(|item| items[*item]).sum::<f64>() / common.len() as f64;
        let after = after.iter().map(|items| mean(items)).sum::<f64>() / after.len() as f64;
        (!common.is_empty()).then(|| (function.as_str(), Matched { before: mean(before), after }))
    };
    written.iter().filter_map(one).collect()
}

/// The functions that are in all of these, where there are several of them, and enough functions.
pub fn shared<'s>(all: impl IntoIterator<Item = BTreeSet<&'s str>>) -> Option<BTreeSet<&'s str>> {
    let mut all = all.into_iter().filter(|functions| !functions.is_empty());
    let first = all.next()?;
    let second = all.next()?;
    let common = |one: BTreeSet<&'s str>, other: BTreeSet<&'s str>| one.intersection(&other).copied().collect();
    let shared: BTreeSet<&str> = all.fold(common(first, second), common);
    (shared.len() >= FEWEST).then_some(shared)
}
